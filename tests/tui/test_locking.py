"""A locked dashboard confirms nothing new and keeps typed input."""

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
from tests.tui.dashboard import Dashboard, Scenario, armed, settings_of, shows, text, tick
from tests.tui.ticket.paying import book, fill_in

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
def ui() -> Locking:
    return Locking(store=book())


async def leave_alone(ui: Dashboard, pilot: Pilot[None]) -> None:
    """Nobody presses a key for ten minutes."""
    ui.clock.advance(600)
    await tick(pilot)


async def unlock(pilot: Pilot[None], name: str = "demo") -> None:
    await pilot.press(UNLOCK)
    await shows(pilot, "Locked after inactivity")
    await pilot.press(*name, "enter")
    await pilot.pause()


def playing(ui: Dashboard) -> Callable[[Scenario], None]:
    return lambda scenario: ui.play(scenario, size=(100, 30))


def test_it_is_said_in_words(ui: Locking) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        assert "locked" not in text(pilot)
        await leave_alone(ui, pilot)
        assert "locked, f7 unlocks" in text(pilot)

    playing(ui)(scenario)


def test_it_is_unlocked_in_a_window_that_lost_the_focus_after_the_key(ui: Locking) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await leave_alone(ui, pilot)
        pilot.app.post_message(events.Key(UNLOCK, None))
        pilot.app.post_message(events.AppBlur())
        await shows(pilot, "Locked after inactivity")
        pilot.app.post_message(events.AppFocus())
        await pilot.press(*"demo", "enter")
        await pilot.pause()
        assert "locked" not in text(pilot)

    playing(ui)(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["t", "3n"])
def test_no_key_creates_anything(ui: Locking, key: str) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(*key[:-1])
        await leave_alone(ui, pilot)
        before = pilot.app.screen
        await pilot.press(key[-1])
        await shows(pilot, "no key was pressed for 10 min")
        assert pilot.app.screen is before

    playing(ui)(scenario)


async def is_sent_once_unlocked(ui: Dashboard, pilot: Pilot[None], typed: str) -> None:
    """A key confirms nothing before; then it does, with what was typed."""
    await pilot.press("enter")
    await pilot.pause()
    assert ui.port.submitted == []
    await unlock(pilot)
    await shows(pilot, "enter: send")
    assert typed in text(pilot)
    await armed(ui, pilot)
    await pilot.press("enter")
    await pilot.pause()
    assert len(ui.port.submitted) == 1


@pytest.mark.slow
def test_a_confirmation_that_was_left_alone_confirms_nothing_and_keeps_what_was_typed(
    ui: Locking,
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await fill_in(pilot)
        await armed(ui, pilot)
        await leave_alone(ui, pilot)
        await shows(pilot, "no key was pressed for 10 min")
        await is_sent_once_unlocked(ui, pilot, "INV 7")

    playing(ui)(scenario)


@pytest.mark.slow
def test_the_very_key_that_comes_too_late_confirms_nothing(ui: Locking) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await fill_in(pilot)
        await armed(ui, pilot)
        ui.clock.advance(600)  # and no tick before the key
        await pilot.press("enter")
        await pilot.pause()
        assert ui.port.submitted == []

    playing(ui)(scenario)


@pytest.mark.slow
def test_a_form_that_was_left_alone_creates_nothing_and_keeps_what_was_typed(
    ui: Locking,
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "n")
        await shows(pilot, "▌ Account")
        await pilot.press(*"Acme", "enter", *"usd", "enter", *"Spare", "f2")
        await shows(pilot, "enter: send")
        await armed(ui, pilot)
        await leave_alone(ui, pilot)
        await is_sent_once_unlocked(ui, pilot, "Spare")

    playing(ui)(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["", "Demo"])
def test_another_name_does_not_unlock(ui: Locking, name: str) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await leave_alone(ui, pilot)
        await unlock(pilot, name)
        await shows(pilot, "That is not ")
        await pilot.press("escape")
        await tick(pilot)
        assert "locked, f7 unlocks" in text(pilot)

    playing(ui)(scenario)


def test_a_paste_does_not_unlock(ui: Locking) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await leave_alone(ui, pilot)
        await pilot.press(UNLOCK)
        await shows(pilot, "Locked after inactivity")
        focused = pilot.app.focused
        assert focused is not None
        focused.post_message(events.Paste("demo"))
        pilot.app.copy_to_clipboard("demo")
        await pilot.press("ctrl+v", "enter")
        await shows(pilot, "That is not ")

    playing(ui)(scenario)


def test_what_goes_on_by_itself_goes_on(ui: Locking) -> None:
    ui.store.set_sending(SendPermission(allowed=True, why=""))

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await leave_alone(ui, pilot)
        await pilot.press("6")
        await shows(pilot, "payments")
        await pilot.press("r")
        assert ui.port.refreshes == 1

    playing(ui)(scenario)


@pytest.mark.slow
def test_a_program_that_lets_nobody_in_keeps_it_locked() -> None:
    answers = ["fprintd-verify ended with exit status 1: it stays locked.", ""]

    async def prove() -> str:
        return answers.pop(0)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await leave_alone(ui, pilot)
        await unlock(pilot)
        await shows(pilot, "ended with exit status 1")
        await pilot.press("enter")
        await pilot.pause()
        await tick(pilot)
        assert "locked" not in text(pilot)
        assert answers == []

    Locking(store=book(), prove=prove).play(scenario, size=(100, 30))


@pytest.mark.slow
def test_where_nothing_is_locked_the_key_says_so() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(UNLOCK)
        await shows(pilot, "Nothing is locked")

    Dashboard(settings=settings_of()).play(scenario)
