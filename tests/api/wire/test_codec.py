"""Any response is decoded or raises a documented error."""

from __future__ import annotations

import dataclasses
import unicodedata
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paytui.api.dialect import Dialect, load_dialect
from paytui.api.errors import ApiError
from paytui.api.http.response import Answer, failure
from paytui.api.resources import READS
from paytui.api.wire.codec import Wire
from paytui.domain.exact_json import CannotReadError, Json, write
from paytui.domain.models import Payment, RateSheet, Recipient, Wallet

DIALECT: Dialect = load_dialect()
WIRE = Wire(DIALECT)
NAMES = sorted(
    {path[0] for fields in DIALECT.fields.values() for paths in fields.values()
     for path in paths if path} | {"item", "items", "total", "next", "error", "errors"}
)  # fmt: skip

leaves: st.SearchStrategy[Json] = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.decimals(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.sampled_from(["AUD", "released", "2026-03-02T12:00:00Z", "12.50"])
)
small_objects = st.dictionaries(st.sampled_from(NAMES), leaves, max_size=4)
anything = leaves | small_objects | st.lists(leaves | small_objects, max_size=3)
objects = st.dictionaries(st.sampled_from(NAMES), anything, max_size=8)
a_few = settings(max_examples=40, deadline=None)


@pytest.mark.parametrize("cls", [how.record for how in READS.values()])
@a_few
@given(raw=objects)
def test_any_object_is_read_or_refused(cls: type, raw: dict[str, Json]) -> None:
    try:
        record: object = WIRE.one(write(raw).encode(), cls)
    except CannotReadError:
        return
    assert all(is_harmless(text) for text in strings_in(record))


def strings_in(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, tuple):
        return [text for item in value for text in strings_in(item)]
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value)]
        return [text for name in names for text in strings_in(getattr(value, name))]
    return []


def is_harmless(text: str) -> bool:
    return not any(unicodedata.category(char) in {"Cc", "Cf", "Cs"} for char in text)


@a_few
@given(raw=objects)
def test_any_rate_sheet_is_read_or_refused(raw: dict[str, Json]) -> None:
    try:
        sheet = WIRE.one(write(raw).encode(), RateSheet, sent_at=0.0)
    except CannotReadError:
        return
    assert all(isinstance(rate.rate, Decimal) for rate in sheet.rates)


@a_few
@given(body=st.binary() | anything.map(lambda value: write(value).encode()))
def test_any_body_is_a_list_or_refused(body: bytes) -> None:
    try:
        part = WIRE.many(body)
    except CannotReadError:
        return
    assert isinstance(part.items, list)


@a_few
@given(
    body=st.binary() | anything.map(lambda value: write(value).encode()),
    status=st.integers(300, 599),
)
def test_any_refusal_becomes_an_error_with_harmless_words(body: bytes, status: int) -> None:
    error = failure(Answer(status, {}, body, 0.0), "read wallets", DIALECT)
    assert isinstance(error, ApiError)
    assert str(status) in str(error)
    assert is_harmless(str(error))


def test_numbers_are_exact_from_text_to_object() -> None:
    body = b'{"item": {"walletId": "w", "availableBalance": 99999999999999.99,'
    body += b' "reservedBalance": "1234567890123456.78", "pendingBalance": 1e-7}}'
    wallet = WIRE.one(body, Wallet)
    assert wallet.available_balance == Decimal("99999999999999.99")
    assert wallet.reserved_balance == Decimal("1234567890123456.78")
    assert wallet.pending_balance == Decimal("0.0000001")


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"1e999999", b"1e99999999999999999999"])
def test_a_number_that_is_none_costs_its_field_alone(number: bytes) -> None:
    body = b'[{"paymentTransactionId": "p1", "amount": ' + number + b', "currency": "AUD"}]'
    (item,) = WIRE.many(body).items
    payment = WIRE.readers.of(Payment).read(item)
    assert (payment.amount, payment.currency) == (None, "AUD")


ACCOUNT = {
    "accountType": "cacc",
    "currency": "USD",
    "accountNumber": "12345678",
    "bankInformation": {"bankName": "First Bank"},
}
"""A payment address without its identifier."""


@pytest.mark.covers("recipient-answer")
@pytest.mark.parametrize(
    "beside",
    [ACCOUNT, {"paymentAddress": ACCOUNT}, {"paymentAddresses": [ACCOUNT]}],
    ids=["flat", "nested", "listed"],
)
def test_the_answer_of_post_recipients_is_read_as_it_is_described(beside: dict[str, Json]) -> None:
    """service.md §4: `recipientId`, `paymentAddressId`, payment address with `bankInformation`."""
    answer = {"recipientId": "r1", "status": "Pending", "paymentAddressId": "a1", **beside}
    recipient = WIRE.one(write(answer).encode(), Recipient)
    [address] = recipient.payment_addresses
    bank = address.bank_information
    assert (recipient.recipient_id, address.payment_address_id) == ("r1", "a1")
    assert (address.account_number, address.currency) == ("12345678", "USD")
    assert bank is not None
    assert bank.bank_name == "First Bank"
    assert address.status is None  # the state is the recipient's


@pytest.mark.parametrize(
    "answer",
    [
        {"recipientId": "r1", "paymentAddressId": "a1", "paymentAddresses": [ACCOUNT, ACCOUNT]},
        {"recipientId": "r1", "paymentAddressId": "r1"},
        {"recipientId": "r1"},
    ],
    ids=["one of two", "the recipient's own", "none"],
)
def test_an_identifier_is_given_to_no_address_that_may_not_be_its_own(
    answer: dict[str, Json],
) -> None:
    assert WIRE.one(write(answer).encode(), Recipient).payment_addresses == ()
