"""The merged dialect as lines of TOML, each with its origin."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from importlib import resources

from paytui.api.dialect import merge, read_toml
from paytui.cli.spoken import dialect_of
from paytui.config.settings import Profile
from paytui.config.validation import key_lines

ORIGIN_COLUMN = 72
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_INLINE = {("states", 2), ("extra", 2)}
"""Sections, and the depth below which their tables are written in one line."""

Where = tuple[str, ...]


def shown_dialect(profile: Profile) -> Iterator[str]:
    """The lines, of the default dialect or with a profile's own file merged over it.

    Raises:
        DialectError: the file is no dialect.
    """
    dialect_of(profile)
    override = profile.dialect
    with resources.as_file(resources.files("paytui.api") / "dialect.toml") as path:
        tree = read_toml(path)
    origins: dict[Where, str] = {}
    if override is not None:
        own = read_toml(override)
        tree = merge(tree, own, str(override))
        lines = key_lines(override.read_text(encoding="utf-8"))
        for where, _ in _entries(own):
            line = f":{lines[where]}" if where in lines else ""
            origins[where] = f"{override.name}{line}"
    yield f"# {override or 'the default dialect'}"
    section: Where = ()
    for where, value in _entries(tree):
        if where[:-1] != section:
            section = where[:-1]
            yield f"\n[{'.'.join(map(_key, section))}]"
        text = f"{_key(where[-1])} = {_toml(value)}"
        yield f"{text.ljust(ORIGIN_COLUMN)}  # {origins.get(where, 'default')}"


def _entries(tree: Mapping[str, object], at: Where = ()) -> Iterator[tuple[Where, object]]:
    """All keys that hold something else than a table, those of each table before its tables."""
    tables = []
    for name, value in tree.items():
        where = (*at, name)
        if isinstance(value, dict) and (where[0], len(at)) not in _INLINE:
            tables.append((where, value))
        else:
            yield where, value
    for where, table in tables:
        yield from _entries(table, where)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name)


def _toml(value: object) -> str:
    match value:
        case list():
            return f"[{', '.join(map(_toml, value))}]"
        case dict():
            return "{ " + ", ".join(f"{_key(k)} = {_toml(v)}" for k, v in value.items()) + " }"
        case _:
            return json.dumps(value, ensure_ascii=False)
