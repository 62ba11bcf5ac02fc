"""Accounts, wallets and pay-in addresses by keys alone, on an empty sandbox."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.tui.dashboard import shows, text
from tests.tui.forms.served import Item, Served, fill

BORN = "2001-02-03"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "demo.outbox.sqlite"


async def names(pilot: Pilot[None]) -> None:
    """From Overview, somebody of whom no more than a name is known."""
    await pilot.press("2", "n")
    await shows(pilot, "New individual account")
    await fill(pilot, "Ada", "", "Lovelace")


async def ada(served: Served, pilot: Pilot[None]) -> None:
    """From Overview, an account by a name alone; it is made."""
    await names(pilot)
    await pilot.press("f2")
    await served.confirmed(pilot)


async def individual(pilot: Pilot[None]) -> None:
    """Every field of service.md §2, "Individual account request shape", from Overview."""
    await pilot.press("2", "n")
    await shows(pilot, "New individual account · Person")
    await fill(pilot, "Ada", "King", "Lovelace", "1980-05-31", "ada@example.com", "+61")
    await pilot.press("tab", *"0400 111 222", "tab")
    await shows(pilot, "· Address")
    await fill(pilot, "Suite 7", "Level 2", "12A", "0005", "Main", "St", "Sydney", "NSW", "0200")
    await pilot.press("tab", *"australia", "tab")
    await shows(pilot, "· Identification")
    await fill(pilot, "driver_license", "00123", "C-9", "new zealand", "VIC", "2030-01-31 14:30")
    await pilot.press("tab")
    await shows(pilot, "· Representative")
    await pilot.press("ctrl+n")
    await fill(pilot, "Bea", "", "Byron", "director", "bea@example.com", "+64", "021 5")
    await pilot.press("ctrl+n")
    await fill(pilot, "Cy", "", "", "secretary")
    await pilot.press("pagedown")
    await shows(pilot, "· Trust")
    await fill(pilot, "yes", "Lace Trust")
    await pilot.press("tab")
    await shows(pilot, "· Beneficiary")
    await pilot.press("ctrl+n")
    await fill(pilot, "Dee", "", "King", BORN, "", "", "", "7", "Elm", "Ave", "Perth")
    await pilot.press("pagedown")
    await shows(pilot, "· Terms and conditions")
    await fill(pilot, "yes")
    await pilot.press("f2")


ADDRESS = {
    "addressLine1": "Suite 7",
    "addressLine2": "Level 2",
    "unitNumber": "12A",
    "streetNumber": "0005",
    "streetName": "Main",
    "streetType": "St",
    "city": "Sydney",
    "state": "NSW",
    "postcode": "0200",
    "country": "AU",
}


IDENTIFICATION = {
    "identityType": "driver_license",
    "identityNumber": "00123",
    "identityCardNumber": "C-9",
    "identityCountry": "NZ",
    "identityState": "VIC",
}

BENEFICIARY = {
    "firstName": "Dee",
    "lastName": "King",
    "physicalAddress": {
        "streetNumber": "7",
        "streetName": "Elm",
        "streetType": "Ave",
        "city": "Perth",
    },
}

BEA = {
    "firstName": "Bea",
    "lastName": "Byron",
    "role": "director",
    "email": "bea@example.com",
    "phoneCountryCode": "+64",
    "phone": "021 5",
}


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.mark.slow
@pytest.mark.covers("create-individual-account", "individual-fields")
def test_an_individual_account_has_every_field_that_was_typed(path: Path) -> None:
    made: list[Item] = []

    async def scenario(served: Served, pilot: Pilot[None]) -> None:
        await individual(pilot)
        await served.confirmed(pilot)
        made.extend((await served.get("/accounts"))["items"])

    Served(path).play(scenario)
    (account,) = made
    identification = account.pop("primaryIdentification")
    assert moment(identification.pop("identityExpiry")) == datetime(2030, 1, 31, 14, 30, tzinfo=UTC)
    assert identification == IDENTIFICATION
    trust = account.pop("trust")
    (beneficiary,) = trust.pop("trustBeneficiaries")
    assert trust == {"name": "Lace Trust"}
    assert moment(beneficiary.pop("birthDate")) == datetime(2001, 2, 3, tzinfo=UTC)
    assert beneficiary == BENEFICIARY
    assert account.pop("physicalAddress") == ADDRESS
    representatives = account.pop("authorisedRepresentatives")
    assert representatives == [BEA, {"firstName": "Cy", "role": "secretary"}]
    del account["accountId"], account["createdAt"]
    assert account == {
        "kind": "individual",
        "status": "registered",
        "displayName": "Ada Lovelace",
        "firstName": "Ada",
        "middleName": "King",
        "lastName": "Lovelace",
        "birthDate": "1980-05-31",
        "email": "ada@example.com",
        "phoneCountryCode": "+61",
        "phone": "0400 111 222",
        "termsAndConditionsAccepted": True,
        "individualIsActingAsTrustee": True,
    }


@pytest.mark.slow
@pytest.mark.covers("create-corporate-account")
def test_a_corporate_account_has_every_field_that_was_typed(path: Path) -> None:
    made: list[Item] = []

    async def scenario(served: Served, pilot: Pilot[None]) -> None:
        await pilot.press("2", "N")
        await shows(pilot, "New corporate account · Company")
        await fill(pilot, "Acme Pty Ltd", "Acme", "ACN 004", "australia", "it@acme.example")
        await pilot.press("tab")
        await fill(pilot, "+61", "02 9999 0000")
        await pilot.press("tab")
        await shows(pilot, "· Address")
        await fill(pilot, *list(ADDRESS.values())[:-1], "australia")
        await pilot.press("tab", "ctrl+n")
        await fill(pilot, "Bea", "Ann", "Byron", "director", "bea@example.com", "+64", "021 5")
        await pilot.press("tab")
        await shows(pilot, "· Terms and conditions")
        await fill(pilot, "no")
        await pilot.press("f2")
        await served.confirmed(pilot)
        made.extend((await served.get("/accounts"))["items"])

    Served(path).play(scenario)
    (account,) = made
    del account["accountId"], account["createdAt"]
    assert account == {
        "kind": "corporate",
        "status": "registered",
        "displayName": "Acme Pty Ltd",
        "companyName": "Acme Pty Ltd",
        "tradingName": "Acme",
        "registrationNumber": "ACN 004",
        "registrationCountry": "AU",
        "email": "it@acme.example",
        "phoneCountryCode": "+61",
        "phone": "02 9999 0000",
        "physicalAddress": ADDRESS,
        "authorisedRepresentatives": [{**BEA, "middleName": "Ann"}],
        "termsAndConditionsAccepted": False,
    }


@pytest.mark.slow
@pytest.mark.covers("kyc-path", "state-registered")
def test_an_account_on_the_kyc_path_is_seen_to_be_registered_once_it_is(path: Path) -> None:
    """service.md §1: the operator runs the identity checks on every new account."""

    async def scenario(served: Served, pilot: Pilot[None]) -> None:
        await ada(served, pilot)
        await pilot.press("escape")
        await shows(pilot, "pending checks")
        await pilot.press("enter")
        await shows(pilot, "Identity checks (KYC) are pending")
        await served.wait(pilot, 3600)
        await shows(pilot, "Verified or trusted")
        await shows(pilot, "● now")

    Served(path, accounts="kyc").play(scenario)


@pytest.mark.slow
@pytest.mark.covers("create-wallet", "create-payin-address")
def test_a_wallet_and_both_its_addresses_are_made_from_an_empty_sandbox(path: Path) -> None:
    made: list[Item] = []

    async def scenario(served: Served, pilot: Pilot[None]) -> None:
        await ada(served, pilot)
        await shows(pilot, "o Open")
        await pilot.press("o", "n")
        await shows(pilot, "New wallet")
        await fill(pilot, "kwd", "KWD desk", "For payroll")
        await pilot.press("f2")
        await served.confirmed(pilot)
        await pilot.press("escape", "3", "enter")
        await shows(pilot, "Name                 KWD desk")
        for keys in ((*"local", "enter"), ()):  # then the other type is the only one left
            await pilot.press("n")
            await shows(pilot, "New pay-in address")
            await pilot.press(*keys)
            await served.confirmed(pilot)
            await pilot.press("escape")
            await shows(pilot, "KWD desk")
        (wallet,) = (await served.get("/wallets"))["items"]
        found = (await served.get(f"/payin-addresses?walletId={wallet['walletId']}"))["items"]
        made.extend([wallet, *found])

    Served(path).play(scenario)
    wallet, *addresses = made
    assert wallet["currency"] == "KWD"
    assert wallet["walletName"] == "KWD desk"
    assert wallet["walletDescription"] == "For payroll"
    kinds = [address["payInAddressType"] for address in addresses]
    assert sorted(kinds) == ["international", "local"]


@pytest.mark.slow
@pytest.mark.covers("nineteen-currencies")
def test_a_currency_that_the_dialect_does_not_list_goes_out_after_a_warning(path: Path) -> None:
    async def scenario(served: Served, pilot: Pilot[None]) -> None:
        await ada(served, pilot)
        await shows(pilot, "o Open")
        await pilot.press("o", "n")
        await shows(pilot, "New wallet")
        await fill(pilot, "mxn", "Pesos")
        await pilot.press("f2")
        await shows(pilot, "! Currency: MXN is not a currency")
        await served.sent(pilot)
        await shows(pilot, "Refused by the service: nothing was created.")
        await pilot.press("enter")
        await shows(pilot, "▌ Currency")
        assert "Pesos" in text(pilot)

    Served(path).play(scenario)
