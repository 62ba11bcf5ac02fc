"""The outcome of a confirmed intent, as all tickets show it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta

from paytui.domain.intent import Intent, IntentRow, Standing
from paytui.domain.models import Record
from paytui.tui.format.feeds import BOOKED_OTHERWISE, looked_for
from paytui.tui.format.ticket import path_words
from paytui.tui.guards.send_permission import may_send
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ticket.model import Line, TicketView, line
from paytui.tui.ticket.parties import reference_line
from paytui.tui.times import clock_seconds
from paytui.tui.ui_context import UiContext

_TONES = {
    Standing.ACCEPTED: Tone.UP,
    Standing.DONE: Tone.UP,
    Standing.IN_DOUBT: Tone.DOUBT,
    Standing.NOT_RECORDED: Tone.DOWN,
    Standing.REFUSED: Tone.DOWN,
    Standing.NOT_EXECUTED: Tone.DOWN,
}


def _lines(ui: UiContext, row: IntentRow, noun: str, became: Iterable[Line]) -> Iterator[Line]:
    """Yield the status of an intent, its object, called `noun`, with its lines, and its problem."""
    since = f"since {clock_seconds(row.since, ui.zone)}"
    yield line("Status", row.standing.value, since, _TONES.get(row.standing, Tone.INK))
    yield line("Intent id", row.intent_id)
    if row.object_id is not None:
        yield line(noun, row.object_id)
        yield from became
    if row.problem is not None:
        yield line("Problem", row.problem.happened)
        for one in row.problem.fields:
            yield line("", f"{path_words(one.field)}: {one.message}")
    for candidate in row.candidates if row.standing.open else ():
        yield line("Candidate", candidate)


FAILED = (Standing.NOT_RECORDED, Standing.REFUSED, Standing.NOT_EXECUTED)
"""The statuses in which an intent has certainly failed and may be repeated."""

TOKEN_WAIT = timedelta(seconds=5)  # An intent that is recorded for longer is waiting for a token

_MEANINGS = {
    Standing.NOT_RECORDED: "It could not be recorded, so nothing was sent. enter: try again.",
    Standing.SENDING: "Being sent. The result is not known yet.",
    Standing.REFUSED: "Refused by the service: {}. enter: correct it.",
    Standing.NOT_EXECUTED: "Not executed: {}. enter: try again.",
    Standing.DONE: "A user marked it as executed.",
    Standing.NOT_DONE: "A user marked it as not executed. It is never sent again.",
}


def failed_row(ui: UiContext, intent: Intent | IntentRow) -> IntentRow | None:
    """Return the row of an intent that has certainly failed, with no alert against that."""
    row = ui.store.intents.get(intent.intent_id)
    return row if row is not None and row.standing in FAILED and not row.alerts else None


def end_words(ui: UiContext, row: IntentRow) -> Iterator[Cell]:
    """Yield the meaning of the status, and the next step."""
    if row.standing is Standing.IN_DOUBT:
        yield from _doubt(ui, row)
    elif row.standing is Standing.RECORDED:
        yield _waiting(ui, row)
    elif row.standing in FAILED and row.alerts:
        contradicted = "An alert contradicts this: see Activity (8) before you send it again."
        yield Cell(contradicted, Tone.DOUBT)
    elif row.standing is Standing.ACCEPTED and not row.action.moves_money:
        yield Cell("Created.", Tone.MUTED)
    elif words := _MEANINGS.get(row.standing):
        nothing = "no money moved" if row.action.moves_money else "nothing was created"
        yield Cell(words.format(nothing), Tone.MUTED)
    for alert in row.alerts:
        yield Cell(f"! {alert}", Tone.DOWN)


def _waiting(ui: UiContext, row: IntentRow) -> Cell:
    if why_not := may_send(ui):
        return Cell(f"Not sent: {why_not}", Tone.CLOSING)
    if ui.time.latest() - row.since > TOKEN_WAIT:
        return Cell("Recorded, waiting for a token.", Tone.CLOSING)
    return Cell("Recorded, about to be sent.", Tone.MUTED)


def _doubt(ui: UiContext, row: IntentRow) -> Iterator[Cell]:
    if row.booked_otherwise:
        yield Cell(BOOKED_OTHERWISE, Tone.DOUBT)
        return
    yield Cell("? It may have been executed. Not known yet.", Tone.DOUBT)
    yield Cell(looked_for(ui, row), Tone.MUTED)
    if row.repeat_until is not None:
        until = clock_seconds(row.repeat_until, ui.zone)
        again = f"paytui may repeat it, with its idempotency key, until {until}."
        yield Cell(again, Tone.MUTED)
    yield Cell("Do not send it again. You may have to resolve it in Activity (8).", Tone.INK)


def outcome_words(row: IntentRow) -> str:
    """Return the outcome of an earlier attempt; only the service refuses."""
    return "Refused" if row.standing is Standing.REFUSED else "Not executed"


def outcome_view(
    ui: UiContext,
    title: str,
    intent: Intent | IntentRow,
    *,
    noun: str,
    became: Callable[[Record | None], Iterable[Line]],
) -> TicketView:
    """Return the outcome of an intent, with the lines of its object, once that was read."""
    lines = [line("Intent", intent.title)]
    if intent.action.moves_money:
        lines.append(reference_line(intent.terms.reference))
    row, record = ui.store.intents.get(intent.intent_id), None
    words: Iterable[Cell] = (Cell("Being recorded.", Tone.MUTED),)
    if row is not None:
        if row.object_id:
            record = ui.store.table(row.action.becomes).get(row.object_id)
        lines += _lines(ui, row, noun, became(record))
        words = end_words(ui, row)
    return TicketView(
        title=title, name="outcome", lines=tuple(lines), words=tuple(words), became=record
    )
