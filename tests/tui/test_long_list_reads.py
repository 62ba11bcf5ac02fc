"""Reads of a long list: their order with paints, and keys that are typed before they end."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from paytui.domain.models import Record
from paytui.tui.store_bridge import WindowReader
from paytui.tui.table import query_list
from paytui.tui.table.query_list import QueryList
from paytui.tui.table.viewport import Cells
from tests.tui.book import payment
from tests.tui.dashboard import Dashboard, lines, shows, text, tick, until
from tests.tui.long_lists import cached, many, reference_at_cursor, settled, slow_reader


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


async def listed_until_read_again(pilot: Pilot[None], may_read: Event, *keys: str) -> None:
    """List payments, and press keys; from then on a read waits for `may_read`."""
    may_read.set()
    await pilot.press("6", *keys)
    await settled(pilot)
    may_read.clear()


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
        await listed_until_read_again(pilot, may_read, *"jjjjj")
        ledger = pilot.app.screen.query_one(QueryList)
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


def test_a_row_that_is_not_read_in_time_is_not_acted_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_read = Event()

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await listed_until_read_again(pilot, may_read)
        listed = pilot.app.screen
        ledger = listed.query_one(QueryList)
        await pilot.press("S", "k", "space", "D", "p")
        await shows(pilot, "still being read. Try again in a moment.")
        is_told_twice = "no trade or payment under the cursor" in text(pilot)
        shown = pilot.app.screen
        may_read.set()
        await settled(pilot)
        assert not is_told_twice
        assert shown is listed
        assert not ledger.marks
        assert reference_at_cursor(pilot) == "ref 1"

    monkeypatch.setattr(query_list, "LONGEST_WAIT", 0.0)
    with cached(tmp_path, many(200)) as both:
        both.ui.lists = WindowReader(slow_reader(may_read))
        both.ui.play(scenario)


def test_a_move_that_waits_outlasts_a_visit_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_read = Event()

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await listed_until_read_again(pilot, may_read)
        try:
            await pilot.press("S", "k", "2", "6")
            await until(pilot, lambda: pilot.app.current_mode == "payments")
        finally:
            may_read.set()
        await settled(pilot)
        assert reference_at_cursor(pilot) == "ref 1"

    monkeypatch.setattr(query_list, "LONGEST_WAIT", 0.0)
    with cached(tmp_path, many(200)) as both:
        both.ui.lists = WindowReader(slow_reader(may_read))
        both.ui.play(scenario)


@pytest.mark.parametrize("key", ["slash", "question_mark", "2"], ids=["filter", "help", "page"])
def test_a_key_that_needs_no_row_says_nothing_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    may_read = Event()

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await listed_until_read_again(pilot, may_read)
        await pilot.press("S", "k", key)
        await tick(pilot)
        shown = text(pilot)
        may_read.set()
        assert "still being read" not in shown

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
