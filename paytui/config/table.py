"""Tables of a configuration, declared as classes: nothing in one is unknown, nothing is guessed.

A validator of general use would cost more to import than all else that the first paint waits for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, ClassVar, Self, get_type_hints

from paytui.config.checks import (
    Check,
    Collected,
    Invalid,
    Key,
    Mistake,
    Readable,
    check_of,
    judged,
)

_NEEDED: Any = object()
UNKNOWN = "is not a key that paytui knows"


@dataclass(frozen=True, slots=True)
class Entry:
    """A key: what holds where it is left out, and how it is written, as TOML."""

    default: Any
    example: str

    @property
    def needed(self) -> bool:
        """Whether there must be one."""
        return self.default is _NEEDED


def entry(default: Any = _NEEDED, *, example: str) -> Any:  # noqa: ANN401 - stands for any type
    """Declare a key; without a default there must be one."""
    return Entry(default, example)


class Table(Readable):
    """A table; what can be in it is declared by `entry`.

    Attributes:
        entries: what can be in it, by name.
    """

    entries: ClassVar[Mapping[str, Entry]]

    def __init_subclass__(cls) -> None:
        cls.entries = {name: own for name, own in vars(cls).items() if isinstance(own, Entry)}

    def __init__(self, **given: object) -> None:
        for name, own in self.entries.items():
            self.__dict__[name] = given.get(name, own.default)

    @classmethod
    def read(cls, value: object, key: Key = ()) -> Self:
        """The table that a tree of TOML makes.

        Raises:
            Invalid: it makes none.
        """
        if not isinstance(value, Mapping):
            raise Invalid(Mistake(key, "must be a table"))
        collected = Collected()
        given = {
            name: collected(partial(cls._read, name, value, (*key, name)))
            for name in cls._due(value)
        }
        for name in value:
            if name not in cls.entries:
                collected(partial(_refuse, (*key, name)))
        collected.end()
        return cls(**given)

    @classmethod
    def judge(cls, name: str, value: Any) -> Any:  # noqa: ANN401, ARG003 - of any type
        """What an entry is meant as, where that hangs on its name; may raise `Refused`."""
        return value

    def said(self, *left_out: str) -> dict[str, Any]:
        """What was not left to its default."""
        return {
            name: value
            for name, value in self.__dict__.items()
            if value is not None and name not in left_out
        }

    @classmethod
    def _due(cls, tree: Mapping[str, object]) -> Iterator[str]:
        return (name for name, own in cls.entries.items() if own.needed or name in tree)

    @classmethod
    def _read(cls, name: str, tree: Mapping[str, object], key: Key) -> object:
        if name not in tree:
            raise Invalid(Mistake(key, "is missing"))
        checks = _checks_of(cls)  # type: ignore[arg-type]  # classes can be hashed
        value = checks[name](tree[name], key)
        return judged(partial(cls.judge, name), value, key)


@cache
def _checks_of(table: type[Table]) -> Mapping[str, Check]:
    hints = get_type_hints(table, include_extras=True)
    return {name: check_of(hints[name]) for name in table.entries}


def _refuse(key: Key) -> None:
    raise Invalid(Mistake(key, UNKNOWN, unknown=True))
