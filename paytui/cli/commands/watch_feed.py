"""The changes of a store and of its health, and their lines, for `paytui watch`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from itertools import chain

from paytui.api.resources import READS
from paytui.cli.commands.watch_changes import (
    WATCHED,
    Change,
    ChangeType,
    IntentWatch,
    KindWatch,
    Value,
)
from paytui.cli.output import jsonable, utc
from paytui.domain.models import Kind, Problem
from paytui.domain.money import MISSING, CurrencyCode, format_amount, plain
from paytui.platform.clock import Clock
from paytui.store.health import LinkState
from paytui.store.store import Store

FAILURE_DELAY = 15.0
"""Seconds for which a list must fail before it is reported; a service that is down is by then."""

_WORDS = {
    LinkState.UP: "answers",
    LinkState.UNREACHABLE: "unreachable",
    LinkState.REFUSED: "login refused",
    LinkState.STOPPED: "not read any more",
}


class LinkWatch:
    """The changes of the link to the service.

    Args:
        store: the store.
        host: the name of the service.
    """

    def __init__(self, store: Store, host: str) -> None:
        self._store = store
        self._host = host
        self._state: LinkState | None = None

    @property
    def is_up(self) -> bool:
        """True if the service answered at the last call of `changes`."""
        return self._state is LinkState.UP

    def changes(self) -> Iterator[Change]:
        """Yield changes; a service that answers from the start is none."""
        link, before = self._store.link, self._state
        if link.state is before or link.state is LinkState.CONNECTING:
            return
        self._state = link.state
        if before is None and link.state is LinkState.UP:
            return
        yield Change(
            happened=ChangeType.STANDS if before is None else ChangeType.CHANGED,
            kind="service",
            key=self._host,
            field="link",
            old=None if before is None else _WORDS[before],
            new=_WORDS[link.state],
            why="" if link.problem is None else link.problem.what,
        )


class FeedWatch:
    """The lists that fail for long, and that are read again."""

    def __init__(self, store: Store, clock: Clock, link: LinkWatch) -> None:
        self._store = store
        self._clock = clock
        self._link = link
        self._failing: dict[Kind, float] = {}
        self._reported: set[Kind] = set()

    @property
    def holds(self) -> bool:
        """True if a failure may have to be reported later."""
        return bool(self._failing.keys() - self._reported)

    def changes(self) -> Iterator[Change]:
        """Yield changes; while the service is down, no list is reported."""
        now = self._clock.monotonic()
        for kind in READS:
            problem = self._store.feed(kind).problem
            if problem is None:
                self._failing.pop(kind, None)
                if kind in self._reported:
                    self._reported.discard(kind)
                    yield _change(kind, "fails", "read")
            elif not self._link.is_up:
                self._failing.pop(kind, None)
            elif (
                now - self._failing.setdefault(kind, now) >= FAILURE_DELAY
                and kind not in self._reported
            ):
                self._reported.add(kind)
                yield _change(kind, "read", "fails", problem.what)


def _change(kind: Kind, old: str, new: str, why: str = "") -> Change:
    name = kind.value.replace("_", " ").replace("payin", "pay-in")
    return Change(
        happened=ChangeType.CHANGED,
        kind="list",
        key=name,
        field="health",
        old=old,
        new=new,
        why=why,
    )


LOOK_AGAIN = 1.0
"""Seconds between two calls while a failure may have to be reported."""


class LoginRefused(Exception):
    """The service refuses the first login, so there is nothing to watch."""

    def __init__(self, problem: Problem | None) -> None:
        super().__init__(str(problem or "login refused"))


class Watcher:
    """All changes of one store.

    Args:
        store: the store.
        clock: measures the duration of failures.
        host: the name of the service.
        initial: True also reports the first state of everything.
    """

    def __init__(self, store: Store, clock: Clock, host: str, *, initial: bool) -> None:
        self._store = store
        self._link = LinkWatch(store, host)
        self._feeds = FeedWatch(store, clock, self._link)
        self._kinds = [KindWatch(store, kind, initial=initial) for kind in WATCHED]
        self._intents = IntentWatch(store, initial=initial)
        self._was_let_in = False

    @property
    def look_again(self) -> float | None:
        """Seconds until the next call, even if nothing changes; None if that is not needed."""
        return LOOK_AGAIN if self._feeds.holds else None

    def changes(self) -> Iterator[Change]:
        """Yield changes since the last call.

        Raises:
            LoginRefused: the first login was refused.
        """
        self._was_let_in = self._was_let_in or self._store.link.state is LinkState.UP
        if self._store.link.state is LinkState.REFUSED and not self._was_let_in:
            raise LoginRefused(self._store.link.problem)
        yield from self._link.changes()
        yield from self._feeds.changes()
        yield from self._intents.changes()
        yield from chain.from_iterable(kind.changes() for kind in self._kinds)


_LABELS = {
    "status": "state",
    "available_balance": "available",
    "reserved_balance": "reserved",
    "pending_balance": "pending",
}
"""Labels before the old and new value, for fields that need one."""


def text_line(change: Change, at: datetime) -> str:
    """`2026-03-02T12:00:05Z payment payout 12,000.00 USD (pay-1): state processing → released`."""
    new = "new " if change.happened is ChangeType.NEW else ""
    about = f"{change.about} ({change.key})" if change.about else change.key
    why = f" ({change.why})" if change.why else ""
    return f"{utc(at.replace(microsecond=0))} {new}{change.kind} {about}: {_what(change)}{why}"


def json_line(change: Change, at: datetime) -> str:
    """Format as JSON: times in ISO 8601 UTC, amounts as strings with every digit, null if empty."""
    return json.dumps(
        {
            "at": utc(at),
            "event": change.happened.value,
            "kind": change.kind,
            "id": change.key,
            "about": change.about or None,
            "field": change.field or None,
            "old": jsonable(change.old),
            "new": jsonable(change.new),
            "currency": change.currency,
            "why": change.why or None,
        },
        ensure_ascii=False,
    )


def _what(change: Change) -> str:
    if change.happened is ChangeType.GONE:
        return "no longer listed"
    name = _LABELS.get(change.field)
    label = f"{name} " if name else ""
    currency = f" {change.currency}" if change.currency else ""
    old, new = (_word(value, change.currency) for value in (change.old, change.new))
    arrow = f"{old} → " if change.happened is ChangeType.CHANGED else ""
    return f"{label}{arrow}{new}{currency}"


def _word(value: Value, currency: CurrencyCode | None) -> str:
    if isinstance(value, Decimal):
        return format_amount(value, currency) if currency else plain(value)
    return value or MISSING
