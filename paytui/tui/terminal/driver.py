"""The terminal driver: Textual's, adapted to slow links."""

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
    """Minimises and counts the bytes sent, and reads input with our own parser."""

    _app: PaytuiApp

    @property
    def is_behind(self) -> bool:
        """Return True if the terminal has not read all output yet."""
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
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self.exit_event: StopEvent = StopEvent()

    def run_input_thread(self) -> None:
        """Read input until the driver is stopped or the terminal is gone."""
        read_keys(self.fileno, self.exit_event, self.process_message)

    def process_message(self, message: Message) -> None:
        """Pass on input, ahead of long reads."""
        if isinstance(message, InputEvent):
            self._app.note_keypress()
        super().process_message(message)

    def _run_input_thread(self) -> None:
        try:
            self.run_input_thread()
        except Exception as error:  # noqa: BLE001 - reported like any other crash
            self._app.call_later(self._app._handle_exception, error)  # noqa: SLF001

    def _sigtstp_application(self, *arguments: object) -> None:
        """Stop, unless a resume is under way and the terminal half taken over."""
        if not self._is_going_on:
            super()._sigtstp_application(*arguments)

    def _sigcont_application(self, *arguments: object) -> None:
        """Resume after SIGCONT. SIGSTOP gave no chance to restore the terminal, so do it now.

        Otherwise Textual would start a second input thread beside the first.
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
        self._app.call_later(self._app.refresh, layout=True)  # the screen was erased meanwhile

    def start_application_mode(self) -> None:
        """Take over the terminal; keep a splash screen that is shown."""
        self._is_open = self._app.early.hand_over()
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def write(self, data: str) -> None:
        """Send output in fewer bytes."""
        if self._is_open and data == OPEN_SCREEN:
            self._is_open = False
            return
        thinned = minimise_sgr(data)
        thinned = in_ascii(thinned) if self._app.in_ascii else pin_cell_width(thinned)
        self._app.painting.note(thinned)
        super().write(thinned)
