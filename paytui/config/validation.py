"""Validation of a TOML tree by pydantic, with errors in our own words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from paytui.config.errors import ConfigError
from paytui.config.schema import ConfigFile, ProfileTable, RecipientTable, Table
from paytui.config.values import InvalidValue
from paytui.platform.text import clean, did_you_mean

if TYPE_CHECKING:
    from pydantic import TypeAdapter
    from pydantic_core import ErrorDetails

KeyPath = tuple[str, ...]
"""The path of an entry: `("profiles", "acme", "base_url")`."""

_HEADER = re.compile(r"\s*\[+\s*([^\[\]]+?)\s*\]+\s*(#.*)?")
_KEY = re.compile(r"\s*([^=#\[\]]+?)\s*=")


def key_lines(text: str) -> dict[KeyPath, int]:
    """Return the line (from 1) of each table header and of each key that begins a line.

    tomllib reports no lines. Keys within inline tables are not found. A line inside a multi-line
    string may be taken for a key, but never in place of a real key above it.
    """
    found: dict[KeyPath, int] = {}
    table: KeyPath = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.fullmatch(line):
            table = _parts(header[1])
            found.setdefault(table, number)
        elif key := _KEY.match(line):
            found.setdefault((*table, *_parts(key[1])), number)
    return found


def _parts(dotted: str) -> KeyPath:
    """Return the names in `a."b c".d`; none if it is not a key."""
    try:
        tree: object = tomllib.loads(f"{dotted} = 0")
    except tomllib.TOMLDecodeError:
        return ()
    parts: list[str] = []
    while isinstance(tree, dict):
        [(name, tree)] = tree.items()
        parts.append(name)
    return tuple(parts)


T = TypeVar("T", bound=Table)

_WORDS = {
    "string_type": "must be text in quotes",
    "list_type": "must be a list",
    "dict_type": "must be a table",
    "dataclass_type": "must be a table",
    "missing": "is missing",
    "unexpected_keyword_argument": "is not a key that paytui knows",
}


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake in a configuration.

    Attributes:
        key: the path of the entry.
        message: the fault, as a clause that follows the key, without the value.
        remedy: the correction; empty if an example shows it.
        unknown: True if the key does not exist.
    """

    key: KeyPath
    message: str
    remedy: str = ""
    unknown: bool = False


class InvalidTree(Exception):
    """An invalid tree, with all its mistakes."""

    def __init__(self, *mistakes: Mistake) -> None:
        super().__init__(f"{len(mistakes)} mistakes")
        self.mistakes = mistakes


class Validator(Protocol):
    """A function with the contract of `validate`."""

    def __call__(self, table: type[T], tree: Mapping[str, object]) -> T:
        """Return the table for a TOML tree; raise `InvalidTree`."""
        ...


def validate(table: type[T], tree: Mapping[str, object]) -> T:
    """Return the table for a TOML tree.

    Raises:
        InvalidTree: the tree does not match the table.
    """
    from pydantic import ValidationError

    adapter = _adapter(table)  # type: ignore[arg-type]  # classes can be hashed
    try:
        found: T = adapter.validate_python(tree)
    except ValidationError as error:
        mistakes = map(_mistake, error.errors(include_url=False, include_input=False))
        raise InvalidTree(*mistakes) from None
    return found


@cache
def _adapter(table: type[Table]) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(table)


def _mistake(found: ErrorDetails) -> Mistake:
    key = tuple(str(part) for part in found["loc"] if part != "[key]")
    context = found.get("ctx", {})
    match found["type"], context.get("error"):
        case _, InvalidValue() as refused:
            return Mistake(key, refused.message, refused.remedy)
        case "literal_error", _:
            return Mistake(key, f"must be {context['expected']}")
        case kind, _:
            words = _WORDS.get(kind, "has a value that cannot be used")
            return Mistake(key, words, unknown=kind == "unexpected_keyword_argument")


_NAMES_OF_SECRETS = ("client_secret", "secret", "password", "api_key", "token")
_NOT_HERE = (
    "A secret does not belong in this file: say where it is with secret_command or secret_file, "
    "or set {variable}."
)


def config_error(
    path: Path,
    found: Sequence[Mistake],
    lines: Mapping[KeyPath, int],
    root: type[Table] = ConfigFile,
) -> ConfigError:
    """Return one error for all mistakes; a misspelt key comes before a missing one.

    Args:
        path: the file.
        found: its mistakes.
        lines: the lines of its entries.
        root: the table of the whole file.
    """
    first, *others = (
        _error(path, mistake, lines, root)
        for mistake in sorted(found, key=lambda mistake: not mistake.unknown)
    )
    return ConfigError(path, first.key, first.message, first.remedy, first.line, others=others)


def _error(
    path: Path, mistake: Mistake, lines: Mapping[KeyPath, int], root: type[Table]
) -> ConfigError:
    key = tuple(clean(part, 60) for part in mistake.key)
    remedy = _remedy(replace(mistake, key=key), root)
    return ConfigError(path, ".".join(key), mistake.message, remedy, _line(key, lines))


def _line(key: KeyPath, lines: Mapping[KeyPath, int]) -> int | None:
    """Return the line of an entry, or of the nearest table around it."""
    while key and key not in lines:
        key = key[:-1]
    return lines.get(key)


def _remedy(mistake: Mistake, root: type[Table]) -> str:
    if mistake.unknown:
        return _nearest(mistake.key, root)
    return mistake.remedy or _example(mistake.key, root)


def _nearest(key: KeyPath, root: type[Table]) -> str:
    if key[-1].casefold() in _NAMES_OF_SECRETS:
        of_webhooks = key[0] == "webhooks"
        variable = "PAYTUI_WEBHOOK_SECRET" if of_webhooks else "PAYTUI_CLIENT_SECRET"
        return _NOT_HERE.format(variable=variable)
    table = _table(key[:-1], root)
    known = table.names() if table else []
    return did_you_mean(key[-1], known).rstrip() or f"Known here are: {', '.join(known)}."


def _example(key: KeyPath, root: type[Table]) -> str:
    """Return an example of an entry, from the schema."""
    if key[-1].isdigit():  # an item of a list
        key = key[:-1]
    table = _table(key[:-1], root)
    if table is None:
        return "Write it as a table, like this: [profiles.acme]"
    example = table.examples()[key[-1]]
    written = example if example.startswith(f"[{key[-1]}") else f"{key[-1]} = {example}"
    return f"Write it like this: {written}"


def _table(key: KeyPath, root: type[Table]) -> type[Table] | None:
    """Return the schema of the table at a key."""
    match key:
        case ():
            return root
        case ("profiles", _, "recipients", _) | ("limits", "recipients", _):
            return RecipientTable
        case ("profiles", _):
            return ProfileTable
        case (name,) if name in root.names():
            default = getattr(root(), name)
            return type(default) if isinstance(default, Table) else None
        case _:
            return None
