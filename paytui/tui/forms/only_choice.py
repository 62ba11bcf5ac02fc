"""What a form fills in by itself, since there is nothing to choose."""

from __future__ import annotations

from paytui.tui.forms.choosing import choices_of
from paytui.tui.forms.declare import Field, FieldKind, Form
from paytui.tui.forms.draft import Draft
from paytui.tui.forms.pages import all_fields


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
