"""Keys typed ahead act on the screen that they are meant for, on its rows as they are now."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from paytui.domain.models import RecipientId
from paytui.tui.app import PaytuiApp
from paytui.tui.table.data_list import DataList
from paytui.tui.ticket.screen import TicketScreen
from tests.tui.dashboard import Dashboard, shows, tells, text, until
from tests.tui.ticket.paying import book

STARTS = {"overview": (), "list": ("3",), "detail": ("3", "enter"), "visited": ("7", "1")}


async def burst(pilot: Pilot[None], keys: Iterable[str], turns: int = 0) -> None:
    """Press keys, or paste words, with so many turns of the event loop between them."""
    for key in keys:
        is_paste = key.startswith("paste ")
        pilot.app.post_message(
            events.Paste(key.removeprefix("paste "))
            if is_paste
            else events.Key(key, key if len(key) == 1 else None)
        )
        for _ in range(turns):
            await asyncio.sleep(0)


async def start_at(pilot: Pilot[None], start: str) -> None:
    for key in STARTS[start]:
        await pilot.press(key)
        await pilot.pause()


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("turns", [0, 1, 2, 5])
def test_the_row_of_the_new_screen_is_paid(start: str, turns: int) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await start_at(pilot, start)
        await burst(pilot, "7jp", turns)
        await shows(pilot, "▌ From")
        await tells(pilot, "To Globex")

    Dashboard(store=book()).play(scenario)


@pytest.mark.slow
def test_a_review_that_a_number_leaves_takes_none_of_the_keys_behind_it() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p", *"globex", "enter", "enter", "1", "tab", "enter")
        await shows(pilot, "Payout · confirm")
        await burst(pilot, "7jp", 1)
        await shows(pilot, "▌ From")
        await tells(pilot, "To Globex")
        assert "1.00 USD" not in text(pilot)

    Dashboard(store=book()).play(scenario)


def test_a_number_typed_before_the_first_paint_waits_for_it(ui: Dashboard) -> None:
    modes: list[str] = []

    async def scenario() -> None:
        app = ui.app()
        app._painted = lambda: modes.append(app.current_mode)
        app.post_message(events.Key("3", "3"))
        async with app.run_test() as pilot:
            await shows(pilot, "Wallets")
            await until(pilot, lambda: app.current_mode == "wallets")

    asyncio.run(scenario())
    assert modes == ["overview"]


def test_keys_that_wait_in_the_old_screen_come_before_later_ones() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await burst(pilot, "7j")
        await burst(pilot, "jp", 1)
        await tells(pilot, "To Hooli")

    Dashboard(store=book()).play(scenario)


def import_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have each new screen be imported for a while, as at first."""

    async def import_page(_: str) -> None:
        for _turn in range(30):
            await asyncio.sleep(0)

    monkeypatch.setattr("paytui.tui.app.import_page", import_page)


def test_no_number_overtakes_one_that_waits_in_the_old_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The hold of 1 ends while 4 imports its screen. 8 comes then, and 2 while that mounts."""
    modes: list[str] = []
    switch_mode = PaytuiApp.switch_mode

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        async def import_page(mode: str) -> None:
            if mode == "rates":
                await burst(pilot, "8", 20)

        async def switch(app: PaytuiApp, mode: str) -> None:
            modes.append(mode)
            mounted = switch_mode(app, mode)
            if mode == "rates":
                await burst(pilot, "2", 20)
            await mounted

        monkeypatch.setattr("paytui.tui.app.import_page", import_page)
        monkeypatch.setattr(PaytuiApp, "switch_mode", switch)
        await burst(pilot, "14")
        await until(pilot, lambda: len(modes) == 3)
        assert modes == ["rates", "activity", "accounts"]

    Dashboard(store=book()).play(scenario)


@pytest.mark.parametrize(
    ("keys", "top", "typed"),
    [
        (("8", "2"), "AccountsPage", [""]),
        (("4", "p", *"glo"), "TicketScreen", ["glo", ""]),
        (("ctrl+f", *"gl"), "FindScreen", ["gl"]),
    ],
    ids=["numbers", "ticket", "find"],
)
def test_keys_behind_an_object_that_opens_wait_for_it(
    monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...], top: str, typed: list[str]
) -> None:
    """Once they reached the wrong screens: 4 became the beginning of a payee."""
    import_slowly(monkeypatch)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("7")
        await until(pilot, lambda: isinstance(pilot.app.screen.focused, DataList))
        await burst(pilot, ["enter", *keys], 1)
        await until(pilot, lambda: type(pilot.app.screen).__name__ == top)
        await until(pilot, lambda: [line.value for line in pilot.app.screen.query(Input)] == typed)
        await pilot.pause()
        assert type(pilot.app.screen).__name__ == top

    Dashboard(store=book()).play(scenario)


@pytest.mark.parametrize(
    "opened", [("ctrl+f",), ("p",), ("p", "g"), ("7", "n")], ids=["find", "ticket", "typed", "form"]
)
def test_keys_behind_the_one_that_closes_a_screen_go_to_the_one_below(
    opened: tuple[str, ...],
) -> None:
    """Once its input took them: a second escape closed the last screen, and the app."""

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(*opened)
        await until(pilot, lambda: len(pilot.app.screen_stack) == 2)
        await burst(pilot, ["escape", "escape", "4"])
        await until(pilot, lambda: pilot.app.current_mode == "rates")
        assert len(pilot.app.screen_stack) == 1

    Dashboard(store=book()).play(scenario)


def test_keys_behind_a_dialog_reach_the_ticket_that_they_open() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("7")
        await until(pilot, lambda: isinstance(pilot.app.screen.focused, DataList))
        await burst(pilot, ["question_mark", "escape", "p", *"glo"])
        await until(pilot, lambda: isinstance(pilot.app.screen, TicketScreen))
        line = pilot.app.screen.query(Input).first()
        await until(pilot, lambda: line.value == "glo")

    Dashboard(store=book()).play(scenario)


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        (("7", "enter", "p", "paste hoo"), "hoo"),
        (("p", "escape", "7", "p", "paste hoo"), "hoo"),
        (("paste hoo", "7", "j", "p"), ""),
    ],
    ids=["behind", "behind an escape", "before"],
)
def test_a_paste_is_meant_for_the_screen_that_the_keys_before_it_open(
    keys: tuple[str, ...], text: str
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await burst(pilot, [*keys, "x"])
        await until(pilot, lambda: isinstance(pilot.app.screen, TicketScreen))
        line = pilot.app.screen.query(Input).first()
        await until(pilot, lambda: line.value.endswith("x"))
        assert line.value == f"{text}x"

    Dashboard(store=book()).play(scenario)


def test_a_row_that_is_gone_meanwhile_is_not_paid() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await start_at(pilot, "visited")
        ui.store.recipients.remove([RecipientId("rec-7")])
        await burst(pilot, "7p")
        await tells(pilot, "To Globex")
        assert "Cyberdyne" not in text(pilot)

    Dashboard(store=book()).play(scenario)


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_a_key_before_the_number_means_nothing_to_the_new_screen(turns: int) -> None:
    """`n` is bound on Recipients, but not on the Overview."""

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await burst(pilot, "n7", turns)
        await until(pilot, lambda: pilot.app.current_mode == "recipients")
        await pilot.pause()
        assert len(pilot.app.screen_stack) == 1

    Dashboard(store=book()).play(scenario)
