"""The screen of forms: typed-ahead keys, mouse, narrow terminals, leaving in flight."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual import events
from textual.pilot import Pilot

from paytui.domain.intent import SendPermission, Standing
from paytui.domain.models import FieldProblem
from paytui.tui.forms.declarations import individual_form, recipient_form, wallet_form
from paytui.tui.forms.form import Form
from paytui.tui.ui_context import UiContext
from tests.tui.book import wallet
from tests.tui.dashboard import Dashboard, lines, shows, text
from tests.tui.forms.filling import filling, opened, seen, send, stands

FILLED = (*"bo", "enter", *"usd", "enter", *"USD desk")


def test_keys_that_arrive_in_a_burst_reach_the_fields_that_they_were_meant_for() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, wallet_form)
        for key in (*FILLED, "tab", *"For payouts"):
            character = key if len(key) == 1 else None
            pilot.app.post_message(events.Key("space" if key == " " else key, character))
        await shows(pilot, "For payouts")
        rows = [line for line in lines(pilot) if line[2:10].strip()]
        assert [row[16:].strip().split("  ")[0] for row in rows[2:6]] == [
            "Bolt",
            "USD",
            "USD desk",
            "For payouts",
        ]

    filling().play(scenario)


def test_nothing_is_said_of_a_field_while_it_is_first_typed_and_all_once_it_was_wrong() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, recipient_form)
        await pilot.press(*"acme", "enter", "tab", "tab", "tab", "tab", *"ada")
        assert "e-mail address" not in text(pilot)
        await pilot.press("tab")
        await shows(pilot, "! Not a valid e-mail address.")
        await pilot.press("shift+tab", *"@mail")
        assert "! Not a valid e-mail address." in text(pilot)
        await pilot.press(*".example")
        await pilot.pause()
        assert "e-mail address" not in text(pilot)
        await pilot.press("backspace", *" x")
        await pilot.pause()
        assert "e-mail address" not in text(pilot)

    filling().play(scenario)


@pytest.mark.slow
def test_a_field_that_is_pointed_at_is_typed_in() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, wallet_form)
        place = next(y for y, line in enumerate(lines(pilot)) if "Description" in line)
        await pilot.click(offset=(30, place))
        await shows(pilot, "▌ Description")
        place = next(y for y, line in enumerate(lines(pilot)) if "Currency" in line)
        await pilot.click(offset=(3, place))
        await shows(pilot, "▌ Currency")

    filling().play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("form", [wallet_form, recipient_form])
def test_the_field_that_is_typed_in_is_on_view_on_any_terminal(
    form: Callable[[UiContext], Form],
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, form)
        for _stop in range(18):
            await pilot.press("tab")
            await pilot.pause()
            marked = [line for line in lines(pilot) if line.startswith("▌ ")]
            assert len(marked) == 1, text(pilot)

    filling().play(scenario, size=(60, 20))


@pytest.mark.slow
def test_a_form_that_was_sent_and_is_open_begins_anew_and_says_so() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, wallet_form)
        await pilot.press(*FILLED, "f2")
        await send(ui, pilot)
        stands(ui, Standing.IN_DOUBT, said="no answer")
        await shows(pilot, "Do not enter a new one")
        await pilot.press("escape")
        await shows(pilot, "1 Overview")
        await opened(pilot, wallet_form)
        await shows(pilot, "Wallet USD desk is still open")
        assert "Account       required" in text(pilot)
        await pilot.press(*FILLED, "f2")
        await shows(pilot, "Possible duplicate of")

    ui = filling()
    ui.play(scenario)
    assert len(ui.port.submitted) == 1


@pytest.mark.slow
def test_its_screens_number_leads_past_what_was_made_to_the_list() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "n")
        await shows(pilot, "New wallet")
        await pilot.press(*FILLED, "f2")
        await send(ui, pilot)
        stands(ui, Standing.SENDING)
        ui.store.wallets.put([wallet(9, "USD desk", "0")])
        stands(ui, Standing.ACCEPTED, object_id="wal-9")
        await shows(pilot, "o Open")
        await pilot.press("3")
        await shows(pilot, "1+ wallets")
        assert "New wallet ·" not in text(pilot)

    filling().play(scenario)


@pytest.mark.slow
def test_a_next_section_is_hinted_only_where_there_is_one() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, individual_form)
        for section in ("Person", "Address", "Identification", "Representative", "Trust"):
            await shows(pilot, f"New individual account · {section}")
            assert "pgdn Next section" in lines(pilot)[-1]
            await pilot.press("pagedown")
        await shows(pilot, "New individual account · Terms and conditions")
        await pilot.pause()
        assert "Next section" not in text(pilot)
        await pilot.press("pageup")
        await shows(pilot, "pgdn Next section")

    filling().play(scenario)


@pytest.mark.slow
def test_the_next_section_is_that_which_an_answer_brings() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, individual_form)
        await pilot.press(*("pagedown",) * 4, *"yes", "pagedown")
        await shows(pilot, "New individual account · Beneficiary")
        await pilot.press(*"add", "enter", *"Dee")
        await shows(pilot, "▌ First name          Dee")
        await shows(pilot, "New individual account · Beneficiary 1")

    filling().play(scenario)


def test_of_a_single_section_no_next_one_is_hinted() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, wallet_form)
        await shows(pilot, "New wallet")
        assert "Next section" not in text(pilot)

    filling().play(scenario)


def test_where_nothing_can_be_sent_any_more_a_review_says_why_and_sends_nothing() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, wallet_form)
        await pilot.press(*FILLED, "f2")
        await shows(pilot, "enter: send")
        ui.store.set_sending(
            SendPermission(allowed=False, why="Another dashboard owns the outbox.")
        )
        ui.store.notify()
        await shows(pilot, "✗ Another dashboard owns the outbox.")
        await seen(ui, pilot)
        await pilot.press("enter", "enter")

    ui = filling()
    ui.play(scenario)
    assert ui.port.submitted == []


def test_a_form_in_which_nothing_is_filled_in_says_so_and_is_not_sent() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, individual_form)
        await pilot.press("tab", "f2")
        await shows(pilot, "✗ Nothing is filled in.")
        await shows(pilot, "▌ First name")
        assert "enter: send" not in text(pilot)
        assert "Confirm" not in text(pilot)
        await seen(ui, pilot)
        await pilot.press("enter", *"Ada", "f2")
        await shows(pilot, "enter: send")

    ui = filling()
    ui.play(scenario)
    assert ui.port.submitted == []


def test_enter_that_was_typed_ahead_of_a_review_confirms_nothing() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, wallet_form)
        await pilot.press(*FILLED, *["enter"] * 12)
        await shows(pilot, "enter: send")

    ui = filling()
    ui.answers = False
    ui.play(scenario)
    assert ui.port.submitted == []


@pytest.mark.slow
def test_what_a_form_holds_is_kept_as_it_is_left_even_a_choice_that_was_not_taken() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, wallet_form)
        await pilot.press(*"bo", "enter", "tab", *"USD desk", "shift+tab", *"xyz", "escape")
        await shows(pilot, "1 Overview")
        await opened(pilot, wallet_form)
        await shows(pilot, "Restored draft, not sent. ctrl+l starts over.")
        for words in ("Bolt", "xyz", "USD desk"):
            assert words in text(pilot)
        await pilot.press("ctrl+l")
        await shows(pilot, "▌ Account")
        for words in ("xyz", "USD desk"):
            assert words not in text(pilot)

    filling().play(scenario)


@pytest.mark.slow
def test_what_was_left_in_flight_and_refused_comes_back_with_the_complaint() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, wallet_form)
        await pilot.press(*FILLED, "f2")
        await send(ui, pilot)
        await pilot.press("escape")
        await shows(pilot, "1 Overview")
        taken = FieldProblem("wallet_name", "is taken")
        stands(ui, Standing.REFUSED, said="invalid request", fields=(taken,))
        await opened(pilot, wallet_form)
        await shows(pilot, "✗ Refused: wallet name: is taken")
        for words in ("▌ Name", "Bolt", "USD desk"):
            assert words in text(pilot)
        await pilot.press(*" 2", "f2")
        await send(ui, pilot)

    ui = filling()
    ui.play(scenario)
    first, second = ui.port.submitted
    assert first.key != second.key
