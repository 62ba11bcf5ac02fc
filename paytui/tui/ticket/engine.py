"""The state machine of every ticket: fields are filled in, reviewed, and confirmed once.

Money moves only by `confirm()`: it passes on exactly what the review has shown, if the same would
still be sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from paytui.api.resources import identifier_of
from paytui.domain.intent import IntentId
from paytui.domain.models import Record
from paytui.platform.text import clean
from paytui.tui.format.cells import CAREFUL, WRONG
from paytui.tui.guards import payee_warnings
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ticket import picker
from paytui.tui.ticket.model import (
    CONFIRM,
    NO_VALUES,
    PROOF,
    Checks,
    Field,
    Line,
    Obstacle,
    Option,
    Task,
    TicketView,
    Values,
)
from paytui.tui.ui_context import UiContext

T = TypeVar("T")

_AS_IDENTIFIER = "enter: take it as an identifier."


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketState:
    """The state of a ticket; immutable."""

    values: Values
    at: str  # The key of the field with the cursor, or `CONFIRM`
    intent_id: IntentId  # Of the next intent; the review shows its tag in the reference
    visited: frozenset[str] = frozenset()  # Fields that the cursor has left: findings are shown
    refused: Mapping[str, str] = field(default_factory=dict)  # The service's complaints, by field
    proven: str = ""  # The fingerprint of the new account that was checked

    # Until the cursor goes to another field:
    search: str | None = None  # What was typed into a picker; None before that
    cursor: str | None = None  # The option that was moved to; None for the best match
    awaited: Record | None = None  # The object whose identifier was typed, until the worker has it
    typed: str = ""  # The text to confirm, or the end of an account's number
    reviewed: Values | None = None  # The filled values under review: the store does not alter them
    seen: object | None = None  # The facts under review; a change clears `typed`
    trouble: str = ""  # The complaint about what was pressed or typed last
    note: str = ""  # A remark on how the cursor came here
    remark: str = ""  # The note of the field that the cursor goes to next


class Ticket(Generic[T]):
    """One ticket; every method but `view()` is an event.

    Args:
        note: a remark until the cursor moves.
        at: the field to begin at; else, and if a value does not fit, the first that is missing.
    """

    def __init__(
        self,
        ui: UiContext,
        task: Task[T],
        values: Values = NO_VALUES,
        note: str = "",
        at: str = "",
    ) -> None:
        self._ui = ui
        self.task = task
        self._options: tuple[object, tuple[Option, ...]] = (None, ())
        self._shown: tuple[str, str | None, str | None] = ("", None, None)
        self._filled_in: tuple[object, Values] = (None, NO_VALUES)
        self._state = TicketState(
            values=values, at=CONFIRM, intent_id=ui.maker.new_id(), proven=task.proven
        )
        if at in [one.key for one in self.fields] and not self._unfit(values):
            self._go_to(at)
        elif task.walks:
            self._go_to(next((one.key for one in self.fields if not one.text), CONFIRM))
        else:
            self._go_to(self._next())
        trouble = self._unfit(values)
        self._state = replace(self._state, note=note, trouble=trouble, visited=frozenset())

    def _unfit(self, values: Values) -> str:
        """Return the complaint about the first value that does not fit; empty if all fit."""
        found = None if self.task.walks else self._obstacle
        return found.why if found and values.get(found.field) else ""

    @property
    def draft(self) -> Values | None:
        """What was filled in; None once it was confirmed, unless it has failed."""
        is_done = self.task.end() is not None and self.task.refusals() is None
        if is_done and self.task.sent is None:
            return None
        state = self._state
        if state.search is None or not self.task.walks:
            return state.values
        return self.task.with_text(state.values, state.at, state.search)

    def view(self) -> TicketView:
        self._settle()
        if (end := self.task.end()) is not None:
            return replace(end, corrects=self.task.refusals() is not None)
        state, task = self._state, self.task
        if state.at == CONFIRM:
            return self._review_view()
        fields, options = self.fields, self._matches
        at = next(place for place, one in enumerate(fields) if one.key == state.at)
        self._shown = (state.at, state.search, self._cursor(options))
        return TicketView(
            title=task.title,
            name=fields[at].label.lower(),
            fields=tuple(self._judged(one) for one in fields),
            at=at,
            options=options,
            cursor=self._shown[2],
            is_searched=state.search is not None,
            is_wrong=self._shown_complaint(fields[at]) is not None,
            lines=tuple(task.lines(self._filled)),
            words=tuple(self._words(fields[at], options)),
            left=task.left,
            actions=(*task.actions(state.at), *task.edits(state.values, state.at)),
            walks=task.walks,
        )

    def preview(self) -> tuple[tuple[Cell, ...], tuple[Line, ...]]:
        """Return the warnings and facts of the review; none while a field is missing."""
        state, order = self._state, self.task.order(self._filled)
        if self.task.end() is not None or isinstance(order, Obstacle):
            return (), ()
        review = self.task.review(order, intent_id=state.intent_id, proven=state.proven)
        return tuple(self._warnings(order, review)), tuple(self.task.review_lines(order, review))

    # Events

    def typed(self, text: str) -> None:
        if not self._settle():
            return
        state = self._state
        if state.at in (CONFIRM, PROOF):
            self._state = replace(state, typed=text, trouble="")
            return
        field = self._field
        if field.is_picked:
            self._state = replace(state, search=text, cursor=None, trouble="", awaited=None)
            if not field.spaced and text.endswith(" ") and text.strip():
                self.go_on()
        else:
            values = self.task.with_text(state.values, field.key, text)
            self._state = _without_refusal(replace(state, values=values, trouble=""))
            if self._field.finding is None:
                self._state = replace(self._state, visited=state.visited - {field.key})

    def move(self, steps: int) -> None:
        """Move the cursor over the options; in a field of text, to another field."""
        if not self._settle():
            return
        options, state = self._matches, self._state
        keys = [one.key for one in options]
        now = self._cursor(options)
        if not options or (now is None and steps < 0):
            self.go(steps)
            return
        place = keys.index(now) if now is not None else -1
        to = min(max(place + steps, 0), len(keys) - 1)
        self._state = replace(state, cursor=keys[to], trouble="", awaited=None)

    def go(self, steps: int) -> None:
        """Go to another field; what was typed is taken first, or dropped on the way back."""
        if not self._settle():
            return
        to, state = self._place + steps, self._state
        is_proof = state.at == PROOF and state.typed != "" and steps > 0
        if not (self._take() if is_proof else self._take_touched(steps)):
            return
        fields = [one.key for one in self.fields]
        if to >= len(fields) and self.task.walks:
            self.review()
        elif to >= len(fields):
            self._go_to(self._next())
        elif to >= 0 or self._state.remark:
            self._go_to(fields[max(to, 0)])

    def go_on(self) -> None:
        """Take the field's value, and go to the first field that is missing, or to the review."""
        if self.task.end() is not None:
            self._correct()
        elif not self._settle():
            return
        elif self._state.at == CONFIRM:
            self._go_to(self._next())
        else:
            place = self._place
            if self._take():
                self._go_on_from(place)

    def review(self) -> None:
        """Go to the review, or to the first field that is missing or wrong, and say why."""
        if self._settle() and self._take_touched():
            every = frozenset(one.key for one in self.fields)
            self._state = replace(self._state, visited=every)
            self._go_to(self._next())
            if self._state.at != CONFIRM and (found := self._obstacle):
                self._state = replace(self._state, trouble=found.why)

    def turn(self, steps: int) -> None:
        """Go to the first field of another section."""
        if not self._settle() or not self._take_touched(steps):
            return
        fields = self.fields  # those that what was taken asks for
        sections = list(dict.fromkeys(one.section for one in fields))
        here = next((one.section for one in fields if one.key == self._state.at), sections[-1])
        to = min(max(sections.index(here) + steps, 0), len(sections) - 1)
        first = next(place for place, one in enumerate(fields) if one.section == sections[to])
        self.go(first - self._place)

    def chosen(self, key: str) -> None:
        """Take an option of this field."""
        if self._settle() and self._state.at != CONFIRM:
            place = self._place
            option = next((one for one in self._offered if one.key == key), None)
            if option is not None and self._choose(option):
                self._go_on_from(place)

    def confirm(self, shown: object) -> None:
        """Pass on what was shown, once, if the same would still be sent."""
        self.store_changed()  # a text that was typed for other facts confirms nothing
        found, state = self._review(), self._state
        if self.task.end() is not None or found is None or shown is None:
            return
        order, review = found
        late = self.task.late()
        if self.task.agreed(order, review) != shown:
            self._state = replace(state, trouble=late or self.task.changed)
        elif why_not := late or review.why_not(state.typed):
            self._state = replace(state, trouble=why_not)
        else:
            self._state = replace(state, trouble="")
            self.task.send(order, state.intent_id)

    def act(self, action: str) -> None:
        if not self._settle():
            return
        state = self._state
        if action in self.task.actions(state.at):
            self.task.act(action)
            self._options = (None, ())
            self._state = replace(self._state, trouble="")
        elif action in self.task.edits(state.values, state.at):
            self._take_touched()
            edit = self.task.edits(self.draft or NO_VALUES, state.at)[action]
            refused = {edit.move(key): words for key, words in state.refused.items()}
            self._state = replace(
                self._state,
                values=edit.values,
                refused={key: words for key, words in refused.items() if key is not None},
            )
            self._go_to(edit.at)
            visited = frozenset(edit.move(key) or "" for key in self._state.visited)
            self._state = replace(self._state, visited=visited)

    def tick(self) -> None:
        """Take in that time has passed."""

    def store_changed(self) -> None:
        """Take in answers; a change of facts under review has to be seen again."""
        if self.task.end() is not None:
            return
        was_asked_for = self.task.poll(self._state.at)
        if was_asked_for:
            self._options = (None, ())  # an answer need not come with a change of the store
        self._settle()
        self._take_awaited()
        found, state = self._review(), self._state
        seen = None if found is None else self.task.agreed(*found)
        if state.at == CONFIRM and seen != state.seen:
            is_news = state.seen is not None and seen is not None and not was_asked_for
            trouble = self.task.changed if is_news else ""
            self._state = replace(state, seen=seen, trouble=trouble, typed="")

    # Fields and options

    @property
    def _version(self) -> object:
        store = self._ui.store
        return self._state.values, store.changes, store.health_version, self._ui.scope

    @property
    def _filled(self) -> Values:
        """Return the values with every choice that has one candidate."""
        if self._state.reviewed is not None:
            return self._state.reviewed
        if self._filled_in[0] != self._version:
            self._filled_in = (self._version, self.task.filled(self._state.values))
        return self._filled_in[1]

    @property
    def fields(self) -> tuple[Field, ...]:
        """Return the task's fields, with that of the account check if it is needed."""
        state, fields = self._state, self.task.fields(self._state.values, self._filled)
        address = self.task.paid(self._filled)
        is_here = state.at == PROOF
        if address is None or not (is_here or payee_warnings.is_new_account(self._ui, address)):
            return fields
        is_proven = not payee_warnings.needs_account_check(self._ui, address, state.proven)
        proof = Field(
            key=PROOF,
            label="Verify payee",
            text=state.typed if is_here else "",
            note="✓ verified" if is_proven and not is_here else "",
            hint=payee_warnings.proof_hint(address),
            judged=lambda: payee_warnings.proof_words(self._ui, address),
            pasted=False,
        )
        return (*fields, proof)

    @property
    def _field(self) -> Field:
        return next(one for one in self.fields if one.key == self._state.at)

    @property
    def _place(self) -> int:
        """The index of the field with the cursor; behind all at the review."""
        keys = [one.key for one in self.fields]
        return keys.index(self._state.at) if self._state.at in keys else len(keys)

    @property
    def _obstacle(self) -> Obstacle | None:
        """The first field that is missing or wrong."""
        order = self.task.order(self._filled)
        return order if isinstance(order, Obstacle) else None

    def _complaint(self, key: str) -> str:
        """Return why a field stands in the way; empty if it does not, or another does before."""
        found = self._obstacle
        return found.why if found and found.field == key else ""

    @property
    def _offered(self) -> tuple[Option, ...]:
        """Return all options of the field with the cursor."""
        if self._state.at in (CONFIRM, PROOF):
            return ()
        version = (self._state.at, self._version)
        if self._options[0] != version:
            options = self._field.options
            self._options = (version, options() if options is not None else ())
        return self._options[1]

    @property
    def _matches(self) -> tuple[Option, ...]:
        offered, text = self._offered, self._state.search or ""
        if not offered or not (text or self._field.ranked):
            return offered
        if text and self._field.exact:
            return tuple(one for one in offered if one.key == clean(text).strip())
        return picker.narrowed(offered, text, free=bool(text) and self._field.free)

    def _cursor(self, options: tuple[Option, ...]) -> str | None:
        """Return the option that enter takes: the one moved to, the held one, or the best match."""
        state, keys = self._state, [one.key for one in options]
        is_open = state.search is None or (state.search == "" and not self.task.walks)
        held = self._filled.get(state.at) if is_open else None
        if state.cursor in keys:
            return state.cursor
        if held:
            return held if held in keys else None
        if not keys or (not state.search and (self.task.walks or options[0].asks)):
            return None
        return keys[0]

    def _judged(self, field: Field) -> Field:
        """Return a field with the finding or refusal that is shown of it."""
        state = self._state
        if refused := state.refused.get(field.key):
            return replace(field, finding=WRONG.cell(refused))
        is_shown = field.key in state.visited and field.key != state.at
        return field if is_shown else replace(field, finding=None)

    def _words(self, field: Field, options: tuple[Option, ...]) -> Iterator[Cell]:
        """Yield the remarks on the field with the cursor."""
        state = self._state
        if state.note:
            yield Cell(state.note, Tone.CLOSING)
        if (complaint := self._shown_complaint(field)) is not None:
            yield complaint
        if field.help:
            yield Cell(field.help, Tone.MUTED)
        if state.awaited is not None:
            yield from picker.waiting_words(self._ui, state.awaited)
        elif field.is_picked and not state.trouble and (words := self._lacks(field, options)):
            yield Cell(words, Tone.CLOSING)
        for cell in field.judged():
            if complaint is None or cell.text.removeprefix("✗ ") != complaint.text.removeprefix(
                "✗ "
            ):
                yield cell

    def _shown_complaint(self, field: Field) -> Cell | None:
        """Return the complaint about the value of the field with the cursor."""
        state = self._state
        if words := state.trouble or state.refused.get(field.key, ""):
            return WRONG.cell(words)
        is_shown = field.key in state.visited and state.search is None
        return field.finding if is_shown else None

    def _lacks(self, field: Field, options: tuple[Option, ...]) -> str:
        """Return why none of these options can be taken; empty if one can."""
        if field.names and not self._offered:
            return picker.unlisted_words(field.names)
        if field.exact and not options:
            return _AS_IDENTIFIER if self._state.search else ""
        if not self._offered:
            return "There is nothing to choose from yet."
        if not options:
            return _AS_IDENTIFIER if field.names else "Nothing matches."
        return "None of these can be chosen." if all(one.why_not for one in options) else ""

    # Taking a value

    def _take(self) -> bool:
        """Take the value of the field; return False if it is missing or wrong."""
        state, field = self._state, self._field
        if field.key == PROOF:
            return self._prove()
        if field.is_picked:
            return self._take_option(field)
        if field.key not in state.values:
            values = self.task.with_text(state.values, field.key, "")
            self._state = replace(state, values=values)
        return self._fits(field)

    def _take_touched(self, steps: int = 0) -> bool:
        """Take what was typed into a picker or moved to; return False if it cannot be taken.

        On the way back, what cannot be taken is dropped: its value stays, and a remark says so.
        """
        state = self._state
        is_emptied = state.search == "" and self.task.walks
        is_touched = bool(state.search) or is_emptied or state.cursor is not None
        if not is_touched or self._take_option(self._field, looks=steps >= 0):
            return True
        if steps < 0:
            field = self._field
            moved_to = next((one.name for one in self._offered if one.key == state.cursor), "")
            dropped = clean(state.search or "").strip() or moved_to
            remark = f"{field.label} stays {field.text or 'empty'}: {dropped} was not taken."
            self._state = replace(state, search=None, cursor=None, remark=remark)
        return steps < 0

    def _take_option(self, field: Field, *, looks: bool = True) -> bool:
        """Take the option under the cursor, or the text that was typed in its place.

        With an identifier, the worker `looks` for the object, which is taken once it is there.
        """
        state, walks, held = self._state, self.task.walks, self._filled.get(field.key)
        text = clean(state.search or "").strip()
        if walks and state.search is None and state.cursor is None:
            return True
        is_untouched = not text and state.cursor is None and not walks
        if is_untouched and held is not None and not self._complaint(field.key):
            # What was filled in by itself was seen and agreed to: it stays.
            if field.key not in state.values:
                values = self.task.with_choice(state.values, field.key, held)
                self._state = replace(state, values=values)
            return True
        options, shown = self._matches, self._shown
        key = self._cursor(options)
        option = next((one for one in options if one.key == key), None)
        if option is None and ((field.free and text) or walks):
            values = self.task.with_text(state.values, field.key, text)
            self._state = replace(state, values=values, trouble="")
            if is_fit := self._fits(field):
                self._state = replace(_without_refusal(self._state), search=None)
            return is_fit
        named = () if option is None else (option.key.casefold(), option.name.casefold())
        was_shown = shown[:2] == (state.at, state.search) and state.cursor is None
        if field.names and text and state.cursor is None and text.casefold() not in named:
            words = self._look_for(field, text) if looks else ""
        elif option is None:
            words = f"Nothing matches {text}." if text else f"Choose: {field.label.lower()}."
        elif was_shown and shown[2] != key:
            words = "The list has changed: look again."
        else:
            return self._choose(option)
        if words:
            self._state = replace(state, trouble=words)
        return False

    def _fits(self, field: Field) -> bool:
        """Return False if a value stops enter, and say why."""
        why = "" if self.task.walks else self._complaint(field.key)
        if why:
            self._state = replace(self._state, trouble=why)
        return not why

    def _choose(self, option: Option) -> bool:
        """Choose an option; a remark names the values of other fields that this clears."""
        state, before = self._state, self._state.values
        if option.why_not:
            self._state = replace(state, trouble=_declined(option), awaited=None)
            return False
        chosen = self._field.label
        values = self.task.with_choice(state.values, state.at, option.key)
        state = replace(_without_refusal(state), values=values, search=None, cursor=None)
        self._state = replace(state, trouble="", awaited=None)
        gone = {key for key, text in before.items() if text and not values.get(key)}
        cleared = [one.label for one in self.fields if one.key in gone and not one.text]
        were = "was" if len(cleared) == 1 else "were"
        remark = f"{' and '.join(cleared)} {were} cleared: {chosen} changed." if cleared else ""
        self._state = replace(self._state, remark=remark)
        return True

    def _look_for(self, field: Field, text: str) -> str:
        """Have the worker look for an object; return what its identifier lacks."""
        found = picker.named_object(self._ui, field.names, text)
        if isinstance(found, str):
            return found
        self._state = replace(self._state, awaited=found, trouble="")
        self._ui.port.add_object(found)
        self._take_awaited()
        return ""

    def _take_awaited(self) -> None:
        """Choose the object if it is among the options by now, as it was typed."""
        awaited = self._state.awaited
        if awaited is None or not picker.is_there(self._ui, awaited):
            return
        key = identifier_of(awaited)
        option = next((one for one in self._offered if one.key == key), None)
        if option is not None and self._choose(option):
            self._go_to(self._next())

    def _prove(self) -> bool:
        """Take the end of the account's number; return False if the account is still unchecked."""
        address, state = self.task.paid(self._filled), self._state
        if proven := payee_warnings.fingerprint_if_proven(address, state.typed):
            self._state = replace(state, proven=proven)
            return True
        if (
            address
            and not state.typed
            and not payee_warnings.needs_account_check(self._ui, address, state.proven)
        ):
            return True
        self._state = replace(state, trouble=payee_warnings.WRONG_ENDING)
        return False

    # Going from field to field

    def _next(self) -> str:
        """Return the first field that is missing or wrong, or `CONFIRM`."""
        if found := self._obstacle:
            return found.field
        address = self.task.paid(self._filled)
        if address is not None and payee_warnings.needs_account_check(
            self._ui, address, self._state.proven
        ):
            return PROOF
        return CONFIRM

    def _settle(self) -> bool:
        """Leave a field that is gone; return False then: what was pressed was meant for it.

        Also return False once it was confirmed. A complaint about an option ends with its reason.
        """
        if self.task.end() is not None:
            return False
        at = self._state.at
        is_gone = at != CONFIRM and all(one.key != at for one in self.fields)
        if is_gone:
            self._go_to(self._next())
            if found := self._obstacle:
                self._state = replace(self._state, trouble=found.why)
        trouble, before = self._state.trouble, self._options[1]
        if trouble in map(_declined, before) and trouble not in map(_declined, self._offered):
            self._state = replace(self._state, trouble="")
        return not is_gone

    def _go_on_from(self, place: int) -> None:
        """Go to the field after that at an index, or to the next that is missing."""
        fields = self.fields
        # An answer may have put fields in the place of its own.
        place += any(one.key == self._state.at for one in fields)
        if not self.task.walks:
            self._go_to(self._next())
        elif place < len(fields):
            self._go_to(fields[place].key)
        else:
            self.review()

    def _go_to(self, at: str) -> None:
        """Go to a field, with the complaint about what it holds, or to the review."""
        before = self._state
        is_review = at == CONFIRM
        self._state = state = TicketState(
            values=before.values,
            at=at,
            intent_id=before.intent_id,
            visited=before.visited | {before.at},
            refused=before.refused,
            proven=before.proven,
            reviewed=self._filled if is_review else None,
            trouble=before.refused.get(CONFIRM, "") if is_review else "",
            note=before.remark,
        )
        self.task.reach(at, self._filled)
        if self._filled.get(at) and (why := self._complaint(at)):
            self._state = replace(state, trouble=why)
        elif (found := self._review()) is not None:
            self._state = replace(state, seen=self.task.agreed(*found))

    def _correct(self) -> None:
        """Go back to the field that was refused, after a failure."""
        refused = self.task.refusals()
        if refused is None:
            return
        self.task.restart()
        fields = [one.key for one in self.task.fields(self._state.values, self._filled)]
        known = {key: words for key, words in refused.items() if key in fields}
        if others := [words for key, words in refused.items() if key not in fields]:
            known[CONFIRM] = " ".join(others)
        self._state = replace(self._state, intent_id=self._ui.maker.new_id(), refused=known)
        self._go_to(next((key for key in fields if key in known), CONFIRM))

    # The review

    def _review(self) -> tuple[T, Checks] | None:
        """Return the order and its review at the confirmation; None elsewhere."""
        state = self._state
        if state.at != CONFIRM:
            return None
        order = self.task.order(self._filled)
        if isinstance(order, Obstacle):
            return None
        review = self.task.review(order, intent_id=state.intent_id, proven=state.proven)
        return order, review

    def _review_view(self) -> TicketView:
        """Return the review: its facts, warnings and obstacles, and the effect of enter."""
        task, found = self.task, self._review()
        corrects = self._next() != CONFIRM
        view = TicketView(
            title=task.title,
            name=CONFIRM,
            left=task.left,
            corrects=corrects,
            actions=task.actions(CONFIRM),
        )
        if found is None:
            why = self._obstacle.why if self._obstacle else ""
            words = (WRONG.cell(why), Cell("enter: correct it · esc: leave", Tone.MUTED))
            return replace(view, lines=tuple(task.lines(self._filled)), words=words)
        order, review = found
        late = task.late()
        is_ready = not review.refusal and not late
        complaints = dict.fromkeys(filter(None, (review.refusal, self._state.trouble, late)))
        enter = f"enter: {task.verb} · " if is_ready else "enter: correct it · " * corrects
        others = "shift+tab: change · esc: leave" if self.fields else "esc: back"
        return replace(
            view,
            lines=tuple(task.review_lines(order, review)),
            asked="" if late else review.asked,
            words=(
                *self._warnings(order, review),
                *(WRONG.cell(words) for words in complaints),
                Cell(f"{enter}{others}", Tone.MUTED),
            ),
            confirms=task.agreed(order, review) if is_ready else None,
            wants_reading=bool(review.unread),
        )

    def _warnings(self, order: T, review: Checks) -> Iterator[Cell]:
        yield from self.task.review_words(order, review)
        for words in review.warnings:
            yield CAREFUL.cell(words)


def _without_refusal(state: TicketState) -> TicketState:
    """Return the state without the service's complaint about the field with the cursor."""
    refused = {key: words for key, words in state.refused.items() if key != state.at}
    return replace(state, refused=refused)


def _declined(option: Option) -> str:
    """Return the complaint about choosing an option that cannot be chosen."""
    return f"{option.name}: {option.why_not}."
