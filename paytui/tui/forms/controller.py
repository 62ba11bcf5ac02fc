"""The state machine of a form, from the first key to the end of the confirmed intent.

Typed text survives closing the screen. A field is checked when the cursor leaves it, and a wrong
field again on each key. Only `confirm()` creates something: exactly one intent, from the submission
that the review has shown, if the same would still be sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from paytui.config.key_bindings import first_key
from paytui.domain.intent import Intent, IntentId, IntentRow, Standing
from paytui.domain.models import Kind, PayInAddress, Record, State
from paytui.tui.drafts import Draft, SavedDraft
from paytui.tui.format.cells import CAREFUL, state_cell
from paytui.tui.forms import navigation
from paytui.tui.forms.common_fields import with_dialect_fields
from paytui.tui.forms.navigation import FormState
from paytui.tui.forms.render import FormView, view_of
from paytui.tui.forms.schema import Field, FieldKind, Finding, Form, best_match, choices_of
from paytui.tui.guards.send_permission import may_create
from paytui.tui.step_protocol import Line, StepView, line
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ui_context import UiContext
from paytui.tui.wizards.outcome import (
    CONFIRMED,
    FAILED,
    end_words,
    has_failed,
    intent_lines,
    unrecorded_view,
)


def with_only_choices(form: Form, draft: Draft) -> Draft:
    """Return the draft with every required choice filled in that has only one possible value."""
    filled = draft
    for one in navigation.all_fields(form, draft):
        only = _only_choice(one.field)
        if only is not None and not draft[one.path]:
            filled = filled.having(one.path, only)
    return filled


def _only_choice(field: Field) -> str | None:
    if field.kind is not FieldKind.CHOICE or not field.required:
        return None
    possible = [choice.key for choice in choices_of(field) if not choice.why_not]
    return possible[0] if len(possible) == 1 else None


class SubmitOutcome(Enum):
    OPEN = auto()
    FAILED = auto()
    SUCCEEDED = auto()


@dataclass(frozen=True, slots=True)
class InitialContents:
    """The contents of a form when it is opened, with the reason and the service's complaints."""

    draft: Draft
    words: str = ""
    refused: Mapping[str, str] = field(default_factory=dict)


def submit_outcome(ui: UiContext, intent_id: IntentId) -> SubmitOutcome:
    """Return the outcome of an intent; it is open until the worker has taken it."""
    row = ui.store.intents.get(intent_id)
    if row is None or row.standing.open:
        return SubmitOutcome.OPEN
    return SubmitOutcome.FAILED if has_failed(row) else SubmitOutcome.SUCCEEDED


def initial_contents(ui: UiContext, key: tuple[str, str], start: Draft) -> InitialContents:
    """Return the saved draft of a form, or a fresh one if that was submitted with success."""
    kept = ui.drafts.get(key)
    if kept is None:
        return InitialContents(start)
    if kept.intent_id is None:
        anew = first_key(ui.settings.keys, "form.clear")
        return InitialContents(kept.draft, f"Restored draft, not sent. {anew} starts over.")
    row = ui.store.intents.get(kept.intent_id)
    if submit_outcome(ui, kept.intent_id) is SubmitOutcome.FAILED and row is not None:
        problem, why = row.problem, row.problem.happened if row.problem else ""
        refused = {one.field: one.message for one in problem.fields} if problem else {}
        return InitialContents(kept.draft, f"Request {row.standing.value}: {why}".strip(), refused)
    if submit_outcome(ui, kept.intent_id) is SubmitOutcome.OPEN:
        name = row.title if row else kept.intent_id
        return InitialContents(
            start, f"{name} is still open: see Activity (8). Sending this creates another one."
        )
    return InitialContents(start)


def duplicate_warnings(ui: UiContext, title: str) -> list[str]:
    return [
        f"Possible duplicate of {row.intent_id} ({row.standing.value})."
        for row in ui.store.intents.rows()
        if row.standing.open and row.title == title
    ]


SEND_ANYWAY = "Warnings remain. Press f2 again to review anyway."
"""Shown beside a warning that stopped the first review."""


