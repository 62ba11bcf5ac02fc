"""A choice on the screen of a form: selecting, showing and replacing it."""

from __future__ import annotations

import pytest
from textual import events
from textual.pilot import Pilot

from paytui.tui.forms.declarations import recipient_form
from tests.tui.dashboard import Dashboard, lines, shows, text
from tests.tui.forms.filling import filling, opened

TO_COUNTRY = (*"acme", "enter", *"bus", "enter", *"Globex", "tab", "tab")
"""The keys to the country of a recipient."""


async def left(pilot: Pilot[None]) -> str:
    """Return the text of the country's row after the field was left."""
    await pilot.press("shift+tab", "shift+tab")
    await shows(pilot, "▌ E-mail")
    return next(line for line in lines(pilot) if line[2:].startswith("Country"))[18:].strip()


@pytest.mark.slow
@pytest.mark.parametrize("key", ["enter", "tab"])
def test_a_code_takes_its_country_which_stands_there_with_it(key: str) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, recipient_form)
        await pilot.press(*TO_COUNTRY, *"se")
        await shows(pilot, "› Sweden ")
        await pilot.press(key)
        assert await left(pilot) == "Sweden  SE"

    filling().play(scenario)


def test_a_piece_of_a_word_means_no_country() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, recipient_form)
        await pilot.press(*TO_COUNTRY, *"aud")
        await shows(pilot, "Nothing matches: ctrl+u shows all.")
        await pilot.press("enter")
        await shows(pilot, "! AUD is not a country code (ISO 3166).")
        await pilot.press("shift+tab", *"saudi", "down", "enter")
        assert await left(pilot) == "Saudi Arabia  SA"

    filling().play(scenario)


def test_a_list_that_may_stay_empty_does_so_until_it_is_gone_down_to() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, recipient_form)
        await pilot.press(*TO_COUNTRY)
        await shows(pilot, "Afghanistan")
        assert "›" not in text(pilot)
        await pilot.press("enter")
        assert await left(pilot) == ""
        await pilot.press("tab", "down", "enter")
        assert await left(pilot) == "Afghanistan  AF"

    filling().play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("pasted", [False, True])
def test_what_is_typed_first_replaces_a_choice_that_was_taken(pasted: bool) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, recipient_form)
        await pilot.press(*TO_COUNTRY, *"senegal", "enter", "shift+tab")
        await shows(pilot, "▌ Country")
        if pasted:
            pilot.app.post_message(events.Paste("Germany"))
        else:
            await pilot.press(*"Germany")
        await shows(pilot, "› Germany")
        await pilot.press("enter")
        assert await left(pilot) == "Germany  DE"

    filling().play(scenario)


@pytest.mark.slow
def test_a_choice_that_a_cursor_was_moved_in_is_changed_where_it_stands() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, recipient_form)
        await pilot.press(*TO_COUNTRY, *"niger", "enter", "shift+tab", "end", *"ia", "enter")
        assert await left(pilot) == "Nigeria  NG"

    filling().play(scenario)
