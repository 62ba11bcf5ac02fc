"""Intents as screens show them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

from paytui.domain.intent import Intent, IntentEvent, IntentId, IntentRow, Standing
from paytui.domain.models import Problem
from paytui.outbox.entry import (
    Event,
    EventKind,
    RecordedIntent,
    differing_host_time,
    particulars,
    standing,
)

Doubt: TypeAlias = tuple[IntentId, int]
"""An intent, and the number of times it was in doubt."""

_ASIDE = (EventKind.SIGHTED, EventKind.ALERT)
"""Events that do not change the status of an intent."""


def stands(recorded: RecordedIntent) -> Standing:
    """Return the status of an intent."""
    return standing(recorded.events)


def doubt_of(recorded: RecordedIntent) -> Doubt:
    """Return a key for this doubt, different from earlier ones of the same intent."""
    times = sum(event.kind is EventKind.IN_DOUBT for event in recorded.events)
    return recorded.entry.intent_id, times


def row_of(recorded: RecordedIntent) -> IntentRow:
    """Return the row of an intent in the outbox."""
    entry, events = recorded.entry, recorded.events
    stands_as = standing(events)
    turns = [event for event in events if event.kind not in _ASIDE]
    sighted = [event.candidates for event in events if event.kind is EventKind.SIGHTED]
    return IntentRow(
        intent_id=entry.intent_id,
        action=entry.action,
        title=entry.title,
        confirmed_at=entry.confirmed_at,
        terms=entry.terms,
        standing=stands_as,
        since=turns[-1].at if turns else entry.confirmed_at,
        attempts=sum(event.kind is EventKind.SENDING for event in events),
        object_id=None if stands_as.open else _newest(event.object_id for event in events),
        problem=turns[-1].problem if turns else None,
        candidates=sighted[-1] if sighted else (),
        alerts=tuple(event.words for event in events if event.kind is EventKind.ALERT),
        repeat_until=entry.resend_until,
        may_arrive_until=_may_arrive_until(events),
        user=entry.user,
        host=entry.host,
        turns=tuple(_turn(event) for event in events),
        host_time=differing_host_time(entry.host_time, entry.confirmed_at),
    )


def left_in_doubt(row: IntentRow) -> IntentRow:
    """Return the row as in doubt: its sender ended without recording it."""
    what = "paytui ended while it was on its way"
    remedy = "It is looked for once a dashboard sends from this outbox."
    problem = Problem(f"send {row.title}", what, remedy=remedy)
    return replace(row, standing=Standing.IN_DOUBT, problem=problem, repeat_until=None)


def row_turned_away(intent: Intent, problem: Problem) -> IntentRow:
    """Return the row of an intent that was not recorded, so that nothing was sent."""
    return IntentRow(
        intent_id=intent.intent_id,
        action=intent.action,
        title=intent.title,
        confirmed_at=intent.confirmed_at,
        terms=intent.terms,
        standing=Standing.NOT_RECORDED,
        since=intent.confirmed_at,
        problem=problem,
    )


def _turn(event: Event) -> IntentEvent:
    why = (event.problem.what,) if event.problem else ()
    words = ", ".join((*particulars(event), *why))
    return IntentEvent(
        event.at, event.kind.value, words, differing_host_time(event.host_time, event.at)
    )


def _may_arrive_until(events: Sequence[Event]) -> datetime | None:
    """Return the time until which requests of an intent in doubt may arrive."""
    if standing(events) is not Standing.IN_DOUBT:
        return None
    told = [event.may_arrive_until for event in events if event.kind is EventKind.IN_DOUBT]
    return told[-1]


def _newest(identifiers: Iterable[str | None]) -> str | None:
    known = [identifier for identifier in identifiers if identifier is not None]
    return known[-1] if known else None
