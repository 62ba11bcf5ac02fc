"""The overview: totals by currency, attention, live rates, and the age of it all."""

from __future__ import annotations

from datetime import timedelta

import pytest
from textual.pilot import Pilot

from paytui.domain.models import AccountId, Kind, State
from paytui.platform.clock import ServiceTime
from paytui.store.health import Feed, Link, LinkState
from tests.support.clock import NOON
from tests.support.intents import intent_row
from tests.tui.book import failed, payment, read, wallet
from tests.tui.dashboard import Dashboard, lines, settings_of, shows, text, tick


def line_with(pilot: Pilot[None], words: str) -> str:
    return next((line for line in lines(pilot) if words in line), "")


@pytest.mark.slow
def test_one_account_in_scope_leaves_the_money_of_others_out(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("a")
        await shows(pilot, "Bolt")
        await pilot.press("j", "j", "enter")  # all accounts, Acme, Bolt
        await shows(pilot, "70,000.00")
        screen = text(pilot)
        assert "1,274,330.15" not in screen
        assert "JPY" not in screen
        assert "  Bolt" in lines(pilot)[0]
        assert "✓ all lists current" in screen
        await pilot.press("3")
        await shows(pilot, "2 wallets")
        assert "AUD desk" not in text(pilot)
        await pilot.press("a")
        await shows(pilot, "Acme")
        await pilot.press("g", "enter")
        await shows(pilot, "4 wallets")

    ui.play(scenario)


def test_what_failed_needs_somebody_and_leads_to_its_detail(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "12,000.00 AUD")
        assert "rejected" in line_with(pilot, "12,000.00 AUD")
        await pilot.press("enter")
        await shows(pilot, "› Payout 12,000.00 AUD")

    ui.play(scenario)


@pytest.mark.slow
def test_a_failing_feed_says_how_old_its_rows_are_why_and_since_when(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        failed(ui.store, Kind.PAYMENTS, "503")
        ui.clock.advance(245)
        await pilot.press("6")
        await shows(pilot, "payments 4 min old: 503, since 14:02")
        assert "12,000.00" in text(pilot)
        ui.clock.advance(60)
        await tick(pilot)
        assert "payments 5 min old: 503, since 14:02" in text(pilot)
        await pilot.press("3")
        await shows(pilot, "4 wallets")
        assert "503" not in text(pilot)

    ui.play(scenario)


def test_a_list_that_was_never_read_shows_why_instead_of_nothing(empty: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "Loading payments")
        failed(ui.store, Kind.PAYMENTS, "503")
        await shows(pilot, "Could not read payments: 503")

    empty.play(scenario)


def test_a_list_that_the_service_does_not_have_says_so(ui: Dashboard) -> None:
    ui.store.payments.remove([payment(n, "1").payment_transaction_id for n in (1, 2, 3)])
    ui.store.set_feed(Feed(Kind.PAYMENTS, offered=False))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "This service offers no list of payments.")
        await shows(pilot, "paytui track ID")

    ui.play(scenario)


@pytest.mark.parametrize("size", [(60, 20), (120, 40)])
def test_what_balances_cannot_tell_stands_on_the_overview_to_its_last_word(
    empty: Dashboard, size: tuple[int, int]
) -> None:
    empty.store.set_feed(Feed(Kind.WALLETS, offered=False))
    said = "This service offers no list of wallets. Track known ones: paytui track ID…"

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "this service lists no wallets")
        beside = (line.strip("│").partition("│")[0].split() for line in lines(pilot))
        assert said in " ".join(word for words in beside for word in words)

    empty.play(scenario, size)


def test_a_list_that_was_cut_short_says_how_many_there_are(ui: Dashboard) -> None:
    ui.store.set_feed(Feed(Kind.WALLETS, as_of=NOON, read_at=ui.clock.boot(), total=5300))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await shows(pilot, "5,296 of 5,300 not read")

    ui.play(scenario)


def test_rows_that_nobody_read_lately_are_said_to_be_old_even_without_a_failure(
    ui: Dashboard,
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        ui.clock.advance(600)
        await tick(pilot)
        assert "wallets 10 min old" in text(pilot)

    ui.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("live", "badge"), [(True, "ACME LIVE  api.acme.example"), (False, "demo test  127.0.0.1:8080")]
)
def test_the_first_line_says_in_words_whether_money_is_real(live: bool, badge: str) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        for key in ("1", "3", "4", "6"):
            await pilot.press(key)
            assert badge in " ".join(lines(pilot)[0].split(" ")).replace("   ", "  ")

    Dashboard(settings=settings_of(live=live)).play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("link", "words"),
    [
        (Link(LinkState.STOPPED), "updates stopped, restart paytui"),
        (Link(LinkState.UP, superseded=True), "another program uses this clientId"),
    ],
)
def test_trouble_with_the_link_is_on_screen(empty: Dashboard, link: Link, words: str) -> None:
    empty.store.set_link(link)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, words)

    empty.play(scenario, size=(120, 40))


