"""Parts of repeated sections: one more, or one less."""

from __future__ import annotations

from dataclasses import replace

from paytui.tui.forms.declare import Form
from paytui.tui.forms.draft import moved_up
from paytui.tui.forms.moves import leave, open_page
from paytui.tui.forms.pages import Page, count_of
from paytui.tui.forms.state import FormState, page_of


def can_add(form: Form, state: FormState) -> bool:
    """Whether the section on view can have another part."""
    return page_of(form, state).section.repeated


def can_remove(form: Form, state: FormState) -> bool:
    """Whether the part on view can go."""
    page = page_of(form, state)
    return page.part is not None and count_of(page.section, state.draft) > page.section.least


def added(form: Form, state: FormState) -> FormState:
    """With an empty part more, which is gone to."""
    state, section = leave(form, state), page_of(form, state).section
    count = count_of(section, state.draft)
    state = replace(state, draft=state.draft.with_parts(section.key, count + 1))
    return open_page(form, state, Page(section, count))


def removed(form: Form, state: FormState) -> FormState:
    """Without the part on view, and what it holds; the one behind it comes into its place."""
    page = page_of(form, state)
    section, part = page.section, page.part
    if part is None:
        return state
    move, count = moved_up(section.key, part), count_of(section, state.draft) - 1
    draft = state.draft.without_part(section.key, part).with_parts(section.key, count)
    refused = {to: words for path, words in state.refused.items() if (to := move(path)) is not None}
    left = frozenset(to for path in state.left if (to := move(path)) is not None)
    state = replace(state, draft=draft, refused=refused, left=left, path=None)
    after = Page(section, min(part, count - 1)) if count else Page(section)
    return open_page(form, state, after)
