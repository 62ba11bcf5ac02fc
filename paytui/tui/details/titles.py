"""Titles of objects, as they head their details: `Payout 845.77 CAD to Ban Bua Kaew`.

The amount comes before the names, so that a cut title keeps it. None holds an account's number.
"""

from __future__ import annotations

from decimal import Decimal

from paytui.domain import models
from paytui.domain.models import AccountId, Kind, RecipientId, WalletId
from paytui.domain.money import MISSING, CurrencyCode
from paytui.store.names import account_title, recipient_name, recipient_title, wallet_label
from paytui.tui.format.cells import LONGEST_AMOUNT, amount_words
from paytui.tui.ui_context import UiContext

_PAYMENT_TYPES = {"payout": "Payout", "transfer": "Transfer"}


def title_of(ui: UiContext, row: models.Record) -> str:
    match row:
        case models.Payment():
            parts = [_amount(row.amount, row.currency), _after("to", payee_name(ui, row))]
            title = " ".join([_PAYMENT_TYPES.get(row.payment_type or "", "Payment"), *parts])
        case models.Trade():
            title = f"Trade {_sides(row)}"
        case models.PayIn():
            into = row.wallet_id and wallet_label(ui.store, row.wallet_id)
            way = _after("from", row.sender_name) or _after("into", into)
            title = f"Pay-in {_amount(row.amount, row.currency)} {way}"
        case models.Wallet():
            name = row.wallet_name or row.currency or row.wallet_id
            title = f"Wallet {name} {_after('of', _account(ui, row.account_id))}"
        case models.PayInAddress():
            title = f"Pay-in address {_after('of', _wallet(ui, row.wallet_id))}"
        case models.PaymentAddress():
            payee = _after("of", _recipient(ui, row.recipient_id))
            title = f"Payment address {row.currency or ''} {payee}"
        case models.Account():
            title = f"Account {account_title(row)}"
        case models.Recipient():
            title = f"Recipient {recipient_title(row)}"
    return " ".join(title.split())


def payee_name(ui: UiContext, payment: models.Payment) -> str | None:
    """Return the name of what a payment goes to; if the service does not say, by our record."""
    own = ui.own_record.of(Kind.PAYMENTS, payment.payment_transaction_id)
    told = payment if payment.recipient_id or payment.destination_wallet_id else own
    if told is None:
        return None
    if told.recipient_id:
        return recipient_name(ui.store, told.recipient_id)
    return wallet_label(ui.store, told.destination_wallet_id)


def _sides(trade: models.Trade) -> str:
    """Return `1,000.00 GBP > USD`; the amount that is bought, if no other is known."""
    sold, bought = trade.sell_currency or MISSING, trade.buy_currency or MISSING
    if trade.sell_amount is None and trade.buy_amount is not None:
        return f"{sold} > {_amount(trade.buy_amount, trade.buy_currency)}"
    return f"{_amount(trade.sell_amount, trade.sell_currency) or sold} > {bought}"


def _amount(amount: Decimal | None, currency: CurrencyCode | None) -> str:
    """Return an amount with its currency; "" for one so long that it would be cut."""
    words = "" if amount is None else amount_words(amount, currency)
    return "" if len(words) > LONGEST_AMOUNT else words


def _after(word: str, name: str | None) -> str:
    return f"{word} {name}" if name else ""


def _account(ui: UiContext, key: AccountId | None) -> str | None:
    """Return the name of an account; None if it is not in the store. So do the two below."""
    row = ui.store.accounts.get(key) if key else None
    return account_title(row) if row else None


def _wallet(ui: UiContext, key: WalletId | None) -> str | None:
    row = ui.store.wallets.get(key) if key else None
    return (row.wallet_name or row.currency) if row else None


def _recipient(ui: UiContext, key: RecipientId | None) -> str | None:
    row = ui.store.recipients.get(key) if key else None
    return recipient_title(row) if row else None
