"""How well the service is read, told when that changes and once for each trouble."""

from __future__ import annotations

from collections.abc import Iterator

from paytui.api.resources import READS
from paytui.cli.watch_changes import Change, Happened
from paytui.domain.models import Kind
from paytui.platform.clock import Clock
from paytui.store.health import LinkState
from paytui.store.store import Store

HELD = 15.0
"""Seconds that a list must fail before that is told: a dead service is told as such by then."""

_WORDS = {
    LinkState.UP: "answers",
    LinkState.UNREACHABLE: "unreachable",
    LinkState.REFUSED: "login refused",
    LinkState.STOPPED: "not read any more",
}


class LinkWatch:
    """Tells when the service goes and when it comes back.

    Args:
        host: what a person calls the service.
    """

    def __init__(self, store: Store, host: str) -> None:
        self._store = store
        self._host = host
        self._state: LinkState | None = None

    @property
    def is_up(self) -> bool:
        """Whether the service answered when last looked at."""
        return self._state is LinkState.UP

    def look(self) -> Iterator[Change]:
        """What changed; that it answers at first is no news."""
        link, before = self._store.link, self._state
        if link.state is before or link.state is LinkState.CONNECTING:
            return
        self._state = link.state
        if before is None and link.state is LinkState.UP:
            return
        yield Change(
            happened=Happened.STANDS if before is None else Happened.CHANGED,
            kind="service",
            key=self._host,
            field="link",
            old=None if before is None else _WORDS[before],
            new=_WORDS[link.state],
            why="" if link.problem is None else link.problem.what,
        )


class FeedWatch:
    """Tells when lists fail for long, and when they are read again."""

    def __init__(self, store: Store, clock: Clock, link: LinkWatch) -> None:
        self._store = store
        self._clock = clock
        self._link = link
        self._failing: dict[Kind, float] = {}
        self._told: set[Kind] = set()

    @property
    def holds(self) -> bool:
        """Whether a failure may become worth telling as time goes by."""
        return bool(self._failing.keys() - self._told)

    def look(self) -> Iterator[Change]:
        """What changed; while the service is gone, no list is told to fail for it."""
        now = self._clock.monotonic()
        for kind in READS:
            problem = self._store.feed(kind).problem
            if problem is None:
                self._failing.pop(kind, None)
                if kind in self._told:
                    self._told.discard(kind)
                    yield _change(kind, "fails", "read")
            elif not self._link.is_up:
                self._failing.pop(kind, None)
            elif now - self._failing.setdefault(kind, now) >= HELD and kind not in self._told:
                self._told.add(kind)
                yield _change(kind, "read", "fails", problem.what)


def _change(kind: Kind, old: str, new: str, why: str = "") -> Change:
    name = kind.value.replace("_", " ").replace("payin", "pay-in")
    return Change(
        happened=Happened.CHANGED, kind="list", key=name, field="health", old=old, new=new, why=why
    )
