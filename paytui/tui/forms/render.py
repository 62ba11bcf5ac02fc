"""The view of a form's page, and its layout as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from paytui.config.key_bindings import Keymap, first_key
from paytui.tui.format.cells import CAREFUL, WRONG
from paytui.tui.forms import navigation
from paytui.tui.forms.navigation import FormState, PlacedField
from paytui.tui.forms.schema import Choice, Finding, Form
from paytui.tui.theme.tones import Cell, Tone, toned


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A field as it is shown.

    Attributes:
        note: details of its choice; of an empty field, a remark if it is required.
    """

    path: str
    label: str
    value: str
    note: str = ""
    words: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FormView:
    """A page as it is shown.

    Attributes:
        name: of the section, or of the part: `Representative 2 of 2`.
        place: `section 2 of 5`; empty if there is one section.
        at: the index of the focused row; None if there is none.
        text: of the focused row's input.
        taken_in: the path of the focused row if its input holds a taken choice; else None.
        onward: True if there is a page after this one.
    """

    title: str
    name: str
    place: str
    rows: tuple[Row, ...]
    at: int | None
    text: str
    taken_in: str | None
    choices: tuple[Choice, ...]
    cursor: str | None
    help: str
    words: tuple[Cell, ...]
    adds: bool
    removes: bool
    onward: bool


def view_of(form: Form, state: FormState, found: Mapping[str, Finding], keys: Keymap) -> FormView:
    page, one = navigation.page_of(form, state), navigation.focused(form, state)
    fields = navigation.fields_of(page, state.draft)
    return FormView(
        title=form.title,
        name=_name(page, state),
        place=_place(form, state, page),
        rows=tuple(_row(state, each, found) for each in fields),
        at=fields.index(one) if one else None,
        text=_text(state, one) if one else "",
        taken_in=one.path if one and _taken(state, one) else None,
        choices=tuple(navigation.offered(form, state)),
        cursor=state.cursor,
        help=one.field.help if one else _nothing_yet(page, keys),
        words=(Cell(state.trouble, Tone.CLOSING),) if state.trouble else (),
        adds=navigation.can_add(form, state),
        removes=navigation.can_remove(form, state),
        onward=page != navigation.pages_of(form, state.draft)[-1],
    )


def _row(state: FormState, one: PlacedField, found: Mapping[str, Finding]) -> Row:
    choice = navigation.chosen_in(one, state.draft)
    value = choice.words if choice else state.draft[one.path]
    needed = "required" if one.field.required else "—"
    return Row(
        path=one.path,
        label=one.field.label,
        value=value,
        note=(choice.about if choice else "") if value else needed,
        words=tuple(_words(state, one.path, found)),
    )


def _words(state: FormState, path: str, found: Mapping[str, Finding]) -> list[Cell]:
    """Return the errors of a field; none while it is typed in for the first time."""
    words = [WRONG.cell(state.refused[path])] if path in state.refused else []
    judged = state.shows_errors if path == state.path else path in state.visited
    if judged and path in found:
        finding = found[path]
        words.append((CAREFUL if finding.overridable else WRONG).cell(finding.words))
    return words


def _text(state: FormState, one: PlacedField) -> str:
    choice = _taken(state, one)
    return choice.words if choice else state.draft[one.path]


def _taken(state: FormState, one: PlacedField) -> Choice | None:
    """Return the choice that a field holds, unless it was typed in since it got the focus."""
    return None if state.typing else navigation.chosen_in(one, state.draft)


def _name(page: navigation.Page, state: FormState) -> str:
    title = page.section.title
    if page.part is None:
        return f"{title} · none yet" if page.section.repeated else title
    return f"{title} {page.part + 1} of {navigation.count_of(page.section, state.draft)}"


def _place(form: Form, state: FormState, page: navigation.Page) -> str:
    pages = navigation.pages_of(form, state.draft)
    return f"section {pages.index(page) + 1} of {len(pages)}" if len(pages) > 1 else ""


def _nothing_yet(page: navigation.Page, keys: Keymap) -> str:
    add = first_key(keys, "form.add")
    return f"None yet. {add} adds a {page.section.title.lower()}; enter continues."


LABEL_WIDTH = 24  # The width of a label in cells, with the edge and the gap after it
MAX_CHOICES = 7  # The number of choices that are shown at once
MARKS = ("✗ ", "! ")  # The marks of errors and warnings
Lines = list[tuple[str, Content]]  # Lines of text, each with the path of its field


