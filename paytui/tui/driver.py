"""Textual's driver of a terminal, on a link that may be slow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.drivers.linux_driver import LinuxDriver

from paytui.tui.thin import thin
from paytui.tui.tty import OPEN_SCREEN

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

    def start_application_mode(self) -> None:
        """Take the terminal over from what stands on it; a screen that is open stays as it is."""
        self._is_open = self._app.early.hand_over()
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def write(self, data: str) -> None:
        """Send what is painted, in fewer bytes."""
        if self._is_open and data == OPEN_SCREEN:
            self._is_open = False
            return
        thinned = thin(data)
        self._app.painting.note(thinned)
        super().write(thinned)
