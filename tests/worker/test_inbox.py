from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta

from paytui.domain.intent import Decision, IntentId, Verdict
from paytui.domain.models import Kind
from paytui.domain.money import CurrencyCode, Pair
from paytui.domain.rates import QuoteId
from paytui.port import Port
from paytui.worker.worker_thread import Inbox
from tests.support.noted_port import NotedPort

SLOWLY = {Kind.WALLETS: timedelta(seconds=40)}
AUD_USD = Pair(CurrencyCode("AUD"), CurrencyCode("USD"))


async def served(inbox: Inbox, meanwhile: Callable[[], None]) -> NotedPort:
    """Serve an inbox while something is done."""
    heard = NotedPort()
    task = asyncio.create_task(inbox.serve(heard))
    for step in (meanwhile, lambda: None):
        for _ in range(5):
            await asyncio.sleep(0)
        step()
        for _ in range(5):
            await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    return heard


def test_the_inbox_is_a_port() -> None:
    port: Port = Inbox()
    port.refresh()
    port.watch_rates(())


def test_what_was_asked_for_before_it_is_served_is_found() -> None:
    inbox = Inbox()
    inbox.refresh()
    inbox.watch_rates((AUD_USD,))
    heard = asyncio.run(served(inbox, lambda: None))
    assert heard.refreshes == 1
    assert heard.watched == [(AUD_USD,)]


def test_what_is_asked_for_while_it_is_served_is_passed_on() -> None:
    inbox = Inbox()
    heard = asyncio.run(served(inbox, inbox.refresh))
    assert heard.refreshes == 1
    assert heard.watched == []


def test_a_wish_is_passed_on_once() -> None:
    inbox = Inbox()
    inbox.refresh()
    heard = asyncio.run(served(inbox, lambda: inbox.watch_rates((AUD_USD,))))
    assert heard.refreshes == 1
    assert heard.watched == [(AUD_USD,)]


def test_only_the_newest_wish_counts() -> None:
    inbox = Inbox()

    def change_ones_mind() -> None:
        for _ in range(1000):
            inbox.refresh()
            inbox.watch_rates((AUD_USD,))
            inbox.read_raw(Kind.WALLETS, "wal-1")
            inbox.read_every({})
        inbox.watch_rates(())
        inbox.read_raw(Kind.TRADES, "tra-1")
        inbox.read_every(SLOWLY)

    heard = asyncio.run(served(inbox, change_ones_mind))
    assert heard.refreshes == 1
    assert heard.watched == [()]
    assert heard.raw_reads == [(Kind.TRADES, "tra-1")]
    assert heard.intervals == [SLOWLY]


def test_asking_after_it_was_served_does_no_harm() -> None:
    inbox = Inbox()
    asyncio.run(served(inbox, lambda: None))
    inbox.refresh()
    inbox.watch_rates(())


def test_every_quote_that_is_asked_for_is_passed_on_in_order() -> None:
    inbox = Inbox()

    def ask() -> None:
        for number in range(100):
            inbox.ask_quote(QuoteId(number), AUD_USD)

    heard = asyncio.run(served(inbox, ask))
    assert heard.quotes == [(number, AUD_USD) for number in range(100)]


def test_every_decision_is_passed_on_also_one_made_before_it_is_served() -> None:
    inbox = Inbox()
    decision = Decision(intent_id=IntentId("PT-00000001"), verdict=Verdict.NOT_DONE)
    inbox.decide(decision)
    heard = asyncio.run(served(inbox, lambda: inbox.decide(decision)))
    assert heard.decided == [decision, decision]
