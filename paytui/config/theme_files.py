"""Which themes there are: those that are shipped, and the user's own beside the configuration."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from paytui.config.errors import ConfigError
from paytui.platform.files import shipped_path
from paytui.platform.text import did_you_mean

FOLDER = "themes"
"""Where a user's own are, in the folder of the configuration."""

COLOUR_ROLES = ("up", "down", "closing", "expired", "doubt", "live")
"""Of a desk, each with a colour of its own in every theme."""

_ENDING = ".toml"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")


@dataclass(frozen=True, slots=True)
class ThemeFiles:
    """Themes by name; no file is read before its theme is chosen.

    Attributes:
        own: the user's folder, which need not be there; None without a configuration.
    """

    own: Path | None = None
    shipped: Path = field(default_factory=lambda: shipped_path(FOLDER))

    @property
    def names(self) -> list[str]:
        """All that can be chosen."""
        return sorted({*_names_in(self.shipped), *_names_in(self.own)})

    def file(self, name: str) -> Path:
        """The file of a theme.

        Raises:
            ConfigError: there is none of this name, or two.
        """
        folders = [folder for folder in (self.shipped, self.own) if folder is not None]
        match [folder / f"{name}{_ENDING}" for folder in folders if name in _names_in(folder)]:
            case [file]:
                return file
            case [_, own]:
                message = "has the name of a theme that is shipped"
                raise ConfigError(own, "", message, "Name it otherwise.")
            case _:
                raise ConfigError(None, "theme", "names no theme", self.remedy(name))

    def is_own(self, name: str) -> bool:
        """Whether it is one of the user's, who may be writing it."""
        return name in _names_in(self.own)

    def remedy(self, name: str) -> str:
        """What to write in place of a name that is of no theme."""
        return f"{did_you_mean(name, self.names)}Themes are: {', '.join(self.names)}."


def themes_beside(config: Path | None) -> ThemeFiles:
    """The themes that a configuration can name."""
    own = None if config is None else config.resolve().parent / FOLDER
    return ThemeFiles(None if own == shipped_path(FOLDER) else own)


def _names_in(folder: Path | None) -> list[str]:
    """What cannot be read holds none, as what is not there."""
    try:
        names = [] if folder is None else [file.name for file in folder.iterdir()]
    except OSError:
        return []
    stems = (name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING))
    return [stem for stem in stems if _NAME.fullmatch(stem)]
