"""Routing codes are validated by country, and not at all without a known standard."""

from __future__ import annotations

import pytest

from paytui.tui.forms.declarations import payment_address_form
from tests.tui.forms.filling import findings
from tests.tui.ticket.paying import Paying, recipient

GLOBEX = recipient(1, "Globex")


@pytest.mark.covers("address-requirements")
@pytest.mark.parametrize(
    ("country", "currency", "code", "words"),
    [
        ("AU", "AUD", "062-000", ""),
        ("Australia", "USD", "12345", "BSB"),
        ("", "AUD", "12345", "BSB"),
        ("US", "USD", "021000021", ""),
        ("US", "AUD", "021000012", "ABA"),
        ("", "usd", "021000012", "ABA"),
        ("NZ", "AUD", "12", ""),
        ("", "", "12", ""),
    ],
)
def test_a_routing_code_is_judged_by_its_country_and_else_by_its_currency(
    country: str, currency: str, code: str, words: str
) -> None:
    typed = {"country": country, "currency": currency, "routing_code": code, "account_type": "oth"}
    values = {"recipient_id": GLOBEX.recipient_id, **typed}
    found = findings(payment_address_form(Paying().ui, GLOBEX), values)
    assert words in " ".join(finding.words for finding in found.values())
    assert bool(found) == bool(words)
    assert all(finding.overridable for finding in found.values())
