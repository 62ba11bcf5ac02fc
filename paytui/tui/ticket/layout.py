"""The text of a ticket: its fields, the options under the cursor, and lines of facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from paytui.tui.theme.tones import Tone, toned
from paytui.tui.ticket.model import Field, Line, Option, TicketView

LABEL_WIDTH = 16
"""The minimum width of a label in cells, with the mark before it and the gap after it."""

LABEL_GAP = 2  # The minimum gap between a label and its text, in cells
MAX_NAME = 36  # Cells of an option's name, except of the one under the cursor; an identifier has 36
MIN_OPTIONS = 6  # Options that are shown at once at the least

Rows = list[tuple[str, Content]]
"""Lines of text, each with the key of its field or option; empty for another text."""


def label_width(fields: Iterable[Field]) -> int:
    """Return the width of the column of labels."""
    return max([LABEL_WIDTH, *(cell_len(one.label) + 2 + LABEL_GAP for one in fields)])


def label_of(view: TicketView) -> Content:
    """Return the label of the field with the cursor."""
    if view.field is not None:
        room = label_width(view.fields) - 2
        return toned("▌ ", Tone.ACCENT) + toned(_padded(view.field.label, room), bold=True)
    return Content()


def rows_of(fields: tuple[Field, ...], every: tuple[Field, ...], width: int) -> Rows:
    """Return the rows of some of the fields; values are cut to one line."""
    room = label_width(every)
    return [(one.key, row) for one in fields for row in _rows(one, room, width, every)]


def _rows(field: Field, room: int, width: int, every: tuple[Field, ...]) -> Iterator[Content]:
    """Yield a field below the title of its section, if it is the first of it."""
    yield from section_title(field, every)
    yield _row(field, room, width)
    if field.finding is not None:
        for line in toned(field.finding.text, field.finding.tone).wrap(max(1, width - room)):
            yield Content(" " * room) + line


def section_title(field: Field | None, every: tuple[Field, ...]) -> Iterator[Content]:
    """Yield the title of a section above its first field."""
    if field is None:
        return
    place = every.index(field)
    if field.section and (place == 0 or every[place - 1].section != field.section):
        yield from () if place == 0 else (Content(),)
        yield toned(f"  {field.section}", bold=True)


def _row(field: Field, room: int, width: int) -> Content:
    value = toned(field.shown or field.text) if field.text else Content()
    if field.note and not field.shown:
        value += toned(f"{'  ' * bool(field.text)}{field.note}", Tone.MUTED)
    elif not field.text:
        value = toned(field.hint, Tone.FAINT)
    label = toned(f"  {_padded(field.label, room - 2)}", Tone.MUTED)
    return label + value.truncate(max(1, width - room), ellipsis=True)


def _padded(text: str, width: int) -> str:
    return text + " " * max(0, width - cell_len(text))


def below_input(view: TicketView, width: int, height: int) -> Rows:
    """Return the remarks on the field with the cursor, and its options with their keys."""
    room = label_width(view.fields)
    remarks = [
        ("", Content(" " * room) + line)
        for cell in view.words
        for line in toned(cell.text, cell.tone).wrap(max(1, width - room))
    ]
    return [*remarks, *_options(view, room, width, max(MIN_OPTIONS, height))]


def _options(view: TicketView, room: int, width: int, most: int) -> Iterator[tuple[str, Content]]:
    """Yield the options around the cursor, and the number of others."""
    keys = [one.key for one in view.options]
    place = keys.index(view.cursor) if view.cursor in keys else 0
    first = max(0, min(place - most // 2, len(keys) - most))
    shown = view.options[first : first + most]
    names = max([0, *(cell_len(one.name) for one in shown)])
    amounts = max([0, *(cell_len(one.amount) for one in shown)])
    for option in shown:
        is_under = option.key == view.cursor
        lines = _option(option, min(names, MAX_NAME), amounts, room, width, is_under=is_under)
        yield from ((option.key, line) for line in lines)
    if len(keys) > len(shown):
        more = f"{len(keys) - len(shown)} more: type a part of the name"
        yield "", Content(" " * (room + 2)) + toned(more, Tone.FAINT)


def _option(
    option: Option, names: int, amounts: int, room: int, width: int, *, is_under: bool
) -> Iterator[Content]:
    """Yield an option as one line; the one under the cursor is whole."""
    ink = Tone.FAINT if option.why_not else Tone.ACCENT if is_under else Tone.INK
    name = option.name if is_under else set_cell_size(option.name, names).rstrip()
    said = toned(_padded(name, names), ink)
    if amounts:
        said += toned(f"  {option.amount:>{amounts}}", Tone.FAINT if option.why_not else Tone.INK)
    if option.why_not:
        said += toned(f"  {option.why_not}", Tone.CLOSING)
    if option.facts:
        said += toned(f"  {option.facts}", Tone.FAINT if option.why_not else Tone.MUTED)
    fits = max(1, width - room - 2)
    mark = toned("› " if is_under else "  ", Tone.ACCENT)
    if not is_under:
        yield Content(" " * room) + mark + said.truncate(fits, ellipsis=True)
        return
    for line in said.wrap(fits):
        yield Content(" " * room) + mark + line
        mark = Content("  ")


def lines_of(lines: Iterable[Line], width: int) -> Content:
    """Lay out lines with their labels in one column; long texts wrap beside the label."""
    shown = tuple(lines)
    room = max([LABEL_WIDTH - 2, *(cell_len(line.label) + LABEL_GAP for line in shown)])
    return Content("\n").join([_line(line, room, width) for line in shown])


def _line(line: Line, room: int, width: int) -> Content:
    words = Content("  ").join([toned(cell.text, cell.tone) for cell in line.cells])
    first, *others = words.wrap(max(1, width - room)) or (words,)
    indented = [Content(" " * room) + other for other in others]
    return Content("\n").join([toned(_padded(line.label, room), Tone.MUTED) + first, *indented])
