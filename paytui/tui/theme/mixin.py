"""An app that wears a theme of ours, in what its terminal can show."""

from __future__ import annotations

from asyncio import wait_for
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from rich.style import Style
from textual.app import App
from textual.filter import ANSIToTruecolor
from textual.theme import Theme
from textual.worker import WorkType

from paytui.config.errors import ConfigError
from paytui.config.settings import Display, Settings
from paytui.config.theme_files import ThemeFiles, themes_beside
from paytui.platform.daemon_thread import run_in_daemon_thread
from paytui.tui.terminal.tty import Terminal, is_ascii
from paytui.tui.theme.colour_filter import RestyleFilter, ansi_restyle, quantise_style
from paytui.tui.theme.colours import ColourMode, colour_mode
from paytui.tui.theme.themes import Scheme, read_theme, tinted

# Which theme is on, in colours that the terminal has.

FALLBACK_THEMES = {ColourMode.SIXTEEN: "16-colour", ColourMode.NONE: "monochrome"}
"""What is shown on a terminal that has too few colours for the theme that was chosen."""

Restyle = Callable[[Style], Style]


@dataclass(frozen=True, slots=True)
class ResolvedTheme:
    """A theme that this terminal can show.

    Attributes:
        restyle: what paints it in colours that the terminal has; None: it is painted as it is.
    """

    theme: Theme
    restyle: Restyle | None


def resolve_theme(
    files: ThemeFiles, display: Display, found: ColourMode, tint: str | None
) -> ResolvedTheme:
    """What to show of the theme that was chosen.

    Args:
        files: the themes that there are.
        display: which was chosen, and how many colours are said to be there.
        found: how many were found out to be there.
        tint: the colour of the profile's bar, if it has one.

    Raises:
        ConfigError: the theme cannot be used.
    """
    mode = colour_mode(display.colours, found)
    scheme = read_theme(files.file(display.theme))
    if scheme.needs > mode:
        scheme = read_theme(files.shipped / f"{FALLBACK_THEMES[mode]}.toml")
    if tint is not None:
        scheme = tinted(scheme, tint, in_many=mode is ColourMode.MANY)
    return ResolvedTheme(scheme.theme, _restyle(scheme, mode))


def _restyle(scheme: Scheme, mode: ColourMode) -> Restyle | None:
    if scheme.inks:
        return ansi_restyle(scheme.inks, scheme.grounds)
    return quantise_style if mode < ColourMode.TRUE else None


# Whether somebody writes the theme that is on.

Stamp = tuple[int, int, int]
"""When a file was written, its size, and which it is: an editor may put another in its place."""


