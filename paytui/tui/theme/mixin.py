"""The mixin that loads, applies and reloads themes."""

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

FALLBACK_THEMES = {ColourMode.SIXTEEN: "16-colour", ColourMode.NONE: "monochrome"}
"""Replacement for a theme that needs more colours than the terminal has."""

Restyle = Callable[[Style], Style]


@dataclass(frozen=True, slots=True)
class ResolvedTheme:
    """A theme that this terminal can show.

    Attributes:
        restyle: maps its styles to the terminal's colours; None: no mapping.
    """

    theme: Theme
    restyle: Restyle | None


def resolve_theme(
    files: ThemeFiles, display: Display, found: ColourMode, tint: str | None
) -> ResolvedTheme:
    """Return the chosen theme, or its replacement, for this terminal.

    Args:
        files: the available themes.
        display: the chosen theme and colour mode.
        found: the detected colour mode.
        tint: the colour of the profile's bar, if any.

    Raises:
        ConfigError: the theme is invalid.
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


Stamp = tuple[int, int, int]
"""Mtime, size and inode; an editor may replace the file."""


class ThemeWatch:
    """Watches one theme file for changes, by polling. None: nothing to watch."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._seen = _stamp(file)

    @property
    def follows(self) -> bool:
        """Return True if there is a file to watch."""
        return self._file is not None

    def has_changed(self) -> bool:
        """Return True if the file was written since the last call; False if it is gone."""
        before, self._seen = self._seen, _stamp(self._file)
        return self._seen not in (before, None)


def _stamp(file: Path | None) -> Stamp | None:
    try:
        found = None if file is None else file.stat()
    except OSError:
        return None
    return None if found is None else (found.st_mtime_ns, found.st_size, found.st_ino)


NAMES_TIMEOUT = 0.2
"""Seconds to wait for the user's own themes: a home on a network may hang."""


@dataclass(frozen=True, slots=True)
class LoadedTheme:
    """The chosen theme, read from its file.

    Attributes:
        watch: watches the file if it is the user's own.
    """

    display: Display
    resolved: ResolvedTheme
    watch: ThemeWatch


class ThemeMixin(App[None]):
    """Reads a theme when it is chosen, and the user's own again when its file changes.

    While screens run, files are read in a thread: a home on a network may hang.

    Attributes:
        in_ascii: True if output is restricted to ASCII.
    """

    _themes: ThemeFiles
    _terminal: Terminal
    _loaded: LoadedTheme
    in_ascii = False

    def load_theme(self, settings: Settings, terminal: Terminal) -> None:
        """Load the configured theme; call it before `App.__init__`.

        Raises:
            ConfigError: the theme is invalid.
        """
        self._themes = themes_beside(settings.profile.file)
        self._tint = settings.profile.tint
        self._terminal = terminal
        self._is_reloading = False
        self._loaded = self._read(settings.display)
        self._set_charset(settings.display)

    def apply_first_theme(self) -> None:
        """Apply the loaded theme before the first paint."""
        self._install(self._loaded.resolved)
        self.set_reactive(App.theme, self._loaded.resolved.theme.name)
        self.stylesheet.set_variables(self.get_css_variables())

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return our variables, so that styles parse before a theme of ours is applied."""
        return dict(self._loaded.resolved.theme.variables)

    async def theme_names(self) -> list[str]:
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
        self.run_worker(work, group="choice of theme", exclusive=True)

    async def _load_and_apply(self, display: Display) -> None:
        try:
            loaded = await run_in_daemon_thread(partial(self._read, display))
        except ConfigError as error:
            self.notify(str(error), markup=False)
            return
        name = loaded.resolved.theme.name
        if display.theme not in (name, self._loaded.display.theme):
            words = f"{display.theme} takes more colours than there are: {name} is on."
            self.notify(words, markup=False)
        self._loaded = loaded
        self._apply(loaded.resolved)

    def _apply(self, resolved: ResolvedTheme) -> None:
        """Apply a theme and repaint."""
        self._install(resolved)
        if self.theme == resolved.theme.name:
            self._watch_theme(resolved.theme.name)  # same name, perhaps other colours
        else:
            self.theme = resolved.theme.name

    def reload_theme(self) -> None:
        """Reload the user's own theme if its file has changed."""
        if self._loaded.watch.follows and not self._is_reloading:
            self._is_reloading = True
            work: WorkType[None] = self._reload
            self.run_worker(work, group="theme")

    async def _reload(self) -> None:
        loaded = self._loaded
        try:
            resolved = await run_in_daemon_thread(partial(self._resolve_if_changed, loaded))
        except ConfigError as error:
            self.notify(str(error), markup=False)
        else:
            if resolved is not None and loaded is self._loaded:  # no other was chosen meanwhile
                self._loaded = replace(loaded, resolved=resolved)
                self._apply(resolved)
        finally:
            self._is_reloading = False

    def _resolve_if_changed(self, loaded: LoadedTheme) -> ResolvedTheme | None:
        return self._resolve(loaded.display) if loaded.watch.has_changed() else None

    def _read(self, display: Display) -> LoadedTheme:
        is_own = self._themes.is_own(display.theme)
        watch = ThemeWatch(self._themes.file(display.theme) if is_own else None)
        return LoadedTheme(display, self._resolve(display), watch)

    def _resolve(self, display: Display) -> ResolvedTheme:
        return resolve_theme(self._themes, display, self._terminal.colours, self._tint)

    def _set_charset(self, display: Display) -> None:
        self.in_ascii = is_ascii(display.characters, utf8=self._terminal.utf8)

    def _install(self, resolved: ResolvedTheme) -> None:
        self.register_theme(resolved.theme)
        # We handle NO_COLOR ourselves. Of Textual's filters only ANSI to true colour stays.
        self.no_color = False
        self._filters = [each for each in self._filters if isinstance(each, ANSIToTruecolor)]
        if resolved.restyle is not None:
            self._filters.append(RestyleFilter(resolved.restyle))
