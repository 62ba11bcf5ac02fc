"""What a new intent may be the same as: named in its confirmation, never a reason to refuse it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from paytui.domain.intent import IntentRow, Standing, Terms, terms_of
from paytui.domain.models import Kind, Payment
from paytui.domain.money import format_amount
from paytui.domain.requests import MoneyRequest
from paytui.store.store import Store

RECENT = timedelta(hours=24)
"""How far back the same money to the same place is worth a word (design.md)."""

_OPEN = {
    Standing.RECORDED: "is recorded and not sent",
    Standing.SENDING: "is on its way",
    Standing.IN_DOUBT: "is in doubt",
}
"""What may still take the money out of a wallet, in words."""

_MAY_MOVE_IT = (*_OPEN, Standing.ACCEPTED, Standing.DONE)


def lookalikes(store: Store, request: MoneyRequest, now: datetime) -> tuple[str, ...]:
    """In words: the same again within a day, and what is open at the same wallet.

    Args:
        store: what is known.
        request: what is about to be confirmed.
        now: service time.
    """
    return _like(store, store.intents.rows(), terms_of(request, None), now)


def lookalikes_of(store: Store, row: IntentRow, now: datetime) -> tuple[str, ...]:
    """The same of an intent that is about to be sent; it is not like itself."""
    others = [other for other in store.intents.rows() if other.intent_id != row.intent_id]
    return _like(store, others, row.terms, now)


def _like(store: Store, rows: list[IntentRow], terms: Terms, now: datetime) -> tuple[str, ...]:
    ours = {row.object_id for row in rows if row.object_id is not None}
    return (
        *_open(rows, terms),
        *_same_intents(rows, terms, now),
        *_same_payments(store, terms, now, ours),
    )


def _open(rows: list[IntentRow], terms: Terms) -> Iterator[str]:
    for row in rows:
        if (words := _OPEN.get(row.standing)) and _same_wallet(row.terms, terms):
            yield f"{row.title} from this wallet {words} since {_clock(row.since)}."


def _same_intents(rows: list[IntentRow], terms: Terms, now: datetime) -> Iterator[str]:
    for row in rows:
        recent = now - row.confirmed_at <= RECENT
        if recent and row.standing in _MAY_MOVE_IT and _same_deal(row.terms, terms):
            yield f"The same was confirmed at {_clock(row.confirmed_at)}: {row.standing}."


def _same_payments(store: Store, terms: Terms, now: datetime, ours: set[str]) -> Iterator[str]:
    if terms.payment_address_id is None or terms.sell_currency is not None:
        return
    yield from _not_looked_at(store, now)
    for payment in store.payments.rows():
        if payment.payment_address_id != terms.payment_address_id:
            continue
        if payment.payment_transaction_id not in ours and _same_payment(payment, terms, now):
            assert payment.created_at is not None
            assert payment.amount is not None
            assert payment.currency is not None
            amount = f"{format_amount(payment.amount, payment.currency)} {payment.currency}"
            yield f"{amount} went to this address at {_clock(payment.created_at)} already."


def _not_looked_at(store: Store, now: datetime) -> Iterator[str]:
    """Which payments of the last day are not known here."""
    retention = store.retention(Kind.PAYMENTS)
    since = None if retention is None else retention.since
    if since is not None and now - since < RECENT:
        yield f"Not looked at: payments made before {_clock(since)}, which are not in memory."
    feed = store.feed(Kind.PAYMENTS)
    if feed.cached and feed.as_of is not None:
        yield f"Not looked at: payments made since {_clock(feed.as_of)}, which are not read yet."


def _same_payment(payment: Payment, terms: Terms, now: datetime) -> bool:
    recent = payment.created_at is not None and now - payment.created_at <= RECENT
    return recent and (payment.amount, payment.currency) == (terms.amount, terms.currency)


def _same_wallet(one: Terms, other: Terms) -> bool:
    return one.source_wallet_id is not None and one.source_wallet_id == other.source_wallet_id


def _same_deal(one: Terms, other: Terms) -> bool:
    return _figures(one) == _figures(other)


def _figures(terms: Terms) -> tuple[object, ...]:
    """What makes two intents the same to a trader: not their rate, account or reference."""
    return (
        terms.amount,
        terms.currency,
        terms.payment_address_id or terms.destination_wallet_id,
        terms.sell_currency,
        terms.buy_currency,
    )


def _clock(moment: datetime) -> str:
    return f"{moment:%H:%M:%S} UTC"
