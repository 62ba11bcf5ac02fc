"""A panel: its title, count and words on a rule, a frame where there is room, and the focus."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.widget import Widget

from paytui.platform.files import shipped_path
from paytui.tui.base_screens import FRAME_CSS
from paytui.tui.format.cells import toned
from paytui.tui.themes import read_theme
from paytui.tui.widgets.text import LongText, Panel, SplitLine
from tests.tui.dashboard import lines


class TextPanel(Panel):
    def content(self) -> Iterator[Widget]:
        yield LongText()


class Panels(App[None]):
    """Two panels, the first with the focus."""

    CSS_PATH = FRAME_CSS
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (50, "-wide")]  # noqa: RUF012  (Textual's way)

    def __init__(self, edge: str = "round") -> None:
        self._edge = edge
        super().__init__()
        self.first, self.other = TextPanel("Payments"), TextPanel("Trades")

    def get_theme_variable_defaults(self) -> dict[str, str]:
        shipped = read_theme(shipped_path("themes") / "dark.toml").theme.variables
        return {**shipped, "focus-edge": self._edge}

    def compose(self) -> ComposeResult:
        yield self.first
        yield self.other


@pytest.mark.parametrize(
    ("width", "edge", "words", "painted"),
    [
        (
            40,
            "round",
            "3 s old",
            ["─ Payments  12 ─────────────── 3 s old ─", "", "", "─ Trades ─"],
        ),
        (40, "heavy", "", ["━ Payments  12 ━━━━━━━━━━━━━━━━━━━━━━━━━", "", "", "─ Trades ─"]),
        (40, "round", "unreachable since 04:30", [" Payments  12    unreachable since 04:30"]),
        (
            *(50, "heavy", "3 s old"),
            [
                "┏━ Payments  12 ━━━━━━━━━━━━━━━━━━━━━━━ 3 s old ━┓",
                "┃                                                ┃",
                "┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛",
                "╭─ Trades ───────────────────────────────────────╮",
            ],
        ),
    ],
)
def test_the_rule_has_title_count_and_words_and_tells_the_focus(
    width: int, edge: str, words: str, painted: list[str]
) -> None:
    async def taken() -> list[str]:
        async with (app := Panels(edge)).run_test(size=(width, 6)) as pilot:
            app.first.say(toned("  12"), right=toned(words))
            await pilot.pause()
            return lines(pilot)

    for found, wanted in zip(asyncio.run(taken()), painted, strict=False):
        assert found.startswith(wanted) if wanted else not found


def test_only_the_cells_that_change_are_painted() -> None:
    async def painted() -> list[tuple[Region, ...]]:
        regions: list[tuple[Region, ...]] = []

        class Noted(SplitLine):
            def refresh(self, *changed: Region, **how: bool) -> Noted:
                regions.append(changed)
                return super().refresh(*changed, **how)

        line = Noted()

        class OneLine(App[None]):
            def compose(self) -> ComposeResult:
                yield line

        async with OneLine().run_test(size=(30, 1)):
            line.say(toned(" 王 Payments"), toned("valid 1:45"))
            regions.clear()
            line.say(toned(" 王 Payments"), toned("valid 1:40"))
            line.say(toned(" 王 payments"), toned("valid 1:40"))
            line.say(toned(" 王 payments"), toned("valid 1:40"))
        return regions

    assert asyncio.run(painted())[:2] == [(Region(29, 0, 1, 1),), (Region(4, 0, 1, 1),)]


def test_the_accent_follows_the_focus() -> None:
    async def scenario() -> None:
        app = Panels()
        async with app.run_test(size=(40, 8)) as pilot:
            accent = app.first.rule.styles.color
            assert accent != app.other.rule.styles.color
            await pilot.press("tab")
            await pilot.pause()
            assert app.other.rule.styles.color == accent
            assert app.first.rule.styles.color != accent

    asyncio.run(scenario())
