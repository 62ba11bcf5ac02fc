"""An app that wears a theme of ours, in what its terminal can show."""

from __future__ import annotations

from asyncio import wait_for
from dataclasses import dataclass, replace
from functools import partial

from textual.app import App
from textual.filter import ANSIToTruecolor
from textual.worker import WorkType

from paytui.config.errors import ConfigError
from paytui.config.settings import Display, Settings
from paytui.config.theme_files import ThemeFiles, themes_beside
from paytui.platform.daemon_thread import in_a_thread
from paytui.tui.characters import is_ascii
from paytui.tui.dressing import Outfit, outfit_of
from paytui.tui.plain_colours import Restyled
from paytui.tui.terminal import Terminal
from paytui.tui.theme_watch import ThemeWatch

LONGEST_LOOK = 0.2
"""Seconds that what a person opened waits for the names of his own themes: a home may hang."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was chosen, read.

    Attributes:
        watch: of its file, if that is one of the user's.
    """

    display: Display
    outfit: Outfit
    watch: ThemeWatch


class DressedApp(App[None]):
    """Reads a theme when it is chosen, and no other; one of the user's also when it is written.

    Once the screens run that is done in a thread that nobody waits for: a home may be on a network
    that hangs.

    Attributes:
        in_ascii: whether nothing else is sent to the terminal.
    """

    _themes: ThemeFiles
    _terminal: Terminal
    _worn: Chosen
    in_ascii = False

    def wear(self, settings: Settings, terminal: Terminal) -> None:
        """Get dressed, before anything is painted and before the app itself is made.

        Raises:
            ConfigError: the theme that was chosen cannot be used.
        """
        self._themes = themes_beside(settings.profile.file)
        self._tint = settings.profile.tint
        self._terminal = terminal
        self._is_looking = False
        self._worn = self._read(settings.display)
        self._draw_in(settings.display)

    def show_first(self) -> None:
        """Have the first paint in what was put on."""
        self._put_on(self._worn.outfit)
        self.set_reactive(App.theme, self._worn.outfit.theme.name)
        self.stylesheet.set_variables(self.get_css_variables())

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """So that styles can be read before a theme of ours is on."""
        return dict(self._worn.outfit.theme.variables)

    async def theme_names(self) -> list[str]:
        """The themes that there are; without the user's own where their folder keeps it waiting."""
        try:
            return await wait_for(in_a_thread(lambda: self._themes.names), LONGEST_LOOK)
        except TimeoutError:
            shipped = ThemeFiles(shipped=self._themes.shipped)
            return await in_a_thread(lambda: shipped.names)

    def change(self, display: Display) -> None:
        """Show it as is set now; what is wrong with a theme is told, and the one before stays."""
        self._draw_in(display)
        choose: WorkType[None] = partial(self._choose, display)
        self.run_worker(choose, group="choice of theme", exclusive=True)

    async def _choose(self, display: Display) -> None:
        try:
            chosen = await in_a_thread(partial(self._read, display))
        except ConfigError as error:
            self.notify(str(error), markup=False)
            return
        name = chosen.outfit.theme.name
        if display.theme not in (name, self._worn.display.theme):
            words = f"{display.theme} takes more colours than there are: {name} is on."
            self.notify(words, markup=False)
        self._worn = chosen
        self._dress(chosen.outfit)

    def _dress(self, outfit: Outfit) -> None:
        """Paint anew in it."""
        self._put_on(outfit)
        if self.theme == outfit.theme.name:
            self._watch_theme(outfit.theme.name)  # its colours may be others
        else:
            self.theme = outfit.theme.name

    def look_at_theme(self) -> None:
        """Show what the user has written into the theme that is on, if that is one of theirs."""
        if self._worn.watch.follows and not self._is_looking:
            self._is_looking = True
            look: WorkType[None] = self._look
            self.run_worker(look, group="theme")

    async def _look(self) -> None:
        worn = self._worn
        try:
            outfit = await in_a_thread(partial(self._outfit_if_written, worn))
        except ConfigError as error:
            self.notify(str(error), markup=False)
        else:
            if outfit is not None and worn is self._worn:  # or another was chosen meanwhile
                self._worn = replace(worn, outfit=outfit)
                self._dress(outfit)
        finally:
            self._is_looking = False

    def _outfit_if_written(self, worn: Chosen) -> Outfit | None:
        """What it looks like now, if that is something else."""
        return self._outfit_for(worn.display) if worn.watch.has_changed() else None

    def _read(self, display: Display) -> Chosen:
        is_own = self._themes.is_own(display.theme)
        watch = ThemeWatch(self._themes.file(display.theme) if is_own else None)
        return Chosen(display, self._outfit_for(display), watch)

    def _outfit_for(self, display: Display) -> Outfit:
        return outfit_of(self._themes, display, self._terminal.colours, self._tint)

    def _draw_in(self, display: Display) -> None:
        self.in_ascii = is_ascii(display.characters, utf8=self._terminal.utf8)

    def _put_on(self, outfit: Outfit) -> None:
        self.register_theme(outfit.theme)
        # Whether NO_COLOR counts is up to us: of Textual's own just what makes true colours stays.
        self.no_color = False
        self._filters = [each for each in self._filters if isinstance(each, ANSIToTruecolor)]
        if outfit.restyle is not None:
            self._filters.append(Restyled(outfit.restyle))
