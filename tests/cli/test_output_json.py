"""Canonical objects as JSON: nothing rounded, nothing in local time."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest

from paytui.cli.common import jsonable
from paytui.domain.models import (
    Account,
    AccountId,
    Payment,
    PaymentId,
    PhysicalAddress,
    Recipient,
    RecipientId,
    State,
)


def _written(value: object) -> Any:  # noqa: ANN401 - any JSON
    return json.loads(json.dumps(value, default=jsonable))


def test_an_object_is_its_fields_and_a_state_its_name() -> None:
    payment = Payment(PaymentId("p1"), amount=Decimal("0.10"), status=State("released"))
    shown = _written(payment)
    assert shown["payment_transaction_id"] == "p1"
    assert shown["amount"] == "0.10"
    assert shown["status"] == "released"
    assert shown["end_to_end_id"] is None


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Decimal("1234567890123456.78"), "1234567890123456.78"),
        (Decimal("1E+3"), "1000"),
        (Decimal("1e-7"), "0.0000001"),
        (datetime(2026, 3, 2, 12, tzinfo=UTC), "2026-03-02T12:00:00Z"),
        (
            datetime(2026, 3, 2, 12, tzinfo=timezone(timedelta(hours=11))),
            "2026-03-02T01:00:00Z",
        ),
        (date(1990, 1, 31), "1990-01-31"),
        (True, True),
        (None, None),
    ],
)
def test_values(value: object, written: object) -> None:
    assert _written(value) == written


def test_objects_within_objects() -> None:
    account = Account(AccountId("a"), physical_address=PhysicalAddress(city="Perth"))
    shown = _written(account)
    assert shown["physical_address"]["city"] == "Perth"
    recipient = _written(Recipient(RecipientId("r")))
    assert recipient["payment_addresses"] == []
