"""The screen of every ticket: fields with an input in one of them, the review, the outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from textual import events
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget

from paytui.api.resources import KIND_OF, identifier_of
from paytui.domain.colleagues import OpenTicket
from paytui.platform.text import clean
from paytui.tui import textual_bindings
from paytui.tui.base_screens import FRAME_CSS, BaseScreen
from paytui.tui.format.cells import CAREFUL, Ref, Tone, text_of, toned
from paytui.tui.terminal.confirm_arming import Arming, QueryTerminal, without_code
from paytui.tui.textual_bindings import TICKETS
from paytui.tui.ticket.engine import END, Ticket
from paytui.tui.ticket.field_names import PROOF, TO
from paytui.tui.ticket.layout import Rows, below_input, label_of, lines_of, rows_of, section_title
from paytui.tui.ticket.model import CONFIRM, TicketView, Values
from paytui.tui.ui_context import SavedDraft, UiContext, keep_draft, new_key
from paytui.tui.widgets.ordered_keys import TicketLine
from paytui.tui.widgets.rates import CountdownCell
from paytui.tui.widgets.text import RuleLine, TextBlock

PAGE_OVERLAP = 3  # Lines that stay on view when you page down, the input among them
WIDE = 110  # Columns from which on the review is beside the fields
MARGINS = 5  # Cells beside the text: blanks, the scroll bar, and the border between both halves
USED_LINES = 14  # Lines that are no options: status, title, fields, hints
MAX_AROUND = 6  # Lines on view above and below the field with the cursor, if there is room
MAX_NAME = 44  # Characters of the name of a draft
READ_INTERVAL = 30.0  # Seconds between two requests to read outdated bank details

_MORE = toned("▼ page down", Tone.CLOSING)
_NOT_SEEN = toned("not yet seen: wait a moment ", Tone.CLOSING, bold=True)
_NOT_WHOLE = toned("scroll to the end to confirm ", Tone.CLOSING, bold=True)


class TicketRows(TextBlock):
    """Rows of fields or options; a click on one passes its key on."""

    def __init__(self, clicked: Callable[[str], object]) -> None:
        super().__init__(classes="")
        self._clicked = clicked
        self._rows: Rows = []

    def show_rows(self, rows: Rows) -> None:
        self._rows = rows
        self.show(Content("\n").join(line for _, line in rows))

    def on_click(self, event: events.Click) -> None:
        if 0 <= event.y < len(self._rows):
            self._clicked(self._rows[event.y][0])


class TicketScreen(BaseScreen):
    """A ticket on one page; repaints only what changed."""

    CSS_PATH = [FRAME_CSS, "ticket.tcss"]  # noqa: RUF012  (Textual's way)
    BINDINGS = textual_bindings.groups("Tickets")
    AUTO_FOCUS = ""

    def __init__(self, ui: UiContext, ticket: Ticket[Any], *, is_draft: bool = False) -> None:
        """`is_draft`: it returns to a draft, which is kept even if nothing is changed."""
        super().__init__(ui)
        self.status.offers_draft = self.status.is_in_draft = is_draft
        self.gives_way = False  # To the next draft
        self._ticket = ticket
        self._view = ticket.view()
        self._is_draft, self._begun_with = is_draft, _written(ticket.draft)
        self._arming = Arming(
            ui.time.clock,
            ui.questions,
            ui.random,
            multiplexed=ui.surroundings.multiplexed,
            is_behind=self._is_behind,
        )
        self._told: OpenTicket | None = None
        self._code = ""
        self._seen_whole: object | None = None
        self._pressed_on: object | None = None
        self._is_wrong = False  # True if enter was pressed with a wrong text to confirm
        self._place: tuple[object, ...] | None = None
        self._read_again_at = 0.0
        self._title = RuleLine(classes="title")
        self._countdown = CountdownCell()
        self._countdown.display = False
        self._above, self._below = TicketRows(self._click), TicketRows(self._click)
        self._label = TextBlock(classes="label")
        self._line = TicketLine(self._typed)
        self._typing = Horizontal(self._label, self._line, classes="typing")
        self._under = TicketRows(partial(self._do, ticket.chosen))
        self._fields = Vertical(
            self._above, self._typing, self._under, self._below, classes="fields"
        )
        self._asked = TextBlock(classes="label")
        self._proof = TicketLine(self._typed_to_confirm)
        self._proof.pasted = False
        self._proving = Horizontal(self._asked, self._proof, classes="typing proving")
        self._words, self._lines = TextBlock(), TextBlock()
        self._review = Vertical(self._proving, self._words, self._lines, classes="review")
        self._page = Container(self._fields, self._review, classes="page")

    def body(self) -> Iterator[Widget]:
        yield Horizontal(self._title, self._countdown, classes="titles")
        yield self._page

    def _is_behind(self) -> bool:
        return self.dashboard.is_behind()

    @property
    def selected(self) -> object | None:
        """The created object; a trade or payment has a deal ticket."""
        return self._view.became

    @property
    def confirms(self) -> bool:
        return self._view.name == CONFIRM

    @property
    def is_over(self) -> bool:
        """Return True: a number key leads to its list, and a draft is kept."""
        return True

    def on_mount(self) -> None:
        self._show()
        self._focus_input()

    def on_unmount(self) -> None:
        self._tell(None)

    def on_resize(self) -> None:
        self._show()

    def leave(self) -> None:
        """Keep what was filled in as a draft, until it is confirmed."""
        task, drafts, draft = self._ticket.task, self.ui.drafts, _written(self._ticket.draft)
        if not task.keeps_draft:
            return
        is_ticket, is_changed = task.key in TICKETS, draft != self._begun_with
        key = new_key(drafts, task.key) if is_ticket else (task.key, task.context)
        if not draft and key in drafts and _written(drafts[key].values) == self._begun_with:
            del drafts[key]
        elif draft and (self._is_draft or is_changed or task.sent or task.refusals()):
            at = self._view.field.key if self._view.field else ""
            amounts = (one.shown for one in self._ticket.fields)
            parties = (one for one in self._ticket.fields if one.key == TO and one.text)
            to = (f"{one.label.lower()} {one.text}" for one in parties)
            name = clean(" ".join(filter(None, (task.title, *amounts, *to))), MAX_NAME)
            saved = SavedDraft(draft, task.sent, at, name)
            keep_draft(drafts, key, saved, is_newest=not self.gives_way)

    async def pull(self) -> None:
        await super().pull()
        self._do(self._ticket.store_changed)

    def _do(self, event: Callable[..., object], *args: object) -> None:
        """Pass an event on to the ticket, and show what it has changed."""
        event(*args)
        self._show()

    def tick(self) -> None:
        """Update the countdown, and ask the terminal again if it did not answer.

        Old bank details are read before a payment, even while polling is paused.
        """
        super().tick()
        now = self.ui.time.clock.monotonic()
        if self._view.wants_reading and now >= self._read_again_at:
            self._read_again_at = now + READ_INTERVAL
            self.ui.port.refresh()
        self._show()
        if self._arming.asks_again():
            self._ask_terminal()

    def on_screen_suspend(self) -> None:
        """Require the screen to be seen again after a dialog covered it."""
        self._arming.shows(None)

    def _click(self, key: str) -> None:
        keys = [one.key for one in self._view.fields]
        if key in keys and self._view.at is not None:
            self._do(self._ticket.go, keys.index(key) - self._view.at)

    def _typed(self, text: str) -> None:
        if self._view.at is not None:
            self._ticket.typed(text)
        self._show()

    def _typed_to_confirm(self, text: str) -> None:
        """Pass typed text on; drop it if the review may not have been seen yet."""
        if self._may_be_unseen:
            self._pressed_on = self._view.confirms
            self._proof.hold("")
        else:
            self._ticket.typed(without_code(text, self._code)[0])
        self._is_wrong = False
        self._show()

    def action_go_on(self) -> None:
        self._do(self._ticket.go_on)

    def action_confirm(self) -> None:
        """Confirm the review on view, if it can have been seen; drop what was typed if wrong."""
        view, typed = self._view, self._proof.value.strip().upper()
        self._pressed_on = view.confirms
        if not (self._may_be_unseen or self._lacks_code):
            self._ticket.confirm(view.confirms)
        self._is_wrong = typed != ""
        if not view.asked.startswith(typed):
            self._proof.hold("")
        self._show()

    def action_go(self, steps: int) -> None:
        self._do(self._ticket.go, steps)

    def action_move(self, steps: int) -> None:
        if self._view.at is None:
            self._review.scroll_relative(y=steps, animate=False)
            self.call_after_refresh(self._show)
        else:
            self._do(self._ticket.move, steps)

    def action_review(self) -> None:
        self._do(self._ticket.go, END)

    def action_turn(self, steps: int) -> None:
        self._do(self._ticket.turn, steps)

    def action_look(self, pages: int) -> None:
        page = self._review if self._view.at is None else self._fields
        lines = max(1, page.size.height - PAGE_OVERLAP)
        page.scroll_relative(y=pages * lines, animate=False)
        self.call_after_refresh(self._show)

    def action_act(self, action: str) -> None:
        self._ticket.act(action)
        if self._ticket.task.walks:
            self._place = None  # the field with the cursor may hold another text
        self._show()

    def action_save(self) -> None:
        draft, task = self._ticket.draft, self._ticket.task
        kind = next((kind for kind in TICKETS if kind == task.key), None)
        if draft is not None and kind is not None:
            self.dashboard.save_template(kind, task.filled(draft))

    def action_open(self) -> None:
        if (became := self._view.became) is not None:
            self.dashboard.open_link(Ref(KIND_OF[type(became)], identifier_of(became)))

    def refuses(self, action: str) -> bool:
        """Refuse to open another ticket over this one until it is over, but the next draft."""
        is_possible = self._view.name == "outcome" or (action == "draft" and self._is_draft)
        return (action in textual_bindings.CREATES and not is_possible) or super().refuses(action)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        view = self._view
        match action:
            case "act":
                is_possible = parameters[0] in view.actions
            case "save":
                is_possible = self._ticket.task.key in TICKETS and self._ticket.draft is not None
            case "open":
                is_possible = view.became is not None
            case "go_on" | "confirm":
                is_possible = action == _on_enter(view)
            case "review":
                is_possible = view.at is not None and self._ticket.task.walks
            case "turn" | "look":
                is_possible = (view.section != "") == (action == "turn")
            case "go":
                is_possible = view.at is not None or (view.name == CONFIRM and parameters == (-1,))
            case _:
                return super().check_action(action, parameters)
        return is_possible

    def is_quiet(self, action: str) -> bool:
        """Hide the hints of keys that do the same, or nothing for a ticket."""
        if action == "turn(1)":
            return self._view.section == self._view.fields[-1].section
        task = self._ticket.task
        if action == "act('clear')":
            return (task.key, task.context) not in self.ui.drafts
        is_enter = action == "go(1)" and task.walks
        return is_enter or action in ("accounts", "refresh")

    @property
    def _may_be_unseen(self) -> bool:
        confirms = self._view.confirms
        return confirms is not None and (not self._arming.armed(confirms) or self._has_more)

    @property
    def _lacks_code(self) -> bool:
        code = self._arming.code(self._view.confirms)
        is_shown = code == self._code
        return code != "" and not (is_shown and without_code(self._proof.value, code)[1])

    @property
    def _has_more(self) -> bool:
        """Return True if a part of the review was never on view."""
        confirms, review = self._view.confirms, self._review
        # Before layout its height is unknown.
        if self._arming.is_painted(confirms) and review.scroll_offset.y >= review.max_scroll_y:
            self._seen_whole = confirms
        return confirms is not None and self._seen_whole != confirms

    def _show(self) -> None:
        before, view = self._view, self._ticket.view()
        # Textual calls a screen below a dialog "current" as well.
        is_on_top = self.app.screen_stack[-1:] == [self]
        is_new = self._arming.shows(view.confirms if is_on_top else None)
        if is_on_top:
            self._code = self._arming.code(view.confirms)
        if view.confirms is not None and self._code:  # it is typed after any other text
            view = replace(view, asked=f"{view.asked} {self._code}".strip())
        self._view = view
        self._tell(self._ticket.told)
        self._say_more()
        if before.left != view.left:
            self._countdown.count_down(view.left)
            self._countdown.display = view.left is not None
        self._show_text(view)
        self._show_line(view)
        if before.confirms != view.confirms or (is_new and self._code):
            self._proof.hold("")
            self._is_wrong = False
        if is_new:
            self._review.scroll_home(animate=False)
            self._ask_terminal()
        if _offers(before) != _offers(view):
            self.refresh_bindings()
        if (before.name == CONFIRM) != self.confirms:
            self.post_message(self.ConfirmsChanged())

    def _tell(self, ticket: OpenTicket | None) -> None:
        if ticket != self._told and self.ui.store.desk is not None:
            self._told = ticket
            self.ui.port.tell_ticket(ticket)

    def _show_text(self, view: TicketView) -> None:
        """Lay out the fields and the review: side by side if there is room for both.

        Else the fields are followed by what they do not tell. Options get the room of both.
        """
        words, lines, is_wide = view.words, view.lines, self.size.width >= WIDE
        if view.field is not None:
            words = ()
            if not view.options and (is_wide or not self._ticket.task.walks):
                warnings, facts = self._ticket.preview()
                words = tuple(one for one in warnings if one not in view.words)
                told = () if is_wide else [one.label for one in view.fields]
                lines = tuple(one for one in facts if one.label not in told) or lines
        is_beside = is_wide and bool(words or lines) and not view.options
        self._page.set_class(is_beside, "-beside")
        width = self.size.width // (1 + is_beside) - MARGINS
        fields = view.fields or (self._ticket.fields if is_beside else ())
        at = len(fields) if view.at is None else view.at
        self._fields.display = bool(fields)
        titles = [("", line) for line in section_title(view.field, fields)]
        self._above.show_rows([*rows_of(fields[:at], fields, width), *titles])
        self._below.show_rows(rows_of(fields[at + 1 :], fields, width))
        self._label.show(label_of(view))
        height = self.size.height - USED_LINES
        self._under.show_rows(below_input(view, width, height) if view.field else [])
        self._words.show(text_of(words))
        self._lines.show(lines_of(lines, width))

    def _show_line(self, view: TicketView) -> None:
        """Set up the input for the field with the cursor, or for the text to confirm."""
        field, asked = view.field, view.asked
        what = f"the letters {asked}" if asked.isalpha() else asked
        words = f"{'✗' if self._is_wrong else ' '} Type {what} to confirm  " if asked else ""
        self._asked.show(toned(words, Tone.DOWN if self._is_wrong else Tone.INK, bold=True))
        held = field.text if field and field.options and not view.is_searched else None
        place = (view.name, field.key if field else "", asked != "", held)
        before, self._place = self._place or (), place
        is_forgotten = field is not None and field.key == PROOF and field.text != self._line.value
        if place == before and not is_forgotten:
            return
        if view.is_searched and place[:3] == before[:3]:
            return
        self._typing.display, self._proving.display = field is not None, asked != ""
        self._line.set_shown(yes=field is not None)
        self._proof.set_shown(yes=asked != "")
        if field is not None:
            self._line.pasted, self._line.placeholder = field.key != PROOF, field.hint
            # What is typed replaces what was there, or extends a text that is wrong.
            is_extended = not field.text or (field.finding and not field.options)
            self._line.hold(field.text, None if is_extended else field.key)
        elif asked:
            self._proof.hold("")
        if self.is_mounted:
            self._focus_input()
        self.call_after_refresh(self._scroll)

    def _scroll(self) -> None:
        """Bring the field with the cursor on view, with its options and those around it."""
        shown = self._typing.virtual_region
        if self._under.display:
            shown = shown.union(self._under.virtual_region)
        around = min(MAX_AROUND, max(0, self._fields.size.height - shown.height) // 2)
        self._fields.scroll_to_region(shown.grow((around, 0, around, 0)), animate=False)

    def _focus_input(self) -> None:
        view = self._view
        self.set_focus(self._line if view.field else self._proof if view.asked else None)

    def _ask_terminal(self) -> None:
        """Ask the terminal once this is painted, and check the layout then."""
        note = self._arming.noting

        def asked(number: int) -> None:
            note(number)
            self._say_more()

        self.post_message(QueryTerminal(asked))

    def _say_more(self) -> None:
        """Show the title, and what a confirm key that was pressed waits for."""
        view, waits_for = self._view, Content()
        title = toned(self._ticket.task.title, bold=True)
        name = toned(f" · {view.section or view.name}", Tone.MUTED)
        same = text_of(CAREFUL.cell(short) for _, short in self._ticket.colleagues[:1])
        self._title.say(title + name, _MORE if self._has_more else same)
        if view.confirms is not None and self._pressed_on == view.confirms:
            if self._may_be_unseen:
                waits_for = _NOT_WHOLE if self._has_more else _NOT_SEEN
            elif view.asked and self._lacks_code:
                waits_for = toned(f"type {view.asked} ", Tone.CLOSING, bold=True)
        self.hints.warn(waits_for)


def _written(values: Values | None) -> Values:
    return {key: text for key, text in (values or {}).items() if text}


def _on_enter(view: TicketView) -> str:
    """Return the action of enter; empty if there is none."""
    if view.confirms is not None:
        return "confirm"
    return "go_on" if view.at is not None or view.corrects else ""


def _offers(view: TicketView) -> tuple[object, ...]:
    return view.actions, _on_enter(view), view.became is None, view.at is None, view.section
