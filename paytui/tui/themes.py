"""Themes: a handful of colours and the meanings of a desk, one TOML file each in `themes/`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from textual.theme import Theme

from paytui.assets import asset

COLOURS = (
    "background",
    "surface",
    "raised",
    "line",
    "cursor",
    "ink",
    "muted",
    "faint",
    "accent",
)
MEANINGS = ("up", "down", "closing", "expired", "doubt", "live")
_HEX = re.compile(r"#[0-9a-fA-F]{6}")


class ThemeError(Exception):
    """A theme file that cannot be used; says which file, which entry and what to do."""


def load_themes() -> dict[str, Theme]:
    """Every theme that is shipped, by name."""
    files = [file for file in asset("themes").iterdir() if file.name.endswith(".toml")]
    themes = [read_theme(file) for file in sorted(files, key=lambda file: file.name)]
    return {theme.name: theme for theme in themes}


def read_theme(path: Path) -> Theme:
    """One theme file.

    Raises:
        ThemeError: it is not TOML, or a colour is missing or not written as `#rrggbb`.
    """
    try:
        data: dict[str, object] = tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ThemeError(f"{path}: not TOML ({error}); correct the file") from error
    colours = {name: _colour(path, data, "colours", name) for name in COLOURS}
    meanings = {name: _colour(path, data, "meanings", name) for name in MEANINGS}
    return _theme(path.name.removesuffix(".toml"), data.get("dark") is True, colours | meanings)


def _colour(path: Path, data: dict[str, object], section: str, name: str) -> str:
    table = data.get(section)
    value = table.get(name) if isinstance(table, dict) else None
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise ThemeError(f"{path}: [{section}] {name} must be a colour such as #1d2730")
    return value


def _theme(name: str, dark: bool, colours: dict[str, str]) -> Theme:
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
        variables=colours,
    )
