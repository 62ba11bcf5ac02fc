"""The wizard that settles an open intent.

Only `confirm()` acts: it passes on the decision that was shown, if the intent is unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from paytui.domain.bank_fingerprint import bank_fingerprint
from paytui.domain.intent import Decision, IntentRow, Verdict
from paytui.platform.text import clean
from paytui.tui.context import UiContext
from paytui.tui.format.cells import CAREFUL, WRONG
from paytui.tui.guards.payee_warnings import ends_with, needs_account_check
from paytui.tui.guards.sending import may_send
from paytui.tui.theme.themes import Cell, Tone
from paytui.tui.wizards.common_steps import WRONG_ENDING, TypedText, proof_entry, proof_words
from paytui.tui.wizards.decision.view import (
    ANOTHER,
    SENDING,
    DecisionReview,
    arrival_words,
    facts_of,
    is_decided,
    meaning_of,
    object_options,
    object_trouble,
    paid_address,
    review_of,
    sent_facts,
    status_line,
    verdict_options,
)
from paytui.tui.wizards.protocol import Entry, Line, Option, StepView, to_confirm

STATUS_CHANGED = "Its status has changed. Please review."


class Step(Enum):
    """The steps of the wizard; the values are words for titles."""

    VERDICT = "resolve"
    OBJECT = "result"
    IDENTIFIER = "identifier of the result"
    PROOF = "verify payee"
    CONFIRM = "confirm"
    HANDED_OVER = "handed over"


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers so far."""

    verdict: Verdict | None = None
    object_id: str = ""


