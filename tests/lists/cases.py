"""Cases: a change of the book, a query, and windows of it, compared with the oracle."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

import pytest

from paytui.domain.models import Kind
from paytui.platform.text import fold
from paytui.store.cache.list_query import Anchor, ListQuery, SortBy, Window
from paytui.store.cache.list_reader import COUNTED_AT_ONCE, QUICK, ListReader
from paytui.store.cache.list_tables import list_tables
from paytui.store.cache.write import CacheWriter
from paytui.store.filter import FilterError, TimeContext
from paytui.store.names import Owner, account_of
from paytui.store.sums import GROUPS, Sums, groups_of
from tests.lists.book import AMOUNTS, CODES, STATES, TEXTS, Book, Row
from tests.lists.oracle import expected, expected_groups, expected_sums, sort_keys
from tests.support.clock import NOON

A_BOOK = 40  # Cases with one book: it grows meanwhile
ZONES = tuple(map(ZoneInfo, ("UTC", "Australia/Sydney", "America/St_Johns", "Pacific/Apia")))

PERIODS = ("0s", "1s", "59min", "1h", "6h", "30h", "1d", "9d", "2w", "999999w")
DAYS = (
    "today",
    "yesterday",
    "wed",
    "2026-03-01",
    "2026-03-02",
    "2026-04-05",
    "2006-10-28",
    "2006-10-29",
    "0001-01-01",
)
MOMENTS = ("2026-03-02T12:00Z", "2026-04-05T02:30", "2026-03-01T14:00+02:00", "9999-12-31T23:00")
NUMBERS = (*AMOUNTS, "10k", "1,000", ".5", "0.1m")

TEXT_FIELDS = (
    *("reference", "payment_type", "state", "status", "ccy", "account", "account_id", "wallet"),
    *("source_wallet", "recipient", "recipient_id", "end_to_end_id", "failure_reason", "address"),
    *(
        "payment_transaction_id",
        "destination_wallet_id",
        "buy_wallet",
        "dealt_side",
        "sheet",
        "type",
        "id",
        "reason",
    ),
    *("from", "to", "pair", "into", "end-to-end-id", "payment-id", "trade_id", "dealt", "failure"),
)
SIGNS = (">", "<", ">=", "<=", ":", "=")


def filter_text(random: Random) -> str:
    return " ".join(_term(random) for _ in range(random.choice((0, 1, 1, 1, 2, 3))))


def _term(random: Random) -> str:
    negated = random.choice(("", "", "-"))
    return negated + random.choice((_word, _text, _text, _number, _time, _any))(random)


def _word(random: Random) -> str:
    return _quoted(random, _part(random))


def _text(random: Random) -> str:
    text = _part(random) if random.random() < 0.8 else f"{_part(random)},{_part(random)}"
    return f"{random.choice(TEXT_FIELDS)}{random.choice(':=')}{_quoted(random, text)}"


def _number(random: Random) -> str:
    field = random.choice(("amount", "amount", "sell_amount", "sold", "rate"))
    return f"{field}{random.choice(SIGNS)}{random.choice(NUMBERS)}"


def _time(random: Random) -> str:
    if random.random() < 0.3:
        age = random.choice((*(f"age{sign}" for sign in SIGNS[:4]), "last:", "last "))
        return f"{age}{random.choice(PERIODS)}"
    field = random.choice(("created", "created_at", "updated", ""))
    sign = random.choice(SIGNS if field else SIGNS[:4])
    return f"{field}{sign}{random.choice((*DAYS, *MOMENTS))}"


def _any(random: Random) -> str:
    """Return a condition that need not be a valid one."""
    field = random.choice((*TEXT_FIELDS, "amount", "created", "age", "bogus"))
    values = (_part(random), *random.sample((*NUMBERS, *PERIODS, *DAYS, *MOMENTS), 3))
    return f"{field}{random.choice(SIGNS)}{_quoted(random, random.choice(values))}"


def _part(random: Random) -> str:
    """Return a text that a row may hold, or a part of one."""
    ids = (f"acc-{random.randrange(3)}", f"wal_{random.randrange(5)}", f"rec-{random.randrange(6)}")
    whole = random.choice((*TEXTS, *NUMBERS, *STATES, *CODES, *ids, "row-1", "end_7", "pay"))
    if random.random() < 0.5:
        return whole
    start = random.randrange(len(whole) + 1)
    return whole[start : start + random.randrange(1, 6)]


def _quoted(random: Random, text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"' if " " in text or random.random() < 0.2 else text


def an_owner(random: Random, kind: Kind) -> Owner:
    owners = [
        (Kind.ACCOUNTS, f"acc-{random.randrange(4)}"),
        (Kind.WALLETS, f"wal_{random.randrange(6)}"),
    ]
    if kind is Kind.PAYINS:
        owners.append((Kind.PAYIN_ADDRESSES, f"pay_{random.randrange(10)}"))
    return random.choice(owners)


def a_query(random: Random, kind: Kind) -> ListQuery:
    columns = random.sample(list(sort_keys(kind)), random.choice((0, 1, 1, 1, 2, 3)))
    order = tuple(SortBy(column, descending=random.random() < 0.5) for column in columns)
    scope = random.choice((None, None, an_owner(random, kind)))
    return ListQuery(kind, order, filter_text(random), scope)


def run(folder: Path, seed: int, count: int = A_BOOK) -> int:
    """Run the cases of one book; return how many had rows."""
    random = Random(seed)  # noqa: S311 - a test repeats itself
    path, text_batch = folder / f"{seed}.cache.sqlite", random.choice((1, 1, 3, 10, 1_000))
    writer = CacheWriter(path, text_batch=text_batch)
    counted_at_once, quick = random.choice((0, COUNTED_AT_ONCE)), random.choice((1, QUICK))
    reader = ListReader(path, counted_at_once=counted_at_once, quick=quick)
    try:
        book = Book(random.choice(list(list_tables())), random, writer)
        if seed % 2:
            writer.index_orders(book.kind)
        filled = sum(_case(random, book, reader, may_skip=quick > 1) for _ in range(count))
        if text_batch == 1:
            check_index(path, list_tables()[book.kind].index)
        return filled
    finally:
        reader.close()
        writer.close()


def check_index(path: Path, index: str) -> None:
    """Raise an error unless the full-text index holds exactly the texts of all rows."""
    connection = sqlite3.connect(path, isolation_level=None)
    check = f"INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)"  # noqa: S608 - our own name
    connection.execute(check)
    connection.close()


def _case(random: Random, book: Book, reader: ListReader, *, may_skip: bool) -> bool:
    """`may_skip`: a glance may find no row, where all are found as fast."""
    book.change()
    query = a_query(random, book.kind)
    now = NOON + timedelta(hours=random.randrange(30))
    when = TimeContext(lambda: now, random.choice(ZONES))
    try:
        rows = expected(book, query, when)
    except FilterError as error:
        with pytest.raises(FilterError, match=f"^{re.escape(str(error))}$"):
            reader.window(query, when, Anchor(), 1)
        return False
    assert list(reader.rows(query, when)) == rows, query
    most = random.randrange(1, 9)
    glanced = list(reader.glance(query, when, most))
    first_rows = rows[:most] if query.filter.strip() or query.owner else []
    assert glanced == first_rows or (may_skip and not glanced), query
    _check_sums(reader.sums(query, when), expected_sums(book.kind, rows), query)
    by = random.choice(GROUPS[book.kind])
    groups = expected_groups(book, rows, by.field, when)
    in_memory = groups_of(book.kind, rows, by, when.day, partial(account_of, book.store))
    for found in (reader.groups(query, when, by), in_memory):
        assert sorted(fold(each.value) for each in found) == sorted(groups), (query, by)
        for each in found:
            _check_sums(each.sums, dict(groups[fold(each.value)]), query)
    held: Window | None = None
    for _ in range(3):
        anchor, reach = _anchor(random, rows, book), random.randrange(1, 6)
        if random.random() < 0.2:  # neither `held` nor the anchor's position is current
            book.change()
            rows = expected(book, query, when)
        before = random.choice((None, held))
        if before is None or not before.is_placed:
            anchor = replace(anchor, position=random.randrange(len(rows) + 2))
        held = reader.window(query, when, anchor, reach, before)
        at = _position(rows, anchor, book)
        first = max(0, at - reach)
        assert list(held.rows) == rows[first : at + reach + 1], (query, anchor, reach)
        assert held.is_placed or before is None, (query, anchor, reach)
        at_most = len(rows) - len(held.rows)
        assert held.first == first if held.is_placed else 0 <= held.first <= at_most
        assert held.total == len(rows), (query, anchor, reach)
    return bool(rows)


def _check_sums(sums: Sums, amounts: dict[str, list[Fraction | None]], query: ListQuery) -> None:
    no_currency = amounts.pop("", [])
    expected = {
        code: (len(each), sum(filter(None, each)), each.count(None))
        for code, each in amounts.items()
    }
    found = {one.currency: (one.rows, Fraction(one.amount), one.untold) for one in sums.totals}
    assert found == expected, query
    assert sums.rows == sum(map(len, amounts.values())) + len(no_currency), query
    assert sums.no_currency == len(no_currency), query


def _position(rows: list[Row], anchor: Anchor, book: Book) -> int:
    for position, row in enumerate(rows):
        if book.key(row) == anchor.key:
            return position
    return max(0, min(anchor.position, len(rows) - 1))


def _anchor(random: Random, rows: list[Row], book: Book) -> Anchor:
    """Return a row of the list at its position, a position alone, or a row of no list."""
    position = random.randrange(len(rows) + 2)
    if position < len(rows) and random.random() < 0.8:
        return Anchor(book.key(rows[position]), position)
    others = {*book.rows, "nothing"} - set(map(book.key, rows))
    return Anchor(random.choice((None, *sorted(others))), position)
