"""Themes: those that are shipped are whole and readable; others say what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.color import Color
from textual.pilot import Pilot

from paytui.tui.themes import ThemeError, load_themes, read_theme
from tests.tui.dashboard import Dashboard, shows

WORDS = ("ink", "muted", "accent", "up", "down", "closing", "expired", "doubt")


def test_there_is_a_dark_one_and_a_light_one() -> None:
    themes = load_themes()
    assert (themes["dark"].dark, themes["light"].dark) == (True, False)


@pytest.mark.parametrize("name", ["dark", "light"])
@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("ground", ["background", "surface", "cursor"])
def test_words_can_be_read_on_every_ground(name: str, word: str, ground: str) -> None:
    colours = load_themes()[name].variables
    assert _contrast(colours[word], colours[ground]) >= 3.0  # WCAG 2.2, 1.4.3 for large text


def _contrast(one: str, other: str) -> float:
    """WCAG 2.2, contrast ratio."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in Color.parse(colour).normalized
    )
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("dark = [", "not TOML"),
        ("dark = true", r"\[colours\] background must be a colour such as #1d2730"),
        ('[colours]\nbackground = "blue"', r"\[colours\] background must be a colour"),
    ],
)
def test_a_broken_theme_names_its_file_and_entry(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(ThemeError, match=complaint) as caught:
        read_theme(file)
    assert "mine.toml" in str(caught.value)


def test_a_screen_that_was_not_on_view_comes_back_in_the_theme_that_was_chosen_meanwhile(
    desk: Dashboard,
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("5")
        await shows(pilot, "trades")
        await pilot.press("6")
        await shows(pilot, "payments")
        pilot.app.theme = "light"
        await pilot.press("5")
        await shows(pilot, "trades")
        assert pilot.app.screen.styles.background == Color.parse(
            load_themes()["light"].variables["background"]
        )

    desk.play(scenario)
