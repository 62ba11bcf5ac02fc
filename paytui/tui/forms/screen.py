"""The screen of a form: a page of fields with an input in the focused one."""

from __future__ import annotations

from collections.abc import Iterator

from textual.app import App
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget

from paytui.tui import keys
from paytui.tui.context import UiContext
from paytui.tui.forms.controller import FormController
from paytui.tui.forms.draft import Draft
from paytui.tui.forms.render import (
    FieldLines,
    FormView,
    above,
    below,
    below_input,
    label_of,
)
from paytui.tui.forms.review import FormReview
from paytui.tui.forms.schema import Form
from paytui.tui.guards.sending import may_create
from paytui.tui.screens.base import BaseScreen
from paytui.tui.theme.themes import Tone, toned
from paytui.tui.widgets.input import FormLine
from paytui.tui.widgets.text import SplitLine
from paytui.tui.wizards.protocol import TextBlock, text_of
from paytui.tui.wizards.screen import WizardScreen


def open_form(
    app: App[None], desk: UiContext, form: Form, context: str = "", start: Draft | None = None
) -> None:
    """Show a form, or notify why nothing can be sent.

    Each `context`, the object that the form is about, has its own draft; `start` is used if none
    was saved.
    """
    if why_not := may_create(desk):
        app.notify(why_not, markup=False)
    else:
        app.push_screen(FormScreen(desk, FormController(desk, form, context, start)))


class _Pane(VerticalScroll, inherit_bindings=False):
    """A scrolling container without key bindings: the keys belong to the form."""


class FormScreen(BaseScreen):
    """The current page; the fields above and below the input are one widget each."""

    CSS_PATH = ["../screens/frame.tcss", "form.tcss"]  # noqa: RUF012  (Textual's way)
    BINDINGS = keys.FORM

    def __init__(self, desk: UiContext, controller: FormController) -> None:
        super().__init__(desk)
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
        """Wrap lines to the new width."""
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
        """Take the choice under the cursor, go to the next field or, at the end, review."""
        self._review_if(self._controller.enter())

    def action_review(self) -> None:
        self._review_if(self._controller.review())

    def action_go(self, steps: int) -> None:
        """Go to the next field or the previous one."""
        self._controller.go(steps)
        self._show()

    def action_move(self, steps: int) -> None:
        """Move the cursor in the list of choices, or from field to field."""
        self._controller.move(steps)
        self._show()

    def action_turn(self, steps: int) -> None:
        """Go to the next page or the previous one."""
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
        """Close the screen; the draft is kept."""
        self.dismiss()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable adding and removing only where it is possible."""
        match action:
            case "add":
                return self._view.adds
            case "remove":
                return self._view.removes
            case _:
                return super().check_action(action, parameters)

    def is_quiet(self, action: str) -> bool:
        """Hide the hint for the next page on the last one."""
        return action == "turn(1)" and not self._view.onward

    def _review_if(self, reviewed: bool) -> None:
        if reviewed:
            self.app.push_screen(WizardScreen(self.desk, FormReview(self.desk, self._controller)))
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
