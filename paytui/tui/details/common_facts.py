"""Facts that several detail views share: links to other objects, titles, states over time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from operator import methodcaller
from typing import Any, TypeAlias

from paytui.api.resources import KIND_OF, identifier_of
from paytui.domain import models
from paytui.domain.models import Kind, State
from paytui.domain.money import MISSING, CurrencyCode
from paytui.store.cache.file import CacheUnusable
from paytui.store.cache.list_query import Anchor, Interrupted, ListQuery, SortBy, Window
from paytui.store.filter import TimeContext
from paytui.store.health import Feed
from paytui.store.names import (
    Owner,
    Related,
    account_title,
    recipient_name,
    recipient_title,
    related_in_memory,
    wallet_label,
)
from paytui.tui.format.cells import (
    BAD,
    LONGEST_AMOUNT,
    Cell,
    Fact,
    Group,
    Ref,
    RelatedList,
    Tone,
    amount_words,
    fact,
    state_cell,
    text_fact,
)
from paytui.tui.times import full_time
from paytui.tui.ui_context import UiContext

MOST = 50  # Objects of a kind that a detail view links to; their own list has them all

NOT_READ = "cannot be opened: not among the rows read"


def link_fact(ui: UiContext, label: str, kind: Kind, key: str | None) -> Fact:
    """Return a link to an object by its name; without a link if the store lacks the object."""
    if key is None:
        return fact(label, None)
    if ui.store.table(kind).get(key) is None and not ui.store.left_out(kind):
        return text_fact(label, key, NOT_READ)
    link = Ref(kind, key)
    return text_fact(label, name_of(ui, link), link=link)


def links_group(title: str, related: Related, link: Callable[[Any], Fact]) -> Group:
    return Group(f"{title} ({many(related.total)})", tuple(map(link, related.newest[:MOST])))


def many(count: int) -> str:
    """Return the count of objects, and of those shown if there are more: `50 of 1,234`."""
    return f"{MOST} of {count:,}" if count > MOST else f"{count}"


def related_list_fact(ui: UiContext, kind: Kind, of: Ref, related: Related) -> Fact:
    """Return the number of objects that belong to an object, with a link to their list."""
    held = len(ui.store.table(kind)) + (ui.store.left_out(kind) if related.is_whole else 0)
    note = _lacks(ui.store.feed(kind), held)
    return text_fact(kind.noun.capitalize(), f"{related.total:,}", note, RelatedList(kind, of))


def _lacks(feed: Feed, held: int) -> str:
    """Return why the count may be too low; without ages, as it is not refreshed."""
    if feed.problem is not None:
        return "possibly more: the newest read failed"
    if not feed.offered:
        return "known so far: the service offers no list"
    if not feed.was_read:
        return "so far: still loading"
    return f"of the {held:,} read of {feed.total:,}" if held < (feed.total or 0) else ""


def name_of(ui: UiContext, ref: Ref) -> str:
    """Return the name of an object; without one, its identifier."""
    row = ui.store.table(ref.kind).get(ref.key)
    return (row and _name(row)) or ref.key


def _name(row: models.Record) -> str | None:
    match row:
        case models.Account():
            return account_title(row)
        case models.Wallet():
            return row.wallet_name
        case models.Recipient():
            return recipient_title(row)
        case models.PaymentAddress():
            return row.iban or row.account_number
        case models.PayInAddress():
            return row.account_number
        case _:
            return None


def object_words(ui: UiContext, ref: Ref) -> str:
    """Return the amounts or the name of an object, its status, time and reference."""
    match record := ui.store.table(ref.kind).get(ref.key):
        case None:
            return "not among the rows read"
        case models.Payment():
            about = _amounts((record.amount, record.currency))
        case models.Trade():
            sold = (record.sell_amount, record.sell_currency)
            about = _amounts(sold, (record.buy_amount, record.buy_currency))
        case models.PayInAddress():  # it has no status
            return f"{record.bsb or record.bic or ''} {record.account_number or ''}".strip()
        case _:
            currency = getattr(record, "currency", None) or ""
            about = f"{name_of(ui, ref)} {currency}".rstrip()
    at = getattr(record, "created_at", None)
    created = full_time(at, ui.zone) if at else ""
    facts = (about, state_cell(record.status).text, created, getattr(record, "reference", ""))
    return ", ".join(filter(None, facts))


def _amounts(*sides: tuple[Decimal | None, CurrencyCode | None]) -> str:
    known = [amount_words(amount, code) for amount, code in sides if amount is not None]
    return " > ".join(known) or "amount unknown"


# The path of states of each kind of object (service.md §3), and its display as a timeline.


@dataclass(frozen=True, slots=True)
class StatePath:
    """The regular states of an object in order, and the states that may end or leave the path.

    Attributes:
        path: in order.
        skipped: states of the path that an object may have passed over.
        ends: states that an object may end in from any other.
        after: further states that may follow a given state of the path.
    """

    path: tuple[str, ...]
    skipped: frozenset[str] = frozenset()
    ends: tuple[str, ...] = ()
    after: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def within(self, known: Collection[str]) -> StatePath:
        """Return the path without states that the service has no word for; all if none is known."""
        if not known:
            return self
        return replace(
            self,
            path=tuple(name for name in self.path if name in known),
            ends=tuple(name for name in self.ends if name in known),
            after={
                name: tuple(one for one in states if one in known)
                for name, states in self.after.items()
                if name in known
            },
        )

    def passed(self, state: str) -> tuple[str, ...]:
        """Return the states that lead to this one; the object need not have been in each."""
        if state in self.path:
            before = self.path[: self.path.index(state)]
        elif anchor := self._anchor(state):
            before = self.path[: self.path.index(anchor) + 1]
        else:  # ended, from wherever it was
            before = self.path[:1]
        return tuple(name for name in before if name not in self.skipped)

    def ahead(self, state: str) -> tuple[str, ...]:
        return self.path[self.path.index(state) + 1 :] if state in self.path else ()

    def aside(self, state: State) -> tuple[str, ...]:
        """Return the states that may follow and are not ahead on the path."""
        anchor = self._anchor(state.name)
        back = () if anchor is None or state.final else (anchor,)
        ends = () if state.final or state.name in self.ends else self.ends
        return (*back, *self.after.get(state.name, ()), *ends)

    def _anchor(self, state: str) -> str | None:
        return next((name for name, states in self.after.items() if state in states), None)


_PAID = StatePath(("pending", "active"), frozenset({"pending"}), ("rejected",))

# The trusted path registers an account at once, and what is created Active was never pending.
# A trade that is funded when it is booked need not wait for funds.
PATHS: Mapping[Kind, StatePath] = {
    Kind.ACCOUNTS: StatePath(
        ("pending_checks", "registered"), frozenset({"pending_checks"}), ("rejected",)
    ),
    Kind.WALLETS: StatePath(
        ("pending", "active"), frozenset({"pending"}), ("closed",), {"active": ("suspended",)}
    ),
    Kind.RECIPIENTS: _PAID,
    Kind.PAYMENT_ADDRESSES: _PAID,
    Kind.PAYINS: StatePath(("received", "compliance_review", "credited"), ends=("rejected",)),
    Kind.TRADES: StatePath(
        ("awaiting_funds", "compliance_review", "exchanged"),
        frozenset({"awaiting_funds"}),
        ("rejected", "failed"),
    ),
    Kind.PAYMENTS: StatePath(
        ("created", "compliance_review", "processing", "released", "completed"),
        ends=("rejected", "cancelled", "failed"),
        after={"completed": ("returned",)},
    ),
}


Times = Mapping[str, datetime | None]  # Times by state, or by event (`created`)

Stateful: TypeAlias = (
    models.Account
    | models.Wallet
    | models.PayIn
    | models.Trade
    | models.Payment
    | models.Recipient
    | models.PaymentAddress
)
"""An object that has states."""


def states_group(
    ui: UiContext, row: Stateful, times: Times, *, updated: datetime | None = None
) -> Group:
    """Return a timeline with one line a state: past, present and possible.

    A time appears only if the service sent it. A state counts as passed if the service sent its
    time, or the object was seen in it here; nothing is guessed. `updated` is the time of its last
    change.
    """
    told = {name: full_time(moment, ui.zone) for name, moment in times.items() if moment}
    last = full_time(updated, ui.zone) if updated else ""
    kind = KIND_OF[type(row)]
    path, seen = path_of_dialect(ui, kind), ui.store.table(kind).seen(identifier_of(row))
    facts = tuple(_facts(path, row.status, times, told, updated=last, seen=seen))
    shown = {one.label for one in facts}
    left = (_fact(name, "the service says", when) for name, when in told.items())
    return Group("History", (*facts, *(one for one in left if one.label not in shown)))


def progress_words(ui: UiContext, row: Stateful) -> str:
    """Return the states that an object was seen in, `[is in]`, and comes to next, in one line."""
    if row.status is None:
        return ""
    name, kind = row.status.name, KIND_OF[type(row)]
    path, seen = path_of_dialect(ui, kind), ui.store.table(kind).seen(identifier_of(row))
    passed = [one for one in path.passed(name) if one in seen]
    return " › ".join([*passed, f"[{name}]", *path.ahead(name)]).replace("_", " ")


def path_of_dialect(ui: UiContext, kind: Kind) -> StatePath:
    return PATHS[kind].within(ui.vocabulary.states.get(kind, ()))


def _facts(
    journey: StatePath,
    status: State | None,
    times: Times,
    told: Mapping[str, str],
    *,
    updated: str,
    seen: Collection[str],
) -> Iterator[Fact]:
    for event in times.keys() - set(journey.path):
        yield _fact(event, "✓", told[event]) if event in told else fact(event, None)
    if status is None:
        yield fact("now", None)
        return
    if not status.known:
        words = "? cannot be read" if status.as_created else "? now, not in the dialect"
        words += f", last changed {updated}" if updated else ""
        yield Fact(status.name, Cell(words, Tone.DOUBT), status.name)
        return
    for name in journey.passed(status.name):
        if name in told or name in seen:
            yield _fact(name, "✓" if name in told else "✓ passed", told.get(name, ""))
        else:
            yield _fact(name, "– not reported", "", Tone.MUTED)
    aside = journey.aside(status)
    yield _now(status, told.get(status.name, ""), updated, is_final=status.final and not aside)
    for name in journey.ahead(status.name):
        says = ", but the service says" if name in told else ""
        yield _fact(name, f"○ may come{says}", told.get(name, ""), Tone.MUTED)
    if aside:
        words = ", ".join(name.replace("_", " ") for name in aside)
        yield Fact("may become", Cell(f"○ {words}", Tone.MUTED), words)


def _now(status: State, when: str, updated: str, *, is_final: bool) -> Fact:
    sign = "✗" if status.name in BAD else "●"
    words = f"{sign} final" if is_final else f"{sign} now"
    if not when and updated:
        words, when = f"{words}, last changed", updated
    return _fact(status.name, words, when, Tone.DOWN if status.name in BAD else Tone.INK)


def _fact(name: str, words: str, when: str, tone: Tone = Tone.INK) -> Fact:
    label = name.replace("_", " ")
    return Fact(label, Cell(f"{words} {when}".rstrip(), tone), when or label)


_NEWEST_FIRST = (SortBy("created_at", descending=True),)


class RelatedReader:
    """A reader of the newest rows of some kinds that belong to an object.

    Long lists are read from the cache, others from memory, each if it has changed.

    Args:
        most: number of rows of each kind.
    """

    def __init__(self, ui: UiContext, owner: Owner, kinds: Sequence[Kind], most: int) -> None:
        self._ui = ui
        self._owner = owner
        self._kinds = kinds
        self._most = most
        self._read_at: dict[Kind, object] = {}
        self._found: dict[Kind, Related] = {}

    async def read(self) -> Mapping[Kind, Related]:
        """Return the rows of each kind, as they are in memory now if they are there."""
        for kind in self._kinds:
            table, cache = self._ui.store.table(kind), self._ui.cache_of(kind)
            version = table.version if cache is None else cache
            if self._read_at.get(kind) != version:
                self._read_at[kind] = version
                self._found[kind] = await self._read(kind)
            if cache is not None:
                found = self._found[kind]
                rows = tuple(table.get(table.key(row)) or row for row in found.newest)
                self._found[kind] = replace(found, newest=rows)
        return self._found

    async def _read(self, kind: Kind) -> Related:
        ui, query = self._ui, ListQuery(kind, _NEWEST_FIRST, owner=self._owner)
        when = TimeContext(ui.time.latest, ui.zone)
        window = methodcaller("window", query, when, Anchor(), self._most - 1)
        while ui.lists is not None and (cache := ui.cache_of(kind)) is not None:
            try:
                found: Window = await ui.lists.read(cache.file, window)
            except (Interrupted, CacheUnusable):  # by another screen; or it is in memory then
                continue
            return Related(found.rows, found.total, is_whole=True)
        return related_in_memory(ui.store, self._owner, kind, self._most)


# Titles

_PAYMENT_TYPES = {"payout": "Payout", "transfer": "Transfer"}


def title_of(ui: UiContext, row: models.Record) -> str:
    match row:
        case models.Payment():
            parts = [_amount(row.amount, row.currency), _after("to", payee_name(ui, row))]
            title = " ".join([_PAYMENT_TYPES.get(row.payment_type or "", "Payment"), *parts])
        case models.Trade():
            title = f"Trade {_sides(row)}"
        case models.PayIn():
            into = row.wallet_id and wallet_label(ui.store, row.wallet_id)
            way = _after("from", row.sender_name) or _after("into", into)
            title = f"Pay-in {_amount(row.amount, row.currency)} {way}"
        case models.Wallet():
            name = row.wallet_name or row.currency or row.wallet_id
            title = f"Wallet {name} {_of(ui, Kind.ACCOUNTS, row.account_id)}"
        case models.PayInAddress():
            title = f"Pay-in address {_of(ui, Kind.WALLETS, row.wallet_id)}"
        case models.PaymentAddress():
            payee = _of(ui, Kind.RECIPIENTS, row.recipient_id)
            title = f"Payment address {row.currency or ''} {payee}"
        case models.Account():
            title = f"Account {account_title(row)}"
        case models.Recipient():
            title = f"Recipient {recipient_title(row)}"
    return " ".join(title.split())


def payee_name(ui: UiContext, payment: models.Payment) -> str | None:
    """Return the name of what a payment goes to; if the service does not say, by our record."""
    own = ui.own_record.of(Kind.PAYMENTS, payment.payment_transaction_id)
    told = payment if payment.recipient_id or payment.destination_wallet_id else own
    if told is None:
        return None
    if told.recipient_id:
        return recipient_name(ui.store, told.recipient_id)
    return wallet_label(ui.store, told.destination_wallet_id)


def _sides(trade: models.Trade) -> str:
    """Return `1,000.00 GBP > USD`; the amount that is bought, if no other is known."""
    sold, bought = trade.sell_currency or MISSING, trade.buy_currency or MISSING
    if trade.sell_amount is None and trade.buy_amount is not None:
        return f"{sold} > {_amount(trade.buy_amount, trade.buy_currency)}"
    return f"{_amount(trade.sell_amount, trade.sell_currency) or sold} > {bought}"


def _amount(amount: Decimal | None, currency: CurrencyCode | None) -> str:
    """Return an amount with its currency; "" for one so long that it would be cut."""
    words = "" if amount is None else amount_words(amount, currency)
    return "" if len(words) > LONGEST_AMOUNT else words


def _after(word: str, name: str | None) -> str:
    return f"{word} {name}" if name else ""


def _of(ui: UiContext, kind: Kind, key: str | None) -> str:
    """Return `of Acme`, or the currency of a wallet without a name; "" if it is not in memory."""
    row = ui.store.table(kind).get(key) if key else None
    return _after("of", _name(row) or getattr(row, "currency", None)) if row else ""
