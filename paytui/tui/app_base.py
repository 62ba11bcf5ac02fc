"""Mixins of the app: crash report, terminal queries, idle lock, screen switches and toasts."""

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


class CrashMixin(App[None]):
    """Stores a crash report and prints its path.

    Attributes:
        crashed: stores the report and returns its path.
    """

    crashed: CrashReporter

    def panic(self, *_: RenderableType) -> None:
        """End after a crash, without printing any renderable."""
        self._fatal_error()

    def _fatal_error(self) -> None:
        """End after a crash. Textual's own report would print local variables, secrets included."""
        error = self._exception
        if error is not None and not self._exit_renderables:
            cause = error.error if isinstance(error, WorkerFailed) else error
            on = [type(screen).__name__ for screen in self.screen_stack]
            self._exit_renderables.append(Text(crash_message(cause, self.crashed(cause, on))))
        self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        """Print without wrapping: a wrapped file name cannot be copied."""
        for words in self._exit_renderables:
            self.error_console.print(words, soft_wrap=True)
        self._exit_renderables.clear()


class TerminalQueryMixin(CrashMixin):
    """Queries the terminal to learn that it has drawn everything sent before.

    An answer is processed after all keys that came before it: see `guards.confirm_arming`.

    Attributes:
        desk: holds the queries without an answer.
    """

    desk: UiContext
    _held_back: tuple[Callable[[int], None], ...] = ()

    def is_behind(self) -> bool:
        """Return True if the terminal has not read all output yet."""
        return isinstance(self._driver, ThinDriver) and self._driver.is_behind

    def probe_terminal(self) -> None:
        """Send the first query, to find out whether the terminal answers."""
        self._query_terminal(lambda _: None)

    def on_query_terminal(self, wish: QueryTerminal) -> None:
        """Query the terminal after the screen's last change is painted."""
        self.call_after_refresh(self._query_terminal, wish.asked)

    def on_cursor_position(self, place: CursorPosition) -> None:
        """Take an answer: the terminal has drawn everything sent before the query."""
        number = self.desk.questions.answer((place.x + 1, place.y + 1))
        if number is not None:
            self._send_behind_keys(TerminalAnswered(number, again=True))

    def on_terminal_answered(self, answer: TerminalAnswered) -> None:
        """Queue the answer a second time, then accept it.

        The first time puts it behind pending keys, the second behind the messages that they post.
        """
        if answer.again:
            self._send_behind_keys(TerminalAnswered(answer.number, again=False))
        else:
            self.desk.questions.hear(answer.number)

    def _query_terminal(self, asked: Callable[[int], None]) -> None:
        """Query now, or, while painting is batched, after layout and paint."""
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


UnlockCheck = Callable[[], Awaitable[str]]
"""Returns why the lock stays closed; empty if it may open."""


async def allow_unlock() -> str:
    """Open the lock without a further check."""
    return ""


class IdleLockMixin(App[None]):
    """Locks the creation of objects after a time without a key.

    Attributes:
        desk: holds the lock.
        prove: a further check before unlocking.
    """

    desk: UiContext
    prove: UnlockCheck

    async def on_event(self, event: Event) -> None:
        """Note each key press."""
        if isinstance(event, Key):
            self.desk.idle.pressed()
        await super().on_event(event)

    def action_unlock(self) -> None:
        """Ask to unlock."""
        from paytui.tui.screens.dialogs import UnlockDialog

        def unlocked(yes: bool | None) -> None:
            if yes:
                self.desk.idle.unlock()

        if self.desk.idle.is_locked:
            self.push_screen(UnlockDialog(self.desk.settings.profile.name, self.prove), unlocked)
        else:
            self.notify("Nothing is locked.", markup=False)


class ScreenSwitchMixin(App[None]):
    """Paints a new screen as soon as it is ready.

    Textual delays painting by 50 ms on each switch; a screen is usually ready after 5 ms.
    """

    _held: tuple[Callable[[], None], ...] = ()

    def delay_update(self, delay: float = 0.05) -> None:
        """Delay painting until `paint_switched()`, for `delay` seconds at the most."""
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
        """Leave a screen; the one below is painted once, up to date."""
        if len(self.screen_stack) > 1 and isinstance(self.screen_stack[-2], BaseScreen):
            self.delay_update()
        return super().pop_screen()

    def paint_switched(self) -> None:
        """End the delay once the new screen has processed its pending messages."""
        for screen in self._on_view():
            for end in self._held:
                screen.call_later(end)

    def _on_view(self) -> Sequence[Screen[object]]:
        return self.screen_stack[-1:]  # empty while the app ends


SHORTEST_TOAST = 0.25
"""Minimum seconds of a toast. After a pause of the whole process its time may be over before it
is shown, and Textual's timer would loop forever on a negative duration."""


@dataclass(kw_only=True)
class MonotonicNotification(Notification):
    """A notification that is timed by our monotonic clock.

    Attributes:
        clock: the clock.
        raised_at: creation, in its monotonic seconds.
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
        """Return the seconds for which to show a new toast; at least `SHORTEST_TOAST`."""
        return max(self._left, SHORTEST_TOAST)

    @property
    def has_expired(self) -> bool:
        """Return True if no toast is due any more."""
        return self._left <= 0


class ToastMixin(App[None]):
    """Times toasts by a monotonic clock; a change of the wall clock can hang Textual's own.

    Attributes:
        desk: holds the clock.
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
