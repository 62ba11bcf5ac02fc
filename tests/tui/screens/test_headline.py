"""The overview's first line and its day from the book; all figures are worked out by hand."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from textual.pilot import Pilot

from paytui.book.file import BookWriter
from paytui.config.settings import OverviewSettings
from paytui.domain.models import AccountId, Kind, Payment, State, Trade, TradeId
from paytui.domain.money import CurrencyCode, Pair
from paytui.store.store import BookState
from paytui.tui.format.cells import rounded
from tests.support.clock import NOON
from tests.tui.book import AUD, AUD_USD, USD, USD_AUD, payment, sheet
from tests.tui.dashboard import Dashboard, lines, settings_of, shows, tells, text, until

EUR = CurrencyCode("EUR")
MIDNIGHT = NOON - timedelta(hours=12)


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        ("36641234.55", "36.64m"),
        ("-12345", "-12.34k"),
        ("9999.4", "9,999"),
        ("10000", "10.00k"),
        ("181477695.89", "181.5m"),
        ("1234567890", "1.235bn"),
        ("0", "0"),
    ],
)
def test_amounts_are_rounded_to_four_digits_half_even(amount: str, words: str) -> None:
    assert rounded(Decimal(amount)) == words


@pytest.fixture
def watched(ui: Dashboard, tmp_path: Path) -> Dashboard:
    """A book that was read at midnight, with 4,330.15 AUD less, and a rate at eleven."""
    tmp_path.chmod(0o700)
    path = tmp_path / "demo.book.sqlite"
    held = {row.wallet_id: (row.available_balance, None, None) for row in ui.store.wallets.rows()}
    desk = min(held)
    with closing(BookWriter(path)) as book:
        for minutes in range(-3, 720, 3):
            before = {**held, desk: (Decimal(1_200_000), None, None)}
            book.add_balances(MIDNIGHT + timedelta(minutes=minutes), before)
        rates = {AUD_USD: Decimal("0.65"), Pair(EUR, AUD): Decimal("1.6")}
        book.add_rates("one", NOON - timedelta(minutes=61), rates)
    ui.store.book = BookState(path, 1)
    ui.store.rate_sheets.put([sheet("now", ui.clock, {USD_AUD: "1.5"})])
    sold = Trade(
        TradeId("t"),
        account_id=AccountId("acc-1"),
        sell_currency=AUD,
        buy_currency=USD,
        sell_amount=Decimal(1_000),
        buy_amount=Decimal(651),
        status=State("exchanged", final=True),
        created_at=NOON - timedelta(hours=1),
    )
    crossed = replace(
        sold, trade_transaction_id=TradeId("u"), sell_currency=EUR, buy_amount=Decimal(1_041)
    )
    typo = replace(
        sold,
        trade_transaction_id=TradeId("v"),
        sell_currency=EUR,
        buy_currency=AUD,
        buy_amount=Decimal(160),
    )
    ui.store.trades.put([sold, crossed, typo])
    ui.store.payments.put([_final(payment(4, "5", "failed")), _final(payment(1, "100"))])
    settings = replace(settings_of(), overview=OverviewSettings(reporting_currency=AUD))
    return replace(ui, settings=settings)


def _final(row: Payment) -> Payment:
    assert row.status is not None
    return replace(row, status=replace(row.status, final=True))


def test_the_first_line_and_the_day_say_how_the_desk_is(watched: Dashboard) -> None:
    """1,274,330.15 AUD + 88,210.40 USD x 1.5 = 1,406,645.75; 651 for 650 is 15.4 bp more.

    A euro is worth 1.6 x 0.65 = 1.04 USD by way of AUD: 1,041 for 1,000 is 9.6 bp more.
    160 AUD for 1,600 is a mistake.
    """

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "▲ +4,330 available today")
        first = lines(pilot)[2]
        assert "≈1.407m AUD available in 2 of 3 ccys" in first
        assert "largest exposure 88.21k USD ≈132.3k" in first
        assert "no short position" in first
        assert "rates end in 2:30" in first
        assert first.endswith("2 items need attention")
        await tells(pilot, "1,000.00 AUD 651.00 USD 0.651000 1 0.650000 +15.4 bp")
        await tells(pilot, "1,000.00 EUR 1,041.00 USD 1.04100 1 1.04000 +9.6 bp")
        await tells(pilot, "1,000.00 EUR 160.00 AUD 0.160000 1 1.60000 1/10 ×")
        assert "payouts: 1 failed, 1 rejected, 1 processing, 1 completed" in text(pilot)
        assert "+4,330.15" in next(line for line in lines(pilot) if line.startswith("│  AUD "))

    watched.play(scenario, size=(200, 60))


@pytest.mark.slow
def test_on_sixty_columns_the_least_important_gives_way(watched: Dashboard) -> None:
    owed = replace(payment(7, "90000", "processing"), currency=USD)
    watched.store.payments.put([owed])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "short 1,790 USD" in lines(pilot)[2])
        assert lines(pilot)[2].split("  ")[0] == " ≈1.407m AUD +1"
        assert lines(pilot)[2].endswith("2 items")
        feed = watched.store.feed(Kind.PAYMENTS)
        watched.store.set_feed(replace(feed, total=5300))
        await until(pilot, lambda: lines(pilot)[2].startswith(" ! incomplete"))
        assert lines(pilot)[2].endswith("2+ items")

    watched.play(scenario, size=(60, 20))
