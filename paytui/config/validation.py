"""Tables of a configuration: declared as dataclasses, validated by pydantic, errors in our words.

This module does not import pydantic, which takes longer than everything else before the first
paint, until something is validated; a start that finds all accepted before does without.
"""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar, get_args, get_type_hints

from paytui.platform.text import InvalidValue, clean, did_you_mean

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, TypeAdapter, ValidationInfo
    from pydantic_core import CoreSchema, ErrorDetails

KeyPath = tuple[str, ...]  # The path of an entry: `("profiles", "acme", "base_url")`


@dataclass(eq=False, repr=False)
class ConfigError(Exception):
    """A configuration that cannot be used; never holds a value that may be a secret.

    Attributes:
        file: the file; None for a value that is in no file.
        key: the entry as a dotted path: `profiles.acme.base_url`; empty for the file itself.
        message: the fault, as a clause that follows the key.
        remedy: the correction, as a sentence.
        line: the entry's line in the file, if known.
        others: the other errors in the file.
    """

    file: Path | None
    key: str
    message: str
    remedy: str
    line: int | None = None
    others: Sequence[ConfigError] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        super().__init__(str(self))

    def __str__(self) -> str:
        place = str(self.file or "") + ("" if self.line is None else f":{self.line}")
        parts = [part for part in (place, self.key) if part]
        more = f" ({len(self.others)} more to fix in this file.)" if self.others else ""
        return ": ".join([*parts, f"{self.message}. {self.remedy}{more}"])

    def each(self) -> list[ConfigError]:
        """Return all errors in the file, in the order of its lines."""
        own = ConfigError(self.file, self.key, self.message, self.remedy, self.line)
        return sorted([own, *self.others], key=lambda error: error.line or 0)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A parser of the values of an entry; it may raise `InvalidValue`.

    Attributes:
        parse: returns the value of the entry; takes the entry's name first if `by_name`.
        of: the type that pydantic checks before.
    """

    parse: Callable[..., object]
    of: object = str
    by_name: bool = False

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        from pydantic_core import core_schema

        def parse(value: object, info: ValidationInfo) -> object:
            return self.parse(info.field_name, value) if self.by_name else self.parse(value)

        return core_schema.with_info_after_validator_function(
            parse, handler.generate_schema(self.of)
        )


def entry(default: Any, example: str) -> Any:  # noqa: ANN401 - stands for any type
    """Declare an entry: its default, and an example in TOML, which is the default if it has one.

    Error messages and `config.example.toml` show the example.
    """
    metadata = {"example": example}
    if isinstance(default, dict):
        return field(default_factory=default.copy, metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a configuration; only the declared entries are valid in it."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    @classmethod
    def examples(cls) -> Mapping[str, str]:
        """Return the examples of its entries as a file has them, by name."""
        declared = {each.name: each.metadata["example"] for each in fields(cls) if each.metadata}
        return {
            name: example if re.match(r"\[\w", example) else f"{name} = {example}"
            for name, example in declared.items()
        }

    @classmethod
    def explanations(cls) -> Mapping[str, str]:
        """Return the explanations in its docstring: of its entries, by name, and "" of itself."""
        itself, _, entries = inspect.cleandoc(cls.__doc__ or "").partition("\n\nAttributes:\n")
        parts = ["", itself, *re.split(r"^ {4}(\w+): ", entries, flags=re.MULTILINE)[1:]]
        texts = (" ".join(text.split()) for text in parts[1::2])
        unexplained = dict.fromkeys(cls.names(), "")
        return unexplained | dict(zip(parts[::2], texts, strict=True))

    @classmethod
    def names(cls) -> Sequence[str]:
        return [each.name for each in fields(cls) if each.metadata]

    def entries(self) -> dict[str, Any]:
        """Return the values of its entries, by name."""
        return {name: getattr(self, name) for name in self.names()}


T = TypeVar("T", bound=Table)


@contextmanager
def file_errors(path: Path, remedy: str = "") -> Iterator[None]:
    """Raise ConfigError for a file that cannot be read, or is not TOML.

    Args:
        remedy: instead of that of each error.
    """
    try:
        yield
    except OSError as error:
        what, usual = (
            f"cannot be read: {error.strerror or 'unknown reason'}",
            "Fix its permissions.",
        )
    except UnicodeDecodeError:
        what, usual = "is not UTF-8 text", "Save it as UTF-8."
    except RecursionError:
        what, usual = "is nested too deeply", "Start from an example."
    except ValueError as error:  # invalid TOML, or an integer with too many digits
        what, usual = f"is not valid TOML: {error}", "Fix that line."
    else:
        return
    raise ConfigError(path, "", what, remedy or usual)


_WORDS = {
    "string_type": "must be text in quotes",
    "tuple_type": "must be a list",
    "dict_type": "must be a table",
    "dataclass_type": "must be a table",
    "missing": "is missing",
    "unexpected_keyword_argument": "is not a key that paytui knows",
}


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake in a configuration.

    Attributes:
        message: the fault, as a clause that follows the key, without the value.
        remedy: the correction; empty if an example shows it.
    """

    key: KeyPath
    message: str
    remedy: str = ""
    unknown: bool = False


