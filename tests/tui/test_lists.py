"""Lists: their rows, the cursor, and the columns on narrow screens."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from decimal import Decimal

import pytest
from textual.pilot import Pilot

from paytui.domain.models import State, Trade, TradeId
from paytui.domain.money import CurrencyCode
from tests.tui.book import payment, wallet
from tests.tui.dashboard import Dashboard, lines, shows, text, until

MARK = "▌"
_AMOUNT = re.compile(r"[A-Z]{3} +([\d,.]+) .*active")


def cursor_line(pilot: Pilot[None]) -> str:
    return next(line for line in lines(pilot) if line.startswith(MARK))


def test_a_wallet_shows_its_balance_grouped_in_the_currencys_own_digits(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await shows(pilot, "AUD desk")
        screen = text(pilot)
        assert "1,204,330.15" in screen
        assert "45,120,900 " in screen  # yen have no digits after the point
        assert "88,210.40" in screen

    ui.play(scenario)


def test_the_cursor_stays_on_its_row_when_others_come_in_above_it(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "j")
        assert "2,500.50" in cursor_line(pilot)
        ui.store.payments.put([payment(9, "77.77", minutes_ago=0)])
        ui.store.notify()
        await shows(pilot, "77.77")
        assert "2,500.50" in cursor_line(pilot)

    ui.play(scenario)


@pytest.mark.slow
def test_a_list_that_is_scrolled_stands_still_while_rows_come_in_above(ui: Dashboard) -> None:
    ui.store.payments.put([payment(n, "1", minutes_ago=n) for n in range(100, 200)])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "ctrl+d", "ctrl+d", "ctrl+d", "k", "k")
        rows = [line.rstrip(" ▐") for line in lines(pilot)[4:-2]]
        ui.store.payments.put([payment(n, "77.77") for n in range(200, 205)])
        ui.store.notify()
        await shows(pilot, "108 payments")
        assert [line.rstrip(" ▐") for line in lines(pilot)[4:-2]] == rows

    ui.play(scenario)


def test_the_cursor_takes_the_next_row_when_its_own_is_gone(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "j")
        ui.store.payments.remove([payment(2, "1").payment_transaction_id])
        ui.store.notify()
        await until(pilot, lambda: "2,500.50" not in text(pilot))
        assert "100.00" in cursor_line(pilot)

    ui.play(scenario)


def test_a_new_size_keeps_the_cursor(ui: Dashboard) -> None:
    ui.store.wallets.put([wallet(n, f"wallet {n:03}", "1") for n in range(100, 200)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "G")
        last = cursor_line(pilot)
        assert "wallet 199" in last
        for size in ((60, 20), (200, 60), (80, 10)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert "wallet 199" in cursor_line(pilot)

    ui.play(scenario)


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (("G",), "wallet 199"),
        (("G", "home"), "AUD desk"),
        (("down", "down", "up"), "AUD payroll"),
    ],
)
def test_the_cursor_follows_arrows_and_vim_keys(
    ui: Dashboard, keys: tuple[str, ...], expected: str
) -> None:
    ui.store.wallets.put([wallet(n, f"wallet {n:03}", "1") for n in range(100, 200)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", *keys)
        assert expected in cursor_line(pilot)

    ui.play(scenario)


def test_half_a_page_down_and_up_again_is_where_one_was(ui: Dashboard) -> None:
    ui.store.wallets.put([wallet(n, f"wallet {n:03}", "1") for n in range(100, 200)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "ctrl+d", "ctrl+d")
        assert "AUD desk" not in text(pilot) or "AUD desk" not in cursor_line(pilot)
        await pilot.press("ctrl+u", "ctrl+u")
        assert "AUD desk" in cursor_line(pilot)

    ui.play(scenario)


def test_s_sorts_by_the_next_column_and_shift_s_turns_the_order(ui: Dashboard) -> None:
    """Amounts are sorted within each currency: AUD, JPY, USD."""
    amounts = ["70,000.00", "1,204,330.15", "45,120,900", "88,210.40"]

    def shown(pilot: Pilot[None]) -> list[str]:
        return [found[1] for line in lines(pilot) if (found := _AMOUNT.search(line))]

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "s", "s", "s")  # wallet, account, currency, available
        assert shown(pilot) == amounts
        await pilot.press("S")
        assert shown(pilot) == amounts[::-1]

    ui.play(scenario)


def test_s_passes_over_columns_without_room(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "s", "s", "s")
        await shows(pilot, "by Ccy")
        await pilot.press("s")
        await shows(pilot, "by To")  # not by From, which needs 14 cells more
        assert "From" not in text(pilot)

    ui.play(scenario)


def test_a_long_status_is_cut_before_a_column_gives_way(ui: Dashboard) -> None:
    held = replace(payment(4, "12345678.9"), status=State("compliance_review"))
    ui.store.payments.put([held])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "! compliance")
        assert "Type" in text(pilot)

    ui.play(scenario)


def test_a_long_status_is_cut_before_an_amount(ui: Dashboard) -> None:
    trade = Trade(
        TradeId("trd-1"),
        sell_currency=CurrencyCode("THB"),
        buy_currency=CurrencyCode("DKK"),
        sell_amount=Decimal("181477695.89"),
        buy_amount=Decimal("36238373.70"),
        status=State("compliance_review"),
    )
    ui.store.trades.put([trade])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("5")
        await shows(pilot, "181,477,695.89  THB > DKK  36,238,373.70  ! compliance …")

    ui.play(scenario, size=(60, 20))


@pytest.mark.slow
@pytest.mark.parametrize("width", [60, 200])
def test_no_width_truncates_an_amount(ui: Dashboard, width: int) -> None:
    ui.store.wallets.put([wallet(7, "A wallet with a rather long name", "123456789012.34")])
    ui.store.payments.put([payment(7, "123456789012.34")])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        for key in ("3", "6", "1"):
            await pilot.press(key)
            await pilot.pause()
            assert "123,456,789,012.34" in text(pilot) or key == "1"
        # the total of the overview: 123,456,789,012.34 + 1,204,330.15 + 70,000.00
        assert "123,458,063,342.49" in text(pilot)

    ui.play(scenario, size=(width, 24))


def test_enter_shows_all_of_a_row_and_esc_goes_back(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "enter")
        await shows(pilot, "Payments › Payout 12,000.00 AUD")
        screen = text(pilot)
        assert "2026-03-02 11:59:00 UTC" in screen
        assert re.search("End-to-end id +—", screen)
        await pilot.press("escape")
        await shows(pilot, "6 Payments")

    ui.play(scenario)


def test_the_number_of_a_screen_always_shows_its_list(ui: Dashboard) -> None:
    """Else a filter typed behind it would be taken for keys of the detail that was left open."""

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "enter")
        await shows(pilot, "Wallet id")
        await pilot.press("6")
        await shows(pilot, "payments")
        await pilot.press("3", "slash", *"usd")
        await shows(pilot, "1 wallet, filtered")
        await pilot.press("escape", "enter")
        await shows(pilot, "Wallet id")
        await pilot.press("3")
        await shows(pilot, "wallets")

    ui.play(scenario)


def test_an_open_detail_follows_the_service(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "j", "enter")
        await shows(pilot, "… processing")
        ui.store.payments.put([payment(2, "2500.5", "returned", minutes_ago=2)])
        ui.store.notify()
        await shows(pilot, "✗ returned")
        ui.store.payments.remove([payment(2, "1").payment_transaction_id])
        ui.store.notify()
        await shows(pilot, "the service no longer lists it")
        assert "✗ returned" in text(pilot)

    ui.play(scenario)


@pytest.mark.slow
def test_a_name_that_arrives_later_takes_the_place_of_the_id(ui: Dashboard) -> None:
    late = wallet(5, "late", "5", account=3)
    ui.store.wallets.put([late])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        from tests.tui.book import account

        await pilot.press("3")
        await shows(pilot, "acc-3")
        ui.store.accounts.put([account(3, "Carver")])
        ui.store.notify()
        await shows(pilot, "Carver")

    ui.play(scenario)


@pytest.mark.slow
def test_a_store_that_another_thread_fills_at_full_speed_is_shown_whole(empty: Dashboard) -> None:
    from tests.tui.book import read

    def fill() -> None:
        for start in range(0, 20_000, 500):
            empty.store.payments.put([payment(n, "1") for n in range(start, start + 500)])
            empty.store.notify()

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await asyncio.to_thread(fill)
        read(ui.store, ui.clock)
        await shows(pilot, "20,000 payments")

    empty.play(scenario)


@pytest.mark.slow
def test_a_column_is_no_wider_than_before_once_what_made_it_wide_has_left(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await shows(pilot, "4 wallets")
        before = lines(pilot)[3]
        wide = wallet(9, "AUD absurd", "1" * 24)
        ui.store.wallets.put([wide])
        ui.store.notify()
        await shows(pilot, "5 wallets")
        assert lines(pilot)[3] != before
        ui.store.wallets.remove([wide.wallet_id])
        ui.store.notify()
        await shows(pilot, "4 wallets")
        assert lines(pilot)[3] == before

    ui.play(scenario)
