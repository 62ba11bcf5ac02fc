"""Requests are encoded exactly as the dialect says."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from paytui.api.dialect import Dialect, ExtraField
from paytui.api.wire.codec import BadRequest, Wire
from paytui.domain.models import (
    AccountId,
    Identification,
    PaymentAddressId,
    PhysicalAddress,
    RateSheetId,
    RecipientId,
    Representative,
    WalletId,
)
from paytui.domain.money import CurrencyCode, Pair
from paytui.domain.requests import (
    CorporateAccountRequest,
    IndividualAccountRequest,
    PaymentAddressRequest,
    PayoutRequest,
    RateSheetRequest,
    RecipientRequest,
    TradeRequest,
    TransferRequest,
)

AUD, USD = CurrencyCode("AUD"), CurrencyCode("USD")


def transfer(amount: Decimal) -> TransferRequest:
    return TransferRequest(
        source_wallet_id=WalletId("w1"), destination_wallet_id=WalletId("w2"), amount=amount
    )


@pytest.mark.parametrize(
    "digits", ["0.1", "1234567890123456.78", "99999999999999.99", "1234567890123456789012.345"]
)
def test_an_amount_leaves_with_its_exact_digits_in_either_form(
    dialect: Dialect, digits: str
) -> None:
    head = '{"sourceWalletId":"w1","destinationWalletId":"w2","amount":'
    as_string = Wire(dialect).request(transfer(Decimal(digits)))
    as_number = Wire(replace(dialect, amounts="number")).request(transfer(Decimal(digits)))
    assert as_string.decode() == head + f'"{digits}"}}'
    assert as_number.decode() == head + digits + "}"


def test_an_exponent_is_never_sent(dialect: Dialect) -> None:
    assert b'"amount":"0.0000001"' in Wire(dialect).request(transfer(Decimal("1e-7")))
    assert b'"amount":"1000"' in Wire(dialect).request(transfer(Decimal("1E+3")))


@pytest.mark.parametrize("digits", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_amount_is_not_sent(dialect: Dialect, digits: str) -> None:
    with pytest.raises(BadRequest, match="amount"):
        Wire(dialect).request(transfer(Decimal(digits)))


def test_an_individual_is_written_as_the_sample_has_it(dialect: Dialect) -> None:
    body = Wire(dialect).request(
        IndividualAccountRequest(
            birth_date=date(1980, 2, 29),
            first_name="Ada",
            phone=412345678,
            physical_address=PhysicalAddress(city="Sydney", postcode="2000"),
            primary_identification=Identification(
                identity_type="driver_license",
                identity_expiry=datetime(2030, 1, 1, tzinfo=UTC),
            ),
            authorised_representatives=(Representative(first_name="Grace", role="director"),),
            terms_and_conditions_accepted=False,
        )
    )
    assert json.loads(body) == {
        "birthDate": "1980-02-29",
        "firstName": "Ada",
        "phone": 412345678,
        "physicalAddress": {"city": "Sydney", "postcode": "2000"},
        "primaryIdentification": {
            "identityType": "driver_license",
            "identityExpiry": "2030-01-01T00:00:00Z",
        },
        "authorisedRepresentatives": [{"firstName": "Grace", "role": "director"}],
        "termsAndConditionsAccepted": False,
    }


def test_pairs_are_written_as_objects(dialect: Dialect) -> None:
    body = Wire(dialect).request(RateSheetRequest(currency_pairs=(Pair(AUD, USD), Pair(USD, AUD))))
    assert json.loads(body) == {
        "currencyPairs": [
            {"sellCurrency": "AUD", "buyCurrency": "USD"},
            {"sellCurrency": "USD", "buyCurrency": "AUD"},
        ]
    }


def test_the_removed_account_type_is_refused_with_the_reason(dialect: Dialect) -> None:
    """service.md §9: `electronic_deposit` removed, `cacc`, `svgs`, `oth` added."""
    request = RecipientRequest(
        account_id=AccountId("a1"),
        payment_addresses=(PaymentAddressRequest(account_type="electronic_deposit"),),
    )
    with pytest.raises(BadRequest, match="cacc, svgs or oth"):
        Wire(dialect).request(request)


def test_a_field_goes_where_the_dialect_puts_it(dialect: Dialect) -> None:
    fields = dict(dialect.fields)
    fields["transfer_request"] = {
        **fields["transfer_request"],
        "amount": (("money", "value"),),
        "source_wallet_id": (("money", "from"),),
    }
    body = Wire(replace(dialect, fields=fields)).request(transfer(Decimal("1.50")))
    assert json.loads(body) == {
        "money": {"from": "w1", "value": "1.50"},
        "destinationWalletId": "w2",
    }


def test_a_value_without_a_name_on_the_wire_is_not_dropped_in_silence(dialect: Dialect) -> None:
    fields = dict(dialect.fields)
    fields["transfer_request"] = {**fields["transfer_request"], "reference": ()}
    request = replace(transfer(Decimal(1)), reference="Rent")
    with pytest.raises(BadRequest, match="reference"):
        Wire(replace(dialect, fields=fields)).request(request)


PAYOUT = PayoutRequest(
    account_id=AccountId("a1"),
    source_wallet_id=WalletId("w1"),
    recipient_id=RecipientId("r1"),
    payment_address_id=PaymentAddressId("p1"),
    amount=Decimal("5.00"),
    currency=AUD,
)


def test_a_payout_names_the_account_that_it_leaves(dialect: Dialect) -> None:
    """service.md §1: "all financial operations refer to it by `accountId`"."""
    assert json.loads(Wire(dialect).request(PAYOUT)) == {
        "accountId": "a1",
        "sourceWalletId": "w1",
        "recipientId": "r1",
        "paymentAddressId": "p1",
        "amount": "5.00",
        "currency": "AUD",
    }


def test_what_the_payment_address_and_wallet_imply_is_left_out_where_it_has_no_name(
    dialect: Dialect,
) -> None:
    unnamed = dict.fromkeys(["account_id", "recipient_id", "currency"], ())
    fields = {**dialect.fields}
    fields["payout_request"] = {**fields["payout_request"], **unnamed}
    assert json.loads(Wire(replace(dialect, fields=fields)).request(PAYOUT)) == {
        "sourceWalletId": "w1",
        "paymentAddressId": "p1",
        "amount": "5.00",
    }


def test_a_locked_rate_is_not_left_out_though_it_has_no_name(dialect: Dialect) -> None:
    fields = {**dialect.fields}
    fields["trade_request"] = {**fields["trade_request"], "rate_sheet_id": ()}
    request = TradeRequest(
        sell_currency=AUD, buy_currency=USD, sell_wallet_id=WalletId("w1"),
        buy_wallet_id=WalletId("w2"), sell_amount=Decimal(1), rate_sheet_id=RateSheetId("s1"),
    )  # fmt: skip
    with pytest.raises(BadRequest, match="rate sheet id"):
        Wire(replace(dialect, fields=fields)).request(request)


def test_an_extra_field_can_be_required(dialect: Dialect) -> None:
    purpose = {"purpose": ExtraField(("purpose",), "Purpose", "text")}
    strict = Wire(
        replace(
            dialect,
            extra={"payout_request": purpose},
            required={"payout_request": ("purpose",)},
        )
    )
    with pytest.raises(BadRequest, match="purpose"):
        strict.request(PAYOUT)
    assert b'"purpose":"RENT"' in strict.request(replace(PAYOUT, extra={"purpose": "RENT"}))


def test_a_field_that_the_service_requires_is_asked_for(dialect: Dialect) -> None:
    strict = replace(dialect, required={"trade_request": ("rate_sheet_id",)})
    request = TradeRequest(
        sell_currency=AUD, buy_currency=USD, sell_wallet_id=WalletId("w1"),
        recipient_id=RecipientId("r1"), sell_amount=Decimal(1),
    )  # fmt: skip
    with pytest.raises(BadRequest, match="rate sheet id"):
        Wire(strict).request(request)


def test_extra_fields_go_out_in_their_own_kind(dialect: Dialect) -> None:
    extra = {
        "tax": ExtraField(("tax", "number"), "Tax number", "text"),
        "staff": ExtraField(("staff",), "Staff", "number"),
        "listed": ExtraField(("listed",), "Listed", "boolean"),
    }
    writer = Wire(replace(dialect, extra={"corporate_account_request": extra}))
    request = CorporateAccountRequest(
        company_name="Example", extra={"tax": "0042", "staff": "12.50", "listed": "true"}
    )
    assert writer.request(request).decode() == (
        '{"companyName":"Example","tax":{"number":"0042"},"staff":12.50,"listed":true}'
    )


@pytest.mark.parametrize("extra", [{"unheard": "x"}, {"staff": "a dozen"}])
def test_an_extra_field_that_cannot_be_sent_is_named(
    dialect: Dialect, extra: dict[str, str]
) -> None:
    known = {"staff": ExtraField(("staff",), "Staff", "number")}
    writer = Wire(replace(dialect, extra={"corporate_account_request": known}))
    with pytest.raises(BadRequest, match=r"unheard|Staff"):
        writer.request(CorporateAccountRequest(extra=extra))
