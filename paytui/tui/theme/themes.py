"""Themes: a handful of colours and the meanings of a desk, one TOML file each in `themes/`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from rich.style import Style
from textual.color import Color
from textual.content import Content
from textual.theme import Theme

from paytui.config.errors import ConfigError
from paytui.config.theme_files import COLOUR_ROLES
from paytui.config.validation import KeyPath, key_lines
from paytui.platform.text import clean, did_you_mean
from paytui.tui.theme.colour_filter import quantise_colour
from paytui.tui.theme.colours import ANSI_STYLE_HINT, ColourMode, parse_ansi_style

COLOURS = (
    "background",
    "surface",
    "raised",
    "line",
    "cursor",
    "field",
    "ink",
    "muted",
    "faint",
    "accent",
)
GROUNDS = ("background", "surface", "raised", "line", "cursor", "field", "live")
"""What text stands on; on any other colour it stands out."""

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
"""What Textual's own widgets would else mix by themselves, too faint to be read; and the bar of a
profile that has no colour of its own."""

_HEX = re.compile(r"#[0-9a-fA-F]{6}")
_SWITCHES = ("dark", "terminal")


@dataclass(frozen=True, slots=True)
class Scheme:
    """A theme, as Textual takes it.

    Attributes:
        theme: its colours; of a terminal's own, colours that stand in for them.
        inks: by such a stand-in, how text in it is to look.
        grounds: likewise, how what stands on it is to look.
    """

    theme: Theme
    inks: Mapping[str, Style] = field(default_factory=dict)
    grounds: Mapping[str, Style] = field(default_factory=dict)

    @property
    def needs(self) -> ColourMode:
        """How many colours a terminal must have for it."""
        if not self.inks:
            return ColourMode.MANY
        coloured = any(look.color is not None for look in self.inks.values())
        return ColourMode.SIXTEEN if coloured else ColourMode.NONE


@dataclass(frozen=True, slots=True)
class _File:
    """What a theme's file holds, and where."""

    path: Path
    data: Mapping[str, object]
    lines: Mapping[KeyPath, int]

    def error(self, key: KeyPath, message: str, remedy: str) -> ConfigError:
        place = ".".join(clean(part, 60) for part in key)
        return ConfigError(self.path, place, message, remedy, self.lines.get(key))


def read_theme(path: Path) -> Scheme:
    """One theme file.

    Raises:
        ConfigError: it cannot be read, is not TOML, or says what no theme can.
    """
    file = _read(path)
    _refuse_unknown(file)
    name, dark = path.name.removesuffix(".toml"), _switch(file, "dark")
    if not _switch(file, "terminal"):
        return Scheme(_theme(name, dict(_colours(file)), dark=dark))
    looks = dict(_looks(file))
    stand_ins = {name: _stand_in(number) for number, name in enumerate(looks)}
    return Scheme(
        _theme(name, stand_ins, dark=dark),
        inks={stand_ins[name]: one for name, one in looks.items()},
        grounds={
            stand_ins[name]: one if name in GROUNDS else one + Style(reverse=True)
            for name, one in looks.items()
        },
    )


def _read(path: Path) -> _File:
    try:
        text = path.read_text("utf-8")
        return _File(path, tomllib.loads(text), key_lines(text))
    except OSError as error:
        why = error.strerror or "unknown reason"
        raise ConfigError(path, "", f"cannot be read: {why}", "Choose another theme.") from None
    except (UnicodeDecodeError, RecursionError):
        raise ConfigError(path, "", "is not a theme", "Start from one that is shipped.") from None
    except ValueError as error:  # of TOML, or of a number without end
        raise ConfigError(path, "", f"is not TOML: {error}", "Mend that line.") from None


def _refuse_unknown(file: _File) -> None:
    """What is misspelt is told before what is missing for it."""
    for section, table in file.data.items():
        if section in _SWITCHES:
            continue
        _refuse(file, (section,), [*_SWITCHES, *SECTIONS])
        for name in table if isinstance(table, Mapping) else ():
            _refuse(file, (section, name), SECTIONS[section])