class FieldLines(Static):
    """The fields above or below the focused one; a click on a line posts its field's path."""

    class Clicked(Message):
        """A click on a field."""

        def __init__(self, path: str) -> None:
            super().__init__()
            self.path = path

    def __init__(self) -> None:
        super().__init__(markup=False)
        self._lines: Lines = []
        self.display = False

    def show(self, lines: Lines) -> None:
        """Show these lines; repaints only if the text differs."""
        words = Content("\n").join(line for _, line in lines)
        if not words.is_same(Content("\n").join(line for _, line in self._lines)):
            self.display = bool(lines)
            self.update(words)
        self._lines = lines

    def on_click(self, event: events.Click) -> None:
        if 0 <= event.y < len(self._lines):
            path, _ = self._lines[event.y]
            self.post_message(self.Clicked(path))


def above(view: FormView, width: int) -> Lines:
    return _rows(view.rows[: view.at], width)


def below(view: FormView, width: int) -> Lines:
    """Return the lines of the fields after the focused one."""
    return [] if view.at is None else _rows(view.rows[view.at + 1 :], width)


def label_of(view: FormView) -> Content:
    if view.at is None:
        return Content()
    return toned("▌ ", Tone.ACCENT) + toned(
        f"{view.rows[view.at].label:<{LABEL_WIDTH - 2}}", bold=True
    )


def below_input(view: FormView, width: int) -> Content:
    if view.at is None:
        return Content()
    row = view.rows[view.at]
    lines = [line for cell in row.words for line in _wrapped(cell, width)]
    if not view.choices and row.note and row.value:
        lines += _wrapped(Cell(row.note, Tone.MUTED), width)
    return Content("\n").join([*lines, *_choices(view, width)])


def _rows(rows: Iterable[Row], width: int) -> Lines:
    return [(row.path, line) for row in rows for line in _row_lines(row, width)]


def _row_lines(row: Row, width: int) -> Iterator[Content]:
    value = toned(row.value) if row.value else Content()
    gap = "  " if row.value and row.note else ""
    value += toned(f"{gap}{row.note}", Tone.MUTED if row.value else Tone.FAINT)
    label = toned(f"  {row.label:<{LABEL_WIDTH - 2}}", Tone.MUTED)
    for line in value.wrap(max(1, width - LABEL_WIDTH - 2)):
        yield label + line
        label = Content(" " * LABEL_WIDTH)
    for cell in row.words:
        yield from _wrapped(cell, width)


def _wrapped(cell: Cell, width: int) -> Iterator[Content]:
    """Yield a message wrapped under its value, aligned after its mark."""
    sign, _, words = cell.text.partition(" ") if cell.text[:2] in MARKS else ("", "", cell.text)
    start = f"{sign} " if sign else ""
    for line in toned(words, cell.tone).wrap(max(1, width - LABEL_WIDTH - len(start) - 2)):
        yield Content(" " * LABEL_WIDTH) + toned(start, cell.tone) + line
        start = " " * len(start)


def _choices(view: FormView, width: int) -> Iterator[Content]:
    """Yield the choices around the cursor, and the number of others."""
    keys = [one.key for one in view.choices]
    place = keys.index(view.cursor) if view.cursor in keys else 0
    first = max(0, min(place - MAX_CHOICES // 2, len(keys) - MAX_CHOICES))
    for choice in view.choices[first : first + MAX_CHOICES]:
        yield from _choice(choice, choice.key == view.cursor, width)
    if len(keys) > MAX_CHOICES:
        more = f"{len(keys) - MAX_CHOICES} more: type to search, down to scroll"
        yield Content(" " * (LABEL_WIDTH + 2)) + toned(more, Tone.FAINT)


def _choice(choice: Choice, selected: bool, width: int) -> Iterator[Content]:
    tone = Tone.FAINT if choice.why_not else Tone.ACCENT if selected else Tone.INK
    said = toned(choice.words, tone)
    if choice.about:
        said += toned(f"  {choice.about}", Tone.MUTED)
    if choice.why_not:
        said += toned(f"  {choice.why_not}", Tone.CLOSING)
    sign = toned("› " if selected else "  ", Tone.ACCENT)
    for line in said.wrap(max(1, width - LABEL_WIDTH - 4)):
        yield Content(" " * LABEL_WIDTH) + sign + line
        sign = Content("  ")
