"""An app whose crash prints one message, and nothing of what it was about."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text
from textual.app import App
from textual.worker import WorkerFailed

from paytui.platform.crash import Crashed, crash_words


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
            self._exit_renderables.append(Text(crash_words(cause, self.crashed(cause, on))))
        self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        """Lines as they are: the name of a file that is broken up cannot be copied."""
        for words in self._exit_renderables:
            self.error_console.print(words, soft_wrap=True)
        self._exit_renderables.clear()