class FormController:
    """A form that is being filled in.

    Args:
        context: the object that it is about; each context has its own draft.
        start: the values to begin with if there is no saved draft.
    """

    def __init__(
        self, ui: UiContext, form: Form, context: str = "", start: Draft | None = None
    ) -> None:
        self._ui = ui
        self._form = with_dialect_fields(form, ui.vocabulary)
        self._key = (form.key, context)
        self._start = with_only_choices(self._form, start or Draft())
        self._state = self._resumed()

    def view(self) -> FormView:
        keys = self._ui.settings.keys
        return view_of(self._form, self._state, self._findings(), keys)

    @property
    def form(self) -> Form:
        return self._form

    @property
    def intent(self) -> Intent | None:
        """The confirmed intent; None until then."""
        return self._state.intent

    @property
    def draft(self) -> Draft:
        return self._state.draft

    def typed(self, text: str) -> None:
        state, one = self._state, navigation.focused(self._form, self._state)
        if one is None or state.intent is not None or text == state.draft[one.path]:
            return
        refused = {path: words for path, words in state.refused.items() if path != one.path}
        first = best_match(choices_of(one.field), text)
        self._set(
            replace(
                state,
                draft=state.draft.having(one.path, text),
                refused=refused,
                typing=True,
                cursor=first.key if first else None,
                trouble="",
                seen=None,
            )
        )
        if one.path not in self._findings():
            self._set(replace(self._state, shows_errors=False))

    def chosen(self, key: str) -> None:
        """Take a choice and go to the next field, or say why it cannot be chosen."""
        choice = next(
            (one for one in navigation.offered(self._form, self._state) if one.key == key), None
        )
        if choice is None or self._state.intent is not None:
            return
        if choice.why_not:
            self._set(replace(self._state, trouble=f"{choice.words}: {choice.why_not}"))
            return
        self.typed(choice.key)
        self._set(replace(self._state, typing=False))
        self.go(1)

    def move(self, steps: int) -> None:
        """Move the cursor in the list of choices, or at its end from field to field."""
        keys = [one.key for one in navigation.offered(self._form, self._state)]
        cursor = self._state.cursor
        place = (keys.index(cursor) if cursor in keys else -1) + steps
        if 0 <= place < len(keys):
            self._set(replace(self._state, cursor=keys[place]))
        else:
            self.go(steps)

    def go(self, steps: int) -> None:
        self._edit(navigation.go(self._form, self._state, steps))

    def turn(self, steps: int) -> None:
        self._edit(navigation.turn(self._form, self._state, steps))

    def go_to(self, path: str) -> None:
        self._edit(navigation.go_to(self._form, self._state, path))

    def enter(self) -> bool:
        """Take the choice under the cursor, go to the next field or, at the end, `review()`."""
        cursor = self._state.cursor
        if cursor is not None and any(
            one.key == cursor for one in navigation.offered(self._form, self._state)
        ):
            self.chosen(cursor)
        elif navigation.is_at_end(self._form, self._state):
            return self.review()
        else:
            self.go(1)
        return False

    def add_part(self) -> None:
        if navigation.can_add(self._form, self._state):
            self._edit(navigation.add_part(self._form, self._state))

    def remove_part(self) -> None:
        if navigation.can_remove(self._form, self._state):
            self._edit(navigation.remove_part(self._form, self._state))

    def clear(self) -> None:
        if self._state.intent is None:
            self._set(self._begun(self._start))

    def review(self) -> bool:
        """Go to the first error or new warning; return True if there is none.

        A warning stops the first review only.
        """
        if self._state.intent is not None:
            return False
        every = frozenset(one.path for one in navigation.all_fields(self._form, self._state.draft))
        left = navigation.leave(self._form, self._state)
        self._set(replace(left, visited=every, accepted=left.accepted | left.warned))
        found = self._findings()
        errors = [path for path, one in found.items() if not one.overridable]
        warnings = [path for path, one in found.items() if not self._is_accepted(path, one)]
        if errors:
            self._edit(navigation.go_to(self._form, self._state, errors[0]))
        elif warnings:
            self._ask(warnings[0], found[warnings[0]])
        else:
            self._set(replace(self._state, seen=self.submission, trouble=""))
        return not errors and not warnings

    @property
    def submission(self) -> navigation.Submission | None:
        """The submission to confirm; None while there are errors or new warnings."""
        found = self._findings()
        if any(not self._is_accepted(path, finding) for path, finding in found.items()):
            return None
        return navigation.submission_of(self._form, self._state.draft)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Accepted warnings about fields, and warnings about the whole submission."""
        labels = {
            one.path: one.field.label
            for one in navigation.all_fields(self._form, self._state.draft)
        }
        said = [f"{labels[path]}: {one.words}" for path, one in self._findings().items()]
        submission = self.submission
        return (*said, *(duplicate_warnings(self._ui, submission.title) if submission else ()))

    def confirm(self, shown: object) -> None:
        """Submit the shown submission once, if the same would still be sent."""
        state, submission = self._state, self.submission
        if state.intent is not None or submission is None or not submission == shown == state.seen:
            return
        if why_not := may_create(self._ui):
            self._set(replace(state, trouble=why_not))
            return
        now = self._ui.time.latest()
        intent = self._ui.maker.make(submission.request, title=submission.title, confirmed_at=now)
        self._set(replace(state, intent=intent, seen=None, trouble=""))
        self._ui.port.submit(intent)

    def take_back(self) -> bool:
        """Return to the fields after a review or a failed submission; return True if possible."""
        intent = self._state.intent
        if intent is None:
            self._set(replace(self._state, seen=None))
            return True
        if submit_outcome(self._ui, intent.intent_id) is not SubmitOutcome.FAILED:
            return False
        self._state = self._resumed()
        return True

    def _findings(self) -> dict[str, Finding]:
        return navigation.findings(self._form, self._state.draft)

    def _is_accepted(self, path: str, finding: Finding) -> bool:
        """Return True if a finding is a warning that was shown and accepted."""
        return finding.overridable and self._warned(path, finding) in self._state.accepted

    def _warned(self, path: str, finding: Finding) -> navigation.WarningKey:
        return navigation.warning_key(
            path, navigation.wire_values(self._form, self._state.draft), finding
        )

    def _ask(self, path: str, finding: Finding) -> None:
        """Go to a warning; the next review accepts it."""
        shown = self._state.warned | {self._warned(path, finding)}
        self._edit(
            replace(
                navigation.go_to(self._form, self._state, path), warned=shown, trouble=SEND_ANYWAY
            )
        )

    def _resumed(self) -> FormState:
        resumed = initial_contents(self._ui, self._key, self._start)
        return self._begun(resumed.draft, resumed.words, resumed.refused)

    def _begun(
        self, draft: Draft, words: str = "", refused: Mapping[str, str] | None = None
    ) -> FormState:
        """Return the state of an opened form, at the first field to fill in."""
        paths = {one.path for one in navigation.all_fields(self._form, draft)}
        at_fields = {path: said for path, said in (refused or {}).items() if path in paths}
        others = [f"{name}: {said}" for name, said in (refused or {}).items() if name not in paths]
        state = FormState(draft=draft, page="", path=None, refused=at_fields)
        return replace(
            navigation.begin(self._form, state), trouble="\n".join(filter(None, [words, *others]))
        )

    def _edit(self, state: FormState) -> None:
        """Apply a change and end the review, unless the form was confirmed."""
        if self._state.intent is None:
            self._set(replace(state, seen=None))

    def _set(self, state: FormState) -> None:
        """Set the state, and save the draft so that it survives the screen."""
        self._state = state
        intent_id = state.intent.intent_id if state.intent else None
        if state.draft == self._start and intent_id is None:
            self._ui.drafts.pop(self._key, None)
        else:
            self._ui.drafts[self._key] = SavedDraft(state.draft, intent_id)


_MEANINGS = {
    Standing.ACCEPTED: "Created.",
    Standing.REFUSED: "Refused by the service: nothing was created. esc: back to correct it.",
    Standing.NOT_EXECUTED: "Not executed: nothing was created. esc: back to try again.",
}


def outcome_view(ui: UiContext, form: Form, intent: Intent) -> StepView:
    """Return the view of a confirmed form: the intent's status and the created object."""
    row = ui.store.intents.get(intent.intent_id)
    what = line("Intent", intent.title)
    if row is None:
        return unrecorded_view(form.title, (what,))
    became = ui.store.table(row.action.becomes).get(row.object_id or "")
    return StepView(
        title=form.title,
        name=CONFIRMED,
        lines=(what, *intent_lines(ui, row, form.noun, _state_of(form, became))),
        words=(*_words(ui, row), *_copy_it(ui, became)),
        became=became,
    )


