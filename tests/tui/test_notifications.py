"""The outcome of an intent is announced once, on any screen."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from textual.pilot import Pilot

from paytui.domain.intent import Action, IntentRow, SendPermission, Standing
from paytui.domain.models import Kind, Problem, State, Trade, TradeId
from paytui.store.health import Link, LinkState
from paytui.tui.notifications import IntentNotifications
from tests.support.clock import NOON
from tests.support.intents import intent_row
from tests.tui.book import payment
from tests.tui.dashboard import Dashboard, lines, shows

PAYOUT = "Payout 1,200.00 USD to Bolt"
UNWRITTEN = "could not be recorded, so nothing was sent"


def news_of(ui: Dashboard) -> IntentNotifications:

    return IntentNotifications(ui.app().ui)


def told(news: IntentNotifications) -> list[str]:
    return [headline.words for headline in news.poll()]


def row(standing: Standing, **changes: object) -> IntentRow:
    """An intent that came to stand so just now."""
    return intent_row(1, standing, minutes_ago=0, **changes)


REFUSED = Problem(f"send {PAYOUT}", "422", said="Insufficient funds.")


@pytest.mark.parametrize(
    ("now", "words"),
    [
        (row(Standing.ACCEPTED), f"{PAYOUT}: accepted"),
        (row(Standing.REFUSED, problem=REFUSED), f"{PAYOUT}: refused: Insufficient funds."),
        (
            row(Standing.IN_DOUBT),
            f"{PAYOUT}: in doubt: the connection was cut. See Activity (8).",
        ),
        (
            row(Standing.NOT_EXECUTED, problem=Problem("send", "connection refused")),
            f"{PAYOUT}: not executed: connection refused",
        ),
        (
            row(Standing.NOT_RECORDED, problem=Problem("send", "disk full")),
            f"{PAYOUT}: {UNWRITTEN}: disk full. See Activity (8).",
        ),
        (row(Standing.DONE), f"{PAYOUT}: marked executed"),
        (row(Standing.NOT_DONE), f"{PAYOUT}: marked not executed"),
    ],
    ids=lambda value: value.standing if isinstance(value, IntentRow) else "",
)
def test_a_change_is_told_once_as_it_is(ui: Dashboard, now: IntentRow, words: str) -> None:
    news = news_of(ui)
    ui.store.intents.put([row(Standing.SENDING)])
    assert told(news) == []
    ui.store.intents.put([now])
    assert told(news) == [words]
    assert told(news) == []


def test_a_damaged_outbox_is_told_once_from_the_start_on(ui: Dashboard) -> None:
    why = "Could not open the outbox: x is damaged (row 1 of its intents is missing)."
    ui.store.set_sending(SendPermission(allowed=False, why=why, damaged=True))
    news = news_of(ui)
    [headline] = news.poll()
    assert (headline.words, headline.pressing) == (why, True)
    assert told(news) == []


def test_what_is_over_before_anybody_looks_is_told_all_the_same(ui: Dashboard) -> None:
    news = news_of(ui)
    ui.store.intents.put([row(Standing.RECORDED)])
    ui.store.intents.put([row(Standing.ACCEPTED)])
    assert told(news) == [f"{PAYOUT}: accepted"]


def test_what_was_so_at_the_start_is_no_news_but_its_next_change_is(ui: Dashboard) -> None:
    news = news_of(ui)
    doubtful = intent_row(1, Standing.IN_DOUBT, minutes_ago=2, alerts=("booked at another rate",))
    ui.store.intents.put([doubtful, intent_row(2, Standing.SENDING, minutes_ago=2)])
    assert told(news) == []
    settled = replace(doubtful, standing=Standing.DONE)
    left = intent_row(2, Standing.IN_DOUBT, minutes_ago=0)
    ui.store.intents.put([settled, left])
    assert told(news) == [
        f"{PAYOUT}: marked executed",
        f"{PAYOUT}: in doubt: the connection was cut. See Activity (8).",
    ]


def test_a_repeat_that_leaves_it_in_doubt_is_no_news(ui: Dashboard) -> None:
    news = news_of(ui)
    ui.store.intents.put([row(Standing.IN_DOUBT)])
    assert len(told(news)) == 1
    for standing in (Standing.SENDING, Standing.IN_DOUBT):
        ui.store.intents.put([row(standing, attempts=2)])
        assert told(news) == []


def test_an_alert_is_told_once(ui: Dashboard) -> None:
    news = news_of(ui)
    ui.store.intents.put([row(Standing.ACCEPTED, object_id="pay-9")])
    news.poll()
    alarmed = row(Standing.ACCEPTED, object_id="pay-9", alerts=("Booked 1,300.00 USD.",))
    ui.store.intents.put([alarmed])
    assert told(news) == [f"{PAYOUT}: Booked 1,300.00 USD."]
    assert told(news) == []


def test_the_release_of_a_payout_is_told_with_its_end_to_end_id_and_its_arrival_is_not(
    ui: Dashboard,
) -> None:
    news = news_of(ui)
    ui.store.intents.put([row(Standing.ACCEPTED, object_id="pay-9")])
    ui.store.payments.put([payment(9, "1200", "processing")])
    assert told(news) == [f"{PAYOUT}: accepted"]
    ui.store.payments.put([replace(payment(9, "1200", "released"), end_to_end_id="E2E-9")])
    assert told(news) == [f"{PAYOUT}: released, end-to-end id E2E-9"]
    ui.store.payments.put([replace(payment(9, "1200", "completed"), end_to_end_id="E2E-9")])
    assert told(news) == []
    ui.store.payments.put([replace(payment(9, "1200", "returned"), failure_reason="closed")])
    assert told(news) == [f"{PAYOUT}: returned: closed"]


def test_a_trade_is_followed_among_trades_and_not_among_payments(ui: Dashboard) -> None:
    news = news_of(ui)
    title = "Trade: sell 250,000.00 AUD, buy USD"
    traded = row(Standing.ACCEPTED, action=Action.BOOK_TRADE, object_id="pay-9", title=title)
    ui.store.intents.put([traded])
    ui.store.payments.put([payment(9, "1200", "released")])
    assert told(news) == [f"{title}: accepted"]
    ui.store.trades.put([Trade(TradeId("pay-9"), status=State("exchanged"))])
    assert told(news) == [f"{title}: exchanged"]


def test_a_payment_that_was_released_before_the_start_is_no_news(ui: Dashboard) -> None:
    news = news_of(ui)
    old = intent_row(1, Standing.ACCEPTED, minutes_ago=9, object_id="pay-9")
    ui.store.intents.put([old])
    ui.store.payments.put([payment(9, "1200", "released")])
    assert told(news) == []


def test_the_end_of_one_that_a_cache_had_as_the_service_has_it_is_told(ui: Dashboard) -> None:
    feed = ui.store.feed(Kind.PAYMENTS)
    ui.store.set_feed(replace(feed, cached=True))
    under_way = replace(payment(9, "1200"), status=State("processing"))
    ui.store.payments.recall([under_way])
    ui.store.intents.put([intent_row(1, Standing.DONE, minutes_ago=2, object_id="pay-9")])
    news = news_of(ui)
    assert told(news) == []
    ui.store.payments.put([under_way])
    ui.store.set_feed(replace(feed, cached=False))
    assert told(news) == []
    ui.store.payments.put([replace(under_way, status=State("failed", final=True))])
    assert told(news) == [f"{PAYOUT}: failed"]


def test_a_clock_that_is_corrected_hides_no_news(ui: Dashboard) -> None:
    news = news_of(ui)
    standing = row(Standing.ACCEPTED, since=NOON - timedelta(seconds=1))
    ui.store.intents.put([standing])
    assert told(news) == [f"{PAYOUT}: accepted"]


def test_news_come_up_on_any_screen_and_nothing_in_them_is_markup(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        ui.store.intents.put([row(Standing.ACCEPTED, title="Payout 1.00 USD to [b]Bolt[/x]")])
        ui.store.notify()
        await shows(pilot, "Payout 1.00 USD to [b]Bolt[/x]: accepted")

    ui.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(60, 20), (120, 40)])
def test_news_lie_over_no_figure_and_leave_the_cursor_on_view(
    ui: Dashboard, size: tuple[int, int]
) -> None:
    ui.store.payments.put([payment(number, "1000") for number in range(10, 90)])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "G")
        await shows(pilot, "▌")
        ui.store.intents.put([row(Standing.SENDING)])
        ui.store.notify()
        await pilot.pause()
        ui.store.intents.put([row(Standing.REFUSED, problem=REFUSED)])
        ui.store.notify()
        await shows(pilot, "Insufficient")
        await pilot.pause()
        shown = lines(pilot)
        *rows, sums = [line for line in shown[4:-1] if "AUD" in line]
        assert "· AUD 94,600.50" in sums
        assert len(rows) > 9
        assert all(re.search(r"\d\.\d\d +AUD", line) for line in rows)
        [said] = [line for line in shown if PAYOUT in line]
        assert said.strip().startswith(PAYOUT)
        assert any("▌" in line for line in rows)

    ui.play(scenario, size)


def test_that_what_refreshes_it_all_has_stopped_is_told_once_and_what_more_comes_to_be_known_of_it(
    ui: Dashboard,
) -> None:
    news = news_of(ui)
    problem = Problem("refresh the screens", "unexpected KeyError", remedy="Start again.")
    ui.store.set_link(Link(LinkState.STOPPED, problem=problem))
    (headline,) = news.poll()
    assert headline.pressing
    assert headline.words == str(problem)
    assert told(news) == []
    more = replace(problem, remedy="Start again. A report is kept.")
    ui.store.set_link(Link(LinkState.STOPPED, problem=more))
    assert told(news) == [str(more)]
    assert told(news) == []


def test_a_name_without_end_leaves_room_for_what_came_of_it(ui: Dashboard) -> None:
    news = news_of(ui)
    title = "Payout 1,200.00 USD to " + "Bolt " * 400
    ui.store.intents.put([row(Standing.REFUSED, title=title, problem=REFUSED)])
    [words] = told(news)
    assert words.endswith("…: refused: Insufficient funds.")
    assert len(words) < 200
