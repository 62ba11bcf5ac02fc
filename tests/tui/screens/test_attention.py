"""Objects that need attention, and the way to each of them."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from textual.pilot import Pilot

from paytui.domain.colleagues import AttentionKey, AttentionNote
from paytui.domain.intent import SendPermission
from paytui.domain.models import AccountId, Kind, PayIn, PayInId, State, Trade, TradeId, WalletId
from paytui.domain.money import CurrencyCode
from tests.support.clock import NOON
from tests.support.intents import intent_row
from tests.tui.book import AUD, JPY, failed, payment, wallet
from tests.tui.dashboard import Dashboard, lines, settings_of, shows, tells, text, tick, until


def line_with(pilot: Pilot[None], words: str) -> str:
    return next((line for line in lines(pilot) if words in line), "")


@pytest.fixture
def quiet(ui: Dashboard) -> Dashboard:
    """A book in which nothing needs anybody."""
    ui.store.payments.remove(row.payment_transaction_id for row in ui.store.payments.rows())
    return ui


def with_floors(ui: Dashboard, **floors: str) -> Dashboard:
    amounts = {of: Decimal(amount) for of, amount in floors.items()}
    return replace(ui, settings=replace(settings_of(), floors=amounts))


@pytest.mark.slow
@pytest.mark.parametrize("size", [(60, 20), (120, 40)])
def test_each_is_told_with_its_amount_what_is_the_matter_and_its_age(
    ui: Dashboard, size: tuple[int, int]
) -> None:
    ui.store.intents.put([intent_row(1, minutes_ago=2)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "Needs attention  2")
        doubtful = " ".join(line_with(pilot, "1,200.00 USD").split())
        assert "Payout to rec-1 1,200.00 USD in doubt" in doubtful
        assert size[0] == 60 or "Bolt 11:58 decide (d)" in doubtful
        assert "rejected" in line_with(pilot, "12,000.00 AUD")

    ui.play(scenario, size)


def test_a_wallet_below_its_floor_is_named_with_what_it_holds_and_leads_to_it(
    quiet: Dashboard,
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await tells(pilot, "Wallet AUD payroll 70,000.00 AUD below floor")
        await pilot.press("enter")
        await shows(pilot, "Wallet AUD payroll")
        await pilot.press("escape")
        ui.store.wallets.put([wallet(2, "AUD payroll", "100000", account=2)])
        ui.store.notify()
        await shows(pilot, "Nothing needs attention.")

    with_floors(quiet, AUD="100000").play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_two_wallets_of_one_name_are_told_apart(quiet: Dashboard, size: tuple[int, int]) -> None:
    quiet.store.wallets.put(
        [
            wallet(5, "JPY desk", "10", account=2),
            wallet(6, "JPY desk", "20"),
            wallet(71, "Bolt reserve", "30", account=2),
            wallet(72, "Bolt reserve", "40", account=2),
        ]
    )

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        for amount, start in (
            ("10.00 AUD", "Bolt: JPY"),
            ("20.00 AUD", "…wal-6: J"),  # wal-3 is another one of Acme's
            ("30.00 AUD", "…wal-71:"),
            ("40.00 AUD", "…wal-72:"),
        ):
            await shows(pilot, amount)
            assert start in line_with(pilot, f" {amount}")

    with_floors(quiet, AUD="100").play(scenario, size)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("width", "available", "lacking", "shown"),
    [
        (60, "180477705.32", "999,990.57 THB", "999,990.57 THB"),
        (80, "77470705.32", "104,006,990.57 THB", "104.0m THB"),
    ],
)
def test_what_a_trade_lacks_is_whole_and_bought_if_no_other_wallet_has_it(
    quiet: Dashboard, width: int, available: str, lacking: str, shown: str
) -> None:
    """181,477,695.89 - 77,470,705.32 = 104,006,990.57."""
    quiet.store.set_sending(SendPermission(allowed=True, why=""))
    thb = CurrencyCode("THB")
    quiet.store.wallets.put([wallet(9, "THB suppliers", available, currency=thb)])
    quiet.store.trades.put(
        [
            Trade(
                TradeId("trd-1"),
                account_id=AccountId("acc-1"),
                sell_wallet_id=WalletId("wal-9"),
                sell_currency=thb,
                buy_currency=AUD,
                sell_amount=Decimal("181477695.89"),
                status=State("awaiting_funds"),
            )
        ]
    )

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await tells(pilot, f"181,477,695.89 THB to fund {shown}")
        await pilot.press("enter")
        await tells(pilot, f"To fund {lacking}")

    quiet.play(scenario, (width, 24))


@pytest.mark.slow
def test_a_long_name_gives_way_to_the_amount(quiet: Dashboard) -> None:
    quiet.store.wallets.put([wallet(7, "A wallet with a name that nobody can say", "1234567.89")])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await tells(pilot, "… 1,234,567.89 AUD")
        assert "#" not in text(pilot)

    with_floors(quiet, AUD="2000000").play(scenario, size=(60, 20))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "title"),
    [
        (Kind.WALLETS, "4 wallets"),
        (Kind.PAYINS, "0 pay-ins"),
        (Kind.PAYMENT_ADDRESSES, "0 recipients"),
        (Kind.RATE_SHEETS, "No sheet"),
    ],
)
def test_a_failing_list_leads_to_that_list(quiet: Dashboard, kind: Kind, title: str) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "Nothing needs attention.")
        failed(ui.store, kind, "503")
        await shows(pilot, "Needs attention  1")
        await pilot.press("enter")
        await shows(pilot, title)

    quiet.play(scenario)


def test_a_trade_and_a_pay_in_that_are_held_lead_to_their_details(quiet: Dashboard) -> None:
    held, since = State("compliance_review"), NOON - timedelta(minutes=41)
    quiet.store.trades.put(
        [
            Trade(
                TradeId("trd-1"),
                account_id=AccountId("acc-1"),
                sell_currency=AUD,
                buy_currency=JPY,
                sell_amount=Decimal(250_000),
                status=held,
                created_at=since,
            )
        ]
    )
    quiet.store.payins.put(
        [
            PayIn(
                PayInId("pin-1"),
                wallet_id=WalletId("wal-1"),
                amount=Decimal(7),
                currency=AUD,
                status=held,
                created_at=since - timedelta(minutes=1),
            )
        ]
    )

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await tells(pilot, "Trade AUD > JPY 250,000.00 AUD in review 12:00")
        await shows(pilot, "Pay-in")
        await pilot.press("enter")
        await shows(pilot, "Overview › Trade 250,000.00 AUD > JPY")
        await pilot.press("escape", "j", "enter")
        await shows(pilot, "Overview › Pay-in 7.00 AUD")

    quiet.play(scenario)


@pytest.mark.slow
def test_what_comes_above_the_cursor_does_not_move_it_to_another_row(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await tells(pilot, "▌ ! Payout 12,000.00 AUD")
        ui.store.intents.put([intent_row(1)])
        ui.store.payments.put([payment(9, "5", "failed")])
        ui.store.notify()
        await shows(pilot, "Needs attention  3")
        assert line_with(pilot, "▌").split()[:4] == ["▌", "!", "Payout", "12,000.00"]

    ui.play(scenario)


# What the trader does with an item


def noted(ui: Dashboard) -> None:
    """The worker puts the newest note into the store."""
    ui.store.attention.put([ui.port.noted[-1]])
    ui.store.notify()


def items(pilot: Pilot[None]) -> list[str]:
    """The amounts in the panel, from the top."""
    top, *others = [y for y, line in enumerate(lines(pilot)) if line.startswith("─ ")]
    found = (re.search(r"[\d,]+\.\d\d AUD", line) for line in lines(pilot)[top : others[0]])
    return [match[0].removesuffix(".00 AUD") for match in found if match]


@pytest.fixture
def busy(ui: Dashboard) -> Dashboard:
    """A book with three failed payouts, of which the third was seen last."""
    for number, amount in ((3, "300"), (4, "400"), (5, "500")):
        row = payment(number, amount, "failed")
        ui.store.payments.put([row])
        key = AttentionKey(f"OBJECT|payments|pay-{number}|WARNING|failed|")
        ui.store.attention.put([AttentionNote(key, NOON - timedelta(minutes=90 - number))])
    return ui


def test_what_is_acknowledged_is_counted_and_returns_once_its_matter_changes(
    busy: Dashboard,
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "Needs attention  3")
        assert items(pilot) == ["500", "400", "300"]
        assert "10:35" in line_with(pilot, "500.00 AUD")
        await pilot.press("j", "space")
        await shows(pilot, "Needs attention  2  1 acknowledged")
        noted(ui)
        (note,) = ui.port.noted
        assert (note.key, note.acknowledged) == ("OBJECT|payments|pay-4|WARNING|failed|", True)
        assert items(pilot) == ["500", "400", "300"]  # until the panel is left
        assert "acknowledged" in line_with(pilot, "400.00 AUD")
        await pilot.press("tab", "shift+tab")
        await until(pilot, lambda: items(pilot) == ["500", "300"])
        await pilot.press("v")  # the row under the cursor stays where it is
        await until(pilot, lambda: items(pilot) == ["500", "300", "400"])
        await pilot.press("v")
        await until(pilot, lambda: items(pilot) == ["500", "300"])
        ui.store.payments.put([payment(4, "400", "returned")])
        ui.store.notify()
        await shows(pilot, "Needs attention  3")
        assert "acknowledged" not in text(pilot)

    busy.play(scenario)


def test_what_is_snoozed_returns_after_an_hour_or_the_next_day(busy: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "Needs attention  3")
        await pilot.press("s")
        await shows(pilot, "Needs attention  2  1 snoozed")
        assert "snoozed to 13:00" in line_with(pilot, "500.00 AUD")
        noted(ui)
        await pilot.press("s")
        await shows(pilot, "snoozed to 03 Mar 00:00")
        await pilot.press("s")
        await shows(pilot, "Needs attention  3")
        assert [note.snoozed_until for note in ui.port.noted] == [
            NOON + timedelta(hours=1),
            NOON + timedelta(hours=12),
            None,
        ]
        await pilot.press("s", "tab")
        noted(ui)
        await until(pilot, lambda: items(pilot) == ["400", "300"])
        ui.clock.advance(3_600)
        await tick(pilot)
        await shows(pilot, "Needs attention  3")

    busy.play(scenario)


def test_the_row_under_the_cursor_keeps_its_place_while_others_come_and_go(
    busy: Dashboard,
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "Needs attention  3")
        await pilot.press("j")
        place = lines(pilot).index(line_with(pilot, "▌ !"))
        assert "400.00 AUD" in lines(pilot)[place]
        ui.store.intents.put([intent_row(1)])  # more urgent
        ui.store.payments.remove([payment(3, "0").payment_transaction_id])
        ui.store.payments.put([payment(6, "600", "failed")])
        ui.store.notify()
        await shows(pilot, "600.00 AUD")
        assert "400.00 AUD" in lines(pilot)[place]
        assert "▌" in lines(pilot)[place]
        assert "in doubt" in lines(pilot)[place - 1]
        ui.store.payments.remove([payment(6, "0").payment_transaction_id])
        ui.store.payments.remove([payment(5, "0").payment_transaction_id])
        ui.store.notify()
        await until(pilot, lambda: items(pilot) == ["400"])
        assert "400.00 AUD" in lines(pilot)[place]

    busy.play(scenario)


@pytest.mark.slow
def test_a_key_repeats_and_another_decides(busy: Dashboard) -> None:
    busy.store.set_sending(SendPermission(allowed=True, why=""))
    busy.store.intents.put([intent_row(1)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "Needs attention  4")
        await pilot.press("d")
        await shows(pilot, "Mark as executed")
        await pilot.press("escape", "j", "P")
        await shows(pilot, "Payout")
        await shows(pilot, "500.00")

    busy.play(scenario)
