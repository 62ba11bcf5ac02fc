"""Crash reports: files that help to find the bug and hold no business data."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_state_path

from paytui import __version__
from paytui.platform.clock import Clock, SystemClock
from paytui.platform.crash import stack_lines
from paytui.platform.files import NotPrivate, write_private

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
class CrashReporter:
    """A writer of crash reports into a private folder; `happened` names the latest events."""

    folder: Path
    environ: Mapping[str, str]
    clock: Clock
    happened: Callable[[], Sequence[str]]

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
        yield from stack_lines(error)
        yield ""
        yield "Previous events, newest last:"
        yield from (f"  {name}" for name in self.happened())


def crash_reporter(
    environ: Mapping[str, str], happened: Callable[[], Sequence[str]]
) -> CrashReporter:
    """Return a reporter that writes into the user's state folder."""
    folder = user_state_path("paytui", appauthor=False)
    return CrashReporter(folder, environ, SystemClock(), happened)


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
