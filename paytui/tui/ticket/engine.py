"""The state machine of every ticket: fields are filled in, reviewed, and confirmed once.

Money moves only by `confirm()`: it passes on exactly what the review has shown, if the same would
still be sent.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from paytui.api.resources import KIND_OF
from paytui.domain.colleagues import OpenTicket
from paytui.domain.models import Record
from paytui.platform.text import clean, fold
from paytui.tui.format.cells import CAREFUL, WRONG
from paytui.tui.format.colleagues import at_the_same_words
from paytui.tui.format.feeds import noun
from paytui.tui.guards import confirmation
from paytui.tui.guards.confirmation import Checks
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ticket import choices, model
from paytui.tui.ticket.deal import RateLock
from paytui.tui.ticket.keys import PROOF
from paytui.tui.ticket.model import CONFIRM, Field, Obstacle, Option, Values
from paytui.tui.ticket.task import Task

T = TypeVar("T")

END = sys.maxsize  # Steps that lead behind the last field, to the review

_AS_IDENTIFIER = "enter: take it as an identifier."


@dataclass(slots=True, kw_only=True)
class _Here:
    """The input under way where the cursor is; another field or the review begins anew."""

    at: str  # The key of the field, or `CONFIRM`
    typed: str | None = None  # What was typed into a picker, or to prove or confirm something
    cursor: str | None = None  # The option that was moved to; None for the best match
    awaited: Record | None = None  # The object whose identifier was typed, until the worker has it
    seen: object | None = None  # The facts under review; a change clears `typed`
    trouble: str = ""  # The complaint about what was pressed or typed last
    note: str = ""  # A remark on how the cursor came here


class Ticket(Generic[T]):
    """One ticket; every method but `view()` and `preview()` is an event.

    Enter takes the field's value and goes on: to the next field if the task `walks`, else to the
    first one that is missing or wrong.

    Args:
        note: a remark until the cursor moves.
        at: the field to begin at; else, and if a value does not fit, the first that is missing.
    """

    def __init__(
        self, task: Task[T], values: Values = model.NO_VALUES, note: str = "", at: str = ""
    ) -> None:
        self._ui = task.ui
        self.task = task
        self._values = values
        self._visited: set[str] = set()  # Fields that the cursor has left: findings are shown
        self._refused: dict[str, str] = {}  # The service's complaints, by field
        self._remark = ""  # The note of the field that the cursor goes to next
        self._place = 0  # The index of the field with the cursor; at the review, behind all
        self._stride = 1 if task.walks else END  # The steps of enter
        self._options: tuple[object, tuple[Option, ...]] = (None, ())
        self._shown: tuple[str, str | None, str | None] = ("", None, None)
        self._filled_in: tuple[object, Values] = (None, model.NO_VALUES)
        self._here = _Here(at="")
        found = None if task.walks else self._obstacle
        unfit = found.why if found and values.get(found.field) else ""
        first = next((one.key for one in self.fields if not one.text), CONFIRM)
        if unfit or at not in self._keys:
            at = first if task.walks else self._next()
        self._go_to(at)
        self._here.note, self._here.trouble = note, unfit

    @property
    def draft(self) -> Values | None:
        """The values that were filled in; None once confirmed, unless it has failed."""
        is_done = self.task.end() is not None and self.task.refusals() is None
        if is_done and self.task.sent is None:
            return None
        here = self._here
        if here.typed is None or here.at == CONFIRM or not self.task.walks:
            return self._values
        return self.task.with_text(self._values, here.at, here.typed)

    def view(self) -> model.TicketView:
        self._settle()
        task, here = self.task, self._here
        if (end := task.end()) is not None:
            return replace(end, corrects=task.refusals() is not None)
        if here.at == CONFIRM:
            return self._review_view()
        fields = tuple(replace(one, finding=self._finding(one)) for one in self.fields)
        at = [one.key for one in fields].index(here.at)
        options, field = self._matches, fields[at]
        self._shown = (here.at, here.typed, self._cursor(options))
        return model.TicketView(
            name=field.label.lower(),
            fields=fields,
            at=at,
            options=options,
            cursor=self._shown[2],
            is_searched=here.typed is not None,
            lines=(
                *task.lines(self._filled),
                *(model.Line("Colleague", (CAREFUL.cell(words),)) for words, _ in self.colleagues),
            ),
            words=tuple(self._words(field, options)),
            left=self._lock.left if self._lock else None,
            actions=(*self._requote, *task.edits(self._values, here.at)),
        )

    @property
    def told(self) -> OpenTicket | None:
        """Return what colleagues are told of the ticket; None once it is confirmed."""
        return None if self.task.end() is not None else self.task.told(self._filled)

    @property
    def colleagues(self) -> tuple[tuple[str, str], ...]:
        """Return what colleagues do to the same recipient or wallet, in long and short words."""
        is_anybody_here = len(self._ui.store.colleagues) > 0
        return tuple(at_the_same_words(self._ui, self.told)) if is_anybody_here else ()

    def preview(self) -> tuple[tuple[Cell, ...], tuple[model.Line, ...]]:
        """Return the warnings and facts of the review; none while a field is missing."""
        found = self._review()
        if isinstance(found, Obstacle):
            return (), ()
        return tuple(self._warnings(*found)), tuple(self.task.review_lines(*found))

    # Events

    def typed(self, text: str) -> None:
        if not self._settle():
            return
        here = self._here
        if here.at in (CONFIRM, PROOF):
            here.typed, here.trouble = text, ""
        elif (field := self._field).options:
            self._here = _Here(at=here.at, typed=text, note=here.note)
            if not field.spaced and text.endswith(" ") and text.strip():
                self.go_on()
        else:
            self._values = self.task.with_text(self._values, here.at, text)
            self._refused.pop(here.at, None)
            here.trouble = ""
            if self._field.finding is None:
                self._visited.discard(here.at)

    def move(self, steps: int) -> None:
        """Move the cursor over the options; in a field of text, to another field."""
        if not self._settle():
            return
        options, here = self._matches, self._here
        keys = [one.key for one in options]
        now = self._cursor(options)
        if not keys or (now is None and steps < 0):
            self.go(steps)
            return
        place = keys.index(now) if now is not None else -1
        to = keys[min(max(place + steps, 0), len(keys) - 1)]
        self._here = _Here(at=here.at, typed=here.typed, cursor=to, note=here.note)

    def go(self, steps: int) -> None:
        """Go to another field, or to the review behind all; what was typed is taken first."""
        if self._settle() and self._take_touched(steps):
            self._step(steps)

    def go_on(self) -> None:
        """Take what the field holds and go on; from an outcome, go back to what has failed."""
        if self.task.end() is not None:
            self._correct()
        elif self._settle() and (self._here.at == CONFIRM or self._take()):
            self._step(self._stride)

    def chosen(self, key: str) -> None:
        if self._settle():
            option = next((one for one in self._offered if one.key == key), None)
            if option is not None and self._choose(option):
                self._step(self._stride)

    def turn(self, steps: int) -> None:
        """Go to the first field of another section."""
        if not self._settle() or not self._take_touched(steps):
            return
        fields = self.fields  # those that what was taken asks for
        sections = list(dict.fromkeys(one.section for one in fields))
        here = fields[min(self._place, len(fields) - 1)]
        to = sections.index(here.section) + steps * (here.key == self._here.at)
        section = sections[min(max(to, 0), len(sections) - 1)]
        self._go_to(next(one.key for one in fields if one.section == section))

    def confirm(self, shown: object) -> None:
        """Pass on what was shown, once, if the same would still be sent."""
        self.store_changed()  # a text that was typed for other facts confirms nothing
        found, here = self._under_review, self._here
        if self.task.end() is not None or found is None or shown is None:
            return
        order, review = found
        why_not = review.why_not(here.typed or "")
        if self.task.agreed(order, review) != shown:
            why_not = self.task.changed
        here.trouble = self._late or why_not
        if not here.trouble:
            self.task.send(order)

    def act(self, action: str) -> None:
        if not self._settle():
            return
        at = self._here.at
        if action in self._requote and self._lock is not None:
            self._lock.ask()
            self._options = (None, ())
            self._here.trouble = ""
        elif action in self.task.edits(self._values, at):
            self._take_touched(0)
            edit = self.task.edits(self.draft or model.NO_VALUES, at)[action]
            moved = {edit.move(key): words for key, words in self._refused.items()}
            self._refused = {key: words for key, words in moved.items() if key is not None}
            self._values = edit.values
            self._go_to(edit.at)
            self._visited = {to for key in self._visited if (to := edit.move(key)) is not None}

    def store_changed(self) -> None:
        """Take in answers; a change of facts under review has to be seen again."""
        if self.task.end() is not None:
            return
        was_asked_for = self._lock is not None and self._lock.poll()
        if was_asked_for:
            self._options = (None, ())  # an answer need not come with a change of the store
        self._settle()
        self._take_awaited()
        here, found = self._here, self._under_review
        seen = self.task.agreed(*found) if found else None
        if seen != here.seen:
            is_news = here.seen is not None and seen is not None and not was_asked_for
            here.trouble = self.task.changed if is_news else ""
            here.seen, here.typed = seen, None
        if found and found[1].refusal:
            here.typed = None  # its input is gone

    # The locked rate

    @property
    def _lock(self) -> RateLock | None:
        return self.task.lock(self._filled)

    @property
    def _requote(self) -> tuple[str, ...]:
        """The action that asks for a new rate, if one is held."""
        return ("requote",) if self._lock is not None else ()

    @property
    def _late(self) -> str:
        """Return why nothing can be confirmed any more, such as an expired rate; else empty."""
        return self._lock.why_not() if self._lock is not None else ""

    # Fields and options

    @property
    def _version(self) -> object:
        store = self._ui.store
        return self._values, store.changes, store.health_version, self._ui.scope

    @property
    def _filled(self) -> Values:
        """The values with every choice filled in; under review, the store does not alter them."""
        if self._here.at != CONFIRM and self._filled_in[0] != self._version:
            self._filled_in = (self._version, self.task.filled(self._values))
        return self._filled_in[1]

    @property
    def fields(self) -> tuple[Field, ...]:
        """Return the task's fields, with that of the account check if it is needed."""
        fields = self.task.fields(self._values, self._filled)
        address = self.task.paid(self._filled)
        is_here = self._here.at == PROOF
        if address is None or not (is_here or confirmation.is_new_account(self._ui, address)):
            return fields
        proof = Field(
            key=PROOF,
            label="Verify payee",
            text=(self._here.typed or "") if is_here else "",
            note="" if is_here or self._is_unproven else "✓ verified",
            hint=confirmation.proof_hint(address),
            judged=lambda: confirmation.proof_words(self._ui, address),
        )
        return (*fields, proof)

    @property
    def _keys(self) -> list[str]:
        return [one.key for one in self.fields]

    @property
    def _field(self) -> Field:
        return next(one for one in self.fields if one.key == self._here.at)

    @property
    def _obstacle(self) -> Obstacle | None:
        found = self._ordered
        return found if isinstance(found, Obstacle) else None

    def _complaint(self, key: str) -> str:
        """Return why a field stands in the way; empty if it does not, or another does before."""
        found = self._obstacle
        return found.why if found and found.field == key else ""

    @property
    def _is_unproven(self) -> bool:
        """Return True if the account to pay is new and its number is to be checked."""
        address, proven = self.task.paid(self._filled), self.task.proven
        return address is not None and confirmation.needs_account_check(self._ui, address, proven)

    @property
    def _offered(self) -> tuple[Option, ...]:
        if self._here.at in (CONFIRM, PROOF):
            return ()
        version = (self._here.at, self._version)
        if self._options[0] != version:
            options = self._field.options
            self._options = (version, options() if options is not None else ())
        return self._options[1]

    @property
    def _matches(self) -> tuple[Option, ...]:
        offered, text = self._offered, self._here.typed or ""
        if not offered:
            return ()
        if text and self._field.exact:
            return tuple(one for one in offered if one.key == clean(text).strip())
        return choices.narrowed(offered, text, free=self._field.free)

    def _cursor(self, options: tuple[Option, ...]) -> str | None:
        """Return the option that enter takes: the one moved to, the held one, or the best match."""
        here, keys, walks = self._here, [one.key for one in options], self.task.walks
        is_open = here.typed is None or (here.typed == "" and not walks)
        if here.cursor in keys:
            return here.cursor
        if is_open and (held := self._filled.get(here.at)) is not None:
            return held if held in keys else None
        if not keys or options[0].asks or (not here.typed and walks):
            return None
        name, others = fold(options[0].name), options[1:] if here.typed else ()
        is_twin = any(fold(one.name) == name and not one.why_not for one in others)
        return None if is_twin else keys[0]

    def _finding(self, field: Field) -> Cell | None:
        """Return the complaint about a field that is shown: of a key, the service or the task."""
        here, is_here = self._here, field.key == self._here.at
        words = (is_here and here.trouble) or self._refused.get(field.key)
        if words:
            return WRONG.cell(words)
        is_shown = field.key in self._visited and not (is_here and here.typed is not None)
        return field.finding if is_shown else None

    def _words(self, field: Field, options: tuple[Option, ...]) -> Iterator[Cell]:
        """Yield the remarks on the field with the cursor."""
        here, complaint = self._here, field.finding
        if here.note:
            yield Cell(here.note, Tone.CLOSING)
        if complaint is not None:
            yield complaint
        if field.help:
            yield Cell(field.help, Tone.MUTED)
        if here.awaited is not None:
            yield from choices.waiting_words(self._ui, here.awaited)
        elif field.options and not here.trouble and (words := self._lacks(field, options)):
            yield Cell(words, Tone.CLOSING)
        for cell in field.judged():
            if complaint is None or cell.text.lstrip("✗ ") != complaint.text.lstrip("✗ "):
                yield cell

    def _lacks(self, field: Field, options: tuple[Option, ...]) -> str:
        """Return why none of these options can be taken; empty if one can."""
        if field.names and not self._offered:
            listed = " or ".join(noun(KIND_OF[type(one)]) for one in field.names)
            return f"This service has no list of {listed}: type or paste an identifier."
        if field.exact and not options:
            return _AS_IDENTIFIER if self._here.typed else ""
        if not self._offered:
            return "There is nothing to choose from yet."
        if not options:
            return _AS_IDENTIFIER if field.names else "Nothing matches: ctrl+u shows all."
        # Each option tells which currency is the wrong one.
        reasons = dict.fromkeys(one.why_not.partition(" (")[0] for one in options)
        return "" if "" in reasons else f"None of these can be chosen: {', '.join(reasons)}."

    # Taking a value

    def _take(self, *, looks: bool = True) -> bool:
        """Take what stands in the field; return False, and complain, if it is missing or wrong.

        With an identifier, the worker `looks` for the object, which is taken once it is there.
        """
        field = self._field
        if field.key == PROOF:
            return self._prove()
        if field.options:
            return self._take_option(field, looks=looks)
        if field.key not in self._values:
            self._values = self.task.with_text(self._values, field.key, "")
        return self._fits(field.key)

    def _take_option(self, field: Field, *, looks: bool) -> bool:
        """Take the option under the cursor, or the text that was typed in its place."""
        here, walks, held = self._here, self.task.walks, self._filled.get(field.key)
        text = clean(here.typed or "").strip()
        if here.cursor is None and (here.typed is None if walks else not text):
            if walks:
                return True
            if held is not None and not self._complaint(field.key):
                # What was filled in by itself was seen and agreed to: it stays.
                if field.key not in self._values:
                    self._values = self.task.with_choice(self._values, field.key, held)
                return True
        options, shown = self._matches, self._shown
        key = self._cursor(options)
        option = next((one for one in options if one.key == key), None)
        if option is None and ((field.free and text) or walks):
            self._values = self.task.with_text(self._values, field.key, text)
            self._refused.pop(field.key, None)
            return self._fits(field.key)
        named = () if option is None else (fold(option.key).strip(), fold(option.name))
        was_shown = shown[:2] == (here.at, here.typed) and here.cursor is None
        if field.names and text and here.cursor is None and fold(text) not in named:
            if looks:
                self._look_for(field, text)
        elif option is None:
            choose = f"Choose with ↓: {field.label.lower()}."
            here.trouble = choose if options or not text else f"Nothing matches {text}."
        elif was_shown and shown[2] != key:
            here.trouble = "The list has changed: look again."
        else:
            return self._choose(option)
        return False

    def _take_touched(self, steps: int) -> bool:
        """Take what was typed or moved to; return False if it cannot be taken.

        On the way back, what cannot be taken or was only moved to is dropped: the value stays, and
        a remark says so.
        """
        here = self._here
        is_typed = here.typed is not None if self.task.walks else bool(here.typed)
        if here.at == CONFIRM or (here.at == PROOF and steps < 0):
            return True
        if here.cursor is None and not is_typed:
            return True
        is_looked_at = steps < 0 and here.cursor not in (None, self._filled.get(here.at))
        if is_looked_at or not self._take(looks=steps >= 0):
            if steps >= 0:
                return False
            field = self._field
            moved_to = next((one.name for one in self._offered if one.key == here.cursor), "")
            dropped = clean(here.typed or "").strip() or moved_to
            self._remark = f"{field.label} stays {field.text or 'empty'}: {dropped} was not taken."
        here.typed = here.cursor = None
        return True

    def _fits(self, key: str) -> bool:
        """Return False, and complain, if a value stops enter."""
        self._here.trouble = "" if self.task.walks else self._complaint(key)
        return not self._here.trouble

    def _choose(self, option: Option) -> bool:
        """Choose an option; a remark names the values of other fields that this clears."""
        here, before, label, fields = self._here, self._values, self._field.label, self.fields
        here.awaited, here.trouble = None, ""
        if option.why_not:
            here.trouble = _declined(option)
            return False
        self._values = values = self.task.with_choice(before, here.at, option.key)
        self._refused.pop(here.at, None)
        here.typed = here.cursor = None
        texts = {one.key: one.text for one in self.fields}
        cleared = [
            f"{one.label} {one.shown}".rstrip()
            for one in fields
            if before.get(one.key) and not values.get(one.key) and texts.get(one.key) == ""
        ]
        were = "was" if len(cleared) == 1 else "were"
        if cleared:
            self._remark = f"{' and '.join(cleared)} {were} cleared: {label} changed."
        return True

    def _look_for(self, field: Field, text: str) -> None:
        """Have the worker look for an object, or complain about what its identifier lacks."""
        here, found = self._here, choices.named_object(self._ui, field.names, text)
        if isinstance(found, str):
            here.trouble = found
        else:
            here.awaited, here.trouble = found, ""
            self._ui.port.add_object(found)
            self._take_awaited()

    def _take_awaited(self) -> None:
        """Choose the object if it is among the options by now, as it was typed."""
        awaited = self._here.awaited
        if awaited is not None and choices.is_there(self._ui, awaited):
            self.chosen(choices.option_key(awaited))

    def _prove(self) -> bool:
        """Take the end of the account's number; return False if the account is still unchecked."""
        address, typed = self.task.paid(self._filled), self._here.typed or ""
        if proven := confirmation.fingerprint_if_proven(address, typed):
            self.task.proven = proven
            return True
        if typed or address is None or self._is_unproven:
            trouble = confirmation.WRONG_ENDING if typed else confirmation.NO_ENDING
            self._here.trouble, self._here.typed = trouble, None
            return False
        return True

    # Going from field to field

    def _next(self) -> str:
        """Return the first field that is missing or wrong, or `CONFIRM`."""
        if found := self._obstacle:
            return found.field
        return PROOF if self._is_unproven else CONFIRM

    def _settle(self) -> bool:
        """Leave a field that is gone; return False then: what was pressed was meant for it.

        Also return False once it was confirmed. A complaint about an option ends with its reason.
        """
        if self.task.end() is not None:
            return False
        keys = self._keys
        is_gone = self._here.at not in (*keys, CONFIRM)
        if is_gone:
            self._go_to(self._next(), says_why=True)
            keys = self._keys
        self._place = [*keys, CONFIRM].index(self._here.at)
        trouble, before = self._here.trouble, self._options[1]
        if trouble and trouble in map(_declined, before):
            self._here.trouble = trouble if trouble in map(_declined, self._offered) else ""
        return not is_gone

    def _step(self, steps: int) -> None:
        """Go some steps from where the field was; behind all fields is the review."""
        keys = self._keys
        # An answer may have put fields in the place of its own.
        to = self._place + steps - (steps > 0 and self._here.at not in keys)
        if to < 0 and not self._remark:
            return
        if to < len(keys):
            self._go_to(keys[max(to, 0)])
        else:
            self._go_to(self._next(), says_why=self.task.walks)
            self._visited.update(keys if self.task.walks else ())

    def _go_to(self, at: str, *, says_why: bool = False) -> None:
        """Go to the review, or to a field, with the complaint about what it holds.

        If it `says_why` the cursor is not at the review, it complains of an empty field as well.
        """
        filled = self._filled
        self._visited.add(self._here.at)
        self._here = here = _Here(at=at, note=self._remark)
        self._remark = ""
        self.task.reach(at, filled)
        if at == CONFIRM:
            here.trouble, found = self._refused.get(CONFIRM, ""), self._under_review
            here.seen = self.task.agreed(*found) if found else None
        elif filled.get(at) or says_why:
            here.trouble = self._complaint(at)

    def _correct(self) -> None:
        """Go back to the field that was refused, after a failure."""
        if (refused := self.task.refusals()) is None:
            return
        self.task.restart()
        keys = self._keys
        self._refused = {key: words for key, words in refused.items() if key in keys}
        if others := [words for key, words in refused.items() if key not in keys]:
            self._refused[CONFIRM] = " ".join(others)
        self._go_to(next((key for key in keys if key in refused), CONFIRM))

    # The review

    @property
    def _ordered(self) -> T | Obstacle:
        """Return the order that would be sent now, or the first obstacle to it."""
        try:
            return self.task.order(self._filled)
        except Obstacle as found:
            return found

    def _review(self) -> tuple[T, Checks] | Obstacle:
        order = self._ordered
        return order if isinstance(order, Obstacle) else (order, self.task.review(order))

    @property
    def _under_review(self) -> tuple[T, Checks] | None:
        found = self._review() if self._here.at == CONFIRM else None
        return found if isinstance(found, tuple) else None

    def _review_view(self) -> model.TicketView:
        """Return the review: its facts, warnings and obstacles, and the effect of enter."""
        task, found = self.task, self._review()
        corrects = self._next() != CONFIRM
        view = model.TicketView(
            name=CONFIRM,
            left=self._lock.left if self._lock else None,
            corrects=corrects,
            actions=self._requote,
        )
        if isinstance(found, Obstacle):
            words = (WRONG.cell(found.why), Cell("enter: correct it · esc: leave", Tone.MUTED))
            return replace(view, lines=tuple(task.lines(self._filled)), words=words)
        order, review = found
        late = self._late
        is_ready = not review.refusal and not late
        complaints = dict.fromkeys(filter(None, (review.refusal, self._here.trouble, late)))
        enter = f"enter: {task.effect(order)} · " if is_ready else "enter: correct it · " * corrects
        return replace(
            view,
            lines=tuple(task.review_lines(order, review)),
            asked="" if late else review.asked,
            words=(
                *self._warnings(order, review),
                *(WRONG.cell(words) for words in complaints),
                Cell(f"{enter}shift+tab: change · esc: leave", Tone.MUTED),
            ),
            confirms=task.agreed(order, review) if is_ready else None,
            wants_reading=bool(review.unread),
        )

    def _warnings(self, order: T, review: Checks) -> Iterator[Cell]:
        yield from self.task.review_words(order, review)
        yield from map(CAREFUL.cell, review.warnings)
        yield from (CAREFUL.cell(words) for words, _ in self.colleagues)  # a hint, no obstacle


def _declined(option: Option) -> str:
    return f"{option.name}: {option.why_not}."
