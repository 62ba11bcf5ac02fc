"""The review and the outcome of a form, as a wizard with one step.

A wizard's screen shows it, so that its guard protects the confirmation.
"""

from __future__ import annotations

from collections.abc import Iterator

from paytui.tui.context import UiContext
from paytui.tui.format.cells import CAREFUL, WRONG
from paytui.tui.forms.controller import FormController, outcome_view
from paytui.tui.forms.draft import Draft
from paytui.tui.forms.navigation import Page, fields_of, pages_of, wire_values
from paytui.tui.forms.schema import Field, FieldKind, Form, choices_of, named_choice
from paytui.tui.guards.sending import may_create
from paytui.tui.theme.themes import Cell, Tone
from paytui.tui.wizards.protocol import CONFIRM, Line, StepView, line

SIDE_BY_SIDE = 50
"""Cells for a value's words and its wire value side by side, on a terminal of 80 columns."""

NOTHING = (Cell("Nothing is filled in.", Tone.CLOSING), Cell("esc goes back", Tone.MUTED))
"""Shown for an empty form, which cannot be sent."""


class FormReview:
    """The confirmation of a form without errors."""

    def __init__(self, desk: UiContext, controller: FormController) -> None:
        self._desk = desk
        self._controller = controller

    def view(self) -> StepView:
        controller = self._controller
        if controller.intent is not None:
            return outcome_view(self._desk, controller.form, controller.intent)
        barred = may_create(self._desk)
        lines = tuple(review_lines(controller.form, controller.draft))
        return StepView(
            title=controller.form.title,
            name=CONFIRM,
            lines=lines,
            words=tuple(self._words(barred)) if lines else NOTHING,
            confirms=controller.submission if lines and not barred else None,
        )

    def _words(self, barred: str | None) -> Iterator[Cell]:
        for warning in self._controller.warnings:
            yield CAREFUL.cell(warning)
        if barred:
            yield WRONG.cell(barred)
        else:
            yield Cell("enter: send · esc: back", Tone.MUTED)

    def chosen(self, key: str) -> None:
        """Do nothing: there are no options."""

    def typed(self, text: str) -> None:
        """Do nothing: there is no input."""

    def go_on(self) -> None:
        """Do nothing: there is one step."""

    def act(self, action: str) -> None:
        """Do nothing: it has no keys of its own."""

    def back(self) -> bool:
        """Return False: the form's screen shows the fields."""
        return False

    def confirm(self, shown: object) -> None:
        """Submit the form, if the same as `shown` would still be sent."""
        self._controller.confirm(shown)

    def tick(self) -> None:
        """Do nothing: nothing expires."""

    def store_changed(self) -> None:
        """Do nothing: the view is made afresh each time."""


def review_lines(form: Form, draft: Draft) -> Iterator[Line]:
    """Yield the values to send, by section."""
    out, pages, gap = wire_values(form, draft), pages_of(form, draft), False
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
    """Yield a value in words, with its wire value beside or below it."""
    choice = named_choice(choices_of(field), text)
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
