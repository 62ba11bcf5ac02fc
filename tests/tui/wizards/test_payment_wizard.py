"""The questions of a payout or transfer in order, without a screen."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from paytui.domain.models import AccountId, WalletId
from paytui.domain.requests import PayoutRequest, TransferRequest
from paytui.tui.wizards.payment_wizard import PaymentWizard
from tests.support.clock import NOON
from tests.tui.book import USD
from tests.tui.wizards.paying import (
    GLOBEX,
    USD_BOLT,
    USD_DESK,
    WAYNE,
    Paying,
    confirm,
    said,
    typed_so_far,
)


def offered(wizard: PaymentWizard) -> list[str]:
    return [one.name for one in wizard.view().options if not one.why_not]


def test_a_payout_is_asked_for_step_by_step_and_submitted_as_it_was_shown() -> None:
    paying = Paying()
    wizard = paying.payout()
    wizard.chosen(USD_DESK)
    wizard.chosen(GLOBEX)
    wizard.typed("1.2k")
    wizard.go_on()
    wizard.typed("INV 7")
    wizard.go_on()
    assert "confirm" in said(wizard)
    assert paying.port.submitted == []
    confirm(wizard)
    (intent,) = paying.port.submitted
    assert intent.title == "Payout 1,200.00 USD to Globex"
    request = intent.request
    assert isinstance(request, PayoutRequest)
    assert (request.source_wallet_id, request.recipient_id) == ("wal-2", "rec-1")
    assert (request.payment_address_id, request.amount) == ("adr-1", Decimal(1200))
    assert (request.currency, request.reference) == ("USD", f"INV 7 {intent.intent_id}")
    assert (intent.confirmed_at, intent.terms.account_id) == (NOON, "acc-1")


def test_a_transfer_is_asked_for_step_by_step_and_submitted_as_it_was_shown() -> None:
    paying = Paying()
    wizard = paying.transfer()
    wizard.chosen(USD_DESK)
    wizard.chosen(USD_BOLT)
    wizard.typed("5")
    wizard.go_on()
    wizard.go_on()
    confirm(wizard)
    (intent,) = paying.port.submitted
    request = intent.request
    assert isinstance(request, TransferRequest)
    assert (request.source_wallet_id, request.destination_wallet_id) == ("wal-2", "wal-5")
    assert (request.amount, request.currency) == (Decimal(5), "USD")
    assert intent.title == "Transfer 5.00 USD to USD Bolt"


@pytest.mark.covers("state-recipient-active", "state-address-active")
def test_only_active_recipients_with_an_active_address_in_the_currency_are_offered() -> None:
    wizard = Paying().payout(wallet_id=USD_DESK)
    assert offered(wizard) == ["Globex", "Wayne"]
    why = {one.name: one.why_not for one in wizard.view().options if one.why_not}
    assert why == {
        "Cyberdyne": "address pending",
        "Hooli": "rejected",
        "Initech": "pending",
        "Stark": "address type electronic_deposit no longer accepted",
        "Umbrella": "no USD bank details",
        "Soylent": "other account",
    }
    assert next(reversed(why)) == "Soylent"


def test_a_recipient_that_is_not_offered_cannot_be_chosen_and_says_why() -> None:
    wizard = Paying().payout(wallet_id=USD_DESK)
    wizard.chosen("rec-2")
    assert "Initech: pending." in said(wizard)
    assert wizard.view().name == "recipient"


def test_wallets_of_one_currency_are_offered_to_a_transfer_whosever_they_are() -> None:
    wizard = Paying().transfer(wallet_id=USD_DESK)
    assert offered(wizard) == ["USD Bolt", "USD spare"]
    assert "AUD desk | Acme | 1,204,330.15 AUD | wrong currency (AUD)" in said(wizard)
    assert "USD frozen | Acme | 10.00 USD | suspended" in said(wizard)
    assert "USD desk |" not in said(wizard)


def test_a_wallet_that_is_not_active_is_no_source() -> None:
    wizard = Paying().payout()
    assert "USD frozen" not in offered(wizard)
    wizard.chosen("wal-4")
    assert "USD frozen: suspended." in said(wizard)


def test_where_one_account_is_looked_at_money_leaves_no_other() -> None:
    paying = Paying()
    paying.ui.scope = AccountId("acc-2")
    assert offered(paying.payout()) == ["USD Bolt"]


def test_which_account_is_asked_only_where_there_is_a_choice() -> None:
    paying = Paying()
    wizard = paying.payout(wallet_id=USD_DESK)
    assert wizard.view().place == "2 of 5"
    wizard.chosen(WAYNE)
    assert (wizard.view().name, wizard.view().place) == ("account", "3 of 6")
    assert offered(wizard) == ["000123456 USD", "000123457 USD"]
    assert "000123458 EUR | Globex Corporation  First National |  | wrong currency (EUR)" in said(
        wizard
    )
    wizard.chosen("adr-7")
    wizard.typed("1")
    wizard.go_on()
    wizard.go_on()
    confirm(wizard)
    assert paying.port.submitted[0].terms.payment_address_id == "adr-7"


def test_where_nothing_can_be_chosen_it_says_so() -> None:
    paying = Paying()
    wizard = paying.transfer(wallet_id=WalletId("wal-1"))
    assert offered(wizard) == []
    assert "None of these can be chosen. esc: back." in said(wizard)


def test_going_back_keeps_all_that_was_filled_in() -> None:
    wizard = Paying().ready_payout("1.2k")
    assert wizard.back()
    assert typed_so_far(wizard) == "INV 7"
    assert wizard.back()
    assert typed_so_far(wizard) == "1.2k"
    assert wizard.back()
    assert wizard.view().chosen == GLOBEX
    assert wizard.back()
    assert wizard.view().chosen == USD_DESK
    assert not wizard.back()


def test_another_recipient_is_paid_at_an_address_of_its_own() -> None:
    paying = Paying()
    wizard = paying.ready_payout()
    for _ in range(3):
        wizard.back()
    wizard.chosen(WAYNE)
    wizard.chosen("adr-6")
    wizard.go_on()
    wizard.go_on()
    confirm(wizard)
    terms = paying.port.submitted[0].terms
    assert (terms.recipient_id, terms.payment_address_id) == ("rec-6", "adr-6")


@pytest.mark.parametrize("typed", ["", "1,5"])
def test_what_is_no_amount_says_so_at_once_and_goes_no_further(typed: str) -> None:
    wizard = Paying().payout(wallet_id=USD_DESK, recipient_id=GLOBEX)
    wizard.typed(typed)
    wizard.go_on()
    assert wizard.view().name == "amount"
    assert any(cell.text.startswith("✗") for cell in wizard.view().words)


def test_an_amount_is_echoed_while_it_is_typed_and_what_lacks_is_named() -> None:
    wizard = Paying().payout(wallet_id=USD_DESK, recipient_id=GLOBEX)
    wizard.typed("1.5k")
    assert "= 1,500.00 USD" in said(wizard)
    assert "exceeds available by" not in said(wizard)
    wizard.typed("6k")
    assert "exceeds available by 1,000.00 USD" in said(wizard)


def test_what_is_filled_in_already_is_not_asked_again() -> None:
    paying = Paying()
    assert paying.payout(wallet_id=USD_DESK).view().name == "recipient"
    assert paying.payout(recipient_id=GLOBEX).view().name == "from wallet"
    assert paying.ready_payout().view().name == "confirm"


def test_what_is_filled_in_is_told_at_each_other_question() -> None:
    wizard = Paying().payout(recipient_id=GLOBEX)
    assert wizard.view().name == "from wallet"
    assert "To Globex" in said(wizard)
    wizard.chosen(USD_DESK)
    assert wizard.view().name == "recipient"
    assert "To Globex" not in said(wizard)


@pytest.mark.parametrize(
    ("kind", "typed", "refused"),
    [("payout", "6000", False), ("payout", "6000.01", True), ("transfer", "6000.01", True)],
)
def test_more_than_the_profile_sends_is_said_where_the_amount_is_typed(
    kind: str, typed: str, refused: bool
) -> None:
    paying = Paying()
    before = paying.ui.settings
    profile = replace(before.profile, refuse_above={USD: Decimal(6000)})
    paying.ui = replace(paying.ui, settings=replace(before, profile=profile))
    wizard = paying.payout(USD_DESK) if kind == "payout" else paying.transfer(USD_DESK)
    wizard.chosen(GLOBEX if kind == "payout" else USD_BOLT)
    wizard.typed(typed)
    assert wizard.view().name == "amount"
    assert ("Over 6,000.00 USD, the most" in said(wizard)) is refused
