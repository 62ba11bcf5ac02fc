"""A cache of validated configurations: a start that finds its own need not import pydantic.

It is a private file beside the data cache. If it is damaged, everything is validated again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

from paytui import __version__
from paytui.config import schema, values
from paytui.config.schema import Table
from paytui.config.validation import validate
from paytui.platform.files import NotPrivate, write_private
from paytui.store.cache.file import CacheUnusable, cache_folder, check_place

T = TypeVar("T", bound=Table)

SUFFIX = ".accepted.json"
_KIND = "="
"""The JSON key that names the table or number type of an object."""

_TABLES = {
    name: kind
    for name, kind in vars(schema).items()
    if isinstance(kind, type) and issubclass(kind, Table)
}


def validation_cache_path(config: Path) -> Path:
    """Return the path of a configuration's cache, which does not reveal its name."""
    name = hashlib.sha256(os.fsencode(config.absolute())).hexdigest()[:32]
    return cache_folder() / f"{name}{SUFFIX}"


class CachingValidator:
    """A validator that skips what the same rules accepted before.

    Attributes:
        path: the cache, which is read now and written only by `keep`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._kept = _read(path)
        self._used: dict[str, str] = {}

    def __call__(self, table: type[T], tree: Mapping[str, object]) -> T:
        """Return the table for a TOML tree.

        Raises:
            InvalidTree: the tree does not match the table.
        """
        with suppress(OSError, TypeError, ValueError, KeyError, ArithmeticError):
            key = _key(table, tree)
            known = json.loads(self._kept[key], object_hook=_made)
            if isinstance(known, table):
                self._used[key] = self._kept[key]
                return known
        found = validate(table, tree)
        with suppress(OSError, TypeError, ValueError):  # for example, a date in `[keys]`
            self._used[_key(table, tree)] = json.dumps(found, default=_plain)
        return found

    def keep(self) -> None:
        """Write the trees used since and drop all others; ignore a failure to write."""
        if self._used == self._kept:
            return
        text = json.dumps(self._used)
        with suppress(NotPrivate, OSError):
            write_private(self.path, f"{_digest(text)}\n{text}")


def _read(path: Path) -> dict[str, str]:
    """Return the cached tables by key; none if the file is damaged."""
    try:
        check_place(path)
        digest, _, text = path.read_text(encoding="utf-8").partition("\n")
        kept: dict[str, str] = json.loads(text) if digest == _digest(text) else {}
    except (CacheUnusable, OSError, ValueError):
        return {}
    return kept


def _key(table: type[Table], tree: Mapping[str, object]) -> str:
    """Return the key of a tree, which changes with the version and the schema."""
    rules = [Path(str(each.__file__)).read_bytes() for each in (schema, values)]
    said = f"{__version__}\n{table.__name__}\n{tree!r}".encode()
    return hashlib.sha256(b"\n".join([said, *rules])).hexdigest()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: object) -> object:
    if isinstance(value, Decimal):
        return {_KIND: "Decimal", "digits": str(value)}
    if isinstance(value, Table):
        return {_KIND: type(value).__name__} | {
            name: getattr(value, name) for name in value.names()
        }
    raise TypeError(value)


def _made(node: dict[str, Any]) -> object:
    match node.pop(_KIND, None):
        case None:
            return node
        case "Decimal":
            return Decimal(node["digits"])
        case kind:
            return _TABLES[kind](**node)
