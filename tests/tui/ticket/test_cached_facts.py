"""Nothing is confirmed by data of another run or by outdated bank details."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from paytui.domain.intent import Standing
from paytui.domain.models import Kind, Problem
from paytui.store.health import Feed
from paytui.tui.ticket.decision import DecisionTask
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ticket.field_names import AMOUNT, FROM, TO
from paytui.tui.ticket.money import Order
from paytui.tui.ticket.trade import Deal
from tests.support.intents import row_of
from tests.tui.book import read
from tests.tui.dashboard import Dashboard, shows, text, tick
from tests.tui.ticket.paying import USD_BOLT, USD_DESK, Paying, confirm, said
from tests.tui.ticket.test_payment_start import PAID
from tests.tui.ticket.trading import Trading

MOVED = {FROM: USD_DESK, TO: USD_BOLT, AMOUNT: "5"}


def know(paying: Paying, kind: Kind, *, cached: bool) -> None:
    """A list was read, by this run or by another."""
    now = paying.clock.now()
    paying.store.set_feed(Feed(kind, as_of=now, read_at=paying.clock.boot(), cached=cached))


def confirmed_once_it_is_read(paying: Paying, ticket: Ticket[Order], kind: Kind) -> None:
    """Assert that it is refused with a reason until the data is read, and then sent."""
    confirm(ticket)
    assert paying.port.submitted == []
    assert f"The {kind} shown are old; this can be confirmed once they are read." in said(ticket)
    know(paying, kind, cached=False)
    ticket.store_changed()
    confirm(ticket)
    assert len(paying.port.submitted) == 1


@pytest.mark.parametrize("old", [Kind.WALLETS, Kind.RECIPIENTS])
def test_no_payout_is_confirmed_by_an_old_wallet_or_recipient(old: Kind) -> None:
    paying = Paying()
    know(paying, old, cached=True)
    confirmed_once_it_is_read(paying, paying.ready_payout(), old)


def test_no_transfer_is_confirmed_by_old_wallets_and_recipients_do_not_matter() -> None:
    paying = Paying()
    know(paying, Kind.WALLETS, cached=True)
    know(paying, Kind.RECIPIENTS, cached=True)
    confirmed_once_it_is_read(paying, paying.ticket("transfer", MOVED), Kind.WALLETS)


def test_an_option_is_made_anew_once_the_answer_to_a_request_is_taken_in() -> None:
    """The ticket is painted between the change of the store and the answer that it takes in."""
    trading = Trading()
    ticket = trading.about_to_pay()
    while ticket.view().name != "rate":
        ticket.go(-1)
    ticket.act("requote")
    trading.answer("two", "0.7")
    assert facts_of_rate(ticket) == "1 AUD = 0.651230 USD"
    ticket.store_changed()
    assert facts_of_rate(ticket) == "1 AUD = 0.700000 USD"


def facts_of_rate(ticket: Ticket[Deal]) -> str:
    return next(one.facts for one in ticket.view().options if one.key == "locked")


ACCOUNTS = [Kind.RECIPIENTS, Kind.PAYMENT_ADDRESSES]


def grow_old(paying: Paying, kind: Kind, seconds: float) -> None:
    """A list that is read every minute was read so long ago; all others just now."""
    paying.clock.advance(seconds)
    read(paying.store, paying.clock)
    feed = replace(paying.store.feed(kind), every=60.0)
    paying.store.set_feed(replace(feed, read_at=paying.clock.boot() - seconds))


@pytest.mark.parametrize(
    ("kind", "problem"),
    [(Kind.RECIPIENTS, None), (Kind.PAYMENT_ADDRESSES, Problem("read recipients", "503"))],
)
def test_no_payout_is_confirmed_by_bank_details_that_were_to_be_read_twice_since(
    kind: Kind, problem: Problem | None
) -> None:
    paying = Paying()
    grow_old(paying, kind, 600)
    paying.store.set_feed(replace(paying.store.feed(kind), problem=problem))
    ticket = paying.ready_payout()
    confirm(ticket)
    assert paying.port.submitted == []
    words = f"The {kind.value.replace('_', ' ')} shown are 10 min old; this can be confirmed once"
    assert words in said(ticket)
    read(paying.store, paying.clock)
    ticket.store_changed()
    confirm(ticket)
    assert len(paying.port.submitted) == 1


@pytest.mark.parametrize("kind", ACCOUNTS)
def test_a_read_or_two_that_failed_hold_no_payout_back(kind: Kind) -> None:
    paying = Paying()
    grow_old(paying, kind, 120)
    known = paying.store.feed(kind)
    paying.store.set_feed(replace(known, problem=Problem("read recipients", "503")))
    confirm(paying.ready_payout())
    assert len(paying.port.submitted) == 1


@pytest.mark.parametrize("kind", ACCOUNTS)
def test_a_transfer_does_not_wait_for_bank_details(kind: Kind) -> None:
    paying = Paying()
    grow_old(paying, kind, 600)
    confirm(paying.ticket("transfer", MOVED))
    assert len(paying.port.submitted) == 1


@pytest.mark.parametrize("kind", ACCOUNTS)
def test_no_trade_that_pays_somebody_is_confirmed_by_old_bank_details(kind: Kind) -> None:
    trading = Trading()
    machine = trading.about_to_pay()
    read(trading.store, trading.clock)
    long_ago = replace(trading.store.feed(kind), read_at=trading.clock.boot() - 600)
    trading.store.set_feed(long_ago)
    machine.confirm(machine.view().confirms)
    assert trading.port.submitted == []
    assert "shown are 10 min old" in said(machine)
    read(trading.store, trading.clock)
    machine.confirm(machine.view().confirms)
    assert len(trading.port.submitted) == 1


@pytest.mark.parametrize("kind", ACCOUNTS)
def test_nothing_is_sent_again_by_old_bank_details(kind: Kind) -> None:
    paying = Paying()
    confirm(paying.ready_payout())
    row = row_of(paying.port.submitted[-1], Standing.RECORDED)
    paying.store.intents.put([row])
    grow_old(paying, kind, 600)
    decision = Ticket(DecisionTask(paying.ui, row))
    decision.chosen("send it now")
    assert decision.view().confirms is None
    assert "shown are 10 min old" in said(decision)
    read(paying.store, paying.clock)
    assert decision.view().confirms is not None


@pytest.mark.slow
def test_what_is_too_old_is_read_once_it_is_to_be_confirmed_though_reading_may_pause() -> None:
    paying = Paying()
    paying.store.payments.put([PAID])
    grow_old(paying, Kind.RECIPIENTS, 600)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "P")
        await shows(pilot, "The recipients shown are 10 min old")
        assert "enter: send" not in text(pilot)
        await tick(pilot)
        await tick(pilot)
        assert ui.port.refreshes == 1
        read(paying.store, paying.clock)
        await shows(pilot, "enter: send")
        ui.clock.advance(31)
        read(paying.store, paying.clock)
        await tick(pilot)
        assert ui.port.refreshes == 1

    Dashboard(paying.store, paying.clock, port=paying.port).play(scenario)
