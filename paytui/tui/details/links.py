"""Facts that lead to another object."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from paytui.domain.models import (
    Account,
    Kind,
    PayInAddress,
    PaymentAddress,
    Recipient,
    Record,
    Wallet,
)
from paytui.store.health import Feed
from paytui.store.relations import belongs_to
from paytui.store.views import account_title, recipient_title
from paytui.tui.context import Desk
from paytui.tui.details.facts import Fact, Group, Ref, Those, fact, text_fact
from paytui.tui.format.feeds import noun

R = TypeVar("R")

MOST = 50
"""Objects of a kind that a detail view leads to; their own list has them all."""

NOT_READ = "cannot be opened: it is not among what was read"


def link_fact(desk: Desk, label: str, kind: Kind, key: str | None) -> Fact:
    """The object that an identifier names: by its name, and to be opened if the store has it."""
    if key is None:
        return fact(label, None)
    if desk.store.table(kind).get(key) is None:
        return text_fact(label, key, NOT_READ)
    link = Ref(kind, key)
    return text_fact(label, name_of(desk, link), link=link)


def links_group(title: str, rows: Sequence[R], link: Callable[[R], Fact]) -> Group:
    """The first of many objects, and how many there are."""
    return Group(f"{title} ({many(len(rows))})", tuple(link(row) for row in rows[:MOST]))


def many(count: int) -> str:
    """Return the number of linked objects, and of all."""
    return f"{MOST} of {count:,}" if count > MOST else f"{count}"


def those_fact(desk: Desk, kind: Kind, of: Ref) -> Fact:
    """Return the number of objects that belong to an object, with a link to their list."""
    table = desk.store.table(kind)
    belongs = belongs_to(desk.store, of.kind, of.key, kind)
    count = sum(map(belongs, table.rows()))
    note = _lacks(desk.store.feed(kind), len(table))
    return text_fact(noun(kind).capitalize(), f"{count:,}", note, Those(kind, of))


def _lacks(feed: Feed, held: int) -> str:
    """Return why the count may be too low; without ages, as it is not refreshed."""
    if feed.problem is not None:
        return "and perhaps more: the newest read failed"
    if not feed.offered:
        return "known so far: the service offers no list"
    if not feed.was_read:
        return "so far: still loading"
    return f"of the {held:,} read of {feed.total:,}" if held < (feed.total or 0) else ""


def name_of(desk: Desk, ref: Ref) -> str:
    """Return the name of an object; without one, its identifier."""
    row = desk.store.table(ref.kind).get(ref.key)
    return (row and _name(row)) or ref.key


def _name(row: Record) -> str | None:
    match row:
        case Account():
            return account_title(row)
        case Wallet():
            return row.wallet_name
        case Recipient():
            return recipient_title(row)
        case PaymentAddress():
            return row.iban or row.account_number
        case PayInAddress():
            return row.account_number
        case _:
            return None
