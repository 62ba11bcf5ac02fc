"""A form's review and its end, as a wizard's screen shows them: what is confirmed passes its guard.

It has one step, which confirms, and then follows the intent. Leaving it leads back to the fields.
"""

from __future__ import annotations

from collections.abc import Iterator

from paytui.tui.context import UiContext
from paytui.tui.format.cells import CAREFUL, WRONG
from paytui.tui.forms.controller import FormMachine, end_view
from paytui.tui.forms.draft import Draft
from paytui.tui.forms.navigation import Page, fields_of, going_out, pages_of
from paytui.tui.forms.schema import Field, FieldKind, Form, choices_of, meant
from paytui.tui.guards.sending import may_create
from paytui.tui.theme.themes import Cell, Tone
from paytui.tui.wizards.protocol import CONFIRM, Line, StepView, line

SIDE_BY_SIDE = 50
"""Cells that words and what is sent have beside each other on a terminal of 80 columns."""

NOTHING = (Cell("Nothing is filled in.", Tone.CLOSING), Cell("esc goes back", Tone.MUTED))
"""What is said of a form that comes to nothing, which cannot be sent."""


class FormReview:
    """What a form comes to, to be confirmed.

    Args:
        desk: what is known.
        machine: the form, which has nothing in the way.
    """

    def __init__(self, desk: UiContext, machine: FormMachine) -> None:
        self._desk = desk
        self._machine = machine

    def view(self) -> StepView:
        """What is to be confirmed, or what became of it."""
        machine = self._machine
        if machine.intent is not None:
            return end_view(self._desk, machine.form, machine.intent)
        barred = may_create(self._desk)
        lines = tuple(review_lines(machine.form, machine.draft))
        return StepView(
            title=machine.form.title,
            name=CONFIRM,
            lines=lines,
            words=tuple(self._words(barred)) if lines else NOTHING,
            confirms=machine.deal if lines and not barred else None,
        )

    def _words(self, barred: str | None) -> Iterator[Cell]:
        for warning in self._machine.warnings:
            yield CAREFUL.cell(warning)
        if barred:
            yield WRONG.cell(barred)
        else:
            yield Cell("enter sends it, esc goes back", Tone.MUTED)

    def chosen(self, key: str) -> None:
        """It offers nothing to choose."""

    def typed(self, text: str) -> None:
        """It has no line."""

    def go_on(self) -> None:
        """It has one step."""

    def act(self, action: str) -> None:
        """It has no keys of its own."""

    def back(self) -> bool:
        """To the fields, which another screen shows."""
        return False

    def confirm(self, shown: object) -> None:
        """Carry out what was shown, if that is still what would be carried out."""
        self._machine.confirm(shown)

    def tick(self) -> None:
        """Nothing of it ends with time."""

    def store_changed(self) -> None:
        """It is looked at anew each time."""


def review_lines(form: Form, draft: Draft) -> Iterator[Line]:
    """All that goes out, by section; what is empty does not."""
    out, pages, gap = going_out(form, draft), pages_of(form, draft), False
    for page in pages:
        filled = [one for one in fields_of(page, draft) if out[one.path]]
        if filled and gap:
            yield Line("", ())
        if filled and len(pages) > 1:
            gap = True
            yield Line(_title(page), ())
        for one in filled:
            yield from _lines(one.field, out[one.path])


def _title(page: Page) -> str:
    number = "" if page.part is None else f" {page.part + 1}"
    return f"{page.section.title}{number}:"


def _lines(field: Field, text: str) -> Iterator[Line]:
    """A value in a person's words, and beside it, or under it, what is sent."""
    choice = meant(choices_of(field), text)
    if choice is None or field.kind is FieldKind.YES_NO:
        yield line(field.label, choice.words if choice else text)
        return
    key = "" if choice.key in (choice.words, choice.about) else choice.key
    note = "  ".join(filter(None, [key, choice.about]))
    if len(choice.words) + len(note) <= SIDE_BY_SIDE:
        yield line(field.label, choice.words, note)
    else:
        yield line(field.label, choice.words)
        yield line("", note, tone=Tone.MUTED)
