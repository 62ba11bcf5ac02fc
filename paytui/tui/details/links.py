"""Facts that lead to another object."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from paytui.api.models import (
    Account,
    Kind,
    PayInAddress,
    PaymentAddress,
    Recipient,
    Record,
    Wallet,
)
from paytui.store.views import account_title, recipient_title
from paytui.tui.desk import Desk
from paytui.tui.details.facts import Fact, Group, Ref, fact, text_fact

R = TypeVar("R")

MOST = 50
"""Objects of a kind that a detail view leads to; their own list has them all."""

NOT_READ = "cannot be opened: it is not among what was read"


def link_fact(desk: Desk, label: str, kind: Kind, key: str | None) -> Fact:
    """The object that an identifier names: by its name, and to be opened if the store has it."""
    if key is None:
        return fact(label, None)
    row = desk.store.table(kind).get(key)
    if row is None:
        return text_fact(label, key, NOT_READ)
    return text_fact(label, _name(row) or key, link=Ref(kind, key))


def links_group(title: str, rows: Sequence[R], link: Callable[[R], Fact]) -> Group:
    """The first of many objects, and how many there are."""
    count = f"{MOST} of {len(rows):,}" if len(rows) > MOST else f"{len(rows)}"
    return Group(f"{title} ({count})", tuple(link(row) for row in rows[:MOST]))


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
