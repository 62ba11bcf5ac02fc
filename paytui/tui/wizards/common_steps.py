"""The parts that all wizards share: the account check, typed confirmation, and the outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from paytui.domain.intent import IntentRow, Standing
from paytui.domain.models import PaymentAddress
from paytui.store.payees import PayeeStatus
from paytui.tui.context import UiContext
from paytui.tui.format.cells import CAREFUL
from paytui.tui.format.ticket import path_words
from paytui.tui.format.times import clock_seconds
from paytui.tui.guards.payee_warnings import DIGITS
from paytui.tui.theme.themes import Cell, Tone
from paytui.tui.wizards.protocol import Entry, Line, StepView, line

WRONG_ENDING = "Those digits do not match this account. Check with the payee."
CHANGED = "Details changed while you were confirming. Please review."
UNPROVEN = "Its account is new here, or has changed: esc goes back, to type how it ends."

_MEANS = {
    PayeeStatus.NEW: "First payment to this account, as far as paytui knows.",
    PayeeStatus.CHANGED: "This account has other bank details than when it was last paid.",
}


def proof_entry(address: PaymentAddress) -> Entry:
    """Return the entry for the end of the account's number, which is hidden meanwhile."""
    has_number = address.account_number or address.iban
    what = "account number" if has_number else f"identifier, {address.payment_address_id}"
    return Entry(f"Last {DIGITS} of its {what}", pasted=False)


def proof_words(desk: UiContext, address: PaymentAddress) -> tuple[Cell, ...]:
    """Return the reason for the account check, and whom to ask."""
    means = _MEANS.get(desk.acquaintances.of(address), "This account is known by now.")
    return (
        CAREFUL.cell(means),
        Cell("Call the payee on a number that you already had, and type the last", Tone.MUTED),
        Cell("four characters they read out. Do not copy them from an e-mail.", Tone.MUTED),
    )


@dataclass(frozen=True, slots=True)
class TypedText:
    """A text typed to confirm, bound to the review that was on view."""

    text: str = ""
    under: object | None = None

    def while_shown(self, shown: object | None) -> str:
        """Return the text if it was typed under this review; else empty."""
        return self.text if self.under == shown else ""


_TONES = {
    Standing.ACCEPTED: Tone.UP,
    Standing.DONE: Tone.UP,
    Standing.IN_DOUBT: Tone.DOUBT,
    Standing.NOT_RECORDED: Tone.DOWN,
    Standing.REFUSED: Tone.DOWN,
    Standing.NOT_EXECUTED: Tone.DOWN,
}


CONFIRMED = "confirmed"
"""The name of the step after a confirmation."""


def unrecorded_view(title: str, lines: tuple[Line, ...]) -> StepView:
    """Return the view of an intent that the worker has not taken yet."""
    words = (Cell("It is being written down.", Tone.MUTED),)
    return StepView(title=title, name=CONFIRMED, lines=lines, words=words)


def intent_lines(
    desk: UiContext, row: IntentRow, noun: str, became: Iterable[Line]
) -> Iterator[Line]:
    """Yield the status of an intent, its object and its problem.

    Args:
        desk: for the time zone.
        row: the intent.
        noun: the kind of the object.
        became: the lines of the object, once it exists.
    """
    since = f"since {clock_seconds(row.since, desk.zone)}"
    yield line("Status", row.standing.value, since, _TONES.get(row.standing, Tone.INK))
    yield line("Intent", row.intent_id)
    if row.object_id is not None:
        yield line(noun, row.object_id)
        yield from became
    if row.problem is not None:
        yield line("Why", row.problem.happened)
    for one in row.problem.fields if row.problem else ():
        yield line("", f"{path_words(one.field)}: {one.message}")
    for candidate in row.candidates if row.standing.open else ():
        yield line("May be", candidate)
