"""Payouts and transfers by keys alone, on a terminal of 80x24."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from paytui.domain.intent import Standing
from paytui.domain.models import PaymentId
from paytui.tui.ticket.screen import TicketScreen
from tests.tui.book import read
from tests.tui.dashboard import Dashboard, answer, lines, settings_of, shows, tells, text, until
from tests.tui.ticket.paying import Paying, fill_in, forget, to_amount
from tests.tui.ticket.test_payment_start import MOVED, PAID


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
        await shows(pilot, "Payout · to")
        await pilot.press(*"globex", "enter")
        await shows(pilot, "Payout · from")
        await shows(pilot, "› USD desk")
        await pilot.press("enter", *"1.2k")
        await shows(pilot, "= 1,200.00 USD")
        await pilot.press("tab", *"INV 7", "enter")
        await shows(pilot, "Payout · confirm")
        for words in ("Globex Corporation", "FNBAUS33", "1,200.00 USD", "INV 7"):
            assert words in text(pilot)
        await seen(ui, pilot)
        await pilot.press("enter")
        await shows(pilot, "Being recorded")
        paying.stands(Standing.ACCEPTED, object_id="pay-9")
        paying.becomes("released", end_to_end_id="E2E123")
        paying.store.notify()
        await shows(pilot, "E2E123")
        await pilot.press("p")  # the next one
        await shows(pilot, "Payout · to")
        await pilot.press("escape")
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
        await shows(pilot, "Transfer · from")
        await pilot.press(*"usd desk", "enter")
        await shows(pilot, "Transfer · to")
        await pilot.press(*"bolt", "down", "enter", "5", "enter")
        await shows(pilot, "Transfer · confirm")
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
    ("payment", "title"), [(PAID, "Payout · confirm"), (MOVED, "Transfer · confirm")]
)
def test_a_payment_is_repeated_from_the_list_and_from_its_detail(
    paying: Paying, payment: object, title: str
) -> None:
    paying.store.payments.remove([PaymentId("pay-1"), PaymentId("pay-2")])
    paying.store.payments.put([payment])  # type: ignore[list-item]

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "P")
        await shows(pilot, title)
        await pilot.press("escape")
        await shows(pilot, "6 Payments")
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
        await shows(pilot, "no payment or trade under the cursor")

    dashboard(paying).play(scenario)


def test_a_wallet_under_the_cursor_is_where_the_money_leaves(paying: Paying) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await shows(pilot, "USD desk")
        await pilot.press("j", "p")
        await shows(pilot, "Payout · to")
        await tells(pilot, "From USD Bolt 10.00 USD available, Bolt")

    dashboard(paying).play(scenario)


@pytest.mark.slow
def test_the_review_of_a_complete_ticket_is_beside_its_fields_where_there_is_room(
    paying: Paying,
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_amount(pilot)
        assert "Bank code" not in text(pilot)
        await pilot.press(*"600")
        await shows(pilot, "Bank code")
        fields, review = halves(pilot)
        assert "Amount 600 = 600.00 USD Reference optional" in fields
        assert "Amount 600.00 USD From USD desk" in review
        ui.clock.advance(9)
        await pilot.press("enter")
        await shows(pilot, "Payout · confirm")
        confirmed, review = halves(pilot)
        assert confirmed == fields.replace("▌ ", "").replace("600 = 600", "600")
        assert "Amount 600.00 USD From USD desk" in review
        assert paying.port.submitted == []

    dashboard(paying).play(scenario, size=(120, 40))


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_the_number_of_a_new_account_is_in_no_review_before_its_end_was_typed(
    paying: Paying, size: tuple[int, int]
) -> None:
    forget(paying.store)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await to_amount(pilot)
        await pilot.press(*"600")
        await shows(pilot, "First National")
        assert "000123451" not in text(pilot)
        await pilot.press("enter", *"3451")
        assert "000123451" not in text(pilot)
        await pilot.press("enter")
        await shows(pilot, "Payout · confirm")
        await shows(pilot, "000123451")

    dashboard(paying).play(scenario, size=size)


def test_a_row_is_chosen_by_a_click(paying: Paying) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p")
        await shows(pilot, "Payout · to")
        await click(pilot, "Globex")
        await shows(pilot, "Payout · from")
        await click(pilot, "USD spare")
        await shows(pilot, "Payout · amount")
        await tells(pilot, "From USD spare")
        await click(pilot, "Reference")
        await shows(pilot, "Payout · reference")

    dashboard(paying).play(scenario)


# Ways out (T15 and T16)


@pytest.mark.slow
@pytest.mark.parametrize("way", [("P",), ("P", "shift+tab"), ("p", "x")])
def test_one_escape_leaves_from_anywhere(paying: Paying, way: tuple[str, ...]) -> None:
    paying.store.payments.put([PAID])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", *way)
        await shows(pilot, "Payout · ")
        await pilot.press("escape")
        await shows(pilot, "6 Payments")

    dashboard(paying).play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("confirms", [False, True])
def test_a_number_key_shows_its_list_and_so_does_the_one_of_the_list_below(
    paying: Paying, confirms: bool
) -> None:
    paying.store.payments.put([PAID])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "P")
        await shows(pilot, "Payout · confirm")
        if confirms:
            await seen(ui, pilot)
            await pilot.press("enter")
            await shows(pilot, "Being recorded")
        await pilot.press("7")
        await shows(pilot, "7 Recipients")
        await pilot.press("6")
        await until(pilot, lambda: pilot.app.current_mode == "payments")
        assert not isinstance(pilot.app.screen, TicketScreen)
        await pilot.press("P")
        await shows(pilot, "Payout · confirm")
        await pilot.press("6")
        await shows(pilot, "6 Payments")

    dashboard(paying).play(scenario)


async def click(pilot: Pilot[None], words: str) -> None:
    """Click on the first line with these words below the title."""
    await shows(pilot, words)
    shown = enumerate(lines(pilot))
    x, y = next((line.index(words), y) for y, line in shown if y > 2 and words in line)
    await pilot.click(offset=(x, y))
    await pilot.pause()


def halves(pilot: Pilot[None]) -> tuple[str, str]:
    """Return the words to the left and to the right of the middle."""
    parts = [line.partition("│") for line in lines(pilot)[2:-1]]
    left, right = " ".join(part[0] for part in parts), " ".join(part[2] for part in parts)
    return " ".join(left.split()), " ".join(right.split())


def test_every_fact_of_a_payout_fits_a_screen(paying: Paying) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "P")
        await shows(pilot, "enter: send")
        assert "Service" in text(pilot)

    paying.store.payments.put([PAID])
    dashboard(paying).play(scenario)


def test_what_is_filled_in_is_as_it_is_meant_once_the_cursor_has_left_it(paying: Paying) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await to_amount(pilot)
        await pilot.press(*"1.2k", "tab")
        await shows(pilot, "Payout · reference")
        await tells(pilot, "Amount 1,200.00 USD ▌ Reference")

    dashboard(paying).play(scenario)


def test_the_ticket_is_kept_where_the_review_is_left_for_the_fields(paying: Paying) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await fill_in(pilot)
        await pilot.press("shift+tab")
        await shows(pilot, "Payout · reference")
        await pilot.press("shift+tab", "1", "enter")  # replaces the amount
        await shows(pilot, "Payout · confirm")
        await tells(pilot, "Amount 1.00 USD")

    dashboard(paying).play(scenario)
