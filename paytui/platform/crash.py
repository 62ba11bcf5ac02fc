"""Crash reports that hold error types and code locations only.

Messages, variables and source lines may hold secrets and payments, so they are left out.
"""

from __future__ import annotations

import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import PurePath

CrashReporter = Callable[[BaseException, Sequence[str]], str]
"""Stores a crash given the error and recent event names; returns a sentence with its location."""

MOST_ERRORS = 30  # The most errors of a chain or group that are reported; of more, the last

_HOUSE = PurePath(__file__).parents[1]
_LIBRARIES = ("site-packages", "dist-packages")


def crash_message(error: BaseException, report: str) -> str:
    """Return the message for a crash, with the sentence that the `CrashReporter` returned."""
    places = [place for kind, places in _chain(error) for place in places]
    ours = next((place for place in reversed(places) if place.startswith("paytui/")), None)
    where = f" at {ours}" if ours else ""
    return (
        f"paytui stopped because of an internal error: {type(error).__name__}{where}.\n"
        "The service is not affected, and confirmed intents are kept. Start paytui again.\n"
        f"{report}"
    )


def no_report(_: BaseException, __: Sequence[str]) -> str:
    """Store nothing; see `CrashReporter`."""
    return "If it happens twice, please report these lines."


def stack_lines(error: BaseException) -> Iterator[str]:
    """Yield the type and stack of an error and of each of its causes, the last call last."""
    for kind, places in _chain(error):
        yield kind
        yield from (f"  {place}" for place in places)


def _chain(error: BaseException) -> Iterator[tuple[str, list[str]]]:
    """Return the types and stacks of a chain, the original error first."""
    return map(_kind_and_places, reversed(list(islice(_back_from(error), MOST_ERRORS))))


def _back_from(error: BaseException) -> Iterator[BaseException]:
    """Yield each error once: an error raised out of a group has that group as its context."""
    left, seen = [error], set[int]()
    while left:
        each = left.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        context = None if each.__suppress_context__ else each.__context__
        if (before := each.__cause__ or context) is not None:
            left.append(before)
        if isinstance(each, BaseExceptionGroup):
            left += each.exceptions


def _kind_and_places(error: BaseException) -> tuple[str, list[str]]:
    kind = type(error)
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{_shortened(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames]
    return f"{kind.__module__}.{kind.__qualname__}", places


def _shortened(file: str) -> str:
    """Return a path without its leading folders, which would identify the machine."""
    path = PurePath(file)
    if path.is_relative_to(_HOUSE):
        return path.relative_to(_HOUSE.parent).as_posix()
    parts = path.parts
    for root in _LIBRARIES:
        if root in parts:
            return "/".join(parts[parts.index(root) + 1 :])
    return "/".join(parts[-2:]) if "lib" in parts else parts[-1]


BREADCRUMBS_KEPT = 30


class Breadcrumbs:
    """The names of the newest events, for crash reports. Any thread may read them."""

    def __init__(self) -> None:
        self._names: deque[str] = deque(maxlen=BREADCRUMBS_KEPT)

    def note(self, name: str) -> None:
        """Add an event: `payments failed`. A name holds no value from outside."""
        self._names.append(name)

    def newest(self) -> tuple[str, ...]:
        return tuple(self._names)
