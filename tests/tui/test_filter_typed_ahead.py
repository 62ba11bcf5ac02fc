"""Text typed right after `/`, even in one burst, goes to the filter."""

from __future__ import annotations

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from paytui.tui.table.data_list import DataList
from paytui.tui.widgets.ordered_keys import FilterLine
from tests.tui.dashboard import Dashboard, shows, until
from tests.tui.test_lists import cursor_line
from tests.tui.ticket.test_many_keys_at_once import send


async def to_list(pilot: Pilot[None], page: str) -> None:
    await pilot.press(page)
    app = pilot.app
    await until(
        pilot, lambda: bool(app.screen.query(FilterLine)) and isinstance(app.focused, DataList)
    )


def filtered_by(pilot: Pilot[None]) -> str:
    return pilot.app.screen.query_one(FilterLine).value


@pytest.mark.parametrize("page", "36")
def test_letters_that_are_commands_elsewhere_are_typed_in_their_order(
    ui: Dashboard, page: str
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await to_list(pilot, page)
        send(pilot, "/pay stq8")
        await until(pilot, lambda: filtered_by(pilot) == "pay stq8")
        assert pilot.app.focused is pilot.app.screen.query_one(Input)
        assert len(pilot.app.screen_stack) == 1

    ui.play(scenario)


@pytest.mark.slow
def test_a_paste_is_the_filters_text_too(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await to_list(pilot, "6")
        send(pilot, "/pay")
        pilot.app.post_message(events.Paste("-1\nccy:aud"))
        send(pilot, " x")
        await until(pilot, lambda: filtered_by(pilot) == "pay-1 ccy:aud x")

    ui.play(scenario)


def test_what_comes_behind_enter_is_for_the_list_again(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await to_list(pilot, "6")
        send(pilot, "/amount>1k\rj")
        await shows(pilot, "2 payments, filtered")
        await until(pilot, lambda: "2,500.50" in cursor_line(pilot))
        assert filtered_by(pilot) == "amount>1k"

    ui.play(scenario)


def test_what_comes_behind_shift_and_tab_is_for_the_list_too(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await to_list(pilot, "6")
        send(pilot, "/pay")
        pilot.app.post_message(events.Key("shift+tab", None))
        send(pilot, "j")
        await until(pilot, lambda: filtered_by(pilot) == "pay")
        await until(pilot, lambda: isinstance(pilot.app.focused, DataList))
        await pilot.pause()
        assert filtered_by(pilot) == "pay"

    ui.play(scenario)
