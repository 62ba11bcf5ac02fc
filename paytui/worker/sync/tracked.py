"""Objects that are read one by one while the service has no list of their kind.

Created objects that it cannot return (service.md §4 documents few reads) have their fields from the
response to their creation; after a restart, from the request.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from decimal import Decimal
from typing import Any

from paytui.api.errors import ApiError, NoSuchRead, NotFound, NotOffered
from paytui.api.paging import ListCache
from paytui.api.resources import CHOSEN, READS
from paytui.config.settings import TrackedIdentifiers
from paytui.domain import models
from paytui.domain.intent import Action, IntentRow, IntentTerms
from paytui.store.health import Feed
from paytui.store.store import Store
from paytui.worker.sync.freshness import Part
from paytui.worker.sync.health import feed_after
from paytui.worker.sync.shared import (
    NOT_OFFERED_RETRY,
    Failure,
    PollLoop,
    Shared,
    failure_of,
    longest_rest,
    reading,
    rest,
    unexpected,
)


def as_created(row: models.Record) -> models.Record:
    """Mark an object that cannot be read; a wallet loses its balances."""
    if isinstance(row, models.PayInAddress) or (row.status is not None and row.status.as_created):
        return row
    name = "cannot be read"
    if row.status is not None:
        name = f"{row.status.name.replace('_', ' ')}, as created"
    status = models.State(name, known=False, as_created=True)
    if isinstance(row, models.Wallet):
        row = replace(row, available_balance=None, reserved_balance=None, pending_balance=None)
    return replace(row, status=status)


def recollected(store: Store, kind: models.Kind, identifier: str) -> models.Record | None:
    """Return an object with the fields of its request, or with its identifier alone.

    None if neither is of use.
    """
    intent, cls = _creation_of(store, kind, identifier), READS[kind].record
    if intent is None:
        return cls(identifier) if kind in CHOSEN else None  # type: ignore[arg-type] # of any kind
    first, *others = (each.name for each in fields(cls))
    told: dict[str, Any] = {name: getattr(intent.terms, name, None) for name in others}
    told |= {name: text for name, text in intent.terms.asked if name in others}
    if cls is models.Trade:
        told |= _legs(intent.terms)
    elif cls is models.Account:
        # Other fields are personal, and not kept.
        is_person = intent.action is Action.CREATE_INDIVIDUAL_ACCOUNT
        told["kind"] = "individual" if is_person else "corporate"
    known = {name: value for name, value in told.items() if value is not None}
    return cls(**{first: identifier, **known})


def with_addresses(row: models.Record, before: models.Record | None) -> models.Record:
    """Complete a recipient of which only the addresses could be read with its known fields."""
    if not isinstance(row, models.Recipient) or not isinstance(before, models.Recipient):
        return row
    if row != models.Recipient(row.recipient_id, payment_addresses=row.payment_addresses):
        return row
    addresses = row.payment_addresses or before.payment_addresses
    return as_created(replace(before, payment_addresses=addresses))


def _creation_of(store: Store, kind: models.Kind, identifier: str) -> IntentRow | None:
    rows = (one for one in store.intents.rows() if not one.is_colleagues)
    found = (one for one in rows if one.object_id == identifier and one.action.becomes is kind)
    return next(found, None)


def _legs(terms: IntentTerms) -> dict[str, str | Decimal | None]:
    side = "sell" if terms.currency == terms.sell_currency else "buy"
    return {
        "dealt_side": side,
        f"{side}_amount": terms.amount,
        "sell_wallet_id": terms.source_wallet_id,
        "buy_wallet_id": terms.destination_wallet_id,
    }


Tracked = Callable[[], TrackedIdentifiers]  # Returns the tracked identifiers; cheap to call

IN_VAIN = 6
"""Rounds without any read before the interval becomes `NOT_OFFERED_RETRY`: an object that was just
created may take a while to appear."""


class TrackedPoller(PollLoop):
    """A poller of single objects, for a kind that the service does not list.

    A failure of one identifier does not stop the others. An object without a read stays as its
    creation returned it.
    """

    def __init__(self, kind: models.Kind, tracked: Tracked, shared: Shared) -> None:
        super().__init__(kind, shared)
        self._tracked = tracked
        self._identifiers: tuple[str, ...] = ()
        self._parts: dict[str, Part] = {}
        self._unread: dict[str, models.Problem] = {}
        self._named: Mapping[str, models.Record] = {}
        self._has_worked = False
        self._in_vain = 0
        self._problem: models.Problem | None = None
        self._was_listed = False
        self._table = shared.store.table(kind)

    @property
    def _interval(self) -> float:
        return self._shared.schedule.interval(self.kind)

    def check(self, known: TrackedIdentifiers) -> None:
        """End the current pause if it is over, or if what it was based on has changed."""
        if self._shared.schedule.pauses(self.kind):
            return
        went_by = (self._identifiers, self._problem, self._was_listed)
        is_over = self._ends_at is not None and self._clock.monotonic() >= self._ends_at
        if is_over or (self._of(known), known.problem, self._is_listed(self.kind)) != went_by:
            self._wake.set()

    def _of(self, known: TrackedIdentifiers) -> tuple[str, ...]:
        return tuple(known.identifiers.get(self.kind, ()))

    def poll_now(self) -> None:
        super().poll_now()
        self._in_vain = 0

    async def _poll(self) -> float | None:
        shared = self._shared
        self._was_listed = self._is_listed(self.kind)
        known = self._tracked()
        self._problem = known.problem
        self._named = known.named.get(self.kind, {})
        self._take_up(self._of(known), listed=self._was_listed)
        if not self._identifiers:
            self._report_none()
            return None
        if self._was_listed:
            return None
        clock = shared.service_time.clock
        began = clock.monotonic()
        missing, failures = await self._round()
        took = clock.monotonic() - began
        self._report(missing, failures, every=max(self._interval, longest_rest(took)))
        if failures:
            return self._backoff.after_failure(max(f.retry_after or 0.0 for f in failures))
        if len(self._unread) == len(self._parts):
            self._in_vain += 1
            soon = self._backoff.after_failure(None)
            return soon if self._in_vain <= IN_VAIN else NOT_OFFERED_RETRY
        self._backoff.reset()
        self._in_vain = 0
        return rest(self._interval, took, shared.rng)

    def _take_up(self, known: tuple[str, ...], *, listed: bool) -> None:
        """Replace the identifiers; remove rows no longer tracked, unless the service lists them."""
        gone, self._identifiers = set(self._identifiers) - set(known), known
        unread = set(self._unread)
        self._parts = {each: self._parts.get(each, Part(each, total=1)) for each in known}
        self._unread = {key: why for key, why in self._unread.items() if key in self._parts}
        if listed or not gone:
            return
        # Only the newest created objects are tracked. Older ones without a read stay in the table.
        pushed_out = {one for one in gone & unread if self._is_ours(one)}
        self._table.remove(gone - pushed_out)
        store = self._shared.store
        feed = store.feed(self.kind)
        if not known and feed.tracked:
            feed = replace(feed, tracked=0, unread=0, remark="", total=None)
            store.set_feed(replace(feed, problem=None, failing_since=None))
        store.notify()

    def _report_none(self) -> None:
        store = self._shared.store
        feed = store.feed(self.kind)
        if feed.offered or feed.problem == self._problem:
            return
        since = None if self._problem is None else self._shared.service_time.earliest()
        store.set_feed(replace(feed, problem=self._problem, failing_since=since))
        store.notify()

    def _is_listed(self, kind: models.Kind) -> bool:
        """Return True if all objects are listed; lists per wallet need that of wallets."""
        upstream = READS[kind].parent
        offered = self._shared.store.feed(kind).offered
        return offered and (upstream is None or self._is_listed(upstream))

    async def _round(self) -> tuple[list[Failure], list[Failure]]:
        missing: list[Failure] = []
        failures: list[Failure] = []
        for identifier, part in self._parts.items():
            sent = self._clock.boot()
            try:
                part.age = await self._read(identifier)
                part.sent, part.trouble = sent - part.age, None
                self._unread.pop(identifier, None)
            except (NoSuchRead, NotOffered) as error:
                self._unread[identifier] = error.problem
                self._keep_as_created(identifier)
            except NotFound as error:
                if not self._has_worked and self._is_ours(identifier):
                    self._unread[identifier] = error.problem
                    self._keep_as_created(identifier)
                    continue
                self._unread.pop(identifier, None)
                self._table.remove([identifier])
                part.sent, part.trouble = sent, None
                missing.append(failure_of(error))
            except ApiError as error:
                self._shared.link.failed(error)
                failures.append(failure_of(error))
                part.trouble = error.problem
            except Exception as error:  # noqa: BLE001 - a bug must not stop other feeds
                failures.append(unexpected(reading(self.kind), error))
                part.trouble = failures[-1].problem
            if any(failure.concerns_all for failure in failures):
                break
        return missing, failures

    async def _read(self, identifier: str) -> float:
        """Read one object; return the seconds that the response lay in a cache."""
        shared, memory = self._shared, ListCache()
        async with shared.slots:
            row = await shared.client.get(self.kind, identifier, memory)
        shared.link.succeeded()
        self._has_worked = True
        self._table.put([with_addresses(row, self._known(identifier))])
        shared.store.notify()
        return memory.age

    def _keep_as_created(self, identifier: str) -> None:
        if (row := self._known(identifier)) is not None:
            self._table.put([as_created(row)])
            self._shared.store.notify()

    def _is_ours(self, identifier: str) -> bool:
        return _creation_of(self._shared.store, self.kind, identifier) is not None

    def _known(self, identifier: str) -> models.Record | None:
        known, named = self._table.get(identifier), self._named.get(identifier)
        if isinstance(known, models.Wallet) and isinstance(named, models.Wallet):
            return replace(known, currency=known.currency or named.currency)
        return known or named or recollected(self._shared.store, self.kind, identifier)

    def _report(self, missing: list[Failure], failures: list[Failure], every: float) -> None:
        store, time = self._shared.store, self._shared.service_time
        before = store.feed(self.kind)
        if before.offered:
            return  # some lists per wallet or recipient are read, and report their health
        parts = [part for key, part in self._parts.items() if key not in self._unread]
        unread = len(self._unread)
        remark = next((each.happened for each in self._unread.values()), "")
        feed = Feed(self.kind, every=every)
        if parts or failures or self._problem is not None:
            if len(missing) == len(parts):
                parts = [Part(part.parent, total=1) for part in parts]
            told = [replace(failure, offered=True) for failure in (*failures, *missing)]
            told += [] if self._problem is None else [Failure(self._problem)]
            feed = feed_after(before, parts, told, None, time, every=every)
        feed = replace(feed, tracked=len(self._identifiers), unread=unread)
        store.set_feed(replace(feed, offered=False, remark=remark or feed.remark))
        store.notify()
