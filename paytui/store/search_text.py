"""The names that rows are found by, the cache of their searchable texts, and renamed objects."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from functools import partial
from operator import attrgetter
from typing import Any

from paytui.domain.intent import IntentRow, IntentTerms
from paytui.domain.models import (
    Account,
    AccountId,
    PayIn,
    PayInAddress,
    Payment,
    Recipient,
    Trade,
    Wallet,
    field_types,
)
from paytui.store import fields, names
from paytui.store.store import Store
from paytui.store.table import Derived, Table


def named_fields(store: Store, listed: fields.Listed) -> tuple[fields.Field, ...]:
    """Return the fields of a list and a field for each named object: `account`, `sell_wallet`.

    Such a field holds the name and the identifier, so that a search finds either. Accounts, wallets
    and recipients have one for their own names, intents one for their status as screens show it.
    The `account` of a transaction or a pay-in address is that of `names.account_of`.
    """
    record = fields.record_of(listed)
    hints = dict(field_types(record))
    hints.pop(dataclasses.fields(record)[0].name)
    if record is IntentRow:
        hints |= {f"terms.{name}": hint for name, hint in field_types(IntentTerms).items()}
    reads: dict[str, tuple[object, Callable[[Any], str | None]]] = {
        name.removesuffix("_id"): (hint, attrgetter(name))
        for name, hint in hints.items()
        if hint in names.NAME_OF
    }
    if record in (Payment, Trade, PayIn, PayInAddress):
        reads["account"] = AccountId, partial(names.account_of, store)
    named = (
        fields.Field(name, fields.FieldType.TEXT, _named(get, store.table(names.NAME_OF[hint][0])))
        for name, (hint, get) in reads.items()
    )
    return (*fields.fields_of(listed), *_titles(record), *fields.with_headings(named, record))


def _titles(record: type) -> Iterator[fields.Field]:
    """Yield the field with the title of a row and its identifier, for objects that have names.

    For intents, yield their status.
    """
    if record is IntentRow:
        yield fields.Field("status", fields.FieldType.TEXT, _status)
    if record in (Account, Wallet, Recipient):
        key = dataclasses.fields(record)[0].name
        get = attrgetter(key)
        title: Callable[[Any], str] = names.title_of
        yield fields.Field(
            key.removesuffix("_id"), fields.FieldType.TEXT, lambda row: (title(row), get(row))
        )


def _status(row: object) -> fields.Values:
    assert isinstance(row, IntentRow)
    alert = ("alert",) if row.alerts else ()
    return (row.standing_words, row.standing.value, *alert)


def _named(get: Callable[[object], str | None], table: Table[str, Any]) -> fields.Read:
    find, title = table.get, names.title_of

    def read(row: object) -> fields.Values:
        if (key := get(row)) is None:
            return ()
        named = find(key)
        return (key if named is None else title(named), key)

    return read


class SearchTextCache:
    """A cache of searchable texts, for filters that are typed key by key.

    Only the newest row of each identifier (`key`) is cached.
    """

    def __init__(self, make: fields.SearchText, key: Callable[[Any], object]) -> None:
        self._make = make
        self._key = key
        self._texts: dict[object, tuple[object, str]] = {}
        self.clear = self._texts.clear

    def __call__(self, row: object) -> str:
        key = self._key(row)
        of_row, text = self._texts.get(key, (None, ""))
        if of_row is not row:
            text = self._make(row)
            self._texts[key] = row, text
        return text


class NameChanges:
    """A detector of renamed accounts, wallets and recipients."""

    def __init__(self, store: Store) -> None:
        self._names: tuple[Derived[Any, Any, object], ...] = (
            Derived(store.accounts, names.account_title),
            Derived(store.wallets, lambda row: (row.wallet_name, row.account_id)),
            Derived(store.recipients, names.recipient_title),
        )

    def look(self) -> bool:
        """Return True if any was renamed since the last call."""
        return sum(len([*names.changes()]) for names in self._names) > 0
