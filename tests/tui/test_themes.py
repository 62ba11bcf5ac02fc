"""Themes: shipped ones are complete and readable; invalid ones are explained."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from rich.color import Color as RichColor
from rich.style import Style
from textual.color import Color
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot

from paytui.config.validation import ConfigError
from paytui.platform.files import shipped_path
from paytui.tui.format.cells import Tone
from paytui.tui.themes import Scheme, quantise_style, read_theme
from tests.support.eyesight import Vision, apart, contrast
from tests.tui.dashboard import Dashboard, shows, the_app

SHIPPED = {
    "dark": True,
    "slate": True,
    "light": False,
    "daylight": False,
    "high-contrast": True,
    "deuteranopia": True,
    "tritanopia": True,
}
"""The themes with colours of their own, and whether they are dark."""

TERMINALS_OWN = {"16-colour", "monochrome"}

GROUNDS = ("background", "surface", "raised", "cursor", "field")
"""The backgrounds of text."""

AA, AAA = 4.5, 7.0
"""WCAG 2.2, 1.4.3 and 1.4.6: contrast of text of a usual size."""

MEANT = ("ink", "money", "up", "down", "closing", "expired", "doubt")
"""The meanings told by colour, beside words."""

TOLD_APART = 20.0
"""Distance in CIELAB; 2.3 is just noticed, by eyes that look for it."""


def shipped(name: str) -> Scheme:
    return read_theme(shipped_path("themes") / f"{name}.toml")


def test_nine_are_shipped() -> None:
    files = {file.name for file in shipped_path("themes").iterdir()}
    assert files == {f"{name}.toml" for name in {*SHIPPED, *TERMINALS_OWN}}


def test_two_are_dark_and_two_are_light_and_each_other_one_says_what_it_is() -> None:
    assert {name: shipped(name).theme.dark for name in SHIPPED} == SHIPPED


@pytest.mark.parametrize("colours", ["true", "256"])
def test_all_words_can_be_read_on_all_that_they_stand_on(colours: str) -> None:
    assert {name: low for name in SHIPPED if (low := hard_to_read(name, colours))} == {}


def hard_to_read(name: str, colours: str) -> dict[tuple[str, str], float]:
    enough = AAA if name == "high-contrast" else AA
    theme = dict(shipped(name).theme.variables)
    if colours == "256":
        theme = {name: _of_256(colour) for name, colour in theme.items()}
    theme["white"] = "#ffffff"
    others = [("accent", "line"), ("background", "muted"), ("white", "live")]
    return {
        (ink, ground): ratio
        for ink, ground in [*itertools.product(Tone, GROUNDS), *others]
        if (ratio := contrast(theme[ink], theme[ground])) < enough
    }


def _of_256(colour: str) -> str:
    nearest = quantise_style(Style(color=RichColor.parse(colour))).color
    assert nearest is not None
    assert nearest.number is not None
    return str(nearest.get_truecolor().hex)


@pytest.mark.parametrize("eyes", ["deuteranopia", "tritanopia"])
def test_a_theme_for_other_eyes_keeps_all_meanings_apart_for_them(eyes: Vision) -> None:
    colours = shipped(eyes).theme.variables
    close = {
        pair: distance
        for pair in itertools.combinations(MEANT, 2)
        if (distance := apart(colours[pair[0]], colours[pair[1]], eyes)) < TOLD_APART
    }
    assert close == {}


WHOLE = (shipped_path("themes") / "dark.toml").read_text()


def test_a_theme_without_a_colour_for_money_has_it_in_its_accent(tmp_path: Path) -> None:
    file = tmp_path / "older.toml"
    file.write_text("\n".join(line for line in WHOLE.split("\n") if not line.startswith("money")))
    assert read_theme(file).theme.variables["money"] == "#6cb8f0"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("dark = [", "is not valid TOML"),
        (f"dark = {'7' * 5_000}", "is not valid TOML"),
        ("dark = true", "colours.background: must be a colour as #rrggbb"),
        (
            WHOLE.replace('ink = "#d5dde5"', 'ink = "blue"'),
            'mine.toml:11: colours.ink: must be a colour as #rrggbb. Write it like this: ink = "',
        ),
        (
            WHOLE.replace("closing =", "closng ="),
            "mine.toml:20: meanings.closng: is not known. Did you mean closing?",
        ),
        (f'"\\u001b[2J" = 1\n{WHOLE}', "mine.toml: \ufffd[2J: is not known."),
        (WHOLE.replace("dark = true", 'dark = "yes"'), "mine.toml:2: dark: must be true or false"),
        (
            f"terminal = true\n{WHOLE}",
            "colours.background: must be one of the terminal's own looks",
        ),
    ],
    ids=(
        "no TOML",
        "a number without end",
        "nothing",
        "a word",
        "a misspelt key",
        "an escape",
        "a switch",
        "looks",
    ),
)
def test_a_broken_theme_names_its_file_and_entry(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        read_theme(file)
    assert complaint in str(caught.value)
    assert str(file) in str(caught.value)


def test_a_theme_whose_file_is_gone_is_not_a_matter_of_permissions(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"No such file or directory\. Choose another theme\."):
        read_theme(tmp_path / "mine.toml")


def test_what_is_no_text_is_no_theme(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="is not UTF-8 text"):
        read_theme(file)


def test_a_screen_that_was_not_on_view_comes_back_in_the_theme_that_was_chosen_meanwhile(
    ui: Dashboard,
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("5")
        await shows(pilot, "trades")
        await pilot.press("6")
        await shows(pilot, "payments")
        the_app(pilot).use_theme("light")
        await pilot.press("5")
        await shows(pilot, "trades")
        assert pilot.app.screen.styles.background == Color.parse(
            shipped("light").theme.variables["background"]
        )

    ui.play(scenario)


@pytest.mark.slow
def test_looks_at_screens_read_no_styles_anew(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Stylesheet] = []
    reparse = Stylesheet.reparse

    def noted(self: Stylesheet) -> None:
        read.append(self)
        reparse(self)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        monkeypatch.setattr(Stylesheet, "reparse", noted)
        for key, title in [("5", "trades"), ("6", "payments"), ("1", "Balance"), ("5", "trades")]:
            await pilot.press(key)
            await shows(pilot, title)

    ui.play(scenario)
    assert read == []
