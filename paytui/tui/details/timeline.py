"""The timeline of an object: past, present and possible states.

A time stands only where the service sent it. A state is passed where the service tells when, or the
object was seen in it here; what is not known is not guessed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import TypeAlias

from paytui.domain.models import (
    Account,
    Kind,
    PayIn,
    Payment,
    PaymentAddress,
    Recipient,
    State,
    Trade,
    Wallet,
)
from paytui.tui.context import Desk
from paytui.tui.details.facts import Fact, Group, fact
from paytui.tui.details.journeys import Journey
from paytui.tui.format.cells import BAD
from paytui.tui.format.times import full_time
from paytui.tui.theme.themes import Cell, Tone

Times = Mapping[str, datetime | None]
"""Moments by the state that they are of, or by what happened: `created`."""

Staged: TypeAlias = Account | Wallet | PayIn | Trade | Payment | Recipient | PaymentAddress
"""What has states."""

NO_TIMES: Times = MappingProxyType({})


def states_group(
    desk: Desk,
    journey: Journey,
    kind: Kind,
    row: Staged,
    times: Times = NO_TIMES,
    *,
    updated: datetime | None = None,
) -> Group:
    """A line a state.

    Args:
        desk: whose zone times are shown in, and what was seen of the object.
        journey: the path of this kind of object.
        kind: of the object.
        row: the object.
        times: that the service sent; None where it did not.
        updated: when the object last changed.
    """
    told = {name: full_time(moment, desk.zone) for name, moment in times.items() if moment}
    last = full_time(updated, desk.zone) if updated else ""
    table, path = desk.store.table(kind), journey_here(desk, journey, kind)
    seen = table.seen(table.key(row))
    facts = tuple(_facts(path, row.status, times, told, updated=last, seen=seen))
    shown = {one.label for one in facts}
    left = (_fact(name, "the service says", when) for name, when in told.items())
    return Group("States", (*facts, *(one for one in left if one.label not in shown)))


def journey_here(desk: Desk, journey: Journey, kind: Kind) -> Journey:
    """A journey with just those states that the service has, by its dialect."""
    return journey.within(desk.vocabulary.states.get(kind, ()))


def _facts(
    journey: Journey,
    status: State | None,
    times: Times,
    told: Mapping[str, str],
    *,
    updated: str,
    seen: Collection[str],
) -> Iterator[Fact]:
    for event in times.keys() - set(journey.path):
        yield _fact(event, "✓", told[event]) if event in told else fact(event, None)
    if status is None:
        yield fact("now", None)
        return
    if not status.known:
        yield _unknown(status, updated)
        return
    for name in journey.passed(status.name):
        if name in told or name in seen:
            yield _fact(name, "✓" if name in told else "✓ passed", told.get(name, ""))
        else:
            yield _fact(name, "– not seen", "", Tone.MUTED)
    yield _now(status, told.get(status.name, ""), updated)
    for name in journey.ahead(status.name):
        says = ", but the service says" if name in told else ""
        yield _fact(name, f"○ may come{says}", told.get(name, ""), Tone.MUTED)
    if aside := journey.aside(status):
        words = ", ".join(name.replace("_", " ") for name in aside)
        yield Fact("or", Cell(f"○ {words}", Tone.MUTED), words)


def _now(status: State, when: str, updated: str) -> Fact:
    sign = "✗" if status.name in BAD else "●"
    words = f"{sign} final" if status.final else f"{sign} now"
    if not when and updated:
        words, when = f"{words}, last changed", updated
    return _fact(status.name, words, when, Tone.DOWN if status.name in BAD else Tone.INK)


def _unknown(status: State, updated: str) -> Fact:
    words = "? cannot be read" if status.as_created else "? now, not in the dialect"
    if updated:
        words += ", last changed"
    return Fact(status.name, Cell(f"{words} {updated}".rstrip(), Tone.DOUBT), status.name)


def _fact(name: str, words: str, when: str, tone: Tone = Tone.INK) -> Fact:
    label = name.replace("_", " ")
    return Fact(label, Cell(f"{words} {when}".rstrip(), tone), when or label)
