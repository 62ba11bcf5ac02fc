"""A request can be read back from its body, to recognise a creation in doubt."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from paytui.api.dialect import Dialect, load_dialect
from paytui.api.wire.codec import Wire
from paytui.domain.exact_json import CannotReadError
from paytui.domain.models import (
    AccountId,
    Identification,
    PhysicalAddress,
    RecipientId,
    Representative,
    Trust,
    TrustBeneficiary,
    WalletId,
)
from paytui.domain.money import CurrencyCode
from paytui.domain.requests import (
    CorporateAccountRequest,
    CreationRequest,
    IndividualAccountRequest,
    PayInAddressRequest,
    PaymentAddressRequest,
    RecipientRequest,
    WalletRequest,
)
from tests.support.respelled.app import DIALECT

HOME = PhysicalAddress(city="Perth", country="AU", postcode="0600", unit_number="3")
BANK_ACCOUNT = PaymentAddressRequest(
    account_type="cacc", currency=CurrencyCode("AUD"), account_number="00123456"
)
REQUESTS: tuple[CreationRequest, ...] = (
    IndividualAccountRequest(
        first_name="Ann",
        birth_date=date(1987, 6, 5),
        phone="0491570156",
        physical_address=HOME,
        primary_identification=Identification(identity_expiry=datetime(2030, 1, 1, tzinfo=UTC)),
        authorised_representatives=(Representative(email="bo@example.com"), Representative()),
        terms_and_conditions_accepted=True,
        trust=Trust(name="T", trust_beneficiaries=(TrustBeneficiary(physical_address=HOME),)),
    ),
    CorporateAccountRequest(company_name="Acme", registration_number="0042", phone="61"),
    WalletRequest(account_id=AccountId("17"), currency=CurrencyCode("KWD"), wallet_name="Désk"),
    PayInAddressRequest(wallet_id=WalletId("w1"), pay_in_address_type="local"),
    RecipientRequest(
        account_id=AccountId("a1"), company_name="Bolt", payment_addresses=(BANK_ACCOUNT,) * 2
    ),
    BANK_ACCOUNT,
)


@pytest.mark.parametrize("other", [False, True], ids=["documented", "respelled"])
@pytest.mark.parametrize("request_", REQUESTS, ids=lambda one: type(one).__name__)
def test_it_comes_back_as_it_was(request_: CreationRequest, other: bool, dialect: Dialect) -> None:
    wire = Wire(load_dialect(DIALECT) if other else dialect)
    assert wire.asked(wire.request(request_), type(request_)) == request_


def test_to_whom_an_address_is_added_stands_in_the_path_alone(dialect: Dialect) -> None:
    wire = Wire(dialect)
    addressed = replace(BANK_ACCOUNT, recipient_id=RecipientId("r1"))
    assert wire.request(addressed) == wire.request(BANK_ACCOUNT)


@pytest.mark.parametrize("body", [b"", b"[]", b'{"purse":"w1"}', b"nonsense"])
def test_what_was_written_in_another_dialect_is_not_guessed(body: bytes, dialect: Dialect) -> None:
    with pytest.raises(CannotReadError):
        Wire(dialect).asked(body, WalletRequest)
