"""Fields that a dialect requires or adds are in the form and in the request."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.pilot import Pilot

from paytui.api.dialect import load_dialect
from paytui.api.wire.codec import Wire
from paytui.cli.wiring.compose import vocabulary_of
from paytui.tui.forms.declarations import recipient_form, wallet_form
from paytui.tui.forms.form import with_dialect_fields
from tests.tui.dashboard import Dashboard, shows, text
from tests.tui.forms.filling import filling, opened, send

DIALECT = """
[required.wallet_request]
fields = ["wallet_name"]

[extra.wallet_request]
purpose = { path = "meta.purpose", label = "Purpose code", kind = "text" }
limit = { path = "limit", label = "Limit", kind = "number" }
segregated = { path = "segregated", label = "Segregated", kind = "boolean" }

[extra.payment_address_request]
branch = { path = "branch.code", label = "Branch code", kind = "text" }
"""


@pytest.fixture
def dialect(tmp_path: Path) -> Path:
    path = tmp_path / "acme.toml"
    path.write_text(DIALECT)
    return path


def speaking(dialect: Path) -> Dashboard:
    ui = filling()
    ui.vocabulary = vocabulary_of(load_dialect(dialect))
    return ui


def body_sent(ui: Dashboard, dialect: Path) -> object:
    """Return the request body of the one confirmed intent."""
    (intent,) = ui.port.submitted
    return json.loads(Wire(load_dialect(dialect)).request(intent.request))


@pytest.mark.slow
def test_fields_of_the_service_come_last_and_go_where_it_wants_them(dialect: Path) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, wallet_form)
        await pilot.press(*"acme", "enter", *"aud", "enter", "tab", "tab")
        await shows(pilot, "Other fields of this service")
        await pilot.press(*"P-7", "tab", *"12x", "tab", *"yes", "f2")
        await shows(pilot, "✗ Required.")
        assert "▌ Name" in text(pilot)
        await pilot.press(*"Desk", "f2")
        await shows(pilot, "✗ Write a number")
        await pilot.press("backspace", "f2")
        await send(ui, pilot)

    ui = speaking(dialect)
    ui.play(scenario)
    assert body_sent(ui, dialect) == {
        "accountId": "acc-1",
        "currency": "AUD",
        "walletName": "Desk",
        "meta": {"purpose": "P-7"},
        "limit": 12,
        "segregated": True,
    }


@pytest.mark.slow
def test_fields_of_an_account_stand_with_each_account(dialect: Path) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, recipient_form)
        await pilot.press(*"acme", "enter", "pagedown", "tab", "tab", *"cacc", "enter")
        await pilot.press("ctrl+n", "tab", "tab", *"oth", "enter", *("tab",) * 5)
        await shows(pilot, "▌ Branch code")
        await pilot.press(*"B2", "f2")
        await send(ui, pilot)

    ui = speaking(dialect)
    ui.play(scenario)
    assert body_sent(ui, dialect) == {
        "accountId": "acc-1",
        "paymentAddresses": [
            {"accountType": "cacc"},
            {"accountType": "oth", "branch": {"code": "B2"}},
        ],
    }


def test_what_the_service_takes_none_of_is_not_asked(tmp_path: Path) -> None:
    path = tmp_path / "acme.toml"
    path.write_text(
        "[fields.wallet_request]\nwallet_description = []\n"
        "[fields.payment_address_request]\niban = []\n"
    )
    ui = filling()
    ui.vocabulary = vocabulary_of(load_dialect(path))
    at = ui.app().ui
    for plain in (wallet_form(at), recipient_form(at)):
        form = with_dialect_fields(plain, at.vocabulary)
        asked = {field.key for section in form.sections for field in section.fields}
        assert asked.isdisjoint({"wallet_description", "iban"})
        assert asked & {"wallet_name", "account_number"}
