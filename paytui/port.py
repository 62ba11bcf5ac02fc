"""The interface between screens and worker.

Every method may be called from any thread, returns at once and never raises. Results appear in the
store.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Protocol

from paytui.domain.colleagues import AttentionNote, OpenTicket
from paytui.domain.intent import Decision, Intent
from paytui.domain.models import Kind, Record
from paytui.domain.money import Pair
from paytui.domain.rates import QuoteId


class Port(Protocol):
    """The worker's methods for screens."""

    def refresh(self) -> None:
        """Read everything again now, and retry a refused `/auth`."""

    def read_every(self, intervals: Mapping[Kind, timedelta]) -> None:
        """Read each kind at this interval from now on."""

    def pause(self, *, paused: bool) -> None:
        """Stop or resume periodic reads; `refresh` still reads once."""

    def on_screen(self, kinds: Collection[Kind]) -> None:
        """Read visible kinds at their intervals, and all others less often."""

    def watch_rates(self, pairs: tuple[Pair, ...]) -> None:
        """Keep a live rate sheet of these pairs from now on; () stops it.

        A new sheet replaces each expired one in the store's `rate_sheets`: one request every two
        and a half minutes, whatever is visible, as the history and the alerts need all of them.
        """

    def read_raw(self, kind: Kind, identifier: str) -> None:
        """Read this object for display; it appears in the store's `raw_reads`.

        A newer call cancels an unfinished one.
        """

    def load_row(self, kind: Kind, identifier: str) -> None:
        """Load a row that is not in memory into the store, from the cache and the service.

        Only the newest call counts; the row of an earlier one may be dropped again.
        """

    def ask_quote(self, quote_id: QuoteId, pair: Pair) -> None:
        """Request a rate sheet of this pair for one screen; it appears in the store's `quotes`."""

    def add_object(self, record: Record) -> None:
        """Add an object that no list shows, by its identifier and known fields.

        The store shows it as the service returns it, or as given if it cannot be read.
        """

    def note_attention(self, note: AttentionNote) -> None:
        """Record that an item was acknowledged or snoozed, or is neither any more."""

    def tell_ticket(self, ticket: OpenTicket | None) -> None:
        """Tell the colleagues which ticket is open here; nothing without a desk."""

    def add_note(self, subject: str, words: str) -> None:
        """Add a note for all traders of the desk; see `subject_of`. Nothing without a desk."""

    def submit(self, intent: Intent) -> None:
        """Carry out a confirmed intent once; its status appears in the store's `intents`."""

    def decide(self, decision: Decision) -> None:
        """Settle or repeat an open intent by a trader's decision."""
