"""Numbers of bank accounts: expected are the examples of their standards, and slips in them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paytui.tui.forms import values
from paytui.tui.forms.schema import Finding

Judge = Callable[[str], Finding | None]

RIGHT: list[tuple[Judge, str]] = [
    (values.judge_iban, "GB82WEST12345698765432"),
    (values.judge_iban, "NO9386011117947"),
    (values.judge_iban, "KW81CBKU0000000000001234560101"),
    (values.judge_bic, "DEUTDEFF"),
    (values.judge_bic, "NEDSZAJJXXX"),
    (values.judge_bsb, "062000"),
    (values.judge_bsb, "062-000"),
    (values.judge_aba, "021000021"),
    (values.judge_account_number, "12345678"),
    (values.judge_account_number, "AB12CDEFGHIJKLMNOP"),
]

WRONG: list[tuple[Judge, str, str]] = [
    (values.judge_iban, "GB82WEST12345698765423", "check digits"),
    (values.judge_iban, "DE5137040044053201300", "not written like this"),
    (values.judge_bic, "DEUTDEF", "FNBAUS33"),
    (values.judge_bic, "DEUT1EFF", "FNBAUS33"),
    (values.judge_bsb, "06200", "six digits"),
    (values.judge_bsb, "0620000", "six digits"),
    (values.judge_bsb, "06200O", "six digits"),
    (values.judge_aba, "021000012", "nine digits"),
    (values.judge_aba, "02100002", "nine digits"),
    (values.judge_account_number, "DE89370400440532013000", "field of its own"),
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
