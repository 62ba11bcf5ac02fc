"""An app that asks its terminal what that has drawn: see `guards.arming`."""

from __future__ import annotations

from collections.abc import Callable

from paytui.tui.desk import Desk
from paytui.tui.guards.arming import QUERY, QueryTerminal, TerminalAnswered
from paytui.tui.reporting_app import ReportingApp


class AskingApp(ReportingApp):
    """Asks when a screen wants it asked; the answer is heard behind the keys that came before it.

    Attributes:
        desk: knows what was asked.
    """

    desk: Desk
    _held_back: tuple[Callable[[], None], ...] = ()

    def find_out_whether_it_answers(self) -> None:
        """Ask for the first time."""
        self.desk.questions.ask(self.desk.time.clock.monotonic())
        self._unless_held(self._query_terminal)

    def on_query_terminal(self, wish: QueryTerminal) -> None:
        """Ask the terminal, once what a screen has just changed is painted."""

        def ask() -> None:
            wish.laid_out()
            self._query_terminal()

        self.call_after_refresh(self._unless_held, ask)

    def on_cursor_position(self) -> None:
        """The terminal answers: it has drawn what was sent before it was asked."""
        number = self.desk.questions.answer()
        if number is not None:
            self._send_behind_keys(TerminalAnswered(number, again=True))

    def on_terminal_answered(self, answer: TerminalAnswered) -> None:
        """An answer has made its way as a key does."""
        if answer.again:
            self._send_behind_keys(TerminalAnswered(answer.number, again=False))
        else:
            self.desk.questions.hear(answer.number)

    def _query_terminal(self) -> None:
        if self._driver is not None:
            self._driver.write(QUERY)

    def _unless_held(self, then: Callable[[], None]) -> None:
        """Do it now, or after painting is held back: before, nothing is laid out or painted."""
        if self._batch_count:
            self._held_back += (then,)
        else:
            then()

    def _end_batch(self) -> None:
        super()._end_batch()
        if not self._batch_count:
            held_back, self._held_back = self._held_back, ()
            for then in held_back:
                self.call_after_refresh(self._unless_held, then)

    def _send_behind_keys(self, answer: TerminalAnswered) -> None:
        (self.focused or self.screen).post_message(answer)
