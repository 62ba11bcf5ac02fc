"""Recipients and their accounts arrive at the sandbox as they were typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.tui.dashboard import shows, text, until
from tests.tui.forms.served import Served, fill


async def with_an_account(served: Served, pilot: Pilot[None]) -> None:
    """There is a customer account that can pay somebody."""
    await pilot.press("2", "N")
    await shows(pilot, "New corporate account")
    await fill(pilot, "Acme Pty Ltd")
    await pilot.press("f2")
    await served.confirmed(pilot)
    await pilot.press("escape")
    await shows(pilot, "Acme Pty Ltd")


async def begin(pilot: Pilot[None]) -> None:
    """A business that the account pays, up to its first account's type."""
    await pilot.press("7", "n")
    await shows(pilot, "New recipient")
    await pilot.press(*"bus", "enter", *"Globex SA", "tab", "tab", "tab")
    await shows(pilot, "· Payment address 1")
    await pilot.press(*"eur", "enter", *"germany", "enter", *"cacc", "enter", *"Globex SA", "tab")


@pytest.mark.slow
def test_a_recipient_and_another_account_of_it_are_at_the_service_as_typed(tmp_path: Path) -> None:
    async def scenario(served: Served, pilot: Pilot[None]) -> None:
        await with_an_account(served, pilot)
        await begin(pilot)
        await pilot.press(*"DE89 3704 0044 0532 0130 00", "f2")
        await served.confirmed(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: len(served.store.recipients) == 1)
        (made,) = served.store.recipients.rows()
        await shows(pilot, "Globex SA")

        await pilot.press("enter", "n")
        await shows(pilot, "New payment address")
        await pilot.press(*"usd", "enter", *"us", "tab", *"sav", "enter", *"Globex Inc", "tab")
        await pilot.press("tab", *"0001 2345", "tab", "tab", *"021000021", "enter")
        await served.confirmed(pilot)

        found = (await served.get(f"/recipients/{made.recipient_id}"))["item"]
        first, second = found["paymentAddresses"]
        assert (found["recipientType"], found["companyName"]) == ("business", "Globex SA")
        assert (first["iban"], first["accountType"]) == ("DE89370400440532013000", "cacc")
        assert (first["currency"], first["country"]) == ("EUR", "DE")
        assert (second["accountNumber"], second["routingCode"]) == ("00012345", "021000021")
        assert (second["currency"], second["country"]) == ("USD", "US")
        assert second["accountType"] == "svgs"

    Served(tmp_path / "demo.outbox.sqlite").play(scenario)


@pytest.mark.slow
def test_what_the_service_refuses_is_said_at_its_field_and_nothing_is_lost(tmp_path: Path) -> None:
    async def scenario(served: Served, pilot: Pilot[None]) -> None:
        await with_an_account(served, pilot)
        await begin(pilot)
        await pilot.press("f2")
        await served.sent(pilot)
        await shows(pilot, "correct it")
        await pilot.press("enter")
        await shows(pilot, "✗ Refused: payment address 1, account number: ")
        assert "▌ Account number" in text(pilot)
        assert "Germany" in text(pilot)
        await pilot.press(*"532013000", "f2")
        await served.confirmed(pilot)
        await until(pilot, lambda: len(served.store.recipients) == 1)

    Served(tmp_path / "demo.outbox.sqlite").play(scenario)
