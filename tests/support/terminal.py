"""A program in a pty, with the screen that it painted."""

from __future__ import annotations

import os
import re
import select
import signal
import sys
import termios
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pyte

from tests.support.deadline import Deadline
from tests.support.in_pty import set_size, start_in_pty

ROOT = Path(__file__).resolve().parents[2]
PAYTUI = (sys.executable, "-m", "paytui")

# pyte prints what it does not know of these: private queries and keyboard protocols.
_UNKNOWN_TO_PYTE = re.compile(rb"\x1b\[[<>=][\d;]*[a-z]|\x1b\[\?[\d;]*\$p|\x1bP[^\x1b]*\x1b\\")
_UNFINISHED = re.compile(rb"\x1b(?:\[[<>=?]?[\d;]*\$?|P[^\x1b]*\x1b?)?$")


_OF_OURS = ("COLUMNS", "LINES", "SSH_CONNECTION", "STY", "TMUX")


class Terminal:
    """Runs a program at a terminal of the given size.

    With `answers` it tells where the cursor is when it comes to draw the question, as real ones do;
    a frozen one has not come to it.

    Waits for what appears on the screen and never for time; a wait that is in vain fails with the
    screen as it stands.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        size: tuple[int, int] = (80, 24),
        env: Mapping[str, str] | None = None,
        cwd: Path = ROOT,
        answers: bool = False,
    ) -> None:
        self._screen = _AnsweringScreen(size, self.send) if answers else pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self._changed = threading.Condition()
        self._reading = threading.Event()
        self._reading.set()
        self._rest = b""
        self._stopping = False
        self.painted = bytearray()
        environ = {**_environment(), **(env or {})}
        self.process, self._master = start_in_pty(argv, size, environ, cwd)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def text(self) -> str:
        """The screen as lines of text."""
        with self._changed:
            # Not `display`, which fails where the first half of a wide letter was painted over.
            rows, columns = range(self._screen.lines), range(self._screen.columns)
            cells = self._screen.buffer
            return "\n".join("".join(cells[y][x].data for x in columns).rstrip() for y in rows)

    @property
    def in_alternate_screen(self) -> bool:
        """Return True if the program has the alternate screen, by its output so far."""
        return self.painted.rfind(b"\x1b[?1049h") > self.painted.rfind(b"\x1b[?1049l")

    @property
    def echoes(self) -> bool:
        """Return True if the terminal is in the mode in which a shell leaves it."""
        local = int(termios.tcgetattr(self._master)[3])
        return bool(local & termios.ECHO and local & termios.ICANON)

    def send(self, keys: str) -> None:
        """Type keys."""
        os.write(self._master, keys.encode())

    def resize(self, columns: int, lines: int) -> None:
        """Change the terminal's size; the program is told."""
        with self._changed:
            self._screen.resize(lines, columns)
        set_size(self._master, columns, lines)

    def wait_for(self, wanted: str | Callable[[str], bool], seconds: float = 40) -> str:
        """Wait until the screen matches a regular expression or a condition; returns the screen.

        Fails when the time is over or the program has ended.
        """
        matches = wanted if callable(wanted) else re.compile(wanted).search
        deadline = Deadline(seconds)
        while True:
            # Asked before the screen is read: what a program wrote last is on it by then.
            over = deadline.over or not self._thread.is_alive()
            screen = self.text
            if matches(screen):
                return screen
            assert not over, f"in vain for {wanted!r} on:\n{screen}"
            with self._changed:
                self._changed.wait(min(deadline.left, 1.0))

    def freeze(self) -> None:
        """Read nothing from now on, as a stuck link does."""
        self._reading.clear()

    def thaw(self) -> None:
        """Read on."""
        self._reading.set()

    def signal(self, number: signal.Signals) -> None:
        """Send the program a signal."""
        self.process.send_signal(number)

    def hang_up(self) -> None:
        """Lose the terminal."""
        self._reading.set()
        self._thread_stop()
        os.close(self._master)
        self._master = -1

    def wait_for_exit(self, seconds: float = 20) -> int:
        """The exit status of the program, once it has ended and, unless frozen, all was read."""
        status = self.process.wait(seconds)
        if self._reading.is_set():
            self._thread.join(seconds)
        return status

    def close(self) -> None:
        """End the program, however it stands, and the terminal."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(10)
        self._reading.set()
        self._thread_stop()
        if self._master >= 0:
            os.close(self._master)
            self._master = -1

    def _thread_stop(self) -> None:
        self._stopping = True
        self._thread.join(10)

    def _read(self) -> None:
        while not self._stopping:
            self._reading.wait()
            ready, _, _ = select.select([self._master], [], [], 0.05)
            if not ready:
                continue
            try:
                data = os.read(self._master, 65536)
            except OSError:  # the other side is gone
                return
            if not data:
                return
            self._feed(data)

    def _feed(self, data: bytes) -> None:
        data = self._rest + data
        unfinished = _UNFINISHED.search(data)
        self._rest = data[unfinished.start() :] if unfinished else b""
        whole = data[: len(data) - len(self._rest)]
        with self._changed:
            self.painted += whole
            self._stream.feed(_UNKNOWN_TO_PYTE.sub(b"", whole))
            self._changed.notify_all()


class _AnsweringScreen(pyte.Screen):
    """A screen that gives a program the answers it asks for."""

    def __init__(self, size: tuple[int, int], give: Callable[[str], None]) -> None:
        super().__init__(*size)
        self._give = give

    def write_process_input(self, data: str) -> None:
        """Answer where the cursor is; other questions find the terminal dumb."""
        if data.endswith("R"):
            self._give(data)


def _environment() -> dict[str, str]:
    """Ours, less what it may tell of the terminal that tests are run at. In UTF-8."""
    ours = {name: value for name, value in os.environ.items() if name not in _OF_OURS}
    return {**ours, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT)}
