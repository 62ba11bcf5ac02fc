"""Numbers of bank accounts: examples of their standards, and mistakes in them."""

from __future__ import annotations

import pytest

from paytui.domain import requests
from paytui.tui.forms.form import Check
from paytui.tui.ticket.model import Values


def judge_bsb(text: str, _: Values) -> str:
    return requests.judge_routing_code(text, {"country": "AU"})


def judge_aba(text: str, _: Values) -> str:
    return requests.judge_routing_code(text, {"country": "US"})


RIGHT: list[tuple[Check, str]] = [
    (requests.judge_iban, "GB82WEST12345698765432"),
    (requests.judge_iban, "NO9386011117947"),
    (requests.judge_iban, "KW81CBKU0000000000001234560101"),
    (requests.judge_bic, "DEUTDEFF"),
    (requests.judge_bic, "NEDSZAJJXXX"),
    (judge_bsb, "062000"),
    (judge_bsb, "062-000"),
    (judge_aba, "021000021"),
    (requests.judge_account_number, "12345678"),
    (requests.judge_account_number, "AB12CDEFGHIJKLMNOP"),
]

WRONG: list[tuple[Check, str, str]] = [
    (requests.judge_iban, "GB82WEST12345698765423", "check digits"),
    (requests.judge_iban, "DE5137040044053201300", "Wrong length or form"),
    (requests.judge_bic, "DEUTDEF", "FNBAUS33"),
    (requests.judge_bic, "DEUT1EFF", "FNBAUS33"),
    (judge_bsb, "06200", "six digits"),
    (judge_bsb, "0620000", "six digits"),
    (judge_bsb, "06200O", "six digits"),
    (judge_aba, "021000012", "nine digits"),
    (judge_aba, "02100002", "nine digits"),
    (requests.judge_account_number, "DE89370400440532013000", "in the IBAN field"),
]


@pytest.mark.parametrize(("judge", "text"), RIGHT)
def test_what_its_standard_allows_is_right(judge: Check, text: str) -> None:
    assert judge(text, {}) == ""


@pytest.mark.parametrize(("judge", "text", "words"), WRONG)
def test_a_slip_is_warned_of(judge: Check, text: str, words: str) -> None:
    assert words in judge(text, {})