def test_a_late_list_is_named_on_every_screen_and_several_are_counted(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        failed(ui.store, Kind.PAYMENTS, "503")
        ui.clock.advance(20)
        await pilot.press("4")
        await tick(pilot)
        assert "payments 20 s old" in lines(pilot)[0]
        failed(ui.store, Kind.TRADES, "503")
        await tick(pilot)
        assert "2 lists late" in lines(pilot)[0]

    ui.play(scenario)


def test_a_host_clock_that_is_off_is_on_screen(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        assert ui.time is not None
        ui.time.observe(NOON - timedelta(minutes=10), ui.clock.boot(), ui.clock.boot())
        await tick(pilot)
        assert "host clock 10 min ahead" in lines(pilot)[0]
        assert "11:50:00 UTC" in lines(pilot)[0]

    ui.time = ServiceTime(ui.clock)
    ui.play(scenario)


def test_the_clock_is_the_services_in_steps_of_five_seconds(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await tick(pilot)
        assert "12:00:00 UTC" in lines(pilot)[0]
        ui.clock.advance(4)
        await tick(pilot)
        assert "12:00:00 UTC" in lines(pilot)[0]
        ui.clock.advance(1)
        await tick(pilot)
        assert "12:00:05 UTC" in lines(pilot)[0]

    ui.play(scenario)


def test_a_wallet_that_is_not_active_needs_somebody(ui: Dashboard) -> None:
    ui.store.wallets.put([wallet(6, "frozen", "1", status=State("suspended"))])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "Wallet frozen")

    ui.play(scenario)


@pytest.mark.slow
def test_a_desk_that_looks_at_an_unknown_account_shows_no_money(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        app = pilot.app
        assert hasattr(app, "show_account")
        app.show_account(AccountId("acc-77"))
        await shows(pilot, "No wallets of this account.")

    ui.play(scenario)


def test_a_wallet_in_a_state_that_no_dialect_lists_has_it_as_the_service_wrote_it(
    ui: Dashboard,
) -> None:
    lien = State("on_a_LIEN", known=False)
    ui.store.wallets.put([wallet(9, "Escrow", "1", status=lien)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "Wallet Escrow")
        assert "on_a_LIEN" in line_with(pilot, "Wallet Escrow")

    ui.play(scenario)


@pytest.mark.slow
def test_an_intent_in_doubt_stands_first_and_leads_to_what_is_known_of_it(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "12,000.00 AUD")
        ui.store.intents.put([intent_row(1)])
        ui.store.notify()
        await shows(pilot, "1,200.00 USD")
        assert "12,000.00 AUD" in line_with(pilot, "▌")
        ui.clock.advance(61)
        await tick(pilot)  # a minute after the last key, urgency alone counts
        painted = text(pilot)
        assert painted.index("1,200.00 USD") < painted.index("12,000.00 AUD")
        assert "in doubt" in line_with(pilot, "1,200.00 USD")
        await pilot.press("g", "enter")
        await shows(pilot, "Overview › Payout 1,200.00 USD to Bolt")

    ui.play(scenario)


@pytest.mark.slow
def test_with_time_alone_bad_news_grows_old_and_a_review_comes_to_last_long(
    ui: Dashboard,
) -> None:
    ui.store.payments.put([payment(5, "77", "compliance_review", minutes_ago=20)])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "12,000.00 AUD")
        assert "77.00 AUD" not in text(pilot)
        ui.clock.advance(11 * 60)
        await tick(pilot)
        assert "in review" in line_with(pilot, "77.00 AUD")
        ui.clock.advance(timedelta(hours=24).total_seconds())
        await tick(pilot)
        assert "12,000.00" not in text(pilot)

    ui.play(scenario)


@pytest.mark.slow
def test_nothing_is_said_to_need_nobody_before_all_was_read(empty: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "Unknown until every list is read.")
        read(ui.store, ui.clock, Kind.WALLETS, Kind.PAYMENTS, Kind.TRADES)
        await shows(pilot, "loading 5 lists")
        assert "not known yet" in text(pilot)
        read(ui.store, ui.clock, Kind.PAYINS)
        await shows(pilot, "Nothing needs attention.")

    empty.play(scenario)


def test_a_feed_that_lacks_something_is_named(ui: Dashboard) -> None:
    held = ui.clock.boot()
    ui.store.set_feed(Feed(Kind.TRADES, as_of=NOON, read_at=held, total=1, skipped=1))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "! trades 1 unreadable")

    ui.play(scenario)


def test_what_is_wrong_with_a_feed_comes_first_and_goes_on_below_its_noun(ui: Dashboard) -> None:
    failed(ui.store, Kind.PAYMENTS, "the service says that it is being maintained until later on")

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(
            pilot, "\n ! payments 0 s old: the service says that it is being maintained until"
        )
        first = next(y for y, line in enumerate(lines(pilot)) if line.startswith(" ! payments"))
        assert lines(pilot)[first + 1] == "   on, since 14:02"

    ui.play(scenario)
