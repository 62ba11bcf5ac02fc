"""A response is not called understood if an important field is not."""

from __future__ import annotations

import json

import pytest

from paytui.api.dialect import load_dialect
from paytui.cli.commands.dialect_check import Outcome, explain_response
from paytui.domain.exact_json import Json
from paytui.domain.models import Kind

ENDS = "2036-03-02T12:00:00Z"


def of(kind: Kind, body: Json) -> Outcome:
    return explain_response(kind, json.dumps(body).encode(), load_dialect())


@pytest.mark.parametrize(
    "rates",
    [
        {"rates": []},
        {"rates": {"AUDUSD": "0.65"}},
        {"quotes": [{"sellCurrency": "AUD", "buyCurrency": "USD", "rate": "0.65"}]},
        {"rates": [{"from": "AUD", "to": "USD", "price": "0.65"}]},
    ],
)
def test_a_rate_sheet_without_a_rate_that_can_be_used(rates: dict[str, Json]) -> None:
    found = of(Kind.RATE_SHEETS, {"item": {"rateSheetId": "s1", "expiresAt": ENDS, **rates}})
    assert not found.understood
    assert "none of its rates can be used" in "\n".join(found.lines)


def test_a_rate_sheet_that_says_why_a_rate_is_not_there() -> None:
    why: Json = {"sellCurrency": "AUD", "buyCurrency": "XAU", "reason": "not traded"}
    sheet: Json = {"rateSheetId": "s1", "expiresAt": ENDS, "rates": [], "unavailable": [why]}
    assert of(Kind.RATE_SHEETS, sheet).understood


def test_an_object_within_another_that_lacks_its_identifier() -> None:
    address: Json = {"addressNo": "x", "accountNumber": "1"}
    found = of(Kind.RECIPIENTS, [{"recipientId": "r1", "paymentAddresses": [address]}])
    assert not found.understood
    assert "    1 of them cannot be used: they lack required fields" in found.lines


def test_records_that_all_have_one_identifier() -> None:
    found = of(Kind.WALLETS, {"items": [{"walletId": "x", "currency": "AUD"}] * 5})
    assert not found.understood
    assert "  4 of them have the identifier of another: see [fields.wallet]" in found.lines


@pytest.mark.parametrize("around", ["items", None])
def test_records_that_stand_by_their_identifiers(around: str | None) -> None:
    records: Json = {name: {"walletId": name, "currency": "AUD"} for name in ("w1", "w2")}
    found = of(Kind.WALLETS, records if around is None else {around: records})
    assert not found.understood
    assert any(line.endswith("records by name, and no list") for line in found.lines)
    assert "items.w1" not in " ".join(line for line in found.lines if "[envelope]" in line)


def test_what_looks_like_a_field_that_is_absent() -> None:
    found = of(Kind.WALLETS, [{"walletId": "w1", "curency": "AUD"}])
    assert not found.understood
    assert found.lines[-1] == "Lines that say unread or state: 1. Look through them."


def test_what_nobody_reads_and_looks_like_nothing_is_left_to_a_person() -> None:
    found = of(Kind.WALLETS, [{"walletId": "w1", "currency": "AUD", "zzz": 1, "status": "OPEN"}])
    assert found.understood
    assert found.lines[-1] == "Lines that say unread or state: 2. Look through them."


def test_where_nothing_is_left_nothing_is_said_of_it() -> None:
    found = of(Kind.WALLETS, [{"walletId": "w1", "currency": "AUD"}])
    assert found.understood
    assert "Look through" not in found.lines[-1]
