"""Textual's driver of a terminal, on a link that may be slow."""

from __future__ import annotations

from textual.drivers.linux_driver import LinuxDriver

from paytui.tui.thin import thin


class ThinDriver(LinuxDriver):
    """Sends no more than it takes."""

    def write(self, data: str) -> None:
        """Send what is painted, in fewer bytes."""
        super().write(thin(data))
