"""Rate alerts: one for each crossing, and none from an expired sheet."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from paytui.config.settings import Alerts, Notify
from paytui.domain.money import CurrencyCode, Pair
from paytui.domain.rates import parse_alert
from paytui.platform.clock import ServiceTime
from paytui.store.store import Store
from paytui.tui.rate_alerts import AlertWatch
from tests.support.clock import NOON, ManualClock
from tests.tui.book import AUD_USD, USD_AUD, sheet
from tests.tui.dashboard import Dashboard, settings_of, shows, tells, tick, until


class Watching:
    """A watch on a store into which sheets come one after the other."""

    def __init__(self, *alerts: str) -> None:
        self.store, self.clock = Store(), ManualClock()
        self.watch = AlertWatch(
            self.store, ServiceTime(self.clock), [parse_alert(alert) for alert in alerts]
        )
        self._sheets = 0

    def put(self, bid: str, **others: str) -> None:
        """A new sheet, asked for now."""
        self._sheets += 1
        rates = {AUD_USD: bid} | {_pair(name): rate for name, rate in others.items()}
        self.store.rate_sheets.put([sheet(f"s{self._sheets}", self.clock, rates)])

    def sees(self, bid: str, **others: str) -> list[str]:
        """Return the alerts of a sheet that follows an ended one."""
        self.clock.advance(150)
        self.put(bid, **others)
        return [crossing.words for crossing in self.watch.poll()]


def _pair(name: str) -> Pair:
    """`AUDUSD`: sold, then bought."""
    return Pair(CurrencyCode(name[:3]), CurrencyCode(name[3:]))


def test_a_rate_that_crosses_is_told_once() -> None:
    watching = Watching("AUD/USD bid above 0.66")
    assert watching.sees("0.6590") == []
    assert watching.sees("0.6601") == ["AUD/USD bid 0.660100, above 0.66"]
    assert watching.sees("0.6605") == []
    assert watching.watch.poll() == []


def test_a_rate_at_its_level_has_not_crossed_it() -> None:
    assert Watching("AUD/USD bid above 0.66").sees("0.66") == []
    assert Watching("AUD/USD bid below 0.66").sees("0.66") == []


def test_a_rate_that_stays_about_its_level_is_no_news_until_it_has_come_back() -> None:
    """0.05 % of 0.66 is 0.00033: back at 0.65967 it is still there, below that it has come back."""
    watching = Watching("AUD/USD bid above 0.66")
    assert len(watching.sees("0.6601")) == 1
    assert watching.sees("0.65967") == []
    assert watching.sees("0.6602") == []
    assert watching.sees("0.65966") == []
    assert len(watching.sees("0.6602")) == 1


def test_below_goes_the_other_way() -> None:
    """0.05 % of 0.64 is 0.00032."""
    watching = Watching("AUD/USD bid below 0.64")
    assert watching.sees("0.6399") == ["AUD/USD bid 0.639900, below 0.64"]
    assert watching.sees("0.64032") == []
    assert watching.sees("0.6399") == []
    assert watching.sees("0.64033") == []
    assert len(watching.sees("0.6399")) == 1


def test_a_rate_that_is_beyond_from_the_start_may_have_crossed_unseen() -> None:
    assert len(Watching("AUD/USD bid above 0.66").sees("0.7")) == 1


def test_a_sheet_that_has_ended_is_not_judged_by() -> None:
    watching = Watching("AUD/USD bid above 0.66")
    watching.put("0.67")
    watching.clock.advance(150)
    assert watching.watch.poll() == []
    assert watching.watch.standing == ()


def test_a_sheet_that_a_suspended_host_has_slept_through_is_not_judged_by() -> None:
    watching = Watching("AUD/USD bid above 0.66")
    watching.put("0.67")
    watching.clock.suspend(150)
    watching.clock.set_wall(NOON)
    assert watching.watch.poll() == []


def test_offer_and_mid_are_judged_by_both_directions() -> None:
    """Offer 1 / 1.6 = 0.625; mid (0.62 + 0.625) / 2 = 0.6225."""
    watching = Watching("AUD/USD offer above 0.6249", "AUD/USD mid below 0.6226")
    assert watching.sees("0.62", USDAUD="1.6") == [
        "AUD/USD offer 0.625000, above 0.6249",
        "AUD/USD mid 0.622500, below 0.6226",
    ]


def test_a_sheet_that_lacks_a_pair_says_nothing_of_it() -> None:
    watching = Watching("USD/JPY bid above 150", "AUD/USD bid above 0.66")
    assert len(watching.sees("0.67", USDJPY="151")) == 2
    assert watching.sees("0.67") == []
    assert len(watching.watch.standing) == 2


def test_an_alert_that_no_rate_tells_of_is_known_until_one_does() -> None:
    watching = Watching("USD/JPY bid above 150", "AUD/USD bid above 0.66")
    watching.sees("0.65")
    assert [str(alert) for alert in watching.watch.unpriced] == ["USD/JPY bid above 150"]
    watching.sees("0.65", USDJPY="149")
    assert watching.watch.unpriced == ()


def test_what_has_crossed_stands_since_then_with_its_newest_price() -> None:
    watching = Watching("AUD/USD bid above 0.66")
    watching.sees("0.6601")
    crossed_at = watching.clock.now()
    watching.sees("0.6611")
    (crossing,) = watching.watch.standing
    assert (crossing.price_words, crossing.at) == ("0.661100", crossed_at)
    watching.sees("0.65")
    assert watching.watch.standing == ()


# On screen


def alerting(*alerts: str, notify: Notify = "off", watch: tuple[Pair, ...] = ()) -> Dashboard:
    settings = settings_of(watch=watch)
    when = tuple(parse_alert(alert) for alert in alerts)
    return Dashboard(settings=replace(settings, alerts=Alerts(when=when, notify=notify)))


def test_a_crossing_is_told_on_any_screen_and_stands_on_the_overview() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.6612"})])
        ui.store.notify()
        await shows(pilot, "AUD/USD bid 0.661200, above 0.66")
        await pilot.press("1")
        await tells(pilot, "AUD/USD bid 0.661200 above 0.66")
        await pilot.press("enter")
        await shows(pilot, "until 12:02:30 UTC")

    alerting("AUD/USD bid above 0.66").play(scenario)


def test_an_alert_that_cannot_come_is_named_on_the_overview() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65"})])
        ui.store.notify()
        await tells(pilot, "Alert USD/JPY bid not priced")

    alerting("USD/JPY bid above 150").play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("notify", "told"),
    [
        ("osc9", ["\x1b]9;paytui: AUD/USD bid 0.661200, above 0.66\a"]),
        ("off", []),
    ],
)
def test_the_terminal_tells_it_as_it_is_set_once(
    monkeypatch: pytest.MonkeyPatch, notify: Notify, told: list[str]
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        written: list[str] = []
        monkeypatch.setattr(pilot.app._driver, "write", written.append)
        ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.6612"})])
        ui.store.notify()
        await shows(pilot, "AUD/USD bid 0.661200, above 0.66")
        await tick(pilot)
        assert [words for words in written if "\a" in words] == told

    alerting("AUD/USD bid above 0.66", notify=notify).play(scenario)


@pytest.mark.slow
def test_with_alerts_a_sheet_of_all_pairs_is_held_whatever_is_on_view() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: ui.port.watched == [(AUD_USD, USD_AUD)])
        await pilot.press("3")
        await shows(pilot, "Loading wallets")
        await pilot.press("4")
        await pilot.press("8")
        await pilot.pause()
        assert ui.port.watched == [(AUD_USD, USD_AUD)]

    alerting("AUD/USD offer above 0.66", watch=(AUD_USD,)).play(scenario)


def test_alerts_that_are_set_are_counted_where_there_is_room() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "Rates  1 alert set")

    alerting("AUD/USD bid above 0.66").play(scenario, size=(120, 40))
