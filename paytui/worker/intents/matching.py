"""Comparison of the service's objects with intents: matches, differences and candidates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal

from paytui.api.http.request_sender import Sender
from paytui.api.resources import KIND_OF, READS, identifier_of
from paytui.domain import models, requests
from paytui.domain.intent import Action, Intent, IntentId, IntentTerms, tags_of
from paytui.domain.money import Pair, minor_units, other_amount, plain
from paytui.outbox.entry import Entry, EventKind, PurgedBody, RecordedIntent
from paytui.platform.clock import ServiceTime
from paytui.store.store import Store

_KNOWN_BY: Mapping[type[requests.CreationRequest], tuple[str, ...]] = {
    requests.IndividualAccountRequest: ("email", "first_name", "last_name"),
    requests.CorporateAccountRequest: ("company_name", "registration_number", "email"),
    requests.WalletRequest: ("account_id", "currency", "wallet_name"),
    requests.PayInAddressRequest: ("wallet_id", "pay_in_address_type"),
    requests.RecipientRequest: ("account_id", "first_name", "last_name", "company_name"),
    requests.PaymentAddressRequest: ("recipient_id", "currency", "account_number", "iban"),
}
"""The fields that identify the object of a request, as far as they were filled in."""


def made_otherwise(asked: Iterable[tuple[str, str]], record: models.Record) -> Iterator[str]:
    """Yield in words each difference of a created object that would send money elsewhere."""
    for path, wanted in asked:
        told = _told_at(record, path)
        if told is not None and not _is_same(path, told, wanted) and not set(told) & _MASKS:
            name = path.rpartition(".")[2].replace("_", " ")
            yield f"The {name} that was made is {told}; {wanted} was asked for."


_COMPARED = frozenset(
    {"account_id", "currency", "wallet_id", "pay_in_address_type", "account_number", "iban"}
)
_MASKS = frozenset("*•…")  # Characters that mask a part of an account number


def _told_at(record: models.Record, path: str) -> str | None:
    """Return the object's value at a request's path; None if it is missing or not compared."""
    *outer, name = path.split(".")
    holder: object = record
    if outer:
        addresses = record.payment_addresses if isinstance(record, models.Recipient) else ()
        holder = addresses[0] if len(addresses) == 1 else None
    told = getattr(holder, name, None)
    return told if name in _COMPARED and isinstance(told, str) else None


def _is_same(name: str, told: object, wanted: str) -> bool:
    if name.endswith("_id"):
        return told == wanted
    return isinstance(told, str) and _plain(told) == _plain(wanted)


def _plain(text: str) -> str:
    """Remove spelling differences: case, and spaces and dashes in numbers."""
    return "".join(filter(str.isalnum, text)).casefold()


def with_parents(record: models.Record, terms: IntentTerms) -> models.Record:
    """Complete an object with the requested parent, if the response omits it."""
    match record:
        case models.Wallet():
            owner, currency = record.account_id or terms.account_id, record.currency
            return replace(record, account_id=owner, currency=currency or terms.currency)
        case models.PayInAddress():
            return replace(record, wallet_id=record.wallet_id or terms.destination_wallet_id)
        case models.Recipient():
            return replace(record, account_id=record.account_id or terms.account_id)
        case models.PaymentAddress():
            return replace(record, recipient_id=record.recipient_id or terms.recipient_id)
        case _:
            return record


_Compared = list[tuple[str, str | Decimal | None, str | Decimal | None]]
"""What was confirmed and what was booked, by name."""


def differences(terms: IntentTerms, record: models.Record) -> tuple[str, ...]:
    """Return in words what the service booked differently. Omitted fields are no difference."""
    derived: tuple[str, ...] = ()
    match record:
        case models.Trade():
            compared, derived = _of_trade(terms, record), tuple(_other_side(record, terms))
            if not derived and _is_shortened(record, terms):
                compared = [one for one in compared if one[0] != "rate"]
        case models.Payment():
            compared = [
                ("amount", terms.amount, record.amount),
                ("currency", terms.currency, record.currency),
                ("source", terms.source_wallet_id, record.source_wallet_id),
                ("destination", terms.destination_wallet_id, record.destination_wallet_id),
                ("recipient", terms.recipient_id, record.recipient_id),
                ("payment address", terms.payment_address_id, record.payment_address_id),
            ]
        case _:
            return tuple(made_otherwise(terms.asked, record))
    direct = (
        f"The {name} that was booked is {_words(theirs)}; {_words(ours)} was confirmed."
        for name, ours, theirs in compared
        if ours is not None and theirs is not None and ours != theirs
    )
    return (*direct, *derived)


def _of_trade(terms: IntentTerms, trade: models.Trade) -> _Compared:
    return [
        ("amount", terms.amount, _fixed_amount(terms, trade)),
        ("rate", terms.rate, trade.rate),
        ("source", terms.source_wallet_id, trade.sell_wallet_id),
        ("destination", terms.destination_wallet_id, trade.buy_wallet_id),
        ("recipient", terms.recipient_id, trade.recipient_id),
        ("payment address", terms.payment_address_id, trade.payment_address_id),
        ("sold currency", terms.sell_currency, trade.sell_currency),
        ("bought currency", terms.buy_currency, trade.buy_currency),
    ]


def _fixed_amount(terms: IntentTerms, record: models.Trade | models.Payment) -> Decimal | None:
    """Return the amount that was booked on the side that the terms fix."""
    if isinstance(record, models.Payment):
        return record.amount
    return record.sell_amount if terms.currency == terms.sell_currency else record.buy_amount


def _other_side(trade: models.Trade, terms: IntentTerms) -> Iterator[str]:
    """Yield a difference if the amount that was not fixed does not follow from the rate.

    The service may round to the last minor unit in either direction. A booked rate that was not
    locked may be rounded too: then any amount that follows from an unrounded rate is accepted.
    """
    rate, sold, bought = terms.rate or trade.rate, terms.sell_currency, terms.buy_currency
    pair = None if sold is None or bought is None else Pair(sold, bought)
    sells = terms.currency == terms.sell_currency
    told = trade.buy_amount if sells else trade.sell_amount
    fixed, amount = terms.currency, terms.amount
    if rate is None or told is None or fixed is None or amount is None or pair is None:
        return
    slack = Decimal(0) if terms.rate else Decimal(5).scaleb(_exponent(rate) - 1)
    rates = (rate, rate - slack, rate + slack)
    try:
        expected, *bounds = (other_amount(pair, fixed, amount, at) for at in rates)
    except ArithmeticError:  # an impossible rate
        return
    unit = Decimal(1).scaleb(-minor_units(pair.buy if sells else pair.sell))
    least, most = (edge(bound or Decimal(0) for bound in bounds) for edge in (min, max))
    if expected is not None and not least - unit <= told <= most + unit:
        side, whose = "bought" if sells else "sold", "confirmed" if terms.rate else "booked"
        yield (
            f"The {side} amount that was booked is {_words(told)}; "
            f"{_words(expected)} follows from the {whose} rate."
        )


def _is_shortened(trade: models.Trade, terms: IntentTerms) -> bool:
    """Return True if a trade shows the confirmed rate with fewer digits than the sheet.

    Both amounts are required, since they prove the rate.
    """
    amounts = trade.sell_amount, trade.buy_amount
    if trade.rate is None or terms.rate is None or None in amounts:
        return False
    return abs(trade.rate - terms.rate) < Decimal(1).scaleb(_exponent(trade.rate))


def _exponent(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def _words(value: str | Decimal | None) -> str:
    return plain(value) if isinstance(value, Decimal) else str(value)


BEFORE, AFTER = timedelta(seconds=10), timedelta(minutes=15)
"""Tolerance around the time of sending for the creation of an object: clocks differ, and a service
may continue long after a request was given up."""

TAGGED_AFTER = timedelta(days=1)
"""The same for an object with the intent's identifier, which a later object may copy. It cannot be
copied before it exists: an object that seems older was dated by another clock."""

LONG_BEFORE = timedelta(days=1)
"""Tolerance if objects may be dated by another clock than the `Date` header, or by local time."""

_PAYMENT_TYPE = {Action.CREATE_PAYOUT: "payout", Action.CREATE_TRANSFER: "transfer"}


def may_match(
    recorded: RecordedIntent, record: models.Record, *, tagged: bool, loosely: bool = False
) -> bool:
    """Return True if an intent may have become an object that carries no other intent's tag.

    Args:
        tagged: True if its reference carries the intent's identifier.
        loosely: True if another clock, or local time, may have dated it.
    """
    entry = recorded.entry
    return (
        isinstance(record, models.Trade | models.Payment)
        and KIND_OF[type(record)] is entry.action.becomes
        and is_in_time_window(recorded, record.created_at, tagged=tagged, loosely=loosely)
        and _same_type(entry.action, record)
        and _same(entry.terms, record)
        and (tagged or not tags_of(record.reference))
    )


def why_another(recorded: RecordedIntent, record: models.Record) -> str | None:
    """Return in words why the object of a response cannot be the intent's; None if it can.

    An object with the intent's identifier always is. A service may truncate or replace references:
    then an object that matches the terms and the time of sending is accepted.
    """
    entry = recorded.entry
    if not isinstance(record, models.Trade | models.Payment) or entry.intent_id in tags_of(
        record.reference
    ):
        return None
    if tags_of(record.reference):
        return "carries another reference"
    is_new = record.created_at is not None and may_match(recorded, record, tagged=False)
    if record.reference and not is_new and entry.intent_id in tags_of(entry.terms.reference):
        return f"does not carry {entry.intent_id} in its reference"
    first, created = _sent(recorded)[0], record.created_at
    if _is_timed(recorded) and created is not None and created < first - LONG_BEFORE:
        return f"was created at {created:%Y-%m-%d %H:%M:%S} UTC, before it was sent"
    if found := differences(entry.terms, record):
        return f"is not what was confirmed. {found[0]}"
    return None


def is_in_time_window(
    recorded: RecordedIntent, created_at: datetime | None, *, tagged: bool, loosely: bool = False
) -> bool:
    """Return True if the object was created while the intent was sent, or at an unknown time.

    An object with the intent's identifier may seem older or later, unless the host's clock alone
    dated the sending: a copy, made days later, could then seem as old.
    """
    if created_at is None:
        return True
    first, last = _sent(recorded)
    if tagged and _is_timed(recorded):
        return created_at <= last + TAGGED_AFTER
    if loosely:
        return first - LONG_BEFORE <= created_at <= last + LONG_BEFORE
    return first - BEFORE <= created_at <= last + AFTER


def _is_timed(recorded: RecordedIntent) -> bool:
    """Return False if the host's clock alone dated a sending: it may be days off."""
    return all(one.not_before for one in recorded.events if one.kind is EventKind.SENDING)


