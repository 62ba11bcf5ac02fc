"""Themes: colours in TOML files, filters that map them to the terminal, and the themes in use."""

from __future__ import annotations

import re
import tomllib
from asyncio import wait_for
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import product
from pathlib import Path
from typing import TypeVar

from rich.color import ANSI_COLOR_NAMES
from rich.color import Color as RichColor
from rich.color_triplet import ColorTriplet
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.color import Color
from textual.filter import ANSIToTruecolor, LineFilter
from textual.theme import Theme
from textual.worker import WorkType

from paytui.config.settings import Display, Settings
from paytui.config.theme_files import ThemeFiles, themes_beside
from paytui.config.validation import ConfigError, KeyPath, file_errors, key_lines
from paytui.config.value_parsers import COLOUR_ROLES
from paytui.platform.files import signature
from paytui.platform.processes import run_in_daemon_thread
from paytui.platform.text import clean, did_you_mean
from paytui.tui.terminal.tty import ColourMode, Terminal, colour_mode, is_ascii

T = TypeVar("T")

_ANSI_COLOURS = {
    name.replace("_", " "): number
    for name, number in ANSI_COLOR_NAMES.items()
    if number < ColourMode.SIXTEEN
}
"""The numbers of `red`, `bright red` and so on (ECMA-48 §8.3.117)."""

_ANSI_ATTRIBUTES = {
    "bold": Style(bold=True),
    "underline": Style(underline=True),
    "reverse": Style(reverse=True),
}

ANSI_STYLE_HINT = (
    'one of the terminal\'s own looks, such as "bold bright red", "reverse" or "default"'
)


def parse_ansi_style(words: str) -> Style | None:
    """Parse `bold bright red`, `reverse` or `default`; None if invalid."""
    given = words.split()
    attributes = [word for word in given if word in _ANSI_ATTRIBUTES]
    rest = [word for word in given if word not in _ANSI_ATTRIBUTES]
    whole = Style.combine([Style(), *(_ANSI_ATTRIBUTES[word] for word in attributes)])
    if given and rest in ([], ["default"]):
        return whole
    number = _ANSI_COLOURS.get(" ".join(rest))
    return None if number is None else whole + Style(color=RichColor.from_ansi(number))


STYLES = 2048  # Number of styles to cache; there are a few hundred

_NO_LOOK = Style()
_LEVELS = (0, 95, 135, 175, 215, 255)
_OF_CUBE = 16
_MANY = [
    *product(_LEVELS, repeat=3),
    *((8 + 10 * step,) * 3 for step in range(24)),
]
"""The colours 16 to 255, which are the same on all terminals: a cube and greys."""


class RestyleFilter(LineFilter):
    def __init__(self, restyle: Callable[[Style], Style]) -> None:
        super().__init__()
        self._restyle = lru_cache(STYLES)(restyle)

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - Textual's own
        return [
            Segment(text, None if style is None else self._restyle(style), control)
            for text, style, control in segments
        ]


def quantise_style(style: Style) -> Style:
    """Return a style in the nearest of 256 colours; Rich would turn cube colours to dark greys."""
    return style + Style(color=_nearest(style.color), bgcolor=_nearest(style.bgcolor))


def quantise_colour(colour: str) -> str:
    """Return the nearest of 256 colours to `#rrggbb`."""
    nearest = _nearest(RichColor.parse(colour))
    assert nearest is not None
    return str(nearest.get_truecolor().hex)


@lru_cache(STYLES)
def _nearest(colour: RichColor | None) -> RichColor | None:
    if colour is None or colour.triplet is None:
        return colour
    red, green, blue = colour.triplet

    def distance(number: int) -> int:
        there = _MANY[number]
        return (there[0] - red) ** 2 + (there[1] - green) ** 2 + (there[2] - blue) ** 2

    return RichColor.from_ansi(_OF_CUBE + min(range(len(_MANY)), key=distance))


class AnsiRestyle:
    """Maps stand-in colours of a theme, given as `#rrggbb`, to the terminal's own styles."""

    def __init__(self, inks: Mapping[str, Style], grounds: Mapping[str, Style]) -> None:
        self._inks = _by_triplet(inks)
        self._grounds = _by_triplet(grounds)

    def __call__(self, style: Style) -> Style:
        """Map a style. Unknown colours are dropped, as is the ink on a reversed ground."""
        ink, ground = _look(self._inks, style.color), _look(self._grounds, style.bgcolor)
        bare = style.without_color + Style.from_meta(style.meta)
        if ground.reverse:
            ink = ink.without_color
        turned = bool(style.reverse) != bool(ground.reverse)
        return bare + ink + ground + Style(reverse=turned)


