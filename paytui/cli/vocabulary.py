"""What forms are told of a dialect."""

from __future__ import annotations

from paytui.api.dialect import Dialect
from paytui.vocabulary import AddedField, Vocabulary


def vocabulary_of(dialect: Dialect) -> Vocabulary:
    """Its canonical side alone: no form knows how the service spells anything."""
    return Vocabulary(
        currencies=dialect.currencies,
        values={name: tuple(values) for name, values in dialect.values.items()},
        refused=dialect.refused,
        required=dialect.required,
        added={
            request: tuple(
                AddedField(key=key, label=extra.label, kind=extra.kind)
                for key, extra in fields.items()
            )
            for request, fields in dialect.extra.items()
        },
    )
