"""The step at which a new or changed account is confirmed: the same in every wizard."""

from __future__ import annotations

from paytui.domain.models import PaymentAddress
from paytui.store.payees import Acquaintance
from paytui.tui.context import Desk
from paytui.tui.format.cells import CAREFUL
from paytui.tui.guards.payee_warnings import DIGITS
from paytui.tui.theme.themes import Cell, Tone
from paytui.tui.wizards.step import Entry

WRONG_ENDING = "The account that would be paid does not end so. Ask its owner again."
UNPROVEN = "Its account is new here, or has changed: esc goes back, to type how it ends."

_MEANS = {
    Acquaintance.NEW: "This account was never paid, as far as is known here.",
    Acquaintance.CHANGED: "This account has other bank details than when it was last paid.",
}


def proof_entry(address: PaymentAddress) -> Entry:
    """Where the end of the account is typed; its number is nowhere on view meanwhile."""
    has_number = address.account_number or address.iban
    what = "account number" if has_number else f"identifier, {address.payment_address_id}"
    return Entry(f"Last {DIGITS} of its {what}", pasted=False)


def proof_words(desk: Desk, address: PaymentAddress) -> tuple[Cell, ...]:
    """Why it is asked for, and whom to ask."""
    means = _MEANS.get(desk.acquaintances.of(address), "This account is known by now.")
    return (
        CAREFUL.cell(means),
        Cell("Type how it ends as its owner told you: by a call to a number that", Tone.MUTED),
        Cell("you knew before, not by what a message says.", Tone.MUTED),
    )
