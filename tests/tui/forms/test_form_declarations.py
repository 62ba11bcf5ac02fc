"""Every form asks for all documented fields, in words that fit their lines."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paytui.api.dialect import load_dialect
from paytui.tui.forms.declarations import (
    corporate_form,
    individual_form,
    payin_address_form,
    payment_address_form,
    recipient_form,
    wallet_form,
)
from paytui.tui.forms.form import Field, Form
from paytui.tui.ui_context import UiContext
from tests.tui.book import wallet
from tests.tui.ticket.paying import Paying, recipient

FORMS: list[Callable[[UiContext], Form]] = [
    individual_form,
    corporate_form,
    wallet_form,
    lambda ui: payin_address_form(ui, wallet(1, "AUD desk", "0")),
    recipient_form,
    lambda ui: payment_address_form(ui, recipient(1, "Globex")),
]
IN_PATH = {"recipient_id"}
"""Asked, and part of the path (service.md §4)."""


@pytest.fixture
def forms() -> list[Form]:
    ui = Paying().ui
    return [make(ui) for make in FORMS]


def all_of(form: Form) -> list[Field]:
    return [field for section in form.sections for field in section.fields]


def test_every_field_of_the_request_is_asked_by_its_canonical_name(forms: list[Form]) -> None:
    for form in forms:
        asked = {section.path or field.key for section in form.sections for field in section.fields}
        names = {path.partition(".")[0] for path in asked} - IN_PATH
        request = f"{form.key}_request"
        assert (request, names) == (request, set(load_dialect().fields[request]))


def test_every_field_of_an_account_of_a_recipient_is_asked() -> None:
    (accounts,) = (one for one in recipient_form(Paying().ui).sections if one.path)
    asked = {field.key for field in accounts.fields}
    assert asked == set(load_dialect().fields["payment_address_request"])


def test_labels_and_help_fit_a_terminal_of_80_columns(forms: list[Form]) -> None:
    fields = [field for form in forms for field in all_of(form)]
    assert [field.label for field in fields if len(field.label) > 20] == []
    assert [field.help for field in fields if len(field.help) > 76] == []
