"""Objects shown as an intent's own, or as candidates, fit all that is known of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from paytui.domain.intent import Standing, tags_of
from tests.simulation.evidence import Evidence
from tests.simulation.post_log import Look

BEFORE = timedelta(seconds=70)
"""The time before its confirmation at which an intent can have no object, with clock error."""

POLLED = timedelta(seconds=60)
"""In which a list that can be read was read."""

CLOCKS = timedelta(seconds=1.5)
"""The tolerance for dates: a `Date` header has whole seconds."""


def wrong_matches(known: Evidence) -> Iterator[str]:
    """In words, what is shown as its own and cannot be, or not shown and should be."""
    is_claimed = known.row.object_id in known.claimed
    # An answer that lied, and a trader who knew better: the alarm on it is all that can be done.
    # Without its identifier in a reference, nothing tells that there is one to give.
    is_told = known.was_misled and (known.row.alerts or not known.site.scenario.tagged)
    if known.row.standing is Standing.ACCEPTED and is_claimed and not is_told:
        yield f"it is shown as {known.row.object_id}, which another intent became"
    if known.row.standing is Standing.IN_DOUBT:
        for identifier in known.row.candidates:
            yield from _wrong_candidate(known, identifier)
    yield from _found_among_several(known)


def _wrong_candidate(known: Evidence, identifier: str) -> Iterator[str]:
    booked = known.site.service.booked(identifier)
    tags = tags_of(booked.get("reference"))
    if identifier in known.claimed:
        yield f"its trader is shown {identifier}, which another intent became"
    elif known.row.intent_id in tags:
        return
    elif tags:
        yield f"its trader is shown {identifier}, which carries the identifier of {tags}"
    elif known.is_other(identifier):
        yield f"its trader is shown {identifier}, which has other figures"
    elif known.is_dated_right and _created(booked) < known.asked.at - BEFORE:
        yield f"its trader is shown {identifier}, which is older than it"


def _found_among_several(known: Evidence) -> Iterator[str]:
    found = [turn.at for turn in known.row.turns if turn.what == "found"]
    if not (found and known.is_dated_right and known.is_listed):
        return
    lag = timedelta(seconds=known.site.scenario.lag)
    created = [_created(known.site.service.booked(each)) for each in known.carrying]
    newest = {look.process: look for look in _looks_before(known, found[0])}
    listed = [sum(at + lag <= look.asked for at in created) for look in newest.values()]
    if listed and min(listed) > 1:
        yield f"one of {known.carrying} was taken for it"


def _looks_before(known: Evidence, found: datetime) -> Iterator[Look]:
    """Whole lists that were there when it was found, oldest first; whoever found it had one."""
    wanted = "/trades" if known.is_trade else "/payments"
    for look in known.site.log.looks:
        if look.path.endswith(wanted) and found - POLLED < look.told < found - CLOCKS:
            yield look


def _created(booked: dict[str, str]) -> datetime:
    return datetime.fromisoformat(booked["createdAt"])
