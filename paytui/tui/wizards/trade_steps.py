"""Which questions a trade asks, and the account that it pays, if it pays one."""

from __future__ import annotations

from paytui.api.models import PaymentAddress
from paytui.tui.desk import Desk
from paytui.tui.guards.payees import is_strange, is_unproven
from paytui.tui.wizards.trade_draft import STEPS, Legs, Obstacle, Payee, Step


def steps_of(desk: Desk, legs: Legs | Obstacle, at: Step) -> tuple[Step, ...]:
    """The questions in order; whose account it is only where that is new or has changed."""
    address = paid_address(legs)
    asked = at is Step.PROOF or (address is not None and is_strange(desk, address))
    return STEPS if asked else tuple(step for step in STEPS if step is not Step.PROOF)


def paid_address(legs: Legs | Obstacle) -> PaymentAddress | None:
    """The account of a recipient that gets what is bought."""
    match legs:
        case Legs(target=Payee(address=address)):
            return address
        case _:
            return None


def is_to_be_proven(desk: Desk, legs: Legs | Obstacle, proven: str) -> bool:
    """Whether the account is still to be confirmed; `proven`: the hash of the one that was."""
    address = paid_address(legs)
    return address is not None and is_unproven(desk, address, proven)