class DecisionWizard:
    """One decision on one intent.

    Args:
        desk: the store, the settings and the port to the worker.
        row: the intent when the wizard is opened.
    """

    def __init__(self, desk: UiContext, row: IntentRow) -> None:
        self._desk = desk
        self._row = row
        self._answers = Answers()
        self._asked_of: IntentRow | None = None
        self._path = [Step.VERDICT]
        self._trouble = ""
        self._typed = TypedText()
        self._proven = row.terms.paid_at or ""

    def view(self) -> StepView:
        """Return the current step, or the intent's status after the decision."""
        review = self._review()
        return StepView(
            title=f"Decide on {self._row.intent_id}",
            name="decided" if self._is_decided else self._path[-1].value,
            lines=tuple(self._lines()),
            options=self._options(),
            entry=self._entry(),
            words=(*self._words(), *self._complaint()),
            confirms=self._confirms(),
            wants_reading=bool(review and review.unread),
        )

    def chosen(self, key: str) -> None:
        """Answer with an option, or say why it cannot be chosen."""
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
        """Take the text so far: an identifier, or a confirmation."""
        match self._path[-1]:
            case Step.IDENTIFIER:
                self._answers = replace(self._answers, object_id=clean(text).strip())
                self._trouble = ""
            case Step.PROOF | Step.CONFIRM:
                self._typed = TypedText(text, self._confirms())
                self._trouble = ""

    def go_on(self) -> None:
        """Take the identifier, or the end of a new account, if it is right."""
        if self._path[-1] is Step.PROOF:
            self._prove()
        if self._path[-1] is not Step.IDENTIFIER:
            return
        self._trouble = object_trouble(self._desk, self._row, self._answers.object_id)
        if not self._trouble:
            self._go_to(Step.CONFIRM)

    def back(self) -> bool:
        """Go one step back; return False at the first step and after the decision."""
        if len(self._path) == 1 or self._path[-1] is Step.HANDED_OVER:
            return False
        self._path.pop()
        self._trouble, self._typed = "", TypedText()
        return True

    def act(self, action: str) -> None:
        """Do nothing: it has no actions."""

    def confirm(self, shown: object) -> None:
        """Pass on the decision that was shown, once, if it is still open."""
        if self._path[-1] is not Step.CONFIRM:
            return
        self.store_changed()
        review, confirms = self._review(), self._confirms()
        if review is None or confirms is None:
            self._trouble = self._trouble or (review.refusal if review else "")
        elif shown != confirms:
            self._trouble = STATUS_CHANGED
        elif why_not := review.why_not(self._typed.while_shown(confirms)):
            self._trouble = why_not
        else:
            self._desk.port.decide(self._decision())
            self._asked_of = self._row
            self._go_to(Step.HANDED_OVER)

    def tick(self) -> None:
        """Do nothing: a lock's end is checked on each view."""

    def store_changed(self) -> None:
        """Follow the intent; a change of status requires a new review."""
        row = self._desk.store.intents.get(self._row.intent_id)
        if row is None or row == self._row:
            return
        before, self._row = self._row, row
        if before.may_arrive_until != row.may_arrive_until:
            self._trouble = ""  # it may have been about that
        if self._path[-1] is Step.HANDED_OVER or _identity(before) == _identity(row):
            return
        if row.standing is not before.standing:
            self._path, self._answers = [Step.VERDICT], Answers()
        self._trouble = STATUS_CHANGED

    def _confirms(self) -> tuple[object, ...] | None:
        """Return the decision, the intent's status and the review of it."""
        review = self._review()
        if review is None or review.refusal:
            return None
        return (self._decision(), _identity(self._row), review)

    def _review(self) -> DecisionReview | None:
        """Return the review of the decision; None at other steps."""
        verdict = self._answers.verdict
        if self._path[-1] is not Step.CONFIRM or verdict is None:
            return None
        return review_of(self._desk, self._row, verdict, self._proven)

    @property
    def _is_decided(self) -> bool:
        """Return True if the intent shows the decision."""
        verdict, before = self._answers.verdict, self._asked_of
        return verdict is not None and before is not None and is_decided(before, self._row, verdict)

    def _decision(self) -> Decision:
        verdict = self._answers.verdict
        assert verdict is not None
        object_id = self._answers.object_id if verdict is Verdict.DONE else None
        return Decision(intent_id=self._row.intent_id, verdict=verdict, object_id=object_id)

    def _after_verdict(self) -> Step:
        if self._answers.verdict in SENDING and self._is_unproven:
            return Step.PROOF
        if self._answers.verdict is not Verdict.DONE:
            return Step.CONFIRM
        return Step.OBJECT if self._row.candidates else Step.IDENTIFIER

    @property
    def _is_unproven(self) -> bool:
        address = paid_address(self._desk.store, self._row.terms)
        return address is not None and needs_account_check(self._desk, address, self._proven)

    def _prove(self) -> None:
        address = paid_address(self._desk.store, self._row.terms)
        if address is None or not ends_with(address, self._typed.text):
            self._trouble = WRONG_ENDING
            return
        self._proven = bank_fingerprint(address)
        self._go_to(Step.CONFIRM)

    def _go_to(self, step: Step) -> None:
        self._path.append(step)
        self._trouble, self._typed = "", TypedText()

    def _options(self) -> tuple[Option, ...]:
        match self._path[-1]:
            case Step.VERDICT:
                return verdict_options(self._desk, self._row)
            case Step.OBJECT:
                return object_options(self._desk, self._row)
            case _:
                return ()

    def _entry(self) -> Entry | None:
        if self._path[-1] is Step.IDENTIFIER:
            is_money = self._row.action.moves_money
            hint = f"of {'the payment or trade' if is_money else 'what it became'}, as it is"
            return Entry("Identifier", self._answers.object_id, hint)
        address = paid_address(self._desk.store, self._row.terms)
        if self._path[-1] is Step.PROOF and address is not None:
            return proof_entry(address)
        review = self._review()
        if review is None or review.asked is None:
            return None
        return to_confirm(review.asked)

    def _lines(self) -> Iterator[Line]:
        step, row = self._path[-1], self._row
        if step is Step.HANDED_OVER:
            yield status_line(self._desk, row)
        yield from facts_of(self._desk, row)
        if step is Step.CONFIRM and self._answers.verdict in SENDING:
            yield from sent_facts(self._desk, row, self._proven)

    def _words(self) -> Iterator[Cell]:
        verdict, review = self._answers.verdict, self._review()
        address = paid_address(self._desk.store, self._row.terms)
        if self._path[-1] is Step.HANDED_OVER:
            yield from self._words_since()
        elif self._path[-1] is Step.VERDICT and (words := arrival_words(self._desk, self._row)):
            yield CAREFUL.cell(words)
        elif self._path[-1] is Step.PROOF and address is not None:
            yield from proof_words(self._desk, address)
        elif verdict is not None and review is not None:
            yield from meaning_of(self._desk, self._row, verdict, self._answers.object_id)
            yield from _warnings(review)

    def _words_since(self) -> Iterator[Cell]:
        """Yield the progress since the decision."""
        if self._is_decided:
            return
        if self._row.standing.open:
            why = may_send(self._desk)
            words = f"It is not done: {why}" if why else "It is not done yet."
            yield Cell(words, Tone.DOWN if why else Tone.MUTED)
        else:
            yield Cell("It came to stand so by itself, before it was decided.", Tone.CLOSING)

    def _complaint(self) -> Iterator[Cell]:
        if self._trouble:
            yield WRONG.cell(self._trouble)


def _warnings(review: DecisionReview) -> Iterator[Cell]:
    """Yield warnings about the payee and duplicates, and the effect of enter."""
    for words in (*review.name_warnings, *review.duplicate_warnings):
        yield CAREFUL.cell(words)
    if review.refusal:
        yield WRONG.cell(review.refusal)
    else:
        yield Cell("enter does it, esc goes back", Tone.MUTED)


def _identity(row: IntentRow) -> tuple[object, ...]:
    """Return the parts of the intent that a decision depends on."""
    return row.standing, row.since, row.attempts, row.candidates, row.object_id
