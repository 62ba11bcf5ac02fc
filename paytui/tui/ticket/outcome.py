"""The outcome of a confirmed intent, as all tickets show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import TypeVar

from paytui.api.resources import identifier_of
from paytui.config.key_bindings import first_key
from paytui.domain.intent import Intent, IntentRow, Standing, tags_of
from paytui.domain.models import Kind, Payment, Record, Trade
from paytui.tui.details.common_facts import path_of_dialect
from paytui.tui.details.intent import meaning_words
from paytui.tui.format.cells import standing_cell
from paytui.tui.format.feeds import BOOKED_OTHERWISE, looked_for
from paytui.tui.format.ticket import path_words
from paytui.tui.guards.send_permission import may_send
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ticket.model import CONFIRM, Line, Task, TicketView, line
from paytui.tui.times import clock_seconds
from paytui.tui.ui_context import UiContext

T = TypeVar("T")

FAILED = (Standing.NOT_RECORDED, Standing.REFUSED, Standing.NOT_EXECUTED)
"""The statuses in which an intent has certainly failed and may be repeated."""

TOKEN_WAIT = timedelta(seconds=5)  # An intent that is recorded for longer is waiting for a token


def failed_row(ui: UiContext, intent: Intent | IntentRow) -> IntentRow | None:
    """Return the row of an intent that has certainly failed, with no alert against that."""
    row = ui.store.intents.get(intent.intent_id)
    return row if row is not None and row.standing in FAILED and not row.alerts else None


class SendingTask(Task[T]):
    """A ticket that sends what was confirmed as one intent, and shows what becomes of it.

    Attributes:
        noun: of what it creates.
    """

    noun: str
    _sent: Intent | IntentRow | None = None

    def send(self, order: T) -> None:
        self._sent = self._intent_of(order)
        self.ui.port.submit(self._sent)

    def _intent_of(self, order: T) -> Intent:
        """Return the intent of a confirmed order, under `intent_id`."""
        raise NotImplementedError

    def end(self) -> TicketView | None:
        if self._sent is None:
            return None
        ui, intent, record = self.ui, self._sent, None
        row = ui.store.intents.get(intent.intent_id)
        lines = [line("Intent", intent.title)]
        if intent.action.moves_money:
            lines.append(reference_line(intent.terms.reference))
        if row is not None:
            since = Cell(f"since {clock_seconds(row.since, ui.zone)}", Tone.MUTED)
            lines.append(Line("Status", (standing_cell(row), since)))
            lines.append(line("Intent id", row.intent_id))
            if row.object_id:
                record = ui.store.table(row.action.becomes).get(row.object_id)
                lines += [line(self.noun, row.object_id), *self._became_lines(record)]
            if row.standing is Standing.PROPOSED:
                lines.append(approval_line(row))
            if row.problem is not None:
                lines.append(line("Problem", row.problem.happened))
                for one in row.problem.fields:
                    lines.append(line("", f"{path_words(one.field)}: {one.message}"))
            if row.standing.open:
                lines += [line("Candidate", candidate) for candidate in row.candidates]
        words = (Cell("Being recorded.", Tone.MUTED),) if row is None else tuple(end_words(ui, row))
        return TicketView(name="outcome", lines=tuple(lines), words=words, became=record)

    def _became_lines(self, became: Record | None) -> Iterator[Line]:
        """Yield the object that was created, once it was read."""
        raise NotImplementedError

    def refusals(self) -> Mapping[str, str] | None:
        row = failed_row(self.ui, self._sent) if self._sent else None
        if row is None:
            return None
        said: dict[str, list[str]] = {}
        for one in row.problem.fields if row.problem else ():
            key, note = self._refused(row, one.field)
            said.setdefault(key, []).append(f"{path_words(one.field)}: {one.message}{note}")
        if row.problem and not said:
            said[CONFIRM] = [row.problem.said or row.problem.what]
        failed = "Refused" if row.standing is Standing.REFUSED else "Not executed"
        complaints = {key: f"{failed}: {'; '.join(words)}" for key, words in said.items()}
        return complaints or {CONFIRM: f"{failed}."}

    def _refused(self, row: IntentRow, path: str) -> tuple[str, str]:  # noqa: ARG002
        """Return the field that a complaint about a path of the request is for, and a note."""
        return path, ""

    def restart(self) -> None:
        self._sent, self.intent_id = None, self.ui.maker.new_id()


def end_words(ui: UiContext, row: IntentRow) -> Iterator[Cell]:
    """Yield the meaning of the status, and the next step."""
    if row.standing is Standing.IN_DOUBT:
        yield from _doubt(ui, row)
    elif row.standing is Standing.RECORDED and not row.is_approved:
        is_late = ui.time.latest() - row.since > TOKEN_WAIT
        waits = "Recorded, waiting for a token." if is_late else "Recorded, about to be sent."
        why_not = may_send(ui)
        words = f"Not sent: {why_not}" if why_not else waits
        yield Cell(words, Tone.CLOSING if why_not or is_late else Tone.MUTED)
    elif row.standing in FAILED and row.alerts:
        activity = f"Activity ({first_key(ui.settings.keys, 'screen.activity')})"
        contradicted = f"An alert contradicts this: see {activity} before you send it again."
        yield Cell(contradicted, Tone.DOUBT)
    else:
        is_created = row.standing is Standing.ACCEPTED and not row.action.moves_money
        words = "Created." if is_created else meaning_words(ui, row)
        again = "correct it" if row.standing is Standing.REFUSED else "try again"
        yield Cell(f"{words} enter: {again}." if row.standing in FAILED else words, Tone.MUTED)
    for alert in row.alerts:
        yield Cell(f"! {alert}", Tone.DOWN)


def _doubt(ui: UiContext, row: IntentRow) -> Iterator[Cell]:
    """Yield what happened, what paytui does about it, and what the trader can do."""
    if row.booked_otherwise:
        yield Cell(BOOKED_OTHERWISE, Tone.DOUBT)
        return
    done = "executed" if row.action.moves_money else "created"
    yield Cell(f"? It may have been {done}: the service gave no clear answer.", Tone.DOUBT)
    yield Cell(looked_for(ui, row), Tone.MUTED)
    if row.repeat_until is not None:
        until = clock_seconds(row.repeat_until, ui.zone)
        again = "paytui may send the same request again, with its idempotency key"
        yield Cell(f"{again}, until {until}.", Tone.MUTED)
    keys = ui.settings.keys
    where = f"press {first_key(keys, 'screen.activity')}, then {first_key(keys, 'intent.decide')}"
    remedy = f"If it is not found, ask the service, then {where} to decide."
    yield Cell(f"Do not enter a new one. {remedy}", Tone.INK)


def approval_line(row: IntentRow) -> Line:
    """Return what a proposal needs, or who has approved it so far."""
    return line("Approval", row.turns[-1].words if row.turns else "not known yet")


def progress_line(ui: UiContext, kind: Kind, record: Trade | Payment) -> Iterator[Line]:
    """Yield the states that an object was seen in, is in, and comes to next."""
    if record.status is not None:
        name, journey = record.status.name, path_of_dialect(ui, kind)
        seen = ui.store.table(kind).seen(identifier_of(record))
        path = [f"✓ {one}" for one in journey.passed(name) if one in seen]
        path += [f"● {name}", *(f"○ {one}" for one in journey.ahead(name))]
        yield line("Progress", "  ".join(path).replace("_", " "), tone=Tone.MUTED)


def reference_line(reference: str | None) -> Line:
    """Return a reference as it is sent, with paytui's tag."""
    note = "tag added by paytui" if tags_of(reference) else ""
    return line("Reference", reference or "none", note)
