"""The text of a ticket: its fields, the options under the cursor, and lines of facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from paytui.tui.format.cells import Cell, Tone, toned
from paytui.tui.ticket.model import Field, Line, Option, TicketView

LABEL_WIDTH = 16
"""The minimum width of a label in cells, with the mark before it and the gap after it."""

LABEL_GAP = 2  # The minimum gap between a label and its text, in cells
MAX_NAME = 36  # Cells of an option's name, except of the one under the cursor; an identifier has 36
MIN_NAME = 14  # Cells that a name keeps beside an amount and a reason
MAX_REASON = 22  # Cells for which names give way to a reason
MIN_OPTIONS = 6  # Options that are shown at once at the least

Rows = list[tuple[str, Content]]
"""Lines of text, each with the key of its field or option; empty for another text."""


def label_width(fields: Iterable[Field]) -> int:
    return max([LABEL_WIDTH, *(cell_len(one.label) + 2 + LABEL_GAP for one in fields)])


def label_of(view: TicketView) -> Content:
    if view.field is None:
        return Content()
    room = label_width(view.fields) - 2
    return toned("▌ ", Tone.ACCENT) + toned(set_cell_size(view.field.label, room), bold=True)


def rows_of(fields: Iterable[Field], every: tuple[Field, ...], width: int) -> Rows:
    """Return the rows of some of the fields, below the titles of their sections.

    Values are cut to one line.
    """
    rows: Rows = []
    room = label_width(every)
    for field in fields:
        value = toned(field.shown or field.text) if field.text else Content()
        if field.note and not field.shown:
            value += toned(f"{'  ' * bool(field.text)}{field.note}", Tone.MUTED)
        elif not field.text:
            value = toned(field.hint, Tone.FAINT)
        label = toned(f"  {set_cell_size(field.label, room - 2)}", Tone.MUTED)
        lines = [*section_title(field, every)]
        lines.append(label + value.truncate(max(1, width - room), ellipsis=True))
        if field.finding is not None:
            lines += _wrapped(field.finding.cell, room, width)
        rows += [(field.key, line) for line in lines]
    return rows


def section_title(field: Field | None, every: tuple[Field, ...]) -> Iterator[Content]:
    place = every.index(field) if field is not None else 0
    if field and field.section and (place == 0 or every[place - 1].section != field.section):
        yield from () if place == 0 else (Content(),)
        yield toned(f"  {field.section}", bold=True)


def below_input(view: TicketView, width: int, height: int) -> Rows:
    """Return the remarks on the field with the cursor, and its options with their keys."""
    room = label_width(view.fields)
    remarks = [("", line) for cell in view.words for line in _wrapped(cell, room, width)]
    return [*remarks, *_options(view, room, width, max(MIN_OPTIONS, height))]


def _options(view: TicketView, room: int, width: int, most: int) -> Iterator[tuple[str, Content]]:
    """Yield the options around the cursor, and the number of others.

    Without room for all, those that cannot be chosen appear once you search or move to them.
    """
    options, possible = view.options, tuple(one for one in view.options if not one.why_not)
    is_among = view.cursor in (None, *(one.key for one in possible)) and not view.is_searched
    if len(options) > most and possible and is_among:
        options = possible
    keys = [one.key for one in options]
    place = keys.index(view.cursor) if view.cursor in keys else 0
    first = max(0, min(place - most // 2, len(keys) - most))
    shown, indent, fits = options[first : first + most], Content(" " * room), width - room - 2
    amounts = max([0, *(cell_len(one.amount) for one in shown)])
    reasons = min(MAX_REASON, max([0, *(cell_len(one.why_not) for one in shown)]))
    names = min(MAX_NAME, max([0, *(cell_len(one.name) for one in shown)]))
    names = min(names, max(MIN_NAME, fits - sum(each + 2 for each in (amounts, reasons) if each)))
    for option in shown:
        is_under = option.key == view.cursor
        text = _option(option, names, amounts, is_under=is_under)
        lines = text.wrap(max(1, fits)) if is_under else [text.truncate(fits, ellipsis=True)]
        mark = toned("› " if is_under else "  ", Tone.ACCENT)
        for line in lines:
            yield option.key, indent + mark + line
            mark = Content("  ")
    more, barred = len(keys) - len(shown), len(view.options) - len(keys)
    others = [f"{more} more: type a part of the name"] if more else []
    if others := others + [f"{barred} cannot be chosen: ↓"] * bool(barred):
        yield "", indent + Content("  ") + toned(" · ".join(others), Tone.FAINT)


def _option(option: Option, names: int, amounts: int, *, is_under: bool) -> Content:
    """Return the text of an option; under the cursor, its name is whole."""
    tones = Tone.ACCENT if is_under else Tone.INK, Tone.INK, Tone.MUTED
    ink, figures, muted = (Tone.FAINT,) * 3 if option.why_not else tones
    room = max(names, cell_len(option.name)) if is_under else names
    text = toned(option.name, ink).truncate(room, ellipsis=True, pad=True)
    if amounts:
        text += toned(f"  {option.amount:>{amounts}}", figures)
    if option.why_not:
        text += toned(f"  {option.why_not}", Tone.CLOSING)
    return text + toned(f"  {option.facts}", muted) if option.facts else text


def lines_of(lines: Iterable[Line], width: int) -> Content:
    """Lay out lines with their labels in one column; long texts wrap beside the label."""
    shown, rows = tuple(lines), []
    room = max([LABEL_WIDTH - 2, *(cell_len(line.label) + LABEL_GAP for line in shown)])
    for line in shown:
        words = Content("  ").join([toned(cell.text, cell.tone) for cell in line.cells])
        first, *others = words.wrap(max(1, width - room)) or (words,)
        rows.append(toned(set_cell_size(line.label, room), Tone.MUTED) + first)
        rows += [Content(" " * room) + other for other in others]
    return Content("\n").join(rows)


def _wrapped(cell: Cell, room: int, width: int) -> list[Content]:
    """Return a text in lines, beside the column of labels."""
    lines = toned(cell.text, cell.tone).wrap(max(1, width - room))
    return [Content(" " * room) + line for line in lines]
