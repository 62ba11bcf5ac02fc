"""Textual's driver of a terminal, on a link that may be slow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.drivers.linux_driver import LinuxDriver
from textual.events import InputEvent
from textual.message import Message

from paytui.tui.terminal.keyboard import StopEvent, read_keys
from paytui.tui.terminal.output import minimise_sgr, pin_cell_width
from paytui.tui.terminal.tty import OPEN_SCREEN, in_ascii

if TYPE_CHECKING:
    from paytui.tui.app import PaytuiApp


class ThinDriver(LinuxDriver):
    """Sends no more than it takes, and counts it."""

    _app: PaytuiApp

    @property
    def is_behind(self) -> bool:
        """Whether the terminal has yet to take some of what was sent."""
        return self._writer_thread is not None and not self._writer_thread._queue.empty()  # noqa: SLF001 - it tells nobody else

    _is_open = False
    _is_going_on = False

    def __init__(
        self,
        app: PaytuiApp,
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        """See `Driver`."""
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self.exit_event: StopEvent = StopEvent()

    def run_input_thread(self) -> None:
        """Read what is typed until the driver is told to stop, or the terminal is gone."""
        read_keys(self.fileno, self.exit_event, self.process_message)

    def process_message(self, message: Message) -> None:
        """Take what was typed; it is answered before anything else is done."""
        if isinstance(message, InputEvent):
            self._app.note_keypress()
        super().process_message(message)

    def _run_input_thread(self) -> None:
        try:
            self.run_input_thread()
        except Exception as error:  # noqa: BLE001 - it is told as any other mistake of ours is
            self._app.call_later(self._app._handle_exception, error)  # noqa: SLF001

    def _sigtstp_application(self, *arguments: object) -> None:
        """Stop, unless it is about to go on: the terminal is half taken over by then."""
        if not self._is_going_on:
            super()._sigtstp_application(*arguments)

    def _sigcont_application(self, *arguments: object) -> None:
        """Go on after a stop; one that nobody announced (SIGSTOP) left nothing as a shell wants it.

        Textual would start a second reader beside the one that goes on.
        """
        if self._is_going_on:
            return
        self._is_going_on = True
        try:
            if self._key_thread is not None and self._key_thread.is_alive():
                self.suspend_application_mode()
            super()._sigcont_application(*arguments)
        finally:
            self._is_going_on = False
        self._app.call_later(self._app.refresh, layout=True)  # nothing of it stands there any more

    def start_application_mode(self) -> None:
        """Take the terminal over from what stands on it; a screen that is open stays as it is."""
        self._is_open = self._app.early.hand_over()
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def write(self, data: str) -> None:
        """Send what is painted, in fewer bytes."""
        if self._is_open and data == OPEN_SCREEN:
            self._is_open = False
            return
        thinned = minimise_sgr(data)
        thinned = in_ascii(thinned) if self._app.in_ascii else pin_cell_width(thinned)
        self._app.painting.note(thinned)
        super().write(thinned)
