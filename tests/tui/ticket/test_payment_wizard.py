"""The fields of a payout or transfer, without a screen."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from paytui.domain.models import AccountId, WalletId
from paytui.domain.requests import PayoutRequest, TransferRequest
from paytui.tui.ticket.choices import payee_key
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ticket.money import Order
from tests.support.clock import NOON
from tests.tui.book import USD
from tests.tui.ticket.paying import (
    GLOBEX,
    USD_BOLT,
    USD_DESK,
    WAYNE,
    Paying,
    confirm,
    said,
    typed_so_far,
)


def offered(ticket: Ticket[Order]) -> list[str]:
    return [one.name for one in ticket.view().options if not one.why_not]


def test_a_payout_is_asked_for_field_by_field_and_submitted_as_it_was_shown() -> None:
    paying = Paying()
    ticket = paying.payout()
    assert ticket.view().name == "to"
    ticket.chosen(payee_key(GLOBEX))
    assert ticket.view().name == "from"
    ticket.chosen(USD_DESK)
    ticket.typed("1.2k")
    ticket.go(1)
    ticket.typed("INV 7")
    ticket.go_on()
    assert "confirm" in said(ticket)
    assert paying.port.submitted == []
    confirm(ticket)
    (intent,) = paying.port.submitted
    assert intent.title == "Payout 1,200.00 USD to Globex"
    request = intent.request
    assert isinstance(request, PayoutRequest)
    assert (request.source_wallet_id, request.recipient_id) == ("wal-2", "rec-1")
    assert (request.payment_address_id, request.amount) == ("adr-1", Decimal(1200))
    assert (request.currency, request.reference) == ("USD", f"INV 7 {intent.intent_id}")
    assert (intent.confirmed_at, intent.terms.account_id) == (NOON, "acc-1")


def test_a_transfer_is_asked_for_field_by_field_and_submitted_as_it_was_shown() -> None:
    paying = Paying()
    ticket = paying.transfer()
    ticket.chosen(USD_DESK)
    ticket.chosen(USD_BOLT)
    ticket.typed("5")
    ticket.go_on()
    confirm(ticket)
    (intent,) = paying.port.submitted
    request = intent.request
    assert isinstance(request, TransferRequest)
    assert (request.source_wallet_id, request.destination_wallet_id) == ("wal-2", "wal-5")
    assert (request.amount, request.currency) == (Decimal(5), "USD")
    assert intent.title == "Transfer 5.00 USD to USD Bolt"


@pytest.mark.covers("state-recipient-active", "state-address-active")
def test_only_active_recipients_with_an_active_address_in_the_currency_are_offered() -> None:
    ticket = Paying().payout(wallet_id=USD_DESK)
    assert offered(ticket) == ["Globex", "Wayne"]
    why = {one.name: one.why_not for one in ticket.view().options if one.why_not}
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
    ticket = Paying().payout(wallet_id=USD_DESK)
    ticket.chosen(payee_key("rec-2"))
    assert "Initech: pending." in said(ticket)
    assert ticket.view().name == "to"


def test_wallets_of_one_currency_are_offered_to_a_transfer_whosever_they_are() -> None:
    ticket = Paying().transfer(wallet_id=USD_DESK)
    assert offered(ticket) == ["USD spare", "USD Bolt"]
    assert "AUD desk | Acme | 1,204,330.15 AUD | wrong currency (AUD)" in said(ticket)
    assert "USD frozen | Acme | 10.00 USD | suspended" in said(ticket)
    assert "USD desk |" not in said(ticket)


def test_a_wallet_that_is_not_active_is_no_source() -> None:
    ticket = Paying().payout(recipient_id=GLOBEX)
    assert offered(ticket) == ["USD desk", "USD spare"]
    ticket.chosen("wal-4")
    assert "USD frozen: suspended." in said(ticket)


def test_where_one_account_is_looked_at_money_leaves_no_other() -> None:
    paying = Paying()
    paying.ui.scope = AccountId("acc-2")
    ticket = paying.transfer()
    assert "From USD Bolt" in said(ticket)
    ticket.go(-1)
    assert offered(ticket) == ["USD Bolt"]
    assert offered(paying.payout()) == ["Soylent"]


def test_which_account_is_asked_only_where_there_is_a_choice() -> None:
    paying = Paying()
    ticket = paying.payout(wallet_id=USD_DESK)
    ticket.chosen(payee_key(GLOBEX))
    assert ticket.view().name == "amount"
    ticket = paying.payout(wallet_id=USD_DESK)
    ticket.chosen(payee_key(WAYNE))
    assert ticket.view().name == "bank account"
    assert offered(ticket) == ["000123456 USD", "000123457 USD"]
    assert "000123458 EUR | Globex Corporation  First National |  | wrong currency (EUR)" in said(
        ticket
    )
    ticket.chosen("adr-7")
    ticket.typed("1")
    ticket.go_on()
    confirm(ticket)
    assert paying.port.submitted[0].terms.payment_address_id == "adr-7"


def test_where_nothing_can_be_chosen_it_says_so() -> None:
    paying = Paying()
    ticket = paying.transfer(wallet_id=WalletId("wal-1"))
    assert offered(ticket) == []
    assert "No other AUD wallet. t buys AUD, or wait for a pay-in." in said(ticket)


def test_the_review_leads_back_over_all_fields_that_were_filled_in() -> None:
    ticket = Paying().ready_payout("1.2k")
    assert ticket.view().name == "confirm"
    filled = []
    for _ in range(5):
        ticket.go(-1)
        filled.append((ticket.view().name, typed_so_far(ticket)))
    assert filled == [
        ("reference", "INV 7"),
        ("amount", "1.2k"),
        ("from", "USD desk"),
        ("bank account", "000123451 USD"),
        ("to", "Globex"),
    ]
    ticket.go_on()
    assert ticket.view().name == "confirm"


def test_another_recipient_is_paid_at_an_address_of_its_own() -> None:
    paying = Paying()
    ticket = paying.ready_payout()
    for _ in range(5):
        ticket.go(-1)
    ticket.chosen(payee_key(WAYNE))
    assert ticket.view().name == "bank account"
    ticket.chosen("adr-6")
    confirm(ticket)
    terms = paying.port.submitted[0].terms
    assert (terms.recipient_id, terms.payment_address_id) == ("rec-6", "adr-6")


@pytest.mark.parametrize("typed", ["", "1,5"])
def test_what_is_no_amount_says_so_at_once_and_goes_no_further(typed: str) -> None:
    ticket = Paying().payout(wallet_id=USD_DESK, recipient_id=GLOBEX)
    ticket.typed(typed)
    ticket.go_on()
    assert ticket.view().name == "amount"
    assert any(cell.text.startswith("✗") for cell in ticket.view().words)


def test_an_amount_is_echoed_while_it_is_typed_and_what_lacks_is_named() -> None:
    ticket = Paying().payout(wallet_id=USD_DESK, recipient_id=GLOBEX)
    ticket.typed("1.5k")
    assert "= 1,500.00 USD" in said(ticket)
    assert "Exceeds available by" not in said(ticket)
    ticket.typed("6k")
    assert "Exceeds available by 1,000.00 USD" in said(ticket)


def test_a_name_in_the_place_of_an_amount_is_told_the_way_back() -> None:
    ticket = Paying().payout(wallet_id=USD_DESK, recipient_id=GLOBEX)
    ticket.typed("kes")
    words = "✗ kes is not an amount. Try 2500, 1k or 1.5m. shift+tab goes back."
    ticket.go_on()
    assert words in said(ticket)
    ticket.typed("12.345")
    ticket.go_on()
    assert "goes back" not in said(ticket)


def test_what_is_filled_in_already_is_not_asked_again() -> None:
    paying = Paying()
    assert paying.payout(wallet_id=USD_DESK).view().name == "to"
    assert paying.payout(recipient_id=GLOBEX).view().name == "from"
    assert paying.transfer(USD_DESK, USD_BOLT).view().name == "amount"
    assert paying.ready_payout().view().name == "confirm"


def test_what_is_filled_in_stays_on_view_at_each_other_field() -> None:
    ticket = Paying().payout(recipient_id=GLOBEX)
    assert ticket.view().name == "from"
    assert "To Globex" in said(ticket)
    ticket.chosen(USD_DESK)
    assert ticket.view().name == "amount"
    assert "To Globex" in said(ticket)
    assert "From USD desk" in said(ticket)


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
    ticket = paying.payout(USD_DESK) if kind == "payout" else paying.transfer(USD_DESK)
    ticket.chosen(payee_key(GLOBEX) if kind == "payout" else USD_BOLT)
    ticket.typed(typed)
    ticket.go_on()
    assert ticket.view().name == ("amount" if refused else "confirm")
    assert ("Over 6,000.00 USD, the most" in said(ticket)) is refused
