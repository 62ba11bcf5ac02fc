"""The objects that an intent may have become, by what was confirmed."""

from __future__ import annotations

from datetime import datetime, timedelta

from paytui.api.resources import KIND_OF
from paytui.domain.intent import Action, Terms, tags_of
from paytui.domain.models import Payment, Record, Trade
from paytui.outbox.entry import EventKind, Recorded
from paytui.worker.booked import differences

BEFORE, AFTER = timedelta(seconds=10), timedelta(minutes=15)
"""How far outside of the time in which it was sent an object may have been created: no clock is
exact, and a service may work on long after it was given up."""

TAGGED_AFTER = timedelta(days=1)
"""The same for what carries the intent's own identifier, which may be copied later. Nobody can copy
it before it is made: an object that seems older was dated by another clock than its sending."""

LONG_BEFORE = timedelta(days=1)
"""How much older than its sending an object cannot be what an intent became, if nothing else tells;
and how much younger, for a trader to judge. What a service dates its objects by may be another
clock than its `Date`, or local time."""

_PAYMENT_TYPE = {Action.CREATE_PAYOUT: "payout", Action.CREATE_TRANSFER: "transfer"}


def could_be(recorded: Recorded, record: Record, *, tagged: bool, loosely: bool = False) -> bool:
    """Return True if an intent may have become an object; not if it has another's tag.

    Args:
        recorded: the intent.
        record: any object of the service.
        tagged: whether its reference carries the intent's identifier.
        loosely: whether another clock, or local time, may have dated it.
    """
    entry = recorded.entry
    return (
        isinstance(record, Trade | Payment)
        and KIND_OF[type(record)] is entry.action.becomes
        and is_in_its_time(recorded, record.created_at, tagged=tagged, loosely=loosely)
        and _same_type(entry.action, record)
        and _same(entry.terms, record)
        and (tagged or not tags_of(record.reference))
    )


def why_another(recorded: Recorded, record: Record) -> str | None:
    """Return in words why an object that an answer named cannot be what an intent became.

    What carries the intent's own identifier is it, whatever else it says. A service may cut a
    reference, or write its own: then what was made as confirmed, while it was sent, is it.
    """
    entry = recorded.entry
    if not isinstance(record, Trade | Payment) or entry.intent_id in tags_of(record.reference):
        return None
    if tags_of(record.reference):
        return "carries another reference"
    is_new = record.created_at is not None and could_be(recorded, record, tagged=False)
    if record.reference and not is_new and entry.intent_id in tags_of(entry.terms.reference):
        return f"does not carry {entry.intent_id} in its reference"
    if record.created_at is not None and record.created_at < _sent(recorded)[0] - LONG_BEFORE:
        return f"was created at {record.created_at:%Y-%m-%d %H:%M:%S} UTC, before it was sent"
    if found := differences(entry.terms, record):
        return f"is not what was confirmed. {found[0]}"
    return None


def is_in_its_time(
    recorded: Recorded, created_at: datetime | None, *, tagged: bool, loosely: bool = False
) -> bool:
    """Return True if it was created while the intent was sent, or the time is not known."""
    if created_at is None:
        return True
    first, last = _sent(recorded)
    if tagged:
        return created_at <= last + TAGGED_AFTER
    if loosely:
        return first - LONG_BEFORE <= created_at <= last + LONG_BEFORE
    return first - BEFORE <= created_at <= last + AFTER


def _sent(recorded: Recorded) -> tuple[datetime, datetime]:
    """Return from when to when an intent was sent; before that, when it was confirmed."""
    sent = [event for event in recorded.events if event.kind is EventKind.SENDING]
    if not sent:
        return (recorded.entry.confirmed_at,) * 2
    return sent[0].not_before or sent[0].at, sent[-1].at


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
