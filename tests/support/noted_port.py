"""A port with nothing behind it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import timedelta

from paytui.domain.colleagues import AttentionNote, OpenTicket
from paytui.domain.intent import Decision, Intent
from paytui.domain.models import Kind, Record
from paytui.domain.money import Pair
from paytui.domain.rates import QuoteId


class NotedPort:
    """A port that notes what it was asked for."""

    def __init__(self) -> None:
        self.refreshes = 0
        self.intervals: list[Mapping[Kind, timedelta]] = []
        self.paused: list[bool] = []
        self.seen: list[frozenset[Kind]] = []
        self.watched: list[tuple[Pair, ...]] = []
        self.raw_reads: list[tuple[Kind, str]] = []
        self.loaded: list[tuple[Kind, str]] = []
        self.quotes: list[tuple[QuoteId, Pair]] = []
        self.named: list[Record] = []
        self.noted: list[AttentionNote] = []
        self.tickets: list[OpenTicket | None] = []
        self.notes: list[tuple[str, str]] = []
        self.submitted: list[Intent] = []
        self.decided: list[Decision] = []

    def refresh(self) -> None:
        self.refreshes += 1

    def read_every(self, intervals: Mapping[Kind, timedelta]) -> None:
        self.intervals.append(intervals)

    def pause(self, *, paused: bool) -> None:
        self.paused.append(paused)

    def on_screen(self, kinds: Collection[Kind]) -> None:
        self.seen.append(frozenset(kinds))

    def watch_rates(self, pairs: tuple[Pair, ...]) -> None:
        self.watched.append(pairs)

    def read_raw(self, kind: Kind, identifier: str) -> None:
        self.raw_reads.append((kind, identifier))

    def load_row(self, kind: Kind, identifier: str) -> None:
        self.loaded.append((kind, identifier))

    def ask_quote(self, quote_id: QuoteId, pair: Pair) -> None:
        self.quotes.append((quote_id, pair))

    def add_object(self, record: Record) -> None:
        self.named.append(record)

    def note_attention(self, note: AttentionNote) -> None:
        self.noted.append(note)

    def tell_ticket(self, ticket: OpenTicket | None) -> None:
        self.tickets.append(ticket)

    def add_note(self, subject: str, words: str) -> None:
        self.notes.append((subject, words))

    def submit(self, intent: Intent) -> None:
        self.submitted.append(intent)

    def decide(self, decision: Decision) -> None:
        self.decided.append(decision)
