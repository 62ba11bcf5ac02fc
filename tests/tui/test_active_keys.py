"""Help and palette list every key of the screen below them."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from paytui.domain.intent import SendPermission
from tests.tui.dashboard import Dashboard, lines, settings_of, shows, text

TALL = (100, 90)
EVERYWHERE = [
    "1 Overview",
    "8 Activity",
    "t Trade",
    "p Pay",
    "x Transfer",
    "? f1 Help",
    "q Quit",
]
PLACES = {
    "overview": ((), ["⏎ Open"]),
    "wallets": (("3",), ["i Pay-ins", "d Deposit to", "/ Filter", "e Export", "o Sort by"]),
    "wallet": (("3", "enter"), ["esc backspace Back", "y Copy", "R Raw"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_help_tells_what_keys_do_here_and_everywhere(ui: Dashboard, place: str) -> None:
    there, told = PLACES[place]

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(*there, "question_mark")
        await shows(pilot, "Everywhere")
        words = [" ".join(line.replace("│", " ").split()) for line in lines(pilot)]
        for line in (*told, *EVERYWHERE):
            assert any(line in word for word in words), line

    ui.play(scenario, size=TALL)


@pytest.mark.slow
def test_help_does_not_tell_of_keys_that_do_nothing_here(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4", "f1")
        await shows(pilot, "Everywhere")
        assert "Deposit to" not in text(pilot)

    ui.play(scenario, size=TALL)


@pytest.mark.slow
def test_help_in_a_ticket_tells_its_own_keys_first_and_those_of_its_input_last(
    ui: Dashboard,
) -> None:
    ui.store.set_sending(SendPermission(allowed=True, why=""))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p", "f1")
        await shows(pilot, "Editing text")
        words = text(pilot)
        assert words.index("Leave") < words.index("Everywhere") < words.index("Editing text")
        assert words.index("Editing text") < words.index("ctrl+a")

    ui.play(scenario, size=TALL)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "offered", "comes"),
    [
        ("export", "Export (e)", "The extension decides"),
        ("recipients", "Recipients (7)", "7 Recipients"),
    ],
)
def test_the_palette_does_what_a_key_does_and_names_the_key(
    ui: Dashboard, typed: str, offered: str, comes: str
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "ctrl+p", *typed)
        await shows(pilot, offered)
        await pilot.press("enter")
        await shows(pilot, comes)

    ui.play(scenario)


@pytest.mark.slow
def test_where_nothing_may_be_created_nothing_is_offered_that_creates(ui: Dashboard) -> None:
    ui.settings = settings_of(read_only=True)
    places = (("2",), "n New individual"), (("3",), "n New wallet"), (("7",), "n New recipient")

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        for keys, creates in places:
            await pilot.press(*keys)
            await pilot.pause()
            assert creates not in lines(pilot)[-1]
            await pilot.press("question_mark")
            await shows(pilot, "esc: back")
            shown = " ".join(text(pilot).split())
            for words in (creates, "t Trade", "p Pay", "x Transfer", "P Repeat"):
                assert words not in shown
            await pilot.press("escape")
        await pilot.press("n")
        await shows(pilot, "This profile is read-only")

    ui.play(scenario, size=TALL)
