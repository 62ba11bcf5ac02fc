"""The moment at which a letter leaves: after a last look, and on disk before its first byte."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from paytui.api.letter import Letter
from paytui.clock import ServiceTime
from paytui.outbox.entry import Entry, Event, EventKind
from paytui.worker.journal import Journal


@dataclass(slots=True)
class Departure:
    """Called when the token is at hand, so that the service has told its time, which dates it.

    Attributes:
        last_look: raises `NotSent` where the letter must not leave.
        has_left: whether it may have left; until then nothing was asked of the service.
    """

    journal: Journal
    entry: Entry
    letter: Letter
    last_look: Callable[[], None]
    time: ServiceTime
    has_left: bool = False

    def __call__(self) -> None:
        """Let it leave. Raises OutboxError: it cannot be written down."""
        self.last_look()
        sending = Event(
            kind=EventKind.SENDING,
            at=self.time.latest(),
            method=self.letter.method,
            path=self.letter.path,
        )
        self.journal.add(self.entry.intent_id, sending)
        self.has_left = True
