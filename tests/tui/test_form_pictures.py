"""A form in each of its states as a picture, on a fixed book.

After a change of looks: `pytest tests/tui/test_form_pictures.py --snapshot-update`, then look
at each.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from textual.pilot import Pilot

from paytui.domain.intent import Standing
from paytui.domain.models import FieldProblem, RecipientId, State
from paytui.tui.app import PaytuiApp
from tests.tui.book import read
from tests.tui.dashboard import Dashboard, shows, until
from tests.tui.forms.filling import filling, seen, stands
from tests.tui.pictures import SIZES, Compare, pictured
from tests.tui.ticket.paying import recipient

WHO = ("7", "n", *"acme", "enter", *"bus", "enter", *"Globex SA", "tab", "tab", "tab")
ACCOUNT = (*"eur", "enter", *"germany", "enter", *"cacc", "enter", *"Globex SA", "tab")
IBAN = "DE89370400440532013000"
WRONG_IBAN = "DE88370400440532013000"

STATES: dict[str, tuple[tuple[str, ...], str]] = {
    "empty": (("7", "n"), "New recipient"),
    "typing": ((*WHO, *"eur", "enter", *"united"), "United Kingdom"),
    "not_offered": ((*WHO, *"eur", "enter", "tab", *"elec", "tab"), "Choose one from the list."),
    "wrong": ((*WHO, "f2"), "Required."),
    "warned": ((*WHO, *ACCOUNT, *WRONG_IBAN, "tab"), "Wrong check digits"),
    "second_account": ((*WHO, *ACCOUNT, *IBAN, "ctrl+n"), "· Payment address 2"),
    "left": ((*WHO, *ACCOUNT, "escape", "n"), "Restored draft"),
    "leaving": ((*WHO, *ACCOUNT, "escape", "q"), "q: quit anyway"),
    "review": ((*WHO, *ACCOUNT, *IBAN, "f2"), "enter: send"),
    "review_of_a_warning": ((*WHO, *ACCOUNT, *WRONG_IBAN, "f2"), "enter: send"),
}
"""Keys, and words by which a state is known to be on view."""

Go = Callable[[Pilot[None]], Awaitable[None]]


def dashboard() -> Dashboard:
    ui = filling()
    read(ui.store, ui.clock)
    return ui


def to(state: str) -> Go:
    """Presses the keys of a state and waits until it is on view."""
    keys, words = STATES[state]

    async def go(pilot: Pilot[None]) -> None:
        await pilot.press(*keys)
        await shows(pilot, words)

    return go


def picture(snap_compare: Compare, app: PaytuiApp, go: Go, size: str) -> bool:
    return snap_compare(app, run_before=go, terminal_size=SIZES[size])


@pytest.mark.slow
@pictured("state", STATES)
def test_a_form_looks_as_it_did(snap_compare: Compare, state: str, size: str) -> None:
    assert picture(snap_compare, dashboard().app(), to(state), size)


@pytest.mark.slow
@pictured("end", ["accepted", "in_doubt", "back"])
def test_an_end_looks_as_it_did(snap_compare: Compare, end: str, size: str) -> None:
    ui = dashboard()

    async def to_the_end(pilot: Pilot[None]) -> None:
        await to("review")(pilot)
        await seen(ui, pilot)
        await pilot.press("enter")
        await shows(pilot, "Being recorded")
        if end == "accepted":
            ui.store.recipients.put([recipient(9, "Globex SA", status=State("pending"))])
            stands(ui, Standing.ACCEPTED, object_id=RecipientId("rec-9"))
        elif end == "in_doubt":
            stands(ui, Standing.IN_DOUBT, said="no answer within 30 s")
        else:
            taken = FieldProblem("payment_addresses.0.iban", "is of a bank that takes no EUR")
            stands(ui, Standing.REFUSED, said="invalid request", fields=(taken,))
        await shows(pilot, "Status")
        pilot.app.clear_notifications()
        await until(pilot, lambda: not pilot.app.screen.query("Toast"))
        if end == "back":
            await pilot.press("enter")
            await shows(pilot, "takes no EUR")

    assert picture(snap_compare, ui.app(), to_the_end, size)
