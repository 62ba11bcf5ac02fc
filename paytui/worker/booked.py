"""What was booked, compared with what was confirmed: any difference is an alert that stays."""

from __future__ import annotations

from decimal import Decimal

from paytui.api.models import Payment, Trade
from paytui.intent import Terms
from paytui.money import plain


def identifier_of(record: Trade | Payment) -> str:
    """What the service calls it."""
    match record:
        case Trade():
            return record.trade_transaction_id
        case Payment():
            return record.payment_transaction_id


def differences(terms: Terms, record: Trade | Payment) -> tuple[str, ...]:
    """In words, what the service booked otherwise; what it does not tell is no difference."""
    told = _told_of_trade(record, terms) if isinstance(record, Trade) else _told(record)
    return tuple(
        f"The {name} that was booked is {_words(theirs)}; {_words(ours)} was confirmed."
        for name, ours, theirs in _compared(terms, told)
        if ours is not None and theirs is not None and ours != theirs
    )


_Told = dict[str, str | Decimal | None]


def _compared(
    terms: Terms, told: _Told
) -> list[tuple[str, str | Decimal | None, str | Decimal | None]]:
    ours: _Told = {
        "amount": terms.amount,
        "currency": terms.currency,
        "rate": terms.rate,
        "source": terms.source_wallet_id,
        "destination": terms.destination_wallet_id,
        "recipient": terms.recipient_id,
        "payment address": terms.payment_address_id,
        "sold currency": terms.sell_currency,
        "bought currency": terms.buy_currency,
    }
    return [(name, ours[name], theirs) for name, theirs in told.items()]


def _told(payment: Payment) -> _Told:
    return {
        "amount": payment.amount,
        "currency": payment.currency,
        "source": payment.source_wallet_id,
        "destination": payment.destination_wallet_id,
        "recipient": payment.recipient_id,
        "payment address": payment.payment_address_id,
    }


def _told_of_trade(trade: Trade, terms: Terms) -> _Told:
    sells = terms.currency == terms.sell_currency
    return {
        "amount": trade.sell_amount if sells else trade.buy_amount,
        "rate": trade.rate,
        "source": trade.sell_wallet_id,
        "destination": trade.buy_wallet_id,
        "recipient": trade.recipient_id,
        "payment address": trade.payment_address_id,
        "sold currency": trade.sell_currency,
        "bought currency": trade.buy_currency,
    }


def _words(value: str | Decimal | None) -> str:
    return plain(value) if isinstance(value, Decimal) else str(value)