class InvalidTree(Exception):
    """An invalid tree, with all its mistakes."""

    def __init__(self, table: type[Table], mistakes: Sequence[Mistake]) -> None:
        super().__init__(f"{len(mistakes)} mistakes")
        self.table = table
        self.mistakes = mistakes

    def error(self, path: Path, lines: Mapping[KeyPath, int]) -> ConfigError:
        """Return one error for all mistakes; a misspelt key comes before a missing one."""
        errors = []
        for mistake in sorted(self.mistakes, key=lambda mistake: not mistake.unknown):
            key = tuple(clean(part, 60) for part in mistake.key)
            words = _nearest if mistake.unknown else _example
            remedy = mistake.remedy or words(key, self.table)
            line = lines.get(nearest_key(key, lines))
            errors.append(ConfigError(path, ".".join(key), mistake.message, remedy, line))
        first, *others = errors
        return ConfigError(path, first.key, first.message, first.remedy, first.line, others=others)


class Validator(Protocol):
    """A function with the contract of `validate`."""

    def __call__(self, table: type[T], tree: Mapping[str, object]) -> T:
        """Return the table for a TOML tree; raise `InvalidTree`."""


def validate(table: type[T], tree: Mapping[str, object]) -> T:
    """Return the table for a TOML tree; raise InvalidTree if the tree does not match the table."""
    from pydantic import ValidationError

    adapter = _adapter(table)  # type: ignore[arg-type]  # classes can be hashed
    try:
        valid: T = adapter.validate_python(tree)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        raise InvalidTree(table, list(map(_mistake, found))) from None
    return valid


def validated(
    table: type[T],
    path: Path,
    tree: Mapping[str, object],
    lines: Mapping[KeyPath, int] = MappingProxyType({}),
    check: Validator = validate,
) -> T:
    """Return the table for the TOML tree of a file; raise ConfigError for its mistakes."""
    try:
        return check(table, tree)
    except InvalidTree as invalid:
        raise invalid.error(path, lines) from None


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
    "Do not put a secret into this file: use secret_command or secret_file, or set {variable}."
)


def nearest_key(key: KeyPath, lines: Mapping[KeyPath, int]) -> KeyPath:
    """Return a key that has a line: the entry's, or that of the nearest table around it."""
    while key and key not in lines:
        key = key[:-1]
    return key


def _nearest(key: KeyPath, root: type[Table]) -> str:
    if key[-1].casefold() in _NAMES_OF_SECRETS:
        of_webhooks = key[0] == "webhooks"
        variable = "PAYTUI_WEBHOOK_SECRET" if of_webhooks else "PAYTUI_CLIENT_SECRET"
        return _NOT_HERE.format(variable=variable)
    table = _table(key[:-1], root)
    known = table.names() if table else []
    return did_you_mean(key[-1], known).rstrip() or f"Known: {', '.join(known)}."


def _example(key: KeyPath, root: type[Table]) -> str:
    """Return an example of an entry, from its declaration."""
    if key[-1].isdigit():  # an item of a list
        key = key[:-1]
    table = _table(key[:-1], root)
    if table is None:
        return "Write it as a table, like this: [profiles.acme]"
    return f"Write it like this: {table.examples()[key[-1]]}"


def _table(key: KeyPath, root: type[Table]) -> type[Table] | None:
    """Return the declaration of the table at a key."""
    node: Any = root
    for part in key:
        if isinstance(node, type) and issubclass(node, Table):
            node = get_type_hints(node).get(part)
        else:  # a table whose entries have names of the user's choice
            node = (*get_args(node), None, None)[1]
    return node if isinstance(node, type) and issubclass(node, Table) else None


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
