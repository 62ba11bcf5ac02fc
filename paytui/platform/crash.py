"""Crash reports: files of error types and code locations, without business data.

Messages, variables and source lines may hold secrets and payments, so they are left out.
"""

from __future__ import annotations

import os
import re
import sys
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePath

from platformdirs import user_state_path

from paytui import __version__
from paytui.platform.clock import Clock, SystemClock
from paytui.platform.files import NotPrivate, write_private

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


def _chain(error: BaseException) -> Iterator[tuple[str, list[str]]]:
    """Yield the types and stacks of a chain, the original error first."""
    for each in reversed(list(islice(_back_from(error), MOST_ERRORS))):
        kind, frames = type(each), traceback.extract_tb(each.__traceback__)
        places = [f"{_shortened(one.filename)}:{one.lineno} in {one.name}" for one in frames]
        yield f"{kind.__module__}.{kind.__qualname__}", places


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


KEPT = 10  # Reports; writing the next one deletes the oldest

_PATTERN = "crash-*.txt"
_SHOWN = {
    "TERM": re.compile(r"[a-z][a-z0-9+.-]{0,30}"),
    "COLORTERM": re.compile(r"truecolor|24bit"),
    "LANG": re.compile(r"(C|POSIX|[a-z]{2,3}(_[A-Z]{2})?)(\.[A-Za-z0-9-]{1,12})?"),
}
"""Variables that are reported, and the form that a value must have to be repeated."""

_NAMED = ("LC_ALL", "NO_COLOR", "SSH_CONNECTION", "STY", "TMUX")
"""Variables that are reported as set, without their values."""


@dataclass(frozen=True, slots=True)
class ReportWriter:
    """A writer of crash reports into a private folder; `happened` names the latest events."""

    folder: Path
    environ: Mapping[str, str]
    clock: Clock
    happened: Collection[str]

    def __call__(self, error: BaseException, on: Sequence[str]) -> str:
        """See `Crashed`. The result also says so if no report could be written."""
        path = self.folder / f"crash-{self.clock.now():%Y%m%dT%H%M%S%fZ}.txt"
        try:
            write_private(path, "\n".join((*self._lines(error, on), "")))
        except (OSError, NotPrivate) as trouble:
            why = trouble.strerror if isinstance(trouble, OSError) else trouble.message
            return f"No crash report could be saved: {self.folder} {why}."
        with suppress(OSError):
            for old in sorted(self.folder.glob(_PATTERN))[:-KEPT]:
                old.unlink()
        return f"Please report it, with this file, which holds no secrets and no payments: {path}"

    def _lines(self, error: BaseException, on: Sequence[str]) -> Iterator[str]:
        import platform

        yield f"paytui {__version__}, a crash at {self.clock.now():%Y-%m-%d %H:%M:%S} UTC"
        yield f"Python {platform.python_version()}, Textual {_textual()}"
        yield f"{platform.system()} {platform.release()} {platform.machine()}"
        yield f"Terminal {_size()}, {', '.join(_surroundings(self.environ))}"
        yield f"On: {', '.join(on) or 'nothing'}"
        yield ""
        yield "Errors, first cause first, last call last:"
        for kind, places in _chain(error):
            yield kind
            yield from (f"  {place}" for place in places)
        yield ""
        yield "Previous events, newest last:"
        yield from (f"  {name}" for name in tuple(self.happened))  # any thread may add one


def crash_reporter(environ: Mapping[str, str], happened: Collection[str]) -> ReportWriter:
    """Return a reporter that writes into the user's state folder."""
    folder = user_state_path("paytui", appauthor=False)
    return ReportWriter(folder, environ, SystemClock(), happened)


def _textual() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("textual")
    except PackageNotFoundError:
        return "not installed"


def _size() -> str:
    try:
        columns, lines = os.get_terminal_size(sys.__stderr__.fileno() if sys.__stderr__ else 2)
    except (OSError, ValueError):
        return "of no known size"
    return f"{columns}x{lines}"


def _surroundings(environ: Mapping[str, str]) -> Iterator[str]:
    for name, form in _SHOWN.items():
        value = environ.get(name)
        if value is not None:
            yield f"{name}={value if form.fullmatch(value) else '(something else)'}"
    yield from (f"{name} set" for name in _NAMED if environ.get(name))