class ThemeWatch:
    """Looks at one file, as it is asked to; what is in it now is known. None: at nothing."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._seen = _stamp(file)

    @property
    def follows(self) -> bool:
        """Whether there is anything to look at."""
        return self._file is not None

    def has_changed(self) -> bool:
        """Whether it was written since this was asked last; it may be gone meanwhile."""
        before, self._seen = self._seen, _stamp(self._file)
        return self._seen not in (before, None)


def _stamp(file: Path | None) -> Stamp | None:
    try:
        found = None if file is None else file.stat()
    except OSError:
        return None
    return None if found is None else (found.st_mtime_ns, found.st_size, found.st_ino)


NAMES_TIMEOUT = 0.2
"""Seconds that what a person opened waits for the names of his own themes: a home may hang."""


@dataclass(frozen=True, slots=True)
class LoadedTheme:
    """What was chosen, read.

    Attributes:
        watch: of its file, if that is one of the user's.
    """

    display: Display
    outfit: ResolvedTheme
    watch: ThemeWatch


class ThemeMixin(App[None]):
    """Reads a theme when it is chosen, and no other; one of the user's also when it is written.

    Once the screens run that is done in a thread that nobody waits for: a home may be on a network
    that hangs.

    Attributes:
        in_ascii: whether nothing else is sent to the terminal.
    """

    _themes: ThemeFiles
    _terminal: Terminal
    _loaded: LoadedTheme
    in_ascii = False

    def load_theme(self, settings: Settings, terminal: Terminal) -> None:
        """Get dressed, before anything is painted and before the app itself is made.

        Raises:
            ConfigError: the theme that was chosen cannot be used.
        """
        self._themes = themes_beside(settings.profile.file)
        self._tint = settings.profile.tint
        self._terminal = terminal
        self._is_looking = False
        self._loaded = self._read(settings.display)
        self._draw_in(settings.display)

    def apply_first_theme(self) -> None:
        """Have the first paint in what was put on."""
        self._put_on(self._loaded.outfit)
        self.set_reactive(App.theme, self._loaded.outfit.theme.name)
        self.stylesheet.set_variables(self.get_css_variables())

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """So that styles can be read before a theme of ours is on."""
        return dict(self._loaded.outfit.theme.variables)

    async def theme_names(self) -> list[str]:
        """The themes that there are; without the user's own where their folder keeps it waiting."""
        try:
            return await wait_for(run_in_daemon_thread(lambda: self._themes.names), NAMES_TIMEOUT)
        except TimeoutError:
            shipped = ThemeFiles(shipped=self._themes.shipped)
            return await run_in_daemon_thread(lambda: shipped.names)

    def change(self, display: Display) -> None:
        """Show it as is set now; what is wrong with a theme is told, and the one before stays."""
        self._draw_in(display)
        choose: WorkType[None] = partial(self._choose, display)
        self.run_worker(choose, group="choice of theme", exclusive=True)

    async def _choose(self, display: Display) -> None:
        try:
            chosen = await run_in_daemon_thread(partial(self._read, display))
        except ConfigError as error:
            self.notify(str(error), markup=False)
            return
        name = chosen.outfit.theme.name
        if display.theme not in (name, self._loaded.display.theme):
            words = f"{display.theme} takes more colours than there are: {name} is on."
            self.notify(words, markup=False)
        self._loaded = chosen
        self._dress(chosen.outfit)

    def _dress(self, outfit: ResolvedTheme) -> None:
        """Paint anew in it."""
        self._put_on(outfit)
        if self.theme == outfit.theme.name:
            self._watch_theme(outfit.theme.name)  # its colours may be others
        else:
            self.theme = outfit.theme.name

    def reload_theme(self) -> None:
        """Show what the user has written into the theme that is on, if that is one of theirs."""
        if self._loaded.watch.follows and not self._is_looking:
            self._is_looking = True
            look: WorkType[None] = self._look
            self.run_worker(look, group="theme")

    async def _look(self) -> None:
        loaded = self._loaded
        try:
            outfit = await run_in_daemon_thread(partial(self._outfit_if_written, loaded))
        except ConfigError as error:
            self.notify(str(error), markup=False)
        else:
            if outfit is not None and loaded is self._loaded:  # or another was chosen meanwhile
                self._loaded = replace(loaded, outfit=outfit)
                self._dress(outfit)
        finally:
            self._is_looking = False

    def _outfit_if_written(self, loaded: LoadedTheme) -> ResolvedTheme | None:
        """What it looks like now, if that is something else."""
        return self._outfit_for(loaded.display) if loaded.watch.has_changed() else None

    def _read(self, display: Display) -> LoadedTheme:
        is_own = self._themes.is_own(display.theme)
        watch = ThemeWatch(self._themes.file(display.theme) if is_own else None)
        return LoadedTheme(display, self._outfit_for(display), watch)

    def _outfit_for(self, display: Display) -> ResolvedTheme:
        return resolve_theme(self._themes, display, self._terminal.colours, self._tint)

    def _draw_in(self, display: Display) -> None:
        self.in_ascii = is_ascii(display.characters, utf8=self._terminal.utf8)

    def _put_on(self, outfit: ResolvedTheme) -> None:
        self.register_theme(outfit.theme)
        # Whether NO_COLOR counts is up to us: of Textual's own just what makes true colours stays.
        self.no_color = False
        self._filters = [each for each in self._filters if isinstance(each, ANSIToTruecolor)]
        if outfit.restyle is not None:
            self._filters.append(RestyleFilter(outfit.restyle))