def _by_triplet(looks: Mapping[str, Style]) -> Mapping[ColorTriplet, Style]:
    return {ColorTriplet(*Color.parse(one).rgb): look for one, look in looks.items()}


def _look(looks: Mapping[ColorTriplet, Style], colour: RichColor | None) -> Style:
    triplet = None if colour is None else colour.triplet
    return _NO_LOOK if triplet is None else looks.get(triplet, _NO_LOOK)


# Theme files.

GROUNDS = ("background", "surface", "raised", "line", "cursor", "field")
"""Background colours, beside the meaning `live`; the other colours are for text."""

COLOURS = (*GROUNDS, "ink", "muted", "faint", "accent")

SECTIONS: Mapping[str, tuple[str, ...]] = {"colours": COLOURS, "meanings": COLOUR_ROLES}

_OF_OTHERS = {
    "text-muted": "muted",
    "text-disabled": "faint",
    "block-cursor-background": "cursor",
    "block-cursor-foreground": "ink",
    "block-cursor-blurred-background": "cursor",
    "block-cursor-blurred-foreground": "ink",
    "input-selection-background": "muted",
    "input-selection-foreground": "background",
    "screen-selection-background": "muted",
    "screen-selection-foreground": "background",
    "tint": "surface",
    "tint-ink": "ink",
}
"""Variables of Textual's own widgets, whose defaults are too faint to read, and of the bar of a
profile without a colour of its own."""

_HEX = re.compile(r"#[0-9a-fA-F]{6}")
_SWITCHES = ("dark", "terminal")


@dataclass(frozen=True, slots=True)
class Scheme:
    """A parsed theme.

    Attributes:
        theme: the colours for Textual; a theme in the terminal's own colours has stand-ins.
        inks: the style of text in each stand-in colour.
        grounds: the style of text on each stand-in colour.
    """

    theme: Theme
    inks: Mapping[str, Style] = field(default_factory=dict)
    grounds: Mapping[str, Style] = field(default_factory=dict)

    @property
    def needs(self) -> ColourMode:
        if not self.inks:
            return ColourMode.MANY
        coloured = any(look.color is not None for look in self.inks.values())
        return ColourMode.SIXTEEN if coloured else ColourMode.NONE


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    data: Mapping[str, object]
    lines: Mapping[KeyPath, int]

    def error(self, key: KeyPath, message: str, remedy: str) -> ConfigError:
        place = ".".join(clean(part, 60) for part in key)
        return ConfigError(self.path, place, message, remedy, self.lines.get(key))


def read_theme(path: Path) -> Scheme:
    """Read a theme file; raise ConfigError if it cannot be read or is not a valid theme."""
    file = _read(path)
    _refuse_unknown(file)
    name, dark = path.name.removesuffix(".toml"), _switch(file, "dark")
    if not _switch(file, "terminal"):
        colours = _parsed(file, _HEX.fullmatch, "a colour as #rrggbb", "#1d2730")
        texts = {colour: found[0] for colour, found in colours.items()}
        return Scheme(_theme(name, texts, dark=dark))
    looks = _parsed(file, parse_ansi_style, ANSI_STYLE_HINT, "bold bright red")
    stand_ins = {name: _stand_in(number) for number, name in enumerate(looks)}
    return Scheme(
        _theme(name, stand_ins, dark=dark),
        inks={stand_ins[name]: one for name, one in looks.items()},
        grounds={
            stand_ins[name]: one if name in (*GROUNDS, "live") else one + Style(reverse=True)
            for name, one in looks.items()
        },
    )


def _read(path: Path) -> _File:
    with file_errors(path, "Choose another theme."):
        text = path.read_text("utf-8")
    with file_errors(path):
        tree = tomllib.loads(text)
    return _File(path, tree, key_lines(text))


def _refuse_unknown(file: _File) -> None:
    """Raise for a misspelt name before anything else is found missing because of it."""
    for section, table in file.data.items():
        if section in _SWITCHES:
            continue
        _refuse(file, (section,), [*_SWITCHES, *SECTIONS])
        for name in table if isinstance(table, Mapping) else ():
            _refuse(file, (section, name), SECTIONS[section])


def _refuse(file: _File, key: KeyPath, known: list[str] | tuple[str, ...]) -> None:
    if key[-1] not in known:
        meant = did_you_mean(key[-1], known)
        raise file.error(key, "is not known", f"{meant}Known: {', '.join(known)}.")


