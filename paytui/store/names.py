"""Names of accounts, wallets and recipients, else their identifiers; and what belongs to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from heapq import nlargest
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from paytui.api.resources import READS
from paytui.domain import models
from paytui.domain.models import Kind, Record
from paytui.domain.money import MISSING
from paytui.store.store import GROWING, Store
from paytui.store.table import Table


def account_name(store: Store, account_id: models.AccountId | None) -> str:
    return _name_in(store.accounts, account_id)


def account_title(account: models.Account) -> str:
    person = _joined(account.first_name, account.middle_name, account.last_name)
    known = account.display_name or account.company_name or account.trading_name or person
    return known or account.account_id


def wallet_label(store: Store, wallet_id: models.WalletId | None) -> str:
    return _name_in(store.wallets, wallet_id)


def wallets_in_words(store: Store, wallets: Sequence[models.Wallet]) -> dict[models.WalletId, str]:
    """Return unique names of wallets: a name that several share gets a prefix.

    The prefix is the account's name, or the end of the wallet's id within one account.
    """
    names = {wallet.wallet_name for wallet in wallets}
    named = [wallet for wallet in store.wallets.rows() if wallet.wallet_name in names]
    by_name = Counter(wallet.wallet_name for wallet in named)
    by_account = Counter((wallet.wallet_name, wallet.account_id) for wallet in named)
    called: dict[models.WalletId, str] = {}
    for wallet in wallets:
        name, account_id = wallet.wallet_name, wallet.account_id
        if not name:
            called[wallet.wallet_id] = f"wallet {wallet.wallet_id}"
        elif by_name[name] <= 1:
            called[wallet.wallet_id] = f"wallet {name}"
        elif by_account[name, account_id] <= 1:
            called[wallet.wallet_id] = f"{account_name(store, account_id)}: {name}"
        else:
            called[wallet.wallet_id] = f"…{wallet.wallet_id[-6:]}: {name}"
    return called


def recipient_name(store: Store, recipient_id: models.RecipientId | None) -> str:
    return _name_in(store.recipients, recipient_id)


def _name_in(table: Table[Any, Any], key: str | None) -> str:
    row = None if key is None else table.get(key)
    return title_of(row) if row is not None else key or MISSING


def title_of(row: models.Account | models.Wallet | models.Recipient) -> str:
    """Return the name of an object, else its id."""
    match row:
        case models.Account():
            return account_title(row)
        case models.Wallet():
            return row.wallet_name or row.wallet_id
        case models.Recipient():
            return recipient_title(row)


NAME_OF: Mapping[object, tuple[Kind, Callable[[Store, Any], str]]] = MappingProxyType(
    {
        models.AccountId: (Kind.ACCOUNTS, account_name),
        models.WalletId: (Kind.WALLETS, wallet_label),
        models.RecipientId: (Kind.RECIPIENTS, recipient_name),
    }
)
"""By type of an identifier, the kind of its object, and the function that names that."""


def recipient_title(recipient: models.Recipient) -> str:
    person = _joined(recipient.first_name, recipient.last_name)
    return recipient.company_name or person or recipient.recipient_id


def _joined(*parts: str | None) -> str:
    return " ".join(part for part in parts if part)


@cache
def named_by(owner: Kind, listed: Kind) -> tuple[str, ...]:
    """Return the one or two fields by which rows of the second kind name one of the first."""
    identifier = next(iter(models.field_types(READS[owner].record).values()))
    types = models.field_types(READS[listed].record)
    return tuple(name for name, hint in types.items() if hint is identifier)


def account_of(
    store: Store, row: models.Trade | models.Payment | models.PayIn | models.PayInAddress
) -> models.AccountId | None:
    """Return the account of a row: its own field, else the account of its (source) wallet."""
    account_id, wallet_id = account_and_wallet(row)
    if account_id is not None:
        return account_id
    wallet = store.wallets.get(wallet_id) if wallet_id else None
    return wallet.account_id if wallet else None


def account_and_wallet(
    row: models.Trade | models.Payment | models.PayIn | models.PayInAddress,
) -> tuple[models.AccountId | None, models.WalletId | None]:
    """Return a row's own account, and the wallet that tells the account of a row without one."""
    match row:
        case models.Trade():
            return row.account_id, row.sell_wallet_id
        case models.Payment():
            return row.account_id, row.source_wallet_id
        case _:
            return None, row.wallet_id


def belongs_to(
    store: Store, owner: models.Kind, key: str, listed: models.Kind
) -> Callable[[models.Record], bool]:
    """Return a fast predicate on rows of the `listed` kind: does a row belong to an object?"""
    if owner is models.Kind.ACCOUNTS and listed in (models.Kind.TRADES, models.Kind.PAYMENTS):
        return lambda row: (
            isinstance(row, models.Trade | models.Payment) and account_of(store, row) == key
        )
    getters = [attrgetter(name) for name in named_by(owner, listed)]
    first, last = getters[0], getters[-1]
    if first is last:
        return lambda row: bool(first(row) == key)
    return lambda row: bool(first(row) == key or last(row) == key)


Owner = tuple[Kind, str]
"""The kind and the identifier of an object."""

LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Related:
    """The rows of a kind that belong to an object, and their number.

    Attributes:
        newest: of kinds that grow the newest, newest first; of others as they arrived.
        total: number of all of them.
        is_whole: all rows of the list were counted, not only those in memory.
    """

    newest: tuple[Record, ...]
    total: int
    is_whole: bool


def created(row: Record) -> datetime:
    """Return the time of creation; without one a row is older than any other."""
    at: datetime | None = getattr(row, "created_at", None)
    return at or LONG_AGO


def related_in_memory(store: Store, owner: Owner, kind: Kind, most: int) -> Related:
    rows = list(filter(belongs_to(store, *owner, kind), store.table(kind).rows()))
    newest = nlargest(most, rows, key=created) if kind in GROWING else rows[:most]
    return Related(tuple(newest), len(rows), is_whole=not store.left_out(kind))
