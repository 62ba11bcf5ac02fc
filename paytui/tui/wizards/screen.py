"""The screen of a wizard: it shows the view of a state machine and passes events to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from rich.cells import cell_len
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget

from paytui.api.resources import KIND_OF, identifier_of
from paytui.tui import screen_keys
from paytui.tui.base_screens import FRAME_CSS, BaseScreen
from paytui.tui.format.facts import Ref
from paytui.tui.guards.confirm_arming import Arming, without_code
from paytui.tui.step_protocol import CONFIRM, Line, Option, StepView, Wizard, to_confirm
from paytui.tui.table.columns import Column
from paytui.tui.table.data_list import DataList
from paytui.tui.terminal.queries import QueryTerminal
from paytui.tui.theme.tones import Cell, Tone, text_of, toned
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.input import WizardLine
from paytui.tui.widgets.rates import CountdownCell
from paytui.tui.widgets.text import SplitLine, TextBlock


class Choices(DataList[str, Option], inherit_bindings=False):
    """The list of a step's options, in the order of the view.

    Args:
        chosen: called with the chosen option, possible or not.
        cut: called with the option under the cursor if a part of it is truncated, else with None.
    """

    BINDINGS = screen_keys.CHOICES

    def __init__(
        self, chosen: Callable[[Option], object], cut: Callable[[Option | None], object]
    ) -> None:
        super().__init__(COLUMNS, lambda option: option.key, opened=chosen)
        self._cut = cut

    def replace(self, rows: Iterable[Option]) -> None:
        options = tuple(rows)
        columns = _needed(options)
        if columns != self.columns:
            self.show_columns(columns, ())
        super().replace(options)

    def settle_cursor(self) -> None:
        super().settle_cursor()
        option = self.selected
        self._cut(option if option is not None and self._is_cut(option) else None)

    def _is_cut(self, option: Option) -> bool:
        room = {place.index: place.width for place in self._places}
        return bool(room) and any(
            cell_len(column.cell(option).text) > room.get(index, 0)
            for index, column in enumerate(self.columns)
        )


def _needed(options: tuple[Option, ...]) -> tuple[Column[Option], ...]:
    """Return the columns that have text, and always the first."""
    return tuple(
        column
        for column in COLUMNS
        if column is COLUMNS[0] or any(column.cell(option).text for option in options)
    )


def _tone(option: Option, offered: Tone) -> Tone:
    return Tone.FAINT if option.why_not else offered


COLUMNS: tuple[Column[Option], ...] = (
    Column(
        title="Choice",
        cell=lambda option: Cell(option.name, _tone(option, Tone.INK)),
        width=16,
        grows=True,
        most=44,
    ),
    Column(
        title="Balance",
        cell=lambda option: Cell(option.amount, _tone(option, Tone.INK)),
        width=5,
        whole=True,
        right=True,
    ),
    Column(
        title="Unavailable",
        cell=lambda option: Cell(option.why_not, Tone.CLOSING),
        width=11,
        grows=True,
        most=60,
    ),
    Column(
        title="About",
        cell=lambda option: Cell(option.facts, _tone(option, Tone.MUTED)),
        width=14,
        grows=True,
        most=60,
        gives_way=1,
    ),
)
"""Earlier columns get their width first; `About` shrinks first."""


PAGE_OVERLAP = 3  # Lines that stay on view when you page down, the input among them
MARGINS = 3  # Cells beside the text: a blank on either side, and the scroll bar
READ_INTERVAL = 30.0  # Seconds between two requests to read outdated bank details

_MORE = toned("▼ page down ", Tone.CLOSING)

_NOT_SEEN = toned("not yet seen: wait a moment ", Tone.CLOSING, bold=True)
_NOT_WHOLE = toned("scroll to the end to confirm ", Tone.CLOSING, bold=True)


class WizardScreen(BaseScreen):
    """The current step of a wizard; repaints only what changed."""

    CSS_PATH = [FRAME_CSS, "wizard.tcss"]  # noqa: RUF012  (Textual's way)
    BINDINGS = screen_keys.WIZARD

    def __init__(self, ui: UiContext, wizard: Wizard) -> None:
        super().__init__(ui)
        self._wizard = wizard
        self._view = wizard.view()
        self._arming = Arming(
            ui.time.clock,
            ui.questions,
            ui.random,
            multiplexed=ui.surroundings.multiplexed,
            is_behind=self.is_behind,
        )
        self._code = ""
        self._laid_out: object | None = None
        self._seen_whole: object | None = None
        self._pressed_on: object | None = None
        self._filled_for: object | None = None
        self._step = ("", False)
        self._read_again_at = 0.0
        self._title = SplitLine(classes="title")
        self._countdown = CountdownCell()
        self._lines = TextBlock()
        self._label = TextBlock(classes="label")
        self._line = WizardLine(self._typed)
        self._typing = Horizontal(self._label, self._line, classes="typing")
        self._words = TextBlock()
        self._list, self._cut = (
            Choices(self._choose, self._say_whole),
            TextBlock(classes="said cut"),
        )
        self._page = Vertical(
            self._lines, self._typing, self._words, self._list, self._cut, classes="page"
        )

    def body(self) -> Iterator[Widget]:
        yield Horizontal(self._title, self._countdown, classes="titles")
        yield self._page

    @property
    def selected(self) -> object | None:
        """The created object; a trade or payment has a ticket."""
        return self._view.became

    @property
    def confirms(self) -> bool:
        """Return True if the step on view is the one that confirms."""
        return self._view.name == CONFIRM

    @property
    def is_over(self) -> bool:
        """Return True once the object exists."""
        return self._view.became is not None

    def on_mount(self) -> None:
        self.ui.opened[self._wizard] = self.app.current_mode
        self._show()

    def on_resize(self) -> None:
        self._show()

    def on_unmount(self) -> None:
        del self.ui.opened[self._wizard]

    async def pull(self) -> None:
        await super().pull()
        self._wizard.store_changed()
        self._show()

    def tick(self) -> None:
        """Update the countdown, and ask the terminal again if it did not answer."""
        super().tick()
        self._wizard.tick()
        self._read_what_is_old()
        self._show()
        if self._arming.asks_again():
            self._ask_terminal(self._view.confirms)

    def _read_what_is_old(self) -> None:
        """Have bank details read before a payment, even while polling is paused."""
        now = self.ui.time.clock.monotonic()
        if self._view.wants_reading and now >= self._read_again_at:
            self._read_again_at = now + READ_INTERVAL
            self.ui.port.refresh()

    def on_screen_suspend(self) -> None:
        """Require the screen to be seen again after a dialog covered it."""
        self._arming.shows(None)

    def _choose(self, option: Option) -> None:
        self._wizard.chosen(option.key)
        self._show()

    def _say_whole(self, option: Option | None) -> None:
        """Show a truncated option in full below the list."""
        self._cut.show(_whole(option) if option else Content())

    def _typed(self, text: str) -> None:
        """Pass typed text on; drop it if the step may not have been seen yet."""
        if self._may_be_unseen:
            self._pressed_on = self._view.confirms
            self._line.hold("")
        else:
            self._wizard.typed(without_code(text, self._code)[0])
        self._show()

    def action_go_on(self) -> None:
        self._wizard.go_on()
        self._show()

    def action_confirm(self) -> None:
        """Confirm the review on view, if it can have been seen."""
        if self._may_be_unseen or self._lacks_code:
            self._pressed_on = self._view.confirms
        elif self._view.confirms is not None:
            self._wizard.confirm(self._view.confirms)
        self._show()

    def action_look(self, pages: int) -> None:
        lines = max(1, self._page.size.height - PAGE_OVERLAP)
        self._page.scroll_relative(y=pages * lines, animate=False)
        self.call_after_refresh(self._show)

    def action_back(self) -> None:
        """Go one step back; from the first, close the wizard."""
        if self._wizard.back():
            self._show()
        else:
            self.dismiss()

    def action_act(self, action: str) -> None:
        self._wizard.act(action)
        self._show()

    def action_open(self) -> None:
        if (became := self._view.became) is not None:
            self.open_link(Ref(KIND_OF[type(became)], identifier_of(became)))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "act":
            return parameters[0] in self._view.actions
        if action == "open":
            return self._view.became is not None
        if action in ("go_on", "confirm"):
            return action == _on_enter(self._view)
        return super().check_action(action, parameters)

    @property
    def _may_be_unseen(self) -> bool:
        """Return True if the review may not have been seen yet."""
        confirms = self._view.confirms
        armed = self._arming.armed(confirms)
        return confirms is not None and not (armed and not self._has_more)

    @property
    def _lacks_code(self) -> bool:
        """Return True if a code is required and was not typed."""
        code = self._arming.code(self._view.confirms)
        is_typed = code == self._code and without_code(self._line.value, code)[1]
        return code != "" and not is_typed

    @property
    def _has_more(self) -> bool:
        """Return True if a part of the review was never on view."""
        confirms = self._view.confirms
        if confirms is None:
            return False
        # Before layout its height is unknown.
        if self._laid_out == confirms and self._page.scroll_offset.y >= self._page.max_scroll_y:
            self._seen_whole = confirms
        return self._seen_whole != confirms

    def _show(self) -> None:
        before, view = self._view, self._wizard.view()
        # Textual calls a screen below a dialog "current" as well.
        is_on_top = self.app.screen_stack[-1:] == [self]
        is_new = self._arming.shows(view.confirms if is_on_top else None)
        if is_on_top:
            self._code = self._arming.code(view.confirms)
        self._view = _with_code(view, self._code)
        if before.confirms != self._view.confirms:
            self._laid_out = None  # a step that comes up again is laid out again
        self._say_more()
        self._countdown.show(self._view.left)
        self._lines.show(layout_lines(self._view.lines, self.size.width - MARGINS))
        self._words.show(text_of(self._view.words))
        self._offer(self._view.options)
        self._label.show(_label(self._view))
        if self._step != _step(self._view):
            self._step = _step(self._view)
            self._set_up(self._view)
        if is_new:
            if self._filled_for != view.confirms or self._code:
                self._filled_for = view.confirms
                self._line.hold(self._view.entry.text if self._view.entry else "")
            self._page.scroll_home(animate=False)
            self._ask_terminal(view.confirms)
        if _offers(before) != _offers(self._view):
            self.refresh_bindings()
        if (before.name == CONFIRM) != self.confirms:
            self.post_message(self.ConfirmsChanged())

    def _ask_terminal(self, confirms: object) -> None:
        """Ask the terminal once this is painted, and check the layout then."""
        note = self._arming.noting

        def asked(number: int) -> None:
            note(number)
            self._laid_out = confirms
            self._say_more()

        self.post_message(QueryTerminal(asked))

    def _say_more(self) -> None:
        self._title.say(_title(self._view), _MORE if self._has_more else Content())
        self.hints.warn(self._wait_reason())

    def _wait_reason(self) -> Content:
        """Return what a pressed confirm key waits for; blank if none was pressed."""
        if self._view.confirms is None or self._pressed_on != self._view.confirms:
            return Content()
        if self._may_be_unseen:
            return _NOT_WHOLE if self._has_more else _NOT_SEEN
        entry = self._view.entry
        if entry and self._lacks_code:
            return toned(f"type {entry.asked} ", Tone.CLOSING, bold=True)
        return Content()

    def _offer(self, options: tuple[Option, ...]) -> None:
        """Show the options in their order: a list keeps known rows in place, so clear it first."""
        under_cursor = self._list.selected
        if [one.key for one in self._list.rows()] != [one.key for one in options]:
            self._list.replace(())
        self._list.replace(options)
        if under_cursor is not None:
            self._list.move_to(under_cursor.key)

    def _set_up(self, view: StepView) -> None:
        """Set up the list and the input for a new step, and focus one of them."""
        self._order(view)
        self._list.display = self._list.can_focus = bool(view.options)
        if not view.options:
            self._cut.show(Content())
        self._typing.display = view.entry is not None
        self._line.set_shown(yes=view.entry is not None)
        if view.entry is not None:
            self._line.pasted, self._line.placeholder = view.entry.pasted, view.entry.hint
            self._line.hold(view.entry.text)
            self.set_focus(self._line)
        elif view.options:
            if view.chosen is not None:
                self._list.move_to(view.chosen)
            self.set_focus(self._list)
        else:
            self.set_focus(None)

    def _order(self, view: StepView) -> None:
        """Put facts first; at confirmation warnings first, for small terminals."""
        self._typing.set_class(view.name == CONFIRM, "-stays")
        if view.name == CONFIRM:
            self._page.move_child(self._lines, after=self._words)
        else:
            self._page.move_child(self._lines, before=self._typing)


def _with_code(view: StepView, code: str) -> StepView:
    """Require the code as well, after any other text that confirms."""
    if view.confirms is None or not code:
        return view
    asked = " ".join(filter(None, [view.entry.asked if view.entry else "", code]))
    return replace(view, entry=to_confirm(asked))


def _step(view: StepView) -> tuple[str, bool]:
    """Return the key of a step: its name, and True if it has an input."""
    return view.name, view.entry is not None


def _on_enter(view: StepView) -> str:
    """Return the action of enter, besides choosing; empty if there is none."""
    if view.confirms is not None:
        return "confirm"
    return "go_on" if view.entry is not None else ""


def _offers(view: StepView) -> tuple[tuple[str, ...], str, bool]:
    return view.actions, _on_enter(view), view.became is None


def _title(view: StepView) -> Content:
    place = f" · {view.place}" if view.place else ""
    return toned(f" {view.title}", bold=True) + toned(f"{place} · {view.name}", Tone.MUTED)


def _label(view: StepView) -> Content:
    return toned(view.entry.label, Tone.MUTED) if view.entry else Content()


def _whole(option: Option) -> Content:
    known = ", ".join(part for part in (option.name, option.amount, option.facts) if part)
    why_not = f": {option.why_not}" if option.why_not else ""
    return toned(known, Tone.MUTED) + toned(why_not, Tone.CLOSING)


LABEL_WIDTH = 13  # The minimum width of a label in cells, with the gap after it
LABEL_GAP = 2  # The minimum gap between a label and its text, in cells


def layout_lines(lines: Iterable[Line], width: int) -> Content:
    """Lay out lines with their labels in one column; long texts wrap beside the label."""
    shown = tuple(lines)
    room = max([LABEL_WIDTH, *(len(line.label) + LABEL_GAP for line in shown)])
    return Content("\n").join([_line(line, room, width) for line in shown])


def _line(line: Line, room: int, width: int) -> Content:
    words = Content("  ").join([toned(cell.text, cell.tone) for cell in line.cells])
    first, *others = words.wrap(max(1, width - room)) or (words,)
    indented = [Content(" " * room) + other for other in others]
    return Content("\n").join([toned(f"{line.label:<{room}}", Tone.MUTED) + first, *indented])
