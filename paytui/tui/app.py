"""The dashboard: shows the store, asks the port, does no I/O and starts no threads."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segments
from rich.text import Text
from textual.app import App
from textual.screen import Screen

from paytui.clock import ServiceTime
from paytui.config.settings import Settings
from paytui.port import Port
from paytui.store.store import Store
from paytui.tui import keys
from paytui.tui.bridge import Bridge
from paytui.tui.crash import crash_report
from paytui.tui.desk import Desk
from paytui.tui.screens.page import Page
from paytui.tui.themes import load_themes

TICK = 1.0
"""Seconds between two looks at the clock; what they cost is up to what changes on screen."""


class PaytuiApp(App[None], inherit_bindings=False):
    """The terminal dashboard of one profile."""

    TITLE = "paytui"
    BINDINGS = keys.APP
    DEFAULT_MODE: ClassVar[str] = "wallets"

    def __init__(self, store: Store, port: Port, time: ServiceTime, settings: Settings) -> None:
        """
        Args:
            store: what is known; may be filled by another thread at any rate.
            port: what asks the worker.
            time: the service's clock.
            settings: the profile and how things are to look.
        """
        self._themes = load_themes()
        super().__init__()
        self.desk = Desk(store=store, port=port, time=time, settings=settings)
        self._bridge = Bridge(store, self._pull)
        for theme in self._themes.values():
            self.register_theme(theme)
        self.theme = settings.display.theme
        self.animation_level = "none"
        self.add_mode("wallets", self._wallets)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """So that styles can be read before a theme of ours is on."""
        return dict(self._themes["dark"].variables)

    def on_mount(self) -> None:
        """Start to follow store and clock."""
        self.run_worker(self._bridge.run(), group="bridge")
        self.set_interval(TICK, self._tick)

    def action_mode(self, mode: str) -> None:
        """Show a numbered screen."""
        self.switch_mode(mode)

    def action_refresh(self) -> None:
        """Have everything read again."""
        self.desk.port.refresh()

    async def on_page_resumed(self) -> None:
        """Have a screen that came into view catch up."""
        await self._bridge.pull()
        self._tick()

    async def _pull(self) -> None:
        if isinstance(self.screen, Page):
            await self.screen.pull()

    def _tick(self) -> None:
        if isinstance(self.screen, Page):
            self.screen.tick()

    def _fatal_error(self) -> None:
        """End after a crash; Textual's own report would print local variables, secrets included."""
        if self._exception is not None:
            report = self.console.render(Text(crash_report(self._exception)))
            self._exit_renderables.append(Segments(list(report)))
        self._close_messages_no_wait()

    def _wallets(self) -> Screen[None]:
        from paytui.tui.screens.wallets import WalletsPage

        return WalletsPage(self.desk)
