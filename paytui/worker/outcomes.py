"""Writes down what became of an attempt, and what a trader decided."""

from __future__ import annotations

from collections.abc import Callable, Set
from contextlib import suppress
from dataclasses import replace

from paytui.api.resources import identifier_of
from paytui.api.sending import Receipt
from paytui.domain.intent import Decision
from paytui.domain.models import Problem, Record
from paytui.outbox.entry import Entry, Event, EventKind
from paytui.outbox.errors import OutboxError
from paytui.platform.clock import ServiceTime
from paytui.worker.booked import differences, with_parents
from paytui.worker.drafting import Drafting
from paytui.worker.intent_rows import row_of
from paytui.worker.journal import Journal
from paytui.worker.lookalikes import why_another

IN_DOUBT_NEXT = "It may have been executed. Do not confirm it anew: see Activity (8)."
_NEXT = {
    EventKind.IN_DOUBT: IN_DOUBT_NEXT,
    EventKind.NOT_EXECUTED: "Nothing was executed. Confirm it again if it is still meant.",
}


class Outcomes:
    """Turns answers, failures and decisions into events.

    Args:
        journal: where they stand.
        drafting: knows who decides here, and how long a request may be on its way.
        service_time: dates them.
        booked: called with each object that came of an intent.
    """

    def __init__(
        self,
        journal: Journal,
        drafting: Drafting,
        service_time: ServiceTime,
        booked: Callable[[Record], None],
    ) -> None:
        self._journal = journal
        self._drafting = drafting
        self._time = service_time
        self._booked = booked

    def answered(self, entry: Entry, receipt: Receipt, known: Set[str]) -> None:
        """The service says that it is done; in doubt where it names what cannot be this.

        Args:
            entry: what was sent.
            receipt: the answer.
            known: objects that were there before it was sent.
        """
        if (words := self._not_its_own(entry, receipt.record, known)) is None:
            self._accepted(entry, receipt)
        else:
            problem = Problem(f"send {entry.title}", words)
            recorded = self._journal.get(entry.intent_id)
            # A repeat may say it again.
            if recorded is None or words not in row_of(recorded).alerts:
                self.alert(entry, words)
            self.failed(entry, EventKind.IN_DOUBT, problem, receipt.status)

    def failed(
        self, entry: Entry, kind: EventKind, problem: Problem, status: int | None = None
    ) -> None:
        """It came to an end of this kind, or is in doubt."""
        if kind in _NEXT:  # what a read is told, that it is tried again, is not true of money
            problem = replace(problem, remedy=_NEXT[kind])
        is_in_doubt = kind is EventKind.IN_DOUBT
        failed = Event(
            kind=kind,
            at=self._time.latest(),
            status=status,
            problem=problem,
            may_arrive_until=self._drafting.may_arrive_until() if is_in_doubt else None,
        )
        self._journal.note(entry.intent_id, failed)

    def settled(self, decision: Decision, kind: EventKind) -> None:
        """A trader decided; what cannot be written is not decided."""
        settled = Event(
            kind=kind,
            at=self._time.latest(),
            object_id=decision.object_id,
            user=self._drafting.user,
        )
        with suppress(OutboxError):
            self._journal.add(decision.intent_id, settled)

    def alert(self, entry: Entry, words: str) -> None:
        """A person must see this, and it stays."""
        alert = Event(kind=EventKind.ALERT, at=self._time.latest(), words=words)
        self._journal.note(entry.intent_id, alert)

    def _accepted(self, entry: Entry, receipt: Receipt) -> None:
        accepted = Event(
            kind=EventKind.ACCEPTED,
            at=self._time.latest(),
            status=receipt.status,
            object_id=identifier_of(receipt.record),
        )
        # First, since a crash in between leaves an intent in doubt, but none that lacks its alert.
        for words in differences(entry.terms, receipt.record):
            self.alert(entry, words)
        self._journal.note(entry.intent_id, accepted)
        self._booked(with_parents(receipt.record, entry.terms))

    def _not_its_own(self, entry: Entry, record: Record, known: Set[str]) -> str | None:
        """In words, why the object of an answer cannot be what this intent became."""
        identifier = identifier_of(record)
        claims = self._journal.claims(entry.action.becomes)
        claimed_by = claims.get(identifier, entry.intent_id)
        if claimed_by != entry.intent_id:
            return f"The service answers with {identifier}, which is what {claimed_by} became."
        recorded = self._journal.get(entry.intent_id)
        if recorded is not None and (words := why_another(recorded, record)) is not None:
            return f"The service answers with {identifier}, which {words.rstrip('.')}."
        if identifier in known:
            return f"The service answers with {identifier}, which was there before it was sent."
        return None
