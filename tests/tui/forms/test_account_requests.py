"""Requests of account forms: exactly the values that were typed."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from paytui.domain.models import (
    Identification,
    PhysicalAddress,
    Representative,
    Trust,
    TrustBeneficiary,
)
from paytui.domain.requests import CorporateAccountRequest, IndividualAccountRequest
from paytui.tui.forms.declarations import corporate_form, individual_form
from paytui.tui.ui_context import UiContext
from tests.tui.forms.filling import findings, submission_of
from tests.tui.ticket.paying import Paying

BENEFICIARY = "trust.trust_beneficiaries.0"


@pytest.fixture
def ui() -> UiContext:
    return Paying().ui


def test_nothing_that_was_not_filled_in_is_asked(ui: UiContext) -> None:
    """service.md: `termsAndConditionsAccepted` is never preset; service.md §2 requires nothing."""
    assert submission_of(individual_form(ui), {}).request == IndividualAccountRequest()
    assert submission_of(corporate_form(ui), {}).request == CorporateAccountRequest()
    assert findings(individual_form(ui), {}) == {}
    assert findings(corporate_form(ui), {}) == {}


def test_numbers_go_out_as_they_are_typed_and_days_as_days(ui: UiContext) -> None:
    values = {
        "phone": " 0400 111 222 ",
        "birth_date": "1980-05-31",
        "physical_address.postcode": "0200",
        "physical_address.street_number": "0005",
        "primary_identification.identity_expiry": "2030-01-31",
    }
    assert submission_of(individual_form(ui), values).request == IndividualAccountRequest(
        phone="0400 111 222",
        birth_date=date(1980, 5, 31),
        physical_address=PhysicalAddress(postcode="0200", street_number="0005"),
        primary_identification=Identification(identity_expiry=datetime(2030, 1, 31, tzinfo=UTC)),
    )


def trustee(answer: str) -> dict[str, str]:
    """Somebody who filled in a trust, whatever they answered after."""
    return {
        "individual_is_acting_as_trustee": answer,
        "trust.name": "Lace Trust",
        f"{BENEFICIARY}.first_name": "Dee",
        f"{BENEFICIARY}.birth_date": "2001-02-03",
        f"{BENEFICIARY}.physical_address.city": "Perth",
        "trust.trust_beneficiaries#": "1",
    }


def test_a_trust_goes_out_for_a_trustee(ui: UiContext) -> None:
    dee = TrustBeneficiary(
        birth_date=datetime(2001, 2, 3, tzinfo=UTC),
        first_name="Dee",
        physical_address=PhysicalAddress(city="Perth"),
    )
    assert submission_of(individual_form(ui), trustee("true")).request == IndividualAccountRequest(
        individual_is_acting_as_trustee=True, trust=Trust("Lace Trust", (dee,))
    )


def test_what_was_filled_in_of_a_trust_stays_here_for_who_is_no_trustee(ui: UiContext) -> None:
    assert submission_of(individual_form(ui), trustee("false")).request == IndividualAccountRequest(
        individual_is_acting_as_trustee=False
    )


@pytest.mark.parametrize("kind", ["individual", "corporate"])
def test_a_representative_of_whom_nothing_is_known_is_none(ui: UiContext, kind: str) -> None:
    values = {"authorised_representatives.1.role": "director", "authorised_representatives#": "2"}
    form = individual_form(ui) if kind == "individual" else corporate_form(ui)
    request = submission_of(form, values).request
    assert isinstance(request, IndividualAccountRequest | CorporateAccountRequest)
    assert request.authorised_representatives == (Representative(role="director"),)


def test_the_title_of_an_account_tells_nobody_whose_it_is(ui: UiContext) -> None:
    ada = {"first_name": "Ada", "company_name": "Acme"}
    assert submission_of(individual_form(ui), ada).title == "Individual account"
    assert submission_of(corporate_form(ui), ada).title == "Corporate account"


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        ("birth_date", "2026-03-03", "This date is in the future."),
        ("primary_identification.identity_expiry", "2026-03-01", "Expired."),
        ("email", "ada", "Not a valid e-mail address."),
    ],
)
def test_what_is_odd_is_warned_of_and_may_go_out(
    ui: UiContext, path: str, text: str, words: str
) -> None:
    """The desk's clock stands at noon of 2 March 2026."""
    (finding,) = findings(individual_form(ui), {path: text}).values()
    assert (finding.words, finding.overridable) == (words, True)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("birth_date", "1980-02-30"),
        ("terms_and_conditions_accepted", "perhaps"),
    ],
)
def test_what_is_no_date_or_no_answer_does_not_go_out(ui: UiContext, path: str, text: str) -> None:
    (finding,) = findings(individual_form(ui), {path: text}).values()
    assert not finding.overridable
