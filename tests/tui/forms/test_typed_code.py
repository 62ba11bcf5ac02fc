"""A code is typed where a terminal behind a multiplexer cannot answer queries."""

from __future__ import annotations

import re

import pytest
from textual import events
from textual.pilot import Pilot

from paytui.platform.host import TerminalEnvironment
from paytui.tui.forms.declarations import wallet_form
from paytui.tui.widgets.ordered_keys import TicketLine
from tests.tui.book import AUD_USD, sheet
from tests.tui.dashboard import Dashboard, lines, settings_of, shows, text, tick, until
from tests.tui.forms.filling import filling, opened
from tests.tui.forms.test_form_screen import FILLED
from tests.tui.ticket.trading import answer_quote, fill, to_confirm

TMUX = TerminalEnvironment(multiplexed=True)


def trading(*, live: bool = False, surroundings: TerminalEnvironment = TMUX) -> Dashboard:
    ui = Dashboard(settings=settings_of(live=live), surroundings=surroundings)
    fill(ui.store)
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65123"})])
    return ui


def code(pilot: Pilot[None]) -> str:
    """Return the code on the screen."""
    found = re.search(r"Type (?:250000 |the letters )?([A-Z]{2}) to confirm", text(pilot))
    assert found, text(pilot)
    return found[1]


@pytest.mark.slow
def test_a_trade_is_confirmed_by_the_code_and_enter() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        shown = code(pilot)
        await pilot.press(*["enter"] * 5)
        await tick(pilot)
        assert f"type {shown}" in lines(pilot)[-1]
        for wrong in ("qzz", f"qzz{shown}"):
            await pilot.press(*wrong, "enter")
            await shows(pilot, f"✗ Type the letters {shown} to confirm")
            assert typed(pilot) == ""
        assert ui.port.submitted == []
        await pilot.press(*shown.lower(), "enter")
        await shows(pilot, "Trade · outcome")
        assert len(ui.port.submitted) == 1

    trading().play(scenario)


@pytest.mark.slow
def test_the_footer_names_the_key_that_works_while_a_code_is_typed() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        assert code(pilot)
        assert "f5 New rate" in lines(pilot)[-1]
        await pilot.press("f5")
        assert len(ui.port.quotes) == 1

    trading().play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("blind", ["250000", "XX"])
def test_real_money_takes_the_amount_and_the_code(blind: str) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        shown = code(pilot)
        for typing in (blind, shown):
            await pilot.press(*typing, "enter")
            await shows(pilot, "✗ Type 250000")
            assert typed(pilot) == ("250000" if typing == "250000" else "")
            await pilot.press("ctrl+u", shown[0])  # a code that is being typed is not wrong yet
            await until(pilot, lambda: "✗ Type" not in text(pilot))
            await pilot.press("ctrl+u")
        assert ui.port.submitted == []
        await pilot.press(*"250000", *shown, "enter")
        await shows(pilot, "Trade · outcome")
        assert len(ui.port.submitted) == 1

    trading(live=True).play(scenario)


def test_a_code_that_is_pasted_confirms_nothing() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        focused = pilot.app.focused
        assert focused is not None
        focused.post_message(events.Paste(code(pilot)))
        await pilot.press("enter")
        assert ui.port.submitted == []

    trading().play(scenario)


@pytest.mark.slow
def test_what_changes_has_another_code() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        before = code(pilot)
        await pilot.press(*before, "f5")
        answer_quote(ui.store, ui.clock, ui.port, "two", "0.65125")
        await shows(pilot, "was 0.651230 → now 0.651250")
        await shows(pilot, "to confirm")
        assert code(pilot) != before
        await pilot.press(*before, "enter", "ctrl+u")
        assert ui.port.submitted == []
        await pilot.press(*code(pilot), "enter")
        assert len(ui.port.submitted) == 1

    trading().play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("amount", ["", "250000"])
def test_what_was_typed_for_a_code_goes_with_it(amount: str) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        before = code(pilot)
        await pilot.press(*amount, *before)
        assert typed(pilot) == amount + before
        await pilot.press("f1")
        await shows(pilot, "esc: back")
        await pilot.press("escape")
        await pilot.pause()
        assert code(pilot) != before
        assert typed(pilot) == ""
        await tick(pilot)
        await pilot.press(*amount, *code(pilot), "enter")
        await shows(pilot, "Trade · outcome")

    trading(live=bool(amount)).play(scenario)


def typed(pilot: Pilot[None]) -> str:
    """Return what stands in the input of the confirmation."""
    focused = pilot.app.focused
    assert isinstance(focused, TicketLine)
    return focused.value


@pytest.mark.slow
def test_so_has_what_a_dialog_lay_on() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        before = code(pilot)
        await pilot.press("f1")
        await shows(pilot, "esc: back")
        await pilot.press("escape")
        await tick(pilot)
        assert code(pilot) != before

    trading().play(scenario)


@pytest.mark.slow
def test_a_form_takes_a_code_too() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, wallet_form)
        await pilot.press(*FILLED, "f2")
        await shows(pilot, "enter: send")
        await pilot.press("enter")
        assert ui.port.submitted == []
        await pilot.press(*code(pilot), "enter")
        await shows(pilot, "· outcome")
        assert len(ui.port.submitted) == 1

    ui = filling()
    ui.surroundings = TMUX
    ui.play(scenario)


@pytest.mark.slow
def test_at_a_terminal_that_never_answers_a_code_is_typed_too() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        ui.clock.advance(1)
        await pilot.press(*["enter"] * 3)
        assert ui.port.submitted == []
        await pilot.press(*code(pilot), "enter")
        await shows(pilot, "Trade · outcome")

    ui = trading(surroundings=TerminalEnvironment())
    ui.answers = False
    ui.play(scenario)


@pytest.mark.slow
def test_at_a_terminal_that_answers_none_is_asked_for() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        assert "to confirm" not in text(pilot)
        ui.clock.advance(1)
        await pilot.press("enter")
        await shows(pilot, "Trade · outcome")

    trading(surroundings=TerminalEnvironment(ssh=True)).play(scenario)
