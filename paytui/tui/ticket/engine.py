"""The state machine of every ticket: fields are filled in, reviewed, and confirmed once.

Money moves only by `confirm()`: it passes on exactly what the review has shown, if the same would
still be sent.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from paytui.api.resources import identifier_of
from paytui.domain.models import Recipient, bank_fingerprint
from paytui.platform.text import clean, fold
from paytui.tui import confirmation
from paytui.tui.format.cells import CAREFUL
from paytui.tui.ticket import choices, model
from paytui.tui.ticket.field_names import PROOF
from paytui.tui.ticket.model import CONFIRM, Field, Option, T, Values
from paytui.tui.ticket.state import Here, TicketState
from paytui.tui.ticket.task import Task

END = sys.maxsize  # Steps that lead behind the last field, to the review


class Ticket(TicketState[T]):
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
        super().__init__(task, values)
        self._place = 0  # The index of the field with the cursor; at the review, behind all
        self._stride = 1 if task.walks else END  # The steps of enter
        self._shown: tuple[str, str | None, str | None] = ("", None, None)
        found = None if task.walks else self._obstacle
        unfit = found.why if found and values.get(found.field) else ""
        first = next((one.key for one in self.fields if not one.text), CONFIRM)
        if unfit or at not in self._keys:
            at = first if task.walks else self._next()
        self._go_to(at)
        self._here.note, self._here.complains = note, bool(unfit)

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
        self._shown = (here.at, here.typed, self._cursor(field, options))
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

    # Events

    def typed(self, text: str) -> None:
        if not self._settle():
            return
        here = self._here
        if here.at in (CONFIRM, PROOF):
            here.typed, here.trouble = text, ""
        elif (field := self._field).options:
            self._here = Here(at=here.at, typed=text, note=here.note)
            if not field.spaced and text.endswith(" ") and text.strip():
                self.go_on()
        else:
            self._values = self.task.with_text(self._values, here.at, text)
            self._refused.pop(here.at, None)
            here.trouble, here.complains = "", False
            if self._field.finding is None:
                self._visited.discard(here.at)

    def move(self, steps: int) -> None:
        """Move the cursor over the options; in a field of text, to another field."""
        if not self._settle():
            return
        options, here = self._matches, self._here
        keys = [one.key for one in options]
        now = self._cursor(self._field, options) if options else None
        if not keys or (now is None and steps < 0):
            self.go(steps)
            return
        place = keys.index(now) if now is not None else -1
        to = keys[min(max(place + steps, 0), len(keys) - 1)]
        self._here = Here(at=here.at, typed=here.typed, cursor=to, note=here.note)

    def go(self, steps: int) -> None:
        """Go to another field, or to the review behind all; what was typed is taken first."""
        if self._settle() and self._take_touched(steps):
            self._step(steps)

    def go_on(self) -> None:
        """Take what the field holds and go on; after a failure, go back to what was refused."""
        if self.task.end() is None:
            if self._settle() and (self._here.at == CONFIRM or self._take()):
                self._step(self._stride)
        elif (refused := self.task.refusals()) is not None:
            self.task.restart()
            keys = self._keys
            self._refused = {key: words for key, words in refused.items() if key in keys}
            if others := [words for key, words in refused.items() if key not in keys]:
                self._refused[CONFIRM] = " ".join(others)
            self._go_to(next((key for key in keys if key in refused), CONFIRM))

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
        here.trouble = review.why_not(here.typed or "")
        if self.task.agreed(order, review) != shown:
            here.trouble = review.refusal or self.task.changed
        if here.trouble:
            here.typed = None
        else:
            self.task.send(order)

    def act(self, action: str) -> None:
        if not self._settle():
            return
        at = self._here.at
        if action in self._requote and self._lock is not None:
            self._lock.ask()
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
        if field.key not in self._filled:
            self._values = self.task.with_text(self._values, field.key, "")
        return self._fits(field.key)

    def _take_option(self, field: Field, *, looks: bool) -> bool:
        """Take the option under the cursor, or the text that was typed in its place."""
        here, held = self._here, self._filled.get(field.key)
        text = clean(here.typed or "").strip()
        is_kept = not self._is_touched and (field.passes or not self._complaint(field.key))
        if held is not None and is_kept:
            # What was filled in by itself was seen and agreed to: it stays.
            if field.key not in self._values:
                self._values = self.task.with_choice(self._values, field.key, held)
            return self._fits(field.key)
        options, shown = self._matches, self._shown
        key = self._cursor(field, options)
        option = next((one for one in options if one.key == key), None)
        if option is None and ((field.free and text) or field.passes):
            self._values = self.task.with_text(self._values, field.key, text)
            self._refused.pop(field.key, None)
            return self._fits(field.key)
        named = () if option is None else (fold(option.key).strip(), fold(option.name))
        was_shown = shown[:2] == (here.at, here.typed) and here.cursor is None
        if field.names and text and here.cursor is None and fold(text) not in named:
            if looks:
                self._look_for(field, text)
        elif option is None:
            none = "Nothing is chosen: press ↓."
            unknown = field.unknown or f"Nothing matches {text}."
            here.trouble = none if options or not text else unknown
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
        if here.at == CONFIRM or (here.at == PROOF and steps < 0) or not self._is_touched:
            return True
        is_looked_at = steps < 0 and here.cursor not in (None, self._filled.get(here.at))
        if is_looked_at or not self._take(looks=steps >= 0):
            if steps >= 0:
                return False
            field = self._field
            moved_to = next((one.name for one in self._offered if one.key == here.cursor), "")
            dropped = clean(here.typed or "").strip() or moved_to
            here.remark = f"{field.label} stays {field.text or 'empty'}: {dropped} was not taken."
        here.typed = here.cursor = None
        return True

    def _fits(self, key: str) -> bool:
        """Return False, and complain, if a value stops enter."""
        here = self._here
        here.trouble, here.complains = "", not self.task.walks
        return not (here.complains and self._complaint(key))

    def _choose(self, option: Option) -> bool:
        """Choose an option; a remark names the values of other fields that this clears."""
        here, before, label, fields = self._here, self._values, self._field.label, self.fields
        here.awaited, here.trouble, here.complains = None, "", False
        if option.why_not:
            here.declined = option.key
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
            here.remark = f"{' and '.join(cleared)} {were} cleared: {label} changed."
        return True

    def _look_for(self, field: Field, text: str) -> None:
        """Have the worker look for an object, or complain about what its identifier lacks."""
        here, found = self._here, choices.named_object(self._ui, field.names, text)
        if isinstance(found, str):
            here.trouble = found
        else:
            here.awaited, here.trouble, here.complains = found, "", False
            self._ui.port.add_object(found)
            self._take_awaited()

    def _take_awaited(self) -> None:
        """Choose the object if it is among the options by now, as it was typed."""
        awaited = self._here.awaited
        if awaited is not None and choices.is_there(self._ui, awaited):
            key, is_payee = identifier_of(awaited), isinstance(awaited, Recipient)
            self.chosen(choices.payee_key(key) if is_payee else key)

    def _prove(self) -> bool:
        """Take the end of the account's number; return False if the account is still unchecked."""
        address, typed = self.task.paid(self._filled), self._here.typed or ""
        if address and confirmation.ends_with(address, typed):
            self.task.proven = bank_fingerprint(address)
            return True
        if typed or address is None or self._is_unproven:
            trouble = confirmation.WRONG_ENDING if typed else confirmation.NO_ENDING
            self._here.trouble, self._here.typed = trouble, None
            return False
        return True

    # Going from field to field

    def _settle(self) -> bool:
        """Leave a field that is gone; return False then: what was pressed was meant for it.

        Also return False once it was confirmed.
        """
        if self.task.end() is not None:
            return False
        keys = self._keys
        is_gone = self._here.at not in (*keys, CONFIRM)
        if is_gone:
            self._go_to(self._next(), says_why=True)
            keys = self._keys
        self._place = [*keys, CONFIRM].index(self._here.at)
        return not is_gone

    def _step(self, steps: int) -> None:
        """Go some steps from where the field was; behind all fields is the review."""
        keys = self._keys
        # An answer may have put fields in the place of its own.
        to = self._place + steps - (steps > 0 and self._here.at not in keys)
        if to < 0 and not self._here.remark:
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
        self._here = here = Here(at=at, note=self._here.remark)
        self.task.reach(at, filled)
        if at == CONFIRM:
            here.trouble, found = self._refused.get(CONFIRM, ""), self._under_review
            here.seen = self.task.agreed(*found) if found else None
        elif filled.get(at) or says_why:
            here.complains = True
