"""An app that asks its terminal what that has drawn: see `guards.arming`."""

from __future__ import annotations

from collections.abc import Callable

from textual.events import CursorPosition

from paytui.tui.desk import Desk
from paytui.tui.driver import ThinDriver
from paytui.tui.guards.arming import QueryTerminal, TerminalAnswered
from paytui.tui.reporting_app import ReportingApp


class AskingApp(ReportingApp):
    """Asks when a screen wants it asked; the answer is heard behind the keys that came before it.

    Attributes:
        desk: knows what was asked.
    """

    desk: Desk
    _held_back: tuple[Callable[[int], None], ...] = ()

    def is_behind(self) -> bool:
        """Return True if the terminal has yet to take some of what was painted."""
        return isinstance(self._driver, ThinDriver) and self._driver.is_behind

    def find_out_whether_it_answers(self) -> None:
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
