"""What no list shows is chosen by its identifier; what nobody knows to be Active is a warning."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paytui.api.models import (
    Kind,
    PaymentAddress,
    PaymentAddressId,
    Problem,
    Recipient,
    RecipientId,
    State,
    Wallet,
    WalletId,
)
from paytui.api.requests import PayoutRequest
from paytui.store.health import Feed
from paytui.tui.wizards.by_identifier import ACTION, ByIdentifier
from paytui.tui.wizards.trade_draft import TradeDraft
from paytui.tui.wizards.trade_machine import TradeMachine
from tests.tui.book import ACTIVE, USD
from tests.tui.wizards.paying import GLOBEX, USD_DESK, Paying, confirm, said

UNREAD = State("cannot be read", known=False, as_created=True)


@pytest.fixture
def paying() -> Paying:
    """At a service without lists."""
    paying = Paying()
    for kind in (Kind.ACCOUNTS, Kind.WALLETS, Kind.RECIPIENTS, Kind.PAYMENT_ADDRESSES):
        paying.store.set_feed(Feed(kind, offered=False))
    return paying


def typed(wizard: ByIdentifier, text: str) -> None:
    wizard.act(ACTION)
    wizard.typed(text)
    wizard.go_on()


def comes(paying: Paying, wizard: ByIdentifier, row: Wallet | Recipient | PaymentAddress) -> None:
    """The worker found no read of it."""
    paying.store.table(_KINDS[type(row)]).put([replace(row, status=UNREAD)])
    wizard.store_changed()


_KINDS = {
    Wallet: Kind.WALLETS,
    Recipient: Kind.RECIPIENTS,
    PaymentAddress: Kind.PAYMENT_ADDRESSES,
}


def test_a_payout_goes_out_by_identifiers_alone(paying: Paying) -> None:
    wizard = ByIdentifier(paying.desk, paying.payout())
    assert ACTION in wizard.view().actions
    for text in ("w-1 usd", "r-1", "a-1"):
        typed(wizard, text)
        assert "Asking the service" in said(wizard)
        named = paying.port.named[-1]
        assert isinstance(named, Wallet | Recipient | PaymentAddress)
        comes(paying, wizard, named)
    wizard.typed("12.50")
    wizard.go_on()
    wizard.go_on()
    wizard.typed("a-1")  # the end of an account that is new here, and has no number
    wizard.go_on()
    shown = said(wizard)
    assert "Not known to be active: wallet w-1, recipient r-1, its payment address." in shown
    confirm(wizard)
    [intent] = paying.port.submitted
    assert isinstance(intent.request, PayoutRequest)
    assert intent.request.source_wallet_id == "w-1"
    assert intent.request.recipient_id == "r-1"
    assert intent.request.payment_address_id == "a-1"
    assert intent.request.currency == "USD"
    assert paying.port.named == [
        Wallet(WalletId("w-1"), currency=USD),
        Recipient(RecipientId("r-1")),
        PaymentAddress(PaymentAddressId("a-1"), recipient_id=RecipientId("r-1"), currency=USD),
    ]


def test_a_missing_list_names_the_key_that_types_an_identifier(paying: Paying) -> None:
    for row in paying.store.wallets.rows():
        paying.store.wallets.remove([row.wallet_id])
    assert "This service has no list of wallets: i types an identifier." in said(
        ByIdentifier(paying.desk, paying.payout())
    )


def test_what_is_known_already_is_chosen_at_once(paying: Paying) -> None:
    wizard = ByIdentifier(paying.desk, paying.payout())
    typed(wizard, str(USD_DESK))
    assert "to whom" in said(wizard)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Type wallet id and its currency."),
        ("w-1", "Type its currency too: w-1 USD."),
        ("w-1 dollars", "Type wallet id and its currency."),
        (f"{USD_DESK} EUR", f"{USD_DESK} holds USD."),
    ],
)
def test_what_cannot_be_named_says_so(paying: Paying, text: str, words: str) -> None:
    wizard = ByIdentifier(paying.desk, paying.payout())
    typed(wizard, text)
    assert words in said(wizard)
    assert paying.port.named == []
    assert wizard.back()
    assert "USD desk" in said(wizard)


def test_an_identifier_that_the_service_does_not_know_says_so(paying: Paying) -> None:
    wizard = ByIdentifier(paying.desk, paying.payout())
    typed(wizard, "w-1 USD")
    problem = Problem("read wallet w-1", "404", said="no such wallet")
    paying.store.set_feed(Feed(Kind.WALLETS, offered=False, tracked=1, problem=problem))
    wizard.store_changed()
    assert "Could not read wallet w-1: 404 (no such wallet)" in said(wizard)


def test_where_there_is_a_list_nothing_else_is_named() -> None:
    wizard = ByIdentifier(Paying().desk, Paying().payout())
    assert ACTION not in wizard.view().actions
    wizard.act(ACTION)
    assert wizard.view().entry is None


def test_a_trade_sells_and_buys_by_identifiers_alone(paying: Paying) -> None:
    machine = TradeMachine(paying.desk, TradeDraft(account_id=None))
    wizard = ByIdentifier(paying.desk, machine)
    wizard.chosen("acc-1")
    for text in ("w-1 AUD", "w-2 USD"):
        typed(wizard, text)
        named = paying.port.named[-1]
        assert isinstance(named, Wallet)
        comes(paying, wizard, named)
    assert "Sell AUD" in str(wizard.view().entry)


@pytest.mark.parametrize("state", [None, UNREAD, State("pending, as created", as_created=True)])
def test_a_state_that_nobody_knows_is_a_warning_that_is_confirmed(state: State | None) -> None:
    paying = Paying()
    wallets, recipients = paying.store.wallets, paying.store.recipients
    wallets.put([replace(row, status=state) for row in wallets.rows()])
    recipients.put([replace(row, status=state) for row in recipients.rows()])
    wizard = paying.ready_payout()
    assert "Not known to be active: wallet USD desk, recipient Globex." in said(wizard)
    confirm(wizard)
    assert len(paying.port.submitted) == 1


def test_a_state_that_becomes_unknown_is_seen_before_it_is_confirmed() -> None:
    paying = Paying()
    wizard = paying.ready_payout()
    shown = wizard.view().confirms
    globex = paying.store.recipients.get(GLOBEX)
    assert globex is not None
    assert globex.status == ACTIVE
    paying.store.recipients.put([replace(globex, status=None)])
    wizard.confirm(shown)
    assert paying.port.submitted == []
