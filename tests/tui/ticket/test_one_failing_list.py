"""If the payment addresses of one recipient cannot be read, only that one is not paid."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from paytui.domain.intent import Standing
from paytui.domain.models import Kind, Problem, RecipientId
from paytui.store.health import FailingList
from paytui.tui.ticket.decision import DecisionTask
from paytui.tui.ticket.engine import Ticket
from tests.support.intents import row_of
from tests.tui.book import read
from tests.tui.dashboard import Dashboard, shows, text, tick
from tests.tui.ticket.paying import GLOBEX, WAYNE, Paying, confirm, said
from tests.tui.ticket.test_payment_start import PAID
from tests.tui.ticket.trading import Trading

FAILED = Problem("read payment addresses", "500")
OLD_WORDS = (
    "The payment addresses of Globex are 10 min old (500); "
    "this can be confirmed once they are read again."
)


def fails(
    world: Paying | Trading,
    whose: str,
    *,
    since: float | None = 600.0,
    others: float | None = 0.0,
    cached: bool = False,
    kind: Kind = Kind.PAYMENT_ADDRESSES,
    tracked: int = 0,
) -> None:
    """The list of one was read so many seconds ago, and those of the others."""
    read(world.store, world.clock)
    now = world.clock.boot()
    own_read_at, others_read_at = (None if ago is None else now - ago for ago in (since, others))
    feed = replace(
        world.store.feed(kind),
        every=60.0,
        tracked=tracked,
        read_at=own_read_at,
        problem=FAILED,
        cached=cached,
        failing={whose: FailingList(own_read_at, FAILED)},
        others_read_at=others_read_at,
    )
    world.store.set_feed(feed)


@pytest.fixture
def paying() -> Paying:
    paying = Paying()
    paying.clock.advance(3600)
    return paying


def test_it_is_not_paid_and_it_is_said_whose_list_fails_and_why(paying: Paying) -> None:
    fails(paying, GLOBEX)
    ticket = paying.ready_payout()
    confirm(ticket)
    assert paying.port.submitted == []
    assert OLD_WORDS in said(ticket)
    assert ticket.view().wants_reading
    read(paying.store, paying.clock)
    ticket.store_changed()
    confirm(ticket)
    assert len(paying.port.submitted) == 1


@pytest.mark.parametrize("since", [600.0, None])
def test_all_others_are_paid(paying: Paying, since: float | None) -> None:
    fails(paying, WAYNE, since=since)
    ticket = paying.ready_payout()
    assert not ticket.view().wants_reading
    confirm(ticket)
    assert len(paying.port.submitted) == 1


def test_others_whose_lists_are_as_old_are_not_paid_either(paying: Paying) -> None:
    fails(paying, WAYNE, others=600.0)
    ticket = paying.ready_payout()
    confirm(ticket)
    assert paying.port.submitted == []
    assert "The payment addresses shown are 10 min old" in said(ticket)


def test_a_read_or_two_that_failed_do_not_bar_it(paying: Paying) -> None:
    fails(paying, GLOBEX, since=120.0)
    confirm(paying.ready_payout())
    assert len(paying.port.submitted) == 1


def test_one_that_was_never_read_in_this_run_is_not_paid(paying: Paying) -> None:
    fails(paying, GLOBEX, since=None)
    ticket = paying.ready_payout()
    confirm(ticket)
    assert paying.port.submitted == []
    assert "The payment addresses of Globex could not be read (500); this can be" in said(ticket)


def test_another_is_paid_though_the_cache_could_not_be_replaced_whole(paying: Paying) -> None:
    fails(paying, WAYNE, since=None, cached=True)
    confirm(paying.ready_payout())
    assert len(paying.port.submitted) == 1


@pytest.mark.parametrize("kind", [Kind.RECIPIENTS, Kind.PAYMENT_ADDRESSES])
def test_nor_does_one_tracked_recipient_that_cannot_be_read_bar_the_others_with_a_cache(
    paying: Paying, kind: Kind
) -> None:
    fails(paying, WAYNE, since=None, cached=True, kind=kind, tracked=6)
    confirm(paying.ready_payout())
    assert len(paying.port.submitted) == 1


@pytest.mark.parametrize("kind", [Kind.RECIPIENTS, Kind.PAYMENT_ADDRESSES])
def test_nor_does_it_bar_a_trade_that_pays_another_with_a_cache(kind: Kind) -> None:
    trading = Trading()
    machine = trading.about_to_pay()
    fails(trading, WAYNE, since=None, cached=True, kind=kind)
    machine.confirm(machine.view().confirms)
    assert len(trading.port.submitted) == 1


def test_a_recipient_that_only_another_run_has_seen_is_not_paid(paying: Paying) -> None:
    fails(paying, WAYNE, since=None, cached=True, kind=Kind.RECIPIENTS)
    recipients = paying.store.recipients.rows()
    paying.store.recipients.remove(payee.recipient_id for payee in recipients)
    paying.store.recipients.recall(recipients)
    ticket = paying.ready_payout()
    confirm(ticket)
    assert paying.port.submitted == []
    assert "The recipients shown are old" in said(ticket)


def test_an_account_that_only_another_run_has_seen_is_not_paid(paying: Paying) -> None:
    fails(paying, WAYNE, since=None, cached=True)
    recipients = paying.store.recipients.rows()
    paying.store.payment_addresses.recall(
        address for payee in recipients for address in payee.payment_addresses
    )
    ticket = paying.ready_payout()
    confirm(ticket)
    assert paying.port.submitted == []
    assert "The payment addresses shown are old" in said(ticket)


def test_nobody_is_paid_while_another_list_was_not_read_in_this_run(paying: Paying) -> None:
    fails(paying, WAYNE, since=None, others=None, cached=True)
    confirm(paying.ready_payout())
    assert paying.port.submitted == []


def test_nobody_is_paid_by_lists_of_which_nobody_knows_how_old_they_are(paying: Paying) -> None:
    fails(paying, WAYNE, since=None, others=None)
    ticket = paying.ready_payout()
    confirm(ticket)
    assert paying.port.submitted == []
    assert "The payment addresses shown are of unknown age; this can be" in said(ticket)


@pytest.mark.parametrize(
    ("kind", "problem", "sent"),
    [
        (Kind.RECIPIENTS, FAILED, 0),
        (Kind.PAYMENT_ADDRESSES, FAILED, 0),
        (Kind.RECIPIENTS, None, 1),
    ],
)
def test_a_list_that_failed_before_it_was_ever_whole_bars_and_one_that_is_still_read_does_not(
    paying: Paying, kind: Kind, problem: Problem | None, sent: int
) -> None:
    read(paying.store, paying.clock)
    feed = replace(paying.store.feed(kind), as_of=None, read_at=None, problem=problem)
    paying.store.set_feed(feed)
    confirm(paying.ready_payout())
    assert len(paying.port.submitted) == sent


@pytest.mark.parametrize(("whose", "sent"), [(GLOBEX, 0), (WAYNE, 1)])
@pytest.mark.parametrize("since", [600.0, None])
def test_where_recipients_are_tracked_the_one_that_cannot_be_read_is_not_paid(
    paying: Paying, whose: RecipientId, since: float | None, sent: int
) -> None:
    fails(paying, whose, since=since, kind=Kind.RECIPIENTS)
    ticket = paying.ready_payout()
    confirm(ticket)
    assert len(paying.port.submitted) == sent
    assert ("The details of Globex" in said(ticket)) is not bool(sent)


@pytest.mark.parametrize(("whose", "sent"), [("adr-1", 0), ("adr-6", 1)])
def test_where_accounts_are_tracked_the_one_that_cannot_be_read_is_not_paid(
    paying: Paying, whose: str, sent: int
) -> None:
    fails(paying, whose, tracked=10)
    confirm(paying.ready_payout())
    assert len(paying.port.submitted) == sent


@pytest.mark.parametrize(("whose", "sent"), [(GLOBEX, 0), (WAYNE, 1)])
def test_a_trade_that_pays_somebody_asks_for_that_list_alone(whose: RecipientId, sent: int) -> None:
    trading = Trading()
    machine = trading.about_to_pay()
    fails(trading, whose)
    machine.confirm(machine.view().confirms)
    assert len(trading.port.submitted) == sent
    assert machine.view().wants_reading is not bool(sent)


@pytest.mark.parametrize(("whose", "may_be_sent"), [(GLOBEX, False), (WAYNE, True)])
def test_a_decision_to_send_asks_for_that_list_alone(
    paying: Paying, whose: RecipientId, *, may_be_sent: bool
) -> None:
    read(paying.store, paying.clock)
    confirm(paying.ready_payout())
    row = row_of(paying.port.submitted[-1], Standing.RECORDED)
    paying.store.intents.put([row])
    fails(paying, whose)
    decision = Ticket(DecisionTask(paying.ui, row))
    decision.chosen("send it now")
    assert (decision.view().confirms is not None) is may_be_sent
    assert (OLD_WORDS in said(decision)) is not may_be_sent


def test_nothing_is_read_again_for_the_list_of_somebody_else(paying: Paying) -> None:
    paying.store.payments.put([PAID])
    fails(paying, WAYNE)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "P")
        await shows(pilot, "enter: send")
        await tick(pilot)
        await tick(pilot)
        assert "enter: send" in text(pilot)
        assert ui.port.refreshes == 0

    Dashboard(paying.store, paying.clock, port=paying.port).play(scenario)
