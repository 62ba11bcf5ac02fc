"""From field to field and from page to page; what is left is judged from then on."""

from __future__ import annotations

from dataclasses import replace

from paytui.tui.forms.choosing import begun
from paytui.tui.forms.declare import Form
from paytui.tui.forms.pages import Page, Placed, all_fields, fields_of, findings, pages_of
from paytui.tui.forms.state import FormState, focused, offered

Stop = tuple[Page, Placed | None]
"""Where one can be: at a field, or on a page that has none."""


def stops_of(form: Form, state: FormState) -> list[Stop]:
    """Everywhere one can be, in order."""
    return [
        (page, one)
        for page in pages_of(form, state.draft)
        for one in (fields_of(page, state.draft) or (None,))
    ]


def leave(form: Form, state: FormState) -> FormState:
    """The field is done with, for now: a choice is made where only one can be meant."""
    one = focused(form, state)
    if one is None:
        return state
    draft = state.draft
    found = begun(offered(form, state), draft[one.path])
    if len(found) == 1 and draft[one.path] and not found[0].why_not:
        draft = draft.having(one.path, found[0].key)
    return replace(state, draft=draft, left=state.left | {one.path}, typing=False, mark=None)


def come_to(form: Form, state: FormState, page: Page, one: Placed | None) -> FormState:
    """To a field, or a page without any, from wherever one is."""
    state = leave(form, state)
    path = one.path if one else None
    nagged = path in state.left and path in findings(form, state.draft)
    return replace(state, page=page.key, path=path, nagged=nagged, trouble="")


def go(form: Form, state: FormState, steps: int) -> FormState:
    """So many fields on, or back, across pages."""
    state = leave(form, state)
    stops = stops_of(form, state)
    keys = [(page.key, one and one.path) for page, one in stops]
    place = keys.index((state.page, state.path)) + steps
    return come_to(form, state, *stops[max(0, min(place, len(stops) - 1))])


def turn(form: Form, state: FormState, steps: int) -> FormState:
    """So many pages on, or back; to the first field there."""
    state = leave(form, state)
    pages = pages_of(form, state.draft)
    place = [page.key for page in pages].index(state.page) + steps
    return open_page(form, state, pages[max(0, min(place, len(pages) - 1))])


def open_page(form: Form, state: FormState, page: Page) -> FormState:
    """To the first field of a page."""
    first = fields_of(page, state.draft)[:1]
    return come_to(form, state, page, first[0] if first else None)


def at(form: Form, state: FormState, path: str) -> FormState:
    """To a field by its path; nowhere else where there is none."""
    state = leave(form, state)
    for one in all_fields(form, state.draft):
        if one.path == path:
            return come_to(form, state, one.page, one)
    return state


def begin(form: Form, state: FormState) -> FormState:
    """To what the service found wrong, else to what is empty, else to what is asked last."""
    stops = stops_of(form, state)
    fields = [one for _, one in stops if one is not None]
    wrong = [one for one in fields if one.path in state.refused]
    empty = [one for one in fields if not state.draft[one.path]]
    for one in (*wrong, *empty):
        return come_to(form, state, one.page, one)
    return come_to(form, state, *stops[-1])


def is_at_end(form: Form, state: FormState) -> bool:
    """Whether there is nothing behind where one is."""
    page, one = stops_of(form, state)[-1]
    return (state.page, state.path) == (page.key, one and one.path)
