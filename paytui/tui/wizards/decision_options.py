"""The possible decisions about an intent, and the objects it may have become."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from paytui.domain.intent import IntentRow, Standing, Verdict
from paytui.domain.models import (
    Account,
    PayInAddress,
    Payment,
    PaymentAddress,
    Recipient,
    Record,
    Trade,
    Wallet,
)
from paytui.store.views.names import account_title, recipient_title
from paytui.tui.context import Desk
from paytui.tui.details.fields import amount_words
from paytui.tui.format.cells import state_cell
from paytui.tui.format.times import clock_seconds, full_time
from paytui.tui.guards.sending import may_create
from paytui.tui.wizards.step import Option

ANOTHER = "another"
"""The key of the option that none of what was found is it."""

MARGIN = timedelta(seconds=3)
"""Nothing is sent in the last moments of a locked rate (design.md)."""

_OFFERED = {
    Standing.RECORDED: (Verdict.SEND, Verdict.NOT_DONE),
    Standing.IN_DOUBT: (Verdict.DONE, Verdict.NOT_DONE, Verdict.REPEAT),
}

_NAMES = {
    Verdict.SEND: ("Send it now", "for the first time"),
    Verdict.REPEAT: ("Send it again", "under the same key"),
    Verdict.DONE: ("It was done", "you say what it became"),
    Verdict.NOT_DONE: ("It was not done", "and is never sent again"),
}
"""What a decision is called, and what tells it from the others."""


def why_undecided(desk: Desk, row: IntentRow) -> str:
    """Return why nothing can be decided now; empty if something can."""
    if why_not := may_create(desk):
        return why_not
    return "" if row.standing in _OFFERED else f"Nothing is to be decided: it is {row.standing}."


def verdict_options(desk: Desk, row: IntentRow) -> tuple[Option, ...]:
    """Return the possible decisions in its status."""
    return tuple(
        Option(key=verdict, name=name, facts=facts, why_not=_why_not(desk, row, verdict))
        for verdict in _OFFERED.get(row.standing, ())
        for name, facts in (_NAMES[verdict],)
    )


def _why_not(desk: Desk, row: IntentRow, verdict: Verdict) -> str:
    if verdict.rests_on_absence and row.may_arrive_until is not None:
        until = _arrives_until(desk, row.may_arrive_until)
        return f"it may still arrive until {until}" if until else "paytui looks for it once more"
    ends = row.terms.expires_at
    if verdict is Verdict.SEND and ends is not None and desk.time.latest() >= ends - MARGIN:
        return f"its rate ended {full_time(ends, desk.zone)}"
    return ""


def arrival_words(desk: Desk, row: IntentRow) -> str:
    """Say until when a request that was given up may arrive; empty if it cannot."""
    if row.may_arrive_until is None:
        return ""
    if until := _arrives_until(desk, row.may_arrive_until):
        return f"The request may still arrive until {until}; decide after that."
    return "It can no longer arrive. paytui looks for it once more; decide after that."


def _arrives_until(desk: Desk, until: datetime) -> str:
    """Convert a time of the host's clock to that of the screen; empty once it has passed."""
    left = until - desk.time.clock.now()
    return clock_seconds(desk.time.latest() + left, desk.zone) if left > timedelta(0) else ""


def object_options(desk: Desk, row: IntentRow) -> tuple[Option, ...]:
    """The objects that a look-up found, and a way to name another."""
    found = (
        Option(
            key=each,
            name=each,
            facts=object_words(desk, row, each),
            why_not=object_trouble(desk, row, each),
        )
        for each in row.candidates
    )
    return (*found, Option(key=ANOTHER, name="None of these", facts="type its identifier"))


def object_trouble(desk: Desk, row: IntentRow, object_id: str) -> str:
    """Return why an identifier cannot be what an intent became; empty if it can."""
    if not object_id:
        return "type the identifier of what it became"
    if any(character.isspace() for character in object_id):
        return "an identifier has no spaces"
    for other in desk.store.intents.rows():
        of_its_kind = other.action.becomes is row.action.becomes
        if of_its_kind and other.object_id == object_id and other.intent_id != row.intent_id:
            return f"that is what {other.intent_id} became"
    return ""


def object_words(desk: Desk, row: IntentRow, object_id: str) -> str:
    """Return the facts that distinguish an object from others."""
    record = desk.store.table(row.action.becomes).get(object_id)
    if record is None:
        return "not among what was read"
    if not isinstance(record, Payment | Trade):
        return ", ".join(_names(desk, record))
    parts = [_amounts(record), state_cell(record.status).text]
    if record.created_at is not None:
        parts.append(full_time(record.created_at, desk.zone))
    return ", ".join([*parts, *filter(None, [record.reference])])


def _names(desk: Desk, record: Record) -> Iterator[str]:
    """Yield its identifiers and its status, and since when."""
    match record:
        case Account():
            yield account_title(record)
        case Recipient():
            yield recipient_title(record)
        case Wallet():
            yield f"{record.wallet_name or record.wallet_id} {record.currency or ''}".strip()
        case PaymentAddress():
            yield record.iban or record.account_number or record.payment_address_id
        case PayInAddress():
            yield f"{record.bsb or record.bic or ''} {record.account_number or ''}".strip()
    if not isinstance(record, PayInAddress):
        yield state_cell(record.status).text
    if isinstance(record, Account | Wallet) and record.created_at is not None:
        yield full_time(record.created_at, desk.zone)


def _amounts(record: Payment | Trade) -> str:
    if isinstance(record, Payment):
        return amount_words(record.amount, record.currency) if record.amount else "amount not told"
    sides = (
        (record.sell_amount, record.sell_currency),
        (record.buy_amount, record.buy_currency),
    )
    told = [amount_words(amount, currency) for amount, currency in sides if amount is not None]
    return " > ".join(told) or "amounts not told"
