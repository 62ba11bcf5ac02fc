"""The step at which a refused trade can be corrected, and the service's words."""

from __future__ import annotations

from collections.abc import Sequence

from paytui.domain.intent import IntentRow
from paytui.domain.models import Problem
from paytui.tui.wizards.payment_refusal import outcome
from paytui.tui.wizards.service_fields import ServiceField
from paytui.tui.wizards.trade_draft import Step

_ASKED_AT = (
    ("sellwallet", Step.SELL),
    ("sellcurrency", Step.SELL),
    ("buywallet", Step.BUY),
    ("buycurrency", Step.BUY),
    ("recipient", Step.BUY),
    ("paymentaddress", Step.ADDRESS),
    ("paymentaddress", Step.BUY),
    ("amount", Step.AMOUNT),
    ("reference", Step.REFERENCE),
)
"""Parts of field names, without case and underscores, and the question that asks for them."""


def step_of(problem: Problem | None, asked: Sequence[Step | ServiceField]) -> Step | ServiceField:
    """The first question that the service finds fault with; the rate, where it names none."""
    added = {one.field.key: one for one in asked if isinstance(one, ServiceField)}
    for field in problem.fields if problem else ():
        if field.field in added:
            return added[field.field]
        name = field.field.replace("_", "").lower()
        for part, step in _ASKED_AT:
            if part in name and step in asked:
                return step
    return Step.RATE


def words_of(row: IntentRow) -> str:
    """Return the outcome of an earlier attempt."""
    problem = row.problem
    if problem is None:
        return f"{outcome(row)}."
    fields = "; ".join(f"{one.field}: {one.message}" for one in problem.fields)
    said = fields or problem.said or problem.what
    return f"{outcome(row)}: {said}"
