"""The screens that stay open all day, on a quiet and a bad day, at four sizes, in four themes.

    python -m tests.tui.day_pictures FOLDER

writes 96 pictures to look at: Overview, Rates and the chart of a pair.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import cycle, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from paytui.config.settings import Floors
from paytui.domain.colleagues import AttentionNote
from paytui.domain.models import Kind, Problem, State, Trade, TradeId, Wallet
from paytui.domain.money import CurrencyCode
from paytui.store.needs_attention import AttentionCandidates, attention_key, needs_attention
from paytui.store.table import Table
from tests.support.seeded import SeededBook
from tests.tui.gallery import Colours, Shot, picture, shown_book

THEMES: Mapping[str, Colours] = {
    "dark": "truecolor",
    "light": "truecolor",
    "16-colour": "16",
    "monochrome": "none",
}
SIZES = ((60, 20), (80, 24), (120, 40), (200, 60))
SCREENS = {"overview": (), "rates": ("4", "down"), "chart": ("4", "down", "c")}
TROUBLES = {
    "failed": "refused by the bank: account closed",
    "rejected": "refused by the compliance check",
    "returned": "sent back by the receiving bank",
}
FLOORS: Floors = {"NOK": Decimal(20_000_000)}


def quiet_day(book: SeededBook) -> None:
    """Remove all that needs attention; every list is whole."""
    store = book.store
    waiting = {*TROUBLES, "compliance_review", "awaiting_funds"}
    tables: tuple[Table[Any, Any], ...] = (store.payments, store.trades, store.payins)
    for table in tables:
        rows = [row for row in table.rows() if row.status and row.status.name in waiting]
        table.remove([table.key(row) for row in rows])
    for kind in (Kind.PAYMENTS, Kind.TRADES, Kind.PAYINS):
        whole = len(store.table(kind)) + store.left_out(kind)
        store.set_feed(replace(store.feed(kind), total=whole, skipped=0))
    store.wallets.put([replace(row, status=State("active")) for row in store.wallets.rows()])
    store.intents.remove([row.intent_id for row in store.intents.rows()])


def bad_day(book: SeededBook) -> None:
    """Add payouts that came back, trades without funds, and pay-ins that cannot be read."""
    store, now = book.store, book.time.latest()
    payouts = sorted(
        (row for row in store.payments.rows() if row.payment_type == "payout"),
        key=lambda row: row.payment_transaction_id,
    )
    for row, (status, reason) in zip(payouts[10:], TROUBLES.items(), strict=False):
        ended = State(status, final=True)
        store.payments.put([replace(row, status=ended, failure_reason=reason, updated_at=now)])
    for wallet in store.wallets.rows():
        if wallet.currency in ("THB", "NOK"):
            store.trades.put([_unfunded(wallet, now - timedelta(hours=1))])
    feed = store.feed(Kind.PAYINS)
    assert feed.read_at is not None
    problem, since = Problem("read pay-ins", "HTTP 503"), now - timedelta(minutes=4)
    store.set_feed(
        replace(feed, problem=problem, failing_since=since, as_of=since, read_at=feed.read_at - 240)
    )


def _unfunded(wallet: Wallet, created: datetime) -> Trade:
    """Return a trade that sells twice what a wallet holds."""
    assert wallet.available_balance is not None
    return Trade(
        TradeId(f"trade-{wallet.currency}"),
        account_id=wallet.account_id,
        sell_currency=wallet.currency,
        buy_currency=CurrencyCode("USD"),
        sell_amount=wallet.available_balance * 2 + Decimal("1000.50"),
        buy_amount=Decimal(2_000_000),
        sell_wallet_id=wallet.wallet_id,
        status=State("awaiting_funds"),
        created_at=created,
    )


def remember(book: SeededBook, floors: Floors) -> None:
    """Note since when each item needs attention."""
    candidates, now = AttentionCandidates(book.store, floors), book.time.latest()
    for item, minutes in zip(
        needs_attention(candidates, now), cycle((3, 14, 41, 95, 300)), strict=False
    ):
        since = now - timedelta(minutes=minutes)
        book.store.attention.put([AttentionNote(attention_key(item), since)])


DAYS: Mapping[str, tuple[Callable[[SeededBook], None], Floors]] = {
    "quiet": (quiet_day, {}),
    "bad": (bad_day, FLOORS),
}


def main(folder: Path) -> None:
    """Write all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    for day, (change, floors) in DAYS.items():
        with TemporaryDirectory() as past:
            book = shown_book(Path(past))
            change(book)
            remember(book, floors)
            for (screen, keys), theme, size in product(SCREENS.items(), THEMES, SIZES):
                name = f"{screen}-{day}-{theme}-{size[0]}x{size[1]}"
                shot = Shot(
                    name=name, says="", keys=keys, size=size, theme=theme, colours=THEMES[theme]
                )
                svg = picture(book, shot, floors)
                (folder / f"{name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
