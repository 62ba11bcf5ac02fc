"""The outcome of a confirmed payment, followed to its end."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from paytui.domain.intent import IntentRow, Standing
from paytui.domain.models import Kind, Payment, PaymentId
from paytui.tui.context import Desk
from paytui.tui.details.intent import looked_for
from paytui.tui.details.state_path import PAYMENT, journey_here
from paytui.tui.format.cells import state_cell
from paytui.tui.format.times import clock_seconds
from paytui.tui.guards.sending import may_send
from paytui.tui.theme.themes import Cell, Tone
from paytui.tui.wizards.intent_lines import intent_lines
from paytui.tui.wizards.payment_state import PaymentState
from paytui.tui.wizards.step import Line, line

VOID = (Standing.NOT_RECORDED, Standing.REFUSED, Standing.NOT_EXECUTED)
"""Where an intent came to nothing for certain, so that another may take its place."""

SOON = timedelta(seconds=5)
"""What is recorded for longer waits for something: the way to the service needs a token."""

_MEANINGS = {
    Standing.NOT_RECORDED: "It could not be written down, so nothing was sent. esc goes back.",
    Standing.SENDING: "It is on its way; what comes of it is not known yet.",
    Standing.REFUSED: "The service refused it: no money moved. esc goes back to put it right.",
    Standing.NOT_EXECUTED: "It was not carried out: no money moved. esc goes back to try again.",
    Standing.DONE: "A trader found that it was carried out.",
    Standing.NOT_DONE: "A trader decided that it was not carried out, and will not be.",
}


_CONTRADICTED = "An alert contradicts this: see Activity (8) before you send it again."


def row_of(desk: Desk, state: PaymentState) -> IntentRow | None:
    """Return the row of the confirmed intent; None until the worker has taken it."""
    return desk.store.intents.get(state.intent.intent_id) if state.intent else None


def is_void(row: IntentRow) -> bool:
    """Return True if an intent came to nothing for certain, so that another may take its place.

    An alert may contradict that.
    """
    return row.standing in VOID and not row.alerts


def payment_of(desk: Desk, row: IntentRow) -> Payment | None:
    """The payment that it became, once it was read."""
    return desk.store.payments.get(PaymentId(row.object_id)) if row.object_id else None


def end_lines(desk: Desk, row: IntentRow) -> Iterator[Line]:
    """Return the status of an intent, and the payment that it became."""
    return intent_lines(desk, row, "Payment", _payment_lines(desk, payment_of(desk, row)))


def end_words(desk: Desk, row: IntentRow) -> Iterator[Cell]:
    """Yield what that means, and what happens next."""
    if row.standing is Standing.IN_DOUBT:
        yield from _doubt(desk, row)
    elif row.standing is Standing.RECORDED:
        yield _waiting(desk, row)
    elif row.standing in VOID and row.alerts:
        yield Cell(_CONTRADICTED, Tone.DOUBT)
    elif words := _MEANINGS.get(row.standing):
        yield Cell(words, Tone.MUTED)
    for alert in row.alerts:
        yield Cell(f"! {alert}", Tone.DOWN)


def _waiting(desk: Desk, row: IntentRow) -> Cell:
    """Return why it is not on its way yet."""
    if why_not := may_send(desk):
        return Cell(f"It was not sent: {why_not}", Tone.CLOSING)
    if desk.time.latest() - row.since > SOON:
        return Cell("It is on disk, and waiting for a token.", Tone.CLOSING)
    return Cell("It is on disk, and is sent next.", Tone.MUTED)


def _doubt(desk: Desk, row: IntentRow) -> Iterator[Cell]:
    yield Cell("? It may have been carried out, or not: nobody knows yet.", Tone.DOUBT)
    yield Cell(looked_for(desk, row), Tone.MUTED)
    if row.repeat_until is not None:
        until = clock_seconds(row.repeat_until, desk.zone)
        again = f"It may send the same again, under the same key, until {until}."
        yield Cell(again, Tone.MUTED)
    decide = "Do not make it anew. What stays open is for you to settle, in Activity (8)."
    yield Cell(decide, Tone.INK)


def _payment_lines(desk: Desk, payment: Payment | None) -> Iterator[Line]:
    if payment is None or payment.status is None:
        yield line("State", "not read yet")
        return
    yield Line("State", (state_cell(payment.status),))
    if ahead := journey_here(desk, PAYMENT, Kind.PAYMENTS).ahead(payment.status.name):
        yield line("Next", ", ".join(ahead).replace("_", " "), tone=Tone.MUTED)
    if payment.failure_reason:
        yield line("Reason", payment.failure_reason)
    if payment.end_to_end_id:
        yield line("End-to-end", payment.end_to_end_id, tone=Tone.ACCENT)
    elif not payment.status.final:
        yield line("End-to-end", "comes once it is released", tone=Tone.MUTED)
