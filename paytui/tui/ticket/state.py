"""The state of a ticket, and what follows from it: fields, options, remarks, and the review."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic

from paytui.api.resources import KIND_OF, identifier_of
from paytui.domain.colleagues import OpenTicket
from paytui.domain.models import Record
from paytui.platform.text import clean, fold
from paytui.tui import confirmation
from paytui.tui.confirmation import Checks
from paytui.tui.format.cells import CAREFUL, WRONG, Cell, Tone
from paytui.tui.format.colleagues import at_the_same_words
from paytui.tui.ticket import choices, model
from paytui.tui.ticket.field_names import PROOF
from paytui.tui.ticket.model import CONFIRM, Field, Finding, Obstacle, Option, T, Values

if TYPE_CHECKING:
    from paytui.tui.ticket.rate_lock import RateLock
    from paytui.tui.ticket.task import Task

_AS_IDENTIFIER = "enter: take it as an identifier."


@dataclass(slots=True, kw_only=True)
class Here:
    """The input under way where the cursor is; another field or the review begins anew."""

    at: str  # The key of the field, or `CONFIRM`
    typed: str | None = None  # What was typed into a picker, or to prove or confirm something
    cursor: str | None = None  # The option that was moved to; None for the best match
    awaited: Record | None = None  # The object whose identifier was typed, until the worker has it
    declined: str | None = None  # The option that was to be chosen, if it cannot be
    seen: object | None = None  # The facts under review; a change clears `typed`
    trouble: str = ""  # The complaint about what was pressed or typed last
    complains: bool = False  # The reason why the field is not accepted is shown, as of now
    note: str = ""  # A remark on how the cursor came here
    remark: str = ""  # The note of the field that it goes to next


class TicketState(Generic[T]):
    """The filled-in values and the place of the cursor; nothing here changes them."""

    def __init__(self, task: Task[T], values: Values) -> None:
        self._ui = task.ui
        self.task = task
        self._values = values
        self._visited: set[str] = set()  # Fields that the cursor has left: findings are shown
        self._refused: dict[str, str] = {}  # The service's complaints, by field
        self._options: tuple[object, tuple[Option, ...]] = (None, ())
        self._filled_in: tuple[object, Values] = (None, model.NO_VALUES)
        self._here = Here(at="")

    @property
    def told(self) -> OpenTicket | None:
        """Return what colleagues are told of the ticket; None once it is confirmed."""
        return None if self.task.end() is not None else self.task.told(self._filled)

    @property
    def colleagues(self) -> tuple[tuple[str, str], ...]:
        """Return what colleagues do to the same recipient or wallet, in long and short words."""
        return tuple(at_the_same_words(self._ui, self.told)) if self._ui.store.colleagues else ()

    @property
    def _filled(self) -> Values:
        """The values with every choice filled in; under review, the store does not alter them."""
        if self._here.at != CONFIRM and self._filled_in[0] != self._version:
            self._filled_in = (self._version, self.task.filled(self._values))
        return self._filled_in[1]

    @property
    def _version(self) -> object:
        store = self._ui.store
        return self._values, store.changes, store.health_version, self._ui.scope

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

    def _next(self) -> str:
        """Return the first field that is missing or wrong, or `CONFIRM`."""
        if found := self._obstacle:
            return found.field
        return PROOF if self._is_unproven else CONFIRM

    # The locked rate

    @property
    def _lock(self) -> RateLock | None:
        return self.task.lock(self._filled)

    @property
    def _requote(self) -> tuple[str, ...]:
        """The action that asks for a new rate, if one is held."""
        return ("requote",) if self._lock is not None else ()

    # The options of the field with the cursor

    @property
    def _offered(self) -> tuple[Option, ...]:
        if self._here.at in (CONFIRM, PROOF):
            return ()
        lock = self._lock  # whose answer need not come with a change of the store
        version = (self._here.at, self._version, lock and lock.why_not())
        if self._options[0] != version:
            options = self._field.options
            self._options = (version, options() if options is not None else ())
        return self._options[1]

    @property
    def _matches(self) -> tuple[Option, ...]:
        offered, text = self._offered, self._here.typed or ""
        if not offered or not (text or self._field.ranked):
            return offered
        if text and self._field.exact:
            return tuple(one for one in offered if one.key == clean(text).strip())
        return choices.narrowed(offered, text, free=self._field.free)

    def _cursor(self, field: Field, options: tuple[Option, ...]) -> str | None:
        """Return the option that enter takes: the one moved to, the held one, or the best match."""
        here, keys = self._here, [one.key for one in options]
        is_open = here.typed is None or (here.typed == "" and not field.passes)
        if here.cursor in keys:
            return here.cursor
        if is_open and (held := self._filled.get(here.at)) is not None:
            return held if held in keys else None
        if not keys or options[0].asks or (not here.typed and field.passes):
            return None
        name, others = fold(options[0].name), options[1:] if here.typed else ()
        is_twin = any(fold(one.name) == name and not one.why_not for one in others)
        return None if is_twin else keys[0]

    @property
    def _is_touched(self) -> bool:
        """Return True if something was typed in the field, or an option was moved to."""
        typed = self._here.typed
        is_typed = typed is not None if self._field.passes else clean(typed or "").strip() != ""
        return is_typed or self._here.cursor is not None

    # Remarks

    def _finding(self, field: Field) -> Finding | None:
        """Return the complaint about a field that is shown: of a key, the service or the task."""
        here, is_here = self._here, field.key == self._here.at
        words = here.trouble if is_here else ""
        if is_here and here.complains and not words:
            words = self._complaint(field.key)
        for one in self._offered if is_here and not words else ():
            if one.key == here.declined and one.why_not:
                words = f"{one.name}: {one.why_not}."
        if words or (words := self._refused.get(field.key, "")):
            return Finding(words)
        is_shown = field.key in self._visited and not (is_here and here.typed is not None)
        return field.finding if is_shown else None

    def _words(self, field: Field, options: tuple[Option, ...]) -> Iterator[Cell]:
        """Yield the remarks on the field with the cursor."""
        here, complaint = self._here, field.finding
        if here.note:
            yield Cell(here.note, Tone.CLOSING)
        if complaint is not None:
            yield complaint.cell
        if field.help:
            yield Cell(field.help, Tone.MUTED)
        if here.awaited is not None:
            kind, words = KIND_OF[type(here.awaited)], identifier_of(here.awaited)
            yield Cell(f"Requesting {words} from the service …", Tone.MUTED)
            if (problem := self._ui.store.feed(kind).problem) is not None:
                yield WRONG.cell(str(problem))
        elif field.options and complaint is None and (words := self._lacks(field, options)):
            yield Cell(words, Tone.CLOSING)
        for cell in field.judged():
            if complaint is None or cell.text.lstrip("✗ ") != complaint.words:
                yield cell

    def _lacks(self, field: Field, options: tuple[Option, ...]) -> str:
        """Return why none of these options can be taken; empty if one can."""
        if field.names and not self._offered:
            listed = " or ".join(KIND_OF[type(one)].noun for one in field.names)
            return f"This service has no list of {listed}: type or paste an identifier."
        if field.exact and not options:
            return _AS_IDENTIFIER if self._here.typed else ""
        if not self._offered:
            return "There is nothing to choose from yet."
        if not options:
            unknown = field.unknown or "Nothing matches: ctrl+u shows all."
            return _AS_IDENTIFIER if field.names else unknown
        # Each option tells which currency is the wrong one.
        if field.lacking and all(one.why_not.startswith("wrong") for one in self._offered):
            return field.lacking
        reasons = dict.fromkeys(one.why_not.partition(" (")[0] for one in options)
        return "" if "" in reasons else f"None of these can be chosen: {', '.join(reasons)}."

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

    def preview(self) -> tuple[tuple[Cell, ...], tuple[model.Line, ...]]:
        """Return the warnings and facts of the review; none while a field is missing."""
        found = self._review()
        if isinstance(found, Obstacle):
            return (), ()
        return tuple(self._warnings(*found)), tuple(self.task.review_lines(*found))

    def _review_view(self) -> model.TicketView:
        """Return the review: its facts, warnings and obstacles, and the effect of enter."""
        task, found = self.task, self._review()
        corrects = isinstance(found, Obstacle) or self._is_unproven
        left = self._lock.left if self._lock else None
        view = model.TicketView(name=CONFIRM, left=left, corrects=corrects, actions=self._requote)
        if isinstance(found, Obstacle):
            words = (WRONG.cell(found.why), Cell("enter: correct it · esc: leave", Tone.MUTED))
            return replace(view, lines=tuple(task.lines(self._filled)), words=words)
        order, review = found
        is_ready = not review.refusal
        complaints = dict.fromkeys(filter(None, (review.refusal, self._here.trouble)))
        enter = f"enter: {task.effect(order)} · " if is_ready else "enter: correct it · " * corrects
        return replace(
            view,
            lines=tuple(task.review_lines(order, review)),
            asked=review.asked,
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
