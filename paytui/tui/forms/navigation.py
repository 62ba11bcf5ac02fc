"""The pages of a form, the position in it, and the submission that it makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from paytui.domain.intent import Intent
from paytui.domain.requests import Request
from paytui.tui.drafts import Draft, path_shift
from paytui.tui.forms import schema
from paytui.tui.forms.schema import Form, Section


@dataclass(frozen=True, slots=True)
class Page:
    """The fields that are shown at once: those of a section, or of one part of a repeated one.

    Attributes:
        part: the index in a repeated section; None if it has no parts yet, or is not repeated.
    """

    section: Section
    part: int | None = None

    @property
    def key(self) -> str:
        """A key that stays the same while the form changes."""
        return self.section.key if self.part is None else f"{self.section.key}.{self.part}"

    def scope(self, draft: Draft) -> Draft:
        return draft if self.part is None else draft.part(self.section.key, self.part)

    def path(self, field: schema.Field) -> str:
        return field.key if self.part is None else f"{self.key}.{field.key}"


@dataclass(frozen=True, slots=True)
class PlacedField:
    path: str
    field: schema.Field
    page: Page


def pages_of(form: Form, draft: Draft) -> tuple[Page, ...]:
    """Return the pages of the sections that are shown now."""
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
    return max(section.min_parts, draft.count(section.key))


def fields_of(page: Page, draft: Draft) -> tuple[PlacedField, ...]:
    if page.section.repeated and page.part is None:
        return ()
    scope = page.scope(draft)
    return tuple(
        PlacedField(page.path(field), field, page)
        for field in page.section.fields
        if field.shown(scope)
    )


def all_fields(form: Form, draft: Draft) -> tuple[PlacedField, ...]:
    return tuple(one for page in pages_of(form, draft) for one in fields_of(page, draft))


def wire_values(form: Form, draft: Draft) -> Draft:
    """Return the values of the shown fields as they are sent."""
    values = {
        one.path: schema.wire_value(one.field, draft[one.path]) for one in all_fields(form, draft)
    }
    counts = {
        section.key: count_of(section, draft)
        for section in form.sections
        if section.repeated and section.shown(draft)
    }
    return Draft(values=values, parts=counts)


def findings(form: Form, draft: Draft) -> dict[str, schema.Finding]:
    """Return the complaints about a draft, by path, in the order of its fields."""
    out = wire_values(form, draft)
    found = (
        (one.path, schema.finding(one.field, out[one.path], one.page.scope(out)))
        for one in all_fields(form, draft)
    )
    return {path: finding for path, finding in found if finding is not None}


@dataclass(frozen=True, slots=True)
class Submission:
    """A request that can be confirmed, with the title of its intent: `Wallet USD desk`."""

    title: str
    request: Request


def submission_of(form: Form, draft: Draft) -> Submission:
    """Return the submission of a draft without errors."""
    out = wire_values(form, draft)
    request = replace(form.request(out), extra=out.under("extra"))
    return Submission(f"{form.noun} {form.object_name(out)}".strip(), request)


WarningKey = tuple[str, str, str]  # A warning's identity: path, text as sent, and message


@dataclass(frozen=True, slots=True, kw_only=True)
class FormState:
    """The state of a form; immutable.

    Attributes:
        page: the key of the page on view.
        path: of the focused field; None if the page has no fields.
        visited: paths of fields that the cursor has left; their errors are shown.
        shows_errors: True if errors of the focused field are shown while typing.
        typing: True if the focused field was typed in since it got the focus.
        warned: warnings that stopped a review.
        accepted: warnings that were accepted by a second review.
        refused: the service's complaints by path, until the field is changed.
        seen: the submission that the review shows; None outside it.
    """

    draft: Draft
    page: str
    path: str | None
    visited: frozenset[str] = frozenset()
    shows_errors: bool = False
    typing: bool = False
    cursor: str | None = None
    warned: frozenset[WarningKey] = frozenset()
    accepted: frozenset[WarningKey] = frozenset()
    refused: Mapping[str, str] = field(default_factory=dict)
    trouble: str = ""
    seen: Submission | None = None
    intent: Intent | None = None


def page_of(form: Form, state: FormState) -> Page:
    """Return the page on view, or the first one if that is gone."""
    pages = pages_of(form, state.draft)
    return next((page for page in pages if page.key == state.page), pages[0])


def focused(form: Form, state: FormState) -> PlacedField | None:
    fields = fields_of(page_of(form, state), state.draft)
    return next((one for one in fields if one.path == state.path), None)


def chosen_in(one: PlacedField, draft: Draft) -> schema.Choice | None:
    text = draft[one.path]
    return schema.named_choice(schema.choices_of(one.field), text) if text else None


def offered(form: Form, state: FormState) -> list[schema.Choice]:
    """Return the choices to list below the focused field; none once one is taken."""
    one = focused(form, state)
    if one is None:
        return []
    if chosen_in(one, state.draft) is not None and not state.typing:
        return []
    return schema.matching(schema.choices_of(one.field), state.draft[one.path])


def warning_key(path: str, draft: Draft, finding: schema.Finding) -> WarningKey:
    return path, draft[path], finding.words


Position = tuple[Page, PlacedField | None]  # A cursor position: a field, or a page without fields


def positions_of(form: Form, state: FormState) -> list[Position]:
    return [
        (page, one)
        for page in pages_of(form, state.draft)
        for one in (fields_of(page, state.draft) or (None,))
    ]


def leave(form: Form, state: FormState) -> FormState:
    """Leave the focused field; an unambiguous prefix becomes its choice."""
    one = focused(form, state)
    if one is None:
        return state
    draft = state.draft
    found = schema.prefix_matches(offered(form, state), draft[one.path])
    if len(found) == 1 and draft[one.path] and not found[0].why_not:
        draft = draft.having(one.path, found[0].key)
    return replace(
        state, draft=draft, visited=state.visited | {one.path}, typing=False, cursor=None
    )


def move_to(form: Form, state: FormState, page: Page, one: PlacedField | None) -> FormState:
    state = leave(form, state)
    path = one.path if one else None
    shows_errors = path in state.visited and path in findings(form, state.draft)
    return replace(state, page=page.key, path=path, shows_errors=shows_errors, trouble="")


def go(form: Form, state: FormState, steps: int) -> FormState:
    """Move by a number of fields, across pages."""
    state = leave(form, state)
    stops = positions_of(form, state)
    keys = [(page.key, one and one.path) for page, one in stops]
    place = keys.index((state.page, state.path)) + steps
    return move_to(form, state, *stops[max(0, min(place, len(stops) - 1))])


def turn(form: Form, state: FormState, steps: int) -> FormState:
    state = leave(form, state)
    pages = pages_of(form, state.draft)
    place = [page.key for page in pages].index(state.page) + steps
    return open_page(form, state, pages[max(0, min(place, len(pages) - 1))])


def open_page(form: Form, state: FormState, page: Page) -> FormState:
    first = fields_of(page, state.draft)[:1]
    return move_to(form, state, page, first[0] if first else None)


def go_to(form: Form, state: FormState, path: str) -> FormState:
    """Move to a field by its path, if there is such a field."""
    state = leave(form, state)
    for one in all_fields(form, state.draft):
        if one.path == path:
            return move_to(form, state, one.page, one)
    return state


def begin(form: Form, state: FormState) -> FormState:
    """Move to the first refused field, else the first empty one, else the last."""
    stops = positions_of(form, state)
    fields = [one for _, one in stops if one is not None]
    wrong = [one for one in fields if one.path in state.refused]
    empty = [one for one in fields if not state.draft[one.path]]
    for one in (*wrong, *empty):
        return move_to(form, state, one.page, one)
    return move_to(form, state, *stops[-1])


def is_at_end(form: Form, state: FormState) -> bool:
    page, one = positions_of(form, state)[-1]
    return (state.page, state.path) == (page.key, one and one.path)


def can_add(form: Form, state: FormState) -> bool:
    return page_of(form, state).section.repeated


def can_remove(form: Form, state: FormState) -> bool:
    page = page_of(form, state)
    return page.part is not None and count_of(page.section, state.draft) > page.section.min_parts


def add_part(form: Form, state: FormState) -> FormState:
    state, section = leave(form, state), page_of(form, state).section
    count = count_of(section, state.draft)
    state = replace(state, draft=state.draft.with_parts(section.key, count + 1))
    return open_page(form, state, Page(section, count))


def remove_part(form: Form, state: FormState) -> FormState:
    """Remove the part on view with its values, and move to the one that takes its place."""
    page = page_of(form, state)
    section, part = page.section, page.part
    if part is None:
        return state
    move, count = path_shift(section.key, part), count_of(section, state.draft) - 1
    draft = state.draft.without_part(section.key, part).with_parts(section.key, count)
    refused = {to: words for path, words in state.refused.items() if (to := move(path)) is not None}
    visited = frozenset(to for path in state.visited if (to := move(path)) is not None)
    state = replace(state, draft=draft, refused=refused, visited=visited, path=None)
    after = Page(section, min(part, count - 1)) if count else Page(section)
    return open_page(form, state, after)
