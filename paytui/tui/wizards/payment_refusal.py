"""At which question a refusal can be put right."""

from __future__ import annotations

import re
from collections.abc import Sequence

from paytui.intent import IntentRow, Standing
from paytui.tui.wizards.payment_order import Step

_ASKED_AT = {
    "source_wallet_id": Step.WALLET,
    "recipient_id": Step.RECIPIENT,
    "payment_address_id": Step.ADDRESS,
    "destination_wallet_id": Step.DESTINATION,
    "amount": Step.AMOUNT,
    "currency": Step.WALLET,
    "reference": Step.REFERENCE,
}
"""Canonical names of what a request holds (contract.md)."""


def outcome(row: IntentRow) -> str:
    """What an earlier try came to: only a service refuses."""
    return "It was refused" if row.standing is Standing.REFUSED else "Not carried out"


def troubles_of(row: IntentRow, asked: Sequence[Step]) -> dict[Step, str]:
    """What was said of it, by the question that it is about; the rest is said at the end."""
    problem = row.problem
    if problem is None:
        return {}
    said: dict[Step, list[str]] = {}
    for one in problem.fields:
        step = _ASKED_AT.get(_canonical(one.field))
        where = step if step in asked else Step.CONFIRM
        said.setdefault(where or Step.CONFIRM, []).append(f"{one.field}: {one.message}")
    if not said:
        said[Step.CONFIRM] = [problem.said or problem.what]
    return {step: f"{outcome(row)}: {'; '.join(words)}" for step, words in said.items()}


def _canonical(field: str) -> str:
    """`body.paymentAddressId` as `payment_address_id`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", field.rpartition(".")[2]).lower()
