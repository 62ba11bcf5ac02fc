"""A new screen is painted at once and completely."""

from __future__ import annotations

import asyncio

import pytest
from textual._compositor import CompositorUpdate
from textual.app import App
from textual.content import Content
from textual.dom import DOMNode
from textual.geometry import Region
from textual.pilot import Pilot
from textual.screen import Screen
from textual.strip import Strip

from paytui.domain.models import WalletId
from paytui.tui.app import PaytuiApp
from paytui.tui.base_screens import BaseScreen, ScreenSwitch
from paytui.tui.table.data_list import DataList
from paytui.tui.textual_internals import PARTS, HookedScreen, RowCompositor
from paytui.tui.widgets.text import RuleLine
from tests.tui.dashboard import Dashboard, shows, the_app, until

SCREENS = {"3": "4 wallets", "6": "3 payments", "1": "Overview", "8": "0 intents"}


def all_that_is_sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Frames, from now on, as a terminal would be sent them."""
    sent: list[str] = []

    def noted(app: App[None], _: Screen[object], painted: object) -> None:
        if isinstance(painted, CompositorUpdate) and not app._batch_count:
            sent.append(painted.render_segments(app.console))

    monkeypatch.setattr(App, "_display", noted)
    return sent


def test_a_number_waits_for_nothing_but_its_screen(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    delay = ScreenSwitch.delay
    monkeypatch.setattr(ScreenSwitch, "delay", lambda switch, _: delay(switch, 3600))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        for key in (*SCREENS, *SCREENS):
            await pilot.press(key)
            await until(pilot, lambda: not pilot.app._batch_count)
            await shows(pilot, SCREENS[key])

    ui.play(scenario)


def test_nothing_of_it_is_painted_before_it_has_caught_up(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a screen that was left long ago would show for a moment what was true then."""

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        for key in ("3", "6", "1"):
            await pilot.press(key)
            await shows(pilot, SCREENS[key])
        ui.store.wallets.remove([WalletId(f"wal-{number}") for number in (1, 2, 3)])
        sent = all_that_is_sent(monkeypatch)
        await pilot.press("3")
        await shows(pilot, "1 wallet")
        assert "USD desk" in "".join(sent)
        assert "AUD desk" not in "".join(sent)

    ui.play(scenario)


@pytest.mark.slow
def test_what_is_laid_out_and_painted_whole_is_not_painted_in_part_before(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "3 payments")
        sent = all_that_is_sent(monkeypatch)
        await pilot.press("/")
        await shows(pilot, "words")
        assert sum("Payments" in frame for frame in sent) == 1

    ui.play(scenario)


def change_title(screen: Screen[object]) -> None:
    """Change a title that has told its screen of it."""
    title = screen.query_one(RuleLine)
    title.say(Content("CHANGED"))
    title._repaint_required = False
    screen._dirty_widgets.add(title)


def test_what_changes_between_a_layout_and_its_paint_is_painted(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "3 payments")
        sent, screen = all_that_is_sent(monkeypatch), the_app(pilot).screen
        screen._refresh_layout()
        change_title(screen)
        await until(pilot, lambda: any("CHANGED" in frame for frame in sent))

    ui.play(scenario)


def test_a_layout_and_its_paint_are_two_turns(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "3 payments")
        monkeypatch.setattr(App, "_display", lambda *_: steps.append("paint"))
        the_app(pilot).screen._refresh_layout()
        steps.append("other")
        await until(pilot, lambda: "paint" in steps)
        assert steps[0] == "other"

    ui.play(scenario)


def test_a_new_screen_renders_its_parts_in_turns_before_it_is_painted(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    rendered: list[int] = []
    render_part, render_lines = RowCompositor.render_part, DataList.render_lines

    def note_part(self: RowCompositor, part: int) -> None:
        render_part(self, part)
        steps.append("part")
        asyncio.get_running_loop().call_soon(steps.append, "other")

    def note_lines(self: DataList[object, object], crop: Region) -> list[Strip]:
        if steps.count("other") < PARTS - 1:
            rendered.append(crop.height)
        return render_lines(self, crop)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "paint" in steps)
        assert steps[: steps.index("paint")] == ["part", "other"] * (PARTS - 1)
        assert 0 < max(rendered) <= pilot.app.size.height / PARTS

    monkeypatch.setattr(RowCompositor, "render_part", note_part)
    monkeypatch.setattr(DataList, "render_lines", note_lines)
    monkeypatch.setattr(App, "_display", lambda *_: steps.append("paint"))
    ui.play(scenario)


