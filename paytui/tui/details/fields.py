"""Fields of a detail view: labels with values, links to other objects, and their layout."""

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
"""The types of a field's value."""


@dataclass(frozen=True, slots=True)
class Ref:
    """An object: its kind and its identifier."""

    kind: Kind
    key: str


@dataclass(frozen=True, slots=True)
class RelatedList:
    """The objects of one kind that belong to another object, such as an account's payments."""

    kind: Kind
    of: Ref


@dataclass(frozen=True, slots=True)
class Activity:
    """The movements of a wallet."""

    wallet_id: WalletId


Link = Ref | RelatedList | Activity
"""The target of a link: an object or a list."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of a detail view; `—` if the service sent no value.

    Attributes:
        value: the text on screen.
        plain: the text to copy, without signs; None if the service sent nothing.
        note: words after the value; not copied.
        link: the target that this line opens.
        brief: True if the note is cut to one line rather than continued below, given some room.
    """

    label: str
    value: Cell
    plain: str | None
    note: str = ""
    link: Link | None = None
    brief: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """A title with the facts under it."""

    title: str
    facts: tuple[Fact, ...]


def fact(label: str, value: Value) -> Fact:
    """Return a fact for a value of any type, written in full."""
    if value is None:
        return Fact(label, Cell(MISSING, Tone.FAINT), None)
    if isinstance(value, State):
        return Fact(label, state_cell(value), value.name)
    return text_fact(label, _written(value))


def text_fact(label: str, text: str, note: str = "", link: Link | None = None) -> Fact:
    return Fact(label, Cell(text), text, note, link)


def amount_fact(label: str, amount: Decimal | None, currency: CurrencyCode | None) -> Fact:
    if amount is None:
        return fact(label, None)
    return text_fact(label, amount_words(amount, currency))


def amount_words(amount: Decimal, currency: CurrencyCode | None) -> str:
    """Return an amount in full digits with its currency: `12,000.00 USD`."""
    written = format_amount(amount, currency) if currency else plain(amount)
    return f"{written} {currency or MISSING}"


def group(title: str, *facts: Fact) -> Group:
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


LABEL = 22
"""Cells for the margin and a label; beside it a column has room for the service's identifiers."""

WIDE = 108
"""Cells from which groups stand in two columns."""

ROOMY = 60
"""Width of a value from which a brief fact takes one line."""

LINK = "› "
"""The prefix of a value that opens another object."""

GAP = "  "
"""The prefix of any other value."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of text in one tone."""

    text: str
    tone: Tone
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """The content of one column in one line.

    Attributes:
        fact: the index of the fact among all facts; None for a title or a blank line.
    """

    parts: tuple[Part, ...] = ()
    fact: int | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns with an equal number of lines.

    Attributes:
        width: cells of each column.
        places: the column, first line and last line of each fact.
    """

    columns: tuple[tuple[Piece, ...], ...]
    width: int
    places: Mapping[int, tuple[int, int, int]]

    @property
    def height(self) -> int:
        """Return the number of lines."""
        return len(self.columns[0])

    def nearest(self, column: int, line: int) -> int | None:
        """Return the fact of a column that is nearest to a line."""
        pieces = enumerate(self.columns[column])
        facts = [(abs(at - line), piece.fact) for at, piece in pieces if piece.fact is not None]
        return min(facts)[1] if facts else None


def lay_out(groups: Sequence[Group], width: int) -> Layout:
    """Return the layout; each group goes to the column that is shortest so far."""
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
    """Yield the lines of a fact: label and value side by side, each wrapped on its own."""
    room = LABEL - 1 - len(GAP)
    labels, values = _wrapped(fact.label, room), _value(fact, max(1, width - LABEL))
    labels += [""] * (len(values) - len(labels))
    values += [()] * (len(labels) - len(values))
    for line, (label, value) in enumerate(zip(labels, values, strict=True)):
        mark = LINK if fact.link and line == 0 else GAP
        yield (Part(label + " " * (room - cell_len(label)) + mark, Tone.MUTED), *value)


def _value(fact: Fact, width: int) -> list[tuple[Part, ...]]:
    """Return the value in lines, with the note after it if there is room, else under it."""
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


R = TypeVar("R")

MOST = 50
"""Objects of a kind that a detail view links to; their own list has them all."""

NOT_READ = "cannot be opened: it is not among what was read"


def link_fact(desk: UiContext, label: str, kind: Kind, key: str | None) -> Fact:
    """Return a link to an object by its name; without a link if the store lacks the object."""
    if key is None:
        return fact(label, None)
    if desk.store.table(kind).get(key) is None:
        return text_fact(label, key, NOT_READ)
    link = Ref(kind, key)
    return text_fact(label, name_of(desk, link), link=link)


def links_group(title: str, rows: Sequence[R], link: Callable[[R], Fact]) -> Group:
    """Return the first of many objects as links, with their count in the title."""
    return Group(f"{title} ({many(len(rows))})", tuple(link(row) for row in rows[:MOST]))


def many(count: int) -> str:
    """Return the count of objects, and of those shown if there are more: `50 of 1,234`."""
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