def _switch(file: _File, name: str) -> bool:
    value = file.data.get(name, False)
    if not isinstance(value, bool):
        raise file.error((name,), "must be true or false", f"Write it like this: {name} = true")
    return value


def _values(file: _File) -> Iterator[tuple[KeyPath, object]]:
    """Yield the colours; a theme from before there was `money` has it in its accent."""
    accent = None
    for section, names in SECTIONS.items():
        table = file.data.get(section)
        for name in names:
            value = table.get(name) if isinstance(table, Mapping) else None
            accent = value if name == "accent" else accent
            yield (section, name), accent if value is None and name == "money" else value


def _parsed(
    file: _File, parse: Callable[[str], T | None], notation: str, example: str
) -> dict[str, T]:
    """Return the colours by name; raise ConfigError for one that `parse` returns nothing for."""
    found = {}
    for key, value in _values(file):
        parsed = parse(value) if isinstance(value, str) else None
        if parsed is None:
            remedy = f'Write it like this: {key[-1]} = "{example}"'
            raise file.error(key, f"must be {notation}", remedy)
        found[key[-1]] = parsed
    return found


def _stand_in(number: int) -> str:
    """Return a unique colour that no two mix to, so that the filter can recognise it."""
    return f"#{9 + 14 * number:02x}{253 - 11 * number:02x}{3 + 7 * number:02x}"


def _theme(name: str, colours: dict[str, str], *, dark: bool) -> Theme:
    return Theme(
        name=name,
        dark=dark,
        primary=colours["accent"],
        accent=colours["accent"],
        success=colours["up"],
        warning=colours["closing"],
        error=colours["down"],
        foreground=colours["ink"],
        background=colours["background"],
        surface=colours["surface"],
        panel=colours["raised"],
        variables=colours | {name: colours[colour] for name, colour in _OF_OTHERS.items()},
    )


_NEAR_BLACK = 0.04045  # Below this value, sRGB is linear

INKS = ("#ffffff", "#000000")
"""On any background one of them has a contrast above 4.5 to 1 (WCAG AA)."""


def tinted(scheme: Scheme, tint: str, *, in_many: bool) -> Scheme:
    """Return the theme with a colour for the profile's bar.

    The tint is `#rrggbb` or one of the theme's meanings; a theme in the terminal's own colours has
    only the meanings. `in_many`: it will be shown in 256 colours.
    """
    variables = scheme.theme.variables
    ground = variables.get(tint, variables["live"] if scheme.inks else tint)
    if in_many:
        ground = quantise_colour(ground)
    ink = variables["ink"] if scheme.inks else max(INKS, key=lambda ink: _contrast(ink, ground))
    more = {"tint": ground, "tint-ink": ink}
    return replace(scheme, theme=replace(scheme.theme, variables={**variables, **more}))


def _contrast(one: str, other: str) -> float:
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (
        channel / 12.92 if channel <= _NEAR_BLACK else ((channel + 0.055) / 1.055) ** 2.4
        for channel in Color.parse(colour).normalized
    )
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


# The themes of the app

FALLBACK_THEMES = {ColourMode.SIXTEEN: "16-colour", ColourMode.NONE: "monochrome"}
"""Replacement for a theme that needs more colours than the terminal has."""

Restyle = Callable[[Style], Style]


