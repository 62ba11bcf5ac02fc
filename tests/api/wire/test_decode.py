"""Records are decoded tolerantly, each on its own."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from paytui.api.dialect import Dialect
from paytui.api.resources import READS
from paytui.api.wire.decode import BadRecord, Reader, Readers
from paytui.domain.exact_json import Json
from paytui.domain.models import (
    Account,
    PayIn,
    PayInAddress,
    Payment,
    PaymentAddress,
    RateSheet,
    Recipient,
    State,
    Trade,
    Wallet,
)
from paytui.domain.money import CurrencyCode, Pair


@pytest.fixture
def readers(dialect: Dialect) -> Readers:
    return Readers(dialect)


def test_a_wallet_arrives_with_everything_that_the_service_said(readers: Readers) -> None:
    wallet = readers.of(Wallet).read(
        {
            "walletId": "w1",
            "accountId": "a1",
            "currency": "KWD",
            "walletName": "Main",
            "walletDescription": "for deposits",
            "status": "Active",
            "availableBalance": "1200.125",
            "reservedBalance": Decimal("0.1"),
            "pendingBalance": 3,
            "createdAt": "2026-03-02T12:00:00Z",
            "somethingNew": {"deep": [1, 2, 3]},
        }
    )
    assert (wallet.wallet_id, wallet.account_id, wallet.currency) == ("w1", "a1", "KWD")
    assert wallet.available_balance == Decimal("1200.125")
    assert wallet.reserved_balance == Decimal("0.1")
    assert wallet.pending_balance == Decimal(3)
    assert wallet.status == State("active", final=False, known=True)
    assert wallet.created_at == datetime(2026, 3, 2, 12, tzinfo=UTC)
    assert wallet.updated_at is None


def test_a_field_of_the_wrong_type_is_none_and_the_others_stay(readers: Readers) -> None:
    wrong: dict[str, Json] = {
        "walletId": "w1",
        "accountId": ["a1"],
        "currency": 978,
        "walletName": {"en": "Main"},
        "status": True,
        "availableBalance": True,
        "createdAt": 0,
        "walletDescription": "kept",
    }
    wallet = readers.of(Wallet).read(wrong)
    assert wallet == Wallet(wallet.wallet_id, wallet_description="kept")


@pytest.mark.parametrize("identifier", [None, "", " ", "\t\u00a0", [], {}, True])
def test_a_record_without_an_identifier_is_bad_and_says_so(
    readers: Readers, identifier: Json
) -> None:
    with pytest.raises(BadRecord, match="walletId"):
        readers.of(Wallet).read({"walletId": identifier, "walletName": "Main"})


CLEANED_TO_ANOTHER = ["rec\u200b-1", "rec-1\x07", "rec-\u034f1", "e\u0301", "r" * 2_001]


@pytest.mark.parametrize("identifier", CLEANED_TO_ANOTHER)
def test_a_record_whose_identifier_cleaning_would_make_another_is_bad(
    readers: Readers, identifier: str
) -> None:
    with pytest.raises(BadRecord, match="recipientId"):
        readers.of(Recipient).read({"recipientId": identifier, "companyName": "Evil"})


@pytest.mark.parametrize("identifier", CLEANED_TO_ANOTHER)
def test_what_a_record_names_is_unknown_where_cleaning_would_make_it_another(
    readers: Readers, identifier: str
) -> None:
    trade = readers.of(Trade).read({"tradeTransactionId": "t1", "recipientId": identifier})
    assert trade == Trade(trade.trade_transaction_id)


@pytest.mark.parametrize("raw", [None, "w1", 1, ["w1"], True])
def test_what_is_no_object_is_a_bad_record(readers: Readers, raw: Json) -> None:
    with pytest.raises(BadRecord, match="where an object was expected"):
        readers.of(Wallet).read(raw)


def test_of_records_that_are_read_together_each_holds_its_own(readers: Readers) -> None:
    """What one lacks, or one that cannot be read, shifts nothing into another."""
    first, nothing, nameless, last = readers.of(Payment).read_each(
        [
            {"paymentTransactionId": "p1", "amount": "1.10", "status": "completed"},
            17,
            {"paymentTransactionId": " ", "amount": "9.99"},
            {"paymentTransactionId": "p4", "reference": 0, "status": "created"},
        ]
    )
    assert isinstance(first, Payment)
    assert isinstance(last, Payment)
    assert (str(nothing), str(nameless)) == (
        "a number where an object was expected",
        "a record without a usable paymentTransactionId",
    )
    assert (first.payment_transaction_id, first.amount) == ("p1", Decimal("1.10"))
    assert (first.reference, first.status and first.status.final) == (None, True)
    assert (last.payment_transaction_id, last.amount) == ("p4", None)
    assert (last.reference, last.status and last.status.final) == ("0", False)


@pytest.mark.parametrize("spelling", ["released", "Released", "RELEASED"])
def test_the_case_of_a_state_does_not_matter_and_states_are_shared(
    readers: Readers, spelling: str
) -> None:
    reader = readers.of(Payment)
    first = reader.read({"paymentTransactionId": "p1", "status": spelling})
    second = reader.read({"paymentTransactionId": "p2", "status": "released"})
    assert first.status == State("released", final=False, known=True)
    assert first.status is second.status


def test_an_unknown_state_is_shown_as_written_and_never_final(readers: Readers) -> None:
    payment = readers.of(Payment).read({"paymentTransactionId": "p1", "status": "On Hold\x1b"})
    assert payment.status == State("On Hold\ufffd", final=False, known=False)


def test_a_state_that_is_a_number_is_shown_as_written_until_it_is_mapped(
    readers: Readers, dialect: Dialect
) -> None:
    raw: Json = {"paymentTransactionId": "p1", "status": 3}
    assert readers.of(Payment).read(raw).status == State("3", final=False, known=False)
    completed = State("completed", final=True)
    mapped = replace(dialect, states={**dialect.states, "payment": {"3": completed}})
    assert Readers(mapped).of(Payment).read(raw).status == completed


def test_numberless_unknown_states_do_not_fill_the_memory(readers: Readers) -> None:
    reader = readers.of(Payment)
    for number in range(1_000):
        payment = reader.read({"paymentTransactionId": "p", "status": f"state {number}"})
        assert payment.status == State(f"state {number}", final=False, known=False)


@pytest.mark.parametrize(
    ("status", "final"),
    [
        ("completed", True),
        ("rejected", True),
        ("cancelled", True),
        ("failed", True),
        ("returned", True),
        ("created", False),
        ("compliance_review", False),
        ("processing", False),
        ("released", False),
    ],
)
def test_payments_end_as_the_contract_says(readers: Readers, status: str, *, final: bool) -> None:
    payment = readers.of(Payment).read({"paymentTransactionId": "p1", "status": status})
    assert payment.status == State(status, final=final, known=True)


def test_a_rate_sheet_holds_its_rates_and_what_it_would_not_price(readers: Readers) -> None:
    sheet = readers.of(RateSheet).read(
        {
            "rateSheetId": "s1",
            "expiresAt": "2026-03-02T12:02:30Z",
            "rates": [
                {"sellCurrency": "AUD", "buyCurrency": "USD", "rate": "0.651230"},
                {"sellCurrency": "AUD", "rate": "1"},
                {"sellCurrency": "AUD", "buyCurrency": "JPY", "rate": "many"},
            ],
            "unavailable": [{"sellCurrency": "AUD", "buyCurrency": "XXX", "reason": "unknown"}],
        },
        sent_at=12.5,
    )
    assert sheet.sent_at == 12.5
    assert [(rate.pair, rate.rate) for rate in sheet.rates] == [
        (Pair(CurrencyCode("AUD"), CurrencyCode("USD")), Decimal("0.651230"))
    ]
    assert [(each.pair.buy, each.reason) for each in sheet.unavailable] == [("XXX", "unknown")]


def test_a_rate_sheet_without_an_end_is_not_a_rate_sheet(readers: Readers) -> None:
    with pytest.raises(BadRecord, match="expiresAt"):
        readers.of(RateSheet).read({"rateSheetId": "s1", "rates": []}, sent_at=0.0)


def test_a_recipient_keeps_the_addresses_that_can_be_read(readers: Readers) -> None:
    recipient = readers.of(Recipient).read(
        {
            "recipientId": "r1",
            "paymentAddresses": [
                {
                    "paymentAddressId": "pa1",
                    "accountType": "cacc",
                    "bankInformation": {"bankName": "Bank", "postalCode": 2000},
                },
                {"accountType": "svgs"},
                "nonsense",
            ],
        }
    )
    (address,) = recipient.payment_addresses
    assert address.payment_address_id == "pa1"
    assert address.bank_information is not None
    assert address.bank_information.postal_code == "2000"


def test_a_recipient_may_come_with_one_bare_address(readers: Readers) -> None:
    raw: Json = {"recipientId": "r1", "paymentAddress": {"paymentAddressId": "pa1"}}
    (address,) = readers.of(Recipient).read(raw).payment_addresses
    assert address.payment_address_id == "pa1"


def test_a_value_that_no_list_has_is_shown_as_it_came(readers: Readers) -> None:
    raw: Json = {"paymentAddressId": "pa1", "accountType": "electronic_deposit"}
    assert readers.of(PaymentAddress).read(raw).account_type == "electronic_deposit"


IDENTIFIERS = {
    Account: "accountId",
    Wallet: "walletId",
    PayInAddress: "payInAddressId",
    PayIn: "payInTransactionId",
    Trade: "tradeTransactionId",
    Recipient: "recipientId",
    PaymentAddress: "paymentAddressId",
    Payment: "paymentTransactionId",
}
"""service.md §2, "Identifiers"."""


@pytest.mark.parametrize(("cls", "wire"), IDENTIFIERS.items())
def test_an_identifier_alone_is_enough(readers: Readers, cls: type, wire: str) -> None:
    reader: Reader[object] = readers.of(cls)
    assert reader.identity(reader.read({wire: "x1"})) == "x1"


def test_each_kind_that_is_listed_is_covered_above() -> None:
    assert {read.record for read in READS.values()} == set(IDENTIFIERS)
