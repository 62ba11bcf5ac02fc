"""The Overview as pictures: at every size and in every state.

After a change of looks run this file with `--snapshot-update`, then look at each.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from paytui.config.settings import Alerts, OverviewSettings
from paytui.domain.models import Kind
from paytui.domain.rates import parse_alert, parse_day_start
from paytui.store.health import Feed
from tests.support.clock import NOON
from tests.support.intents import intent_row
from tests.support.seeded import SeededBook, seeded_book
from tests.tui import pictures
from tests.tui.book import AUD, failed, read, wallet
from tests.tui.dashboard import Dashboard, settings_of
from tests.tui.pictures import Compare

SIZES = {"60x20": (60, 20), **pictures.SIZES}


@pytest.fixture(scope="module")
def book() -> SeededBook:
    """With an intent in doubt."""
    book = seeded_book()
    book.store.intents.put([intent_row(1)])
    return book


@pytest.mark.parametrize("size", SIZES)
def test_all_that_can_be_set_looks_as_it_did(
    snap_compare: Compare, book: SeededBook, size: str
) -> None:
    settings = replace(
        settings_of(live=True),
        overview=OverviewSettings(
            reporting_currency=AUD, day_starts=parse_day_start("07:00 Australia/Sydney")
        ),
        floors={"USD": Decimal(2_000_000)},
        alerts=Alerts(when=(parse_alert("AUD/USD bid above 0.659"),)),
    )
    dashboard = Dashboard(book.store, book.clock, book.time, settings)
    assert snap_compare(dashboard.app(), terminal_size=SIZES[size])


def test_before_anything_was_read_it_looks_as_it_did(
    snap_compare: Compare, empty: Dashboard
) -> None:
    assert snap_compare(empty.app(), terminal_size=pictures.USUAL)


def test_where_nothing_could_be_read_it_looks_as_it_did(
    snap_compare: Compare, empty: Dashboard
) -> None:
    for kind in Kind:
        failed(empty.store, kind, "connection refused")
    assert snap_compare(empty.app(), terminal_size=pictures.USUAL)


def test_an_empty_book_looks_as_it_did(snap_compare: Compare, empty: Dashboard) -> None:
    read(empty.store, empty.clock)
    assert snap_compare(empty.app(), terminal_size=pictures.USUAL)


def test_what_is_known_in_part_looks_as_it_did(snap_compare: Compare, ui: Dashboard) -> None:
    ui.store.wallets.put([wallet(9, "Escrow", "1500.25")])
    held = ui.clock.boot()
    ui.store.set_feed(Feed(Kind.TRADES, offered=False))
    ui.store.set_feed(Feed(Kind.PAYMENTS, as_of=NOON, read_at=held, total=5300, skipped=2))
    assert snap_compare(ui.app(), terminal_size=pictures.USUAL)
