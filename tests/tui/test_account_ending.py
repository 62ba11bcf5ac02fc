"""The end of an account number is typed as its owner told it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paytui.domain.models import PaymentAddress, PaymentAddressId
from paytui.tui.confirmation import ends_with

BOTH = PaymentAddress(
    PaymentAddressId("adr-77AB"), account_number="0012-3456", iban="GB29 NWBK 6016 1331 92ab"
)


@pytest.mark.parametrize("typed", ["3456", " 34 56 ", "92AB", "92ab"])
def test_the_end_of_its_number_or_of_its_iban_will_do(typed: str) -> None:
    assert ends_with(BOTH, typed)


@pytest.mark.parametrize("typed", ["", "456", "3457", "123456", "77AB", "--", "0012"])
def test_nothing_else_will(typed: str) -> None:
    assert not ends_with(BOTH, typed)


def test_a_short_number_is_typed_whole() -> None:
    short = replace(BOTH, account_number="12", iban=None)
    assert ends_with(short, "12")
    assert not ends_with(short, "2")


@pytest.mark.parametrize("number", [None, "", "----"])
def test_without_a_number_it_is_the_end_of_the_identifier(number: str | None) -> None:
    assert ends_with(replace(BOTH, account_number=number, iban=None), "77ab")
    assert not ends_with(replace(BOTH, account_number=number, iban=None), "")
