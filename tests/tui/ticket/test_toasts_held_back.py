"""No toast covers a review; none is lost, and urgent ones are counted."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from paytui.domain.intent import Standing
from tests.support.intents import intent_row
from tests.tui.book import read
from tests.tui.dashboard import Dashboard, lines, shows, tick, until
from tests.tui.ticket.paying import Paying
from tests.tui.ticket.test_payment_start import PAID

BOLT, WAYNE = "Payout 1.00 USD to Bolt", "Payout 2.00 USD to Wayne"


@pytest.fixture
def ui() -> Dashboard:
    paying = Paying()
    paying.store.payments.put([PAID])
    read(paying.store, paying.clock)
    return Dashboard(paying.store, paying.clock, port=paying.port)


def toasts(pilot: Pilot[None]) -> list[str]:
    return [toast.message for toast in pilot.app._notifications]


def tell(ui: Dashboard, number: int, standing: Standing, title: str) -> None:
    """An intent of another wallet came to stand so just now."""
    ui.store.intents.put([intent_row(number, standing, minutes_ago=0, title=title)])
    ui.store.notify()


async def to_confirm(pilot: Pilot[None]) -> None:
    await pilot.press("6", "P")
    await shows(pilot, "enter: send")


def test_news_wait_until_the_review_is_left(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        tell(ui, 1, Standing.ACCEPTED, BOLT)
        await tick(pilot)
        assert toasts(pilot) == []
        await pilot.press("escape")
        await until(pilot, lambda: toasts(pilot) == [f"{BOLT}: accepted"])

    ui.play(scenario)


@pytest.mark.slow
def test_what_presses_is_counted_in_the_status_bar_meanwhile(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        tell(ui, 1, Standing.ACCEPTED, BOLT)
        tell(ui, 2, Standing.NOT_RECORDED, WAYNE)
        await until(pilot, lambda: "1 alert waiting" in lines(pilot)[0])
        assert toasts(pilot) == []
        await pilot.press("escape")
        await until(pilot, lambda: len(toasts(pilot)) == 2)
        await until(pilot, lambda: "alert" not in lines(pilot)[0])

    ui.play(scenario)


@pytest.mark.slow
def test_what_is_up_when_the_review_comes_is_taken_down_and_shown_again_after(
    ui: Dashboard,
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        tell(ui, 1, Standing.ACCEPTED, BOLT)
        await until(pilot, lambda: len(toasts(pilot)) == 1)
        await to_confirm(pilot)
        await until(pilot, lambda: toasts(pilot) == [])
        tell(ui, 2, Standing.ACCEPTED, WAYNE)
        await pilot.press("escape")
        await until(pilot, lambda: toasts(pilot) == [f"{BOLT}: accepted", f"{WAYNE}: accepted"])

    ui.play(scenario)


def test_what_was_up_for_its_whole_time_is_not_shown_again(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        tell(ui, 1, Standing.ACCEPTED, BOLT)
        await until(pilot, lambda: len(toasts(pilot)) == 1)
        ui.clock.advance(9)
        await to_confirm(pilot)
        pilot.app.clear_notifications()  # as its own timer does, by the time of the real world
        await pilot.press("escape")
        await shows(pilot, "6 Payments")
        await tick(pilot)
        assert toasts(pilot) == []

    ui.play(scenario)


def test_news_are_shown_once_the_fields_are_changed_again(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        tell(ui, 1, Standing.ACCEPTED, BOLT)
        await tick(pilot)
        assert toasts(pilot) == []
        await pilot.press("shift+tab")
        await until(pilot, lambda: toasts(pilot) == [f"{BOLT}: accepted"])

    ui.play(scenario)


@pytest.mark.slow
def test_a_dialog_over_the_review_shows_no_news_either(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        await pilot.press("question_mark")
        await shows(pilot, "esc: back")
        tell(ui, 1, Standing.ACCEPTED, BOLT)
        await tick(pilot)
        assert toasts(pilot) == []

    ui.play(scenario)
