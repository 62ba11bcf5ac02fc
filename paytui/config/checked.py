"""What pydantic finds in a tree of TOML: a table, or all that is wrong, in words of our own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from paytui.config.entries import Table
from paytui.config.lines import Key
from paytui.config.values import Refused

if TYPE_CHECKING:
    from pydantic import TypeAdapter
    from pydantic_core import ErrorDetails

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
    """One thing that is wrong.

    Attributes:
        key: where it stands.
        message: what is wrong, as a clause that follows the key, and without the value.
        remedy: what to do; empty where an example says it.
        unknown: whether there is no such key.
    """

    key: Key
    message: str
    remedy: str = ""
    unknown: bool = False


class Invalid(Exception):
    """All that is wrong with a tree."""

    def __init__(self, *mistakes: Mistake) -> None:
        super().__init__(f"{len(mistakes)} mistakes")
        self.mistakes = mistakes


class Check(Protocol):
    """Anything that does what `checked` does."""

    def __call__(self, table: type[T], tree: Mapping[str, object]) -> T:
        """The table that a tree of TOML makes; raises `Invalid`."""
        ...


def checked(table: type[T], tree: Mapping[str, object]) -> T:
    """The table that a tree of TOML makes.

    Raises:
        Invalid: it makes none.
    """
    from pydantic import ValidationError

    adapter = _adapter(table)  # type: ignore[arg-type]  # classes can be hashed
    try:
        found: T = adapter.validate_python(tree)
    except ValidationError as error:
        mistakes = map(_mistake, error.errors(include_url=False, include_input=False))
        raise Invalid(*mistakes) from None
    return found


@cache
def _adapter(table: type[Table]) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(table)


def _mistake(found: ErrorDetails) -> Mistake:
    key = tuple(str(part) for part in found["loc"] if part != "[key]")
    context = found.get("ctx", {})
    match found["type"], context.get("error"):
        case _, Refused() as refused:
            return Mistake(key, refused.message, refused.remedy)
        case "literal_error", _:
            return Mistake(key, f"must be {context['expected']}")
        case kind, _:
            words = _WORDS.get(kind, "has a value that cannot be used")
            return Mistake(key, words, unknown=kind == "unexpected_keyword_argument")
