"""The activity of a wallet as a live list of pay-ins, trades and payments."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from textual.pilot import Pilot

from paytui.domain.models import Kind, PayIn, PayInId, State, Trade, TradeId, WalletId
from paytui.store.health import Feed
from tests.support.clock import NOON
from tests.tui.book import AUD, USD, failed, payment, read
from tests.tui.dashboard import Dashboard, lines, shows, text, until
from tests.tui.details.test_links import go_to

MINE = WalletId("wal-1")


@pytest.fixture
def moved(ui: Dashboard) -> Dashboard:
    """A desk with a pay-in, a trade that sells, and a payout, the newest, of AUD desk."""
    store = ui.store
    store.payments.put([replace(payment(9, "75"), source_wallet_id=MINE)])
    trade = Trade(
        TradeId("trd-1"),
        sell_currency=AUD,
        buy_currency=USD,
        sell_amount=Decimal(10),
        buy_amount=Decimal("6.51"),
        sell_wallet_id=MINE,
        status=State("exchanged", final=True),
        created_at=NOON - timedelta(hours=1),
    )
    store.trades.put([trade])
    payin = PayIn(
        PayInId("pin-1"),
        MINE,
        amount=Decimal("12.5"),
        currency=AUD,
        status=State("compliance_review"),
        sender_name="Opening Ltd",
        created_at=NOON - timedelta(hours=2),
    )
    store.payins.put([payin])
    return ui


def shown(pilot: Pilot[None]) -> list[str]:
    """The rows, without what is at their ends."""
    rows = [line for line in lines(pilot) if "Mar" in line or "Feb" in line]
    return [" ".join(row.replace("▌", "").split()) for row in rows]


def test_all_that_moves_a_wallet_is_one_list_with_signs_and_states(moved: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "m")
        await shows(pilot, "3 movements of AUD desk")
        assert shown(pilot) == [
            "02 Mar 12:00 -75.00 AUD ✓ completed payout ref 9 pay-9",
            "02 Mar 11:00 -10.00 AUD ✓ exchanged trade, buys 6.51 USD — trd-1",
            "02 Mar 10:00 +12.50 AUD ! compliance review pay-in from Opening Ltd — pin-1",
        ]

    moved.play(scenario, size=(120, 24))


def test_what_came_to_nothing_is_faint(moved: Dashboard) -> None:
    cancelled = replace(payment(8, "5", "cancelled"), source_wallet_id=MINE, reference=None)
    moved.store.payments.put([cancelled])

    def colours(pilot: Pilot[None], words: str) -> set[str]:
        rows = pilot.app.screen._compositor.render_strips()
        (row,) = (row for row in rows if words in row.text)
        styles = [each.style for each in row if each.text.strip() and each.style]
        return {style.color.name for style in styles if style.color}

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "m", "end")  # the cursor leaves them
        await shows(pilot, "4 movements of AUD desk")
        (faint,) = colours(pilot, "✗ cancelled")
        assert faint in colours(pilot, "✓ exchanged")  # the — of a missing reference
        assert len(colours(pilot, "✓ exchanged")) > 1

    moved.play(scenario, size=(120, 24))


def test_the_booked_sum_stands_below_with_a_difference_that_outlasts_a_read(
    moved: Dashboard,
) -> None:
    """75 and 10 left; the pay-in is under review. The wallet holds 1,204,330.15."""

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "m")
        await shows(pilot, " Booked -85.00 AUD")
        assert "the balance" not in text(pilot)
        ui.clock.advance(1)
        read(ui.store, ui.clock)
        await shows(pilot, "the balance is 1,204,415.15 AUD more")
        (wallet,) = (one for one in ui.store.wallets.rows() if one.wallet_id == MINE)
        ui.store.wallets.put([replace(wallet, available_balance=Decimal(-85))])
        ui.store.notify()
        await shows(pilot, "as the balance")
        failed(ui.store, Kind.TRADES, "503")
        await until(pilot, lambda: "Booked" not in text(pilot))

    moved.play(scenario)


def test_the_list_runs_on_and_what_goes_away_goes(moved: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "m")
        await shows(pilot, "3 movements of AUD desk")
        (payin,) = ui.store.payins.rows()
        ui.store.payins.put([replace(payin, status=State("credited", final=True))])
        ui.store.notify()
        await shows(pilot, "✓ credited")
        ui.store.trades.remove([TradeId("trd-1")])
        ui.store.notify()
        await shows(pilot, "2 movements of AUD desk")
        assert "exchanged" not in text(pilot)

    moved.play(scenario, size=(120, 24))


def test_movements_are_exported_like_every_list(
    moved: Dashboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "m", "e")
        await shows(pilot, "Export 3 movements")
        await pilot.press("enter")
        await shows(pilot, "written to")

    moved.play(scenario)
    (file,) = tmp_path.iterdir()
    assert file.name == "movements-20260302-120000.csv"
    assert file.read_text().splitlines()[:2] == [
        "kind,key,at,amount,currency,status,what,reference",
        "payments,pay-9,2026-03-02T12:00:00+00:00,-75,AUD,completed,payout,ref 9",
    ]


@pytest.mark.slow
def test_a_movement_opens_its_transaction_and_can_be_looked_for(moved: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "m", "slash", *"opening", "enter")
        await shows(pilot, "1 movement of AUD desk, filtered")
        await pilot.press("y")
        await until(pilot, lambda: pilot.app.clipboard == "pin-1")
        await pilot.press("enter")
        await shows(pilot, "› Pay-in ")
        await pilot.press("escape", "escape", "escape")
        await shows(pilot, "4 wallets")

    moved.play(scenario)


@pytest.mark.slow
def test_the_detail_of_a_wallet_leads_to_the_whole_list(moved: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "enter")
        await go_to(pilot, "Open as list")
        await pilot.press("enter")
        await shows(pilot, "3 movements of AUD desk")

    moved.play(scenario, size=(80, 60))


@pytest.mark.slow
def test_on_a_wide_screen_a_movement_in_the_detail_takes_one_line_and_its_reference_is_cut(
    moved: Dashboard,
) -> None:
    long = replace(payment(9, "75"), source_wallet_id=MINE, reference="invoice " * 20)
    moved.store.payments.put([long])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "enter")
        await shows(pilot, "Activity (3)")
        at = next(y for y, line in enumerate(lines(pilot)) if "Activity (3)" in line)
        column = lines(pilot)[at].index("Activity")
        movements = [line[column:] for line in lines(pilot)[at + 2 : at + 5]]
        for words, line in zip(("-75.00 AUD", "-10.00 AUD", "+12.50 AUD"), movements, strict=True):
            assert words in line
        assert "in…  " in movements[0]
        assert "invoice invoice" in movements[0]

    moved.play(scenario, size=(200, 60))


def test_a_list_that_is_late_is_said_to_be_over_what_is_made_of_it(moved: Dashboard) -> None:
    failed(moved.store, Kind.TRADES, "503")

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "m")
        await shows(pilot, "trades 0 s old: 503")

    moved.play(scenario)


@pytest.mark.parametrize(
    ("what", "words"),
    [(None, "Loading trades …"), ("503", "Could not read trades: 503.")],
    ids=["on its way", "failed"],
)
def test_where_a_list_is_wanting_it_is_not_said_that_nothing_moved(
    ui: Dashboard, what: str | None, words: str
) -> None:
    ui.store.set_feed(Feed(Kind.TRADES))
    if what:
        failed(ui.store, Kind.TRADES, what)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "m")
        await shows(pilot, words)
        read(ui.store, ui.clock, Kind.TRADES)
        await shows(pilot, "No movements of this wallet")

    ui.play(scenario)
