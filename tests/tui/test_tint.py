"""The header in the colour of its profile: distinct, and readable in any colour."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from textual.pilot import Pilot

from paytui.platform.files import shipped_path
from paytui.tui.terminal.tty import ColourMode, Terminal
from paytui.tui.themes import quantise_colour, read_theme, tinted
from tests.support.eyesight import contrast
from tests.tui.dashboard import Dashboard, shows, text

DARK = read_theme(shipped_path("themes") / "dark.toml")

STEPS = ("00", "33", "66", "77", "99", "cc", "ff")


def with_tint(ui: Dashboard, tint: str, *, found: ColourMode = ColourMode.TRUE) -> None:
    """Give its profile a colour."""
    profile = replace(ui.settings.profile, tint=tint)
    ui.settings = replace(ui.settings, profile=profile)
    ui.terminal = Terminal(colours=found)


def bar(pilot: Pilot[None]) -> set[tuple[str, str, bool]]:
    """Ink and ground of the top line, and whether they are turned."""
    top = pilot.app.screen._compositor.render_strips()[0]
    return {
        (
            style.color.name if style.color else "default",
            style.bgcolor.name if style.bgcolor else "default",
            bool(style.reverse),
        )
        for segment in top
        if (style := segment.style) is not None and segment.text.strip()
    }


@pytest.mark.parametrize("in_many", [False, True])
def test_words_can_be_read_on_a_bar_of_any_colour(in_many: bool) -> None:
    for channels in itertools.product(STEPS, repeat=3):
        bar = tinted(DARK, f"#{''.join(channels)}", in_many=in_many).theme.variables
        assert contrast(bar["tint-ink"], bar["tint"]) >= 4.5  # WCAG 2.2, 1.4.3: AA
        assert not in_many or bar["tint"] == quantise_colour(bar["tint"])


@pytest.mark.slow
def test_the_whole_bar_has_the_colour_of_the_profile(ui: Dashboard) -> None:
    with_tint(ui, "#802020")

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "demo test")
        assert bar(pilot) == {("#ffffff", "#802020", False)}

    ui.play(scenario)


def test_a_meaning_gives_it_the_colour_that_the_theme_has_for_it(ui: Dashboard) -> None:
    with_tint(ui, "up")

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "demo test")
        assert bar(pilot) == {("#000000", "#5fc98b", False)}

    ui.play(scenario)


def test_without_colours_the_bar_is_turned(ui: Dashboard) -> None:
    with_tint(ui, "#802020", found=ColourMode.NONE)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "demo test")
        assert bar(pilot) == {("default", "default", True)}

    ui.play(scenario)


def test_the_words_stay_what_they_are(ui: Dashboard) -> None:
    before: list[str] = []

    async def plain(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "demo test")
        before.append(text(pilot))

    async def coloured(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "demo test")
        assert [text(pilot)] == before

    ui.play(plain)
    with_tint(ui, "live")
    ui.play(coloured)
