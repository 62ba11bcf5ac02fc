"""The columns of lists: those available, and those a configuration chooses."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, TypeVar

import pytest
from textual.pilot import Pilot

from paytui.config.value_parsers import COLUMNS
from paytui.domain.models import Trade, TradeId, WalletId
from paytui.store.fields import find_fields
from paytui.store.search_text import named_fields
from paytui.store.store import Store
from paytui.tui.screens.accounts import accounts
from paytui.tui.screens.activity import EventsPage, activity, events
from paytui.tui.screens.listing import ListPage, ListSpec
from paytui.tui.screens.recipients import recipients
from paytui.tui.screens.transactions import payin_addresses, payins, payments, trades
from paytui.tui.screens.wallets import MovementsPage, wallets
from paytui.tui.ui_context import UiContext
from tests.support.clock import NOON
from tests.support.intents import intent_row
from tests.support.seeded import SeededBook, seeded_book
from tests.tui.book import AUD, JPY, wallet
from tests.tui.dashboard import Dashboard, lines, settings_of, shows, text

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")

TITLES = {
    "stands": "status",
    "became": "result",
    "state": "status",
    "kind": "type",
    "what": "intent",
    "by": "user",
}
"""Titles of columns whose identifier is another word."""

PRESSES = {
    "accounts": "2",
    "wallets": "3",
    "payins": "3i",
    "payin_addresses": "3d",
    "trades": "5",
    "payments": "6",
    "recipients": "7",
    "intents": "8",
}
LISTS: dict[str, Callable[[UiContext], ListSpec[Any, Any]]] = {
    "accounts": accounts,
    "wallets": wallets,
    "payins": payins,
    "payin_addresses": payin_addresses,
    "trades": trades,
    "recipients": recipients,
    "payments": payments,
    "intents": activity,
}


def ids(listing: ListSpec[K, R]) -> list[str]:
    """All columns that a list declares."""
    return [column.id for column in (*listing.columns, *listing.others)]


def showing(ui: Dashboard, **columns: Sequence[str]) -> Dashboard:
    """The same dashboard with columns from its configuration."""
    chosen = {name: tuple(wanted) for name, wanted in columns.items()}
    return replace(ui, settings=replace(settings_of(), columns=chosen))


def headings(pilot: Pilot[None]) -> list[str]:
    """The titles on screen, without the marks of what is sorted by."""
    return lines(pilot)[3].translate(str.maketrans("", "", "▲▼")).split()


@pytest.fixture(scope="module")
def book() -> SeededBook:
    return seeded_book()


def test_a_configuration_can_name_just_what_a_list_can_show(empty: Dashboard) -> None:
    ui = empty.app().ui
    shown = {name: tuple(ids(declared(ui))) for name, declared in LISTS.items()}
    assert shown == {name: tuple(columns) for name, columns in COLUMNS.items()}


MOVEMENTS = "movements"
WEBHOOKS = "webhooks"


@pytest.mark.parametrize("name", [*LISTS, MOVEMENTS, WEBHOOKS])
def test_every_heading_of_a_list_is_the_name_of_a_field_in_a_filter(
    empty: Dashboard, name: str
) -> None:
    ui = empty.app().ui
    pages: dict[str, Callable[[UiContext], ListPage[Any, Any]]] = {
        MOVEMENTS: lambda ui: MovementsPage(ui, WalletId("w")),
        WEBHOOKS: lambda ui: EventsPage(ui, events(ui)),
    }
    listing = pages[name](ui)._listing if name in pages else LISTS[name](ui)
    known = named_fields(Store(), listing.row_spec.listed)
    titles = {column.title.removesuffix(" ±") for column in (*listing.columns, *listing.others)}
    unknown = {
        (name, title)
        for title in titles
        for joint in "-_"
        if not find_fields(title.replace(" ", joint), known)
    }
    assert not unknown


@pytest.mark.slow
def test_every_column_of_every_list_has_something_to_show(book: SeededBook) -> None:
    book.store.intents.put([intent_row(1, object_id="pay-1")])
    ui = Dashboard(book.store, book.clock, book.time)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        for name, keys in PRESSES.items():
            await pilot.press(*keys)
            await pilot.pause()
            shown = " ".join(headings(pilot)).lower().replace("-", " ")
            titles = (TITLES.get(one, one.replace("-", " ")) for one in COLUMNS[name])
            missing = [title for title in titles if title not in shown]
            assert (name, missing) == (name, [])
            assert "#" not in text(pilot)

    showing(ui, **COLUMNS).play(scenario, size=(600, 24))


def test_columns_stand_in_the_order_in_which_they_were_chosen(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        assert headings(pilot) == ["Status", "Account", "Amount", "Ccy"]
        assert lines(pilot)[4].split() == ["▌", "✗", "rejected", "Acme", "12,000.00", "AUD"]
        await pilot.press("3")
        assert headings(pilot)[:2] == ["Wallet", "Account"]  # nobody chose others here

    showing(ui, payments=("state", "account", "amount", "ccy")).play(scenario)


def test_a_list_is_sorted_as_ever_by_a_column_that_is_not_chosen(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "3 payments, by Created ▼")
        refs = [line.split()[-1] for line in lines(pilot) if "ref " in line]
        assert refs == ["3", "2", "1"]

    showing(ui, payments=("reference",)).play(scenario)


@pytest.mark.slow
def test_an_amount_that_stands_without_its_currency_shows_it_itself(ui: Dashboard) -> None:
    ui.store.trades.put(
        [
            Trade(
                TradeId("trd-1"),
                sell_currency=AUD,
                buy_currency=JPY,
                sell_amount=Decimal("1000.5"),
                buy_amount=Decimal(98049),
                created_at=NOON,
            )
        ]
    )
    chosen = showing(
        ui, wallets=("available", "wallet"), payments=("amount",), trades=("bought", "sold")
    )

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        assert "1,204,330.15 AUD  AUD desk" in text(pilot)
        assert "45,120,900 JPY  JPY desk" in text(pilot)
        await pilot.press("6")
        assert "12,000.00 AUD" in text(pilot)
        await pilot.press("5")
        assert "98,049 JPY  1,000.50 AUD" in text(pilot)

    chosen.play(scenario)


@pytest.mark.parametrize("width", [60, 80])
def test_no_choice_of_columns_has_an_amount_cut(ui: Dashboard, width: int) -> None:
    ui.store.wallets.put([wallet(7, "A wallet with a rather long name", "123456789012.34")])
    chosen = showing(ui, wallets=[*COLUMNS["wallets"][::-1]])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        assert "123,456,789,012.34  AUD" in text(pilot)
        assert "#" not in text(pilot)

    chosen.play(scenario, size=(width, 24))


def test_where_the_width_is_short_the_column_that_was_chosen_last_goes_first(
    ui: Dashboard,
) -> None:
    wanted = ("payment-id", "account-id", "amount", "ccy", "reference", "updated", "type")

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        # 12 + 12 + 9 + 4 + 12 and four gaps are 57; with Updated 71
        for width, last in ((100, "Type"), (80, "Updated"), (64, "Reference")):
            await pilot.resize_terminal(width, 24)
            await pilot.pause()
            assert headings(pilot)[-1] == last

    showing(ui, payments=wanted).play(scenario, size=(100, 24))
