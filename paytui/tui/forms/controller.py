"""A form from the first key to the intent that is confirmed, without a screen.

What is typed is kept whatever happens. A field is judged when it is left; one that was found wrong
is judged again at each key. Something is created only by `confirm()`: it makes an intent of what a
review has shown, if that is still what would be sent, and makes one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from paytui.config.keys import first_key
from paytui.domain.intent import Intent, IntentId, IntentRow, Standing
from paytui.domain.models import Kind, PayInAddress, Record, State
from paytui.tui.context import UiContext
from paytui.tui.format.cells import CAREFUL, state_cell
from paytui.tui.forms import navigation
from paytui.tui.forms.common_fields import completed
from paytui.tui.forms.draft import Draft, Kept
from paytui.tui.forms.navigation import (
    Deal,
    FormState,
    Warned,
    all_fields,
    deal_of,
    findings,
    focused,
    going_out,
    offered,
    warned,
)
from paytui.tui.forms.render import FormView, view_of
from paytui.tui.forms.schema import Field, FieldKind, Finding, Form, choices_of, likeliest
from paytui.tui.guards.sending import may_create
from paytui.tui.theme.themes import Cell, Tone
from paytui.tui.wizards.common_steps import intent_lines
from paytui.tui.wizards.payment.view import VOID, end_words, is_void
from paytui.tui.wizards.protocol import Line, StepView, line

# What a form fills in by itself, since there is nothing to choose.


def with_only_choices(form: Form, draft: Draft) -> Draft:
    """The draft with every needed choice of which one thing alone can be chosen."""
    filled = draft
    for one in all_fields(form, draft):
        only = _only_choice(one.field)
        if only is not None and not draft[one.path]:
            filled = filled.having(one.path, only)
    return filled


def _only_choice(field: Field) -> str | None:
    if field.kind is not FieldKind.CHOICE or not field.required:
        return None
    possible = [choice.key for choice in choices_of(field) if not choice.why_not]
    return possible[0] if len(possible) == 1 else None


# What came of a form that was sent, and what is in it when it is opened again.


class Came(Enum):
    """What is known of what was sent."""

    OPEN = auto()
    TO_NOTHING = auto()
    TO_SOMETHING = auto()


@dataclass(frozen=True, slots=True)
class Resumed:
    """What a form holds when it comes up.

    Attributes:
        words: where that is from; nothing where it is as it always begins.
        refused: what the service said of fields, by the names that it was told to have.
    """

    draft: Draft
    words: str = ""
    refused: Mapping[str, str] = field(default_factory=dict)


def what_came_of(desk: UiContext, intent_id: IntentId) -> Came:
    """How an intent ended, if it has; until the worker has taken it, it has not."""
    row = desk.store.intents.get(intent_id)
    if row is None or row.standing.open:
        return Came.OPEN
    return Came.TO_NOTHING if is_void(row) else Came.TO_SOMETHING


def resume(desk: UiContext, key: tuple[str, str], start: Draft) -> Resumed:
    """What was left of a form, or what came of it; else what it begins with."""
    kept = desk.drafts.get(key)
    if kept is None:
        return Resumed(start)
    if kept.intent_id is None:
        anew = first_key(desk.settings.keys, "form.clear")
        return Resumed(kept.draft, f"This is as you left it; it was not sent. {anew} begins anew.")
    row = desk.store.intents.get(kept.intent_id)
    if what_came_of(desk, kept.intent_id) is Came.TO_NOTHING and row is not None:
        return Resumed(kept.draft, _refusal(row), _at_fields(row))
    if what_came_of(desk, kept.intent_id) is Came.OPEN:
        name = row.title if row else kept.intent_id
        return Resumed(start, f"{name} is still open: see Activity (8). This would be another one.")
    return Resumed(start)


def twins(desk: UiContext, title: str) -> list[str]:
    """What is said of others that ask for the same and are still open."""
    return [
        f"{row.intent_id} asks for the same, and is {row.standing.value}: this is another one."
        for row in desk.store.intents.rows()
        if row.standing.open and row.title == title
    ]


def _refusal(row: IntentRow) -> str:
    why = row.problem.happened if row.problem else ""
    return f"It was {row.standing.value}. {why}".strip()


def _at_fields(row: IntentRow) -> dict[str, str]:
    problems = row.problem.fields if row.problem else ()
    return {one.field: one.message for one in problems}


AGAIN = "f2 once more, and it goes out as it is."
"""What is said of a warning that somebody was led to."""


class FormMachine:
    """One form that is being filled in.

    Args:
        desk: what is known, and the way to the worker.
        form: what is asked.
        context: what it is about; the drafts of two contexts are two.
        start: what is filled in already, where no draft was left.
    """

    def __init__(
        self, desk: UiContext, form: Form, context: str = "", start: Draft | None = None
    ) -> None:
        self._desk = desk
        self._form = completed(form, desk.vocabulary)
        self._key = (form.key, context)
        self._start = with_only_choices(self._form, start or Draft())
        self._state = self._resumed()

    def view(self) -> FormView:
        """The page that is on view."""
        keys = self._desk.settings.keys
        return view_of(self._form, self._state, self._findings(), keys)

    @property
    def form(self) -> Form:
        """What is asked."""
        return self._form

    @property
    def intent(self) -> Intent | None:
        """What was confirmed."""
        return self._state.intent

    @property
    def draft(self) -> Draft:
        """What is filled in."""
        return self._state.draft

    # --- what is typed ---

    def typed(self, text: str) -> None:
        """The field holds this now."""
        state, one = self._state, focused(self._form, self._state)
        if one is None or state.intent is not None or text == state.draft[one.path]:
            return
        refused = {path: words for path, words in state.refused.items() if path != one.path}
        first = likeliest(choices_of(one.field), text)
        self._set(
            replace(
                state,
                draft=state.draft.having(one.path, text),
                refused=refused,
                typing=True,
                mark=first.key if first else None,
                trouble="",
                seen=None,
            )
        )
        if one.path not in self._findings():
            self._set(replace(self._state, nagged=False))

    def chosen(self, key: str) -> None:
        """Take a choice, and go on; one that is not offered says why."""
        choice = next((one for one in offered(self._form, self._state) if one.key == key), None)
        if choice is None or self._state.intent is not None:
            return
        if choice.why_not:
            self._set(replace(self._state, trouble=f"{choice.words}: {choice.why_not}"))
            return
        self.typed(choice.key)
        self._set(replace(self._state, typing=False))
        self.go(1)

    # --- moving about ---

    def move(self, steps: int) -> None:
        """Up or down: in the list where there is one, else from field to field."""
        keys = [one.key for one in offered(self._form, self._state)]
        mark = self._state.mark
        place = (keys.index(mark) if mark in keys else -1) + steps
        if 0 <= place < len(keys):
            self._set(replace(self._state, mark=keys[place]))
        else:
            self.go(steps)

    def go(self, steps: int) -> None:
        """To the next field, or the one before, across pages."""
        self._edit(navigation.go(self._form, self._state, steps))

    def turn(self, steps: int) -> None:
        """To the next page, or the one before."""
        self._edit(navigation.turn(self._form, self._state, steps))

    def at(self, path: str) -> None:
        """To one of the fields."""
        self._edit(navigation.at(self._form, self._state, path))

    def enter(self) -> bool:
        """Take the choice under the cursor, or go on; at the end, review.

        Returns:
            Whether there is something to be reviewed now.
        """
        mark = self._state.mark
        if mark is not None and any(one.key == mark for one in offered(self._form, self._state)):
            self.chosen(mark)
        elif navigation.is_at_end(self._form, self._state):
            return self.review()
        else:
            self.go(1)
        return False

    # --- parts ---

    def add_part(self) -> None:
        """One part more of the section on view."""
        if navigation.can_add(self._form, self._state):
            self._edit(navigation.added(self._form, self._state))

    def remove_part(self) -> None:
        """The part on view goes, with what it holds."""
        if navigation.can_remove(self._form, self._state):
            self._edit(navigation.removed(self._form, self._state))

    def clear(self) -> None:
        """Begin anew, with nothing but what the form began with."""
        if self._state.intent is None:
            self._set(self._begun(self._start))

    # --- review and confirmation ---

    def review(self) -> bool:
        """Have everything judged; what is wrong is gone to, and a warning asks once.

        Returns:
            Whether nothing is in the way, so that a review can be shown.
        """
        if self._state.intent is not None:
            return False
        every = frozenset(one.path for one in all_fields(self._form, self._state.draft))
        left = navigation.leave(self._form, self._state)
        self._set(replace(left, left=every, kept=left.kept | left.asked))
        found = self._findings()
        errors = [path for path, one in found.items() if not one.overridable]
        warnings = [path for path, one in found.items() if not self._is_kept(path, one)]
        if errors:
            self._edit(navigation.at(self._form, self._state, errors[0]))
        elif warnings:
            self._ask(warnings[0], found[warnings[0]])
        else:
            self._set(replace(self._state, seen=self.deal, trouble=""))
        return not errors and not warnings

    @property
    def deal(self) -> Deal | None:
        """What would be sent; None while something is in the way."""
        found = self._findings()
        if any(not self._is_kept(path, finding) for path, finding in found.items()):
            return None
        return deal_of(self._form, self._state.draft)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is said of fields that are to go out as they are, and of the whole."""
        labels = {one.path: one.field.label for one in all_fields(self._form, self._state.draft)}
        said = [f"{labels[path]}: {one.words}" for path, one in self._findings().items()]
        deal = self.deal
        return (*said, *(twins(self._desk, deal.title) if deal else ()))

    def confirm(self, shown: object) -> None:
        """Submit what was shown, once, if it is still what would be sent."""
        state, deal = self._state, self.deal
        if state.intent is not None or deal is None or not deal == shown == state.seen:
            return
        if why_not := may_create(self._desk):
            self._set(replace(state, trouble=why_not))
            return
        now = self._desk.time.latest()
        intent = self._desk.maker.make(deal.request, title=deal.title, confirmed_at=now)
        self._set(replace(state, intent=intent, seen=None, trouble=""))
        self._desk.port.submit(intent)

    def take_back(self) -> bool:
        """To the fields again: after a review, or after an end that came to nothing.

        Returns:
            Whether there is anything to go on with.
        """
        intent = self._state.intent
        if intent is None:
            self._set(replace(self._state, seen=None))
            return True
        if what_came_of(self._desk, intent.intent_id) is not Came.TO_NOTHING:
            return False
        self._state = self._resumed()
        return True

    # --- inner ---

    def _findings(self) -> dict[str, Finding]:
        return findings(self._form, self._state.draft)

    def _is_kept(self, path: str, finding: Finding) -> bool:
        """Whether a finding is one that somebody was told of, and lets go out."""
        return finding.overridable and self._warned(path, finding) in self._state.kept

    def _warned(self, path: str, finding: Finding) -> Warned:
        return warned(path, going_out(self._form, self._state.draft), finding)

    def _ask(self, path: str, finding: Finding) -> None:
        """Lead to a warning; a review that is asked for again lets it be."""
        asked = self._state.asked | {self._warned(path, finding)}
        self._edit(
            replace(navigation.at(self._form, self._state, path), asked=asked, trouble=AGAIN)
        )

    def _resumed(self) -> FormState:
        """As it was left, or as it came back."""
        resumed = resume(self._desk, self._key, self._start)
        return self._begun(resumed.draft, resumed.words, resumed.refused)

    def _begun(
        self, draft: Draft, words: str = "", refused: Mapping[str, str] | None = None
    ) -> FormState:
        """A form that is come to, at what is to be filled in first."""
        paths = {one.path for one in all_fields(self._form, draft)}
        at_fields = {path: said for path, said in (refused or {}).items() if path in paths}
        others = [f"{name}: {said}" for name, said in (refused or {}).items() if name not in paths]
        state = FormState(draft=draft, page="", path=None, refused=at_fields)
        return replace(
            navigation.begin(self._form, state), trouble="\n".join(filter(None, [words, *others]))
        )

    def _edit(self, state: FormState) -> None:
        """A change that ends a review; after a confirmation there are none."""
        if self._state.intent is None:
            self._set(replace(state, seen=None))

    def _set(self, state: FormState) -> None:
        """Whatever happens to the screen, what is filled in is kept."""
        self._state = state
        intent_id = state.intent.intent_id if state.intent else None
        if state.draft == self._start and intent_id is None:
            self._desk.drafts.pop(self._key, None)
        else:
            self._desk.drafts[self._key] = Kept(state.draft, intent_id)


