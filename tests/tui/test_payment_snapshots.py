"""A payout and a transfer as pictures, on a fixed book."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from textual.pilot import Pilot

from paytui.domain.intent import Standing
from paytui.domain.models import FieldProblem, Problem
from paytui.platform.host import TerminalEnvironment
from paytui.tui.app import PaytuiApp
from tests.support.clock import NOON
from tests.tui.book import read
from tests.tui.dashboard import Dashboard, settings_of, shows, until
from tests.tui.pictures import SIZES, USUAL, Compare, pictured
from tests.tui.ticket.paying import Paying, forget
from tests.tui.ticket.test_payment_start import PAID

TO_AMOUNT = ("p", *"globex", "enter", "enter")
STATES: dict[str, tuple[tuple[str, ...], str]] = {
    "empty": (("p",), "type a name"),
    "narrowed": (("p", *"wa"), "› Wayne"),
    "wallets": (TO_AMOUNT[:-1], "› USD desk"),
    "accounts": (("p", *"wayne", "enter"), "Payout · bank account"),
    "filled": ((*TO_AMOUNT, *"600", "tab", *"INV 7"), "INV 7"),
    "error": ((*TO_AMOUNT, *"1,00", "enter"), "✗"),
    "short_by": ((*TO_AMOUNT, *"6k"), "Exceeds available by"),
    "confirm": (("6", "P"), "enter: send"),
    "transfer": (("x", *"desk", "enter", "enter", "5"), "= 5.00 USD"),
    "transfer_confirm": (("x", *"desk", "enter", "enter", "5", "enter"), "enter: send"),
}
"""Keys, and words by which it is known that they took effect."""

EVERY_SIZE = ("empty", "filled", "error", "confirm")

REFUSAL = Problem(
    "send Payout 1,200.50 USD to Globex",
    "422",
    said="insufficient funds",
    remedy="Correct the request.",
    trace_id="4f3a",
    fields=(FieldProblem("amount", "only 1,000.00 is available"),),
)
SILENCE = Problem("send Payout 1,200.50 USD to Globex", "no answer within 30 s")


def dashboard(paying: Paying, *, live: bool = False) -> PaytuiApp:
    paying.store.payments.put([PAID])
    read(paying.store, paying.clock)
    settings = settings_of(live=live)
    return Dashboard(paying.store, paying.clock, settings=settings, port=paying.port).app()


def to(state: str) -> Callable[[Pilot[None]], Awaitable[None]]:
    """Presses the keys that lead to a state and waits until it is on view."""
    keys, words = STATES[state]

    async def go(pilot: Pilot[None]) -> None:
        await pilot.press(*keys)
        await shows(pilot, words)

    return go


@pytest.mark.slow
@pictured("state", STATES, wide=EVERY_SIZE)
def test_a_ticket_looks_as_it_did(snap_compare: Compare, state: str, size: str) -> None:
    assert snap_compare(dashboard(Paying()), run_before=to(state), terminal_size=SIZES[size])


@pytest.mark.slow
def test_a_confirmation_where_real_money_moves_looks_as_it_did(snap_compare: Compare) -> None:
    app = dashboard(Paying(), live=True)
    assert snap_compare(app, run_before=to("confirm"), terminal_size=USUAL)


@pytest.mark.slow
def test_a_confirmation_in_tmux_looks_as_it_did(snap_compare: Compare) -> None:
    paying = Paying()
    paying.store.payments.put([PAID])
    read(paying.store, paying.clock)
    in_tmux = TerminalEnvironment(multiplexed=True)
    app = Dashboard(paying.store, paying.clock, port=paying.port, surroundings=in_tmux).app()
    assert snap_compare(app, run_before=to("confirm"), terminal_size=USUAL)


@pytest.mark.slow
def test_a_new_account_looks_as_it_did(snap_compare: Compare) -> None:
    paying = Paying()
    forget(paying.store)
    app = Dashboard(paying.store, paying.clock, port=paying.port).app()
    read(paying.store, paying.clock)

    async def to_the_account(pilot: Pilot[None]) -> None:
        await pilot.press(*TO_AMOUNT, *"600", "tab", *"INV 7", "enter", *"12", "enter")
        await shows(pilot, "do not match this account")

    assert snap_compare(app, run_before=to_the_account, terminal_size=USUAL)


@pytest.mark.slow
@pictured("end", ["released", "refused", "in_doubt"], wide=("in_doubt",))
def test_an_end_looks_as_it_did(snap_compare: Compare, end: str, size: str) -> None:
    paying = Paying()

    async def to_the_end(pilot: Pilot[None]) -> None:
        await pilot.press("6", "P")
        await shows(pilot, "enter: send")
        paying.clock.advance(1)
        await pilot.press("enter")
        await shows(pilot, "Being recorded")
        match end:
            case "released":
                paying.stands(Standing.ACCEPTED, object_id="pay-9")
                paying.becomes("released", end_to_end_id="E2EPAY9")
            case "refused":
                paying.stands(Standing.REFUSED, problem=REFUSAL)
            case _:
                paying.stands(Standing.IN_DOUBT, problem=SILENCE, repeat_until=NOON)
        paying.store.notify()
        await shows(pilot, "Status")
        pilot.app.clear_notifications()
        await until(pilot, lambda: not pilot.app.screen.query("Toast"))

    app = dashboard(paying)
    assert snap_compare(app, run_before=to_the_end, terminal_size=SIZES[size])
