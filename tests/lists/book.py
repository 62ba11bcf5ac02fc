"""Random rows of a list, the objects that they name, and changes of both; with many ties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any, TypeVar

from paytui.api.resources import READS
from paytui.domain.models import (
    Account,
    AccountId,
    Kind,
    PayIn,
    Payment,
    Recipient,
    RecipientId,
    Record,
    State,
    Trade,
    Wallet,
    WalletId,
    field_types,
)
from paytui.domain.money import CurrencyCode
from paytui.platform.text import clean
from paytui.store.cache.records import kept_fields
from paytui.store.cache.write import CacheWriter
from paytui.store.store import Store
from tests.support.clock import NOON

T = TypeVar("T")

_RAW = (
    *(
        "acme",
        "ACME Pty",
        "Ärger & Söhne",
        "straße",
        "STRASSE",
        "a_b",
        "a b",
        "_",
        "e\u0301t\u00e9",
    ),
    *("\u0130stanbul", "\ufb01ne", "漢字かな", "Ωmega", 'say "hi"', "100%", "it's", "--", "x", ""),
    *("\u0301", "abc", "abcabc", "bcab", "cab", "東京 unit 4", "\U0001f600", "ref-2026-03"),
)
TEXTS = tuple(dict.fromkeys(map(clean, _RAW)))
AMOUNTS = (
    *("0", "-0", "0.00", "1", "1.0", "1.50", "1.5", "1.51", "-1.5", "-1.51", "9", "10", "99.99"),
    *("100", "10000", "10000.01", "-10000", "1e49", "1e-49", "0.001", "123456789012345678901.25"),
    *("9007199254740991", "9007199254740992", "-9007199254740992", "-90071992547409.91"),
)
CODES = ("AUD", "USD", "aud", "JPY", "")
STATES = ("released", "compliance_review", "Completed", "failed", "on_hold", "release")
LIMITS = (datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC))


def times(random: Random) -> datetime:
    """Near noon, near a change of clocks, days away, or at the limits of the calendar."""
    near = timedelta(microseconds=random.choice((0, 1, -1, 999_999)))
    match random.randrange(20):
        case 0:
            return random.choice(LIMITS)
        case 1 | 2 | 3:  # clocks of Sydney go back, those of St. John's went back at 00:01
            changes = (
                datetime(2026, 4, 4, 16, tzinfo=UTC),
                datetime(2006, 10, 29, 2, 31, tzinfo=UTC),
            )
            hours = random.choice((0, 0, 1, -1, 13, -10))
            return random.choice(changes) + timedelta(hours=hours) + near
        case _:
            return NOON + timedelta(hours=random.choice((0, 0, -1, 5, -30, -24 * 9))) + near


Row = Payment | Trade | PayIn


class Book:
    """What a run knows, in its store and in its cache.

    Attributes:
        kind: that of the rows.
        store: holds the objects with names; the oracle reads them from there.
        rows: by identifier, in the order of their arrival.
    """

    def __init__(self, kind: Kind, random: Random, writer: CacheWriter) -> None:
        self.kind = kind
        self.store = Store()
        self.rows: dict[str, Row] = {}
        self._record: Any = READS[kind].record
        self._key, *self._names = kept_fields(kind)
        self._random = random
        self._writer = writer

    def key(self, row: Row) -> str:
        return str(getattr(row, self._key))

    def change(self) -> None:
        """Let rows come, change and go, and names too."""
        random = self._random
        for _ in range(random.randrange(1, 4)):
            match random.randrange(8):
                case 0 | 1 | 2 | 3:
                    self._put([self._row() for _ in range(random.randrange(1, 12))])
                case 4:
                    self._put([self._changed(row) for row in self._some(list(self.rows.values()))])
                case 5:
                    gone = self._some(list(self.rows))
                    for key in gone:
                        del self.rows[key]
                    self._writer.keep(self.kind, [], gone)
                case 6:
                    self._name()
                case _:
                    self._unname()

    def _some(self, among: Sequence[T]) -> list[T]:
        return self._random.sample(among, min(len(among), self._random.randrange(4)))

    def _put(self, rows: Sequence[Row]) -> None:
        new = {self.key(row): row for row in rows}
        self.rows.update(new)
        self._writer.keep(self.kind, new.values(), [])

    def _row(self) -> Row:
        return self._changed(self._record(f"{self._of('row-', 'ROW_')}{self._number(40)}"))

    def _changed(self, row: Row) -> Row:
        """Return the row with other values in some fields, or in all."""
        random = self._random
        names = self._names if random.random() < 0.7 else random.sample(self._names, 3)
        changes: dict[str, Any] = {name: self._value(name) for name in names}
        return replace(row, **changes)

    def _value(self, name: str) -> object:
        if self._random.random() < 0.2:
            return None
        as_created = self._random.random() < 0.05
        values: dict[object, object] = {
            AccountId: self._account(),
            WalletId: self._wallet(),
            RecipientId: self._recipient(),
            State: State(self._of(*STATES), final=self._of(True, False), as_created=as_created),
            CurrencyCode: CurrencyCode(self._of(*CODES)),
            Decimal: Decimal(self._of(*AMOUNTS)),
            datetime: times(self._random),
        }
        text = f"{name[:3]}_{self._number(9)}" if name.endswith("_id") else self._of(*TEXTS)
        return values.get(field_types(self._record)[name], text)

    def _name(self) -> None:
        """Name an account, a wallet and a recipient, or rename them."""
        text = self._of(*TEXTS, None)
        owner = self._of(self._account(), None)
        self._know(Kind.ACCOUNTS, Account(self._account(), display_name=text))
        wallet = Wallet(self._wallet(), account_id=owner, wallet_name=self._of(*TEXTS, None))
        self._know(Kind.WALLETS, wallet)
        name = self._of(*TEXTS, None)
        self._know(Kind.RECIPIENTS, Recipient(self._recipient(), company_name=name))

    def _know(self, kind: Kind, row: Record) -> None:
        self.store.table(kind).put([row])
        self._writer.keep(kind, [row], [])

    def _unname(self) -> None:
        kind = self._of(Kind.ACCOUNTS, Kind.WALLETS, Kind.RECIPIENTS)
        gone = self._some(sorted(self.store.table(kind).keys()))
        self.store.table(kind).remove(gone)
        self._writer.keep(kind, [], gone)

    def _account(self) -> AccountId:
        return AccountId(f"acc-{self._number(3)}")

    def _wallet(self) -> WalletId:
        return WalletId(f"Wal_{self._number(5)}")

    def _recipient(self) -> RecipientId:
        return RecipientId(f"rec-{self._number(6)}")

    def _number(self, below: int) -> int:
        return self._random.randrange(below)

    def _of(self, *choices: T) -> T:
        return self._random.choice(choices)
