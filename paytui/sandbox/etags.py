"""Entity tags of reads: from the versions of tables, so that no body need be made to compare."""

from __future__ import annotations

import hashlib
import sqlite3

HEADER = "etag"
CONDITION = "if-none-match"


def entity_tag(db: sqlite3.Connection, tables: tuple[str, ...], url: str) -> str:
    """What stays the same for as long as a read of these tables answers the same.

    The url, path and query, is part of it: no tag of one address is taken for that of another.
    """
    (epoch,) = db.execute("SELECT epoch FROM clock").fetchone()
    versions = dict(db.execute("SELECT name, value FROM versions").fetchall())
    seen = [epoch, url, *(versions[table] for table in tables)]
    return f'"{hashlib.blake2b(repr(seen).encode(), digest_size=12).hexdigest()}"'


def is_named(tag: str, condition: str | None) -> bool:
    """Whether an `If-None-Match` names a tag; compared weakly (RFC 9110 §13.1.2)."""
    named = (condition or "").split(",")
    return tag in {one.strip().removeprefix("W/") for one in named}
