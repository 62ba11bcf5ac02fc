"""Each screen as a picture, on a seeded book and a stopped clock.

After a change of looks: `pytest tests/tui/test_snapshots.py --snapshot-update`, then look at each.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.pilot import Pilot

from paytui.domain.models import Kind, RawObject
from paytui.store.screen_rows import RawRead
from paytui.tui.app import PaytuiApp
from tests.support.recorded import two_days
from tests.support.seeded import SeededBook, seeded_book
from tests.tui.dashboard import Dashboard, settings_of, shows
from tests.tui.pictures import SIZES, USUAL, Compare, pictured

ORDERED = ("o", "backspace", *("j",) * 6, "space", "k", "k", "k", "k", "space", "space")
"""By State, then Amount from the greatest; the cursor of the dialog stays on Amount."""

VIEWS: dict[str, tuple[str, ...]] = {
    "overview": (),
    "wallets": ("3",),
    "wallet_detail": ("3", "j", "enter"),
    "payins": ("3", "i"),
    "payin_addresses": ("3", "d"),
    "payin_detail": ("3", "i", "enter"),
    "movements": ("3", "j", "m"),
    "payin_address_detail": ("3", "d", "enter"),
    "accounts": ("2",),
    "trades": ("5",),
    "recipients": ("7",),
    "payments": ("6",),
    "payments_filtered": ("6", "slash", "u", "s", "d"),
    "payments_marked": ("6", "space", "j", "space", "k"),
    "group_by": ("6", "b"),
    "groups": ("6", "b", "enter"),
    "payments_ordered": ("6", *ORDERED, "escape"),
    "order": ("6", *ORDERED),
    "export": ("6", "e"),
    "payment_detail": ("6", "enter"),
    "account_detail": ("2", "enter"),
    "trade_detail": ("5", "enter"),
    "recipient_detail": ("7", "enter"),
    "value_alone": ("6", "enter", "v"),
    "help": ("question_mark",),
    "settings": ("comma",),
    "setting": ("comma", "enter"),
    "views": ("6", "v"),
    "account_picker": ("a",),
    "commands": ("colon",),
}


WIDE = ("payments", "payment_detail")
"""Views that a wider terminal lays out otherwise."""


@pytest.fixture(scope="session")
def book() -> SeededBook:
    return seeded_book()


def dashboard(book: SeededBook, *, live: bool = False, theme: str = "dark") -> PaytuiApp:
    settings = settings_of(live=live, theme=theme)
    return Dashboard(book.store, book.clock, book.time, settings).app()


@pictured("view", VIEWS, wide=WIDE)
def test_a_view_looks_as_it_did(
    snap_compare: Compare, book: SeededBook, view: str, size: str
) -> None:
    assert snap_compare(dashboard(book), press=VIEWS[view], terminal_size=SIZES[size])


def test_raw_json_looks_as_it_did(snap_compare: Compare, book: SeededBook) -> None:
    wallet = min(book.store.wallets.rows(), key=lambda row: (row.wallet_name or "").casefold())
    answer = {"item": {"walletId": wallet.wallet_id, "unknown": ["a", None], "amount": 1}}
    lines = tuple(json.dumps(answer, indent=2).split("\n"))
    raw = RawObject(lines, cut=False, size=120, source=f"read wallet {wallet.wallet_id}")

    async def read(pilot: Pilot[None]) -> None:
        await pilot.press("3", "enter", "R")
        await pilot.pause()
        sent_at = book.time.earliest()
        book.store.raw_reads.remove(book.store.raw_reads.keys())
        book.store.raw_reads.put([RawRead(Kind.WALLETS, wallet.wallet_id, sent_at, raw)])
        book.store.notify()
        await shows(pilot, '"unknown"')

    assert snap_compare(dashboard(book), run_before=read, terminal_size=USUAL)


def test_a_small_terminal_looks_as_it_did(snap_compare: Compare, book: SeededBook) -> None:
    assert snap_compare(dashboard(book), press=VIEWS["payments"], terminal_size=(60, 20))


RATES = {"rates": ("4",), "rate_chart": ("4", "down", "c")}


@pictured("view", RATES, wide=RATES)
def test_rates_look_as_they_did(
    snap_compare: Compare, tmp_path: Path, view: str, size: str
) -> None:
    book = seeded_book()
    book.store.book = two_days(book, tmp_path)
    app = dashboard(book)

    async def read(pilot: Pilot[None]) -> None:
        await pilot.press(*RATES[view])
        if view == "rate_chart":
            await shows(pilot, "place an alert")
            await pilot.press("pageup")
            await shows(pilot, "New alert")
        else:
            await shows(pilot, "-84.9")  # the board reads its day beside the chart
        await shows(pilot, "since 01 Mar 12:30")

    assert snap_compare(app, run_before=read, terminal_size=SIZES[size])
