"""A comparison of bookings with what was confirmed; a difference is an alert."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from paytui.domain.intent import Terms
from paytui.domain.models import (
    PayInAddress,
    Payment,
    PaymentAddress,
    Recipient,
    Record,
    Trade,
    Wallet,
)
from paytui.domain.money import Pair, minor_units, other_amount, plain
from paytui.worker.alike import made_otherwise


def with_parents(record: Record, terms: Terms) -> Record:
    """An object with what it belongs to, as it was asked for, where the answer does not say."""
    match record:
        case Wallet():
            owner, currency = record.account_id or terms.account_id, record.currency
            return replace(record, account_id=owner, currency=currency or terms.currency)
        case PayInAddress():
            return replace(record, wallet_id=record.wallet_id or terms.destination_wallet_id)
        case Recipient():
            return replace(record, account_id=record.account_id or terms.account_id)
        case PaymentAddress():
            return replace(record, recipient_id=record.recipient_id or terms.recipient_id)
        case _:
            return record


def differences(terms: Terms, record: Record) -> tuple[str, ...]:
    """In words, what the service booked otherwise; what it does not tell is no difference."""
    derived: tuple[str, ...] = ()
    match record:
        case Trade():
            told, derived = _told_of_trade(record, terms), tuple(_other_side(record, terms))
            if not derived and _is_shortened(record, terms):
                del told["rate"]
        case Payment():
            told = _told(record)
        case _:
            return tuple(made_otherwise(terms.asked, record))
    direct = (
        f"The {name} that was booked is {_words(theirs)}; {_words(ours)} was confirmed."
        for name, ours, theirs in _compared(terms, told)
        if ours is not None and theirs is not None and ours != theirs
    )
    return (*direct, *derived)


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


def _other_side(trade: Trade, terms: Terms) -> Iterator[str]:
    """Yield a difference if the amount that was not fixed does not follow from the rate.

    A service may round to the last minor unit as it likes. A rate that is told and was not locked
    may be rounded itself: then any amount will do that follows from a rate which rounds to it.
    """
    rate, pair = terms.rate or trade.rate, _pair_of(terms)
    sells = terms.currency == terms.sell_currency
    told = trade.buy_amount if sells else trade.sell_amount
    fixed, amount = terms.currency, terms.amount
    if rate is None or told is None or fixed is None or amount is None or pair is None:
        return
    slack = Decimal(0) if terms.rate else Decimal(5).scaleb(_exponent(rate) - 1)
    rates = (rate, rate - slack, rate + slack)
    try:
        expected, *bounds = (other_amount(pair, fixed, amount, at) for at in rates)
    except ArithmeticError:  # an impossible rate
        return
    unit = Decimal(1).scaleb(-minor_units(pair.buy if sells else pair.sell))
    least, most = (edge(bound or Decimal(0) for bound in bounds) for edge in (min, max))
    if expected is not None and not least - unit <= told <= most + unit:
        side, whose = "bought" if sells else "sold", "confirmed" if terms.rate else "booked"
        yield (
            f"The {side} amount that was booked is {_words(told)}; "
            f"{_words(expected)} follows from the {whose} rate."
        )


def _is_shortened(trade: Trade, terms: Terms) -> bool:
    """Return True if a trade tells the confirmed rate with fewer digits than the sheet did.

    Both amounts have to be told: it is they that prove the rate.
    """
    amounts = trade.sell_amount, trade.buy_amount
    if trade.rate is None or terms.rate is None or None in amounts:
        return False
    return abs(trade.rate - terms.rate) < Decimal(1).scaleb(_exponent(trade.rate))


def _pair_of(terms: Terms) -> Pair | None:
    if terms.sell_currency is None or terms.buy_currency is None:
        return None
    return Pair(terms.sell_currency, terms.buy_currency)


def _exponent(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def _words(value: str | Decimal | None) -> str:
    return plain(value) if isinstance(value, Decimal) else str(value)
