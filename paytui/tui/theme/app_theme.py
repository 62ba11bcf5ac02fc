"""Loads, applies and reloads the themes of the app."""

from __future__ import annotations

from asyncio import wait_for
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from rich.style import Style
from textual.app import App
from textual.filter import ANSIToTruecolor, LineFilter
from textual.theme import Theme
from textual.worker import WorkType

from paytui.config.settings import Display, Settings
from paytui.config.user_files import ThemeFiles, themes_beside
from paytui.config.validation import ConfigError
from paytui.platform.files import signature
from paytui.platform.processes import run_in_daemon_thread
from paytui.tui.terminal.tty import Terminal, is_ascii
from paytui.tui.theme.colours import ColourMode, colour_mode
from paytui.tui.theme.themes import AnsiRestyle, RestyleFilter, quantise_style, read_theme, tinted

FALLBACK_THEMES = {ColourMode.SIXTEEN: "16-colour", ColourMode.NONE: "monochrome"}
"""Replacement for a theme that needs more colours than the terminal has."""

Restyle = Callable[[Style], Style]


@dataclass(frozen=True, slots=True)
class ResolvedTheme:
    """A theme for this terminal.

    Attributes:
        restyle: maps its styles to the terminal's colours.
        focus_edge: the kind of border of the focused panel: without colours, a heavy one.
    """

    theme: Theme
    restyle: Restyle | None
    focus_edge: str = "round"


def resolve_theme(
    files: ThemeFiles, display: Display, found: ColourMode, tint: str | None
) -> ResolvedTheme:
    """Return the chosen theme, or one with as few colours as were found; raise ConfigError."""
    mode = colour_mode(display.colours, found)
    scheme = read_theme(files.file(display.theme))
    if scheme.needs > mode:
        scheme = read_theme(files.shipped / f"{FALLBACK_THEMES[mode]}.toml")
    if tint is not None:
        scheme = tinted(scheme, tint, in_many=mode is ColourMode.MANY)
    if scheme.inks:
        edge = "heavy" if scheme.needs is ColourMode.NONE else "round"
        return ResolvedTheme(scheme.theme, AnsiRestyle(scheme.inks, scheme.grounds), edge)
    return ResolvedTheme(scheme.theme, quantise_style if mode < ColourMode.TRUE else None)


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
    """The chosen theme; `watch` watches its file if it is the user's own."""

    display: Display
    resolved: ResolvedTheme
    watch: ThemeWatch


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
        resolved = self._loaded.resolved
        return {**resolved.theme.variables, "focus-edge": resolved.focus_edge}

    def line_filters(self, textuals: Sequence[LineFilter]) -> list[LineFilter]:
        """Return the filters of painted lines; of Textual's (NO_COLOR is ours) only ANSI stays."""
        kept = [each for each in textuals if isinstance(each, ANSIToTruecolor)]
        return [*kept, *self._restyling]

    def apply_first(self) -> None:
        """Apply the loaded theme before the first paint; call it once the app is initialised."""
        self._install(self._loaded.resolved)
        self._app.no_color = False
        self._app.set_reactive(App.theme, self._loaded.resolved.theme.name)
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
            self._app.notify(str(error), markup=False)
            return
        name = loaded.resolved.theme.name
        if display.theme not in (name, self._loaded.display.theme):
            words = f"{display.theme} needs more colours than this terminal has; using {name}."
            self._app.notify(words, markup=False)
        self._loaded = loaded
        self._apply(loaded.resolved)

    def _apply(self, resolved: ResolvedTheme) -> None:
        self._install(resolved)
        if self._app.theme == resolved.theme.name:
            self._app.mutate_reactive(App.theme)  # same name, perhaps other colours
        else:
            self._app.theme = resolved.theme.name

    def reload(self) -> None:
        if self._loaded.watch.file and not self._is_reloading:
            self._is_reloading = True
            work: WorkType[None] = self._reload
            self._app.run_worker(work, group="theme")

    async def _reload(self) -> None:
        loaded = self._loaded
        try:
            resolved = await run_in_daemon_thread(partial(self._resolve_if_changed, loaded))
        except ConfigError as error:
            self._app.notify(str(error), markup=False)
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
        self._app.register_theme(resolved.theme)
        restyle = resolved.restyle
        self._restyling = [] if restyle is None else [RestyleFilter(restyle)]
