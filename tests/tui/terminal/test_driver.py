"""The terminal driver and its input."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from paytui.tui.terminal.driver import ThinDriver
from tests.tui.dashboard import Dashboard


@pytest.fixture(autouse=True)
def _open_stdin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A driver asks for its descriptor, and not every process that runs tests has one."""
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr(sys, "__stdin__", nothing)
        yield


@pytest.fixture(autouse=True)
def _signals_as_before() -> Iterator[None]:
    """A driver takes these over for good."""
    names = (signal.SIGTSTP, signal.SIGCONT, signal.SIGWINCH)
    before = [signal.getsignal(name) for name in names]
    yield
    for name, handler in zip(names, before, strict=True):
        signal.signal(name, handler)


class RecordingDriver(ThinDriver):
    resumed: asyncio.Event

    def _sigcont_application(self, *_: object) -> None:
        self.resumed.set()


def test_a_resume_interrupts_nothing() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        driver = RecordingDriver(pilot.app)  # type: ignore[arg-type] # what `Dashboard` runs is one
        driver.resumed = asyncio.Event()
        os.kill(os.getpid(), signal.SIGCONT)
        assert not driver.resumed.is_set()
        await driver.resumed.wait()

    Dashboard().play(scenario)


class ResizedDriver(ThinDriver):
    """A driver of a terminal that is resized again while its size is read."""

    sizes: list[tuple[int, int]]

    def _get_terminal_size(self) -> tuple[int, int]:
        size = self.sizes.pop(0)
        if self.sizes:
            os.kill(os.getpid(), signal.SIGWINCH)
        return size


def test_of_two_resizes_the_later_one_counts() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        driver = ResizedDriver(pilot.app)  # type: ignore[arg-type] # what `Dashboard` runs is one
        driver.sizes = [(90, 30)]
        driver.start_application_mode()
        await pilot.pause()
        driver.sizes = [(100, 30), (120, 40)]
        os.kill(os.getpid(), signal.SIGWINCH)
        await pilot.pause()
        assert pilot.app.size == (120, 40)
        driver.stop_application_mode()

    Dashboard().play(scenario)
