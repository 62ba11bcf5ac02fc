"""A form as a dialect has it: what its service needs, and what it adds (contract.md)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from paytui.domain.dialect_features import Vocabulary
from paytui.tui.forms.declare import Field, FieldKind, Form, Section

EXTRA = "extra"
"""The section of fields that only this service has."""

_KINDS = {
    "text": FieldKind.TEXT,
    "number": FieldKind.NUMBER,
    "boolean": FieldKind.YES_NO,
}


def completed(form: Form, vocabulary: Vocabulary) -> Form:
    """A form with what the dialect says of its request; its own fields come last."""
    sections = tuple(_needed(section, vocabulary, form.asks) for section in form.sections)
    added = added_fields(vocabulary, form.asks)
    if added:
        sections += (Section(key=EXTRA, title="Also asked by this service", fields=added),)
    return replace(form, sections=sections)


def added_fields(vocabulary: Vocabulary, request: str) -> tuple[Field, ...]:
    """The fields that only this service wants of a request."""
    required = vocabulary.required.get(request, ())
    return tuple(
        Field(
            key=f"{EXTRA}.{one.key}",
            label=one.label,
            kind=_KINDS[one.kind],
            required=one.key in required,
        )
        for one in vocabulary.added.get(request, ())
    )


def needed(fields: Iterable[Field], vocabulary: Vocabulary, request: str) -> tuple[Field, ...]:
    """Mark the fields that the dialect requires; of an object that it requires, the first field.

    Optional fields that the service does not take are left out.
    """
    open_names, found = set(vocabulary.required.get(request, ())), []
    for field in fields:
        if not field.required and not vocabulary.takes(request, field.key.partition(".")[0]):
            continue
        name = field.key if field.key in open_names else field.key.partition(".")[0]
        found.append(replace(field, required=field.required or name in open_names))
        open_names.discard(name)
    return tuple(found)


def _needed(section: Section, vocabulary: Vocabulary, request: str) -> Section:
    if section.repeated:
        is_needed = section.key in vocabulary.required.get(request, ())
        return replace(section, least=max(section.least, int(is_needed)))
    return replace(section, fields=needed(section.fields, vocabulary, request))
