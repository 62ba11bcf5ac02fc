"""The path of states of each kind of object (service.md §3), and its display as a timeline."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
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
from paytui.tui.context import UiContext
from paytui.tui.details.fields import Fact, Group, fact
from paytui.tui.format.cells import BAD
from paytui.tui.format.times import full_time
from paytui.tui.theme.themes import Cell, Tone


@dataclass(frozen=True, slots=True)
class StatePath:
    """The regular states of an object in order, and the states that may end or leave the path.

    Attributes:
        path: in order.
        skipped: states of the path that an object may have passed over.
        ends: states that an object may end in from any other.
        after: further states that may follow a given state of the path.
    """

    path: tuple[str, ...]
    skipped: frozenset[str] = frozenset()
    ends: tuple[str, ...] = ()
    after: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def states(self) -> frozenset[str]:
        """Return all states."""
        branches = (state for states in self.after.values() for state in states)
        return frozenset((*self.path, *self.ends, *branches))

    def within(self, known: Collection[str]) -> StatePath:
        """Return the path without states that the service has no word for; all if none is known."""
        if not known:
            return self
        return replace(
            self,
            path=tuple(name for name in self.path if name in known),
            ends=tuple(name for name in self.ends if name in known),
            after={
                name: tuple(one for one in states if one in known)
                for name, states in self.after.items()
                if name in known
            },
        )

    def passed(self, state: str) -> tuple[str, ...]:
        """Return the states that lead to this one; the object need not have been in each."""
        if state in self.path:
            before = self.path[: self.path.index(state)]
        elif anchor := self._anchor(state):
            before = self.path[: self.path.index(anchor) + 1]
        else:  # ended, from wherever it was
            before = self.path[:1]
        return tuple(name for name in before if name not in self.skipped)

    def ahead(self, state: str) -> tuple[str, ...]:
        """Return the states that follow on the path."""
        return self.path[self.path.index(state) + 1 :] if state in self.path else ()

    def aside(self, state: State) -> tuple[str, ...]:
        """Return the states that may follow and are not ahead on the path."""
        anchor = self._anchor(state.name)
        back = () if anchor is None or state.final else (anchor,)
        ends = () if state.final or state.name in self.ends else self.ends
        return (*back, *self.after.get(state.name, ()), *ends)

    def _anchor(self, state: str) -> str | None:
        return next((name for name, states in self.after.items() if state in states), None)


# The trusted path registers an account at once, and what is created Active was never pending.
ACCOUNT = StatePath(("pending_checks", "registered"), frozenset({"pending_checks"}), ("rejected",))
WALLET = StatePath(
    ("pending", "active"), frozenset({"pending"}), ("closed",), {"active": ("suspended",)}
)
ADDRESSEE = StatePath(("pending", "active"), frozenset({"pending"}), ("rejected",))
PAYIN = StatePath(("received", "compliance_review", "credited"), ends=("rejected",))
# A trade that is funded when it is booked need not wait for funds.
TRADE = StatePath(
    ("awaiting_funds", "compliance_review", "exchanged"),
    frozenset({"awaiting_funds"}),
    ("rejected", "failed"),
)
PAYMENT = StatePath(
    ("created", "compliance_review", "processing", "released", "completed"),
    ends=("rejected", "cancelled", "failed"),
    after={"completed": ("returned",)},
)


Times = Mapping[str, datetime | None]
"""Times by state, or by event (`created`)."""

Stateful: TypeAlias = Account | Wallet | PayIn | Trade | Payment | Recipient | PaymentAddress
"""An object that has states."""

NO_TIMES: Times = MappingProxyType({})


def states_group(
    desk: UiContext,
    journey: StatePath,
    kind: Kind,
    row: Stateful,
    times: Times = NO_TIMES,
    *,
    updated: datetime | None = None,
) -> Group:
    """Return a timeline with one line a state: past, present and possible.

    A time appears only if the service sent it. A state counts as passed if the service sent its
    time, or the object was seen in it here; nothing is guessed.

    Args:
        desk: knows the time zone and the states seen of the object.
        journey: the path of this kind of object.
        kind: of the object.
        row: the object.
        times: the times that the service sent; None if it did not.
        updated: the time of the object's last change.
    """
    told = {name: full_time(moment, desk.zone) for name, moment in times.items() if moment}
    last = full_time(updated, desk.zone) if updated else ""
    table, path = desk.store.table(kind), path_of_dialect(desk, journey, kind)
    seen = table.seen(table.key(row))
    facts = tuple(_facts(path, row.status, times, told, updated=last, seen=seen))
    shown = {one.label for one in facts}
    left = (_fact(name, "the service says", when) for name, when in told.items())
    return Group("States", (*facts, *(one for one in left if one.label not in shown)))


def path_of_dialect(desk: UiContext, journey: StatePath, kind: Kind) -> StatePath:
    """Return the path without states that the dialect has no word for."""
    return journey.within(desk.vocabulary.states.get(kind, ()))


def _facts(
    journey: StatePath,
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
