"""A part of the screen is painted as Textual paints it, without looking at the rest."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from textual._compositor import Compositor
from textual.app import App
from textual.geometry import Region
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widget import Widget

from paytui.tui.terminal.textual_patches import RowCompositor
from tests.tui.dashboard import Dashboard, shows

SCREENS = {"1": "Overview", "3": "4 wallets", "4": "Rates", "6": "3 payments"}


def parts_of_a_screen() -> Iterator[list[Region]]:
    yield from ([Region(0, y, 80, 1)] for y in range(24))
    yield from ([Region(x, y, 13, 3)] for x in (0, 30, 67) for y in (0, 6, 20))
    yield [Region(0, 3, 80, 1), Region(60, 9, 20, 1), Region(5, 21, 9, 1)]
    yield [Region(0, 0, 80, 24)]


def painted(app: App[None], part: list[Region]) -> str:
    """What a terminal is sent where these are dirty."""
    compositor = app.screen._compositor
    compositor._dirty_regions = set(part)
    update = compositor.render_partial_update()
    assert update is not None
    return update.render_segments(app.console)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["1", "6"])
def test_any_part_is_painted_as_textual_paints_it(desk: Dashboard, key: str) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(key)
        await shows(pilot, SCREENS[key])
        compositor = pilot.app.screen._compositor
        assert isinstance(compositor, RowCompositor)
        ours = [painted(pilot.app, part) for part in parts_of_a_screen()]
        pilot.app.screen._compositor.__class__ = Compositor
        assert ours == [painted(pilot.app, part) for part in parts_of_a_screen()]

    desk.play(scenario)


def test_a_key_renders_no_widget_but_those_whose_lines_change(
    desk: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered: list[tuple[str, int]] = []
    render = Widget.render_lines

    def noted(widget: Widget, crop: Region) -> list[Strip]:
        rendered.append((type(widget).__name__, crop.height))
        return render(widget, crop)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "3 payments")
        monkeypatch.setattr(Widget, "render_lines", noted)
        await pilot.press("j")
        assert rendered == [("DataList", 2), ("ListPage", 2)]

    desk.play(scenario)
