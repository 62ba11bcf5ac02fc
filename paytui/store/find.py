"""Search of one kind in memory: rows by any text, the best first, with the number of all matches.

A bank account is found by the last four characters of its number alone, and shown by them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from math import inf
from typing import Any, cast

from paytui.domain import models
from paytui.domain.intent import Action, IntentRow
from paytui.platform.text import fold
from paytui.store.cache.list_query import Anchor, ListQuery, SortBy
from paytui.store.cache.list_reader import ListReader
from paytui.store.fields import WORDS, is_amount, search_text
from paytui.store.filter import TimeContext, literal, parse_filter, read_number
from paytui.store.names import Owner, account_of, title_of
from paytui.store.search_text import SearchTextCache, named_fields
from paytui.store.store import Store
from paytui.store.table import Table

Searched = models.Kind | type[IntentRow]
Row = (
    models.Payment
    | models.Trade
    | models.PayIn
    | models.Recipient
    | models.Wallet
    | models.Account
    | IntentRow
)

SEARCHED: tuple[Searched, ...] = (
    *(
        models.Kind.PAYMENTS,
        models.Kind.TRADES,
        models.Kind.PAYINS,
        models.Kind.RECIPIENTS,
        models.Kind.WALLETS,
        models.Kind.ACCOUNTS,
    ),
    IntentRow,
)
"""The kinds that are searched, in the order in which they are shown."""

LONGEST = 1_000  # Characters of a text that are searched for
AT_ONCE = 200  # Rows that are searched without a pause: 3 ms if their texts are not cached

_END = 4
_LEAD = 6  # Characters before what was found from which they are left out
_ELLIPSIS = "…"

_SHOWN_AMOUNTS = frozenset(
    {"amount", "sell_amount", "buy_amount", "available_balance", "terms.amount"}
)
_END_TO_END = "end_to_end_id"
_NUMBERS = ("account_number", "iban")
_NUMBER_IN_TITLE = re.compile(r"(?<= )\S*\d[\S ]*?(\S{4})(?= of )")
_ROLES = {
    "account": "by",
    "wallet": "into",
    "recipient": "to",
    "source_wallet": "from",
    "destination_wallet": "to",
    "sell_wallet": "from",
    "buy_wallet": "into",
}
"""The words before a name by which a transaction is found: the payer's, or the payee's."""

_UNSEARCHED = (
    "title",
    "terms.asked",
    "terms.before",
    "terms.paid_at",
    "turns",
    "candidates",
    "problem",
)
"""Fields of intents that may hold bank accounts, or the identifiers of other objects."""


@dataclass(frozen=True, slots=True)
class Sought:
    """A text to search for, and the rows to search.

    Attributes:
        text: as it was typed.
        scope: the account that rows belong to; None: any.
        most: number of rows of each kind to return.
    """

    text: str
    scope: models.AccountId | None
    when: TimeContext
    most: int

    @property
    def filter(self) -> str:
        """The same in the filter language: its words, each as it stands."""
        return literal(self.text[:LONGEST])

    @property
    def owner(self) -> Owner | None:
        return None if self.scope is None else (models.Kind.ACCOUNTS, self.scope)

    @property
    def whole(self) -> str:
        return fold(self.text.strip())


@dataclass(frozen=True, slots=True)
class Found:
    """The rows of one kind that match.

    Attributes:
        rows: the first of them: those whose identifier was typed, then the newest, or by name.
        total: number of all.
        is_exact: the first row has what was typed as its identifier or end-to-end id, or as the end
            of a bank account's number.
    """

    searched: Searched
    rows: tuple[Row, ...]
    total: int
    is_exact: bool


def account_ends(recipient: models.Recipient) -> tuple[str, ...]:
    """Return the ends of a recipient's account numbers: `…4821`."""
    numbers = (n for a in recipient.payment_addresses for n in (a.iban, a.account_number))
    whole = ("".join(number.split()) for number in numbers if number)
    return tuple(_ELLIPSIS + number[-_END:] for number in whole if len(number) > _END)


def intent_title(row: IntentRow) -> str:
    """Return the title of an intent; of an account's number only the end."""
    if row.action is not Action.CREATE_PAYMENT_ADDRESS:
        return row.title
    return _NUMBER_IN_TITLE.sub(rf"{_ELLIPSIS}\1", row.title, count=1)


