"""A seeded book with several intents: one in doubt, one never sent, others finished."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from paytui.domain.intent import IntentEvent, IntentRow, IntentTerms, SendPermission, Standing
from paytui.domain.models import Payment, Problem
from paytui.domain.money import Pair, format_amount
from paytui.store.names import recipient_name
from tests.support.intents import intent_row
from tests.support.seeded import PAIRS, SeededBook, seeded_book


def busy_book(scale: int = 60, pairs: tuple[Pair, ...] = PAIRS) -> SeededBook:
    """The same each time."""
    book = seeded_book(scale, pairs)
    payouts = [row for row in book.store.payments.rows() if row.payment_type == "payout"]
    payouts.sort(key=lambda row: row.payment_transaction_id)
    book.store.set_sending(SendPermission(allowed=True, why=""))
    book.store.intents.put(_intents(book, payouts))
    return book


def _intents(book: SeededBook, payouts: list[Payment]) -> list[IntentRow]:
    low = Problem("send it", "422", said="insufficient funds")
    return [
        _doubtful(book, payouts[0], payouts[1]),
        _of(book, 2, payouts[2], Standing.RECORDED, 300),
        _of(book, 3, payouts[3], Standing.ACCEPTED, 5),
        replace(_of(book, 4, payouts[4], Standing.REFUSED, 9), problem=low),
        replace(_of(book, 5, payouts[5], Standing.ACCEPTED, 40), alerts=("amount differs",)),
        _of(book, 6, payouts[6], Standing.NOT_DONE, 600),
    ]


def _doubtful(book: SeededBook, payout: Payment, other: Payment) -> IntentRow:
    row = _of(book, 1, payout, Standing.IN_DOUBT, 2)
    found = (payout.payment_transaction_id, other.payment_transaction_id)
    later = row.since + timedelta(seconds=10)
    turns = (
        IntentEvent(row.since, "sending", "POST /v2/payments/payout"),
        IntentEvent(later, "in doubt", "the connection was cut"),
        IntentEvent(later, "sighted", f"it may be {' or '.join(found)}"),
    )
    return replace(row, since=later, candidates=found, turns=turns)


def _of(
    book: SeededBook, number: int, payout: Payment, standing: Standing, minutes_ago: int
) -> IntentRow:
    at = book.time.latest() - timedelta(minutes=minutes_ago)
    assert payout.amount is not None
    assert payout.currency is not None
    amount = f"{format_amount(payout.amount, payout.currency)} {payout.currency}"
    row = intent_row(number, standing)
    terms = IntentTerms(
        amount=payout.amount,
        currency=payout.currency,
        source_wallet_id=payout.source_wallet_id,
        recipient_id=payout.recipient_id,
        payment_address_id=payout.payment_address_id,
        account_id=payout.account_id,
        reference=f"{payout.reference} {row.intent_id}",
    )
    accepted = standing is Standing.ACCEPTED
    return replace(
        row,
        title=f"Payout {amount} to {recipient_name(book.store, payout.recipient_id)}",
        terms=terms,
        confirmed_at=at,
        since=at,
        object_id=payout.payment_transaction_id if accepted else None,
    )
