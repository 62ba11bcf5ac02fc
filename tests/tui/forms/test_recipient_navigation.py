"""The forms of recipients open from their list, an account, or one recipient."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from paytui.domain.models import RecipientId
from paytui.domain.money import CurrencyCode
from paytui.domain.requests import PaymentAddressRequest
from tests.tui.dashboard import Dashboard, shows, text
from tests.tui.forms.filling import filling, send
from tests.tui.ticket.paying import address, recipient


def knowing_globex() -> Dashboard:
    """A dashboard with a recipient of the first account."""
    ui = filling()
    ui.store.recipients.put([recipient(1, "Globex", address(1, 1))])
    return ui


def test_n_on_the_recipients_of_an_account_has_that_account_filled_in() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("2", "enter")
        await shows(pilot, "Recipients")
        while "▌" not in [row for row in text(pilot).splitlines() if "Recipients" in row][-1]:
            await pilot.press("down")
            await pilot.pause()
        await pilot.press("enter")
        await shows(pilot, "1+ recipients of Acme")
        await pilot.press("n")
        await shows(pilot, "New recipient")
        assert "Acme" in text(pilot)

    knowing_globex().play(scenario)


@pytest.mark.slow
@pytest.mark.covers("add-payment-address")
def test_n_in_a_recipient_gives_it_another_account() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("7", "enter")
        await shows(pilot, "Recipient Globex")
        await pilot.press("n")
        await shows(pilot, "New payment address")
        assert "Globex" in text(pilot)
        await pilot.press(*"usd", "enter", *"united states", "enter")
        await pilot.press(*"sav", "enter", *"Globex", "tab", "tab", *"0001 2345")
        await pilot.press("tab", "tab", *"021000021", "enter")
        await send(ui, pilot)

    ui = knowing_globex()
    ui.play(scenario)
    (intent,) = ui.port.submitted
    assert intent.title == "Payment address USD 00012345 of Globex"
    assert intent.request == PaymentAddressRequest(
        recipient_id=RecipientId("rec-1"),
        account_type="svgs",
        currency=CurrencyCode("USD"),
        country="US",
        account_name="Globex",
        account_number="00012345",
        routing_code="021000021",
    )


@pytest.mark.slow
@pytest.mark.covers("bank-information")
def test_the_seven_bank_fields_are_in_the_detail_of_a_recipient() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("7", "enter")
        await shows(pilot, "Recipient Globex")
        for label in ("address 1", "address 2", "locality", "region", "postcode", "country"):
            assert f"Bank {label}" in text(pilot)
        for words in ("First National", "1 Main St", "Springfield", "12345", "US"):
            assert words in text(pilot)

    ui = knowing_globex()
    ui.play(scenario, size=(120, 50))
