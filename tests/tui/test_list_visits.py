"""Where the cursor of a list is when the list comes into view, and what moves it."""

from __future__ import annotations

from datetime import timedelta

from textual.pilot import Pilot

from paytui.domain.intent import Standing
from paytui.domain.models import PaymentId
from tests.support.intents import intent_row
from tests.tui.book import payment
from tests.tui.dashboard import Dashboard, shows, text, until
from tests.tui.test_lists import cursor_line


async def come_in(ui: Dashboard, pilot: Pilot[None], numbers: range) -> None:
    """Payments of `number`.11 come in, the last one newest, and the list shows their count."""
    ui.clock.advance(60)
    ui.store.payments.put([payment(n, f"{n}.11", minutes_ago=numbers[0] - n - 1) for n in numbers])
    ui.store.notify()
    await shows(pilot, f"{len(ui.store.payments)} payments")


def book_here(ui: Dashboard, number: int, amount: str, *, minutes_ago: int = 0) -> None:
    """A payout is confirmed here and becomes a payment, an hour after the dashboard's start."""
    ui.clock.advance(3600)
    ui.store.payments.put([payment(number, amount, minutes_ago=minutes_ago)])
    became = intent_row(
        number % 10,
        Standing.ACCEPTED,
        object_id=PaymentId(f"pay-{number}"),
        confirmed_at=ui.clock.now() - timedelta(minutes=1),
    )
    ui.store.intents.put([became])
    ui.store.notify()


def test_it_opens_on_its_newest_row_if_they_came_while_it_was_out_of_view(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "3 payments")
        await pilot.press("1")
        ui.store.payments.put([payment(n, f"{n}.11", minutes_ago=99 - n) for n in range(100, 140)])
        ui.store.notify()
        await pilot.press("6")
        await shows(pilot, "43 payments")
        assert "139.11" in cursor_line(pilot)

    ui.play(scenario)


def test_the_next_visit_is_to_what_was_booked_here_though_the_cursor_was_moved(
    ui: Dashboard,
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "3 payments")
        await pilot.press("G")
        book_here(ui, 50, "777.77")
        await come_in(ui, pilot, range(100, 140))
        assert "100.00" in cursor_line(pilot)
        await pilot.press("1", "6")
        await shows(pilot, "777.77")
        assert "777.77" in cursor_line(pilot)
        await pilot.press("k", "1", "6")
        await shows(pilot, "44 payments")
        assert "100.11" in cursor_line(pilot)  # once it was shown, the trader's own move counts

    ui.play(scenario)


def test_once_it_was_shown_the_list_opens_on_its_newest_row_again(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        book_here(ui, 50, "777.77", minutes_ago=2)
        await pilot.press("6")
        await shows(pilot, "4 payments")
        assert "777.77" in cursor_line(pilot)
        await pilot.press("1", "6")
        await shows(pilot, "4 payments")
        assert "12,000.00" in cursor_line(pilot)

    ui.play(scenario)


def test_what_was_booked_before_the_start_moves_no_cursor(ui: Dashboard) -> None:
    old = intent_row(1, Standing.ACCEPTED, object_id=PaymentId("pay-1"))
    ui.store.intents.put([old])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "3 payments")
        assert "12,000.00" in cursor_line(pilot)

    ui.play(scenario)


def test_a_filter_that_hides_what_was_booked_here_stays(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "slash", *"status:rejected", "enter")
        await shows(pilot, "1 payment, filtered")
        book_here(ui, 50, "777.77")
        await pilot.press("1", "6")
        await shows(pilot, "1 payment, filtered")
        assert "12,000.00" in cursor_line(pilot)
        assert "777.77" not in text(pilot)

    ui.play(scenario)


def test_a_filtered_list_opens_on_its_newest_match(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "slash", *"status:rejected", "enter")
        await shows(pilot, "filtered")
        await pilot.press("1")
        ui.store.payments.put([payment(9, "9", "rejected")])
        ui.store.notify()
        await pilot.press("6")
        await shows(pilot, "2 payments, filtered")
        assert " 9.00 " in cursor_line(pilot)

    ui.play(scenario)


def test_what_closes_over_a_list_moves_no_cursor_to_what_was_booked(ui: Dashboard) -> None:
    """A payment that was in doubt appears; a key after the help must act on the row looked at."""

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "3 payments")
        await pilot.press("G")
        before = cursor_line(pilot).split()
        book_here(ui, 50, "777.77")
        await shows(pilot, "4 payments")
        await pilot.press("question_mark")
        await shows(pilot, "This screen")
        await pilot.press("escape")
        await until(pilot, lambda: "This screen" not in text(pilot))
        await pilot.pause()
        assert cursor_line(pilot).split() == before

    ui.play(scenario)
