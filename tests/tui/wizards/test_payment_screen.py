"""Payouts and transfers by keys alone, on a terminal of 80x24."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from paytui.domain.intent import Standing
from paytui.domain.models import PaymentId
from tests.tui.book import read
from tests.tui.dashboard import Dashboard, answer, settings_of, shows, text
from tests.tui.wizards.paying import Paying
from tests.tui.wizards.test_payment_start import MOVED, PAID


@pytest.fixture
def paying() -> Paying:
    return Paying()


def dashboard(paying: Paying, *, live: bool = False) -> Dashboard:
    read(paying.store, paying.clock)
    settings = settings_of(live=live)
    return Dashboard(paying.store, paying.clock, settings=settings, port=paying.port)


async def seen(ui: Dashboard, pilot: Pilot[None]) -> None:
    """Let the painted screen count as seen, after the wait for a silent terminal."""
    ui.clock.advance(1)
    await pilot.pause()


def test_a_payout_by_keys_alone(paying: Paying) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p")
        await shows(pilot, "Payout · 1 of 5 · from")
        await pilot.press("down", "down", "enter")
        await shows(pilot, "recipient")
        await shows(pilot, "no USD bank details")
        await pilot.press("enter")
        await shows(pilot, "Amount in USD")
        await pilot.press(*"1.2k")
        await shows(pilot, "= 1,200.00 USD")
        await pilot.press("enter", *"INV 7", "enter")
        await shows(pilot, "5 of 5 · confirm")
        for words in ("Globex Corporation", "FNBAUS33", "1,200.00 USD", "INV 7"):
            assert words in text(pilot)
        await seen(ui, pilot)
        await pilot.press("enter")
        await shows(pilot, "Being recorded")
        paying.stands(Standing.ACCEPTED, object_id="pay-9")
        paying.becomes("released", end_to_end_id="E2E123")
        paying.store.notify()
        await shows(pilot, "E2E123")
        await pilot.press("escape")
        await shows(pilot, "1 Overview")

    dashboard(paying).play(scenario)
    (intent,) = paying.port.submitted
    assert intent.title == "Payout 1,200.00 USD to Globex"


@pytest.mark.slow
def test_a_transfer_by_keys_alone(paying: Paying) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("x")
        await shows(pilot, "Transfer · 1 of 5")
        await pilot.press("down", "down", "enter")
        await shows(pilot, "destination wallet")
        await pilot.press("enter", "5", "enter", "enter")
        await shows(pilot, "5 of 5 · confirm")
        await seen(ui, pilot)
        await pilot.press("enter")
        await shows(pilot, "Being recorded")

    dashboard(paying).play(scenario)
    assert [intent.title for intent in paying.port.submitted] == ["Transfer 5.00 USD to USD Bolt"]


def test_enter_that_came_before_the_confirmation_could_be_seen_pays_nothing(paying: Paying) -> None:
    paying.store.payments.put([PAID])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "P")
        await shows(pilot, "confirm")
        await pilot.press(*["enter"] * 30)
        assert paying.port.submitted == []
        await answer(pilot)
        await pilot.press(*["enter"] * 30)
        await shows(pilot, "Being recorded")

    ui = dashboard(paying)
    ui.answers = False
    ui.play(scenario)
    assert len(paying.port.submitted) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("payment", "title"), [(PAID, "Payout · 5 of 5"), (MOVED, "Transfer · 5 of 5")]
)
def test_a_payment_is_repeated_from_the_list_and_from_its_detail(
    paying: Paying, payment: object, title: str
) -> None:
    paying.store.payments.remove([PaymentId("pay-1"), PaymentId("pay-2")])
    paying.store.payments.put([payment])  # type: ignore[list-item]

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "P")
        await shows(pilot, title)
        while "6 Payments" not in text(pilot):
            await pilot.press("escape")
            await pilot.pause()
        await pilot.press("enter")
        await shows(pilot, "End-to-end id")
        await pilot.press("P")
        await shows(pilot, title)

    dashboard(paying).play(scenario)
    assert paying.port.submitted == []


@pytest.mark.slow
def test_where_no_payment_is_under_the_cursor_there_is_none_to_repeat(paying: Paying) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "P")
        await shows(pilot, "no payment under the cursor")

    dashboard(paying).play(scenario)


def test_a_wallet_under_the_cursor_is_where_the_money_leaves(paying: Paying) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await shows(pilot, "USD desk")
        await pilot.press("j", "p")
        await shows(pilot, "recipient")
        assert "USD Bolt" in text(pilot)

    dashboard(paying).play(scenario)


def test_what_can_be_chosen_stands_first_whatever_the_step_before_listed(paying: Paying) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("x", "down", "down", "enter")
        await shows(pilot, "destination wallet")
        shown = text(pilot)
        assert shown.index("▌ USD Bolt") < shown.index("USD spare") < shown.index("AUD desk")

    dashboard(paying).play(scenario)


def test_every_step_fits_a_screen(paying: Paying) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "P")
        await shows(pilot, "enter: send")
        assert "Sent to" in text(pilot)

    paying.store.payments.put([PAID])
    dashboard(paying).play(scenario)
