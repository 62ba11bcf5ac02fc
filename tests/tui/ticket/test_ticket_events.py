"""What the trader saw is what a key acts on, whatever has changed since."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from paytui.domain.intent import Decision, Verdict
from paytui.domain.models import PaymentAddressId, PaymentId, RecipientId, WalletId
from paytui.tui.ticket.choices import payee_key
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ticket.field_names import ACCOUNT, AMOUNT, FROM, TO
from tests.support.intents import intent_row
from tests.tui.book import AUD, AUD_USD, JPY, USD, payment, wallet
from tests.tui.ticket.paying import (
    EUR,
    USD_DESK,
    USD_SPARE,
    WAYNE,
    Paying,
    address,
    confirm,
    recipient,
    said,
)
from tests.tui.ticket.test_decision_guards import deciding
from tests.tui.ticket.trading import Trading

EUR_DESK = WalletId("wal-6")
UMBRELLA = RecipientId("rec-4")


def go_to(ticket: Ticket[Any], name: str) -> None:
    """Go back to a field."""
    while ticket.view().name != name:
        before = ticket.view()
        ticket.go(-1)
        assert ticket.view() != before


def test_a_key_meant_for_a_field_that_is_gone_does_nothing() -> None:
    paying = Paying()
    values = {TO: payee_key(WAYNE), FROM: USD_DESK, ACCOUNT: "adr-7"}
    ticket = paying.ticket("payout", values)
    go_to(ticket, "bank account")
    paying.store.recipients.remove([WAYNE])
    ticket.typed("500")
    assert ticket.view().name == "to"
    assert not ticket.view().is_searched
    assert AMOUNT not in (ticket.draft or {})


def test_a_held_wallet_that_is_gone_is_not_replaced_by_the_first_of_the_list() -> None:
    paying = Paying()
    ticket = paying.payout(USD_SPARE, RecipientId("rec-1"))
    go_to(ticket, "from")
    paying.store.wallets.remove([USD_SPARE])
    ticket.store_changed()
    assert ticket.view().cursor is None
    ticket.go_on()
    assert ticket.view().name == "from"


def test_the_list_has_changed_since_it_was_shown() -> None:
    paying = Paying()
    ticket = paying.payout()
    ticket.typed("globe")
    assert ticket.view().options[0].name == "Globex"
    paying.store.recipients.put([recipient(9, "Globe", address(11, 9))])
    ticket.go_on()
    assert "The list has changed: look again." in said(ticket)
    assert TO not in (ticket.draft or {})
    ticket.go_on()
    assert (ticket.draft or {})[TO] == payee_key("rec-9")


def test_enter_keeps_the_wallet_that_was_filled_in_by_itself() -> None:
    paying = Paying()
    paying.store.wallets.put([wallet(6, "EUR desk", "900", currency=EUR)])
    ticket = paying.payout(recipient_id=UMBRELLA)
    assert ticket.view().name == "amount"
    assert FROM not in (ticket.draft or {})
    go_to(ticket, "from")
    ticket.go_on()
    assert (ticket.draft or {})[FROM] == EUR_DESK
    paying.store.wallets.put([wallet(7, "EUR old", "900", currency=EUR)])
    ticket.store_changed()
    assert ticket.view().name == "amount"


def test_an_amount_stays_one_of_the_currency_that_it_was_typed_in() -> None:
    paying = Paying()
    ticket = paying.payout(USD_DESK, RecipientId("rec-1"))
    ticket.typed("1200")
    ticket.go_on()
    paying.store.wallets.put([wallet(2, "USD desk", "5000", currency=EUR)])
    paying.store.recipients.put([recipient(1, "Globex", address(1, 1, currency=EUR))])
    ticket.store_changed()
    confirm(ticket)
    assert paying.port.submitted == []
    reopened = paying.ticket("payout", ticket.draft or {})
    assert "This amount is in USD: type it in EUR." in said(reopened)


def test_a_warning_that_comes_up_in_a_decision_is_seen_before_it_is_taken() -> None:
    trading = Trading()
    row = intent_row(1, candidates=("pay-1",))
    ticket: Ticket[Decision] = deciding(trading, row, Verdict.NOT_DONE)
    shown = ticket.view().confirms
    assert shown is not None
    made = replace(payment(1, "1200.00"), reference=f"Invoice {row.intent_id}")
    trading.store.payments.put([made])
    assert made.payment_transaction_id == PaymentId("pay-1")
    ticket.confirm(shown)
    assert trading.port.decided == []
    assert "pay-1 carries this reference" in said(ticket)


def test_a_trade_in_real_time_is_judged_by_the_newest_rate() -> None:
    trading = Trading()
    trading.limit(AUD, "7677778.97")  # 5,000,000 / 0.65123
    trading.hold("one", {AUD_USD: "0.65123"})
    amount = {"buy_amount": "5000000", "rate": "real-time"}
    ticket = trading.ticket({"from_wallet": "wal-1", "to": "wal-4", **amount})
    assert ticket.view().confirms is not None
    trading.clock.advance(1)
    trading.hold("two", {AUD_USD: "0.6"})
    ticket.store_changed()
    confirm(ticket)
    assert trading.port.submitted == []
    assert "Over" in said(ticket)


def test_a_payee_stays_one_though_a_wallet_has_the_same_identifier() -> None:
    trading = Trading()
    ticket = trading.about_to_pay()
    go_to(ticket, "into")
    [foundry] = [one for one in ticket.view().options if one.name == "Foundry Inc"]
    ticket.chosen(foundry.key)
    same = replace(wallet(6, "USD other", "5", currency=USD), wallet_id=WalletId("rec-1"))
    trading.store.wallets.put([same])
    trading.store.notify()
    ticket.store_changed()
    confirm(ticket)
    [request] = trading.port.submitted
    assert request.terms.payment_address_id == PaymentAddressId("adr-1")
    assert request.terms.destination_wallet_id is None


def test_an_own_wallet_to_buy_into_goes_with_the_account_that_sells() -> None:
    trading = Trading()
    trading.store.wallets.put(
        [
            wallet(6, "JPY Bolt", "900", currency=JPY, account=2),
            wallet(7, "USD Bolt", "5", currency=USD, account=2),
            wallet(8, "USD Bolt spare", "5", currency=USD, account=2),
        ]
    )
    values = {
        "sell": "JPY",
        "buy": "USD",
        "sell_amount": "5",
        "from_wallet": "wal-3",
        "to": "wal-4",
    }
    ticket = trading.ticket(values)
    go_to(ticket, "from")
    ticket.chosen("wal-6")
    assert ticket.view().name == "into"
    assert "to" not in (ticket.draft or {})