def _refuse(file: _File, key: KeyPath, known: list[str] | tuple[str, ...]) -> None:
    if key[-1] not in known:
        meant = did_you_mean(key[-1], known)
        raise file.error(key, "is not known", f"{meant}Known here are: {', '.join(known)}.")


def _switch(file: _File, name: str) -> bool:
    value = file.data.get(name, False)
    if not isinstance(value, bool):
        raise file.error((name,), "must be true or false", f"Write it like this: {name} = true")
    return value


def _values(file: _File) -> Iterator[tuple[KeyPath, object]]:
    for section, names in SECTIONS.items():
        table = file.data.get(section)
        for name in names:
            yield (section, name), table.get(name) if isinstance(table, Mapping) else None


def _colours(file: _File) -> Iterator[tuple[str, str]]:
    for key, value in _values(file):
        if not isinstance(value, str) or not _HEX.fullmatch(value):
            remedy = f'Write it like this: {key[-1]} = "#1d2730"'
            raise file.error(key, "must be a colour as #rrggbb", remedy)
        yield key[-1], value


def _looks(file: _File) -> Iterator[tuple[str, Style]]:
    for key, value in _values(file):
        found = parse_ansi_style(value) if isinstance(value, str) else None
        if found is None:
            remedy = f'Write it like this: {key[-1]} = "bold bright red"'
            raise file.error(key, f"must be {ANSI_STYLE_HINT}", remedy)
        yield key[-1], found


def _stand_in(number: int) -> str:
    """A colour that nothing else has and no two mix to: it is known again when it is painted."""
    return f"#{9 + 16 * number:02x}{253 - 11 * number:02x}{3 + 7 * number:02x}"


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


# Tones: what a piece of text means to the eye. Themes give each its colour.


class Tone(StrEnum):
    """The value is the name of the theme's colour, and of a style `$name`.

    A tone never carries a meaning alone: words or signs say the same.
    """

    INK = "ink"
    MUTED = "muted"
    FAINT = "faint"
    ACCENT = "accent"
    UP = "up"
    DOWN = "down"
    CLOSING = "closing"
    EXPIRED = "expired"
    DOUBT = "doubt"


TINTED = "$tint-ink on $tint"
"""How words look on a bar that has the colour of its profile: whatever they mean, in one ink."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Text in one tone: plain characters, never markup."""

    text: str
    tone: Tone = Tone.INK


def toned(text: str, tone: Tone = Tone.INK, *, bold: bool = False) -> Content:
    """Content for a widget; nothing in `text` is interpreted."""
    return Content.styled(text, f"bold ${tone}" if bold else f"${tone}")


# The bar of a profile that has a colour of its own, and words that can be read on it.

_NEAR_BLACK = 0.04045
"""Below it, sRGB is a straight line."""

INKS = ("#ffffff", "#000000")
"""On any ground one of them contrasts by more than 4.5 to 1 (WCAG AA)."""


def tinted(scheme: Scheme, tint: str, *, in_many: bool) -> Scheme:
    """The theme with a tint.

    Args:
        scheme: the theme.
        tint: `#rrggbb`, or one of the theme's meanings; a terminal's own colours have just these.
        in_many: whether it is going to be shown in 256 colours.
    """
    variables = scheme.theme.variables
    ground = variables.get(tint, variables["live"] if scheme.inks else tint)
    if in_many:
        ground = quantise_colour(ground)
    ink = variables["ink"] if scheme.inks else max(INKS, key=lambda ink: _contrast(ink, ground))
    more = {"tint": ground, "tint-ink": ink}
    return replace(scheme, theme=replace(scheme.theme, variables={**variables, **more}))


def _contrast(one: str, other: str) -> float:
    """WCAG 2.2, contrast ratio."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    red, green, blue = (
        channel / 12.92 if channel <= _NEAR_BLACK else ((channel + 0.055) / 1.055) ** 2.4
        for channel in Color.parse(colour).normalized
    )
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)
