"""The outcome of a confirmed ticket."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from paytui.domain.intent import Intent, IntentRow
from paytui.domain.models import Record
from paytui.tui.step_protocol import Line, line
from paytui.tui.ticket.model import TicketView
from paytui.tui.ui_context import UiContext
from paytui.tui.wizards.outcome import end_view
from paytui.tui.wizards.parties import reference_line


def outcome_view(
    ui: UiContext,
    title: str,
    intent: Intent | IntentRow,
    *,
    noun: str,
    became: Callable[[Record | None], Iterable[Line]],
) -> TicketView:
    """Return the outcome of an intent, with the lines of its object, once that was read."""
    what = [line("Intent", intent.title)]
    if intent.action.moves_money:
        what.append(reference_line(intent.terms.reference))
    return end_view(ui, title, intent, tuple(what), noun=noun, became=became)
