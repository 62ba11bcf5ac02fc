"""Unlisted objects are chosen by identifier, with a warning unless known to be Active."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from paytui.domain.models import (
    AccountId,
    Kind,
    PaymentAddress,
    PaymentAddressId,
    Problem,
    Recipient,
    RecipientId,
    Record,
    State,
    Wallet,
    WalletId,
)
from paytui.domain.requests import PayoutRequest, TradeRequest
from paytui.store.health import Feed
from paytui.tui.ticket.choices import payee_key
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ticket.trade import Deal, TradeTask
from tests.tui.book import ACTIVE, USD
from tests.tui.ticket.paying import GLOBEX, USD_DESK, WAYNE, Paying, confirm, said

ACME = AccountId("acc-1")
A_1 = PaymentAddressId("a-1")
UNREAD = State("cannot be read", known=False, as_created=True)


@pytest.fixture
def paying() -> Paying:
    """At a service without lists."""
    paying = Paying()
    for kind in (Kind.ACCOUNTS, Kind.WALLETS, Kind.RECIPIENTS, Kind.PAYMENT_ADDRESSES):
        paying.store.set_feed(Feed(kind, offered=False))
    return paying


def typed(ticket: Ticket[Any], text: str) -> None:
    ticket.typed(text)
    ticket.go_on()


def comes(paying: Paying, ticket: Ticket[Any], row: Record) -> None:
    """The worker found no read of it."""
    assert isinstance(row, Wallet | Recipient | PaymentAddress)
    paying.store.table(_KINDS[type(row)]).put([replace(row, status=UNREAD)])
    ticket.store_changed()


_KINDS: dict[type[Record], Kind] = {
    Wallet: Kind.WALLETS,
    Recipient: Kind.RECIPIENTS,
    PaymentAddress: Kind.PAYMENT_ADDRESSES,
}


def test_a_payout_goes_out_by_identifiers_alone(paying: Paying) -> None:
    ticket = paying.payout()
    for text in ("r-1", "a-1 usd", "w-1 usd"):
        typed(ticket, text)
        assert "Requesting" in said(ticket)
        comes(paying, ticket, paying.port.named[-1])
    typed(ticket, "12.50")
    typed(ticket, "a-1")  # the end of an account that is new here, and has no number
    shown = said(ticket)
    assert "Not known to be active: wallet w-1, recipient r-1, its payment address." in shown
    confirm(ticket)
    [intent] = paying.port.submitted
    assert isinstance(intent.request, PayoutRequest)
    assert intent.request.source_wallet_id == "w-1"
    assert intent.request.recipient_id == "r-1"
    assert intent.request.payment_address_id == "a-1"
    assert intent.request.currency == "USD"
    assert paying.port.named == [
        Recipient(RecipientId("r-1")),
        PaymentAddress(PaymentAddressId("a-1"), recipient_id=RecipientId("r-1"), currency=USD),
        Wallet(WalletId("w-1"), currency=USD),
    ]


@pytest.fixture
def bare(paying: Paying) -> Paying:
    """At such a service, of which nothing is known but an account."""
    for kind in (Kind.WALLETS, Kind.RECIPIENTS, Kind.PAYMENT_ADDRESSES):
        table = paying.store.table(kind)
        table.remove(list(table.keys()))
    return paying


def test_where_nothing_can_be_chosen_an_identifier_is_typed(bare: Paying) -> None:
    ticket = bare.transfer()
    field = ticket.view().field
    assert field is not None
    assert field.hint == "wallet id and its currency"
    words = "This service has no list of wallets: type or paste an identifier."
    assert [cell.text for cell in ticket.view().words] == [words]
    typed(ticket, "w-1 USD")
    assert bare.port.named == [Wallet(WalletId("w-1"), currency=USD)]


def test_a_recipient_is_chosen_before_any_wallet_is_known(bare: Paying) -> None:
    ticket = bare.payout()
    for text, name in (("r-1", "bank account"), ("a-1 EUR", "from")):
        typed(ticket, text)
        comes(bare, ticket, bare.port.named[-1])
        assert ticket.view().name == name


def test_what_is_listed_and_empty_is_typed_by_nobody(bare: Paying) -> None:
    bare.store.set_feed(Feed(Kind.WALLETS))
    ticket = bare.transfer()
    assert [cell.text for cell in ticket.view().words] == ["There is nothing to choose from yet."]
    typed(ticket, "w-1 USD")
    assert bare.port.named == []
    assert "Nothing matches w-1 USD." in said(ticket)


def test_what_is_known_already_is_chosen_at_once(paying: Paying) -> None:
    ticket = paying.transfer()
    typed(ticket, str(USD_DESK))
    assert ticket.view().name == "to"
    assert paying.port.named == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("w-1", "Type its currency too: w-1 USD."),
        ("w-1 dollars", "Type wallet id and its currency."),
        (f"{USD_DESK} EUR", f"{USD_DESK} is in USD, not EUR."),
    ],
)
def test_what_cannot_be_named_says_so(paying: Paying, text: str, words: str) -> None:
    ticket = paying.transfer()
    typed(ticket, text)
    assert words in said(ticket)
    assert paying.port.named == []
    ticket.typed("")
    assert words not in said(ticket)
    assert "USD desk" in said(ticket)


def test_an_identifier_that_the_service_does_not_know_says_so(paying: Paying) -> None:
    ticket = paying.transfer()
    typed(ticket, "w-1 USD")
    problem = Problem("read wallet w-1", "404", said="no such wallet")
    paying.store.set_feed(Feed(Kind.WALLETS, offered=False, tracked=1, problem=problem))
    ticket.store_changed()
    assert "Could not read wallet w-1: 404 (no such wallet)" in said(ticket)


@pytest.mark.parametrize("event", ["typed", "move", "go", "chosen"])
def test_what_comes_after_something_else_was_done_is_not_chosen(paying: Paying, event: str) -> None:
    ticket = paying.transfer()
    typed(ticket, "wal USD")
    assert "Requesting wal" in said(ticket)
    match event:
        case "typed":
            ticket.typed("desk")
        case "move":
            ticket.move(1)
        case "go":
            ticket.typed("")
            ticket.go(1)
        case _:
            ticket.chosen(str(USD_DESK))
    comes(paying, ticket, paying.port.named[-1])
    assert "From wal" not in said(ticket)


@pytest.mark.parametrize("is_moved_to", [True, False])
def test_a_name_or_an_option_that_was_moved_to_is_no_identifier(
    paying: Paying, is_moved_to: bool
) -> None:
    ticket = paying.transfer()
    ticket.typed("desk" if is_moved_to else "usd DESK")
    ticket.move(int(is_moved_to))
    ticket.go_on()
    assert "From USD desk" in said(ticket)
    assert paying.port.named == []


def test_what_comes_and_cannot_be_paid_says_so_once(paying: Paying) -> None:
    ticket = paying.transfer(USD_DESK)
    typed(ticket, "w-1 EUR")
    comes(paying, ticket, paying.port.named[-1])
    assert "w-1: wrong currency (EUR)." in said(ticket)
    assert "Requesting" not in said(ticket)
    ticket.typed("w-2")
    ticket.store_changed()
    assert "w-1: wrong currency (EUR)." not in said(ticket)


def test_where_there_is_a_list_nothing_else_is_named() -> None:
    paying = Paying()
    ticket = paying.transfer()
    typed(ticket, "w-1 USD")
    assert paying.port.named == []


def trade(paying: Paying, **values: str) -> Ticket[Deal]:
    return Ticket(TradeTask(paying.ui), values)


def test_a_trade_sells_and_buys_by_identifiers_alone(paying: Paying) -> None:
    ticket = trade(paying)
    for text in ("w-1 AUD", "w-2 USD"):
        typed(ticket, text)
        assert "Requesting" in said(ticket)
        comes(paying, ticket, paying.port.named[-1])
    assert ticket.view().name == "sell amount"
    assert "Sell AUD" in said(ticket)
    assert "Buy USD" in said(ticket)


def test_a_trade_pays_a_recipient_of_whom_nothing_can_be_read(bare: Paying) -> None:
    ticket = trade(bare, rate="real-time")
    for text in ("w-1 AUD", "r-1", "a-1 USD"):
        typed(ticket, text)
        comes(bare, ticket, bare.port.named[-1])
    assert bare.port.named[1:] == [
        Recipient(RecipientId("r-1")),
        PaymentAddress(PaymentAddressId("a-1"), recipient_id=RecipientId("r-1"), currency=USD),
    ]
    typed(ticket, "12.50")
    assert ticket.view().name == "reference"
    typed(ticket, "INV 7")
    typed(ticket, "a-2")
    assert ticket.view().name == "verify payee"
    assert "last 4 of its identifier, a-1" in str(ticket.view().field)
    typed(ticket, "a-1")
    shown = said(ticket)
    assert "Not known to be active: wallet w-1, recipient r-1, its payment address." in shown
    confirm(ticket)
    [intent] = bare.port.submitted
    request = intent.request
    assert isinstance(request, TradeRequest)
    assert (request.sell_wallet_id, request.buy_wallet_id) == ("w-1", None)
    assert (request.recipient_id, request.payment_address_id) == ("r-1", "a-1")
    assert (request.sell_currency, request.buy_currency) == ("AUD", "USD")


def test_what_was_typed_wrong_is_corrected(bare: Paying) -> None:
    """Neither a currency nor a recipient that a person typed is what the service says."""
    ticket = trade(bare)
    for text in ("w-1 AUD", "r-1", "a-1 GBP"):
        typed(ticket, text)
        comes(bare, ticket, bare.port.named[-1])
    assert "Buy GBP" in said(ticket)
    while ticket.view().name != "bank account":
        ticket.go(1)
    typed(ticket, "a-1 USD")
    assert "Requesting" in said(ticket)  # not the account in GBP
    comes(bare, ticket, PaymentAddress(A_1, recipient_id=RecipientId("r-1"), currency=USD))
    assert ticket.view().name == "sell amount"
    assert "Buy USD" in said(ticket)
    while ticket.view().name != "into":
        ticket.go(1)
    typed(ticket, "r-2")
    comes(bare, ticket, Recipient(RecipientId("r-2")))
    assert ticket.view().name == "bank account"
    typed(ticket, "a-1 USD")
    assert bare.port.named[-1] == PaymentAddress(A_1, recipient_id=RecipientId("r-2"), currency=USD)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("w-9", "Type its currency too: w-9 USD."),
        (f"{USD_DESK} EUR", f"{USD_DESK} is in USD, not EUR."),
    ],
)
def test_what_a_trade_cannot_sell_from_says_so(paying: Paying, text: str, words: str) -> None:
    ticket = trade(paying)
    typed(ticket, text)
    assert words in said(ticket)
    assert paying.port.named == []


def test_a_known_recipient_is_chosen_before_its_account(paying: Paying) -> None:
    ticket = trade(paying, from_wallet="wal-1")
    assert {"wal-2", payee_key(WAYNE)} <= {one.key for one in ticket.view().options}
    typed(ticket, "wayne")
    assert [one.key for one in ticket.view().options] == ["adr-6", "adr-7", "adr-8"]
    ticket.chosen("adr-7")
    assert ticket.view().name == "sell amount"
    while ticket.view().name != "bank account":
        ticket.go(1)
    assert ticket.view().cursor == "adr-7"
    ticket.go(-1)
    assert ticket.view().cursor == payee_key(WAYNE)


def test_of_the_accounts_of_a_recipient_only_those_in_the_bought_currency_are_possible() -> None:
    ticket = trade(Paying(), from_wallet="wal-1", buy="USD")
    while ticket.view().name != "into":
        ticket.go(1)
    ticket.chosen(payee_key(WAYNE))
    while ticket.view().name != "bank account":
        ticket.go(1)
    why = {one.key: one.why_not for one in ticket.view().options}
    assert why == {"adr-6": "", "adr-7": "", "adr-8": "wrong currency (EUR)"}


def test_any_account_of_a_recipient_can_be_paid_from_a_wallet_that_is_yet_to_be_named(
    paying: Paying,
) -> None:
    paying.store.wallets.remove([WalletId("wal-1")])
    ticket = paying.payout(recipient_id=WAYNE)
    assert {one.key: one.why_not for one in ticket.view().options}["adr-8"] == ""


def test_a_wallet_that_is_gone_is_not_taken_for_the_recipient_with_its_identifier() -> None:
    ticket = trade(Paying(), from_wallet="wal-1", buy="USD", to=WAYNE)
    assert ticket.view().name == "into"
    assert f"{WAYNE}: the service no longer lists it." in said(ticket)
    assert "Into Wayne" not in said(ticket)


@pytest.mark.parametrize("listed", [True, False])
def test_a_payee_with_the_identifier_of_a_wallet_is_chosen_and_not_the_wallet(listed: bool) -> None:
    """A service may count wallets, recipients and their accounts from 1 each."""
    paying = Paying()
    paying.store.set_feed(Feed(Kind.RECIPIENTS, offered=listed))
    trap = Wallet(WalletId(WAYNE), account_id=ACME, currency=USD, wallet_name="Trap", status=ACTIVE)
    paying.store.wallets.put([trap])
    ticket = trade(paying, from_wallet="wal-1", buy="USD")
    while ticket.view().name != "into":
        ticket.go(1)
    alike = [one for one in ticket.view().options if one.key.endswith(WAYNE)]
    assert sorted(one.name for one in alike) == ["Trap", "Wayne"]
    assert len({one.key for one in alike}) == 2
    [wayne] = [one.key for one in alike if one.name == "Wayne"]
    ticket.chosen(wayne)
    while ticket.view().name != "bank account":
        ticket.go(1)
    ticket.chosen("adr-7")
    assert "Into Wayne" in said(ticket)
    assert "Trap" not in said(ticket)
    while ticket.view().name != "into":
        ticket.go(1)
    assert ticket.view().cursor == wayne


@pytest.mark.parametrize("state", [None, State("pending, as created", as_created=True)])
def test_a_state_that_nobody_knows_is_a_warning_that_is_confirmed(state: State | None) -> None:
    paying = Paying()
    wallets, recipients = paying.store.wallets, paying.store.recipients
    wallets.put([replace(row, status=state) for row in wallets.rows()])
    recipients.put([replace(row, status=state) for row in recipients.rows()])
    ticket = paying.ready_payout()
    assert "Not known to be active: wallet USD desk, recipient Globex." in said(ticket)
    confirm(ticket)
    assert len(paying.port.submitted) == 1


def test_a_state_that_becomes_unknown_is_seen_before_it_is_confirmed() -> None:
    paying = Paying()
    ticket = paying.ready_payout()
    shown = ticket.view().confirms
    globex = paying.store.recipients.get(GLOBEX)
    assert globex is not None
    assert globex.status == ACTIVE
    paying.store.recipients.put([replace(globex, status=None)])
    ticket.confirm(shown)
    assert paying.port.submitted == []
