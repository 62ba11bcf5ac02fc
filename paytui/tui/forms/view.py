"""What of a form is to be seen, as data for its screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from paytui.config.keys import Keymap, first_key
from paytui.tui.format.cells import CAREFUL, WRONG
from paytui.tui.forms import parts
from paytui.tui.forms.declare import Choice, Finding, Form
from paytui.tui.forms.pages import Page, Placed, count_of, fields_of, pages_of
from paytui.tui.forms.state import FormState, chosen_in, focused, offered, page_of
from paytui.tui.theme.themes import Cell, Tone


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One field.

    Attributes:
        value: what it holds, in a person's words.
        note: what tells its choice from others of the name; of an empty one, that it is needed.
        words: what is wrong with it.
    """

    path: str
    label: str
    value: str
    note: str = ""
    words: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FormView:
    """A page as it is now.

    Attributes:
        title: of the form: `New wallet`.
        name: of the section, or of the part: `Representative 2 of 2`.
        place: `section 2 of 5`; nothing where there is one.
        at: the place of the row that is typed in; None where there is none.
        text: what its line holds.
        taken_in: the path of that row, where its line holds a choice that was taken; else None.
        choices: the list below it.
        mark: the key of the choice under the cursor.
        help: of the field that is typed in.
        words: what there is to say of the whole.
        onward: whether there is a section behind this one.
    """

    title: str
    name: str
    place: str
    rows: tuple[Row, ...]
    at: int | None
    text: str
    taken_in: str | None
    choices: tuple[Choice, ...]
    mark: str | None
    help: str
    words: tuple[Cell, ...]
    adds: bool
    removes: bool
    onward: bool


def view_of(form: Form, state: FormState, found: Mapping[str, Finding], keys: Keymap) -> FormView:
    """The page on view."""
    page, one = page_of(form, state), focused(form, state)
    fields = fields_of(page, state.draft)
    return FormView(
        title=form.title,
        name=_name(page, state),
        place=_place(form, state, page),
        rows=tuple(_row(state, each, found) for each in fields),
        at=fields.index(one) if one else None,
        text=_text(state, one) if one else "",
        taken_in=one.path if one and _taken(state, one) else None,
        choices=tuple(offered(form, state)),
        mark=state.mark,
        help=one.field.help if one else _nothing_yet(page, keys),
        words=(Cell(state.trouble, Tone.CLOSING),) if state.trouble else (),
        adds=parts.can_add(form, state),
        removes=parts.can_remove(form, state),
        onward=page != pages_of(form, state.draft)[-1],
    )


def _row(state: FormState, one: Placed, found: Mapping[str, Finding]) -> Row:
    choice = chosen_in(one, state.draft)
    value = choice.words if choice else state.draft[one.path]
    needed = "needed" if one.field.required else "—"
    return Row(
        path=one.path,
        label=one.field.label,
        value=value,
        note=(choice.about if choice else "") if value else needed,
        words=tuple(_words(state, one.path, found)),
    )


def _words(state: FormState, path: str, found: Mapping[str, Finding]) -> list[Cell]:
    """What is wrong with a field; not while it is first typed in."""
    words = [WRONG.cell(state.refused[path])] if path in state.refused else []
    judged = state.nagged if path == state.path else path in state.left
    if judged and path in found:
        finding = found[path]
        words.append((CAREFUL if finding.overridable else WRONG).cell(finding.words))
    return words


def _text(state: FormState, one: Placed) -> str:
    choice = _taken(state, one)
    return choice.words if choice else state.draft[one.path]


def _taken(state: FormState, one: Placed) -> Choice | None:
    """The choice that a field holds, and that nothing was typed over since it was come to."""
    return None if state.typing else chosen_in(one, state.draft)


def _name(page: Page, state: FormState) -> str:
    title = page.section.title
    if page.part is None:
        return f"{title} · none yet" if page.section.repeated else title
    return f"{title} {page.part + 1} of {count_of(page.section, state.draft)}"


def _place(form: Form, state: FormState, page: Page) -> str:
    pages = pages_of(form, state.draft)
    return f"section {pages.index(page) + 1} of {len(pages)}" if len(pages) > 1 else ""


def _nothing_yet(page: Page, keys: Keymap) -> str:
    add = first_key(keys, "form.add")
    return f"There is none yet: {add} adds a {page.section.title.lower()}, enter goes on."
