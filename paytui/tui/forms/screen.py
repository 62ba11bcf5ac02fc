"""The screen of a form, and the review that confirms it."""

from __future__ import annotations

from collections.abc import Iterator

from textual.app import App
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget

from paytui.tui import screen_keys
from paytui.tui.base_screens import FRAME_CSS, BaseScreen
from paytui.tui.drafts import Draft
from paytui.tui.format.cells import CAREFUL, WRONG
from paytui.tui.forms.controller import FormController, outcome_view
from paytui.tui.forms.navigation import Page, fields_of, pages_of, wire_values
from paytui.tui.forms.render import FieldLines, FormView, above, below, below_input, label_of
from paytui.tui.forms.schema import Field, FieldKind, Form, choices_of, named_choice
from paytui.tui.guards.send_permission import may_create
from paytui.tui.step_protocol import CONFIRM, Line, StepView, Wizard, line
from paytui.tui.theme.tones import Cell, Tone, text_of, toned
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.input import FormLine
from paytui.tui.widgets.text import SplitLine, TextBlock
from paytui.tui.wizards.screen import WizardScreen

# The review and the outcome of a form, as a wizard with one step.
#
# A wizard's screen shows it, so that its guard protects the confirmation.

SIDE_BY_SIDE = 50
"""Cells for a value's words and its wire value side by side, on a terminal of 80 columns."""

NOTHING = (Cell("Nothing is filled in.", Tone.CLOSING), Cell("esc: back", Tone.MUTED))
"""Shown for an empty form, which cannot be sent."""


class FormReview(Wizard):
    """The confirmation of a form without errors: one step without options, entry or keys."""

    def __init__(self, ui: UiContext, controller: FormController) -> None:
        self._ui = ui
        self._controller = controller

    def view(self) -> StepView:
        controller = self._controller
        if controller.intent is not None:
            return outcome_view(self._ui, controller.form, controller.intent)
        barred = may_create(self._ui)
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

    def confirm(self, shown: object) -> None:
        """Submit the form, if the same as `shown` would still be sent."""
        self._controller.confirm(shown)


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


# The screen of a form: a page of fields with an input in the focused one.


def open_form(
    app: App[None], ui: UiContext, form: Form, context: str = "", start: Draft | None = None
) -> None:
    """Show a form, or notify why nothing can be sent; for its arguments see `FormController`."""
    if why_not := may_create(ui):
        app.notify(why_not, markup=False)
    else:
        app.push_screen(FormScreen(ui, FormController(ui, form, context, start)))


class _Pane(VerticalScroll, inherit_bindings=False):
    """A scrolling container without key bindings: the keys belong to the form."""


class FormScreen(BaseScreen):
    """The current page; the fields above and below the input are one widget each."""

    CSS_PATH = [FRAME_CSS, "form.tcss"]  # noqa: RUF012  (Textual's way)
    BINDINGS = screen_keys.FORM

    def __init__(self, ui: UiContext, controller: FormController) -> None:
        super().__init__(ui)
        self._controller = controller
        self._view = controller.view()
        self._title = SplitLine(classes="title")
        self._above, self._below = FieldLines(), FieldLines()
        self._label = TextBlock(classes="label")
        self._line = FormLine(self._typed)
        self._typing = Horizontal(self._label, self._line, classes="typing")
        self._under = TextBlock(classes="under")
        self._words = TextBlock()
        self._help = TextBlock(classes="help")
        self._page = _Pane(self._above, self._typing, self._under, self._below, can_focus=False)

    def body(self) -> Iterator[Widget]:
        yield self._title
        yield self._words
        yield self._page
        yield self._help

    def on_mount(self) -> None:
        self._show()

    def on_resize(self) -> None:
        self._show()

    async def pull(self) -> None:
        """Return from a review to the fields, or close the screen once the form was sent."""
        await super().pull()
        if self._controller.take_back():
            self._show()
        else:
            self.dismiss()

    def _typed(self, text: str) -> None:
        self._controller.typed(text)
        self._show()

    def on_field_lines_clicked(self, event: FieldLines.Clicked) -> None:
        self._controller.go_to(event.path)
        self._show()

    def action_enter(self) -> None:
        self._review_if(self._controller.enter())

    def action_review(self) -> None:
        self._review_if(self._controller.review())

    def action_go(self, steps: int) -> None:
        self._controller.go(steps)
        self._show()

    def action_move(self, steps: int) -> None:
        self._controller.move(steps)
        self._show()

    def action_turn(self, steps: int) -> None:
        self._controller.turn(steps)
        self._show()

    def action_add(self) -> None:
        self._controller.add_part()
        self._show()

    def action_remove(self) -> None:
        self._controller.remove_part()
        self._show()

    def action_clear(self) -> None:
        self._controller.clear()
        self._show()

    def action_back(self) -> None:
        self.dismiss()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "add":
                return self._view.adds
            case "remove":
                return self._view.removes
            case _:
                return super().check_action(action, parameters)

    def is_quiet(self, action: str) -> bool:
        return action == "turn(1)" and not self._view.onward

    def _review_if(self, reviewed: bool) -> None:
        if reviewed:
            self.app.push_screen(WizardScreen(self.ui, FormReview(self.ui, self._controller)))
        else:
            self._show()

    def _show(self) -> None:
        before, self._view = self._view, self._controller.view()
        view, width = self._view, self.size.width
        name = toned(f" {view.title}", bold=True) + toned(f" · {view.name}", Tone.MUTED)
        self._title.say(name, toned(f"{view.place} ", Tone.MUTED))
        self._above.show(above(view, width))
        self._below.show(below(view, width))
        self._label.show(label_of(view))
        self._under.show(below_input(view, width))
        self._words.show(text_of(view.words))
        self._help.show(toned(view.help, Tone.MUTED) if view.help else Content())
        self._show_line(view)
        if _offers(before) != _offers(view):
            self.refresh_bindings()

    def _show_line(self, view: FormView) -> None:
        self._typing.display = self._line.can_focus = view.at is not None
        if view.at is None:
            self.set_focus(None)
            return
        self._line.hold(view.text, view.taken_in)
        self._line.placeholder = view.rows[view.at].note if not view.text else ""
        self._line.focus()
        self.call_after_refresh(self._page.scroll_to_widget, self._typing, animate=False)


def _offers(view: FormView) -> tuple[bool, bool, bool]:
    return view.adds, view.removes, view.onward
