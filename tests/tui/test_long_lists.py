"""A list that exceeds memory is read from the cache, and looks like one that is all in memory."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from random import Random

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from paytui.domain.models import Kind, PayIn, PayInId, State, WalletId
from paytui.store.cache.list_reader import COUNTED_AT_ONCE
from paytui.store.store import CacheFile
from paytui.tui.format.cells import Activity, Ref, RelatedList
from paytui.tui.screens import wallets
from paytui.tui.screens.screen_registry import list_page, open_link
from paytui.tui.table.query_list import QueryList
from tests.tui.book import payment
from tests.tui.dashboard import Dashboard, lines, shows, text, the_app, until
from tests.tui.long_lists import (
    IN_MEMORY,
    a_book,
    cached,
    dashboard,
    many,
    reference_at_cursor,
    settled,
)

FILTERS = ("acme", "ccy:eur", "amount>=500", "-acme", "status:comp", "to:dag", "bogus", "ref 1")
KEYS = (
    *("j",) * 6,
    "k",
    "k",
    "pagedown",
    "pagedown",
    "pageup",
    "g",
    "G",
    "s",
    "s",
    "S",
    "/",
    *("space",) * 4,
)


def seen(pilot: Pilot[None]) -> list[str]:
    """Return the title, without the state of the feed, the lines of the list, and its sums."""
    shown = lines(pilot)
    return [shown[2].split("   ")[0], *shown[3:-1]]


async def press(pilot: Pilot[None], key: str, sought: str) -> None:
    if key != "/":
        await pilot.press(key)
        return
    await pilot.press("/")
    await until(pilot, lambda: isinstance(pilot.app.focused, Input))
    await pilot.press("ctrl+u", *sought)
    await until(pilot, lambda: pilot.app.screen.query_one(Input).value == sought)
    await settled(pilot)
    await pilot.press("enter")


@pytest.mark.parametrize(("seed", "counted_at_once"), [(0, 0), (1, 0), (2, COUNTED_AT_ONCE)])
def test_it_looks_like_a_list_in_memory(tmp_path: Path, seed: int, counted_at_once: int) -> None:
    random = Random(seed)  # noqa: S311 - a test repeats itself
    rows = a_book(random, 300)
    steps = [(random.choice(KEYS), random.choice(FILTERS)) for _ in range(30)]
    told: list[list[list[str]]] = []

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await settled(pilot)
        shown = [seen(pilot)]
        for key, sought in steps:
            await press(pilot, key, sought)
            await settled(pilot)
            shown.append(seen(pilot))
        told.append(shown)

    dashboard(rows).play(scenario)
    with cached(tmp_path, rows, counted_at_once=counted_at_once) as both:
        both.ui.play(scenario)
    whole, queried = told
    for (key, sought), one, other in zip([("6", ""), *steps], whole, queried, strict=True):
        assert other == one, f"after {key} {sought}"


def test_it_follows_the_cache_and_keeps_its_row(tmp_path: Path) -> None:
    rows = [payment(number, "1", minutes_ago=100 - number) for number in range(100)]

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "pagedown", "pagedown")
        await settled(pilot)
        assert reference_at_cursor(pilot) == "ref 63"  # 36 below 99, by 18 rows a page
        both.keep([payment(100, "7", minutes_ago=0)])
        await shows(pilot, "101 payments, ")
        assert reference_at_cursor(pilot) == "ref 63"
        both.keep([replace(rows[63], reference="changed", amount=Decimal(7654))])
        await until(pilot, lambda: reference_at_cursor(pilot) == "changed")
        await shows(pilot, "7,654.00")
        both.keep([], ("pay-63",))
        await shows(pilot, "100 payments, ")
        assert reference_at_cursor(pilot) == "ref 62"  # the next one took its place
        await pilot.press("g")
        assert reference_at_cursor(pilot) == "ref 100"

    with cached(tmp_path, rows) as both:
        both.ui.play(scenario)


def test_another_file_is_shown_as_it_is(tmp_path: Path) -> None:
    rows = many(300)
    newer = [payment(300 + n, "1", minutes_ago=-1 - n) for n in range(50)]

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", *["pagedown"] * 8)
        await settled(pilot)
        ledger = pilot.app.screen.query_one(QueryList)
        assert ledger._cursor_position == 144  # eight pages of 18 rows
        other = replace(rows[144], amount=Decimal(7654))
        both.open_other(tmp_path / "other.cache.sqlite", [*newer, *rows[:144], other, *rows[145:]])
        await shows(pilot, "350 payments")
        await settled(pilot)
        assert "7,654.00" in text(pilot)
        assert reference_at_cursor(pilot) == "ref 144"
        assert ledger._cursor_position == 194

    with cached(tmp_path, rows) as both:
        both.ui.play(scenario)


def test_a_row_that_leaves_memory_is_shown_as_in_the_file(tmp_path: Path) -> None:
    rows = many(300)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await settled(pilot)
        ui.store.payments.recall([replace(rows[3], amount=Decimal(4321))])
        ui.store.notify()
        await shows(pilot, "4,321.00")
        ui.store.payments.remove([rows[3].payment_transaction_id])
        ui.store.notify()
        await pilot.press(*["pagedown"] * 4)
        await settled(pilot)
        await pilot.press("g")
        await settled(pilot)
        assert "4,321.00" not in text(pilot)

    with cached(tmp_path, rows) as both:
        both.ui.play(scenario)


def test_its_rows_are_as_new_as_memory(tmp_path: Path) -> None:
    rows = [payment(number, "1", "pending", minutes_ago=number) for number in range(100)]

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "100 payments")
        ui.store.payments.put([replace(rows[0], status=State("released"))])
        ui.store.notify()
        await shows(pilot, "released")

    with cached(tmp_path, rows) as both:
        both.ui.play(scenario)


def test_a_row_that_is_not_in_memory_is_asked_for_when_it_is_opened(tmp_path: Path) -> None:
    rows = many(100)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "100 payments")
        await pilot.press("enter")
        await until(pilot, lambda: bool(ui.port.loaded))  # once the first row is known
        assert ui.port.loaded == [(Kind.PAYMENTS, "pay-0")]
        await shows(pilot, "reading it …")

    with cached(tmp_path, rows) as both:
        both.ui.play(scenario)


def test_all_of_its_rows_are_exported(tmp_path: Path) -> None:
    rows = many(100)
    file = tmp_path / "rows.jsonl"

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "/", *"ref", "enter", "e")
        await shows(pilot, "Export 100 payments")
        await pilot.press("ctrl+u", *str(file), "enter")
        await shows(pilot, "100 rows written")

    with cached(tmp_path, rows) as both:
        both.ui.play(scenario, size=(160, 40))
    assert [
        f'"ref {number}"' in line for number, line in enumerate(file.read_text().splitlines())
    ] == [True] * 100


def test_a_cache_that_cannot_be_read_leaves_the_rows_in_memory(tmp_path: Path) -> None:
    rows = many(100)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, f"{IN_MEMORY}+ payments in memory: the cache file failed")
        assert lines(pilot)[2].endswith(f"{IN_MEMORY} of 100 ─")

    with cached(tmp_path, rows) as both:
        both.file = CacheFile(tmp_path / "none.sqlite", 1)
        both.keep([])
        both.ui.play(scenario)


def test_it_returns_to_memory_once_the_cache_fails(tmp_path: Path) -> None:
    rows = many(100)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "100 payments")
        ui.store.cache = None
        ui.store.notify()
        await shows(pilot, f"{IN_MEMORY}+ payments in memory: the cache file failed")
        assert "ref 99" in text(pilot)

    with cached(tmp_path, rows) as both:
        both.ui.play(scenario, size=(160, 40))


def test_marked_rows_that_are_gone_from_the_cache_are_unmarked(tmp_path: Path) -> None:
    rows = [payment(number, "1", minutes_ago=number) for number in range(100)]

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "space", "space")
        await shows(pilot, "2 marked · AUD 2.00")
        both.keep([replace(rows[0], amount=Decimal(5))], ("pay-1",))
        await shows(pilot, "1 marked · AUD 5.00")

    with cached(tmp_path, rows) as both:
        both.ui.play(scenario)


def test_it_is_not_sorted_by_what_the_cache_lacks(tmp_path: Path) -> None:
    came = [PayIn(PayInId(f"in-{number}"), sender_name="Ada") for number in range(30)]

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        app = the_app(pilot)
        await app.push_screen(list_page(app.ui, Kind.PAYINS))
        await shows(pilot, "30 pay-ins")
        orders = set()
        for _ in range(9):  # more than there are columns on screen
            await pilot.press("s")
            await settled(pilot)
            orders.add(lines(pilot)[2].split("by ")[1].split(" ─")[0])
        assert "Sender" in text(pilot)
        assert orders == {"Created", "Amount per currency", "Ccy", "Status", "Into"}

    with cached(tmp_path, []) as both:
        store = both.ui.store
        store.payins.put(came[:10])
        store.set_feed(replace(store.feed(Kind.PAYINS), total=30))
        both.keep(came, kind=Kind.PAYINS)
        both.ui.play(scenario)


def test_the_rows_of_one_object_are_counted_and_listed_beyond_memory(tmp_path: Path) -> None:
    mine, other = WalletId("wal-1"), WalletId("wal-2")
    rows = [
        replace(row, source_wallet_id=other if number % 3 else mine)
        for number, row in enumerate(many(100))
    ]
    of_mine = Ref(Kind.WALLETS, mine)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        app = the_app(pilot)
        open_link(app, app.ui, of_mine)
        await shows(pilot, "Activity (34)")
        both.keep([replace(rows[1], source_wallet_id=mine)])
        await shows(pilot, "Activity (35)")
        open_link(app, app.ui, RelatedList(Kind.PAYMENTS, of_mine))
        await shows(pilot, "35 payments of AUD desk")
        await pilot.press("G")
        await settled(pilot)
        assert reference_at_cursor(pilot) == "ref 99"
        open_link(app, app.ui, Activity(mine))
        await shows(pilot, "35 movements of AUD desk")
        assert "-1.00" in text(pilot)

    with cached(tmp_path, rows) as both:
        for kind in (Kind.TRADES, Kind.PAYINS):
            both.ui.store.set_feed(replace(both.ui.store.feed(kind), total=0))
        both.ui.play(scenario, size=(120, 60))


def test_of_many_movements_the_newest_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wallets, "NEWEST_MOVEMENTS", 40)
    rows = [replace(row, source_wallet_id=WalletId("wal-1")) for row in many(100)]

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        app = the_app(pilot)
        open_link(app, app.ui, Activity(WalletId("wal-1")))
        await shows(pilot, "newest 40 of 100 movements")
        assert "Booked" not in text(pilot)
        await pilot.press("G")
        await shows(pilot, "ref 39")

    with cached(tmp_path, rows) as both:
        both.ui.play(scenario, size=(120, 60))
