"""A program in a pty; each byte is recorded with the time at which it left the pty."""

from __future__ import annotations

import os
import re
import select
import signal
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from tests.bench.process import first_thread_seconds
from tests.bench.screen import Screen
from tests.support.in_pty import start_in_pty

SIZE = (80, 24)
LONGEST_END = 60.0
"""Seconds after which a program that was asked to end is killed."""


class NotSeen(Exception):
    """The expected output did not come."""


@dataclass(frozen=True, slots=True)
class Paint:
    """Output that a program sent at once.

    Attributes:
        at: when it left the pty.
        size: bytes.
        changed: whether the screen looks different since.
        cpu: seconds that the program's first thread had worked by then.
    """

    at: float
    size: int
    changed: bool
    cpu: float


class Program:
    """Runs from its making to `close()`.

    The time that the screen takes to be parsed is not counted: a thread stamps what it reads.

    Attributes:
        bytes: what it sent so far, whether looked at or not.
    """

    def __init__(
        self, argv: Sequence[str], env: Mapping[str, str], size: tuple[int, int] = SIZE
    ) -> None:
        self.screen = Screen(size, self._write)
        self.bytes = 0
        self._read: deque[tuple[float, float, bytes]] = deque()
        self._came = threading.Condition()
        self._over = False
        self.started = perf_counter()
        self.process, self._master = start_in_pty(argv, size, env, Path(env["HOME"]))
        self._thread = threading.Thread(target=self._read_all, daemon=True)
        self._thread.start()

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def next(self, until: float) -> Paint | None:
        """Return the next output; None if nothing comes by then, or ever."""
        with self._came:
            while not self._read:
                left = until - perf_counter()
                if left <= 0 or self._over:
                    return None
                self._came.wait(left)
            at, cpu, data = self._read.popleft()
        return Paint(at, len(data), self.screen.feed(data), cpu)

    def wait_for(self, wanted: str | Callable[[str], bool], seconds: float = 60) -> float:
        """Look until the screen matches an expression or a condition.

        Returns:
            The moment at which it did.

        Raises:
            NotSeen: it does not within these seconds, or the program has ended.
        """
        matches = wanted if callable(wanted) else re.compile(wanted, re.MULTILINE).search
        at, end = perf_counter(), perf_counter() + seconds
        while not matches(self.screen.text):
            paint = self.next(end)
            if paint is None:
                raise NotSeen(f"in vain for {wanted!r} on:\n{self.screen.text}")
            at = paint.at
        return at

    def watch(self, seconds: float) -> list[Paint]:
        """All that is sent in these seconds."""
        end, paints = perf_counter() + seconds, []
        while (paint := self.next(end)) is not None:
            paints.append(paint)
        return paints

    def rest(self, quiet: float, seconds: float) -> None:
        """Look until nothing came for a while, but no longer than these seconds."""
        end = perf_counter() + seconds
        while perf_counter() < end and self.next(min(end, perf_counter() + quiet)):
            pass

    def press(self, keys: str) -> float:
        """Type keys; returns the moment."""
        at = perf_counter()
        self._write(keys.encode())
        return at

    def quit(self, keys: str) -> float:
        """Type what ends it; returns the seconds until the process is gone."""
        gone = os.pidfd_open(self.process.pid)
        try:
            began = self.press(keys)
            ready, _, _ = select.select([gone], [], [], LONGEST_END)
            took = perf_counter() - began
        finally:
            os.close(gone)
        if not ready:
            raise NotSeen(f"{keys!r} did not end it:\n{self.screen.text}")
        return took

    def close(self) -> None:
        """End it, however it stands."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(LONGEST_END)
        self._over = True
        self._thread.join(LONGEST_END)
        os.close(self._master)

    def _write(self, data: bytes) -> None:
        os.write(self._master, data)

    def _read_all(self) -> None:
        while not self._over:
            if not select.select([self._master], [], [], 0.2)[0]:
                continue
            try:
                data = os.read(self._master, 65536)
            except OSError:  # the other side is gone
                break
            at, cpu = perf_counter(), first_thread_seconds(self.process.pid)
            self.bytes += len(data)
            with self._came:
                self._read.append((at, cpu, data))
                self._came.notify()
        with self._came:
            self._over = True
            self._came.notify()
