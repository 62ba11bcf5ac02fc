"""Where somebody is in a form, and what is known of what was filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from paytui.domain.intent import Intent
from paytui.tui.forms.choosing import choices_of, matching, meant
from paytui.tui.forms.declare import Choice, Finding, Form
from paytui.tui.forms.draft import Draft
from paytui.tui.forms.pages import Page, Placed, fields_of, pages_of
from paytui.tui.forms.request import Deal

Warned = tuple[str, str, str]
"""A warning: the path, the text that went out, the words. It is another one once one differs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormState:
    """Never changed; each change is a new one.

    Attributes:
        page: the key of the page on view.
        path: of the field that is typed in; None where the page has none.
        left: fields that were left once: what is wrong with them is said.
        nagged: whether what is wrong with the field that is typed in is said at each key.
        typing: whether it was typed in since it was come to.
        mark: the choice under the cursor.
        asked: warnings that somebody was told when asking for the review.
        kept: those of them that are to go out as they are.
        refused: what the service said of fields, until they are changed.
        trouble: what is the matter with the whole.
        seen: what the review shows; None outside it.
        intent: what was confirmed.
    """

    draft: Draft
    page: str
    path: str | None
    left: frozenset[str] = frozenset()
    nagged: bool = False
    typing: bool = False
    mark: str | None = None
    asked: frozenset[Warned] = frozenset()
    kept: frozenset[Warned] = frozenset()
    refused: Mapping[str, str] = field(default_factory=dict)
    trouble: str = ""
    seen: Deal | None = None
    intent: Intent | None = None


def page_of(form: Form, state: FormState) -> Page:
    """The page on view; the first where it went."""
    pages = pages_of(form, state.draft)
    return next((page for page in pages if page.key == state.page), pages[0])


def focused(form: Form, state: FormState) -> Placed | None:
    """The field that is typed in."""
    fields = fields_of(page_of(form, state), state.draft)
    return next((one for one in fields if one.path == state.path), None)


def chosen_in(one: Placed, draft: Draft) -> Choice | None:
    """What a field is set to, of what it offers."""
    text = draft[one.path]
    return meant(choices_of(one.field), text) if text else None


def offered(form: Form, state: FormState) -> list[Choice]:
    """The list below the field that is typed in; nothing once its choice is made."""
    one = focused(form, state)
    if one is None:
        return []
    if chosen_in(one, state.draft) is not None and not state.typing:
        return []
    return matching(choices_of(one.field), state.draft[one.path])


def warned(path: str, draft: Draft, finding: Finding) -> Warned:
    """A warning as it is remembered."""
    return path, draft[path], finding.words
