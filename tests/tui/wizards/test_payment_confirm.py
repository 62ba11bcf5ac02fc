"""The confirm step of payouts and transfers, without a screen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paytui.domain.models import State
from paytui.store.health import Link, LinkState
from tests.tui.book import USD, read, wallet
from tests.tui.wizards.paying import (
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
    wizard = paying.ready_payout("6000")
    assert "exceeds available by 1,000.00 USD" in said(wizard)
    confirm(wizard)
    assert len(paying.port.submitted) == 1


def test_a_token_that_is_not_for_payments_is_warned_of_and_does_not_block() -> None:
    paying = Paying()
    wizard = paying.ready_payout()
    assert "The token lists" not in said(wizard)
    link = Link(
        LinkState.UP, services=("wallets", "trades"), missing_services=frozenset({"payments"})
    )
    paying.store.set_link(link)
    warning = "The token lists wallets, trades, not payments: the service may refuse this."
    assert warning in said(wizard)
    confirm(wizard)
    assert len(paying.port.submitted) == 1


def test_pressing_enter_twice_pays_once() -> None:
    paying = Paying()
    wizard = paying.ready_payout()
    deal = wizard.view().confirms
    for _ in range(3):
        wizard.confirm(deal)
        confirm(wizard)
        wizard.go_on()
    assert len(paying.port.submitted) == 1


def test_bank_details_that_changed_under_the_traders_hand_are_shown_before_they_are_paid() -> None:
    paying = Paying()
    wizard = paying.ready_payout()
    painted = wizard.view().confirms
    moved = replace(address(1, 1), account_number="999")
    paying.store.payment_addresses.put([moved])
    wizard.confirm(painted)
    assert paying.port.submitted == []
    assert "changed while you were confirming" in said(wizard)
    assert "999" in said(wizard)
    confirm(wizard)
    assert len(paying.port.submitted) == 1


def test_a_change_is_said_when_it_comes_and_a_balance_is_none() -> None:
    paying = Paying()
    wizard = paying.ready_payout()
    painted = wizard.view().confirms
    paying.store.wallets.put([wallet(2, "USD desk", "4000", currency=USD)])
    wizard.store_changed()
    assert "changed" not in said(wizard)
    assert wizard.view().confirms == painted
    paying.store.payment_addresses.put([replace(address(1, 1), bic="OTHERXX1")])
    wizard.store_changed()
    assert "changed while you were confirming" in said(wizard)


@pytest.mark.parametrize("what", ["recipient", "address", "wallet"])
@pytest.mark.covers("payout-refused")
def test_nothing_is_paid_to_or_from_what_is_no_longer_active(what: str) -> None:
    paying = Paying()
    wizard = paying.ready_payout()
    painted = wizard.view().confirms
    match what:
        case "recipient":
            paying.store.recipients.put([recipient(1, "Globex", address(1, 1), status=PENDING)])
        case "address":
            paying.store.payment_addresses.put([address(1, 1, status=State("rejected"))])
        case _:
            frozen = wallet(2, "USD desk", "5000", currency=USD, status=State("suspended"))
            paying.store.wallets.put([frozen])
    wizard.confirm(painted)
    wizard.store_changed()
    confirm(wizard)
    assert paying.port.submitted == []
    assert wizard.view().confirms is None
    assert "esc: back to correct it" in said(wizard)


def test_an_account_that_is_no_longer_active_is_not_paid_though_the_recipient_has_another() -> None:
    paying = Paying()
    wizard = paying.payout(wallet_id=USD_DESK)
    wizard.chosen(WAYNE)
    wizard.chosen("adr-6")
    wizard.typed("5")
    wizard.go_on()
    wizard.go_on()
    painted = wizard.view().confirms
    paying.store.payment_addresses.put([address(6, 6, status=State("rejected"))])
    wizard.confirm(painted)
    confirm(wizard)
    assert paying.port.submitted == []
    assert "This account: rejected." in said(wizard)


def test_a_live_profile_asks_for_the_amount_to_be_typed() -> None:
    paying = Paying(live=True)
    wizard = paying.ready_payout()
    assert "LIVE" in said(wizard)
    entry = wizard.view().entry
    assert entry is not None
    assert not entry.pasted
    confirm(wizard)
    wizard.typed("120")
    confirm(wizard)
    assert paying.port.submitted == []
    wizard.typed(entry.label.split()[1])
    confirm(wizard)
    assert len(paying.port.submitted) == 1


def test_a_read_only_profile_sends_nothing_and_says_so() -> None:
    paying = Paying(read_only=True)
    wizard = paying.ready_payout()
    assert wizard.view().confirms is None
    confirm(wizard)
    assert paying.port.submitted == []


def test_a_balance_says_how_old_it_is_once_wallets_are_read_late() -> None:
    paying = Paying()
    read(paying.store, paying.clock)
    wizard = paying.ready_payout()
    assert "5,000.00 USD available" in said(wizard)
    assert " old" not in said(wizard)
    paying.clock.advance(4 * 60)
    assert "5,000.00 USD available, 4 min old" in said(wizard)
    read(paying.store, paying.clock)
    assert " old" not in said(wizard)
