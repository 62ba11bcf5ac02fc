"""A recipient with its first account, by keys alone, on a terminal of 80x24."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual import events
from textual.pilot import Pilot

from paytui.domain.models import AccountId
from paytui.domain.money import CurrencyCode
from paytui.domain.requests import PaymentAddressRequest, RecipientRequest
from paytui.tui.forms.declarations import recipient_form
from tests.tui.book import account
from tests.tui.dashboard import Dashboard, lines, shows, text
from tests.tui.forms.filling import filling, opened, send

WHO = (*"acme", "enter", *"bus", "enter", *"Globex", "tab", "tab", "tab")
ACCOUNT = (*"eur", "enter", "tab", *"cacc", "enter", *"Globex SA", "tab")


async def paste(pilot: Pilot[None], words: str) -> None:
    """The terminal pastes into what is typed in."""
    focused = pilot.app.focused
    assert focused is not None
    focused.post_message(events.Paste(words))
    await pilot.pause()


@pytest.mark.slow
@pytest.mark.covers("create-recipient", "recipient-needs-address")
def test_a_recipient_is_made_with_a_pasted_number_whose_spaces_are_not_sent() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, recipient_form)
        assert "First name" in text(pilot)
        await pilot.press(*WHO)
        await shows(pilot, "New recipient · Payment address 1")
        await pilot.press(*ACCOUNT)
        await paste(pilot, "de89 3704 0044\n0532 0130 00")
        await pilot.press("f2")
        await shows(pilot, "enter: send")
        assert "DE89370400440532013000" in text(pilot)
        await send(ui, pilot)

    ui = filling()
    ui.play(scenario)
    (intent,) = ui.port.submitted
    assert intent.title == "Recipient Globex"
    assert intent.request == RecipientRequest(
        account_id=AccountId("acc-1"),
        recipient_type="business",
        company_name="Globex",
        payment_addresses=(
            PaymentAddressRequest(
                account_type="cacc",
                currency=CurrencyCode("EUR"),
                account_name="Globex SA",
                iban="DE89370400440532013000",
            ),
        ),
    )


@pytest.mark.slow
def test_names_follow_the_type_and_what_was_typed_of_others_is_kept_and_not_sent() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, recipient_form)
        await pilot.press(*"acme", "enter", "tab", *"Ada")
        await pilot.press("shift+tab", *"bus", "tab")
        await shows(pilot, "▌ Company name")
        assert "First name" not in text(pilot)
        await pilot.press("up", *"ind", "enter")
        await shows(pilot, "▌ First name")
        assert "Ada" in text(pilot)
        assert "Company name" not in text(pilot)

    filling().play(scenario)


@pytest.mark.slow
@pytest.mark.covers("account-types")
def test_account_types_are_in_words_and_the_removed_one_is_not_offered() -> None:
    """service.md §9: `electronic_deposit` removed, `cacc`, `svgs`, `oth` added."""

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, recipient_form)
        await pilot.press(*WHO, *"eur", "enter", "tab")
        for words in ("current account", "savings account", "other type"):
            await shows(pilot, words)
        assert "electronic" not in text(pilot)
        await pilot.press(*"electronic_deposit")
        await shows(pilot, "Nothing matches: ctrl+u shows all.")
        await pilot.press("tab")
        await shows(pilot, "✗ Choose one from the list.")
        await pilot.press("shift+tab", *"svgs", "enter")
        await shows(pilot, "Account type    savings account")

    filling().play(scenario)


@pytest.mark.slow
def test_a_warning_stands_below_its_field_once_that_was_left_and_in_the_review() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, recipient_form)
        await pilot.press(*WHO, *ACCOUNT, *"DE88370400440532013000")
        assert "Wrong check digits" not in text(pilot)
        await pilot.press("tab")
        await shows(pilot, "! Wrong check digits")
        await pilot.press("f2")
        await shows(pilot, "enter: send")
        await shows(pilot, "! IBAN: Wrong check digits")

    ui = filling()
    ui.play(scenario)
    assert ui.port.submitted == []


@pytest.mark.slow
def test_a_second_account_is_added_and_removed_and_the_first_stays() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, recipient_form)
        await pilot.press(*WHO, *ACCOUNT, "ctrl+n")
        await shows(pilot, "New recipient · Payment address 2")
        await shows(pilot, "^r Remove")
        await pilot.press(*"usd", "ctrl+r")
        await shows(pilot, "New recipient · Payment address 1")
        assert "Payment address 2" not in text(pilot)
        assert "Remove" not in text(pilot)
        await pilot.press("ctrl+r", "f2")
        await shows(pilot, "Globex SA")

    filling().play(scenario)


@pytest.mark.slow
def test_a_draft_that_was_left_is_there_again_and_can_be_cleared() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, recipient_form)
        await pilot.press(*WHO, *ACCOUNT, "escape")
        await shows(pilot, "1 Overview")
        await opened(pilot, recipient_form)
        await shows(pilot, "Restored draft, not sent. ctrl+l starts over.")
        await pilot.press("pageup")
        await shows(pilot, "Globex")
        await pilot.press("ctrl+l")
        await pilot.pause()
        assert "Globex" not in text(pilot)

    filling().play(scenario)


@pytest.mark.slow
def test_a_long_identifier_stands_whole_under_the_name_in_a_review() -> None:
    number = "dddd073e-b19b-467f-981f-5d3f959f9c3a"

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, recipient_form)
        await pilot.press(*"copper", "enter", "pagedown", "tab", "tab", *"cacc", "f2")
        await shows(pilot, "enter: send")
        shown = lines(pilot)
        place = next(y for y, line in enumerate(shown) if "Copperfern Freight" in line)
        assert shown[place + 1].strip() == f"{number}  registered"
        assert shown[place + 1].index(number) == shown[place].index("Copperfern")

    ui = filling()
    known = replace(account(1, "Copperfern Freight Pty Ltd"), account_id=AccountId(number))
    ui.store.accounts.put([known])
    ui.play(scenario)
