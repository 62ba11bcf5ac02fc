"""Rates: the phases of the countdown, market names of pairs, requests of sheets."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from textual.pilot import Pilot

from paytui.domain.models import Kind, RateSheet, UnavailableRate
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.widgets.rates import (
    Phase,
    RateLine,
    change_column,
    countdown_bar,
    countdown_words,
    phase,
)
from tests.tui.book import AUD_USD, USD_AUD, failed, sheet
from tests.tui.dashboard import Dashboard, lines, settings_of, shows, text, tick, until


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
        assert "0.651230 USD" in text(pilot)  # readable still

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


def test_a_pair_shows_both_directions_and_what_changed_since_the_sheet_before(
    ui: Dashboard,
) -> None:
    before = {AUD_USD: "0.65", USD_AUD: "1.5345"}
    ui.store.rate_sheets.put([sheet("one", ui.clock, before)])
    ui.clock.advance(150)
    ui.store.rate_sheets.put([sheet("two", ui.clock, {AUD_USD: "0.64", USD_AUD: "1.5345"})])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        await shows(pilot, "AUD > USD")
        sold = next(line for line in lines(pilot) if "AUD > USD" in line)
        bought = next(line for line in lines(pilot) if "USD > AUD" in line)
        assert "0.640000 USD" in sold
        assert "▼ -0.01" in sold
        assert "AUD/USD bid" in sold
        assert "1.56250" in sold  # 1 / 0.64
        assert "= 0" in bought
        assert "AUD/USD offer" in bought

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
        await shows(pilot, "0.650000")
        assert "no new sheet" not in text(pilot)
        failed(ui.store, Kind.RATE_SHEETS, "no answer in time")
        await shows(pilot, "no new sheet, see Rates")

    ui.play(scenario, size=(160, 40))


def test_one_direction_alone_is_neither_bid_nor_offer(ui: Dashboard) -> None:
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65"})])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        await shows(pilot, "AUD/USD")
        row = next(line for line in lines(pilot) if "AUD > USD" in line)
        assert " bid" not in row
        assert " offer" not in row

    ui.play(scenario)


def test_a_pair_that_the_service_does_not_price_says_why(ui: Dashboard) -> None:
    live = sheet("one", ui.clock, {AUD_USD: "0.65"})
    missing = UnavailableRate(USD_AUD, "market closed")
    ui.store.rate_sheets.put(
        [RateSheet(live.rate_sheet_id, live.expires_at, live.sent_at, None, live.rates, (missing,))]
    )

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        await shows(pilot, "market closed")
        assert "not priced" in text(pilot)

    ui.play(scenario)


def test_sheets_are_asked_for_only_while_rates_are_on_view() -> None:
    watch = (AUD_USD,)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: ui.port.watched == [watch])  # the overview shows rates
        await pilot.press("3")
        await until(pilot, lambda: ui.port.watched == [watch, ()])
        await pilot.press("6")
        await pilot.press("4")
        await until(pilot, lambda: ui.port.watched == [watch, (), watch])
        await pilot.press("question_mark")
        await pilot.press("escape")
        assert ui.port.watched == [watch, (), watch]

    Dashboard(settings=settings_of(watch=watch)).play(scenario)


def test_a_sheet_that_cannot_be_had_says_why_and_keeps_the_old_one_marked(ui: Dashboard) -> None:
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65"})])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        ui.clock.advance(200)
        failed(ui.store, Kind.RATE_SHEETS, "503")
        await shows(pilot, "503")
        assert "expired" in text(pilot)
        assert "0.650000 USD" in text(pilot)

    ui.play(scenario, size=(120, 40))


def test_each_rate_of_an_ended_sheet_says_so_in_words_and_in_its_tone(ui: Dashboard) -> None:
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65123", USD_AUD: "1.5"})])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        await shows(pilot, "valid 2:30")
        assert "expired" not in text(pilot)
        ui.clock.advance(151)
        await tick(pilot)
        rows = [line for line in lines(pilot) if "0.651230 USD" in line or "1.50000 AUD" in line]
        assert len(rows) == 2
        assert all("expired" in row for row in rows)

    ui.play(scenario)
    line = RateLine(AUD_USD, None, None, expired=True)
    assert change_column().cell(line) == Cell("expired", Tone.EXPIRED)
