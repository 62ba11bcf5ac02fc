"""What was accepted before, kept as plain data: a start that finds it need not load pydantic.

It is the user's own file, beside the cache. Anything odd about it, and all is validated again.
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
"""The name that tells, in plain data, which table or number an object stands for."""

_TABLES = {
    name: kind
    for name, kind in vars(schema).items()
    if isinstance(kind, type) and issubclass(kind, Table)
}


def validation_cache_path(config: Path) -> Path:
    """Where what a configuration says is kept; nothing is made, and its name does not tell it."""
    name = hashlib.sha256(os.fsencode(config.absolute())).hexdigest()[:32]
    return cache_folder() / f"{name}{SUFFIX}"


class CachingValidator:
    """Checks as `checked` does, unless the same was accepted before by the same rules.

    Attributes:
        path: the file that is read at once; only `keep` writes it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._kept = _read(path)
        self._used: dict[str, str] = {}

    def __call__(self, table: type[T], tree: Mapping[str, object]) -> T:
        """The table that a tree of TOML makes.

        Raises:
            Invalid: it makes none.
        """
        with suppress(OSError, TypeError, ValueError, KeyError, ArithmeticError):
            key = _key(table, tree)
            known = json.loads(self._kept[key], object_hook=_made)
            if isinstance(known, table):
                self._used[key] = self._kept[key]
                return known
        found = validate(table, tree)
        with suppress(OSError, TypeError, ValueError):  # as of a date among keys
            self._used[_key(table, tree)] = json.dumps(found, default=_plain)
        return found

    def keep(self) -> None:
        """Keep what was asked for since, and nothing else; where that cannot be, nothing is."""
        if self._used == self._kept:
            return
        text = json.dumps(self._used)
        with suppress(NotPrivate, OSError):
            write_private(self.path, f"{_digest(text)}\n{text}")


def _read(path: Path) -> dict[str, str]:
    """By key, what is kept; nothing unless all of it is as it was written."""
    try:
        check_place(path)
        digest, _, text = path.read_text(encoding="utf-8").partition("\n")
        kept: dict[str, str] = json.loads(text) if digest == _digest(text) else {}
    except (CacheUnusable, OSError, ValueError):
        return {}
    return kept


def _key(table: type[Table], tree: Mapping[str, object]) -> str:
    """Names a tree and the rules: another version, or another schema, makes another."""
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
