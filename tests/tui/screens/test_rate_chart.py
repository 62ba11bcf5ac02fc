"""The chart of a price: its history, our trades, and alerts that are set on it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from textual.geometry import Region
from textual.pilot import Pilot

from paytui.config.settings import Alerts
from paytui.domain.models import AccountId, State, Trade, TradeId
from paytui.domain.rates import parse_alert
from paytui.tui.format.cells import Tone
from paytui.tui.widgets.chart import Chart
from tests.support.clock import NOON
from tests.support.recorded import recorded
from tests.tui.book import AUD_USD, USD_AUD, sheet
from tests.tui.dashboard import Dashboard, lines, shows, text, tick, until

BOTH = (AUD_USD, USD_AUD)


def trade(number: int, sold: str, at: datetime, rate: str) -> Trade:
    pair = AUD_USD if sold == "AUD" else USD_AUD
    return Trade(
        TradeId(f"t{number}"),
        account_id=AccountId("acc-1"),
        sell_currency=pair.sell,
        buy_currency=pair.buy,
        rate=Decimal(rate),
        created_at=at,
    )


@pytest.fixture
def charted(ui: Dashboard, tmp_path: Path) -> Dashboard:
    """Two hours of rates in the book, without those from 11:15 to 11:45, and a live sheet."""

    def is_gap(at: datetime) -> bool:
        return NOON - timedelta(minutes=45) < at < NOON - timedelta(minutes=15)

    path = tmp_path / "demo.book.sqlite"
    ui.store.book = recorded(path, BOTH, NOON, timedelta(hours=2), without=is_gap)
    ui.clock.advance(150)
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.6512", USD_AUD: "1.53"})])
    return ui


async def open_chart(pilot: Pilot[None]) -> None:
    await pilot.press("4")
    await shows(pilot, "AUD/USD")
    await pilot.press("c")
    await shows(pilot, "place an alert")
    await shows(pilot, "since 02 Mar")
    for reading in [worker for worker in pilot.app.workers if worker.group == "history"]:
        await reading.wait()
    await pilot.pause()


def is_line(sign: str, tone: Tone) -> bool:
    """Return True for dots of the price; those of a level have another tone."""
    return sign > "⠀" and tone is Tone.MONEY


def test_a_gap_of_the_book_is_not_drawn_over_and_a_new_sheet_goes_on(charted: Dashboard) -> None:
    """11:05 to 12:05 on the axis: nothing from minute 10 to 40, and the newest sheet at 57.5."""

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await open_chart(pilot)
        await pilot.press("left")
        await shows(pilot, "since 02 Mar 11:05")
        assert "0.65120" in text(pilot)
        area = [line for line in lines(pilot) if "│" in line or "┤" in line]
        across = area[0].index("│" if "│" in area[0] else "┤")
        canvas = pilot.app.screen.query_one(Chart)._canvas
        dotted = {
            x for line in canvas for x, (sign, tone) in enumerate(line) if is_line(sign, tone)
        }
        assert min(dotted) == 0
        assert max(dotted) in range(across * 57 // 60, across * 58 // 60 + 1)
        gap = range(across * 10 // 60 + 2, across * 40 // 60 - 1)
        assert not dotted & set(gap)
        assert dotted & set(range(gap.start - 3, gap.start))
        assert dotted & set(range(gap.stop, gap.stop + 3))
        ui.clock.advance(150)
        ui.store.rate_sheets.put([sheet("two", ui.clock, {AUD_USD: "0.7500", USD_AUD: "1.3"})])
        ui.store.notify()
        await shows(pilot, "high 0.75000")

    charted.play(scenario)


def test_our_trades_are_marked_where_we_dealt(charted: Dashboard) -> None:
    """Sold at 0.65, bought at 1 / 1.6 = 0.625; the others are of an earlier day, and rejected."""
    charted.store.trades.put(
        [
            trade(1, "AUD", NOON - timedelta(minutes=90), "0.65"),
            trade(2, "USD", NOON - timedelta(minutes=20), "1.6"),
            trade(3, "AUD", NOON - timedelta(days=3), "0.65"),
            replace(trade(4, "AUD", NOON, "0.65"), status=State("rejected")),
        ]
    )

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await open_chart(pilot)
        canvas = pilot.app.screen.query_one(Chart)._canvas
        [(sold, sold_at), (bought, bought_at)] = [
            (sign, x) for line in canvas for x, (sign, _) in enumerate(line) if sign in "BS"
        ]
        assert (sold, bought) == ("S", "B")  # from above
        assert sold_at < bought_at

    charted.play(scenario)


def test_an_alert_is_placed_by_moving_a_line_and_set_until_the_end(charted: Dashboard) -> None:
    """From 0.6512, ten pips and one up: 0.6523."""
    alert = parse_alert("AUD/USD bid above 0.6523")

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await open_chart(pilot)
        watch = pilot.app.ui.rate_alerts  # type: ignore[attr-defined]
        await pilot.press("enter")
        await shows(pilot, "Place the line of an alert")
        await pilot.press("pageup", "up")
        await shows(pilot, "New alert: AUD/USD bid above 0.6523")
        assert watch.alerts == ()
        await pilot.press("enter")
        await shows(pilot, "Alert AUD/USD bid above 0.6523 set until you quit")
        assert watch.alerts == (alert,)
        assert any("┤ above 0.6523" in line for line in lines(pilot))
        ui.clock.advance(150)
        ui.store.rate_sheets.put([sheet("two", ui.clock, {AUD_USD: "0.6524", USD_AUD: "1.53"})])
        ui.store.notify()
        await until(pilot, lambda: [crossing.alert for crossing in watch.standing] == [alert])
        await pilot.press("d")
        assert watch.alerts == ()
        assert watch.standing == ()
        await shows(pilot, "place an alert")

    charted.play(scenario, size=(120, 24))


def test_alerts_of_the_configuration_are_lines_in_either_notation(charted: Dashboard) -> None:
    """USD/AUD bid above 1.6 is AUD/USD offer below 0.625."""
    when = (parse_alert("AUD/USD offer above 0.66"), parse_alert("USD/AUD bid above 1.6"))
    charted.settings = replace(charted.settings, alerts=Alerts(when=when))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4", "right")
        await open_chart(pilot)
        await shows(pilot, "AUD/USD offer")
        await pilot.press("down")  # brings the line into view, and with it all between
        chart = pilot.app.screen.query_one(Chart)
        assert chart._picture is not None
        labels = [level.label for level in chart._picture.levels]
        assert labels[1:3] == ["above 0.66", "below 0.62500"]

    charted.play(scenario)


def test_a_second_paints_no_chart_and_a_sheet_only_what_it_changes(
    charted: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rate falls by a tenth of a pip: the line of the last rate stays where it was."""

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await open_chart(pilot)
        painted: list[tuple[Region, ...]] = []
        monkeypatch.setattr(Chart, "refresh", lambda _, *regions, **__: painted.append(regions))
        await tick(pilot)
        await tick(pilot)
        assert painted == []
        ui.clock.advance(150)
        ui.store.rate_sheets.put([sheet("two", ui.clock, {AUD_USD: "0.65119", USD_AUD: "1.53"})])
        ui.store.notify()
        await shows(pilot, "bid 0.65119")
        cells = sum(region.width * region.height for [region] in painted)
        assert 0 < cells < 20  # the label, and a dot

    charted.play(scenario)
