"""The known state of the service: versioned tables, their health, one lock, one wake-up."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Protocol, cast

from paytui.domain.intent import FruitlessReads, IntentId, IntentRow, SendPermission
from paytui.domain.models import (
    Account,
    AccountId,
    Kind,
    PayIn,
    PayInAddress,
    PayInAddressId,
    PayInId,
    Payment,
    PaymentAddress,
    PaymentAddressId,
    PaymentId,
    RateSheet,
    RateSheetId,
    Recipient,
    RecipientId,
    Record,
    Trade,
    TradeId,
    Wallet,
    WalletId,
)
from paytui.domain.rates import Quote, QuoteId
from paytui.platform.crash import Breadcrumbs
from paytui.store.health import Feed, Link, WorkerMetrics
from paytui.store.reports import EventKey, EventRow, ListenerStatus, RawRead
from paytui.store.retention import GROWING, Retention
from paytui.store.table import Table, UiPriority


class Versioned(Protocol):
    """An object whose changes are numbered."""

    @property
    def version(self) -> int: ...


Listener = Callable[[], None]


class Store:
    """All tables and their health, written by the worker's thread and read by screens.

    Args:
        retain: how many settled rows to keep of each list that only grows; None: all.

    Attributes:
        vitals: metrics of the worker, some seconds old; a change does not wake listeners.
        looked: the look-ups of each intent in doubt; a change does not wake listeners.
        wake_ups: how often listeners were called.
        happenings: the last events of feeds and link, for crash reports.
        ui_priority: makes long work yield to the screens.
    """

    def __init__(self, retain: int | None = None) -> None:
        self._lock = lock = Lock()
        self.looked: dict[IntentId, FruitlessReads] = {}
        self.accounts = Table[AccountId, Account](lambda row: row.account_id, lock)
        self.wallets = Table[WalletId, Wallet](lambda row: row.wallet_id, lock)
        self.payin_addresses = Table[PayInAddressId, PayInAddress](
            lambda row: row.pay_in_address_id, lock
        )
        self.payins = Table[PayInId, PayIn](lambda row: row.pay_in_transaction_id, lock)
        self.trades = Table[TradeId, Trade](lambda row: row.trade_transaction_id, lock)
        self.recipients = Table[RecipientId, Recipient](lambda row: row.recipient_id, lock)
        self.payment_addresses = Table[PaymentAddressId, PaymentAddress](
            lambda row: row.payment_address_id, lock
        )
        self.payments = Table[PaymentId, Payment](lambda row: row.payment_transaction_id, lock)
        self.rate_sheets = Table[RateSheetId, RateSheet](lambda row: row.rate_sheet_id, lock)
        self.quotes = Table[QuoteId, Quote](lambda row: row.quote_id, lock)
        self.raw_reads = Table[tuple[Kind, str], RawRead](lambda row: (row.kind, row.key), lock)
        self.intents = Table[IntentId, IntentRow](lambda row: row.intent_id, lock)
        self.events = Table[EventKey, EventRow](lambda row: row.event_key, lock)
        self._tables: tuple[Versioned, ...] = (
            self.accounts,
            self.wallets,
            self.payin_addresses,
            self.payins,
            self.trades,
            self.recipients,
            self.payment_addresses,
            self.payments,
            self.rate_sheets,
            self.quotes,
            self.raw_reads,
            self.intents,
            self.events,
        )
        self._retentions = {
            kind: Retention(self.table(kind), retain) for kind in GROWING if retain is not None
        }
        self._feeds = {kind: Feed(kind) for kind in Kind}
        self._confirmed: set[Kind] = set()
        self._link = Link()
        self._sending = SendPermission()
        self._listening = ListenerStatus()
        self._health_version = 0
        self.happenings = Breadcrumbs()
        self.ui_priority = UiPriority()
        self._announced: tuple[int, ...] = ()
        self._listeners: tuple[Listener, ...] = ()
        self.vitals: WorkerMetrics | None = None
        self.wake_ups = 0

    def table(self, kind: Kind) -> Table[str, Record]:
        """Return the table of a kind; the kind's value is its name."""
        return cast("Table[str, Record]", getattr(self, kind.value))

    def retention(self, kind: Kind) -> Retention | None:
        """Return the limit of a table; None without one."""
        return self._retentions.get(kind)

    def left_out(self, kind: Kind) -> int:
        """Return how many rows of a completely read list are not in memory."""
        retention, feed = self._retentions.get(kind), self._feeds[kind]
        if retention is None or not retention.in_force or feed.cut or feed.total is None:
            return 0
        return max(0, feed.total - len(self.table(kind)))

    def feed(self, kind: Kind) -> Feed:
        """Return the health of a table, with the age of its newest read."""
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
            self._health_version += 1
            self.happenings.note(f"{feed.kind} {feed.standing}")
        self._feeds[feed.kind] = feed

    @property
    def link(self) -> Link:
        """The state of the link to the service."""
        return self._link

    def set_link(self, link: Link) -> None:
        """Record the state of the link to the service."""
        if link != self._link:
            self._health_version += 1
            self.happenings.note(f"link {link.state}")
        self._link = link

    @property
    def sending(self) -> SendPermission:
        """Return this process's permission to send intents."""
        return self._sending

    def set_sending(self, sending: SendPermission) -> None:
        """Record this process's permission to send intents."""
        if sending != self._sending:
            self._health_version += 1
            self.happenings.note(f"sending {'on' if sending.allowed else 'off'}")
        self._sending = sending

    @property
    def listening(self) -> ListenerStatus:
        """Return the state of the webhook listener."""
        return self._listening

    def set_listening(self, listening: ListenerStatus) -> None:
        """Record the state of the webhook listener."""
        if listening != self._listening:
            self._health_version += 1
        self._listening = listening

    @property
    def health_version(self) -> int:
        """A number that changes with the health of feeds and link, but not with their age."""
        return self._health_version

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` after changes, in the worker's thread; it must not block or raise.

        Returns:
            A function that ends the subscription; any thread may call it.
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
        """Call the listeners if anything changed since the last call."""
        versions = (*(table.version for table in self._tables), self._health_version)
        if versions == self._announced:
            return
        self._announced = versions
        self.wake_ups += 1
        for listener in self._listeners:
            listener()
