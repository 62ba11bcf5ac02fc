"""The rows of a list by plain Python: each row is judged alone, all of them are sorted."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from paytui.api.resources import READS
from paytui.domain.models import AccountId, Kind, PayIn, RecipientId, State, WalletId, field_types
from paytui.domain.money import CurrencyCode
from paytui.platform.text import fold
from paytui.store import names
from paytui.store.cache.list_query import ListQuery
from paytui.store.cache.records import kept_fields
from paytui.store.filter import TimeContext, parse_filter
from paytui.store.names import Owner
from paytui.store.search_text import named_fields
from paytui.store.store import Store
from tests.lists.book import Book, Row

Key = Callable[[Store, Row], Any]

NAMES: dict[object, Callable[[Store, Any], str]] = {
    AccountId: names.account_name,
    WalletId: names.wallet_label,
    RecipientId: names.recipient_name,
}


def sort_keys(kind: Kind) -> dict[str, Key]:
    """Return the sort keys of a kind, each by the name of its column."""
    hints: dict[str, object] = dict(field_types(READS[kind].record))
    keys: dict[str, Key] = {"owner": _owner}
    for name in kept_fields(kind):
        hint = hints[name]
        if hint is State:
            keys[name] = lambda _, row: "" if row.status is None else row.status.name
        elif hint is CurrencyCode:
            keys[name] = _code(name)
        elif hint in (Decimal, datetime):
            keys[name] = _value(name)
        else:
            keys[name] = _text(name)
        if hint in NAMES:
            keys[name.removesuffix("_id")] = _name(name, NAMES[hint])
    if kind is not Kind.PAYINS:
        keys["payee"] = _payee
    return keys


def _text(name: str) -> Key:
    return lambda _, row: fold(getattr(row, name) or "")


def _code(name: str) -> Key:
    return lambda _, row: getattr(row, name) or ""


def _value(name: str) -> Key:
    """Return a key by which rows without a value come first."""
    return lambda _, row: (getattr(row, name) is not None, getattr(row, name) or 0)


def _name(name: str, called: Callable[[Store, Any], str]) -> Key:
    def key(store: Store, row: Row) -> str:
        identifier = getattr(row, name)
        return "" if identifier is None else fold(called(store, identifier))

    return key


def _payee(store: Store, row: Row) -> str:
    assert not isinstance(row, PayIn)
    if row.recipient_id is not None:
        return fold(names.recipient_name(store, row.recipient_id))
    wallet = getattr(row, "buy_wallet_id", None) or getattr(row, "destination_wallet_id", None)
    return "" if wallet is None else fold(names.wallet_label(store, wallet))


def _owner(store: Store, row: Row) -> str:
    account_id = names.account_of(store, row)
    return "" if account_id is None else fold(names.account_name(store, account_id))


SUMMED = {
    Kind.PAYMENTS: ("amount", "currency"),
    Kind.TRADES: ("sell_amount", "sell_currency"),
    Kind.PAYINS: ("amount", "currency"),
}


def expected_groups(
    book: Book, rows: Iterable[Row], field: str, when: TimeContext
) -> dict[str, dict[str, list[Fraction | None]]]:
    """Return the amounts by value of a field, folded, and by currency.

    The account of a row is that of its wallet, if it has none of its own.
    """
    groups: dict[str, list[Row]] = {}
    for row in rows:
        is_account = field == "account_id"
        match names.account_of(book.store, row) if is_account else getattr(row, field):
            case None:
                value = ""
            case State(name=name):
                value = name
            case datetime() as moment:
                value = str(when.day(moment))
            case other:
                value = other
        groups.setdefault(fold(value), []).append(row)
    return {value: expected_sums(book.kind, each) for value, each in groups.items()}


def expected_sums(kind: Kind, rows: Iterable[Row]) -> dict[str, list[Fraction | None]]:
    """Return the amounts by currency; those of no currency are under ''."""
    amount, currency = SUMMED[kind]
    found: dict[str, list[Fraction | None]] = {}
    for row in rows:
        value = getattr(row, amount)
        amounts = found.setdefault(getattr(row, currency) or "", [])
        amounts.append(None if value is None else Fraction(value))
    return found


def expected(book: Book, query: ListQuery, when: TimeContext) -> list[Row]:
    """Return the rows of a query in order; raise FilterError if the filter is invalid."""
    store, keys = book.store, sort_keys(book.kind)
    accepts = parse_filter(query.filter, named_fields(store, book.kind), when)
    rows = [row for row in book.rows.values() if accepts(row) and _belongs(store, row, query.owner)]
    is_reversed = bool(query.order) and query.order[0].descending
    for sort in reversed(query.order):
        key = keys[sort.column]
        # A stable sort, so that equal rows stay as they arrived.
        rows.sort(key=lambda row: key(store, row), reverse=sort.descending != is_reversed)
    return rows[::-1] if is_reversed else rows


def _belongs(store: Store, row: Row, owner: Owner | None) -> bool:
    match owner:
        case None:
            return True
        case (Kind.ACCOUNTS, account):
            return names.account_of(store, row) == account
        case (Kind.PAYIN_ADDRESSES, address):
            return getattr(row, "pay_in_address_id", None) == address
        case (_, wallet):
            fields = ("wallet_id", "sell_wallet_id", "buy_wallet_id", "source_wallet_id")
            held = (getattr(row, name, None) for name in (*fields, "destination_wallet_id"))
            return wallet in held
