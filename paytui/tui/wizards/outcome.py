"""The outcome of a confirmed intent, as all wizards and forms show it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta

from paytui.domain.intent import Intent, IntentRow, Standing
from paytui.domain.models import Record
from paytui.tui.format.feeds import BOOKED_OTHERWISE, looked_for
from paytui.tui.format.ticket import path_words
from paytui.tui.guards.send_permission import may_send
from paytui.tui.step_protocol import Line, StepView, line
from paytui.tui.theme.tones import Cell, Tone
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

CONFIRMED = "outcome"  # The name of the step after a confirmation


def unrecorded_view(title: str, lines: tuple[Line, ...]) -> StepView:
    """Return the view of an intent that the worker has not taken yet."""
    words = (Cell("Being recorded.", Tone.MUTED),)
    return StepView(title=title, name=CONFIRMED, lines=lines, words=words)


def intent_lines(
    ui: UiContext, row: IntentRow, noun: str, became: Iterable[Line]
) -> Iterator[Line]:
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


def end_view(
    ui: UiContext,
    title: str,
    intent: Intent,
    what: tuple[Line, ...],
    *,
    noun: str,
    became: Callable[[Record | None], Iterable[Line]],
) -> StepView:
    """Return the outcome of an intent, with the lines of its object, once that was read."""
    row = ui.store.intents.get(intent.intent_id)
    if row is None:
        return unrecorded_view(title, what)
    record = ui.store.table(row.action.becomes).get(row.object_id) if row.object_id else None
    return StepView(
        title=title,
        name=CONFIRMED,
        lines=(*what, *intent_lines(ui, row, noun, became(record))),
        words=tuple(end_words(ui, row)),
        became=record,
    )


FAILED = (Standing.NOT_RECORDED, Standing.REFUSED, Standing.NOT_EXECUTED)
"""The statuses in which an intent has certainly failed and may be repeated."""

TOKEN_WAIT = timedelta(seconds=5)  # An intent that is recorded for longer is waiting for a token

_MEANINGS = {
    Standing.NOT_RECORDED: "It could not be recorded, so nothing was sent. esc: back.",
    Standing.SENDING: "Being sent. The result is not known yet.",
    Standing.REFUSED: "Refused by the service: no money moved. esc: back to correct it.",
    Standing.NOT_EXECUTED: "Not executed: no money moved. esc: back to try again.",
    Standing.DONE: "A user marked it as executed.",
    Standing.NOT_DONE: "A user marked it as not executed. It is never sent again.",
}

_CONTRADICTED = "An alert contradicts this: see Activity (8) before you send it again."


def has_failed(row: IntentRow) -> bool:
    """Return True if an intent has certainly failed and may be repeated.

    An alert may contradict that.
    """
    return row.standing in FAILED and not row.alerts


def failed_row(ui: UiContext, intent: Intent) -> IntentRow | None:
    """Return the row of an intent that has certainly failed; None for another."""
    row = ui.store.intents.get(intent.intent_id)
    return row if row is not None and has_failed(row) else None


def end_words(ui: UiContext, row: IntentRow) -> Iterator[Cell]:
    """Yield the meaning of the status, and the next step."""
    if row.standing is Standing.IN_DOUBT:
        yield from _doubt(ui, row)
    elif row.standing is Standing.RECORDED:
        yield _waiting(ui, row)
    elif row.standing in FAILED and row.alerts:
        yield Cell(_CONTRADICTED, Tone.DOUBT)
    elif words := _MEANINGS.get(row.standing):
        yield Cell(words, Tone.MUTED)
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
    decide = "Do not send it again. You may have to resolve it in Activity (8)."
    yield Cell(decide, Tone.INK)


def outcome_words(row: IntentRow) -> str:
    """Return the outcome of an earlier attempt; only the service refuses."""
    return "Refused" if row.standing is Standing.REFUSED else "Not executed"
