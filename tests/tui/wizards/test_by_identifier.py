"""Unlisted objects are chosen by identifier, with a warning unless known to be Active."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paytui.domain.models import (
    AccountId,
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
from paytui.domain.requests import PayoutRequest, TradeRequest
from paytui.store.health import Feed
from paytui.tui.wizards.by_identifier import ACTION, IdentifierInput
from paytui.tui.wizards.trade_draft import TradeDraft
from paytui.tui.wizards.trade_wizard import TradeWizard
from tests.tui.book import ACTIVE, USD
from tests.tui.wizards.paying import GLOBEX, USD_DESK, WAYNE, Paying, confirm, said

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


def typed(wizard: IdentifierInput, text: str) -> None:
    wizard.act(ACTION)
    wizard.typed(text)
    wizard.go_on()


def comes(
    paying: Paying, wizard: IdentifierInput, row: Wallet | Recipient | PaymentAddress
) -> None:
    """The worker found no read of it."""
    paying.store.table(_KINDS[type(row)]).put([replace(row, status=UNREAD)])
    wizard.store_changed()


_KINDS = {
    Wallet: Kind.WALLETS,
    Recipient: Kind.RECIPIENTS,
    PaymentAddress: Kind.PAYMENT_ADDRESSES,
}


def test_a_payout_goes_out_by_identifiers_alone(paying: Paying) -> None:
    wizard = IdentifierInput(paying.ui, paying.payout())
    assert ACTION in wizard.view().actions
    for text in ("w-1 usd", "r-1", "a-1"):
        typed(wizard, text)
        assert "Requesting" in said(wizard)
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


@pytest.fixture
def bare(paying: Paying) -> Paying:
    """At such a service, of which nothing is known but an account."""
    for kind in (Kind.WALLETS, Kind.RECIPIENTS, Kind.PAYMENT_ADDRESSES):
        table = paying.store.table(kind)
        table.remove(list(table.keys()))
    return paying


def test_where_nothing_can_be_chosen_an_identifier_is_typed_at_once(bare: Paying) -> None:
    wizard = IdentifierInput(bare.ui, bare.payout())
    view = wizard.view()
    assert view.entry is not None
    assert ACTION not in view.actions
    words = "This service has no list of wallets: type or paste an identifier."
    assert [cell.text for cell in view.words] == [words]
    wizard.typed("w-1 USD")
    wizard.go_on()
    assert bare.port.named == [Wallet(WalletId("w-1"), currency=USD)]
    assert not wizard.back()


def test_what_is_listed_and_empty_is_typed_by_nobody(bare: Paying) -> None:
    bare.store.set_feed(Feed(Kind.WALLETS))
    view = IdentifierInput(bare.ui, bare.payout()).view()
    assert view.entry is None
    assert [cell.text for cell in view.words] == ["There is no wallet yet."]


def test_a_list_that_fills_up_is_shown_unless_something_is_typed(bare: Paying) -> None:
    begun, idle = (IdentifierInput(bare.ui, bare.payout()) for _ in range(2))
    begun.typed("w-")
    bare.store.wallets.put([Wallet(WalletId("w-2"), currency=USD, status=ACTIVE)])
    assert [one.key for one in idle.view().options] == ["w-2"]
    assert begun.view().entry is not None
    assert begun.back()
    assert [one.key for one in begun.view().options] == ["w-2"]


def test_what_is_known_already_is_chosen_at_once(paying: Paying) -> None:
    wizard = IdentifierInput(paying.ui, paying.payout())
    typed(wizard, str(USD_DESK))
    assert "recipient" in said(wizard)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Type wallet id and its currency."),
        ("w-1", "Type its currency too: w-1 USD."),
        ("w-1 dollars", "Type wallet id and its currency."),
        (f"{USD_DESK} EUR", f"{USD_DESK} is in USD, not EUR."),
    ],
)
def test_what_cannot_be_named_says_so(paying: Paying, text: str, words: str) -> None:
    wizard = IdentifierInput(paying.ui, paying.payout())
    typed(wizard, text)
    assert words in said(wizard)
    assert paying.port.named == []
    assert wizard.back()
    assert "USD desk" in said(wizard)


def test_an_identifier_that_the_service_does_not_know_says_so(paying: Paying) -> None:
    wizard = IdentifierInput(paying.ui, paying.payout())
    typed(wizard, "w-1 USD")
    problem = Problem("read wallet w-1", "404", said="no such wallet")
    paying.store.set_feed(Feed(Kind.WALLETS, offered=False, tracked=1, problem=problem))
    wizard.store_changed()
    assert "Could not read wallet w-1: 404 (no such wallet)" in said(wizard)


def test_where_there_is_a_list_nothing_else_is_named() -> None:
    wizard = IdentifierInput(Paying().ui, Paying().payout())
    assert ACTION not in wizard.view().actions
    wizard.act(ACTION)
    assert wizard.view().entry is None


def test_a_trade_sells_and_buys_by_identifiers_alone(paying: Paying) -> None:
    machine = TradeWizard(paying.ui, TradeDraft(account_id=None))
    wizard = IdentifierInput(paying.ui, machine)
    wizard.chosen("acc-1")
    for text in ("w-1 AUD", "w-2 USD"):
        typed(wizard, text)
        named = paying.port.named[-1]
        assert isinstance(named, Wallet)
        comes(paying, wizard, named)
    assert "Sell AUD" in str(wizard.view().entry)


def test_a_trade_pays_a_recipient_of_whom_nothing_can_be_read(bare: Paying) -> None:
    wizard = IdentifierInput(bare.ui, TradeWizard(bare.ui, TradeDraft(account_id=None)))
    wizard.chosen("acc-1")
    for text in ("w-1 AUD", "r-1", "a-1 USD"):
        typed(wizard, text)
        named = bare.port.named[-1]
        assert isinstance(named, Wallet | Recipient | PaymentAddress)
        comes(bare, wizard, named)
    assert bare.port.named[1:] == [
        Recipient(RecipientId("r-1")),
        PaymentAddress(PaymentAddressId("a-1"), recipient_id=RecipientId("r-1"), currency=USD),
    ]
    wizard.typed("12.50")
    wizard.go_on()
    assert wizard.view().place == "6 of 9"
    wizard.typed("INV 7")
    wizard.go_on()
    assert "Last 4 of its identifier, a-1" in str(wizard.view().entry)
    wizard.typed("a-2")
    wizard.go_on()
    assert wizard.view().name == "verify payee"
    wizard.typed("a-1")
    wizard.go_on()
    wizard.chosen("real-time")
    shown = said(wizard)
    assert "Not known to be active: wallet w-1, recipient r-1, its payment address." in shown
    confirm(wizard)
    [intent] = bare.port.submitted
    request = intent.request
    assert isinstance(request, TradeRequest)
    assert (request.sell_wallet_id, request.buy_wallet_id) == ("w-1", None)
    assert (request.recipient_id, request.payment_address_id) == ("r-1", "a-1")
    assert (request.sell_currency, request.buy_currency) == ("AUD", "USD")


def test_what_was_typed_wrong_is_corrected(bare: Paying) -> None:
    """Neither a currency nor a recipient that a person typed is what the service says."""
    wizard = IdentifierInput(bare.ui, TradeWizard(bare.ui, TradeDraft(account_id=ACME)))
    for text in ("w-1 AUD", "r-1", "a-1 GBP"):
        typed(wizard, text)
        comes(bare, wizard, bare.port.named[-1])  # type: ignore[arg-type] # of these kinds
    assert wizard.back()
    typed(wizard, "a-1 USD")
    assert "Requesting" in said(wizard)  # not the account in GBP
    comes(bare, wizard, PaymentAddress(A_1, recipient_id=RecipientId("r-1"), currency=USD))
    assert "tab: enter the USD amount instead" in said(wizard)
    for _ in range(2):
        assert wizard.back()
    typed(wizard, "r-2")
    comes(bare, wizard, Recipient(RecipientId("r-2")))
    typed(wizard, "a-1 USD")
    assert bare.port.named[-1] == PaymentAddress(A_1, recipient_id=RecipientId("r-2"), currency=USD)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Type wallet id and its currency, or recipient id."),
        ("r 1", "Type wallet id and its currency, or recipient id."),
        (f"{USD_DESK} EUR", f"{USD_DESK} is in USD, not EUR."),
    ],
)
def test_what_a_trade_cannot_buy_into_says_so(paying: Paying, text: str, words: str) -> None:
    wizard = IdentifierInput(paying.ui, TradeWizard(paying.ui, TradeDraft(account_id=ACME)))
    wizard.chosen("wal-1")
    typed(wizard, text)
    assert words in said(wizard)
    assert paying.port.named == []


def test_a_known_recipient_is_chosen_before_its_account(paying: Paying) -> None:
    wizard = IdentifierInput(paying.ui, TradeWizard(paying.ui, TradeDraft(account_id=ACME)))
    wizard.chosen("wal-1")
    assert {"wal-2", WAYNE} <= {one.key for one in wizard.view().options}
    typed(wizard, WAYNE)
    assert [one.key for one in wizard.view().options] == ["adr-6", "adr-7", "adr-8"]
    wizard.chosen("adr-7")
    assert "Sell AUD" in str(wizard.view().entry)
    assert wizard.back()
    assert wizard.view().chosen == "adr-7"
    assert wizard.back()
    assert wizard.view().chosen == WAYNE


@pytest.mark.parametrize(("listed", "named"), [(True, "adr-7"), (False, WAYNE)])
def test_a_payee_with_the_identifier_of_a_wallet_is_chosen_and_not_the_wallet(
    listed: bool, named: str
) -> None:
    """A service may count wallets, recipients and their accounts from 1 each."""
    paying = Paying()
    paying.store.set_feed(Feed(Kind.RECIPIENTS, offered=listed))
    paying.store.wallets.put(
        [Wallet(WalletId(named), account_id=ACME, currency=USD, wallet_name="Trap", status=ACTIVE)]
    )
    wizard = TradeWizard(paying.ui, TradeDraft(account_id=ACME, sell_wallet_id=WalletId("wal-1")))
    alike = [one for one in wizard.view().options if one.key.endswith(named)]
    assert sorted(one.name for one in alike) == ["Trap", "Wayne"]
    assert len({one.key for one in alike}) == 2
    [wayne] = [one.key for one in alike if one.name == "Wayne"]
    wizard.chosen(wayne)
    if not listed:
        wizard.chosen("adr-7")
    assert "Buy for Wayne" in said(wizard)
    assert "Trap" not in said(wizard)
    for _ in range(1 if listed else 2):
        assert wizard.back()
    assert wizard.view().chosen == wayne


@pytest.mark.parametrize("state", [None, State("pending, as created", as_created=True)])
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
