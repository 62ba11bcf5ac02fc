"""The tables of long lists: one sort key for each field, so that SQLite sorts and filters them.

A row has the number of its record. Keys compare byte by byte as the values do:

    text     folded; empty without a value
    number   `number_key`; empty without a value
    time     microseconds since 1970 in UTC; `NO_TIME` without a value
    label    a reference to `labels`; NULL without a value

`labels` holds the names and codes that many rows share: of accounts, wallets and recipients, which
may be renamed, and of states and currencies. A row has the sort keys of its labels as well, in
columns named like `payee_sort`, so that each order has an index; a new name changes them. It has
its amount as an integer too (`units_of`), so that SQLite adds it up, and all its texts in one.

The full-text index lags behind: adding many rows at once takes a fifth of the time. `text_index`
tells up to which row it goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import Enum, auto
from functools import cache
from types import MappingProxyType
from typing import Final

from paytui.api.resources import KIND_OF, READS, identifier_of
from paytui.domain import models
from paytui.domain.models import Kind, field_types
from paytui.domain.money import EXACT, CurrencyCode
from paytui.platform.text import fold
from paytui.store.cache.records import kept_fields
from paytui.store.names import title_of
from paytui.store.sums import ACCOUNT, MONEY

CODES: Final = "code"
"""The kind of the labels of states and currencies."""

PAYEE: Final = "payee"
"""The sort column with the name of the recipient, or else of the destination wallet."""

OWNER: Final = "owner"
"""The sort column with the name of the row's account, or else of its wallet's account."""

NO_TIME: Final = -(2**63)  # Less than any time
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

_NEGATIVE, _ZERO, _POSITIVE = b"\x01", b"\x02", b"\x03"
_BIAS = 2**15  # Makes exponents of either sign positive numbers of two bytes


def number_key(number: Decimal) -> bytes:
    """Return a key that sorts like the number, exactly; equal numbers have equal keys.

    It holds the sign, the exponent of the first digit, and the digits. A negative number has the
    complement of these bytes, and an end that is greater than any of them.
    """
    if not number:
        return _ZERO
    sign, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int), "not NaN, nor infinite"
    significant = bytes(digits).rstrip(b"\0")
    size = (len(digits) + exponent + _BIAS).to_bytes(2, "big") + significant
    if not sign:
        return _POSITIVE + size
    return _NEGATIVE + bytes(0xFF - byte for byte in size) + b"\xff"


def time_key(moment: datetime) -> int:
    """Return microseconds since 1970 in UTC."""
    return (moment - _EPOCH) // _MICROSECOND


def time_of(key: int) -> datetime:
    """Return the time of a key."""
    return _EPOCH + key * _MICROSECOND


CURRENCY_OF: Mapping[str, str] = MappingProxyType(
    {"amount": "currency", "sell_amount": "sell_currency", "buy_amount": "buy_currency"}
)
"""The columns of the currencies within which amounts are sorted."""

UNITS: Final = ("units", "scale")
"""The columns with the amount that is summed."""

WORDS: Final = "words"
"""The column with all texts of a row, a line each: to compare one text takes less than five."""

DERIVED: Final = (WORDS, *UNITS)

UNFIT: Final = -1  # The scale of an amount that does not fit
_FITTING = 2**53
_DIGITS = 16  # of the greatest that fits


def units_of(amount: Decimal | None) -> tuple[int | None, int | None]:
    """Return an amount as an integer, and how many of its digits are decimal places.

    Without an amount both are None. The integer is None if it needs more than 53 bits.
    """
    if amount is None:
        return None, None
    exponent = amount.as_tuple().exponent
    assert isinstance(exponent, int), "not NaN, nor infinite"
    scale = max(0, -exponent)
    if amount.adjusted() + scale >= _DIGITS:
        return None, UNFIT
    units = int(amount.scaleb(scale, EXACT))
    return (units, scale) if abs(units) < _FITTING else (None, UNFIT)


class KeyType(Enum):
    TEXT = auto()
    NUMBER = auto()
    TIME = auto()
    LABEL = auto()


_MISSING: Mapping[KeyType, object] = MappingProxyType(
    {KeyType.TEXT: "", KeyType.NUMBER: b"", KeyType.TIME: NO_TIME, KeyType.LABEL: ""}
)
"""The keys of fields without a value; no label has an empty identifier."""


@dataclass(frozen=True, slots=True)
class KeyColumn:
    """One column of a list table, named like its field; `labels` is the kind of its labels."""

    name: str
    type: KeyType
    labels: str = ""

    def key(self, value: object) -> object:
        """Return the key of a value; of a label its identifier or code."""
        if value is None:
            return _MISSING[self.type]
        match value:
            case models.State(name=name):
                return name
            case Decimal():
                return number_key(value)
            case datetime():
                return time_key(value)
        return fold(str(value)) if self.type is KeyType.TEXT else value


@dataclass(frozen=True, slots=True)
class ListTable:
    """The table of the rows of one kind.

    Attributes:
        wallet: the field with the wallet that tells the account of a row without one.
        payees: the fields with whom a row goes to; the first that has a value counts.
        has_index: the full-text index may be used.
    """

    kind: Kind
    columns: tuple[KeyColumn, ...]
    wallet: str
    payees: tuple[str, ...] = ()
    has_index: bool = True

    @property
    def name(self) -> str:
        return f"{self.kind.value}_list"

    @property
    def index(self) -> str:
        """The name of its full-text index."""
        return f"{self.kind.value}_text"

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns if column.type is KeyType.TEXT)

    def column(self, name: str) -> KeyColumn | None:
        return next((column for column in self.columns if column.name == name), None)

    def keys(self, row: models.Record) -> list[object]:
        """Return the keys of a row in the order of the columns; of labels as `KeyColumn.key`.

        Those of `DERIVED` come last.
        """
        keys = [column.key(getattr(row, column.name)) for column in self.columns]
        texts = zip(self.columns, keys, strict=True)
        words = "\n".join(str(key) for column, key in texts if column.type is KeyType.TEXT)
        return [*keys, words, *units_of(getattr(row, MONEY[self.kind][0]))]

    @property
    def _named(self) -> Mapping[str, tuple[str, ...]]:
        """The sort columns for labels, with the columns of which the first with a label counts."""
        codes = {column.name: (column.name,) for column in self.columns if column.labels == CODES}
        named = {**codes, self.wallet.removesuffix("_id"): (self.wallet,)}
        return {**named, PAYEE: self.payees} if self.payees else named

    @property
    def sorts(self) -> tuple[str, ...]:
        """The sort columns for labels that lists show: codes, its wallet, payees and owners."""
        return (*self._named, OWNER)

    def _sort_keys(self, where: Callable[[str], str]) -> list[str]:
        """Return expressions for the sort keys of labels.

        `where` returns the condition for the label of a column.
        """
        label = "(SELECT sort FROM labels WHERE {})"
        keys = [[label.format(where(name)) for name in names] for names in self._named.values()]
        account = f"(SELECT account FROM labels WHERE {where(self.wallet)})"  # noqa: S608 - ours
        of_wallet = label.format(f"kind = 'accounts' AND id = {account}")
        own = [label.format(where(ACCOUNT))] if self.column(ACCOUNT) else []
        return [f"coalesce({', '.join([*each, repr('')])})" for each in (*keys, [*own, of_wallet])]

    @property
    def upsert(self) -> str:
        """The statement that writes a row; its parameters are the row's number and `keys`."""
        places = {column.name: f"?{place}" for place, column in enumerate(self.columns, 2)}
        label = "kind = '{}' AND id = {}"
        wheres = {
            column.name: label.format(column.labels, places[column.name])
            for column in self.columns
            if column.labels
        }
        values = [
            f"(SELECT ref FROM labels WHERE {where})"  # noqa: S608 - our own names
            if (where := wheres.get(column.name))
            else places[column.name]
            for column in self.columns
        ]
        values += [f"?{place}" for place, _ in enumerate(DERIVED, len(places) + 2)]
        values += self._sort_keys(wheres.__getitem__)
        names = [*places, *DERIVED, *(f"{name}_sort" for name in self.sorts)]
        changes = ", ".join(f"{name} = excluded.{name}" for name in names)
        return (
            f"INSERT INTO {self.name} (row, {', '.join(names)}) VALUES (?1, {', '.join(values)}) "  # noqa: S608 - our own names
            f"ON CONFLICT (row) DO UPDATE SET {changes}"
        )

    @property
    def rename(self) -> str:
        """The statement that writes the sort keys of labels again.

        Its parameter is a JSON array of the labels that were renamed.
        """
        keys = self._sort_keys(lambda column: f"ref = {column}")
        changes = ", ".join(f"{n}_sort = {k}" for n, k in zip(self.sorts, keys, strict=True))
        renamed = "(SELECT value FROM json_each(?1))"
        shown = [f"{one.name} IN {renamed}" for one in self.columns if one.labels in NAMED]
        accounts = f"SELECT id FROM labels WHERE ref IN {renamed}"  # noqa: S608 - our own names
        owned = f"SELECT ref FROM labels WHERE kind = 'wallets' AND account IN ({accounts})"  # noqa: S608
        where = " OR ".join([*shown, f"{self.wallet} IN ({owned})"])
        return f"UPDATE {self.name} SET {changes} WHERE {where}"  # noqa: S608 - our own names

    @property
    def indexes(self) -> Iterator[str]:
        """The statements that index each order, and the sums: amounts within their currency.

        It takes least once the rows are there.

        Only the usual order has an index from the beginning.
        """
        names = [column.name for column in self.columns if column.type is not KeyType.LABEL]
        for name in (*names, *(f"{name}_sort" for name in self.sorts)):
            keys = f"{currency}_sort, {name}" if (currency := CURRENCY_OF.get(name)) else name
            yield f"CREATE INDEX IF NOT EXISTS {self.kind.value}_{name} ON {self.name} ({keys})"
        summed = ", ".join((MONEY[self.kind][1], *reversed(UNITS)))
        yield f"CREATE INDEX IF NOT EXISTS {self.kind.value}_sums ON {self.name} ({summed})"

    @property
    def index_texts(self) -> str:
        """The statement that adds rows to the full-text index: with numbers above the first
        parameter, up to the second.
        """
        texts = ", ".join(self.texts)
        rows = f"SELECT row, {texts} FROM {self.name} WHERE row > ? AND row <= ?"  # noqa: S608 - our own names
        return f"INSERT INTO {self.index} (rowid, {texts}) {rows}"

    @property
    def schema(self) -> str:
        """The table, its first index, and its full-text index; triggers follow changes of rows."""
        texts = ", ".join(self.texts)
        old, new = (", ".join(f"{row}.{name}" for name in self.texts) for row in ("old", "new"))
        into = f"INSERT INTO {self.index}"
        drop = f"{into} ({self.index}, rowid, {texts}) VALUES ('delete', old.row, {old});"
        add = f"{into} (rowid, {texts}) VALUES (new.row, {new});"
        last = f"SELECT row FROM text_index WHERE kind = '{self.kind.value}'"  # noqa: S608 - our own names
        names = [*DERIVED, *(column.name for column in self.columns)]
        names += [f"{name}_sort" for name in self.sorts]
        return f"""
CREATE TABLE {self.name} (
  row INTEGER PRIMARY KEY, {", ".join(names)}
);
CREATE INDEX {self.kind.value}_created_at ON {self.name} (created_at);
CREATE VIRTUAL TABLE {self.index} USING fts5(
  {texts}, content='{self.name}', content_rowid='row', columnsize=0,
  tokenize='trigram case_sensitive 1'
);
INSERT INTO text_index VALUES ('{self.kind.value}', 0);
CREATE TRIGGER {self.index}_drop AFTER DELETE ON {self.name} WHEN old.row <= ({last})
  BEGIN {drop} END;
CREATE TRIGGER {self.index}_change AFTER UPDATE ON {self.name}
  WHEN old.row <= ({last}) AND ({new}) IS NOT ({old}) BEGIN {drop} {add} END;
CREATE TRIGGER {self.name}_drop AFTER DELETE ON records WHEN old.kind = '{self.kind.value}'
  BEGIN DELETE FROM {self.name} WHERE row = old.row; END;
"""  # noqa: S608 - our own names


