"""The movements of a wallet, the newest first; each can be opened."""

from __future__ import annotations

from paytui.domain.models import Kind, Wallet
from paytui.domain.money import MISSING
from paytui.store.views.movements import Movement, newest_movements
from paytui.tui.context import Desk
from paytui.tui.details.facts import Activity, Fact, Group, Ref, amount_words, text_fact
from paytui.tui.details.journeys import PAYIN
from paytui.tui.details.links import MOST, many
from paytui.tui.format.cells import state_cell
from paytui.tui.format.times import short_time
from paytui.tui.theme.themes import Cell

_NBSP = "\N{NO-BREAK SPACE}"
"""What amounts are aligned by: no line is broken there."""


def movements_group(desk: Desk, wallet: Wallet) -> Group:
    """A line a transaction that touches the wallet."""
    newest, count = newest_movements(desk.store, wallet.wallet_id, MOST)
    amounts = [_signed(movement) for movement in newest]
    width = max(map(len, amounts), default=0)
    lines = zip(newest, amounts, strict=True)
    facts = [_line(desk, movement, amount.rjust(width, _NBSP)) for movement, amount in lines]
    return Group(f"Activity ({many(count)})", (_all(wallet, count), *facts))


def _all(wallet: Wallet, count: int) -> Fact:
    """The way to the list, where it can be filtered, sorted and exported."""
    return text_fact("As a list", f"{count:,}", link=Activity(wallet.wallet_id))


def _line(desk: Desk, movement: Movement, amount: str) -> Fact:
    """Return the amount and state of a movement, its other party and reference."""
    cell = Cell(f"{amount}  {state_cell(movement.status).text}")
    told = (movement.what, _ahead(movement), movement.reference)
    link = Ref(movement.kind, movement.key)
    note = ", ".join(part for part in told if part)
    return Fact(
        short_time(movement.at, desk.zone), cell, cell.text.lstrip(_NBSP), note, link, brief=True
    )


def _signed(movement: Movement) -> str:
    if movement.amount is None:
        return MISSING
    words = amount_words(movement.amount, movement.currency)
    return f"+{words}" if movement.amount > 0 else words


def _ahead(movement: Movement) -> str:
    """Return the remaining steps of a pay-in."""
    state = movement.status
    if movement.kind is not Kind.PAYINS or state is None:
        return ""
    ahead = " and ".join(name.replace("_", " ") for name in PAYIN.ahead(state.name))
    return f"then {ahead}" if ahead else ""
