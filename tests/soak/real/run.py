"""An hour of the real program: its resources and screens, under mishaps."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.soak.real.figures import Figures, figures_of
from tests.soak.real.stage import PHASES, Phase, Stage

STEP = 3.0
"""Seconds between two things that are done in a phase."""

SAMPLES = 60
"""Of a run."""

HOUR = 60.0
"""Minutes of all phases together."""

OLD = timedelta(seconds=30)
"""The clock ticks every five seconds: one that is so far behind stands still."""

NEVER = re.compile(r"Traceback|Error\b|unexpected ")
_CLOCK = re.compile(r"(\d\d):(\d\d):(\d\d) UTC")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A measurement at one time.

    Attributes:
        minutes: since the start.
        painted: bytes so far.
        booked: payments, trades and pay-ins at the service.
    """

    minutes: float
    phase: str
    figures: Figures
    painted: int
    booked: int


class Run:
    """A run.

    Args:
        book: the service's database.
        tell: called with each sample.

    Attributes:
        samples: what was measured so far.
        wrong: what must not be, in words.
    """

    def __init__(self, stage: Stage, book: Path, tell: Callable[[Sample], None]) -> None:
        self.samples: list[Sample] = []
        self.wrong: list[str] = []
        self._stage = stage
        self._book = book
        self._tell = tell
        self._began = time.monotonic()

    def live(self, minutes: float) -> None:
        """Go through all phases in so many minutes."""
        every = minutes * 60 / SAMPLES
        for phase in PHASES:
            phase.begin(self._stage)
            self._go_through(phase, phase.minutes / HOUR * minutes * 60, every)
            self._judge(phase)

    def leave(self) -> None:
        """End it as a person does."""
        terminal = self._stage.terminal
        terminal.send("q")
        code = terminal.wait_for_exit()
        if code:
            self._say(f"it ended with {code}")
        if terminal.in_alternate_screen or not terminal.echoes:
            self._say("the terminal was not restored")

    def _go_through(self, phase: Phase, seconds: float, every: float) -> None:
        began = sampled = time.monotonic()
        while (now := time.monotonic()) < began + seconds:
            phase.step(self._stage)
            if phase.is_read:
                self._look(phase)
            if now >= sampled + every:
                sampled = now
                self._measure(phase)
            time.sleep(STEP)
        self._measure(phase)

    def _measure(self, phase: Phase) -> None:
        sample = Sample(
            minutes=(time.monotonic() - self._began) / 60,
            phase=phase.name,
            figures=figures_of(self._stage.terminal.process.pid),
            painted=len(self._stage.terminal.painted),
            booked=_booked(self._book),
        )
        self.samples.append(sample)
        self._tell(sample)

    def _look(self, phase: Phase) -> None:
        """Check every screen that is read."""
        screen = self._stage.terminal.text
        if found := NEVER.search(screen):
            self._say(f'{phase.name}: "{found[0]}" on:\n{screen}')

    def _judge(self, phase: Phase) -> None:
        """Check the end of a phase."""
        if not phase.is_read:
            return
        screen = self._stage.terminal.text
        if phase.shows and not re.search(phase.shows, screen):
            self._say(f'{phase.name}: no "{phase.shows}" on:\n{screen}')
        if phase.hides and re.search(phase.hides, screen):
            self._say(f'{phase.name}: "{phase.hides}" on:\n{screen}')
        shown = _CLOCK.search(screen)
        if shown and _behind(shown) > OLD:
            self._say(f"{phase.name}: the clock stands at {shown[0]}, at {datetime.now(UTC)}")

    def _say(self, words: str) -> None:
        self.wrong.append(f"{(time.monotonic() - self._began) / 60:.1f} min, {words}")


def _behind(shown: re.Match[str]) -> timedelta:
    now = datetime.now(UTC)
    hours, minutes, seconds = map(int, shown.groups())
    off = now - now.replace(hour=hours, minute=minutes, second=seconds, microsecond=0)
    return min(abs(off), timedelta(days=1) - abs(off))


def _booked(book: Path) -> int:
    tables = ("payments", "trades", "payins")
    counts = " + ".join(f"(SELECT count(*) FROM {table})" for table in tables)  # noqa: S608 - our own names
    with closing(sqlite3.connect(book.absolute().as_uri() + "?mode=ro", uri=True)) as db:
        [[count]] = db.execute(f"SELECT {counts}").fetchall()
    return int(count)
