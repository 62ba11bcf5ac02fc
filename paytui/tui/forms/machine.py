"""A form from the first key to the intent that is confirmed, without a screen.

What is typed is kept whatever happens. A field is judged when it is left; one that was found wrong
is judged again at each key. Something is created only by `confirm()`: it makes an intent of what a
review has shown, if that is still what would be sent, and makes one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from paytui.domain.intent import Intent
from paytui.tui.context import Desk
from paytui.tui.forms import moves, outcome, parts
from paytui.tui.forms.choosing import choices_of, likeliest
from paytui.tui.forms.declare import Finding, Form
from paytui.tui.forms.draft import Draft
from paytui.tui.forms.kept import Kept
from paytui.tui.forms.of_dialect import completed
from paytui.tui.forms.only_choice import with_only_choices
from paytui.tui.forms.outcome import Came
from paytui.tui.forms.pages import all_fields, findings, going_out
from paytui.tui.forms.request import Deal, deal_of
from paytui.tui.forms.state import FormState, Warned, focused, offered, warned
from paytui.tui.forms.view import FormView, view_of
from paytui.tui.guards.sending import may_create

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
        self, desk: Desk, form: Form, context: str = "", start: Draft | None = None
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
        self._edit(moves.go(self._form, self._state, steps))

    def turn(self, steps: int) -> None:
        """To the next page, or the one before."""
        self._edit(moves.turn(self._form, self._state, steps))

    def at(self, path: str) -> None:
        """To one of the fields."""
        self._edit(moves.at(self._form, self._state, path))

    def enter(self) -> bool:
        """Take the choice under the cursor, or go on; at the end, review.

        Returns:
            Whether there is something to be reviewed now.
        """
        mark = self._state.mark
        if mark is not None and any(one.key == mark for one in offered(self._form, self._state)):
            self.chosen(mark)
        elif moves.is_at_end(self._form, self._state):
            return self.review()
        else:
            self.go(1)
        return False

    # --- parts ---

    def add_part(self) -> None:
        """One part more of the section on view."""
        if parts.can_add(self._form, self._state):
            self._edit(parts.added(self._form, self._state))

    def remove_part(self) -> None:
        """The part on view goes, with what it holds."""
        if parts.can_remove(self._form, self._state):
            self._edit(parts.removed(self._form, self._state))

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
        left = moves.leave(self._form, self._state)
        self._set(replace(left, left=every, kept=left.kept | left.asked))
        found = self._findings()
        errors = [path for path, one in found.items() if not one.overridable]
        warnings = [path for path, one in found.items() if not self._is_kept(path, one)]
        if errors:
            self._edit(moves.at(self._form, self._state, errors[0]))
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
        return (*said, *(outcome.twins(self._desk, deal.title) if deal else ()))

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
        if outcome.what_came_of(self._desk, intent.intent_id) is not Came.TO_NOTHING:
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
        self._edit(replace(moves.at(self._form, self._state, path), asked=asked, trouble=AGAIN))

    def _resumed(self) -> FormState:
        """As it was left, or as it came back."""
        resumed = outcome.resume(self._desk, self._key, self._start)
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
            moves.begin(self._form, state), trouble="\n".join(filter(None, [words, *others]))
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
