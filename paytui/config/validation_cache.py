"""A cache of validated configurations: a start that finds its own need not import pydantic.

It is a private file beside the data cache. If it is damaged, everything is validated again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from paytui import __version__
from paytui.config import settings, value_parsers
from paytui.config.settings import UnlockCommand
from paytui.config.validation import T, Table, validate
from paytui.domain.money import Pair
from paytui.domain.rates import parse_alert, parse_day_start
from paytui.platform.files import NotPrivate, write_private
from paytui.store.cache.file import CacheUnusable, cache_folder, check_place

SUFFIX = ".accepted.json"
_KIND = "="  # The JSON key that names the class of an object

_TEXTS: Mapping[str, Callable[[Any], object]] = {
    "DayStart": parse_day_start,
    "Decimal": Decimal,
    "PosixPath": Path,
    "RateAlert": parse_alert,
}
"""Classes whose objects are kept as text."""

_RECORDS: Mapping[str, Callable[..., object]] = {
    name: kind
    for name, kind in vars(settings).items()
    if isinstance(kind, type) and issubclass(kind, Table | Pair | UnlockCommand | timedelta)
}
"""Classes whose objects are kept by field."""


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

        Raise InvalidTree if the tree does not match the table.
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
    rules = [Path(str(each.__file__)).read_bytes() for each in (settings, value_parsers)]
    said = f"{__version__}\n{table.__name__}\n{tree!r}".encode()
    return hashlib.sha256(b"\n".join([said, *rules])).hexdigest()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Any) -> object:  # noqa: ANN401 - anything that JSON has no form for
    kind = {_KIND: type(value).__name__}
    if kind[_KIND] in _TEXTS:
        return {**kind, "text": str(value)}
    if isinstance(value, timedelta):
        return {**kind, "seconds": value.total_seconds()}
    own = ((each, getattr(value, each.name)) for each in fields(value))
    return {**kind, **{each.name: chosen for each, chosen in own if chosen != each.default}}


def _made(node: dict[str, Any]) -> object:
    kept = {name: _tuples(value) for name, value in node.items()}
    if _KIND not in kept:
        return kept
    kind = str(kept.pop(_KIND))
    return _TEXTS[kind](kept["text"]) if kind in _TEXTS else _RECORDS[kind](**kept)


def _tuples(value: Any) -> Any:  # noqa: ANN401 - any JSON
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