def _copy_it(ui: UiContext, became: Record | None) -> Iterator[Cell]:
    """Ask for bank details to be copied if the service cannot show them again."""
    is_missing = "list_payin_addresses" in ui.vocabulary.missing
    is_shown = ui.store.feed(Kind.PAYIN_ADDRESSES).offered and not is_missing
    if isinstance(became, PayInAddress) and not is_shown:
        keys = ui.settings.keys
        how = f"{first_key(keys, 'wizard.open')}, then {first_key(keys, 'deposit.copy')}"
        yield CAREFUL.cell(f"Copy it now ({how}): the service cannot show it again,")
        yield Cell("and paytui forgets bank details when it ends.", Tone.CLOSING)


def _state_of(form: Form, became: Record | None) -> Iterator[Line]:
    status = getattr(became, "status", None)
    if isinstance(status, State):
        yield Line(f"{form.noun} status", (state_cell(status),))
    elif became is None:
        yield line(f"{form.noun} status", "not read yet", tone=Tone.MUTED)


def _words(ui: UiContext, row: IntentRow) -> Iterator[Cell]:
    if not (row.standing in FAILED and row.alerts) and (words := _MEANINGS.get(row.standing)):
        yield Cell(words, Tone.MUTED)
        yield from (Cell(f"! {alert}", Tone.DOWN) for alert in row.alerts)
    else:
        yield from end_words(ui, row)