# The outcome of a confirmed form, followed to its end.

_MEANINGS = {
    Standing.ACCEPTED: "The service has it.",
    Standing.REFUSED: "The service refused it: nothing was made. esc goes back to put it right.",
    Standing.NOT_EXECUTED: "It was not carried out: nothing was made. esc goes back to try again.",
}


def end_view(desk: UiContext, form: Form, intent: Intent) -> StepView:
    """Return the status of a confirmed form, and the object that it became."""
    row = desk.store.intents.get(intent.intent_id)
    what = line("What", intent.title)
    if row is None:
        words = (Cell("It is being written down.", Tone.MUTED),)
        return StepView(title=form.title, name="confirmed", lines=(what,), words=words)
    became = desk.store.table(row.action.becomes).get(row.object_id or "")
    return StepView(
        title=form.title,
        name="confirmed",
        lines=(what, *intent_lines(desk, row, form.noun, _state_of(became))),
        words=(*_words(desk, row), *_copy_it(desk, became)),
        became=became,
    )


def _copy_it(desk: UiContext, became: Record | None) -> Iterator[Cell]:
    """Ask for bank details to be copied if the service cannot show them again."""
    is_missing = "list_payin_addresses" in desk.vocabulary.missing
    is_shown = desk.store.feed(Kind.PAYIN_ADDRESSES).offered and not is_missing
    if isinstance(became, PayInAddress) and not is_shown:
        keys = desk.settings.keys
        how = f"{first_key(keys, 'wizard.open')}, then {first_key(keys, 'deposit.copy')}"
        yield CAREFUL.cell(f"Copy it now ({how}): the service cannot show it again,")
        yield Cell("and paytui forgets bank details when it ends.", Tone.CLOSING)


def _state_of(became: Record | None) -> Iterator[Line]:
    """As the service tells it; not all that is made has states."""
    status = getattr(became, "status", None)
    if isinstance(status, State):
        yield Line("State", (state_cell(status),))
    elif became is None:
        yield line("State", "not read yet", tone=Tone.MUTED)


def _words(desk: UiContext, row: IntentRow) -> Iterator[Cell]:
    if not (row.standing in VOID and row.alerts) and (words := _MEANINGS.get(row.standing)):
        yield Cell(words, Tone.MUTED)
        yield from (Cell(f"! {alert}", Tone.DOWN) for alert in row.alerts)
    else:
        yield from end_words(desk, row)
