"""The known state of the service: versioned tables, their health, one lock, one wake-up."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from operator import attrgetter as of
from pathlib import Path
from threading import Lock
from typing import cast

from paytui.domain import models
from paytui.domain.colleagues import AttentionKey, AttentionNote, Colleague, SharedNote
from paytui.domain.desk_limits import DayUse, DeskLimits
from paytui.domain.intent import FruitlessReads, IntentId, IntentRow, SendPermission
from paytui.domain.rates import Quote, QuoteId
from paytui.store.colleagues import DeskState
from paytui.store.health import Feed, Link, WorkerMetrics
from paytui.store.rows_in_memory import Retention
from paytui.store.screen_rows import EventRow, ListenerStatus, RawRead
from paytui.store.table import Table, UiPriority

GROWING = frozenset({models.Kind.PAYMENTS, models.Kind.TRADES, models.Kind.PAYINS})
"""Kinds whose lists grow each day."""

HAPPENINGS_KEPT = 30


@dataclass(frozen=True, slots=True)
class CacheFile:
    """The file that the worker writes; after a failure it is another one, perhaps at its path."""

    path: Path
    opened: int


@dataclass(frozen=True, slots=True)
class CacheState:
    """A file as it was last written; equal states have the same rows.

    Attributes:
        writes: number of writes to it.
        whole: kinds of which the file has all rows.
    """

    file: CacheFile
    writes: int
    whole: frozenset[models.Kind]


@dataclass(frozen=True, slots=True)
class BookState:
    """The file of the history, for reading.

    Attributes:
        writes: number of writes to it by this process.
        problem: why nothing is recorded any more; None while it is.
    """

    path: Path
    writes: int = 0
    problem: models.Problem | None = None


Listener = Callable[[], None]


class Store:
    """All tables and their health, written by the worker's thread and read by screens.

    Args:
        retain: how many settled rows to keep of each list that only grows; None: all.
        recent: the period of which all rows stay besides.

    Attributes:
        sending: this process's permission to send intents.
        desk_limits: what the desk's database limits; nothing without a desk.
        day_use: what of the limits of a day is used; None while it is not known.
        approvals: the traders whose approval of a proposal is in the desk's log.
        desk: the link to colleagues; None without a desk.
        shared_notes: words on objects, which all traders of a desk see.
        health_version: changes with the health of feeds and link, but not with their age.
        vitals: metrics of the worker, some seconds old; a change does not wake listeners.
        looked: the look-ups of each intent in doubt; a change does not wake listeners.
        wake_ups: how often listeners were called.
        book: the file of the history; None if there is none.
        cache: the file that rows are written to; None if it lacks rows that memory released.
        paid: accounts to which a payment in the cache was sent and not returned.
        happenings: the last events of feeds and link, for crash reports; no value from outside.
    """

    def __init__(self, retain: int | None = None, recent: timedelta = timedelta(0)) -> None:
        self._lock = lock = Lock()
        self.looked: dict[IntentId, FruitlessReads] = {}
        self.accounts = Table[models.AccountId, models.Account](of("account_id"), lock)
        self.wallets = Table[models.WalletId, models.Wallet](of("wallet_id"), lock)
        self.payin_addresses = Table[models.PayInAddressId, models.PayInAddress](
            of("pay_in_address_id"), lock
        )
        self.payins = Table[models.PayInId, models.PayIn](of("pay_in_transaction_id"), lock)
        self.trades = Table[models.TradeId, models.Trade](of("trade_transaction_id"), lock)
        self.recipients = Table[models.RecipientId, models.Recipient](of("recipient_id"), lock)
        self.payment_addresses = Table[models.PaymentAddressId, models.PaymentAddress](
            of("payment_address_id"), lock
        )
        self.payments = Table[models.PaymentId, models.Payment](of("payment_transaction_id"), lock)
        self.rate_sheets = Table[models.RateSheetId, models.RateSheet](of("rate_sheet_id"), lock)
        self.quotes = Table[QuoteId, Quote](of("quote_id"), lock)
        self.raw_reads = Table[tuple[models.Kind, str], RawRead](of("kind", "key"), lock)
        self.intents = Table[IntentId, IntentRow](of("intent_id"), lock)
        self.attention = Table[AttentionKey, AttentionNote](of("key"), lock)
        self.colleagues = Table[int, Colleague](of("seat"), lock)
        self.shared_notes = Table[str, SharedNote](of("note_id"), lock)
        self.events = Table[int, EventRow](of("number"), lock)
        self._tables = [table for table in vars(self).values() if isinstance(table, Table)]
        self._retentions = {
            kind: Retention(self.table(kind), retain, recent)
            for kind in GROWING
            if retain is not None
        }
        self._feeds = {kind: Feed(kind) for kind in models.Kind}
        self._confirmed: set[models.Kind] = set()
        self.link = Link()
        self.sending = SendPermission()
        self.desk_limits = DeskLimits()
        self.day_use: DayUse | None = None
        self.approvals: Mapping[IntentId, Sequence[str]] = {}
        self.desk: DeskState | None = None
        self.listening = ListenerStatus()
        self.cache: CacheState | None = None
        self.book: BookState | None = None
        self.paid: frozenset[models.PaymentAddressId] = frozenset()
        self.health_version = 0
        self.happenings: deque[str] = deque(maxlen=HAPPENINGS_KEPT)
        self.ui_priority = UiPriority()
        self._announced: tuple[int, ...] = ()
        self._told: tuple[object, ...] = ()
        self._listeners: tuple[Listener, ...] = ()
        self.vitals: WorkerMetrics | None = None
        self.wake_ups = 0

    def table(self, kind: models.Kind) -> Table[str, models.Record]:
        """Return the table of a kind; the kind's value is its name."""
        return cast("Table[str, models.Record]", getattr(self, kind.value))

    def retention(self, kind: models.Kind) -> Retention | None:
        return self._retentions.get(kind)

    def left_out(self, kind: models.Kind) -> int:
        """Return how many rows of a completely read list are not in memory."""
        retention, feed = self._retentions.get(kind), self._feeds[kind]
        if retention is None or retention.since is None or feed.cut or feed.total is None:
            return 0
        return max(0, feed.total - len(self.table(kind)))

    def is_long(self, kind: models.Kind) -> bool:
        """Return True if a list has more rows than stay in memory."""
        retention, total = self._retentions.get(kind), self._feeds[kind].total or 0
        return retention is not None and (retention.since is not None or total > retention.most)

    def feed(self, kind: models.Kind) -> Feed:
        return self._feeds[kind]

    def set_feed(self, feed: Feed) -> None:
        """Record the outcome of a read; listeners are woken only if the health changed.

        The first complete read removes recalled rows that it did not contain.
        """
        before = self._feeds[feed.kind]
        if feed.was_read and not (feed.cut or feed.skipped) and feed.kind not in self._confirmed:
            self._confirmed.add(feed.kind)
            self.table(feed.kind).remove_unconfirmed()
        if not feed.same_health(before):
            self.health_version += 1
            self.happenings.append(f"{feed.kind} {feed.standing}")
        self._feeds[feed.kind] = feed

    def set_link(self, link: Link) -> None:
        if link != self.link:
            self.health_version += 1
            self.happenings.append(f"link {link.state}")
        self.link = link

    def set_sending(self, sending: SendPermission) -> None:
        if sending != self.sending:
            self.health_version += 1
            self.happenings.append(f"sending {'on' if sending.allowed else 'off'}")
        self.sending = sending

    def set_desk(self, desk: DeskState) -> None:
        """Note a look at the desk; listeners are woken only if it fails, or no longer does."""
        self.health_version += self.desk is None or desk.problem != self.desk.problem
        self.desk = desk

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` after changes, in the worker's thread; it must not block or raise.

        Return a function that ends the subscription; any thread may call it.
        """
        with self._lock:
            self._listeners = (*self._listeners, listener)

        def unsubscribe() -> None:
            with self._lock:
                self._listeners = tuple(kept for kept in self._listeners if kept is not listener)

        return unsubscribe

    @property
    def changes(self) -> int:
        """Return the number of changes so far, without a lock."""
        return sum(table.version for table in self._tables)

    def notify(self) -> None:
        """Call the listeners if anything changed since the last call, by a method or assignment."""
        told = (self.desk_limits, self.approvals, self.listening, self.cache, self.book)
        self.health_version += told != self._told
        self._told = told
        versions = (*(table.version for table in self._tables), self.health_version)
        if versions == self._announced:
            return
        self._announced = versions
        self.wake_ups += 1
        for listener in self._listeners:
            listener()