class ThemeWatch:
    """Watches one theme file for changes, by polling. None: nothing to watch."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self._seen = signature(file)

    def has_changed(self) -> bool:
        """Return True if the file was written since the last call; False if it is gone."""
        before, self._seen = self._seen, signature(self.file)
        return self._seen not in (before, None)


NAMES_TIMEOUT = 0.2  # Seconds to wait for the user's own themes: a home on a network may hang


@dataclass(frozen=True, slots=True)
class LoadedTheme:
    """The chosen theme, for this terminal.

    Attributes:
        watch: watches its file if it is the user's own.
        restyle: maps its styles to the terminal's colours.
        focus_edge: the kind of border of the focused panel: without colours, a heavy one.
    """

    display: Display
    watch: ThemeWatch
    theme: Theme
    restyle: Restyle | None
    focus_edge: str = "round"


class Theming:
    """The theme of an app: read when it is chosen, and the user's own when its file changes.

    While screens run, files are read in a thread: a home on a network may hang.

    Attributes:
        in_ascii: True if output is restricted to ASCII.

    Creating one raises ConfigError if the theme is invalid.
    """

    def __init__(self, app: App[None], settings: Settings, terminal: Terminal) -> None:
        self._app = app
        self._themes = themes_beside(settings.profile.file)
        self._tint = settings.profile.tint
        self._terminal = terminal
        self._is_reloading = False
        self._loaded = self._read(settings.display)
        self._set_charset(settings.display)

    @property
    def variables(self) -> dict[str, str]:
        """Return our variables, so that styles parse before a theme of ours is applied."""
        return {**self._loaded.theme.variables, "focus-edge": self._loaded.focus_edge}

    def line_filters(self, textuals: Sequence[LineFilter]) -> list[LineFilter]:
        """Return the filters of painted lines; of Textual's (NO_COLOR is ours) only ANSI stays."""
        kept = [each for each in textuals if isinstance(each, ANSIToTruecolor)]
        return [*kept, *self._restyling]

    def apply_first(self) -> None:
        """Apply the loaded theme before the first paint; call it once the app is initialised."""
        self._install()
        self._app.no_color = False
        self._app.set_reactive(App.theme, self._loaded.theme.name)
        self._app.stylesheet.set_variables(self._app.get_css_variables())

    async def names(self) -> list[str]:
        """Return the names of the themes; without the user's own if their folder is too slow."""
        try:
            return await wait_for(run_in_daemon_thread(lambda: self._themes.names), NAMES_TIMEOUT)
        except TimeoutError:
            shipped = ThemeFiles(shipped=self._themes.shipped)
            return await run_in_daemon_thread(lambda: shipped.names)

    def change(self, display: Display) -> None:
        """Apply new display settings; an invalid theme is reported, and the old one stays."""
        self._set_charset(display)
        work: WorkType[None] = partial(self._load_and_apply, display)
        self._app.run_worker(work, group="choice of theme", exclusive=True)

    async def _load_and_apply(self, display: Display) -> None:
        try:
            loaded = await run_in_daemon_thread(partial(self._read, display))
        except ConfigError as error:
            self._app.notify(str(error))
            return
        name = loaded.theme.name
        if display.theme not in (name, self._loaded.display.theme):
            words = f"{display.theme} needs more colours than this terminal has; using {name}."
            self._app.notify(words)
        self._apply(loaded)

    def _apply(self, loaded: LoadedTheme) -> None:
        self._loaded = loaded
        self._install()
        if self._app.theme == loaded.theme.name:
            self._app.mutate_reactive(App.theme)  # same name, perhaps other colours
        else:
            self._app.theme = loaded.theme.name

    def reload(self) -> None:
        if self._loaded.watch.file and not self._is_reloading:
            self._is_reloading = True
            work: WorkType[None] = self._reload
            self._app.run_worker(work, group="theme")

    async def _reload(self) -> None:
        before = self._loaded
        watch = before.watch  # kept: the file may be gone for a moment while it is saved

        def read() -> LoadedTheme | None:
            changed = watch.has_changed()
            return replace(self._read(before.display), watch=watch) if changed else None

        try:
            loaded = await run_in_daemon_thread(read)
        except ConfigError as error:
            self._app.notify(str(error))
        else:
            if loaded is not None and before is self._loaded:  # no other was chosen meanwhile
                self._apply(loaded)
        finally:
            self._is_reloading = False

    def _read(self, display: Display) -> LoadedTheme:
        """Read the chosen theme, or one with as few colours as there are; raise ConfigError."""
        files, mode = self._themes, colour_mode(display.colours, self._terminal.colours)
        file = files.file(display.theme)
        watch = ThemeWatch(file if files.is_own(display.theme) else None)
        scheme = read_theme(file)
        if scheme.needs > mode:
            scheme = read_theme(files.shipped / f"{FALLBACK_THEMES[mode]}.toml")
        if self._tint is not None:
            scheme = tinted(scheme, self._tint, in_many=mode is ColourMode.MANY)
        if scheme.inks:
            edge = "heavy" if scheme.needs is ColourMode.NONE else "round"
            restyle = AnsiRestyle(scheme.inks, scheme.grounds)
            return LoadedTheme(display, watch, scheme.theme, restyle, edge)
        many = quantise_style if mode < ColourMode.TRUE else None
        return LoadedTheme(display, watch, scheme.theme, many)

    def _set_charset(self, display: Display) -> None:
        self.in_ascii = is_ascii(display.characters, utf8=self._terminal.utf8)

    def _install(self) -> None:
        self._app.register_theme(self._loaded.theme)
        restyle = self._loaded.restyle
        self._restyling = [] if restyle is None else [RestyleFilter(restyle)]
