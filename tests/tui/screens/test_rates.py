"""Rates: the phases of the countdown, market names of pairs, requests of sheets."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from textual.pilot import Pilot

from paytui.book.file import BookWriter
from paytui.config.settings import Rates
from paytui.domain.models import Kind, Problem, UnavailableRate, WalletId
from paytui.domain.money import CurrencyCode, Pair
from paytui.store.rate_board import BoardRow
from paytui.store.store import BookState
from paytui.tui.format.cells import Cell, Tone
from paytui.tui.screens.rates import RatesPage
from paytui.tui.table.columns import lay_out_columns
from paytui.tui.widgets.rates import (
    Phase,
    RateLine,
    RateList,
    board_columns,
    change_column,
    countdown_bar,
    countdown_words,
    phase,
)
from tests.support.clock import NOON
from tests.tui.book import AUD, AUD_USD, JPY, USD_AUD, failed, sheet, wallet
from tests.tui.dashboard import Dashboard, lines, settings_of, shows, text, tick, until


async def row_of(pilot: Pilot[None], pair: str) -> str:
    """Wait for the row of a pair, and return it."""
    await shows(pilot, f" {pair} ")
    return next(line for line in lines(pilot) if f" {pair} " in line)


def underlined(pilot: Pilot[None]) -> str:
    """Return the text on the board that is underlined."""
    strips = pilot.app.screen.query_one(RateList).render_line(1)
    return "".join(part.text for part in strips if part.style and part.style.underline)


@pytest.mark.parametrize(
    ("seconds", "expected", "words"),
    [
        (150.0, Phase.CALM, "valid 2:30"),
        (149.9, Phase.CALM, "valid 2:25"),
        (30.1, Phase.CALM, "valid 0:30"),
        (30.0, Phase.CLOSING, "valid 0:30"),
        (10.5, Phase.CLOSING, "valid 0:10"),
        (10.0, Phase.LAST, "LAST 0:10"),
        (0.5, Phase.LAST, "LAST 0:00"),
        (0.0, Phase.EXPIRED, "expired"),
    ],
)
def test_a_countdown_has_four_phases_each_in_words(
    seconds: float, expected: Phase, words: str
) -> None:
    left = timedelta(seconds=seconds)
    assert (phase(left), countdown_words(left)) == (expected, words)


@pytest.mark.parametrize(("seconds", "full"), [(150, 16), (30, 4), (1, 1), (0, 0), (900, 16)])
def test_the_bar_is_as_long_as_what_is_left_of_two_and_a_half_minutes(
    seconds: int, full: int
) -> None:
    bar = countdown_bar(timedelta(seconds=seconds))
    assert bar == "█" * full + "─" * (16 - full)


def test_a_countdown_is_computed_from_the_clock_and_does_not_count(ui: Dashboard) -> None:
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65123"})])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        await shows(pilot, "valid 2:30")
        for _ in range(5):
            await tick(pilot)
        assert "valid 2:30" in text(pilot)
        ui.clock.advance(126)  # a host that slept
        await tick(pilot)
        assert "valid 0:24" in text(pilot)
        ui.clock.advance(24)
        await tick(pilot)
        assert "expired" in text(pilot)
        assert "0.65123" in text(pilot)  # readable still

    ui.play(scenario)


@pytest.mark.slow
def test_a_host_clock_that_is_wrong_does_not_prolong_a_sheet(ui: Dashboard) -> None:
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65123"})])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        ui.clock.advance(149)
        ui.clock.set_wall(ui.clock.now() - timedelta(minutes=10))
        await tick(pilot)
        assert "LAST 0:01" in text(pilot)

    ui.play(scenario)


def test_a_pair_is_one_row_with_both_sides_and_what_changed_since_the_sheet_before(
    ui: Dashboard,
) -> None:
    """The bid falls by a hundred pips; 1 / 1.5345 = 0.651678, 116.8 pips above it."""
    before = {AUD_USD: "0.65", USD_AUD: "1.5345"}
    ui.store.rate_sheets.put([sheet("one", ui.clock, before)])
    ui.clock.advance(150)
    ui.store.rate_sheets.put([sheet("two", ui.clock, {AUD_USD: "0.64", USD_AUD: "1.5345"})])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        row = await row_of(pilot, "AUD/USD")
        assert row.split()[:8] == [
            *("▌", "AUD/USD", "0.64000", "0.65168", "116.8"),
            *("▼", "-100.0", "▼"),
        ]
        assert "USD/AUD" not in text(pilot)

    ui.play(scenario)


def test_the_chosen_side_is_dealt_with_every_digit_of_its_rate(ui: Dashboard) -> None:
    rates = {AUD_USD: "0.6512345", USD_AUD: "1.534501"}
    ui.store.rate_sheets.put([sheet("one", ui.clock, rates)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        await shows(pilot, "Sell AUD at the bid  1 AUD = 0.6512345 USD")
        assert underlined(pilot) == "0.65123"
        await pilot.press("right")
        await shows(pilot, "Buy AUD at the offer  1 USD = 1.534501 AUD")
        assert underlined(pilot) == "0.65168"
        page = pilot.app.screen
        assert isinstance(page, RatesPage)
        assert page.selected == USD_AUD  # what enter opens the ticket with

    ui.play(scenario)


def test_a_sheet_that_had_ended_when_it_came_says_when_with_the_date(ui: Dashboard) -> None:
    live = sheet("one", ui.clock, {AUD_USD: "0.65"})
    ended = datetime(1947, 8, 15, 13, 10, 37, tzinfo=UTC)
    ui.store.rate_sheets.put([replace(live, expires_at=ended)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        await shows(pilot, "until 1947-08-15 13:10:37")

    ui.play(scenario)


@pytest.mark.slow
def test_the_overview_says_that_no_new_sheet_comes_and_where_to_read_why(ui: Dashboard) -> None:
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65"})])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "0.65000")
        assert "no new sheet" not in text(pilot)
        failed(ui.store, Kind.RATE_SHEETS, "no answer in time")
        await shows(pilot, "no new sheet, see Rates")

    ui.play(scenario, size=(160, 40))


def test_a_side_that_is_not_priced_is_missing_and_cannot_be_dealt_at(ui: Dashboard) -> None:
    live = sheet("one", ui.clock, {AUD_USD: "0.65"})
    missing = UnavailableRate(USD_AUD, "market closed")
    ui.store.rate_sheets.put([replace(live, unavailable=(missing,))])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        row = await row_of(pilot, "AUD/USD")
        assert row.split()[1:7] == ["AUD/USD", "0.65000", "—", "—", "new", "="]
        await pilot.press("right")
        await shows(pilot, "USD > AUD is not priced: market closed")

    ui.play(scenario)


def test_a_pair_that_is_not_priced_at_all_says_so(ui: Dashboard) -> None:
    missing = (UnavailableRate(AUD_USD, "holiday"), UnavailableRate(USD_AUD, "holiday"))
    ui.store.rate_sheets.put([replace(sheet("one", ui.clock, {}), unavailable=missing)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        assert (await row_of(pilot, "AUD/USD")).split()[2:7] == ["—", "—", "—", "no", "rate"]

    ui.play(scenario)


def test_sheets_are_asked_for_on_any_screen_with_both_directions_and_what_is_held() -> None:
    """JPY is held and valued in AUD; NZD comes with a wallet that is created meanwhile."""
    nzd, jpy_aud = CurrencyCode("NZD"), Pair(JPY, AUD)
    settings = settings_of(watch=(AUD_USD,))
    overview = replace(settings.overview, reporting_currency=AUD)
    dashboard = Dashboard(settings=replace(settings, overview=overview))
    dashboard.store.wallets.put([wallet(1, "JPY desk", "5", currency=JPY)])
    first = (AUD_USD, USD_AUD, jpy_aud, jpy_aud.reverse)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: ui.port.watched == [first])
        await pilot.press("3")
        await pilot.pause()
        assert ui.port.watched == [first]
        ui.store.wallets.put([wallet(2, "NZD desk", "0", currency=nzd)])
        ui.store.notify()
        more = (*first, Pair(nzd, AUD), Pair(AUD, nzd))
        await until(pilot, lambda: set(ui.port.watched[-1]) == set(more))
        ui.store.wallets.remove([WalletId("wal-2")])
        ui.store.notify()
        await pilot.press("4")
        await pilot.pause()
        assert len(ui.port.watched) == 2  # a currency that is held no more stays priced

    dashboard.play(scenario)


def test_held_pairs_follow_the_watched_ones_on_the_board_alone(ui: Dashboard) -> None:
    rates = {Pair(AUD, JPY): "96.2", AUD_USD: "0.65", USD_AUD: "1.53"}
    ui.store.rate_sheets.put([sheet("one", ui.clock, rates)])
    ui.settings = replace(ui.settings, rates=Rates(watch=(AUD_USD,)))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "0.65000")
        assert "AUD/JPY" not in text(pilot)
        await pilot.press("4")
        await shows(pilot, "2 pairs")
        assert [line[2:9] for line in lines(pilot)[4:6]] == ["AUD/USD", "AUD/JPY"]

    ui.play(scenario)


def test_the_day_and_the_last_hours_come_from_the_book(ui: Dashboard, tmp_path: Path) -> None:
    """The day began at 0.6400, an hour ago it was lowest with 0.6350; now it is 0.6512."""
    path = tmp_path / "demo.book.sqlite"
    book = BookWriter(path)
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.6512", USD_AUD: "1.53"})])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        await shows(pilot, "today since 12:00")
        book.add_rates("first", NOON - timedelta(minutes=719), {AUD_USD: Decimal("0.64")})
        ui.store.book = BookState(path, 0, Problem("keep a history", "another one writes it"))
        ui.store.notify()
        await shows(pilot, "history paused: another one writes it")
        assert text(pilot).count("history paused") == 1
        for minutes, rate in ((-60, "0.635"), (-30, "0.645")):
            rates = {AUD_USD: Decimal(rate)}
            book.add_rates(f"s{minutes}", NOON + timedelta(minutes=minutes), rates)
        book.close()
        ui.store.book = BookState(path, 1)
        ui.store.notify()
        await shows(pilot, "0.63500 – 0.65120")
        row = await row_of(pilot, "AUD/USD")
        assert "▲ +112.0 " in row
        assert "▁ ▅ ▇  0.63500" in row
        assert "today since" not in text(pilot)
        problem = Problem("keep a history", "the disk is full")
        ui.store.book = BookState(path, 1, problem)
        ui.store.notify()
        await shows(pilot, "history paused: the disk is full")

    ui.play(scenario, size=(120, 24))


def test_a_day_that_is_known_in_part_says_since_when(ui: Dashboard) -> None:
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65"})])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        await shows(pilot, "today since 12:00")

    ui.play(scenario)


@pytest.mark.parametrize(
    ("width", "titles"),
    [
        (39, "Pair Bid Offer Change"),
        (60, "Pair Bid Offer Change Today"),
        (80, "Pair Bid Offer Spread Change Today 3 hours"),
        (100, "Pair Bid Offer Spread Change Today 3 hours Day's range"),
        (150, "Pair Bid Offer Spread Change Today 3 hours Day's range 24 hours"),
    ],
)
def test_columns_give_way_by_width(width: int, titles: str) -> None:
    columns = board_columns()
    headings = [column.title for column in columns]
    needed = [7, 7, 7, 4, 7, 8, 16, 17, 48]
    slots = lay_out_columns(columns, headings, needed, width - 4)
    assert " ".join(headings[slot.index] for slot in slots) == titles


def test_a_sheet_that_cannot_be_had_says_why_and_keeps_the_old_one_marked(ui: Dashboard) -> None:
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65"})])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        ui.clock.advance(200)
        failed(ui.store, Kind.RATE_SHEETS, "503")
        await shows(pilot, "503")
        assert "expired" in text(pilot)
        assert "0.65000" in text(pilot)

    ui.play(scenario, size=(120, 40))


def test_each_rate_of_an_ended_sheet_says_so_in_words_and_in_its_tone(ui: Dashboard) -> None:
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65123", USD_AUD: "1.5"})])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        await shows(pilot, "valid 2:30")
        assert "expired" not in text(pilot)
        ui.clock.advance(151)
        await tick(pilot)
        assert "expired" in await row_of(pilot, "AUD/USD")

    ui.play(scenario)
    line = RateLine(BoardRow(AUD_USD, Decimal("0.65"), None), expired=True)
    assert change_column().cell(line) == Cell("expired", Tone.EXPIRED)
