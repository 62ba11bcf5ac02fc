"""The steps of a trade, and the account that it pays, if any."""

from __future__ import annotations

from paytui.domain.models import PaymentAddress
from paytui.tui.context import Desk
from paytui.tui.guards.payee_warnings import is_strange, is_unproven
from paytui.tui.wizards.service_fields import ServiceField, service_fields
from paytui.tui.wizards.trade_draft import (
    PARTIES,
    REQUEST,
    Legs,
    Obstacle,
    Payee,
    Step,
    TradeDraft,
    lists_payees,
)


def steps_of(
    desk: Desk, draft: TradeDraft, legs: Legs | Obstacle, at: Step | ServiceField
) -> tuple[Step | ServiceField, ...]:
    """The questions in order; whose account it is only where that is new or has changed."""
    is_payee = draft.recipient_id is not None and not lists_payees(desk.store)
    has_address = is_payee or at is Step.ADDRESS
    parties = (step for step in PARTIES if step is not Step.ADDRESS or has_address)
    address = paid_address(legs)
    asked = at is Step.PROOF or (address is not None and is_strange(desk, address))
    whose = (Step.PROOF,) if asked else ()
    reference = (Step.REFERENCE,) if desk.vocabulary.takes(REQUEST, "reference") else ()
    written = (*reference, *service_fields(desk.vocabulary, REQUEST))
    return (*parties, Step.AMOUNT, *written, *whose, Step.RATE, Step.CONFIRM)


def paid_address(legs: Legs | Obstacle) -> PaymentAddress | None:
    """The account of a recipient that gets what is bought."""
    match legs:
        case Legs(target=Payee(address=address)):
            return address
        case _:
            return None


def is_to_be_proven(desk: Desk, legs: Legs | Obstacle, proven: str) -> bool:
    """Return True if the account is to be proven; `proven`: hash of the one that was."""
    address = paid_address(legs)
    return address is not None and is_unproven(desk, address, proven)
