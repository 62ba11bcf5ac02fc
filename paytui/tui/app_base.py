"""An app that asks its terminal what that has drawn: see `guards.arming`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from rich.console import RenderableType
from rich.text import Text
from textual.app import App
from textual.await_complete import AwaitComplete
from textual.events import CursorPosition, Event, Key
from textual.notifications import Notification, Notify, SeverityLevel
from textual.screen import Screen
from textual.worker import WorkerFailed

from paytui.platform.clock import Clock
from paytui.platform.crash import CrashReporter, crash_message
from paytui.tui.context import UiContext
from paytui.tui.guards.confirm_arming import QueryTerminal, TerminalAnswered
from paytui.tui.screens.base import BaseScreen
from paytui.tui.terminal.driver import ThinDriver

# An app whose crash prints one message, and nothing of what it was about.


class CrashMixin(App[None]):
    """Has a crash kept, and says where.

    Attributes:
        crashed: keeps it.
    """

    crashed: CrashReporter

    def panic(self, *_: RenderableType) -> None:
        """End after a crash, whatever else there would be to print of it."""
        self._fatal_error()

    def _fatal_error(self) -> None:
        """End after a crash; Textual's own report would print local variables, secrets included."""
        error = self._exception
        if error is not None and not self._exit_renderables:
            cause = error.error if isinstance(error, WorkerFailed) else error
            on = [type(screen).__name__ for screen in self.screen_stack]
            self._exit_renderables.append(Text(crash_message(cause, self.crashed(cause, on))))
        self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        """Lines as they are: the name of a file that is broken up cannot be copied."""
        for words in self._exit_renderables:
            self.error_console.print(words, soft_wrap=True)
        self._exit_renderables.clear()


class TerminalQueryMixin(CrashMixin):
    """Asks when a screen wants it asked; the answer is heard behind the keys that came before it.

    Attributes:
        desk: knows what was asked.
    """

    desk: UiContext
    _held_back: tuple[Callable[[int], None], ...] = ()

    def is_behind(self) -> bool:
        """Return True if the terminal has yet to take some of what was painted."""
        return isinstance(self._driver, ThinDriver) and self._driver.is_behind

    def probe_terminal(self) -> None:
        """Ask for the first time."""
        self._query_terminal(lambda _: None)

    def on_query_terminal(self, wish: QueryTerminal) -> None:
        """Ask the terminal, once what a screen has just changed is painted."""
        self.call_after_refresh(self._query_terminal, wish.asked)

    def on_cursor_position(self, place: CursorPosition) -> None:
        """The terminal answers: it has drawn what was sent before it was asked."""
        number = self.desk.questions.answer((place.x + 1, place.y + 1))
        if number is not None:
            self._send_behind_keys(TerminalAnswered(number, again=True))

    def on_terminal_answered(self, answer: TerminalAnswered) -> None:
        """An answer has made its way as a key does."""
        if answer.again:
            self._send_behind_keys(TerminalAnswered(answer.number, again=False))
        else:
            self.desk.questions.hear(answer.number)

    def _query_terminal(self, asked: Callable[[int], None]) -> None:
        """Ask now; while painting is held back, later, when all is laid out and painted."""
        if self._batch_count:
            self._held_back += (asked,)
            return
        now, size = self.desk.time.clock.monotonic(), self.size
        number, query = self.desk.questions.ask(now, size.width, size.height)
        asked(number)
        if self._driver is not None:
            self._driver.write(query)

    def _end_batch(self) -> None:
        super()._end_batch()
        if not self._batch_count:
            held_back, self._held_back = self._held_back, ()
            for asked in held_back:
                self.call_after_refresh(self._query_terminal, asked)

    def _send_behind_keys(self, answer: TerminalAnswered) -> None:
        (self.focused or self.screen).post_message(answer)


# An app that creates nothing once nobody has pressed a key for a while: see `guards.idle`.

UnlockCheck = Callable[[], Awaitable[str]]
"""Says why somebody is not let in, beside what they type; empty where they are."""


async def allow_unlock() -> str:
    """What is typed is enough."""
    return ""


class IdleLockMixin(App[None]):
    """Notes each key, and asks whoever is there to say so.

    Attributes:
        desk: knows whether it is locked.
        prove: what else is asked.
    """

    desk: UiContext
    prove: UnlockCheck

    async def on_event(self, event: Event) -> None:
        """Note that somebody is there."""
        if isinstance(event, Key):
            self.desk.idle.pressed()
        await super().on_event(event)

    def action_unlock(self) -> None:
        """Unlock what was locked while nobody pressed a key."""
        from paytui.tui.screens.dialogs import UnlockDialog

        def unlocked(yes: bool | None) -> None:
            if yes:
                self.desk.idle.unlock()

        if self.desk.idle.is_locked:
            self.push_screen(UnlockDialog(self.desk.settings.profile.name, self.prove), unlocked)
        else:
            self.notify("Nothing is locked.", markup=False)


# An app that paints the screen it switches to as soon as there is something to paint.


class ScreenSwitchMixin(App[None]):
    """Textual paints nothing for 50 ms, lest what is half done is seen; that is done in five."""

    _held: tuple[Callable[[], None], ...] = ()

    def delay_update(self, delay: float = 0.05) -> None:
        """Paint nothing until `paint_switched()`, or for so many seconds at the most."""
        self._begin_batch()

        def end() -> None:
            if end not in self._held:
                return
            self._held = tuple(other for other in self._held if other is not end)
            self._end_batch()
            if not self._batch_count:
                for screen in self._on_view():
                    screen.refresh()

        self._held += (end,)
        self.set_timer(delay, end)

    def pop_screen(self) -> AwaitComplete:
        """Leave a screen; the one below it is painted once, with what it missed."""
        if len(self.screen_stack) > 1 and isinstance(self.screen_stack[-2], BaseScreen):
            self.delay_update()
        return super().pop_screen()

    def paint_switched(self) -> None:
        """Paint what was switched to, once it has done what it was given to do so far."""
        for screen in self._on_view():
            for end in self._held:
                screen.call_later(end)

    def _on_view(self) -> Sequence[Screen[object]]:
        return self.screen_stack[-1:]  # none where the app is ending


# Toasts that end, by a clock that nobody sets; Textual's go by the host's, and may hang an app.

SHORTEST_TOAST = 0.25
"""Seconds that a toast is shown for, though its time is over before it is: after a pause of the
whole process. Textual's timer counts a time that is over for ever, and nothing else runs."""


@dataclass(kw_only=True)
class MonotonicNotification(Notification):
    """What a toast says.

    Attributes:
        clock: tells how long ago it was said.
        raised_at: when that was, in its monotonic seconds.
    """

    clock: Clock
    raised_at: float = field(init=False)

    def __post_init__(self) -> None:
        self.raised_at = self.clock.monotonic()

    @property
    def _left(self) -> float:
        return self.raised_at + self.timeout - self.clock.monotonic()

    @property
    def time_left(self) -> float:
        """Seconds for which to show a toast that is made now: never none."""
        return max(self._left, SHORTEST_TOAST)

    @property
    def has_expired(self) -> bool:
        """Whether no toast is to be made of it any more."""
        return self._left <= 0


class ToastMixin(App[None]):
    """An app whose toasts do not hang it.

    Attributes:
        desk: has the clock that they go by.
    """

    desk: UiContext

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Show a toast: see `App.notify`."""
        lasts = self.NOTIFICATION_TIMEOUT if timeout is None else timeout
        clock = self.desk.time.clock
        said = MonotonicNotification(message, title, severity, lasts, markup=markup, clock=clock)
        self.post_message(Notify(said))
