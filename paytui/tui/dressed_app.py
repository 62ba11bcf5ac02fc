"""An app that wears a theme of ours, in what its terminal can show."""

from __future__ import annotations

from functools import partial

from textual.app import App
from textual.filter import ANSIToTruecolor
from textual.worker import WorkType

from paytui.config.errors import ConfigError
from paytui.config.settings import Display, Settings
from paytui.config.theme_files import ThemeFiles, themes_beside
from paytui.lone_thread import in_a_thread
from paytui.tui.characters import is_ascii
from paytui.tui.dressing import Outfit, outfit_of
from paytui.tui.plain_colours import Restyled
from paytui.tui.terminal import Terminal
from paytui.tui.theme_watch import ThemeWatch


class DressedApp(App[None]):
    """Reads a theme when it is chosen, and no other; one of the user's also when it is written.

    Attributes:
        in_ascii: whether nothing else is sent to the terminal.
    """

    _themes: ThemeFiles
    _terminal: Terminal
    _shown: Display
    _outfit: Outfit
    in_ascii = False

    def wear(self, settings: Settings, terminal: Terminal) -> None:
        """Get dressed, before anything is painted and before the app itself is made.

        Raises:
            ConfigError: the theme that was chosen cannot be used.
        """
        self._themes = themes_beside(settings.profile.file)
        self._tint = settings.profile.tint
        self._terminal = terminal
        self._watch_of_theme = ThemeWatch()
        self._is_looking = False
        self._outfit = self._outfit_for(settings.display)
        self._follow(settings.display)

    def show_first(self) -> None:
        """Have the first paint in what was put on."""
        self._put_on(self._outfit)
        self.set_reactive(App.theme, self._outfit.theme.name)
        self.stylesheet.set_variables(self.get_css_variables())

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """So that styles can be read before a theme of ours is on."""
        return dict(self._outfit.theme.variables)

    @property
    def theme_names(self) -> list[str]:
        """The themes that there are."""
        return self._themes.names

    def change(self, display: Display) -> None:
        """Show it as is set now; what is wrong with a theme is told, and the one before stays."""
        try:
            outfit = self._outfit_for(display)
        except ConfigError as error:
            self.notify(str(error), markup=False)
            return
        if display.theme not in (outfit.theme.name, self._shown.theme):
            words = f"{display.theme} takes more colours than there are: {outfit.theme.name} is on."
            self.notify(words, markup=False)
        self._follow(display)
        self._dress(outfit)

    def _dress(self, outfit: Outfit) -> None:
        """Paint anew in it."""
        self._put_on(outfit)
        if self.theme == outfit.theme.name:
            self._watch_theme(outfit.theme.name)  # its colours may be others
        else:
            self.theme = outfit.theme.name

    def look_at_theme(self) -> None:
        """Show what the user has written into the theme that is on, if that is one of theirs."""
        if self._watch_of_theme.follows and not self._is_looking:
            self._is_looking = True
            look: WorkType[None] = self._look
            self.run_worker(look, group="theme")

    async def _look(self) -> None:
        """In a thread that nobody waits for: a home may be on a network that hangs."""
        shown = self._shown
        try:
            outfit = await in_a_thread(partial(self._outfit_if_written, shown))
        except ConfigError as error:
            self.notify(str(error), markup=False)
        else:
            if outfit is not None and shown is self._shown:  # or another was chosen meanwhile
                self._dress(outfit)
        finally:
            self._is_looking = False

    def _outfit_if_written(self, display: Display) -> Outfit | None:
        """What it looks like now, if that is something else."""
        return self._outfit_for(display) if self._watch_of_theme.has_changed() else None

    def _outfit_for(self, display: Display) -> Outfit:
        return outfit_of(self._themes, display, self._terminal.colours, self._tint)

    def _follow(self, display: Display) -> None:
        self._shown = display
        self.in_ascii = is_ascii(display.characters, utf8=self._terminal.utf8)
        is_own = self._themes.is_own(display.theme)
        self._watch_of_theme.follow(self._themes.file(display.theme) if is_own else None)

    def _put_on(self, outfit: Outfit) -> None:
        self._outfit = outfit
        self.register_theme(outfit.theme)
        # Whether NO_COLOR counts is up to us: of Textual's own just what makes true colours stays.
        self.no_color = False
        self._filters = [each for each in self._filters if isinstance(each, ANSIToTruecolor)]
        if outfit.restyle is not None:
            self._filters.append(Restyled(outfit.restyle))
