"""An app whose crash prints one message, and nothing of what it was about."""

from __future__ import annotations

from rich.console import RenderableType
from rich.segment import Segments
from rich.text import Text
from textual.app import App
from textual.worker import WorkerFailed

from paytui.crash import Crashed, crash_words


class ReportingApp(App[None]):
    """Has a crash kept, and says where.

    Attributes:
        crashed: keeps it.
    """

    crashed: Crashed

    def panic(self, *_: RenderableType) -> None:
        """End after a crash, whatever else there would be to print of it."""
        self._fatal_error()

    def _fatal_error(self) -> None:
        """End after a crash; Textual's own report would print local variables, secrets included."""
        error = self._exception
        if error is not None and not self._exit_renderables:
            cause = error.error if isinstance(error, WorkerFailed) else error
            on = [type(screen).__name__ for screen in self.screen_stack]
            words = Text(crash_words(cause, self.crashed(cause, on)))
            self._exit_renderables.append(Segments(list(self.console.render(words))))
        self._close_messages_no_wait()
