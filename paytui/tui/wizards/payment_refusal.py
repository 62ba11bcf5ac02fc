"""At which question a refusal can be put right."""

from __future__ import annotations

import re
from collections.abc import Sequence

from paytui.domain.intent import IntentRow, Standing, without_tag
from paytui.tui.wizards.payment_order import Step
from paytui.tui.wizards.service_fields import ServiceField

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
    """Return the outcome of an earlier attempt: only a service refuses."""
    return "It was refused" if row.standing is Standing.REFUSED else "Not carried out"


def troubles_of(
    row: IntentRow, asked: Sequence[Step | ServiceField]
) -> dict[Step | ServiceField, str]:
    """Return the service's complaints by step; others belong to the last step."""
    problem = row.problem
    if problem is None:
        return {}
    said: dict[Step | ServiceField, list[str]] = {}
    added = {one.field.key: one for one in asked if isinstance(one, ServiceField)}
    for one in problem.fields:
        step = added.get(one.field) or _ASKED_AT.get(_canonical(one.field))
        where = step if step in asked else Step.CONFIRM
        words = f"{one.field}: {one.message}"
        if step is Step.REFERENCE:
            words += _of_the_tag(row)
        said.setdefault(where or Step.CONFIRM, []).append(words)
    if not said:
        said[Step.CONFIRM] = [problem.said or problem.what]
    return {step: f"{outcome(row)}: {'; '.join(words)}" for step, words in said.items()}


def _of_the_tag(row: IntentRow) -> str:
    """Return a remark on the tag in a reference that the service refused."""
    sent = row.terms.reference or ""
    added = len(sent) - len(without_tag(sent))
    if not added:
        return ""
    return (
        f" ({added} of its {len(sent)} characters are {row.intent_id}, by which paytui knows it "
        "again: type a shorter one, or leave that out by tag_reference = false)"
    )


def _canonical(field: str) -> str:
    """`body.paymentAddressId` as `payment_address_id`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", field.rpartition(".")[2]).lower()
