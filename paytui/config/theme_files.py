"""The available themes: shipped ones, and the user's own beside the configuration."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from paytui.config.validation import ConfigError
from paytui.platform.files import shipped_path
from paytui.platform.text import did_you_mean

THEMES = "themes"  # The folder of the user's themes, beside the configuration

_ENDING = ".toml"
_THEME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")


@dataclass(frozen=True, slots=True)
class ThemeFiles:
    """Themes by name; a file is read only when its theme is chosen.

    Attributes:
        own: the user's folder, which need not exist; None without a configuration.
    """

    own: Path | None = None
    shipped: Path = field(default_factory=lambda: shipped_path(THEMES))

    @property
    def names(self) -> list[str]:
        return sorted({*_names_in(self.shipped), *_names_in(self.own)})

    def file(self, name: str) -> Path:
        """Return the file of a theme.

        Raise ConfigError if no theme has this name, or two have it.
        """
        folders = [folder for folder in (self.shipped, self.own) if folder is not None]
        match [folder / f"{name}{_ENDING}" for folder in folders if name in _names_in(folder)]:
            case [file]:
                return file
            case [_, own]:
                message = "has the name of a theme that is shipped"
                raise ConfigError(own, "", message, "Give it another name.")
            case _:
                raise ConfigError(None, "theme", "names no theme", self.remedy(name))

    def is_own(self, name: str) -> bool:
        """Return True for a user's theme, which may change while it is in use."""
        return name in _names_in(self.own)

    def remedy(self, name: str) -> str:
        """Return a correction for an unknown name."""
        return f"{did_you_mean(name, self.names)}Themes are: {', '.join(self.names)}."


def themes_beside(config: Path | None) -> ThemeFiles:
    """Return the themes that a configuration can name."""
    own = None if config is None else config.resolve().parent / THEMES
    return ThemeFiles(None if own == shipped_path(THEMES) else own)


def _names_in(folder: Path | None) -> list[str]:
    """Return the names of the themes in a folder; none if it cannot be read."""
    try:
        names = [] if folder is None else [file.name for file in folder.iterdir()]
    except OSError:
        return []
    stems = (name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING))
    return [stem for stem in stems if _THEME.fullmatch(stem)]
