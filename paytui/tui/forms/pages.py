"""A form as pages: a section each, of a repeated one a part each, and only what is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from paytui.tui.forms import kinds
from paytui.tui.forms.declare import Field, Finding, Form, Section
from paytui.tui.forms.draft import Draft


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
        one.path: kinds.going_out(one.field, draft[one.path]) for one in all_fields(form, draft)
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
        (one.path, kinds.finding(one.field, out[one.path], one.page.scope(out)))
        for one in all_fields(form, draft)
    )
    return {path: finding for path, finding in found if finding is not None}
