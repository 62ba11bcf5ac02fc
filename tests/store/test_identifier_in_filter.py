"""The identifier that a filter names: the service may know an object that no list holds."""

from __future__ import annotations

import pytest

from paytui.domain.models import Kind
from paytui.store.filter import identifier_in
from paytui.store.search_text import named_fields
from paytui.store.store import Store


def named(text: str) -> str:
    return identifier_in(text, named_fields(Store(), Kind.PAYMENTS))


@pytest.mark.parametrize(
    "text",
    [
        "pay-0001234",
        "payment_transaction_id=pay-0001234",
        "id:pay-0001234",
        "ccy:aud pay-0001234 created>2025-03-01",
    ],
)
def test_a_whole_id_is_one_object(text: str) -> None:
    assert named(text) == "pay-0001234"


@pytest.mark.parametrize(
    "text", ["", "acme", "amount>10k", "ccy:aud", "status:completed", "-pay-0001234", "ab12"]
)
def test_what_cannot_be_an_id_names_nothing(text: str) -> None:
    assert named(text) == ""
