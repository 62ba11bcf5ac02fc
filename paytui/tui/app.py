"""The Textual app: it shows the store, sends requests to the port, and does no I/O itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC
from itertools import chain
from typing import TYPE_CHECKING

from textual.command import Provider
from textual.driver import Driver
from textual.widget import Widget

from paytui.config.keys import first_key, remapped
from paytui.domain.models import AccountId, Payment
from paytui.domain.money import Pair
from paytui.platform.crash import CrashReporter, no_report
from paytui.tui import keys
from paytui.tui.app_base import (
    IdleLockMixin,
    ScreenSwitchMixin,
    TerminalQueryMixin,
    ToastMixin,
    UnlockCheck,
    allow_unlock,
)
from paytui.tui.bridge import FAR_FRAME, FRAME, Bridge
from paytui.tui.context import UiContext
from paytui.tui.guards.sending import may_create, may_send, not_offered
from paytui.tui.notifications import (
    Headline,
    IntentNotifications,
    Toasts,
    notify_sequence,
    open_intents,
    unsent_words,
)
from paytui.tui.screens.base import BaseScreen, Dialog, MainPage
from paytui.tui.screens.main_pages import PAGES
from paytui.tui.terminal.clipboard import copy
from paytui.tui.terminal.driver import ThinDriver
from paytui.tui.terminal.keyboard import PasteFilterMixin
from paytui.tui.terminal.output import OutputMetrics
from paytui.tui.terminal.rich_patches import patch_rich_cell_widths
from paytui.tui.terminal.splash import SplashScreen
from paytui.tui.terminal.textual_patches import patch_styles_cache
from paytui.tui.terminal.tty import CAPABLE, Terminal
from paytui.tui.theme.mixin import ThemeMixin

if TYPE_CHECKING:
    from paytui.tui.settings import SettingsChanged
    from paytui.tui.wizards.protocol import Wizard

TICK = 1.0
"""Seconds between updates of ages and countdowns; only changed cells are repainted."""


def _commands() -> type[Provider]:
    from paytui.tui.commands import Commands

    return Commands


class PaytuiApp(
    TerminalQueryMixin,
    ThemeMixin,
    IdleLockMixin,
    PasteFilterMixin,
    ScreenSwitchMixin,
    ToastMixin,
    inherit_bindings=False,
):
    """The terminal dashboard of one profile."""

    TITLE = "paytui"
    BINDINGS = keys.APP
    DEFAULT_MODE = "overview"
    COMMANDS = {_commands}  # noqa: RUF012  (Textual's way; never written to)
    COMMAND_PALETTE_BINDING = "ctrl+p"
    HORIZONTAL_BREAKPOINTS = None

    def __init__(
        self,
        desk: UiContext,
        *,
        painted: Callable[[], None] = lambda: None,
        terminal: Terminal = CAPABLE,
        crashed: CrashReporter = no_report,
        early: SplashScreen | None = None,
        prove: UnlockCheck = allow_unlock,
    ) -> None:
        """Args:
        desk: the context that every screen gets; another thread may fill its store at any time.
        painted: called once, after the first paint of the balances that are known.
        terminal: the detected capabilities of the terminal.
        crashed: stores a crash report and returns its path.
        early: the splash screen that holds the terminal meanwhile, if there is one.
        prove: a further check before the idle lock opens.
        """
        self.load_theme(desk.settings, terminal)
        patch_styles_cache()
        patch_rich_cell_widths()
        super().__init__()
        self.desk = desk
        self.crashed = crashed
        self.prove = prove
        self._intent_news = IntentNotifications(desk)
        self._toasts = Toasts(self, desk.time.clock)
        frame = FRAME if desk.surroundings.direct else FAR_FRAME
        self._bridge = Bridge(desk.store, self._pull, self.is_behind, frame)
        self.painting = OutputMetrics()
        self.early = early or SplashScreen()
        self._watched: tuple[Pair, ...] = ()
        self._painted: Callable[[], None] | None = painted
        self.apply_first_theme()
        self.animation_level = "none"
        for mode, page in PAGES.items():
            self.add_mode(mode, _maker(page, desk))

    def get_driver_class(self) -> type[Driver]:
        return ThinDriver

    def refresh_css(self, animate: bool = True) -> None:
        """Re-read all styles of a screen if its theme has changed.

        Textual also does this the first two times that it shows a screen. That is unnecessary:
        the first theme is read with the first style, and new widgets mount with the current theme.
        """
        for screen in self.screen_stack[-1:]:
            if screen._css_update_count == self._css_update_count:  # noqa: SLF001 - its only record
                return
            if self._painted is None and screen.is_mounted:
                super().refresh_css(animate)
                for widget in chain(*(each.walk_children(Widget) for each in self.screen_stack)):
                    widget.refresh()  # it may paint theme colours itself
                return
            if self._painted is None:
                self.stylesheet.update(screen, animate=animate)
            screen._css_update_count = self._css_update_count  # noqa: SLF001

    def on_mount(self) -> None:
        """Follow the store and the clock, and probe whether the terminal answers queries."""
        self.set_keymap(remapped(self.desk.settings.keys))
        self.run_worker(self._bridge.run(), group="bridge")
        self.set_interval(TICK, self._tick)
        self.probe_terminal()

    async def action_mode(self, mode: str) -> None:
        """Switch to a numbered screen and close finished screens on it.

        On the current number, close the details that lie on it, too.
        """
        again = mode == self.current_mode
        if not again:
            await self.switch_mode(mode)
        while len(self.screen_stack) > 1 and (again or self._is_over):
            self.pop_screen()
        if self.screen.focused is None and isinstance(self.screen, MainPage):
            self.screen.focus_next()  # at once: the next keys are meant for this screen

    def action_refresh(self) -> None:
        """Read everything again."""
        self.desk.port.refresh()

    def toggle_polling(self) -> None:
        """Pause polling, or resume it."""
        from paytui.tui.settings import SettingsChanged

        polling = self.desk.settings.polling
        turned = replace(polling, paused=not polling.paused)
        self.post_message(SettingsChanged(replace(self.desk.settings, polling=turned)))

    async def action_quit(self) -> None:
        """Quit, after a confirmation if intents are open or forms were not sent."""
        from paytui.tui.screens.dialogs import QuitDialog

        rows, unsent = open_intents(self.desk.store), unsent_words(self.desk.drafts)
        if not (rows or unsent) or isinstance(self.screen, QuitDialog):
            self.exit()
        else:
            key = first_key(self.desk.settings.keys, "leave.quit")
            self.push_screen(QuitDialog(rows, may_send(self.desk), unsent, key))

    def action_settings(self) -> None:
        """Show the settings."""
        from paytui.tui.screens.settings import SettingsScreen

        if isinstance(self.screen, MainPage):
            self.push_screen(SettingsScreen(self.desk, self.theme_names))

    def on_settings_changed(self, event: SettingsChanged) -> None:
        """Apply changed settings."""
        before, now = self.desk.settings, event.settings
        self.desk.settings = now
        if now.display != before.display:
            self.change(now.display)
        if now.keys != before.keys:
            self.set_keymap(remapped(now.keys))
        if now.display.time_zone != before.display.time_zone:
            self.desk.zone = now.display.zone
        if now.polling != before.polling:
            self.desk.port.read_every(now.polling.intervals)
        if now.polling.paused != before.polling.paused:
            self.desk.port.pause(paused=now.polling.paused)
        self.call_later(self._bridge.pull)

    def action_help(self) -> None:
        """Show the keys that work on this screen."""
        from paytui.tui.commands import active_keys
        from paytui.tui.screens.help import HelpScreen

        self.push_screen(HelpScreen(active_keys(self.screen)))

    def action_command_palette(self) -> None:
        """Show the command palette."""
        from paytui.tui.commands import Palette

        self.push_screen(Palette(id="--command-palette"))

    def action_accounts(self) -> None:
        """Choose the account whose rows are shown."""
        from paytui.tui.screens.accounts import AccountChoice, AccountPicker

        def chosen(choice: AccountChoice | None) -> None:
            if choice is not None:
                self.show_account(choice.account_id)

        self.push_screen(AccountPicker(self.desk), chosen)

    def action_trade(self) -> None:
        """Book a trade, prefilled from the selected row."""
        from paytui.tui.wizards.trade.machine import trade_from

        self._start("book_trade", trade_from)

    def action_payout(self) -> None:
        """Pay a recipient, prefilled from the selected row."""
        from paytui.tui.wizards.payment.machine import payout_from

        self._start("create_payout", payout_from)

    def action_transfer(self) -> None:
        """Move money between wallets, prefilled from the selected row."""
        from paytui.tui.wizards.payment.machine import transfer_from

        self._start("create_transfer", transfer_from)

    def action_repeat(self) -> None:
        """Repeat the selected payment."""
        from paytui.tui.wizards.payment.machine import repeat_of

        frame = self._current_screen()
        payment = frame.selected if frame else None
        if isinstance(payment, Payment):
            operation = "create_transfer" if payment.destination_wallet_id else "create_payout"
            self._start(operation, lambda desk, _: repeat_of(desk, payment))
        else:
            self.notify("There is no payment under the cursor to repeat.", markup=False)

    def action_health(self) -> None:
        """Show the health of paytui itself."""
        from paytui.tui.screens.health import HealthScreen

        if isinstance(self.screen, BaseScreen) and not isinstance(self.screen, HealthScreen):
            self.push_screen(HealthScreen(self.desk, self.painting))

    def action_zone(self) -> None:
        """Toggle times between UTC and the zone of this machine."""
        self.desk.zone = None if self.desk.zone is UTC else UTC
        self.call_later(self._bridge.pull)
        self._tick()

    def show_account(self, account_id: AccountId | None) -> None:
        """Show the figures and rows of one account; None: of all accounts."""
        self.desk.scope = account_id
        self.call_later(self._bridge.pull)

    def action_ticket(self) -> None:
        """Copy the selected trade or payment as a deal ticket."""
        from paytui.tui.format.ticket import ticket

        frame = self._current_screen()
        words = ticket(self.desk, frame.selected) if frame else None
        if words is None:
            self.notify("There is no trade or payment under the cursor.", markup=False)
        else:
            copy(self, "the deal ticket", words)

    def use_theme(self, name: str) -> None:
        """Use a theme until the end of the session, without saving it."""
        self.change(replace(self.desk.settings.display, theme=name))

    def note_keypress(self) -> None:
        """Give the UI priority over long reads for a moment. Thread-safe."""
        self.desk.store.ui_priority.request(self.desk.time.clock.boot())

    def on_base_screen_confirms_changed(self) -> None:
        """Hold notifications back, or show them: a confirm step appeared or was left."""
        self._tick()

    async def on_base_screen_resumed(self) -> None:
        """Update the screen that came into view, and watch rates while they are shown."""
        frame = self._current_screen()
        if isinstance(frame, MainPage):
            self._watch(self._pairs_for(frame))
        if frame is not None:
            self.desk.port.on_screen(frame.kinds_in_view)
        await self._bridge.pull()
        self._tick()
        self.paint_switched()
        if self._painted is not None:
            self.screen.call_after_refresh(self._painted)
            self._painted = None

    @property
    def _is_over(self) -> bool:
        return isinstance(self.screen, BaseScreen) and self.screen.is_over

    def _start(self, operation: str, make: Callable[[UiContext, object], Wizard]) -> None:
        """Show a wizard, unless one is open already or nothing can be sent."""
        from paytui.tui.wizards.by_identifier import IdentifierInput
        from paytui.tui.wizards.screen import WizardScreen

        frame = self._current_screen()
        if frame is None or self.screen is not frame or isinstance(frame, WizardScreen):
            return
        if why_not := may_create(self.desk) or not_offered(self.desk, operation):
            self.notify(why_not, markup=False)
            return
        wizard = IdentifierInput(self.desk, make(self.desk, frame.selected))
        self.push_screen(WizardScreen(self.desk, wizard))

    def _pairs_for(self, page: MainPage) -> tuple[Pair, ...]:
        """Return the pairs to price: with rate alerts, those of all alerts at all times."""
        needed, watch = self.desk.rate_alerts.needs, self.desk.settings.rates.watch
        if needed:
            return tuple(dict.fromkeys((*watch, *needed)))
        return watch if page.WATCHES_RATES else ()

    def _watch(self, pairs: tuple[Pair, ...]) -> None:
        if pairs != self._watched:
            self._watched = pairs
            self.desk.port.watch_rates(pairs)

    async def _pull(self) -> None:
        self._show_news()
        for screen in self._open_screens():
            await screen.pull()

    def _show_news(self) -> None:
        """Show notifications; at a confirm step only count them."""
        frame = self._current_screen()
        crossed = [crossing.words for crossing in self.desk.rate_alerts.poll()]
        news = [*self._intent_news.poll(), *(Headline(words, pressing=True) for words in crossed)]
        self._toasts.tell(news, later=frame is not None and frame.confirms)
        for words in crossed:
            self._notify_outside(words)
        self.desk.alerts_waiting = self._toasts.pressing

    def _notify_outside(self, words: str) -> None:
        """Notify outside of the screen, as configured: terminal bell or desktop message."""
        told = notify_sequence(self.desk.settings.alerts.notify, words)
        if told and self._driver is not None:
            self._driver.write(told)

    def _tick(self) -> None:
        self.painting.mark(self.desk.time.clock.boot())
        self.reload_theme()
        self._show_news()
        if frame := self._current_screen():
            frame.tick()

    def _current_screen(self) -> BaseScreen | None:
        """Return the top full screen, which may lie below a dialog."""
        return next(
            (screen for screen in self._open_screens() if isinstance(screen, BaseScreen)), None
        )

    def _open_screens(self) -> Iterator[BaseScreen | Dialog[object]]:
        """Yield the open dialogs, then the full screen below them; none that is not mounted yet."""
        # The stack is empty while the app ends.
        for screen in reversed(self.screen_stack):
            if isinstance(screen, BaseScreen | Dialog) and screen.is_mounted:
                yield screen
            if isinstance(screen, BaseScreen):
                return


def _maker(page: Callable[[UiContext], MainPage], desk: UiContext) -> Callable[[], MainPage]:
    return lambda: page(desk)
