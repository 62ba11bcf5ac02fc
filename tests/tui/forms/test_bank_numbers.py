"""Numbers of bank accounts: examples of their standards, and mistakes in them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paytui.tui.forms import common_fields
from paytui.tui.forms.schema import Finding

Judge = Callable[[str], Finding | None]

RIGHT: list[tuple[Judge, str]] = [
    (common_fields.judge_iban, "GB82WEST12345698765432"),
    (common_fields.judge_iban, "NO9386011117947"),
    (common_fields.judge_iban, "KW81CBKU0000000000001234560101"),
    (common_fields.judge_bic, "DEUTDEFF"),
    (common_fields.judge_bic, "NEDSZAJJXXX"),
    (common_fields.judge_bsb, "062000"),
    (common_fields.judge_bsb, "062-000"),
    (common_fields.judge_aba, "021000021"),
    (common_fields.judge_account_number, "12345678"),
    (common_fields.judge_account_number, "AB12CDEFGHIJKLMNOP"),
]

WRONG: list[tuple[Judge, str, str]] = [
    (common_fields.judge_iban, "GB82WEST12345698765423", "check digits"),
    (common_fields.judge_iban, "DE5137040044053201300", "Wrong length or form"),
    (common_fields.judge_bic, "DEUTDEF", "FNBAUS33"),
    (common_fields.judge_bic, "DEUT1EFF", "FNBAUS33"),
    (common_fields.judge_bsb, "06200", "six digits"),
    (common_fields.judge_bsb, "0620000", "six digits"),
    (common_fields.judge_bsb, "06200O", "six digits"),
    (common_fields.judge_aba, "021000012", "nine digits"),
    (common_fields.judge_aba, "02100002", "nine digits"),
    (common_fields.judge_account_number, "DE89370400440532013000", "in the IBAN field"),
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
