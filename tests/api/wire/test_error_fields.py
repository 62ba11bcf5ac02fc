"""Errors of fields are matched to ours, however the service spells their paths."""

from __future__ import annotations

from pathlib import Path

import pytest

from paytui.api.dialect import Dialect, load_dialect
from paytui.api.wire.codec import Wire
from paytui.domain.models import FieldProblem
from paytui.domain.requests import (
    CorporateAccountRequest,
    IndividualAccountRequest,
    PayoutRequest,
    RecipientRequest,
    WalletRequest,
)
from tests.support.respelled.app import DIALECT


def ours(spelling: str, asked: type, dialect: Dialect) -> str:
    told = [FieldProblem(spelling, "is wrong")]
    [found] = Wire(dialect).canonical_fields(told, asked)
    assert found.message == "is wrong"
    return found.field


@pytest.mark.parametrize(
    ("spelling", "asked", "path"),
    [
        ("walletName", WalletRequest, "wallet_name"),
        ("WalletName", WalletRequest, "wallet_name"),
        ("body.walletName", WalletRequest, "wallet_name"),
        ("$.walletName", WalletRequest, "wallet_name"),
        ("physicalAddress.city", IndividualAccountRequest, "physical_address.city"),
        (
            "/physicalAddress/addressLine1",
            CorporateAccountRequest,
            "physical_address.address_line1",
        ),
        ("#/physicalAddress", CorporateAccountRequest, "physical_address"),
        (
            "authorisedRepresentatives[1].email",
            IndividualAccountRequest,
            "authorised_representatives.1.email",
        ),
        ("/authorisedRepresentatives/1", IndividualAccountRequest, "authorised_representatives.1"),
        (
            "trust.trustBeneficiaries.0.physicalAddress.postcode",
            IndividualAccountRequest,
            "trust.trust_beneficiaries.0.physical_address.postcode",
        ),
        ("paymentAddresses[0].iban", RecipientRequest, "payment_addresses.0.iban"),
        ("sourceWalletId", PayoutRequest, "source_wallet_id"),
    ],
)
def test_each_way_of_spelling_leads_to_our_path(
    spelling: str, asked: type, path: str, dialect: Dialect
) -> None:
    assert ours(spelling, asked, dialect) == path


@pytest.mark.parametrize(
    "spelling",
    ["", "colour", "walletName.0", "city", "physicalAddress.planet", "/", "walletName/x"],
)
def test_what_no_path_says_stays_as_it_came(spelling: str, dialect: Dialect) -> None:
    assert ours(spelling, WalletRequest, dialect) == spelling


@pytest.mark.parametrize(
    ("spelling", "asked", "path"),
    [
        ("/holder/ref", WalletRequest, "account_id"),
        ("/contact/mail", IndividualAccountRequest, "email"),
        ("/home/city", IndividualAccountRequest, "physical_address.city"),
        ("/purpose/code", PayoutRequest, "extra.purpose"),
        ("/in/no", PayoutRequest, "/in/no"),
    ],
)
def test_a_service_spelled_otherwise_is_understood_through_its_dialect(
    spelling: str, asked: type, path: str
) -> None:
    assert ours(spelling, asked, load_dialect(DIALECT)) == path


def test_a_field_that_a_dialect_adds_is_found_by_its_name_here(tmp_path: Path) -> None:
    override = tmp_path / "acme.toml"
    override.write_text(
        "[extra.corporate_account_request]\n"
        'tax_number = { path = "tax.number", label = "Tax number", kind = "text" }\n'
    )
    dialect = load_dialect(override)
    assert ours("tax.number", CorporateAccountRequest, dialect) == "extra.tax_number"
