"""A dashboard in a pty on a sandbox behind a link, and the mishaps of all three."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from tests.soak.real.proxy import Proxy
from tests.support.sandbox_process import SandboxProcess
from tests.support.terminal import Terminal

SIZES = ((80, 24), (120, 40), (60, 20), (200, 60), (100, 30))
USUAL = SIZES[0]
ESCAPE = "\x1b"
DOWN, PAGE_DOWN, END = "j", "\x1b[6~", "G"
WANDERS = (
    *((number,) for number in "12345678"),
    (DOWN,),
    (DOWN, DOWN, DOWN),
    (PAGE_DOWN,),
    (END,),
    ("s",),
    ("z",),
    ("/", "a", "u", ESCAPE),
    ("\r", ESCAPE),
    ("?", ESCAPE),
    ("a", ESCAPE),
    (":", "t", "h", ESCAPE),
)
"""Keys that look at something, and lead back."""

PAUSE = 0.15
"""Seconds between two keys: an escape that another one follows at once would be part of it."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The parts of a stage."""

    terminal: Terminal
    service: SandboxProcess
    link: Proxy
    rng: random.Random

    def nothing(self) -> None:
        """Let it be."""

    def calm(self) -> None:
        """Leave it alone, at the usual size, on the Overview."""
        self.terminal.resize(*USUAL)
        self._press(ESCAPE, ESCAPE, "1")

    def rates(self) -> None:
        """Leave it alone on a sheet that counts down."""
        self._press("4")

    def wander(self) -> None:
        """Look at something else."""
        self._press(*self.rng.choice(WANDERS))

    def kill(self) -> None:
        """End the service as a power cut would."""
        self.service.kill()

    def restart(self) -> None:
        """Start it again, on its database."""
        self.service.start()

    def stall(self) -> None:
        """Let the network swallow everything."""
        self.link.stall()

    def flow(self) -> None:
        """Let it carry on."""
        self.link.flow()

    def freeze(self) -> None:
        """Read nothing from the terminal."""
        self.terminal.freeze()

    def thaw(self) -> None:
        """Read on, at the usual size."""
        self.terminal.resize(*USUAL)
        self.terminal.thaw()

    def resize(self) -> None:
        """Make the terminal larger or smaller."""
        self.terminal.resize(*self.rng.choice(SIZES))

    def _press(self, *keys: str) -> None:
        for key in keys:
            self.terminal.send(key)
            time.sleep(PAUSE)


@dataclass(frozen=True, slots=True)
class Phase:
    """Some minutes of a run.

    Attributes:
        minutes: of an hour's run.
        begin: done once; `step` every few seconds.
        is_read: whether somebody reads the terminal.
        shows: what stands on the screen at its end, as a regular expression.
        hides: what does not.
    """

    name: str
    minutes: float
    begin: Callable[[Stage], None] = Stage.nothing
    step: Callable[[Stage], None] = Stage.nothing
    is_read: bool = True
    shows: str = ""
    hides: str = ""


LOST = "unreachable"
PHASES = (
    Phase("calm", 6, Stage.calm, hides=LOST, shows="AUD"),
    Phase("rates", 6, Stage.rates, hides=LOST, shows=r"valid \d|LAST"),
    Phase("keys", 8, step=Stage.wander),
    Phase("killed", 3, Stage.kill, shows=LOST),
    Phase("back", 4, Stage.restart, hides=LOST),
    Phase("black hole", 4, Stage.stall, step=Stage.wander, shows=LOST),
    Phase("flows", 4, Stage.flow, hides=LOST),
    Phase("unread", 5, Stage.freeze, step=Stage.resize, is_read=False),
    Phase("read again", 4, Stage.thaw, step=Stage.resize),
    Phase("keys", 8, step=Stage.wander),
    Phase("calm", 8, Stage.calm, hides=LOST, shows="AUD"),
)
