"""Facts: a label and a value; groups of them make up a detail view."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TypeVar

from rich.cells import cell_len
from textual.content import Content

from paytui.domain.models import (
    Account,
    Kind,
    PayInAddress,
    PaymentAddress,
    Recipient,
    Record,
    State,
    Wallet,
    WalletId,
)
from paytui.domain.money import MISSING, CurrencyCode, format_amount, plain
from paytui.store.health import Feed
from paytui.store.relations import belongs_to
from paytui.store.views import account_title, recipient_title
from paytui.tui.context import UiContext
from paytui.tui.format.cells import state_cell
from paytui.tui.format.feeds import noun
from paytui.tui.table.columns import fitted
from paytui.tui.theme.themes import Cell, Tone

Value = str | bool | date | State | Decimal | None
"""What a fact can be about."""


@dataclass(frozen=True, slots=True)
class Ref:
    """An object: its kind and its identifier."""

    kind: Kind
    key: str


@dataclass(frozen=True, slots=True)
class RelatedList:
    """The objects of one kind that belong to another: the payments of an account."""

    kind: Kind
    of: Ref


@dataclass(frozen=True, slots=True)
class Activity:
    """All that moved the money of a wallet."""

    wallet_id: WalletId


Link = Ref | RelatedList | Activity
"""What a fact can lead to: an object, or a list."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of a detail view; what the service did not send is `—`.

    Attributes:
        value: how it is shown.
        plain: what a copy of it is, without signs; None where the service sent nothing.
        note: what else there is to say; not copied.
        link: what can be opened from here.
        brief: whether the note is cut rather than continued below, where there is room for some.
    """

    label: str
    value: Cell
    plain: str | None
    note: str = ""
    link: Link | None = None
    brief: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Facts that belong together."""

    title: str
    facts: tuple[Fact, ...]


def fact(label: str, value: Value) -> Fact:
    """A value of any kind, written in full."""
    if value is None:
        return Fact(label, Cell(MISSING, Tone.FAINT), None)
    if isinstance(value, State):
        return Fact(label, state_cell(value), value.name)
    return text_fact(label, _written(value))


def text_fact(label: str, text: str, note: str = "", link: Link | None = None) -> Fact:
    """Words as they are to be shown and copied."""
    return Fact(label, Cell(text), text, note, link)


def amount_fact(label: str, amount: Decimal | None, currency: CurrencyCode | None) -> Fact:
    """An amount with its currency."""
    if amount is None:
        return fact(label, None)
    return text_fact(label, amount_words(amount, currency))


def amount_words(amount: Decimal, currency: CurrencyCode | None) -> str:
    """An amount with its currency, every digit of it: `12,000.00 USD`."""
    written = format_amount(amount, currency) if currency else plain(amount)
    return f"{written} {currency or MISSING}"


def group(title: str, *facts: Fact) -> Group:
    """A group of facts."""
    return Group(title, facts)


def _written(value: str | bool | date | Decimal) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case date():
            return value.isoformat()
        case Decimal():
            return plain(value)
        case _:
            return value


# Groups of facts as lines of text, in one column or two; long values go on in the next line.

LABEL = 22
"""Cells for the margin and a label; with it the identifiers of the service fit in a column."""

WIDE = 108
"""Cells from which on groups stand in two columns."""

ROOMY = 60
"""The width of a value from which on a brief fact takes one line."""

LINK = "› "
"""What stands before a value that leads to another object."""

GAP = "  "
"""What stands before any other."""


