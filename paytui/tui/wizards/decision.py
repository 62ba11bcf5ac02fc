"""What is to become of an open intent: asked once, with all that is known of it on screen.

Nothing happens but by `confirm()`, which hands over exactly the decision that was shown, if the
intent still stands as it did.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from paytui.intent import Decision, IntentRow, Verdict
from paytui.text import clean
from paytui.tui.desk import Desk
from paytui.tui.guards.sending import may_send
from paytui.tui.tone import Cell, Tone
from paytui.tui.wizards.decision_lines import facts_of, meaning_of, stands_line
from paytui.tui.wizards.decision_options import (
    ANOTHER,
    object_options,
    object_trouble,
    verdict_options,
)
from paytui.tui.wizards.step import Entry, Option, StepView

CHANGED = "It does not stand as it did: look at it again."


class Step(Enum):
    """The questions; the value is what a person reads."""

    VERDICT = "what is to happen"
    OBJECT = "what it became"
    IDENTIFIER = "its identifier"
    CONFIRM = "confirm"
    DECIDED = "decided"


@dataclass(frozen=True, slots=True)
class Answers:
    """What was answered so far."""

    verdict: Verdict | None = None
    object_id: str = ""


class DecisionWizard:
    """One decision on one intent.

    Args:
        desk: what is known, and the way to the worker.
        row: the intent as it is when the question comes up.
    """

    def __init__(self, desk: Desk, row: IntentRow) -> None:
        self._desk = desk
        self._row = row
        self._answers = Answers()
        self._path = [Step.VERDICT]
        self._trouble = ""

    def view(self) -> StepView:
        """The question that is on view, or how the intent stands since it was answered."""
        step, row = self._path[-1], self._row
        lines = facts_of(self._desk, row)
        if step is Step.DECIDED:
            lines = (stands_line(self._desk, row), *lines)
        return StepView(
            title=f"Decide on {row.intent_id}",
            name=step.value,
            lines=lines,
            options=self._options(),
            entry=self._entry(),
            words=(*self._words(), *self._complaint()),
            confirms=self._confirms(),
        )

    def chosen(self, key: str) -> None:
        """Answer with one of the options; one that is not offered says why."""
        option = next((one for one in self._options() if one.key == key), None)
        if option is None:
            return
        if option.why_not:
            self._trouble = f"{option.name}: {option.why_not}."
        elif self._path[-1] is Step.VERDICT:
            self._answers = Answers(Verdict(key))
            self._go_to(self._after_verdict())
        elif key == ANOTHER:
            self._go_to(Step.IDENTIFIER)
        else:
            self._answers = replace(self._answers, object_id=key)
            self._go_to(Step.CONFIRM)

    def typed(self, text: str) -> None:
        """Take what is typed so far of an identifier."""
        if self._path[-1] is Step.IDENTIFIER:
            self._answers = replace(self._answers, object_id=clean(text).strip())
            self._trouble = ""

    def go_on(self) -> None:
        """Take the identifier, if it will do."""
        if self._path[-1] is not Step.IDENTIFIER:
            return
        self._trouble = object_trouble(self._desk, self._row, self._answers.object_id)
        if not self._trouble:
            self._go_to(Step.CONFIRM)

    def back(self) -> bool:
        """One question back; False from the first, and once it is decided."""
        if len(self._path) == 1 or self._path[-1] is Step.DECIDED:
            return False
        self._path.pop()
        self._trouble = ""
        return True

    def act(self, action: str) -> None:
        """It has no keys of its own."""

    def confirm(self, shown: object) -> None:
        """Hand over the decision that was shown, once, if it is still to be decided."""
        if self._path[-1] is not Step.CONFIRM:
            return
        self.store_changed()
        if why_not := may_send(self._desk):
            self._trouble = why_not
        elif shown == self._confirms():
            self._desk.port.decide(self._decision())
            self._go_to(Step.DECIDED)

    def tick(self) -> None:
        """A lock may have ended: what is offered is judged at each look."""

    def store_changed(self) -> None:
        """Follow the intent; where it stands otherwise, it is to be looked at again, or is over."""
        row = self._desk.store.intents.get(self._row.intent_id)
        if row is None or row == self._row:
            return
        before, self._row = self._row, row
        if self._path[-1] is Step.DECIDED or _identity(before) == _identity(row):
            return
        if row.standing is not before.standing:
            self._path, self._answers = [Step.VERDICT], Answers()
        self._trouble = CHANGED

    # --- inner ---

    def _confirms(self) -> tuple[object, ...] | None:
        """What would be carried out, and how the intent stood when it was shown."""
        if self._path[-1] is not Step.CONFIRM or may_send(self._desk):
            return None
        return (self._decision(), _identity(self._row))

    def _decision(self) -> Decision:
        verdict = self._answers.verdict
        assert verdict is not None
        object_id = self._answers.object_id if verdict is Verdict.DONE else None
        return Decision(intent_id=self._row.intent_id, verdict=verdict, object_id=object_id)

    def _after_verdict(self) -> Step:
        if self._answers.verdict is not Verdict.DONE:
            return Step.CONFIRM
        return Step.OBJECT if self._row.candidates else Step.IDENTIFIER

    def _go_to(self, step: Step) -> None:
        self._path.append(step)
        self._trouble = ""

    def _options(self) -> tuple[Option, ...]:
        match self._path[-1]:
            case Step.VERDICT:
                return verdict_options(self._desk, self._row)
            case Step.OBJECT:
                return object_options(self._desk, self._row)
            case _:
                return ()

    def _entry(self) -> Entry | None:
        if self._path[-1] is not Step.IDENTIFIER:
            return None
        return Entry("Identifier", self._answers.object_id, "of the payment or trade, as it is")

    def _words(self) -> tuple[Cell, ...]:
        verdict = self._answers.verdict
        if self._path[-1] is not Step.CONFIRM or verdict is None:
            return ()
        meaning = meaning_of(self._desk, self._row, verdict, self._answers.object_id)
        return (*meaning, Cell("enter does it, esc goes back", Tone.MUTED))

    def _complaint(self) -> tuple[Cell, ...]:
        return (Cell(f"✗ {self._trouble}", Tone.DOWN),) if self._trouble else ()


def _identity(row: IntentRow) -> tuple[object, ...]:
    """What a decision rests on."""
    return row.standing, row.since, row.attempts, row.candidates, row.object_id