class KindSearch:
    """The search of one kind; it caches the searchable texts of the rows."""

    def __init__(self, store: Store, searched: Searched) -> None:
        self.searched = searched
        self.table: Table[Any, Any] = (
            store.table(searched) if isinstance(searched, models.Kind) else store.intents
        )
        self._store = store
        self._fields = tuple(
            field
            for field in named_fields(store, searched)
            if not field.name.endswith(_NUMBERS)
            and not (searched is IntentRow and field.name.startswith(_UNSEARCHED))
        )
        names = (self._fields[0].name, _END_TO_END)
        self._identifiers = [field for field in self._fields if field.name in names]
        self._of_fields = search_text(self._fields)
        is_incoming = searched in (models.Kind.PAYINS, models.Kind.PAYIN_ADDRESSES)
        self._roles = {**_ROLES, "account": "into"} if is_incoming else _ROLES
        self._texts = SearchTextCache(self._text, self.table.key)
        self.forget_texts = self._texts.clear

    def scan(self, sought: Sought) -> Iterator[Found | None]:
        """Search the rows in memory: yield None between slices, and the result last."""
        accepts = parse_filter(sought.filter, self._fields, sought.when, self._texts)
        best: list[tuple[tuple[object, ...], Row]] = []
        total, rows = 0, self.table.rows()
        for start in range(0, len(rows), AT_ONCE):
            part = rows[start : start + AT_ONCE]
            if sought.scope is not None:
                part = [row for row in part if self._owner(row, sought.scope) == sought.scope]
            numbers = {id(row): number for number, row in enumerate(part, start)}
            matching = cast("Sequence[Row]", accepts.among(part))
            total += len(matching)
            ranked = ((self._rank(row, sought, numbers[id(row)]), row) for row in matching)
            best = nsmallest(sought.most, [*best, *ranked], key=lambda pair: pair[0])
            yield None
        yield self._found([row for _, row in best], total, sought)

    def read(self, sought: Sought, lists: ListReader) -> Found:
        """Search the rows in the cache; raises what `ListReader.window` does."""
        assert isinstance(self.searched, models.Kind), "intents are in memory"
        newest = (SortBy("created_at", descending=True),)
        query = ListQuery(self.searched, newest, sought.filter, sought.owner)
        window = lists.window(query, sought.when, Anchor(), sought.most)
        rows = {self.table.key(row): row for row in (*self._named(sought, lists), *window.rows)}
        known = (cast("Row", self.table.get(key) or row) for key, row in rows.items())
        return self._found([*known][: sought.most], window.total, sought)

    def _named(self, sought: Sought, lists: ListReader) -> Iterator[models.Record]:
        """Yield the cached rows whose identifier was typed."""
        assert isinstance(self.searched, models.Kind), "intents are in memory"
        if " " in sought.filter or not sought.filter:
            return
        doubled = sought.text.strip().replace('"', '""')
        for field in self._identifiers:
            query = ListQuery(self.searched, (), f'{field.name}="{doubled}"', sought.owner)
            yield from lists.window(query, sought.when, Anchor(), sought.most).rows

    def reason(self, row: Row, sought: Sought, shown: str) -> str:
        """Return the first text of a row by which it matches, if none of it is shown."""
        seen = fold(shown)
        for word in sought.text.split():
            folded, number = fold(word), read_number(word)
            equal = [f for f in self._fields if is_amount(f) and number in f.values(row)]
            if folded in seen or any(field.name in _SHOWN_AMOUNTS for field in equal):
                continue
            for field in equal:
                return f"{field.name.replace('_', ' ')} {number:,f}"
            for role, value in self._values(row):
                if folded in fold(value):
                    start = fold(value).index(folded)
                    if role:
                        return f"{role} {value}"
                    return value if start <= _LEAD else f"{_ELLIPSIS}{value[start - 1 :]}"
        return ""

    def _values(self, row: Row) -> Iterator[tuple[str, str]]:
        """Yield the texts of a row, each with its role: names and references before identifiers."""
        for text in _shortened(row):
            yield "", text
        texts = [("", field.values(row)) for field in self._fields if field.type in WORDS]
        named = [
            (self._roles.get(field.name, ""), field.values(row)[:1])
            for field in self._fields
            if not field.name.endswith("_id") or field.name == _END_TO_END
        ]
        for role, values in (*named, *texts):
            yield from ((role, value) for value in values if isinstance(value, str))

    def _text(self, row: object) -> str:
        return "\n".join([self._of_fields(row), *map(fold, _shortened(row))])

    def _found(self, rows: Sequence[Row], total: int, sought: Sought) -> Found:
        is_exact = bool(rows) and self._is_named(rows[0], sought)
        return Found(self.searched, tuple(rows), total, is_exact)

    def _is_named(self, row: Row, sought: Sought) -> bool:
        whole = sought.whole
        if isinstance(row, models.Recipient) and any(
            fold(end[1:]) == whole for end in account_ends(row)
        ):
            return True
        return any(
            isinstance(value, str)
            and len(value) == len(sought.text.strip())
            and fold(value) == whole
            for field in self._identifiers
            for value in field.values(row)
        )

    def _rank(self, row: Row, sought: Sought, number: int) -> tuple[object, ...]:
        """Return what sorts the best row first; rows of one age in reverse order of arrival."""
        is_other = not self._is_named(row, sought)
        if isinstance(row, models.Account | models.Wallet | models.Recipient):
            name = fold(title_of(row))
            return is_other, not name.startswith(sought.whole), name, number
        created = row.confirmed_at if isinstance(row, IntentRow) else row.created_at
        return is_other, -created.timestamp() if created else inf, -number

    def _owner(self, row: Row, scope: models.AccountId) -> models.AccountId | None:
        """Return the account of a row; an intent without one is in every scope, as in its list."""
        match row:
            case IntentRow():
                return row.terms.account_id or scope
            case models.Payment() | models.Trade() | models.PayIn():
                return account_of(self._store, row)
            case models.Account() | models.Wallet() | models.Recipient():
                return row.account_id


def _shortened(row: object) -> tuple[str, ...]:
    """Return the texts of a row that hold only the ends of account numbers."""
    match row:
        case models.Recipient():
            return account_ends(row)
        case IntentRow():
            return (intent_title(row),)
        case _:
            return ()
