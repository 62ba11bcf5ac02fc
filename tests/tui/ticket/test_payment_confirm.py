"""The confirm step of payouts and transfers, without a screen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paytui.domain.intent import SendPermission
from paytui.domain.models import State
from paytui.store.health import Link, LinkState
from paytui.tui.ticket.choices import payee_key
from tests.tui.book import USD, read, wallet
from tests.tui.ticket.paying import (
    PENDING,
    USD_DESK,
    WAYNE,
    Paying,
    address,
    confirm,
    recipient,
    said,
)


def test_bank_details_are_shown_before_anything_is_confirmed() -> None:
    shown = said(Paying().ready_payout())
    for words in (
        "To Globex",
        "Recipient id rec-1",
        "Account name Globex Corporation",
        "000123451",
        "BIC FNBAUS33, routing 021000021",
        "First National  12345, Springfield, US",
        "1 Main St",
        "1,200.00 USD",
        "INV 7",
        "USD desk  Acme, 5,000.00 USD available",
        "127.0.0.1:8080",
    ):
        assert words in shown


def test_too_little_balance_is_named_and_does_not_block() -> None:
    paying = Paying()
    ticket = paying.ready_payout("6000")
    assert "Exceeds available by 1,000.00 USD" in said(ticket)
    confirm(ticket)
    assert len(paying.port.submitted) == 1


def test_a_token_that_is_not_for_payments_is_warned_of_and_does_not_block() -> None:
    paying = Paying()
    ticket = paying.ready_payout()
    assert "The token lists" not in said(ticket)
    link = Link(
        LinkState.UP, services=("wallets", "trades"), missing_services=frozenset({"payments"})
    )
    paying.store.set_link(link)
    warning = "The token lists wallets, trades, not payments: the service may refuse this."
    assert warning in said(ticket)
    confirm(ticket)
    assert len(paying.port.submitted) == 1


def test_pressing_enter_twice_pays_once() -> None:
    paying = Paying()
    ticket = paying.ready_payout()
    deal = ticket.view().confirms
    for _ in range(3):
        ticket.confirm(deal)
        confirm(ticket)
        ticket.go_on()
    assert len(paying.port.submitted) == 1


def test_bank_details_that_changed_under_the_traders_hand_are_shown_before_they_are_paid() -> None:
    paying = Paying()
    ticket = paying.ready_payout()
    painted = ticket.view().confirms
    moved = replace(address(1, 1), account_number="999")
    paying.store.payment_addresses.put([moved])
    ticket.confirm(painted)
    assert paying.port.submitted == []
    assert "changed while you were confirming" in said(ticket)
    assert "999" in said(ticket)
    confirm(ticket)
    assert len(paying.port.submitted) == 1


def test_a_change_is_said_when_it_comes_and_a_balance_is_none() -> None:
    paying = Paying()
    ticket = paying.ready_payout()
    painted = ticket.view().confirms
    paying.store.wallets.put([wallet(2, "USD desk", "4000", currency=USD)])
    ticket.store_changed()
    assert "changed" not in said(ticket)
    assert ticket.view().confirms == painted
    paying.store.payment_addresses.put([replace(address(1, 1), bic="OTHERXX1")])
    ticket.store_changed()
    assert "changed while you were confirming" in said(ticket)


@pytest.mark.parametrize("what", ["recipient", "address", "wallet"])
@pytest.mark.covers("payout-refused")
def test_nothing_is_paid_to_or_from_what_is_no_longer_active(what: str) -> None:
    paying = Paying()
    ticket = paying.ready_payout()
    painted = ticket.view().confirms
    match what:
        case "recipient":
            paying.store.recipients.put([recipient(1, "Globex", address(1, 1), status=PENDING)])
        case "address":
            paying.store.payment_addresses.put([address(1, 1, status=State("rejected"))])
        case _:
            frozen = wallet(2, "USD desk", "5000", currency=USD, status=State("suspended"))
            paying.store.wallets.put([frozen])
    ticket.confirm(painted)
    ticket.store_changed()
    confirm(ticket)
    assert paying.port.submitted == []
    assert ticket.view().confirms is None
    assert "enter: correct it" in said(ticket)


def test_an_account_that_is_no_longer_active_is_not_paid_though_the_recipient_has_another() -> None:
    paying = Paying()
    ticket = paying.payout(wallet_id=USD_DESK)
    ticket.chosen(payee_key(WAYNE))
    ticket.chosen("adr-6")
    ticket.typed("5")
    ticket.go_on()
    painted = ticket.view().confirms
    paying.store.payment_addresses.put([address(6, 6, status=State("rejected"))])
    ticket.confirm(painted)
    confirm(ticket)
    assert paying.port.submitted == []
    assert "This account: rejected." in said(ticket)


def test_a_live_profile_asks_for_the_amount_to_be_typed() -> None:
    paying = Paying(live=True)
    ticket = paying.ready_payout()
    assert "LIVE" in said(ticket)
    asked = ticket.view().asked
    assert asked
    confirm(ticket)
    ticket.typed("120")
    confirm(ticket)
    assert paying.port.submitted == []
    ticket.typed(asked)
    confirm(ticket)
    assert len(paying.port.submitted) == 1


def test_what_was_typed_before_a_change_confirms_nothing_after_it() -> None:
    """Nor in the moment between a change and its arrival on screen."""
    paying = Paying(live=True)
    ticket = paying.ready_payout()
    paying.store.payment_addresses.put([replace(address(1, 1), account_name="Globex")])
    ticket.typed("1200")
    confirm(ticket)
    assert paying.port.submitted == []
    assert "Type 1200 to confirm." in said(ticket)
    ticket.store_changed()
    ticket.typed("1200")
    confirm(ticket)
    assert len(paying.port.submitted) == 1


def test_what_was_typed_before_sending_was_barred_confirms_nothing_after_it() -> None:
    """Its input is emptied meanwhile."""
    paying = Paying(live=True)
    ticket = paying.ready_payout()
    ticket.typed("1200")
    for is_allowed in (False, True):
        paying.store.set_sending(SendPermission(allowed=is_allowed, why="another owns it"))
        ticket.store_changed()
        assert (ticket.view().confirms is not None) == is_allowed
    confirm(ticket)
    assert paying.port.submitted == []
    assert "Type 1200 to confirm." in said(ticket)


def test_a_read_only_profile_sends_nothing_and_says_so() -> None:
    paying = Paying(read_only=True)
    ticket = paying.ready_payout()
    assert ticket.view().confirms is None
    confirm(ticket)
    assert paying.port.submitted == []


def test_a_balance_says_how_old_it_is_once_wallets_are_read_late() -> None:
    paying = Paying()
    read(paying.store, paying.clock)
    ticket = paying.ready_payout()
    assert "5,000.00 USD available" in said(ticket)
    assert " old" not in said(ticket)
    paying.clock.advance(4 * 60)
    assert "5,000.00 USD available, 4 min old" in said(ticket)
    read(paying.store, paying.clock)
    assert " old" not in said(ticket)
