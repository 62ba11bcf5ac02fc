"""The number of colours, detected or configured, and the colours painted."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.pilot import Pilot

from paytui.config.settings import Colours
from paytui.tui.app import PaytuiApp
from paytui.tui.terminal.tty import ColourMode, Terminal, detected_colours
from paytui.tui.ui_context import SettingsChanged
from tests.tui.dashboard import Dashboard, shows, the_app, until

NONE, SIXTEEN, MANY, TRUE = ColourMode


@pytest.mark.parametrize(
    ("environ", "mode"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, TRUE),
        ({"TERM": "xterm-256color", "COLORTERM": "24bit"}, TRUE),
        ({"TERM": "xterm-direct"}, TRUE),
        ({"TERM": "xterm-kitty"}, TRUE),
        ({"TERM": "xterm-256color"}, MANY),
        ({"TERM": "xterm"}, SIXTEEN),
        ({"TERM": "linux"}, SIXTEEN),
        ({"TERM": "vt100"}, NONE),
        ({"TERM": "xterm-mono"}, NONE),
        ({}, NONE),
    ],
)
def test_a_terminal_tells_by_its_name_and_by_colorterm(
    environ: dict[str, str], mode: ColourMode
) -> None:
    assert detected_colours(environ) is mode


def test_no_color_goes_before_what_the_terminal_can_unless_it_is_empty() -> None:
    able = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    assert detected_colours({**able, "NO_COLOR": "1"}) is NONE
    assert detected_colours({**able, "NO_COLOR": ""}) is TRUE


def test_a_true_colour_does_not_pass_screen_but_tmux() -> None:
    able = {"TERM": "screen-256color", "COLORTERM": "truecolor", "STY": "1234.pts-0"}
    assert detected_colours(able) is MANY
    assert detected_colours({**able, "TMUX": "tmux-0/default,1,0"}) is TRUE


def test_a_terminal_without_color_that_inherits_colorterm_has_none() -> None:
    assert detected_colours({"TERM": "vt100", "COLORTERM": "truecolor"}) is NONE


def colours_of(app: PaytuiApp) -> set[str]:
    """The codes of all colours on screen, as a terminal is told them (ECMA-48 §8.3.117)."""
    return {code for style in styles_of(app) for code in _colour_codes(style)}


def styles_of(app: PaytuiApp) -> list[Style]:
    strips = app.screen._compositor.render_strips()
    segments: list[Segment] = [segment for strip in strips for segment in strip]
    return [segment.style for segment in segments if segment.style is not None]


def _colour_codes(style: Style) -> list[str]:
    codes = []
    if style.color is not None:
        codes.append(";".join(style.color.get_ansi_codes()))
    if style.bgcolor is not None:
        codes.append(";".join(style.bgcolor.get_ansi_codes(foreground=False)))
    return codes


def on(ui: Dashboard, found: ColourMode, *, theme: str = "dark", said: Colours = "auto") -> None:
    """Have this many colours found out, and this many said."""
    display = replace(ui.settings.display, theme=theme, colours=said)
    ui.settings = replace(ui.settings, display=display)
    ui.terminal = Terminal(colours=found)


def painted(ui: Dashboard) -> set[str]:
    """The colours of the list of payments."""
    seen: set[str] = set()

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "3 payments")
        seen.update(colours_of(the_app(pilot)))

    ui.play(scenario)
    return seen


def test_of_256_only_those_are_painted_that_look_alike_everywhere(ui: Dashboard) -> None:
    on(ui, MANY)
    codes = painted(ui)
    assert codes
    numbers = {int(code.rpartition(";")[2]) for code in codes}
    assert all(code.startswith(("38;5;", "48;5;")) for code in codes)
    assert min(numbers) >= 16
    assert 233 in numbers  # the nearest to #0e1318: a grey of 18


def test_without_colours_there_is_not_one_code_of_a_colour(ui: Dashboard) -> None:
    on(ui, NONE)
    assert painted(ui) == set()


def test_what_is_said_goes_before_what_was_found_out(ui: Dashboard) -> None:
    on(ui, NONE, said="truecolor")
    assert "48;2;14;19;24" in painted(ui)
    on(ui, TRUE, said="none")
    assert painted(ui) == set()


def test_a_theme_of_the_terminals_own_colours_stays_so_on_a_better_terminal(
    ui: Dashboard,
) -> None:
    on(ui, TRUE, theme="monochrome")
    assert painted(ui) == set()


def test_no_color_is_ours_to_heed_where_colours_are_said(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    on(ui, NONE, said="truecolor")
    assert "48;2;14;19;24" in painted(ui)  # not in grey, as Textual would paint it


@pytest.mark.slow
def test_the_row_of_the_cursor_is_seen_without_colours(ui: Dashboard) -> None:
    on(ui, NONE)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "3 payments")
        strips = pilot.app.screen._compositor.render_strips()
        [row] = [strip for strip in strips if "▌" in strip.text]
        words = [segment for segment in row if segment.text.strip(" ▐")]
        assert words
        assert all(segment.style is not None and segment.style.reverse for segment in words)

    ui.play(scenario)


@pytest.mark.slow
def test_the_row_of_the_cursor_is_of_one_colour_on_sixteen(ui: Dashboard) -> None:
    on(ui, SIXTEEN)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "g")
        await shows(pilot, "3 payments")
        strips = pilot.app.screen._compositor.render_strips()
        [row] = [strip for strip in strips if "▌" in strip.text]
        assert "rejected" in row.text
        words = [segment for segment in row if segment.text.strip(" ▐")]
        assert all(segment.style is not None and segment.style.color is None for segment in words)

    ui.play(scenario)


@pytest.mark.slow
def test_what_is_chosen_in_the_palette_is_seen_without_colours(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    on(ui, NONE)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("colon", "down")
        await shows(pilot, "Overview (1)")
        strips = pilot.app.screen._compositor.render_strips()
        turned = [
            segment.text.strip()
            for strip in strips
            for segment in strip
            if "(" in segment.text and segment.style is not None and segment.style.reverse
        ]
        assert turned == ["Decide (d)"]

    ui.play(scenario)


@pytest.mark.slow
def test_who_chooses_a_theme_for_which_there_are_too_few_is_told(ui: Dashboard) -> None:
    on(ui, SIXTEEN)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        assert pilot.app.theme == "16-colour"
        the_app(pilot).use_theme("light")
        await shows(pilot, "light needs more colours than this terminal has; using 16-colour.")
        assert pilot.app.theme == "16-colour"

    ui.play(scenario)


STEPS: tuple[Colours, ...] = ("256", "16", "none", "truecolor")

BEGINS: dict[Colours, tuple[str, ...]] = {
    "truecolor": ("38;2;", "48;2;"),
    "256": ("38;5;", "48;5;"),
    "16": tuple(map(str, (*range(30, 38), *range(90, 98)))),
    "none": (),
}
"""The prefixes of colour codes."""


def test_colours_can_be_set_while_it_runs(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        app = the_app(pilot)

        def painted_as(said: Colours) -> bool:
            codes = colours_of(app)
            return bool(codes) == bool(BEGINS[said]) and all(
                code.startswith(BEGINS[said]) for code in codes
            )

        await pilot.press("6")
        await shows(pilot, "3 payments")
        for said in STEPS:
            display = replace(ui.settings.display, colours=said)
            app.post_message(SettingsChanged(replace(ui.settings, display=display)))
            await until(pilot, partial(painted_as, said))

    ui.play(scenario)