_LABELLED: Mapping[object, str] = MappingProxyType(
    {
        models.AccountId: Kind.ACCOUNTS.value,
        models.WalletId: Kind.WALLETS.value,
        models.RecipientId: Kind.RECIPIENTS.value,
        models.PayInAddressId: Kind.PAYIN_ADDRESSES.value,
        models.PaymentAddressId: Kind.PAYMENT_ADDRESSES.value,
        models.State: CODES,
        CurrencyCode: CODES,
    }
)

_TYPES: Mapping[object, KeyType] = MappingProxyType(
    {Decimal: KeyType.NUMBER, datetime: KeyType.TIME}
)


def _columns(kind: Kind) -> Iterator[KeyColumn]:
    types = field_types(READS[kind].record)
    for name in kept_fields(kind):
        hint: object = types[name]
        if labels := _LABELLED.get(hint):
            yield KeyColumn(name, KeyType.LABEL, labels)
        else:
            yield KeyColumn(name, _TYPES.get(hint, KeyType.TEXT))


@cache
def list_tables() -> Mapping[Kind, ListTable]:
    """Return the tables of the kinds whose lists are read from the cache."""
    refers_by: dict[Kind, tuple[str, tuple[str, ...]]] = {
        Kind.PAYMENTS: ("source_wallet_id", ("recipient_id", "destination_wallet_id")),
        Kind.TRADES: ("sell_wallet_id", ("recipient_id", "buy_wallet_id")),
        Kind.PAYINS: ("wallet_id", ()),
    }
    return MappingProxyType(
        {
            kind: ListTable(kind, tuple(_columns(kind)), wallet, payees)
            for kind, (wallet, payees) in refers_by.items()
        }
    )