async def waiting_for_a_paint(
    pilot: Pilot[None], monkeypatch: pytest.MonkeyPatch
) -> tuple[list[str], Screen[object]]:
    """Have a callback wait for a paint of a list; return what comes from now on, and its screen."""
    steps: list[str] = []
    await pilot.press("6")
    await shows(pilot, "3 payments")
    monkeypatch.setattr(App, "_display", lambda *_: steps.append("paint"))
    screen = the_app(pilot).screen
    screen._invoke_later(lambda: steps.append("callback"), screen)  # which wakes the screen
    return steps, screen


def test_what_waits_for_a_paint_waits_for_the_one_of_a_layout(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        steps, screen = await waiting_for_a_paint(pilot, monkeypatch)
        screen._refresh_layout()
        await until(pilot, lambda: "callback" in steps)
        assert steps[0] == "paint"

    ui.play(scenario)


def test_what_waits_for_a_paint_waits_for_the_one_of_a_scroll(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        steps, screen = await waiting_for_a_paint(pilot, monkeypatch)
        screen._scroll_required = True
        screen._on_timer_update()
        await until(pilot, lambda: "callback" in steps)
        assert steps[0] == "paint"

    ui.play(scenario)


def test_a_frame_between_a_layout_and_its_paint_calls_nothing_that_waits(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        steps, screen = await waiting_for_a_paint(pilot, monkeypatch)
        screen._refresh_layout()
        screen._on_timer_update()
        await until(pilot, lambda: "callback" in steps)
        assert steps[0] == "paint"

    ui.play(scenario)


def test_a_layout_while_painting_is_batched_is_painted_after_it(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "3 payments")
        sent, screen = all_that_is_sent(monkeypatch), the_app(pilot).screen
        with pilot.app.batch_update():
            change_title(screen)
            screen._refresh_layout()
            await asyncio.sleep(0.05)
            screen._compositor_refresh()  # as Textual does later, if other messages come first
        assert not sent
        screen.check_idle()
        await until(pilot, lambda: any("CHANGED" in frame for frame in sent))

    ui.play(scenario)


def test_a_hold_that_begins_between_a_layout_and_its_paint_holds_it(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "3 payments")
        sent, screen = all_that_is_sent(monkeypatch), the_app(pilot).screen
        assert isinstance(screen, HookedScreen)
        change_title(screen)
        screen._refresh_layout()
        screen._dirty_widgets.clear()  # as after a layout that a widget asked for
        screen.hold_paint(3600, lambda: None)
        await asyncio.sleep(0.05)
        assert not sent
        screen.end_hold()
        await until(pilot, lambda: any("CHANGED" in frame for frame in sent))

    ui.play(scenario)


def test_what_one_comes_back_to_is_painted_once_with_what_it_missed(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "enter")
        await shows(pilot, "Wallet id")
        ui.store.wallets.remove([WalletId("wal-4")])
        sent = all_that_is_sent(monkeypatch)
        await pilot.press("escape")
        await shows(pilot, "3 wallets")
        [whole] = sent
        assert "3 wallets" in whole

    ui.play(scenario)


@pytest.mark.slow
def test_what_nobody_ends_is_over_after_its_time(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        app: App[None] = pilot.app
        app.delay_update(0.01)
        assert app._batch_count
        await until(pilot, lambda: not app._batch_count)

    ui.play(scenario)


def test_an_app_that_ends_before_it_was_painted_ends_as_usual(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        app = the_app(pilot)
        page = app.screen
        assert isinstance(page, BaseScreen)
        app.delay_update(3600)
        app._screen_stack.clear()
        await app.on_base_screen_resumed(BaseScreen.Resumed(page))

    ui.play(scenario)


@pytest.mark.slow
def test_a_screen_that_is_first_shown_is_not_styled_again(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It mounts with the theme of the day and the class of its width; all styles take 25 ms."""
    styled: list[str] = []
    update_styles = PaytuiApp.update_styles
    monkeypatch.setattr(PaytuiApp, "refresh_css", lambda app: styled.append(app.current_mode))

    def noted(app: PaytuiApp, node: DOMNode, animate: bool = True) -> None:
        if isinstance(node, Screen) and node.children:
            styled.append(type(node).__name__)
        update_styles(app, node, animate)

    monkeypatch.setattr(PaytuiApp, "update_styles", noted)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        for key, words in SCREENS.items():
            await pilot.press(key)
            await shows(pilot, words)
        await pilot.press("6", "enter")
        await shows(pilot, "Payments ›")
        assert styled == []

    ui.play(scenario)
