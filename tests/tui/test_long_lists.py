"""A list that exceeds memory is read from the cache, and looks like one that is all in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from random import Random
from threading import Event

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from paytui.domain.models import (
    Kind,
    PayIn,
    PayInId,
    Payment,
    Recipient,
    RecipientId,
    Record,
    State,
    WalletId,
)
from paytui.domain.money import CurrencyCode
from paytui.store.cache.list_query import Anchor, ListQuery, Window
from paytui.store.cache.list_reader import COUNTED_AT_ONCE, ListReader
from paytui.store.cache.write import CacheWriter
from paytui.store.filter import TimeContext
from paytui.store.store import CacheFile, CacheState, Store
from paytui.tui.format.cells import Activity, Ref, RelatedList
from paytui.tui.screens import wallets
from paytui.tui.screens.screen_registry import list_page, open_link
from paytui.tui.store_bridge import WindowReader
from paytui.tui.table import query_list
from paytui.tui.table.query_list import QueryList
from paytui.tui.table.viewport import Cells
from tests.tui.book import account, payment, read, wallet
from tests.tui.dashboard import Dashboard, lines, shows, text, the_app, tick, until

IN_MEMORY = 20

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


def a_payment(random: Random, number: int) -> Payment:
    """Return a payment with many ties and a few fields without a value."""
    row = payment(number, str(random.randrange(1, 999)), minutes_ago=random.randrange(90))
    return replace(
        row,
        currency=random.choice((CurrencyCode("AUD"), CurrencyCode("EUR"), None)),
        amount=random.choice((row.amount, row.amount, Decimal(500), None)),
        payment_type=random.choice(("payout", "transfer")),
        reference=random.choice((row.reference, "acme", "Acme rent", None)),
        source_wallet_id=random.choice((WalletId("wal-1"), WalletId("wal-2"), None)),
        recipient_id=random.choice((RecipientId("rec-1"), RecipientId("rec-9"), None)),
    )


def a_book(random: Random, count: int) -> list[Payment]:
    return [a_payment(random, number) for number in range(count)]


def many(count: int) -> list[Payment]:
    """Settled payments, the newest first."""
    done = State("completed", final=True)
    return [replace(payment(n, "1", minutes_ago=n), status=done) for n in range(count)]


def dashboard(rows: list[Payment], *, retain: int | None = None) -> Dashboard:
    ui = Dashboard(store=Store(retain))
    ui.store.accounts.put([account(1, "Copperfern")])
    ui.store.wallets.put([wallet(1, "AUD desk", "10"), wallet(2, "EUR desk", "20")])
    ui.store.recipients.put([Recipient(RecipientId("rec-1"), company_name="Dagny Ltd")])
    ui.store.payments.put(rows[-retain:] if retain else rows)
    read(ui.store, ui.clock)
    feed = ui.store.feed(Kind.PAYMENTS)
    ui.store.set_feed(replace(feed, total=len(rows)))
    if (retention := ui.store.retention(Kind.PAYMENTS)) is not None:
        retention.resume()
    return ui


class Cached:
    """A dashboard with a few rows in memory, and all of them in a cache."""

    def __init__(self, path: Path, rows: list[Payment], *, counted_at_once: int) -> None:
        self.ui = dashboard(rows, retain=IN_MEMORY)
        self.file = CacheFile(path, 1)
        self._writer = CacheWriter(path)
        self._writes = 0
        for kind in (Kind.ACCOUNTS, Kind.WALLETS, Kind.RECIPIENTS):
            self._writer.keep(kind, self.ui.store.table(kind).rows(), [])
        self.keep(rows)
        self.ui.lists = WindowReader(partial(ListReader, counted_at_once=counted_at_once))

    def keep(
        self,
        rows: Sequence[Record],
        gone: tuple[str, ...] = (),
        kind: Kind = Kind.PAYMENTS,
    ) -> None:
        self._writer.keep(kind, rows, gone)
        self._writes += 1
        self.ui.store.cache = CacheState(self.file, self._writes, frozenset(Kind))
        self.ui.store.notify()

    def open_other(self, path: Path, rows: Sequence[Payment]) -> None:
        """Go on with another file that has these payments."""
        self._writer.close()
        self._writer = CacheWriter(path)
        self.file = CacheFile(path, 2)
        self.keep(rows)

    def close(self) -> None:
        self._writer.close()


@contextmanager
def cached(
    path: Path, rows: list[Payment], *, counted_at_once: int = COUNTED_AT_ONCE
) -> Iterator[Cached]:
    found = Cached(path / "book.cache.sqlite", rows, counted_at_once=counted_at_once)
    try:
        yield found
    finally:
        found.close()


async def settled(pilot: Pilot[None]) -> None:
    """Wait until no read is under way."""
    ledger = pilot.app.screen.query_one(QueryList)
    await pilot.pause()
    await until(pilot, lambda: not ledger._is_reading and not ledger.is_filtering)
    await until(pilot, lambda: " · " in lines(pilot)[-2] or not len(ledger))  # the sums
    await pilot.pause()


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


def reference_at_cursor(pilot: Pilot[None]) -> str | None:
    row = pilot.app.screen.query_one(QueryList).selected
    assert isinstance(row, Payment)
    return row.reference


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


def test_its_room_may_change_while_it_is_read(tmp_path: Path) -> None:
    rows = many(300)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", *["pagedown"] * 5)
        for height in (60, 20, 40):
            await pilot.press("s")
            await pilot.resize_terminal(80, height)
        await settled(pilot)
        status_tabs_title_headings, sums_hints = 4, 2
        shown = lines(pilot)[status_tabs_title_headings:-sums_hints]
        assert len([line for line in shown if line]) == 40 - 6

    with cached(tmp_path, rows) as both:
        both.ui.play(scenario)


def test_a_move_beyond_the_window_waits_for_the_next_one(tmp_path: Path) -> None:
    rows = many(2_000)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "2,000 payments")
        await pilot.press(*["pagedown"] * 40, "k")
        await settled(pilot)
        assert reference_at_cursor(pilot) == f"ref {40 * 18 - 1}"  # 18 rows a page
        await pilot.press("G", "k")
        await settled(pilot)
        assert reference_at_cursor(pilot) == "ref 1998"

    with cached(tmp_path, rows) as both:
        both.ui.play(scenario)


def test_keys_typed_ahead_mark_the_rows_that_they_are_meant_for(tmp_path: Path) -> None:
    rows = [payment(number, "1", minutes_ago=number) for number in range(2_000)]

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "2,000 payments · ")
        keys = (*["pagedown"] * 8, "space", *["pagedown"] * 8, "space", "j", "G", "space")
        for key in keys:  # without a pause, so that windows are read meanwhile
            pilot.app.post_message(events.Key(key, " " if key == "space" else key[0]))
        await shows(pilot, "3 marked")
        await pilot.press("y")
        first, second = 8 * 18, 16 * 18 + 1  # 18 rows a page
        assert pilot.app.clipboard.split() == [f"pay-{first}", f"pay-{second}", "pay-1999"]

    with cached(tmp_path, rows) as both:
        both.ui.play(scenario)


def test_keys_typed_before_a_position_is_known_are_meant_for_the_same_rows(
    tmp_path: Path,
) -> None:
    rows = [payment(number, "1", minutes_ago=number) for number in range(2_000)]

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "2,000 payments · ")
        await pilot.press(*["pagedown"] * 8)
        await settled(pilot)
        keys = ("S", *["pagedown"] * 3, "space", *["pageup"] * 6, "space", "G", "space")
        for key in keys:
            pilot.app.post_message(events.Key(key, " " if key == "space" else key[0]))
        await shows(pilot, "3 marked")
        await pilot.press("y")
        first = 8 * 18 - 3 * 18  # 18 rows a page; the oldest are first
        second = first - 1 + 6 * 18
        assert pilot.app.clipboard.split() == [f"pay-{second}", f"pay-{first}", "pay-0"]

    with cached(tmp_path, rows, counted_at_once=0) as both:
        both.ui.play(scenario)


@pytest.mark.parametrize("acts", [("y",), ("enter", "Y")], ids=["copy", "open"])
@pytest.mark.parametrize(
    ("keys", "row"),
    [
        (("S", *"kkk"), "pay-8"),
        (("s", "s", *"jj"), "pay-151"),  # by amount: 188, two more than of pay-5
        (("slash", *"ref", "enter", *"jj"), "pay-2"),
    ],
    ids=["turned", "sorted", "filtered"],
)
def test_a_key_typed_behind_moves_acts_on_the_row_that_they_lead_to(
    tmp_path: Path, keys: tuple[str, ...], row: str, acts: tuple[str, ...]
) -> None:
    amounts = [str(number * 37 % 200 + 1) for number in range(200)]
    rows = [payment(number, each, minutes_ago=number) for number, each in enumerate(amounts)]
    may_read = Event()

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        may_read.set()
        await pilot.press("6", *"jjjjj")
        await settled(pilot)
        ledger = pilot.app.screen.query_one(QueryList)
        may_read.clear()
        for key in (*keys, *acts):
            pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
        try:
            await until(pilot, lambda: ledger._is_reading)
        finally:
            may_read.set()
        await until(pilot, lambda: bool(pilot.app.clipboard))
        assert pilot.app.clipboard == row

    with cached(tmp_path, rows) as both:
        both.ui.lists = WindowReader(slow_reader(may_read))
        both.ui.play(scenario)


def test_a_row_that_is_not_read_in_time_is_neither_marked_nor_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_read = Event()

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        may_read.set()
        await pilot.press("6")
        await settled(pilot)
        ledger = pilot.app.screen.query_one(QueryList)
        may_read.clear()
        await pilot.press("S", "k", "space")
        may_read.set()
        await settled(pilot)
        assert not ledger.marks
        assert reference_at_cursor(pilot) == "ref 1"

    monkeypatch.setattr(query_list, "LONGEST_WAIT", 0.0)
    with cached(tmp_path, many(200)) as both:
        both.ui.lists = WindowReader(slow_reader(may_read))
        both.ui.play(scenario)


def test_a_position_that_is_not_known_yet_is_not_shown(tmp_path: Path) -> None:
    rows = [payment(number, "1", minutes_ago=number) for number in range(2_000)]
    may_count = Event()

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        may_count.set()
        await pilot.press("6", "G", *["pageup"] * 20)
        await settled(pilot)
        assert thumb(pilot) == [14]  # of 21 lines, with row 1639 of 2,000 at the cursor
        may_count.clear()
        await pilot.press("S")
        await until(pilot, lambda: thumb(pilot) == [])
        assert "2,000 payments, by Created" in lines(pilot)[2]
        may_count.set()
        await until(pilot, lambda: thumb(pilot) == [3])

    with cached(tmp_path, rows) as both:
        both.ui.lists = WindowReader(
            partial(slow_reader(may_count, counts_alone=True), counted_at_once=0)
        )
        both.ui.play(scenario)


def slow_reader(may_go_on: Event, *, counts_alone: bool = False) -> type[ListReader]:
    """Return a reader that waits for an event before it reads, or only before it counts rows."""

    class SlowReader(ListReader):
        def window(
            self,
            query: ListQuery,
            when: TimeContext,
            anchor: Anchor,
            reach: int,
            held: Window | None = None,
        ) -> Window:
            if held is not None or not counts_alone:
                may_go_on.wait()
            return super().window(query, when, anchor, reach, held)

        def glance(self, query: ListQuery, when: TimeContext, most: int) -> tuple[Record, ...]:
            if not counts_alone:
                may_go_on.wait()
            return super().glance(query, when, most)

    return SlowReader


def thumb(pilot: Pilot[None]) -> list[int]:
    """Return the lines of the list that show a part of the thumb."""
    return [y for y, line in enumerate(lines(pilot)[4:-2]) if line.endswith("▐")]


def test_sums_outlast_a_slow_order_but_not_a_slow_filter(tmp_path: Path) -> None:
    rows = [payment(number, "1", minutes_ago=number) for number in range(200)]
    may_read = Event()

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        may_read.set()
        await pilot.press("6")
        await settled(pilot)
        sums = lines(pilot)[-2]
        assert sums == " 200 payments · AUD 200.00"
        for keys, while_reading in (("S", sums), (("/", "9"), "")):
            may_read.clear()
            await pilot.press(*keys)
            await shows(pilot, "filtering …")
            await tick(pilot)
            assert lines(pilot)[-2] == while_reading
            may_read.set()
            await settled(pilot)

    with cached(tmp_path, rows) as both:
        both.ui.lists = WindowReader(slow_reader(may_read))
        both.ui.play(scenario)


def test_a_letter_of_a_filter_is_painted_with_its_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted: list[int] = []

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "/")
        await settled(pilot)
        screen = pilot.app.screen
        line, ledger = screen.query_one(Input), screen.query_one(QueryList)
        note = lambda: painted.append(len(ledger)) if line.value else None  # noqa: E731
        monkeypatch.setattr(pilot.app, "post_display_hook", note)
        await pilot.press("z")
        await until(pilot, lambda: bool(painted))
        assert painted[0] == 3

    monkeypatch.setattr(query_list, "SOON", 60.0)
    rows = many(100)
    rows[:3] = [replace(row, reference="zinc") for row in rows[:3]]
    with cached(tmp_path, rows) as both:
        both.ui.play(scenario)


def test_a_page_is_painted_before_rows_further_on_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    class Noted(Event):
        def wait(self, timeout: float | None = None) -> bool:  # noqa: ARG002  (the event's own)
            seen.append("read")
            return True

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await settled(pilot)
        monkeypatch.setattr(pilot.app, "post_display_hook", lambda: seen.append("paint"))
        reads = 0
        for _page in range(8):
            seen.clear()
            await pilot.press("pagedown")
            await settled(pilot)
            assert seen[0] == "paint"
            reads += seen.count("read")
        assert reads

    with cached(tmp_path, many(300)) as both:
        both.ui.lists = WindowReader(slow_reader(Noted()))
        both.ui.play(scenario)


def test_no_row_is_formatted_again_because_rows_further_on_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    formatted: list[str] = []
    cells_of = QueryList._cells_of

    def counted(self: QueryList, row: Record) -> Cells:
        formatted.append(self._key(row))
        return cells_of(self, row)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await settled(pilot)
        formatted.clear()
        for _page in range(8):
            await pilot.press("pagedown")
            await settled(pilot)
        assert formatted
        assert len(formatted) == len(set(formatted))

    monkeypatch.setattr(QueryList, "_cells_of", counted)
    with cached(tmp_path, many(300)) as both:
        both.ui.play(scenario)


@pytest.mark.parametrize("keys", ["z", "↓↓↓↓S"], ids=["zone", "order"])
def test_what_is_asked_for_is_read_before_the_paint_that_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keys: str
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await settled(pilot)
        for key in keys:  # all of them at once
            pilot.app.post_message(events.Key("pagedown" if key == "↓" else key, None))
        await settled(pilot)

    monkeypatch.setattr(query_list, "SOON", 60.0)
    with cached(tmp_path, many(300)) as both:
        both.ui.play(scenario)


def test_rows_in_another_order_are_painted_with_their_title(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await settled(pilot)
        painted: list[None] = []
        monkeypatch.setattr(pilot.app, "post_display_hook", lambda: painted.append(None))
        await pilot.press("s")
        await settled(pilot)
        assert len(painted) == 1

    monkeypatch.setattr(query_list, "SOON", 60.0)
    with cached(tmp_path, many(100)) as both:
        both.ui.play(scenario)


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
