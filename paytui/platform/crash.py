"""What may be told of an error of our own: kinds and places, and no word of what it was about.

Messages, variables and source lines may hold secrets and payments: none of them is in it.
"""

from __future__ import annotations

import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import PurePath

CrashReporter = Callable[[BaseException, Sequence[str]], str]
"""Given what went wrong and the names of what was on, keeps it; returns a sentence of where."""

MOST_ERRORS = 30
"""Of an error, itself, what led to it and what is in it; of more than that, the last."""

_HOUSE = PurePath(__file__).parents[1]
_LIBRARIES = ("site-packages", "dist-packages")


def crash_message(error: BaseException, report: str) -> str:
    """A crash in words.

    Args:
        error: what went wrong.
        report: what `Crashed` returned.
    """
    places = [place for kind, places in _chain(error) for place in places]
    ours = next((place for place in reversed(places) if place.startswith("paytui/")), None)
    where = f" at {ours}" if ours else ""
    return (
        f"paytui stopped because of an error of its own: {type(error).__name__}{where}.\n"
        "The service is not affected, and what you confirmed is kept. Start paytui again.\n"
        f"{report}"
    )


def no_report(_: BaseException, __: Sequence[str]) -> str:
    """Keeps nothing; see `Crashed`."""
    return "If it happens twice, please report these lines."


def stack_lines(error: BaseException) -> Iterator[str]:
    """Kinds and places of an error, and of all that led to it, the last call last."""
    for kind, places in _chain(error):
        yield kind
        yield from (f"  {place}" for place in places)


def _chain(error: BaseException) -> Iterator[tuple[str, list[str]]]:
    """The error that was first, then what came of it; of a group, each that is in it."""
    return map(_kind_and_places, reversed(list(islice(_back_from(error), MOST_ERRORS))))


def _back_from(error: BaseException) -> Iterator[BaseException]:
    """Each once: one that is taken out of a group and raised has that group behind it."""
    left, seen = [error], set[int]()
    while left:
        each = left.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        if (before := _before(each)) is not None:
            left.append(before)
        if isinstance(each, BaseExceptionGroup):
            left += each.exceptions


def _before(error: BaseException) -> BaseException | None:
    return error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _kind_and_places(error: BaseException) -> tuple[str, list[str]]:
    kind = type(error)
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{_shortened(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames]
    return f"{kind.__module__}.{kind.__qualname__}", places


def _shortened(file: str) -> str:
    """A file without the folders in front, which tell whose machine it is."""
    path = PurePath(file)
    if path.is_relative_to(_HOUSE):
        return path.relative_to(_HOUSE.parent).as_posix()
    parts = path.parts
    for root in _LIBRARIES:
        if root in parts:
            return "/".join(parts[parts.index(root) + 1 :])
    return "/".join(parts[-2:]) if "lib" in parts else parts[-1]


# What happened last, by name alone: for whoever looks into a crash.

BREADCRUMBS_KEPT = 30


class Breadcrumbs:
    """The newest names, in the order in which they were noted. Any thread may read them."""

    def __init__(self) -> None:
        self._names: deque[str] = deque(maxlen=BREADCRUMBS_KEPT)

    def note(self, name: str) -> None:
        """Something happened: `payments failed`. No value from outside is in a name."""
        self._names.append(name)

    def newest(self) -> tuple[str, ...]:
        """The oldest of them first."""
        return tuple(self._names)
