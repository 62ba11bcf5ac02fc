"""Groups of facts as lines of text, in one column or two; long values go on in the next line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content

from paytui.tui.details.facts import Fact, Group
from paytui.tui.table.columns import fitted
from paytui.tui.theme.themes import Tone

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
