"""Which objects of the service an intent may have become, judged by what was confirmed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from paytui.api.models import Payment, Trade
from paytui.intent import Action, Terms
from paytui.outbox.entry import EventKind, Recorded
from paytui.worker.booked import differences

BEFORE, AFTER = timedelta(minutes=2), timedelta(minutes=15)
"""How far outside of the time in which it was sent an object may have been created: clocks are
known to about a second, and a service may work on long after it was given up."""

_PAYMENT_TYPE = {Action.CREATE_PAYOUT: "payout", Action.CREATE_TRANSFER: "transfer"}


def within_send_window(recorded: Recorded, created_at: datetime | None) -> bool:
    """Whether an object can come of an intent's attempts; unknown times speak for nothing."""
    if created_at is None:
        return True
    sent = [event.at for event in recorded.events if event.kind is EventKind.SENDING]
    return bool(sent) and sent[0] - BEFORE <= created_at <= sent[-1] + AFTER


def alike(recorded: Recorded, records: Iterable[Trade | Payment]) -> list[Trade | Payment]:
    """The objects that could be what an intent became, whatever their reference says."""
    entry = recorded.entry
    wanted = Trade if entry.action is Action.BOOK_TRADE else Payment
    return [
        record
        for record in records
        if isinstance(record, wanted)
        and within_send_window(recorded, record.created_at)
        and _same_type(entry.action, record)
        and _same(entry.terms, record)
    ]


def _same_type(action: Action, record: Trade | Payment) -> bool:
    if isinstance(record, Trade):
        return True
    return record.payment_type in (None, _PAYMENT_TYPE[action])


def _same(terms: Terms, record: Trade | Payment) -> bool:
    amount = (
        record.amount
        if isinstance(record, Payment)
        else (record.sell_amount if terms.currency == terms.sell_currency else record.buy_amount)
    )
    return amount == terms.amount and not differences(terms, record)
