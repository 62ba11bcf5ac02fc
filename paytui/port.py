"""The one door from the screens to the worker.

Every method may be called from any thread, returns at once and never raises: what comes of it is
seen in the store.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Protocol

from paytui.domain.intent import Decision, Intent
from paytui.domain.models import Kind, Record
from paytui.domain.money import Pair
from paytui.domain.older_rows import OlderRowsQuery
from paytui.domain.rates import QuoteId


class Port(Protocol):
    """The interface of the worker for screens."""

    def refresh(self) -> None:
        """Read everything again now, and try a refused `/auth` again."""
        ...

    def read_every(self, intervals: Mapping[Kind, timedelta]) -> None:
        """Read each kind at this interval from now on."""
        ...

    def pause(self, *, paused: bool) -> None:
        """Read nothing by itself from now on, or go on; `refresh` reads once all the same."""
        ...

    def on_screen(self, kinds: Collection[Kind]) -> None:
        """Read these as often as they are to be, and what nobody looks at more seldom."""
        ...

    def watch_rates(self, pairs: tuple[Pair, ...]) -> None:
        """Hold a live rate sheet of these pairs from now on, a new one at each expiry; () = none.

        Sheets appear in the store's `rate_sheets`; only call it with pairs while they are visible,
        or while an alert waits for their rates.
        """
        ...

    def read_raw(self, kind: Kind, identifier: str) -> None:
        """Read this object for a person to see; it appears in the store's `raw_reads`.

        Only the newest wish counts: what was asked for before and has not come is given up.
        """
        ...

    def reach(self, kind: Kind, reach: OlderRowsQuery) -> None:
        """Bring what is not in memory into the store, where it is kept or the service tells it.

        Only the newest wish counts; what an earlier one brought may go again.
        """
        ...

    def ask_quote(self, quote_id: QuoteId, pair: Pair) -> None:
        """Lock a rate of this pair for the one who asks; it appears in the store's `quotes`."""
        ...

    def name(self, record: Record) -> None:
        """Add an object that no list shows, by its identifier and other known fields.

        It appears in the store as the service shows it; without a read, as it is given.
        """
        ...

    def submit(self, intent: Intent) -> None:
        """Carry out what a trader confirmed, once; follow it in the store's `intents`."""
        ...

    def decide(self, decision: Decision) -> None:
        """Settle or repeat an intent that is open, by a trader's word."""
        ...
