"""Where somebody is in a form, and what is known of what was filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from paytui.domain.intent import Intent
from paytui.domain.requests import Request
from paytui.tui.forms import schema
from paytui.tui.forms.draft import Draft, moved_up
from paytui.tui.forms.schema import (
    Choice,
    Field,
    Finding,
    Form,
    Section,
    begun,
    choices_of,
    matching,
    meant,
)

# A form as pages: a section each, of a repeated one a part each, and only what is shown.


@dataclass(frozen=True, slots=True)
class Page:
    """The fields that are shown at once.

    Attributes:
        part: which one of a repeated section; None where it has none yet, and of other sections.
    """

    section: Section
    part: int | None = None

    @property
    def key(self) -> str:
        """Return its key, which stays the same while the form changes."""
        return self.section.key if self.part is None else f"{self.section.key}.{self.part}"

    def scope(self, draft: Draft) -> Draft:
        """Return the part of the draft that its fields see."""
        return draft if self.part is None else draft.part(self.section.key, self.part)

    def path(self, field: Field) -> str:
        """Return the path of a field in the draft."""
        return field.key if self.part is None else f"{self.key}.{field.key}"


@dataclass(frozen=True, slots=True)
class Placed:
    """A field where it is filled in."""

    path: str
    field: Field
    page: Page


def pages_of(form: Form, draft: Draft) -> tuple[Page, ...]:
    """The pages that there are now."""
    return tuple(
        page
        for section in form.sections
        if section.shown(draft)
        for page in _pages_of_section(section, draft)
    )


def _pages_of_section(section: Section, draft: Draft) -> Iterator[Page]:
    if not section.repeated:
        yield Page(section)
        return
    count = count_of(section, draft)
    yield from (Page(section, part) for part in range(count))
    if not count:
        yield Page(section)


def count_of(section: Section, draft: Draft) -> int:
    """Return the number of parts of a repeated section."""
    return max(section.least, draft.count(section.key))


def fields_of(page: Page, draft: Draft) -> tuple[Placed, ...]:
    """The fields of a page that are shown now."""
    if page.section.repeated and page.part is None:
        return ()
    scope = page.scope(draft)
    return tuple(
        Placed(page.path(field), field, page) for field in page.section.fields if field.shown(scope)
    )


def all_fields(form: Form, draft: Draft) -> tuple[Placed, ...]:
    """Every field that is shown on any page."""
    return tuple(one for page in pages_of(form, draft) for one in fields_of(page, draft))


def going_out(form: Form, draft: Draft) -> Draft:
    """Return the values of a draft as they are sent, of shown fields alone."""
    values = {
        one.path: schema.going_out(one.field, draft[one.path]) for one in all_fields(form, draft)
    }
    counts = {
        section.key: count_of(section, draft)
        for section in form.sections
        if section.repeated and section.shown(draft)
    }
    return Draft(values=values, parts=counts)


def findings(form: Form, draft: Draft) -> dict[str, Finding]:
    """Return the complaints about a draft, by path, in the order of its fields."""
    out = going_out(form, draft)
    found = (
        (one.path, schema.finding(one.field, out[one.path], one.page.scope(out)))
        for one in all_fields(form, draft)
    )
    return {path: finding for path, finding in found if finding is not None}


# The request that a draft comes to.


@dataclass(frozen=True, slots=True)
class Deal:
    """Exactly what a confirmation would carry out.

    Attributes:
        title: of the intent: `Wallet USD desk`.
    """

    title: str
    request: Request


def deal_of(form: Form, draft: Draft) -> Deal:
    """What a draft without errors comes to."""
    out = going_out(form, draft)
    request = replace(form.request(out), extra=out.under("extra"))
    return Deal(f"{form.noun} {form.named(out)}".strip(), request)


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


# From field to field and from page to page; what is left is judged from then on.

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


# Parts of repeated sections: one more, or one less.


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
