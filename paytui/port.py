"""The one door from the screens to the worker.

Every method may be called from any thread, returns at once and never raises: what comes of it is
seen in the store.
"""

from __future__ import annotations

from typing import Protocol

from paytui.money import Pair


class Port(Protocol):
    """What a screen may ask of the worker."""

    def refresh(self) -> None:
        """Read everything again now, and try a refused `/auth` again."""
        ...

    def watch_rates(self, pairs: tuple[Pair, ...]) -> None:
        """Hold a live rate sheet of these pairs from now on, a new one at each expiry; () = none.

        Sheets appear in the store's `rate_sheets`; only call it with pairs while they are visible.
        """
        ...
