"""The Textual app: it shows the store, sends requests to the port, and does no I/O itself.

Dialogs, tickets and commands are imported when first used: the first paint does not wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from textual.await_complete import AwaitComplete
from textual.command import Provider
from textual.driver import Driver
from textual.events import Compose, CursorPosition, Event, Key, Paste
from textual.filter import LineFilter
from textual.notifications import Notify, SeverityLevel
from textual.widget import AwaitMount, Widget

from paytui.config.key_bindings import first_key, remapped
from paytui.domain.models import Account, AccountId, Payment, Trade, Wallet
from paytui.domain.money import Pair
from paytui.platform.crash import CrashReporter, crash_message, no_report
from paytui.store.needs_attention import Attention, AttentionTarget, NextStep
from paytui.store.rate_board import pairs_to_price
from paytui.store.screen_rows import Movement
from paytui.tui import textual_bindings
from paytui.tui.base_screens import BaseScreen, BoxDialog, Dialog, MainPage, ScreenSwitch, scrolled
from paytui.tui.confirmation import may_create, may_send, not_offered
from paytui.tui.format.cells import Link
from paytui.tui.notifications import (
    MonotonicNotification,
    Notifications,
    open_intents,
    unsent_words,
)
from paytui.tui.rich_internals import patch_rich_cell_widths
from paytui.tui.screens.screen_registry import import_page, numbered_page, open_link
from paytui.tui.store_bridge import FAR_FRAME, FRAME, Bridge
from paytui.tui.terminal.confirm_arming import (
    LONGEST_TRIP,
    QuerySender,
    QueryTerminal,
    TerminalAnswered,
)
from paytui.tui.terminal.driver import (
    OutputMetrics,
    ThinDriver,
    clean_paste,
    minimise_sgr,
    pin_cell_width,
)
from paytui.tui.terminal.splash import SplashScreen
from paytui.tui.terminal.tty import CAPABLE, Terminal, in_ascii
from paytui.tui.textual_bindings import TICKETS
from paytui.tui.textual_internals import HookedApp, patch_caches
from paytui.tui.themes import Theming
from paytui.tui.ui_context import SavedDrafts, UiContext, UnlockCheck, allow_unlock, newest_ticket
from paytui.tui.widgets.text import SCREENS

if TYPE_CHECKING:
    from paytui.config.templates import Kind as TemplateKind
    from paytui.config.templates import Template
    from paytui.tui.ticket.model import Values
    from paytui.tui.ui_context import SettingsChanged
    from paytui.tui.widgets.rates import RateList

TICK = 1.0  # Seconds between updates of ages and countdowns; only changed cells are repainted


def _commands() -> type[Provider]:
    from paytui.tui.command_palette import Commands

    return Commands


class PaytuiApp(HookedApp, inherit_bindings=False):
    """The terminal dashboard of one profile.

    Attributes:
        crashed: stores a crash report and returns its path.
        crash_words: the message about the error that ended the app; "" without one.
        early: the splash screen that held the terminal.
        prove: a further check before the idle lock opens.
    """

    TITLE = "paytui"
    BINDINGS = textual_bindings.groups("Everywhere")
    DEFAULT_MODE = "overview"
    COMMANDS = {_commands}  # noqa: RUF012  (Textual's way; never written to)
    COMMAND_PALETTE_BINDING = "ctrl+p"
    HORIZONTAL_BREAKPOINTS = None

    def __init__(
        self,
        ui: UiContext,
        *,
        painted: Callable[[], None] = lambda: None,
        terminal: Terminal = CAPABLE,
        crashed: CrashReporter = no_report,
        early: SplashScreen | None = None,
        prove: UnlockCheck = allow_unlock,
    ) -> None:
        """`painted` is called once, after the first paint of the balances that are known."""
        patch_caches()
        patch_rich_cell_widths()
        self.theming = Theming(self, ui.settings, terminal)
        super().__init__()
        self.theming.apply_first()
        self.ui = ui
        ui.in_ascii = self.theming.in_ascii
        self.prove = prove
        self.crashed = crashed
        self.crash_words = ""
        self._last_said: MonotonicNotification | None = None
        self.painting = OutputMetrics()
        self.early = early or SplashScreen()
        self.notifications = Notifications(self, ui)
        self._queries = QuerySender(self, ui.questions, ui.time.clock)
        self._switch = ScreenSwitch(self)
        self._switch.hold_input()  # importing another screen would delay the first paint
        frame = FRAME if ui.surroundings.direct else FAR_FRAME
        self._bridge = Bridge(ui.store, self._pull, self.is_behind, frame)
        self._watched: tuple[Pair, ...] = ()
        self._watched_for: tuple[object, ...] = ()
        self._visited = ""
        self._painted: Callable[[], None] | None = painted
        self.animation_level = "none"
        for _, mode, _ in SCREENS:
            self.add_mode(mode, partial(self._page, mode))

    # Overrides of Textual and hooks, each for one of the collaborators.

    def get_driver_class(self) -> type[Driver]:
        return ThinDriver

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return self.theming.variables

    def get_line_filters(self) -> Sequence[LineFilter]:
        return self.theming.line_filters(super().get_line_filters())

    def refresh_css(self, animate: bool = True) -> None:
        """Apply a changed theme, to widgets that paint its colours themselves, too."""
        super().refresh_css(animate)
        for widget in chain(*(each.walk_children(Widget) for each in self.screen_stack)):
            widget.refresh()

    @contextmanager
    def batch_update(self) -> Generator[None, None, None]:
        """Hold painting back; queries to the terminal wait for it."""
        try:
            with super().batch_update():
                yield
        finally:
            if not self.is_batching:
                self._queries.send_held_back()

    def delay_update(self, delay: float = 0.05) -> None:
        self._switch.delay(delay)

    def switch_mode(self, mode: str) -> AwaitMount:
        """Switch to a numbered screen; finished screens are closed, and tickets become drafts."""
        while mode != self.current_mode and len(self.screen_stack) > 1:
            if not (isinstance(self.screen, BaseScreen) and self.screen.is_over):
                break
            self.pop_screen()
        return super().switch_mode(mode)

    def pop_screen(self) -> AwaitComplete:
        """Leave a screen; the one below is painted once, up to date."""
        if isinstance(self.screen, BaseScreen):
            self.screen.leave()
        if len(self.screen_stack) > 1 and isinstance(self.screen_stack[-2], BaseScreen):
            self.delay_update()
        return super().pop_screen()

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,  # noqa: ARG002  (Textual's own)
    ) -> None:
        """Show plain text: names from outside are in it, which no call may take for markup."""
        lasts = self.NOTIFICATION_TIMEOUT if timeout is None else timeout
        clock = self.ui.time.clock
        said = MonotonicNotification(message, title, severity, lasts, markup=False, clock=clock)
        last = self._last_said  # whose toast is still shown, unless it has expired
        if last is None or last.message != message or last.has_expired:
            self._last_said = said
            self.post_message(Notify(said))

    def clear_notifications(self) -> None:
        self._last_said = None
        super().clear_notifications()

    async def on_event(self, event: Event) -> None:
        """Note each key press, and clean a paste before any widget sees it.

        The first screen is made in a turn of the loop of its own, which takes 10 ms.
        """
        if isinstance(event, Compose):
            self.stylesheet.parse()
            await asyncio.sleep(0)
        if isinstance(event, CursorPosition | Key | Paste) and self._queries.keeps(event):
            return
        if isinstance(event, Key):
            self.ui.idle.pressed()
        elif isinstance(event, Paste):
            event.text = clean_paste(event.text)
        if not (isinstance(event, Key | Paste) and self.holds(event)):
            await super().on_event(event)

    def holds(self, event: Key | Paste) -> bool:
        is_kept = self._switch.keeps(event)
        if is_kept:
            self.call_later(self._pass_kept)  # even if no screen resumes any more
        return is_kept

    def on_query_terminal(self, wish: QueryTerminal) -> None:
        """Query the terminal after the screen's last change is painted."""
        self.call_after_refresh(self._queries.send, wish.asked)

    def on_cursor_position(self, place: CursorPosition) -> None:
        if self._queries.take_in(place):  # what it went to may end before it is accepted
            self.set_timer(LONGEST_TRIP, self._release_behind_answer)

    async def on_terminal_answered(self, answer: TerminalAnswered) -> None:
        if self._queries.accept(answer):
            await self._release_behind_answer()

    async def _release_behind_answer(self) -> None:
        for event in self._queries.release():
            await self.on_event(event)

    def note_crash(self, error: BaseException) -> None:
        """Store a report of the error, unless it follows from another."""
        if not self.crash_words:
            on = [type(screen).__name__ for screen in self.screen_stack]
            self.crash_words = crash_message(error, self.crashed(error, on))

    def filter_output(self, data: str) -> str:
        """Return the same picture in fewer bytes, in characters that the terminal has."""
        thinned = minimise_sgr(data)
        thinned = in_ascii(thinned) if self.theming.in_ascii else pin_cell_width(thinned)
        self.painting.note(thinned)
        return thinned

    def take_over_screen(self) -> bool:
        return self.early.hand_over()

    def on_mount(self) -> None:
        """Follow the store and the clock, and probe whether the terminal answers queries."""
        self.set_keymap(remapped(self.ui.settings.keys))
        self.run_worker(self._bridge.run(), group="bridge")
        self.set_interval(TICK, self._tick)
        self._queries.send(lambda _: None)  # to find out whether the terminal answers

    async def action_mode(self, mode: str) -> None:
        """Switch to a numbered screen, and close all that lies on it.

        What is typed behind the number is meant for that screen, as it is once it has caught up.
        """
        self._switch.hold_input()
        try:
            if mode != self.current_mode:
                await import_page(mode)
                if self.return_code is not None:
                    return  # it ends: Textual closes its screens, and must find no new one
                await self.switch_mode(mode)
            while len(self.screen_stack) > 1:
                self.pop_screen()
            if self.screen.focused is None and isinstance(self.screen, MainPage):
                self.screen.focus_next()
        finally:
            self.call_later(self._release_input)

    async def _release_input(self) -> None:
        await self._bridge.pull()
        self._switch.release_input()
        await self._pass_kept()

    async def _pass_kept(self) -> None:
        """Pass kept input on, unless it is still held.

        It skips `QuerySender.keeps()`: it was typed before any query that its screen sends.
        """
        for event in self._switch.take_kept():
            await super().on_event(event)

    def action_refresh(self) -> None:
        self.ui.port.refresh()

    def toggle_polling(self) -> None:
        from paytui.tui.ui_context import SettingsChanged

        polling = self.ui.settings.polling
        turned = replace(polling, paused=not polling.paused)
        self.post_message(SettingsChanged(replace(self.ui.settings, polling=turned)))

    async def action_quit(self) -> None:
        """Quit, after a confirmation if intents are open or forms were not sent."""
        from paytui.tui.app_dialogs import QuitDialog

        rows, unsent = open_intents(self.ui.store), unsent_words(self._drafts_if_left())
        if not (rows or unsent) or isinstance(self.screen, QuitDialog):
            self.exit()
        else:
            key = first_key(self.ui.settings.keys, "leave.quit")
            self.push_screen(QuitDialog(rows, may_send(self.ui), unsent, key))

    def _drafts_if_left(self) -> SavedDrafts:
        """Return the drafts that there would be if all open screens were left."""
        drafts, kept = self.ui.drafts, dict(self.ui.drafts)
        for screen in self.screen_stack:
            if isinstance(screen, BaseScreen):
                screen.leave()
        left = dict(drafts)
        drafts.clear()
        drafts.update(kept)  # they stay open: what is confirmed there must not come back
        return left

    def action_settings(self) -> None:
        from paytui.tui.screens.settings import SettingsScreen

        if isinstance(self.screen, MainPage):
            self.push_screen(SettingsScreen(self.ui, self.theming.names))

    def on_rate_list_chart_wanted(self, event: RateList.ChartWanted) -> None:
        from paytui.tui.screens.rates import RateChartScreen

        self.push_screen(RateChartScreen(self.ui, event.pair, event.side))

    def on_settings_changed(self, event: SettingsChanged) -> None:
        before, now = self.ui.settings, event.settings
        self.ui.settings = now
        if now.display != before.display:
            self.theming.change(now.display)
            self.ui.in_ascii = self.theming.in_ascii
        if now.keys != before.keys:
            self.set_keymap(remapped(now.keys))
        if now.display.time_zone != before.display.time_zone:
            self.ui.zone = now.display.zone
        if now.polling != before.polling:
            self.ui.port.read_every(now.polling.intervals)
        if now.polling.paused != before.polling.paused:
            self.ui.port.pause(paused=now.polling.paused)
        self.call_later(self._bridge.pull)

    def open_link(self, link: Link | Attention) -> None:
        open_link(self, self.ui, link)

    def action_unlock(self) -> None:
        from paytui.tui.app_dialogs import UnlockDialog

        def unlocked(yes: bool | None) -> None:
            if yes:
                self.ui.idle.unlock()

        if self.ui.idle.is_locked:
            self.push_screen(UnlockDialog(self.ui.settings.profile.name, self.prove), unlocked)
        else:
            self.notify("Nothing is locked.")

    def action_help(self) -> None:
        from paytui.tui.app_dialogs import active_keys, help_lines

        self.push_screen(BoxDialog("Help", scrolled(help_lines(active_keys(self.screen)))))

    async def action_find(self) -> None:
        """Open the search from a main screen or an object; return to it from what it opened."""
        if not (isinstance(self.screen, BaseScreen) and self.screen.FINDS):
            return
        self._switch.hold_input()
        try:
            await import_page("find")
            if self.return_code is not None:
                return
            from paytui.tui.screens.find import FindScreen

            if len(self.screen_stack) > 1 and isinstance(self.screen_stack[-2], FindScreen):
                self.pop_screen()
            else:
                await self.push_screen(FindScreen(self.ui))
        finally:
            self.call_later(self._release_input)

    def action_command_palette(self) -> None:
        from paytui.tui.command_palette import Palette

        self.push_screen(Palette(id="--command-palette"))

    def action_accounts(self) -> None:
        from paytui.tui.screens.accounts import AccountPicker

        def chosen(choice: Account | None) -> None:
            if choice is not None:
                self.show_account(choice.account_id or None)

        self.push_screen(AccountPicker(self.ui), chosen)

    def action_trade(self) -> None:
        self._open_about("trade")

    def action_payout(self) -> None:
        self._open_about("payout")

    def action_transfer(self) -> None:
        self._open_about("transfer")

    def _open_about(self, kind: TemplateKind) -> None:
        """Show a ticket about what is under the cursor.

        An item that needs funds gets them by a transfer, a wallet also by a trade. Beside a trade
        that needs attention, another trade or payment begins empty.
        """
        from paytui.tui.ticket.templates import values_about, values_to_fund

        frame, subject = self._current_screen(), self.subject
        item = frame.selected if frame is not None else None
        funds = ("transfer", "trade") if isinstance(subject, Wallet) else ("transfer",)
        if not isinstance(item, Attention):
            values = values_about(self.ui, kind, subject)
        elif kind in funds and item.next_step in (NextStep.FUND, NextStep.BUY):
            values = values_to_fund(subject)
        else:
            values = values_about(self.ui, kind, None if isinstance(subject, Trade) else subject)
        self._open_ticket(kind, values)

    def action_repeat(self) -> None:
        frame = self._current_screen()
        marked = list(frame.marked) if frame else []
        subject = self._object_of(marked[0]) if marked else self.subject
        if len(marked) > 1:
            many = f"{len(marked):,} rows are marked"
            self.notify(f"{many}, and money moves one at a time. Mark only one.")
        elif (repeated := self._repeated(subject)) is None and marked:
            self.notify("The marked row is no payment or trade to repeat.")
        elif repeated is None:
            self.notify("There is no payment or trade under the cursor to repeat.")
        else:
            self._open_ticket(*repeated)

    def _repeated(self, subject: object) -> tuple[TemplateKind, Values] | None:
        """Return the ticket and its values that repeat a payment or trade."""
        from paytui.tui.ticket.templates import repeated

        match subject:
            case Payment() as payment:
                kind: TemplateKind = "transfer" if payment.destination_wallet_id else "payout"
                return kind, repeated(self.ui, payment)
            case Trade() as trade:
                return "trade", repeated(self.ui, trade)
            case _:
                return None

    def save_as_template(self) -> None:
        """Ask for the name of a template that repeats what is under the cursor."""
        if (repeated := self._repeated(self.subject)) is not None:
            self.save_template(*repeated)

    def save_template(self, kind: TemplateKind, values: Values) -> None:
        """Ask for the name of a template with the values of a ticket."""
        from paytui.config.templates import folder_of
        from paytui.tui.app_dialogs import TemplateDialog
        from paytui.tui.ticket.templates import dated, template_of

        folder = folder_of(self.ui.settings)
        if folder is None:
            self.notify("Templates are kept beside a configuration; there is none here.")
        else:
            named = partial(template_of, self.ui, kind, filled=values)
            self.push_screen(TemplateDialog(folder, named, partial(dated, self.ui)))

    def open_template(self, template: Template) -> None:
        """Open a ticket with the values of a template, and tell what of it cannot be used."""
        from paytui.tui.ticket.templates import complaints, values_of

        self._open_ticket(template.kind, values_of(self.ui, template))
        for words in complaints(self.ui, template):
            self.notify(words, severity="warning")

    def action_draft(self) -> None:
        """Return to the newest draft of a ticket; in one, go on to the next."""
        from paytui.tui.ticket.screen import TicketScreen

        key, frame = newest_ticket(self.ui.drafts), self._current_screen()
        if key is None:
            self._notify_no_draft()
            return
        if frame is self.screen and isinstance(frame, TicketScreen) and not frame.refuses("draft"):
            frame.gives_way = True
            self.pop_screen()
        self._open_ticket(key[0], {}, draft=key)

    def _notify_no_draft(self) -> None:
        keys = self.ui.settings.keys
        opens = ", ".join(first_key(keys, f"app.{ticket}") for ticket in TICKETS)
        again = first_key(keys, "app.repeat")
        form = " That of a form comes back as you open the form." if self.ui.drafts else ""
        self.notify(
            f"There is no draft of a ticket: one left unchanged is not kept.{form} "
            f"{opens}: open one. {again}: repeat what is under the cursor."
        )

    def action_discard(self) -> None:
        key, frame = newest_ticket(self.ui.drafts), self._current_screen()
        if key is None:
            self._notify_no_draft()
        elif not (frame and frame.refuses("discard")):
            self.notify(f"Draft discarded: {self.ui.drafts.pop(key).name}.")
            self._tick()

    def action_health(self) -> None:
        from paytui.tui.screens.health import HealthScreen

        if isinstance(self.screen, BaseScreen) and not isinstance(self.screen, HealthScreen):
            self.push_screen(HealthScreen(self.ui, self.painting))

    def show_colleagues(self) -> None:
        """Show who else has a dashboard open on the desk."""
        from paytui.tui.screens.activity import ColleaguesScreen

        if isinstance(self.screen, BaseScreen) and not isinstance(self.screen, ColleaguesScreen):
            self.push_screen(ColleaguesScreen(self.ui))

    def action_zone(self) -> None:
        """Toggle times between UTC and the zone of this machine."""
        self.ui.zone = None if self.ui.zone is UTC else UTC
        self.call_later(self._bridge.pull)
        self._tick()

    def show_account(self, account_id: AccountId | None) -> None:
        """Show the figures and rows of one account; None: of all accounts."""
        self.ui.scope = account_id
        self.call_later(self._bridge.pull)

    def action_ticket(self) -> None:
        from paytui.tui.format.ticket import ticket

        frame = self._current_screen()
        marked = map(self._object_of, frame.marked) if frame else ()
        found = (ticket(self.ui, record) for record in list(marked) or [self.subject])
        tickets = [words for words in found if words is not None]
        if not tickets:
            self.notify("There is no trade or payment under the cursor.")
        elif frame:
            what = "the deal ticket" if len(tickets) == 1 else f"{len(tickets):,} deal tickets"
            frame.copy(what, "\n".join(tickets))

    def use_theme(self, name: str) -> None:
        """Use a theme until the end of the session, without saving it."""
        self.theming.change(replace(self.ui.settings.display, theme=name))
        key = first_key(self.ui.settings.keys, "app.settings")
        keep = f" Settings ({key}) keep one." if self.ui.choices.lasting else ""
        self.notify(f"Theme {name} lasts until you quit.{keep}")

    def on_base_screen_confirms_changed(self) -> None:
        """Hold notifications back, or show them: a confirm step appeared or was left."""
        self._tick()

    async def on_base_screen_resumed(self, event: BaseScreen.Resumed) -> None:
        """Update the screen that came into view."""
        frame = self._current_screen()
        if isinstance(frame, MainPage) and self.current_mode != self._visited:
            self._visited = self.current_mode
            frame.visit()
        if frame is not None:
            self.ui.port.on_screen(frame.kinds_in_view)
        await self._bridge.pull()
        self._tick()
        await asyncio.sleep(0)  # widgets tell the screen what to paint, else it is painted twice
        self._switch.paint()
        event.screen.is_ready = True
        await self._pass_kept()
        if self._painted is not None:
            self.screen.call_after_refresh(self._painted)
            self.screen.call_after_refresh(self.call_later, self._release_input)
            self._painted = None

    def _page(self, mode: str) -> MainPage:
        page = numbered_page(self.ui, mode)
        self.mark_styled(page)
        return page

    @property
    def subject(self) -> object | None:
        """Return the object under the cursor; of a row about an object, the object itself."""
        frame = self._current_screen()
        return self._object_of(frame.selected) if frame else None

    def _object_of(self, row: object | None) -> object | None:
        match row:
            case Movement() | Attention(place=AttentionTarget.OBJECT):
                return self.ui.store.table(row.kind).get(row.key)
            case _:
                return row

    def _open_ticket(self, key: str, values: Values, draft: tuple[str, str] | None = None) -> None:
        """Show a ticket with these values or a draft, if anything can be sent."""
        from paytui.tui.ticket.engine import Ticket
        from paytui.tui.ticket.payment import PaymentTask
        from paytui.tui.ticket.screen import TicketScreen
        from paytui.tui.ticket.trade import TradeTask

        frame = self._current_screen()
        if (
            frame is None
            or self.screen is not frame
            or (isinstance(frame, TicketScreen) and frame.refuses(key))
        ):
            return
        is_trade = key == "trade"
        operation = "book_trade" if is_trade else f"create_{key}"
        if why_not := may_create(self.ui) or not_offered(self.ui, operation):
            self.notify(why_not)
            return
        at = ""
        if draft is not None:  # from here on the screen keeps it
            kept = self.ui.drafts.pop(draft)
            values, at = kept.values, kept.at
        task = TradeTask(self.ui) if is_trade else PaymentTask(self.ui, key)
        ticket: Ticket[Any] = Ticket(task, values, at=at)
        self.push_screen(TicketScreen(self.ui, ticket, is_draft=draft is not None))

    def _watch_rates(self) -> None:
        """Have all pairs priced that are watched, alerted of, or held; the set only grows."""
        ui = self.ui
        version = ui.store.wallets.version, ui.rate_alerts.alerts
        if version == self._watched_for:
            return
        self._watched_for = version
        watched = (*ui.settings.rates.watch, *ui.rate_alerts.needs)
        reporting = ui.settings.overview.reporting_currency
        pairs = pairs_to_price(watched, ui.store.wallets.rows(), reporting)
        if not set(pairs) <= set(self._watched):
            self._watched = tuple(dict.fromkeys((*pairs, *self._watched)))
            ui.port.watch_rates(self._watched)

    async def _pull(self) -> None:
        self._show_news()
        self._watch_rates()
        self.ui.rate_history.follow()
        for screen in self._open_screens():
            await screen.pull()

    def _show_news(self) -> None:
        frame = self._current_screen()
        self.notifications.show_news(later=frame is not None and frame.confirms)

    def _tick(self) -> None:
        self.painting.mark(self.ui.time.clock.boot())
        self.theming.reload()
        self._show_news()
        if frame := self._current_screen():
            frame.tick()

    def _current_screen(self) -> BaseScreen | None:
        """Return the top full screen, which may lie below a dialog."""
        screens = self._open_screens()
        return next((screen for screen in screens if isinstance(screen, BaseScreen)), None)

    def _open_screens(self) -> Iterator[BaseScreen | Dialog[object]]:
        """Yield the open dialogs, then the full screen below them; none that is not mounted yet."""
        # The stack is empty while the app ends.
        for screen in reversed(self.screen_stack):
            if isinstance(screen, BaseScreen | Dialog) and screen.is_mounted:
                yield screen
            if isinstance(screen, BaseScreen):
                return
