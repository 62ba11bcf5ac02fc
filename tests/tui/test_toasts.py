"""A toast expires on time, even if shown late or under a changed wall clock."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from textual import notifications
from textual.pilot import Pilot
from textual.widgets._toast import Toast

from paytui.tui.notifications import MonotonicNotification
from tests.support.clock import ManualClock
from tests.tui.dashboard import Dashboard, shows, text, until

ALERT = "EUR/USD is at 1.10"


@pytest.fixture(params=["forward", "back"])
def step(request: pytest.FixtureRequest) -> float:
    """Seconds by which the host's clock is set to another time, longer than any toast is up."""
    return 3600.0 if request.param == "forward" else -3600.0


def set_host(monkeypatch: pytest.MonkeyPatch, clock: ManualClock, step: float) -> None:
    """Have the host tell another time of day, to the desk and to Textual."""
    clock.set_wall(clock.now() + timedelta(seconds=step))
    monkeypatch.setattr(notifications, "time", lambda: time.time() + step)


def test_one_whose_time_is_over_before_it_is_shown_ends_and_nothing_hangs(ui: Dashboard) -> None:
    late = MonotonicNotification("Payout accepted.", timeout=5, clock=ui.clock)
    ui.clock.advance(60)
    assert late.has_expired
    assert late.time_left > 0

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.app.screen.mount(Toast(late))
        await until(pilot, lambda: not pilot.app.screen.query(Toast))

    ui.play(scenario)


def test_one_lasts_for_its_time_whatever_the_host_calls_it(
    monkeypatch: pytest.MonkeyPatch, step: float
) -> None:
    clock = ManualClock()
    said = MonotonicNotification("Payout accepted.", timeout=5, clock=clock)
    set_host(monkeypatch, clock, step)
    assert said.time_left == 5
    clock.advance(4)
    assert said.time_left == 1
    assert not said.has_expired
    clock.advance(1)
    assert said.has_expired


def test_one_that_is_up_goes_with_the_user_to_the_next_screen_until_its_time_is_over(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch, step: float
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        pilot.app.notify(ALERT, timeout=30)
        await shows(pilot, ALERT)
        set_host(monkeypatch, ui.clock, step)
        await pilot.press("6")
        await shows(pilot, ALERT)
        ui.clock.advance(30)
        await pilot.press("3")
        await shows(pilot, "4 wallets")
        await pilot.pause()
        assert ALERT not in text(pilot)

    ui.play(scenario)


def test_a_dialog_shows_it_instead_of_the_page_below(ui: Dashboard) -> None:
    said = "3 rows are marked, and money moves one at a time. Mark only one."

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        page = pilot.app.screen
        pilot.app.notify(said, timeout=30)
        await shows(pilot, said)
        await pilot.press("question_mark")
        await until(pilot, lambda: len(pilot.app.screen.query(Toast)) == 1)
        await until(pilot, lambda: not page.query_one("ToastRack").display)
        assert text(pilot).count(said) == 1
        await pilot.press("escape")
        await shows(pilot, said)

    ui.play(scenario)


@pytest.mark.slow
def test_one_is_shown_though_the_host_is_set_just_before(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch, step: float
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        pilot.app.notify(ALERT, timeout=30)
        set_host(monkeypatch, ui.clock, step)
        await shows(pilot, ALERT)

    ui.play(scenario)


def test_all_that_the_dashboard_says_ends_so(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        pilot.app.screen.notify("Said by a screen.")
        pilot.app.notify("Said by the app.")
        await until(pilot, lambda: len(pilot.app._notifications) == 2)
        assert all(isinstance(said, MonotonicNotification) for said in pilot.app._notifications)
        pilot.app.screen.notify("Said by the app.")  # again: one is shown, for its full time
        await pilot.pause()
        told = [said.message for said in pilot.app._notifications]
        assert told == ["Said by a screen.", "Said by the app."]

    ui.play(scenario)