def _sent(recorded: RecordedIntent) -> tuple[datetime, datetime]:
    """Return the first and last time of sending; before that, the time of confirmation."""
    sent = [event for event in recorded.events if event.kind is EventKind.SENDING]
    if not sent:
        return (recorded.entry.confirmed_at,) * 2
    # The estimate of the service's clock may have been wrong at any attempt.
    return min(each.not_before or each.at for each in sent), max(each.at for each in sent)


def _same_type(action: Action, record: models.Trade | models.Payment) -> bool:
    if isinstance(record, models.Trade):
        return True
    return record.payment_type in (None, _PAYMENT_TYPE[action])


def _same(terms: IntentTerms, record: models.Trade | models.Payment) -> bool:
    return _fixed_amount(terms, record) == terms.amount and not differences(terms, record)


class TaggedObjects:
    """Payments and trades with an intent's identifier in their reference.

    Only changes of the store are scanned. Tagged rows stay in memory until they were scanned.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._versions = {models.Kind.PAYMENTS: 0, models.Kind.TRADES: 0}
        self._seen: defaultdict[IntentId, dict[str, models.Trade | models.Payment]] = defaultdict(
            dict
        )
        self._waiting: dict[models.Kind, set[str]] = {kind: set() for kind in self._versions}
        for kind in self._versions:
            if (retention := store.retention(kind)) is not None:
                retention.hold(self._is_new)

    def scan(self) -> list[models.Trade | models.Payment]:
        """Scan rows that changed since the last call, and return them.

        Cached rows prove nothing: they are scanned once this run has read them.
        """
        found = [row for kind in self._versions for row in self._changed(kind)]
        for row in found:
            for intent_id in tags_of(row.reference):
                self._seen[intent_id][identifier_of(row)] = row
        return found

    def _changed(self, kind: models.Kind) -> Iterator[models.Trade | models.Payment]:
        table, more = self._store.table(kind), True
        is_scanned = table.version == self._versions[kind] and not self._waiting[kind]
        if is_scanned or self._store.feed(kind).cached:
            return
        unconfirmed = table.unconfirmed()
        rows = [table.get(key) for key in self._waiting[kind] - unconfirmed]
        self._waiting[kind] &= unconfirmed
        while more:
            changes = table.changes(self._versions[kind])
            self._versions[kind], more = changes.version, changes.more
            keyed = {table.key(row): row for row in changes.rows}
            self._waiting[kind] |= keyed.keys() & unconfirmed
            rows += [row for key, row in keyed.items() if key not in unconfirmed]
        yield from (row for row in rows if isinstance(row, models.Trade | models.Payment))

    def of(self, entry: Entry) -> dict[str, models.Trade | models.Payment]:
        """Return the objects with an intent's identifier, by their own identifier.

        A mandate becomes none, but whoever books within it may write it into a reference.
        """
        if entry.action is Action.MANDATE:
            return {}
        wanted = READS[entry.action.becomes].record
        seen = self._seen.get(entry.intent_id, {})
        return {key: record for key, record in seen.items() if isinstance(record, wanted)}

    def _is_new(self, row: models.Record) -> bool:
        if not isinstance(row, models.Trade | models.Payment):
            return False
        seen = (self._seen.get(tag, {}) for tag in tags_of(row.reference))
        return any(identifier_of(row) not in objects for objects in seen)


class CreationMatcher:
    """A matcher of creations, which carry no tag, by their fields.

    An object settles a creation in doubt if it is the only match, no other intent claims it, no
    other open intent requests the same, and it was created while this one was sent. If the service
    does not tell the time of creation, the object must be missing from the list before.
    """

    def __init__(self, sender: Sender, store: Store, service_time: ServiceTime) -> None:
        self._sender = sender
        self._store = store
        self._time = service_time

    def with_snapshot(self, intent: Intent) -> Intent:
        """Return the intent with the matching objects that exist before it is sent."""
        is_read = self._store.feed(intent.action.becomes).ok
        if not isinstance(intent.request, requests.CreationRequest) or not is_read:
            return intent
        there = self._alike(intent.request, intent.action.becomes)
        before = tuple(identifier_of(row) for row in there)
        return replace(intent, terms=replace(intent.terms, before=before))

    def known(self, action: Action) -> Set[str]:
        """Return the objects that exist before money moves; the intent becomes none of them.

        A creation may return an existing object: it is compared with `IntentTerms.before`.
        """
        return self._store.table(action.becomes).keys() if action.moves_money else frozenset()

    def candidates(self, recorded: RecordedIntent) -> set[str]:
        """Return the objects that a creation may have become."""
        asked = self._asked(recorded.entry)
        if asked is None:
            return set()
        alike = self._alike(asked, recorded.entry.action.becomes)
        return {identifier_of(row) for row in alike if _may_be_new(recorded, row)}

    def unique_match(
        self, recorded: RecordedIntent, candidates: Iterable[str], others: Iterable[RecordedIntent]
    ) -> str | None:
        """Return the only object that a creation can have become; None if that is uncertain.

        Args:
            candidates: matching objects, read since the creation is in doubt.
            others: all open intents.
        """
        found = [*candidates]
        if len(found) != 1 or not self._is_surely_new(recorded, found[0]):
            return None
        asked = self._asked(recorded.entry)
        rivals = (each for each in others if each.entry.intent_id != recorded.entry.intent_id)
        is_contested = any(self._asked(rival.entry) == asked for rival in rivals)
        return None if is_contested else found[0]

    def _is_surely_new(self, recorded: RecordedIntent, identifier: str) -> bool:
        row = self._store.table(recorded.entry.action.becomes).get(identifier)
        if row is None:
            return False
        created_at: datetime | None = getattr(row, "created_at", None)
        if created_at is not None:
            return is_in_time_window(recorded, created_at, tagged=False)
        was_looked_for = recorded.entry.terms.before is not None
        return was_looked_for and is_in_time_window(recorded, self._time.latest(), tagged=False)

    def _alike(self, asked: requests.CreationRequest, kind: models.Kind) -> list[models.Record]:
        """Return the rows that match in all identifying fields; an omitted one is a mismatch."""
        wanted = {name: getattr(asked, name) for name in _KNOWN_BY[type(asked)]}
        filled_in = {name: value for name, value in wanted.items() if value}
        return [
            row
            for row in (self._store.table(kind).rows() if filled_in else ())
            if all(
                _is_same(name, getattr(row, name, None), value) for name, value in filled_in.items()
            )
        ]

    def _asked(self, entry: Entry) -> requests.CreationRequest | None:
        """Return the request; None if it was purged, or this dialect cannot parse it."""
        if isinstance(entry.body, PurgedBody):
            return None
        asked = self._sender.asked(entry.action.value, entry.body)
        if isinstance(asked, requests.PaymentAddressRequest):
            return replace(asked, recipient_id=entry.terms.recipient_id)
        return asked if isinstance(asked, requests.CreationRequest) else None


def _may_be_new(recorded: RecordedIntent, row: models.Record) -> bool:
    if identifier_of(row) in (recorded.entry.terms.before or ()):
        return False  # it was there before, however lately it was created
    created_at: datetime | None = getattr(row, "created_at", None)
    return created_at is None or is_in_time_window(recorded, created_at, tagged=False)