@dataclass(frozen=True, slots=True)
class Label:
    """A label: its kind and identifier, its sort key, and the identifier of a wallet's account."""

    kind: str
    id: str
    sort: str
    account: str | None = None


NAMED = frozenset({Kind.ACCOUNTS, Kind.WALLETS, Kind.RECIPIENTS})
"""The kinds with labels that are names."""


def label_of(row: models.Record) -> Label | None:
    """Return the label of an account, wallet or recipient; None for other objects."""
    if not isinstance(row, models.Account | models.Wallet | models.Recipient):
        return None
    account = row.account_id if isinstance(row, models.Wallet) else None
    return Label(KIND_OF[type(row)].value, identifier_of(row), fold(title_of(row)), account)


def unnamed(kind: str, identifier: str) -> Label:
    """Return the label of a code, or of an object that is not known."""
    return Label(kind, identifier, identifier if kind == CODES else fold(identifier))


def schema() -> str:
    """Return the statements that create the tables of all lists, and their labels."""
    return _LABELS + "".join(table.schema for table in list_tables().values())


_LABELS = """
CREATE TABLE labels (
  ref INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, folded TEXT NOT NULL,
  sort TEXT NOT NULL, account TEXT, UNIQUE (kind, id)
);
CREATE INDEX label_account ON labels (account) WHERE account IS NOT NULL;
CREATE TABLE text_index (kind TEXT PRIMARY KEY, row INTEGER NOT NULL) WITHOUT ROWID;
"""
