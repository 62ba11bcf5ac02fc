"""After a while without a key nothing new is confirmed, and what was typed is still there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest
from textual import events
from textual.pilot import Pilot

from paytui.config.settings import LockSettings
from paytui.domain.intent import SendPermission
from paytui.tui.app import PaytuiApp
from tests.tui.dashboard import Dashboard, Scenario, armed, choose, settings_of, shows, text, tick
from tests.tui.wizards.paying import book

UNLOCK = "f7"


@dataclass
class Locking(Dashboard):
    """A dashboard that locks after ten minutes.

    Attributes:
        prove: what is asked beside the name.
    """

    prove: Callable[[], Awaitable[str]] | None = None

    def __post_init__(self) -> None:
        lock = LockSettings(after=timedelta(minutes=10))
        self.settings = replace(self.settings, lock=lock)

    def app(self) -> PaytuiApp:
        app = super().app()
        if self.prove is not None:
            app.prove = self.prove
        return app


@pytest.fixture
def desk() -> Locking:
    return Locking(store=book())


async def leave_alone(desk: Dashboard, pilot: Pilot[None]) -> None:
    """Nobody presses a key for ten minutes."""
    desk.clock.advance(600)
    await tick(pilot)


async def unlock(pilot: Pilot[None], name: str = "demo") -> None:
    await pilot.press(UNLOCK)
    await shows(pilot, "Locked while nobody pressed a key")
    await pilot.press(*name, "enter")
    await pilot.pause()


def playing(desk: Dashboard) -> Callable[[Scenario], None]:
    return lambda scenario: desk.play(scenario, size=(100, 30))


def test_it_is_said_in_words(desk: Locking) -> None:
    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        assert "locked" not in text(pilot)
        await leave_alone(desk, pilot)
        assert "locked, f7 unlocks" in text(pilot)

    playing(desk)(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["t", "3n"])
def test_no_key_creates_anything(desk: Locking, key: str) -> None:
    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(*key[:-1])
        await leave_alone(desk, pilot)
        before = pilot.app.screen
        await pilot.press(key[-1])
        await shows(pilot, "no key was pressed for 10 min")
        assert pilot.app.screen is before

    playing(desk)(scenario)


async def to_confirm(pilot: Pilot[None]) -> None:
    await fill_in(pilot)
    await shows(pilot, "enter: send")


async def fill_in(pilot: Pilot[None]) -> None:
    """A payout of 12.00 USD to Globex."""
    await pilot.press("p")
    await shows(pilot, "from")
    await choose(pilot, "USD desk")
    await shows(pilot, "to whom")
    await choose(pilot, "Globex")
    await pilot.press(*"12", "enter", *"INV 7", "enter")


async def is_sent_once_unlocked(desk: Dashboard, pilot: Pilot[None], typed: str) -> None:
    """A key confirms nothing before; then it does, with what was typed."""
    await pilot.press("enter")
    await pilot.pause()
    assert desk.port.submitted == []
    await unlock(pilot)
    await shows(pilot, "enter: send")
    assert typed in text(pilot)
    await armed(desk, pilot)
    await pilot.press("enter")
    await pilot.pause()
    assert len(desk.port.submitted) == 1


def test_a_confirmation_that_was_left_alone_confirms_nothing_and_keeps_what_was_typed(
    desk: Locking,
) -> None:
    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        await armed(desk, pilot)
        await leave_alone(desk, pilot)
        await shows(pilot, "no key was pressed for 10 min")
        await is_sent_once_unlocked(desk, pilot, "INV 7")

    playing(desk)(scenario)


def test_the_very_key_that_comes_too_late_confirms_nothing(desk: Locking) -> None:
    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        await armed(desk, pilot)
        desk.clock.advance(600)  # and no tick before the key
        await pilot.press("enter")
        await pilot.pause()
        assert desk.port.submitted == []

    playing(desk)(scenario)


@pytest.mark.slow
def test_a_form_that_was_left_alone_creates_nothing_and_keeps_what_was_typed(
    desk: Locking,
) -> None:
    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "n")
        await shows(pilot, "▌ Account")
        await pilot.press(*"Acme", "enter", *"usd", "enter", *"Spare", "f2")
        await shows(pilot, "enter: send")
        await armed(desk, pilot)
        await leave_alone(desk, pilot)
        await is_sent_once_unlocked(desk, pilot, "Spare")

    playing(desk)(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["", "Demo"])
def test_another_name_does_not_unlock(desk: Locking, name: str) -> None:
    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        await leave_alone(desk, pilot)
        await unlock(pilot, name)
        await shows(pilot, "It stays locked")
        await pilot.press("escape")
        await tick(pilot)
        assert "locked, f7 unlocks" in text(pilot)

    playing(desk)(scenario)


def test_a_paste_does_not_unlock(desk: Locking) -> None:
    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        await leave_alone(desk, pilot)
        await pilot.press(UNLOCK)
        await shows(pilot, "Locked while nobody pressed a key")
        focused = pilot.app.focused
        assert focused is not None
        focused.post_message(events.Paste("demo"))
        pilot.app.copy_to_clipboard("demo")
        await pilot.press("ctrl+v", "enter")
        await shows(pilot, "It stays locked")

    playing(desk)(scenario)


def test_what_goes_on_by_itself_goes_on(desk: Locking) -> None:
    desk.store.set_sending(SendPermission(allowed=True, why=""))

    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        await leave_alone(desk, pilot)
        await pilot.press("6")
        await shows(pilot, "payments")
        await pilot.press("r")
        assert desk.port.refreshes == 1

    playing(desk)(scenario)


@pytest.mark.slow
def test_a_program_that_lets_nobody_in_keeps_it_locked() -> None:
    answers = ["fprintd-verify ended with exit status 1: it stays locked.", ""]

    async def prove() -> str:
        return answers.pop(0)

    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        await leave_alone(desk, pilot)
        await unlock(pilot)
        await shows(pilot, "ended with exit status 1")
        await pilot.press("enter")
        await pilot.pause()
        await tick(pilot)
        assert "locked" not in text(pilot)
        assert answers == []

    Locking(store=book(), prove=prove).play(scenario, size=(100, 30))


def test_where_nothing_is_locked_the_key_says_so() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(UNLOCK)
        await shows(pilot, "Nothing is locked")

    Dashboard(settings=settings_of()).play(scenario)
