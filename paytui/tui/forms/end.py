"""The outcome of a confirmed form, followed to its end."""

from __future__ import annotations

from collections.abc import Iterator

from paytui.config.keys import first_key
from paytui.domain.intent import Intent, IntentRow, Standing
from paytui.domain.models import Kind, PayInAddress, Record, State
from paytui.tui.context import Desk
from paytui.tui.format.cells import CAREFUL, state_cell
from paytui.tui.forms.declare import Form
from paytui.tui.theme.themes import Cell, Tone
from paytui.tui.wizards.intent_lines import intent_lines
from paytui.tui.wizards.payment_end import VOID, end_words
from paytui.tui.wizards.step import Line, StepView, line

_MEANINGS = {
    Standing.ACCEPTED: "The service has it.",
    Standing.REFUSED: "The service refused it: nothing was made. esc goes back to put it right.",
    Standing.NOT_EXECUTED: "It was not carried out: nothing was made. esc goes back to try again.",
}


def end_view(desk: Desk, form: Form, intent: Intent) -> StepView:
    """Return the status of a confirmed form, and the object that it became."""
    row = desk.store.intents.get(intent.intent_id)
    what = line("What", intent.title)
    if row is None:
        words = (Cell("It is being written down.", Tone.MUTED),)
        return StepView(title=form.title, name="confirmed", lines=(what,), words=words)
    became = desk.store.table(row.action.becomes).get(row.object_id or "")
    return StepView(
        title=form.title,
        name="confirmed",
        lines=(what, *intent_lines(desk, row, form.noun, _state_of(became))),
        words=(*_words(desk, row), *_copy_it(desk, became)),
        became=became,
    )


def _copy_it(desk: Desk, became: Record | None) -> Iterator[Cell]:
    """Ask for bank details to be copied if the service cannot show them again."""
    is_missing = "list_payin_addresses" in desk.vocabulary.missing
    is_shown = desk.store.feed(Kind.PAYIN_ADDRESSES).offered and not is_missing
    if isinstance(became, PayInAddress) and not is_shown:
        keys = desk.settings.keys
        how = f"{first_key(keys, 'wizard.open')}, then {first_key(keys, 'deposit.copy')}"
        yield CAREFUL.cell(f"Copy it now ({how}): the service cannot show it again,")
        yield Cell("and paytui forgets bank details when it ends.", Tone.CLOSING)


def _state_of(became: Record | None) -> Iterator[Line]:
    """As the service tells it; not all that is made has states."""
    status = getattr(became, "status", None)
    if isinstance(status, State):
        yield Line("State", (state_cell(status),))
    elif became is None:
        yield line("State", "not read yet", tone=Tone.MUTED)


def _words(desk: Desk, row: IntentRow) -> Iterator[Cell]:
    if not (row.standing in VOID and row.alerts) and (words := _MEANINGS.get(row.standing)):
        yield Cell(words, Tone.MUTED)
        yield from (Cell(f"! {alert}", Tone.DOWN) for alert in row.alerts)
    else:
        yield from end_words(desk, row)
