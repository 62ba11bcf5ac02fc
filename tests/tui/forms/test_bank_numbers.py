"""Numbers of bank accounts: expected are the examples of their standards, and slips in them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paytui.tui.forms import bank_numbers
from paytui.tui.forms.declare import Finding

Judge = Callable[[str], Finding | None]

RIGHT: list[tuple[Judge, str]] = [
    (bank_numbers.judge_iban, "GB82WEST12345698765432"),
    (bank_numbers.judge_iban, "NO9386011117947"),
    (bank_numbers.judge_iban, "KW81CBKU0000000000001234560101"),
    (bank_numbers.judge_bic, "DEUTDEFF"),
    (bank_numbers.judge_bic, "NEDSZAJJXXX"),
    (bank_numbers.judge_bsb, "062000"),
    (bank_numbers.judge_bsb, "062-000"),
    (bank_numbers.judge_aba, "021000021"),
    (bank_numbers.judge_account_number, "12345678"),
    (bank_numbers.judge_account_number, "AB12CDEFGHIJKLMNOP"),
]

WRONG: list[tuple[Judge, str, str]] = [
    (bank_numbers.judge_iban, "GB82WEST12345698765423", "check digits"),
    (bank_numbers.judge_iban, "DE5137040044053201300", "not written like this"),
    (bank_numbers.judge_bic, "DEUTDEF", "FNBAUS33"),
    (bank_numbers.judge_bic, "DEUT1EFF", "FNBAUS33"),
    (bank_numbers.judge_bsb, "06200", "six digits"),
    (bank_numbers.judge_bsb, "0620000", "six digits"),
    (bank_numbers.judge_bsb, "06200O", "six digits"),
    (bank_numbers.judge_aba, "021000012", "nine digits"),
    (bank_numbers.judge_aba, "02100002", "nine digits"),
    (bank_numbers.judge_account_number, "DE89370400440532013000", "field of its own"),
]


@pytest.mark.parametrize(("judge", "text"), RIGHT)
def test_what_its_standard_allows_is_right(judge: Judge, text: str) -> None:
    assert judge(text) is None


@pytest.mark.parametrize(("judge", "text", "words"), WRONG)
def test_a_slip_is_a_warning_and_never_more(judge: Judge, text: str, words: str) -> None:
    finding = judge(text)
    assert finding is not None
    assert words in finding.words
    assert finding.overridable