@dataclass(frozen=True, slots=True)
class Part:
    """Words in one tone."""

    text: str
    tone: Tone
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """The content of one column in one line.

    Attributes:
        fact: the place of the fact among all facts; None for a title or nothing.
    """

    parts: tuple[Part, ...] = ()
    fact: int | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns of lines; all have the same number of them.

    Attributes:
        width: cells of each column.
        places: of each fact, its column, its first line and its last.
    """

    columns: tuple[tuple[Piece, ...], ...]
    width: int
    places: Mapping[int, tuple[int, int, int]]

    @property
    def height(self) -> int:
        """Lines."""
        return len(self.columns[0])

    def nearest(self, column: int, line: int) -> int | None:
        """The fact of a column that is nearest to a line."""
        pieces = enumerate(self.columns[column])
        facts = [(abs(at - line), piece.fact) for at, piece in pieces if piece.fact is not None]
        return min(facts)[1] if facts else None


def lay_out(groups: Sequence[Group], width: int) -> Layout:
    """Fill the column that is shortest so far, group by group."""
    count = 2 if width >= WIDE else 1
    filled: list[list[Piece]] = [[] for _ in range(count)]
    first = 0
    for group in groups:
        min(filled, key=len).extend(_group(group, first, width // count - 1))
        first += len(group.facts)
    height = max(len(column) for column in filled)
    columns = tuple((*column, *[Piece()] * (height - len(column))) for column in filled)
    return Layout(columns, width // count, _places(columns))


def _places(columns: Sequence[Sequence[Piece]]) -> dict[int, tuple[int, int, int]]:
    found: dict[int, tuple[int, int, int]] = {}
    for column, pieces in enumerate(columns):
        for line, piece in enumerate(pieces):
            if piece.fact is not None:
                _, first, _ = found.get(piece.fact, (column, line, line))
                found[piece.fact] = column, first, line
    return found


def _group(group: Group, first: int, width: int) -> Iterator[Piece]:
    yield Piece((Part(group.title, Tone.ACCENT, bold=True),))
    for place, fact in enumerate(group.facts, start=first):
        yield from (Piece(parts, place) for parts in _fact(fact, width))
    yield Piece()


def _fact(fact: Fact, width: int) -> Iterator[tuple[Part, ...]]:
    """Its lines: label and value side by side, each as long as it has to be."""
    room = LABEL - 1 - len(GAP)
    labels, values = _wrapped(fact.label, room), _value(fact, max(1, width - LABEL))
    labels += [""] * (len(values) - len(labels))
    values += [()] * (len(labels) - len(values))
    for line, (label, value) in enumerate(zip(labels, values, strict=True)):
        mark = LINK if fact.link and line == 0 else GAP
        yield (Part(label + " " * (room - cell_len(label)) + mark, Tone.MUTED), *value)


def _value(fact: Fact, width: int) -> list[tuple[Part, ...]]:
    """The value in lines, the note behind it where there is room, else under it."""
    tone = Tone.ACCENT if fact.link else fact.value.tone
    lines: list[tuple[Part, ...]] = [(Part(x, tone),) for x in _wrapped(fact.value.text, width)]
    note = Part(f"  {fact.note}", Tone.MUTED)
    room = width - sum(cell_len(part.text) for part in lines[-1])
    if fact.note and cell_len(note.text) <= room:
        lines[-1] = (*lines[-1], note)
    elif fact.note and fact.brief and width >= ROOMY:
        lines[-1] = (*lines[-1], Part(fitted(note.text, room, right=False), Tone.MUTED))
    elif fact.note:
        lines += [(Part(x, Tone.MUTED),) for x in _wrapped(fact.note, width)]
    return lines


def _wrapped(text: str, width: int) -> list[str]:
    return [line.plain for line in Content(text).wrap(width)] or [""]


# Facts that lead to another object.

R = TypeVar("R")

MOST = 50
"""Objects of a kind that a detail view leads to; their own list has them all."""

NOT_READ = "cannot be opened: it is not among what was read"


def link_fact(desk: UiContext, label: str, kind: Kind, key: str | None) -> Fact:
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


def related_list_fact(desk: UiContext, kind: Kind, of: Ref) -> Fact:
    """Return the number of objects that belong to an object, with a link to their list."""
    table = desk.store.table(kind)
    belongs = belongs_to(desk.store, of.kind, of.key, kind)
    count = sum(map(belongs, table.rows()))
    note = _lacks(desk.store.feed(kind), len(table))
    return text_fact(noun(kind).capitalize(), f"{count:,}", note, RelatedList(kind, of))


def _lacks(feed: Feed, held: int) -> str:
    """Return why the count may be too low; without ages, as it is not refreshed."""
    if feed.problem is not None:
        return "and perhaps more: the newest read failed"
    if not feed.offered:
        return "known so far: the service offers no list"
    if not feed.was_read:
        return "so far: still loading"
    return f"of the {held:,} read of {feed.total:,}" if held < (feed.total or 0) else ""


def name_of(desk: UiContext, ref: Ref) -> str:
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
