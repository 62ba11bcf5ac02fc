"""Names with a letter that looks like another."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paytui.tui.forms.declarations import (
    corporate_form,
    individual_form,
    judge_name,
    recipient_form,
)
from paytui.tui.forms.form import Form
from paytui.tui.ui_context import UiContext
from tests.tui.forms.filling import findings
from tests.tui.ticket.paying import Paying

CYRILLIC_A = "\u0410"


def test_a_letter_of_another_script_in_a_word_is_told() -> None:
    words = judge_name(f"{CYRILLIC_A}cme Pty Ltd", {})
    assert "Cyrillic" in words
    assert "Latin" in words


@pytest.mark.parametrize(
    "name",
    [
        "Søren Ångström-O'Neill",
        "\u041e\u041e\u041e \u0420\u043e\u043c\u0430\u0448\u043a\u0430 Export",
        "\u682a\u5f0f\u4f1a\u793e\u30c8\u30e8\u30bf",
        "7-Eleven No. 3",
    ],
)
def test_whole_words_of_any_script_are_names(name: str) -> None:
    assert judge_name(name, {}) == ""


@pytest.mark.parametrize(
    ("form", "paths"),
    [
        (
            individual_form,
            {
                "first_name",
                "middle_name",
                "last_name",
                "trust.name",
                "trust.trust_beneficiaries.0.last_name",
                "authorised_representatives.0.first_name",
            },
        ),
        (corporate_form, {"company_name", "trading_name"}),
        (
            recipient_form,
            {"first_name", "last_name", "company_name", "payment_addresses.0.account_name"},
        ),
    ],
    ids=["individual", "corporate", "recipient"],
)
def test_every_name_of_every_form_is_judged(
    form: Callable[[UiContext], Form], paths: set[str]
) -> None:
    values = {
        "individual_is_acting_as_trustee": "true",
        "trust.trust_beneficiaries#": "1",
        "authorised_representatives#": "1",
        **dict.fromkeys(paths, f"{CYRILLIC_A}cme"),
    }
    found = findings(form(Paying().ui), values)
    assert {path for path, finding in found.items() if "Cyrillic" in finding.words} == paths
