"""What a type says of a value in a configuration: whether it is of it, and what it is meant as."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal, Self, TypeVar, Union, get_args, get_origin

T = TypeVar("T")
Key = tuple[str, ...]

Check = Callable[[object, Key], Any]
"""Takes a value and where it stands, gives what it is meant as, and raises `Invalid`."""


class Refused(Exception):
    """A value that cannot be used.

    Attributes:
        message: what is wrong with it, as a clause that follows its name, and without the value.
        remedy: what to do, as a sentence.
    """

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that is wrong.

    Attributes:
        key: where it stands.
        message: what is wrong, as a clause that follows the key.
        remedy: what to do; empty where an example says it.
        unknown: whether there is no such key.
    """

    key: Key
    message: str
    remedy: str = ""
    unknown: bool = False


class Invalid(Exception):
    """All that is wrong with a value."""

    def __init__(self, *mistakes: Mistake) -> None:
        super().__init__(f"{len(mistakes)} mistakes")
        self.mistakes = mistakes


@dataclass(frozen=True, slots=True)
class Before:
    """Makes a value out of whatever is written; may raise `Refused`."""

    make: Callable[[object], object]


@dataclass(frozen=True, slots=True)
class After:
    """Judges what is of the right type, and says what it is meant as; may raise `Refused`."""

    judge: Callable[[Any], object]


@dataclass(frozen=True, slots=True)
class Within:
    """A whole number, the least and the greatest that it can be."""

    least: int
    most: int


class Readable:
    """A type that reads its own values."""

    @classmethod
    def read(cls, value: object, key: Key = ()) -> Self:
        """The value; raises `Invalid`."""
        raise NotImplementedError


class Collected:
    """Goes on after a mistake, so that all of them can be told."""

    def __init__(self) -> None:
        self._mistakes: list[Mistake] = []

    def __call__(self, read: Callable[[], T]) -> T | None:
        """What comes of reading; None where it fails, which `end` raises."""
        try:
            return read()
        except Invalid as invalid:
            self._mistakes += invalid.mistakes
            return None

    def end(self) -> None:
        """Raise what failed, if anything did."""
        if self._mistakes:
            raise Invalid(*self._mistakes)


def check_of(hint: Any) -> Check:  # noqa: ANN401 - types have no type
    """The check of a type, as annotations write it."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _noted(*arguments)
    if origin in (Union, types.UnionType):  # TOML has no null: None is for what is left out
        return check_of(next(one for one in arguments if one is not type(None)))
    if origin is Literal:
        return _one_of(arguments)
    if origin in _CONTAINERS:
        return _CONTAINERS[origin](*map(check_of, arguments))
    if isinstance(hint, type) and issubclass(hint, Readable):
        return hint.read
    return _PLAIN[hint]


def judged(judge: Callable[[T], object], value: T, key: Key) -> object:
    """What a value is meant as; raises `Invalid`."""
    try:
        return judge(value)
    except Refused as refused:
        raise Invalid(Mistake(key, refused.message, refused.remedy)) from None


def _noted(hint: object, note: object) -> Check:
    match note:
        case Before(make):
            return lambda value, key: judged(make, value, key)
        case After(judge):
            check = check_of(hint)
            return lambda value, key: judged(judge, check(value, key), key)
        case Within():
            return partial(_within, note)
    raise TypeError(note)


def _within(limits: Within, value: Any, key: Key) -> object:  # noqa: ANN401 - of any type
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if is_number and limits.least <= value <= limits.most:
        return value
    message = f"must be a whole number from {limits.least} to {limits.most}"
    raise Invalid(Mistake(key, message))


def _plain(kind: type, message: str) -> Check:
    def check(value: object, key: Key) -> object:
        if not isinstance(value, kind):
            raise Invalid(Mistake(key, message))
        return value

    return check


_PLAIN: Mapping[object, Check] = {
    str: _plain(str, "must be text in quotes"),
    bool: _plain(bool, "must be true or false"),
    object: lambda value, _: value,
}


def _one_of(words: Sequence[str]) -> Check:
    quoted = [f"'{word}'" for word in words]
    named = f"{', '.join(quoted[:-1])} or {quoted[-1]}"

    def check(value: object, key: Key) -> object:
        if value not in words:
            raise Invalid(Mistake(key, f"must be {named}"))
        return value

    return check


def _list_of(item: Check) -> Check:
    def check(value: object, key: Key) -> list[object]:
        if not isinstance(value, list):
            raise Invalid(Mistake(key, "must be a list"))
        collected = Collected()
        read = [
            collected(partial(item, one, (*key, str(place)))) for place, one in enumerate(value)
        ]
        collected.end()
        return read

    return check


def _dict_of(name: Check, item: Check) -> Check:
    def check(value: object, key: Key) -> dict[object, object]:
        if not isinstance(value, dict):
            raise Invalid(Mistake(key, "must be a table"))
        collected = Collected()
        read = {
            collected(partial(name, each, (*key, each))): collected(
                partial(item, one, (*key, each))
            )
            for each, one in value.items()
        }
        collected.end()
        return read

    return check


_CONTAINERS: Mapping[object, Callable[..., Check]] = {list: _list_of, dict: _dict_of}
