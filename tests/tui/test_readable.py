"""Every text on the screens is readable in each theme; nothing flashes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

import pytest
from rich.color import Color
from rich.style import Style
from textual.geometry import Region
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from paytui.config.value_parsers import COLOUR_ROLES
from paytui.platform.files import shipped_path
from paytui.tui.app import PaytuiApp
from paytui.tui.themes import COLOURS, quantise_colour, read_theme
from tests.support.eyesight import contrast
from tests.tui.busy_book import busy_book
from tests.tui.dashboard import Dashboard, settings_of, the_app

AA, AAA = 4.5, 7.0
"""WCAG 2.2, 1.4.3 and 1.4.6: contrast of text of a usual size."""

STOPS: tuple[tuple[str, ...], ...] = (
    ("1",),
    ("2",),
    ("3", "j"),
    ("3", "enter"),
    ("4",),
    ("5",),
    ("6", "slash", "u", "s", "d"),
    ("6", "slash"),
    ("6", "o"),
    ("6", "e"),
    ("6", "enter"),
    ("7",),
    ("7", "c"),
    ("8",),
    ("8", "enter"),
    ("t",),
    ("p",),
    ("question_mark",),
    ("comma",),
    ("comma", "enter"),
    ("a",),
    ("colon",),
)
"""Keys from the Overview on."""

NAMES = (*COLOURS, *COLOUR_ROLES)

DRAWN = re.compile(r"[\s─-▟]*")
"""Lines and blocks, which are no text."""

Pair = tuple[str, str]
"""Names of the colours of text and of what it stands on."""


@dataclass
class Seen:
    """Findings on the way through the screens.

    Attributes:
        pairs: each with a word in it.
        unknown: colours that no theme names, likewise.
        flashing: words that flash.
        tips: widgets that say something only where a mouse rests on them.
        blinking: inputs whose cursor blinks.
    """

    pairs: dict[Pair, str] = field(default_factory=dict)
    unknown: dict[Pair, str] = field(default_factory=dict)
    flashing: list[str] = field(default_factory=list)
    tips: list[str] = field(default_factory=list)
    blinking: list[str] = field(default_factory=list)

    def look_at(self, app: PaytuiApp) -> None:
        """Take in what is on screen."""
        strips = app.screen._compositor.render_strips()
        for place in _on_top(app.screen):
            for strip in strips[place.y : place.bottom]:
                for segment in strip.crop(place.x, place.right):
                    if segment.style is not None and not DRAWN.fullmatch(segment.text):
                        self._note(segment.text.strip(), segment.style)
        for widget in app.screen.walk_children(Widget):
            if widget.tooltip is not None:
                self.tips.append(repr(widget))
            if isinstance(widget, Input) and widget.cursor_blink:
                self.blinking.append(repr(widget))

    def _note(self, words: str, style: Style) -> None:
        ink, ground = (BY_COLOUR.get(_hex(colour), "?") for colour in (style.color, style.bgcolor))
        pair = (ground, ink) if style.reverse else (ink, ground)
        (self.unknown if "?" in pair else self.pairs)[pair] = words
        if style.blink or style.blink2:
            self.flashing.append(words)


def _on_top(screen: Screen[object]) -> list[Region]:
    """Return the regions that hide everything below; the rest is dimmed."""
    if not screen.is_modal:
        return [screen.region]
    return [widget.region for widget in screen.query(".box, #--container, #--results")]


def each_alone(number: int) -> str:
    """A colour that nothing mixes to."""
    return f"#{7 + 13 * number:02x}{249 - 9 * number:02x}{5 + 11 * number:02x}"


BY_COLOUR = {**{each_alone(number): name for number, name in enumerate(NAMES)}, "#ffffff": "white"}


def _hex(colour: Color | None) -> str:
    return "" if colour is None or colour.triplet is None else colour.triplet.hex


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """The findings in a theme with a different colour for everything."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "themes").mkdir()
    (folder / "themes" / "all.toml").write_text(_theme_of_all())
    book = busy_book()
    settings = settings_of(live=True, theme="all")
    profile = replace(settings.profile, file=folder / "config.toml")
    ui = Dashboard(book.store, book.clock, book.time, replace(settings, profile=profile))
    found = Seen()

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        for keys in STOPS:
            await pilot.press("escape", "escape", "1", *keys)
            await pilot.pause()
            found.look_at(the_app(pilot))

    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("NO_COLOR", raising=False)
        ui.play(scenario, size=(100, 30))
    return found


def _theme_of_all() -> str:
    colours = {name: f'{name} = "{each_alone(number)}"' for number, name in enumerate(NAMES)}
    named = "\n".join(colours[name] for name in COLOURS)
    meant = "\n".join(colours[name] for name in COLOUR_ROLES)
    return f"dark = true\n[colours]\n{named}\n[meanings]\n{meant}\n"


HUED = sorted(
    file.stem
    for file in shipped_path("themes").iterdir()
    if "terminal = true" not in file.read_text()
)


@pytest.mark.slow
@pytest.mark.parametrize("in_many", [False, True], ids=["true", "256"])
def test_every_word_can_be_read_on_what_it_stands_on(seen: Seen, in_many: bool) -> None:
    assert {name: low for name in HUED if (low := hard_to_read(seen, name, in_many=in_many))} == {}


def hard_to_read(seen: Seen, name: str, *, in_many: bool) -> set[tuple[Pair, str]]:
    enough = AAA if name == "high-contrast" else AA
    named = read_theme(shipped_path("themes") / f"{name}.toml").theme.variables
    colours = {"white": "#ffffff", **{each: named[each] for each in NAMES}}
    if in_many:
        colours = {each: quantise_colour(colour) for each, colour in colours.items()}
    return {
        (pair, words)
        for pair, words in seen.pairs.items()
        if contrast(colours[pair[0]], colours[pair[1]]) < enough
    }


@pytest.mark.slow
def test_much_was_met_on_the_way(seen: Seen) -> None:
    assert {ink for ink, _ in seen.pairs} >= {"ink", "muted", "faint", "accent", "up", "down"}
    assert {ink for ink, _ in seen.pairs} >= {"closing", "doubt", "white", "background"}
    grounds = {ground for _, ground in seen.pairs}
    assert grounds >= {"background", "surface", "raised", "cursor", "accent", "live"}


@pytest.mark.slow
def test_nothing_is_painted_in_a_colour_that_no_theme_names(seen: Seen) -> None:
    assert seen.unknown == {}


@pytest.mark.slow
def test_nothing_is_told_by_a_tip_alone_and_nothing_flashes(seen: Seen) -> None:
    assert (seen.tips, seen.flashing, seen.blinking) == ([], [], [])
