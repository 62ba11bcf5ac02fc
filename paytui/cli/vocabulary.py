"""What screens are told of a dialect."""

from __future__ import annotations

from paytui.api.dialect import Dialect
from paytui.api.models import Kind
from paytui.vocabulary import AddedField, Vocabulary

_STATES_OF = {
    Kind.ACCOUNTS: "account",
    Kind.WALLETS: "wallet",
    Kind.PAYINS: "payin",
    Kind.TRADES: "trade",
    Kind.RECIPIENTS: "recipient",
    Kind.PAYMENT_ADDRESSES: "payment_address",
    Kind.PAYMENTS: "payment",
}
"""Where the dialect has the states of each kind."""


def vocabulary_of(dialect: Dialect) -> Vocabulary:
    """Its canonical side alone: no screen knows how the service spells anything."""
    return Vocabulary(
        currencies=dialect.currencies,
        values={name: tuple(values) for name, values in dialect.values.items()},
        states={
            kind: tuple(dict.fromkeys(state.name for state in dialect.states[name].values()))
            for kind, name in _STATES_OF.items()
        },
        refused=dialect.refused,
        required=dialect.required,
        unsent={
            request: frozenset(name for name, paths in dialect.fields[request].items() if not paths)
            for request in dialect.required
        },
        added={
            request: tuple(
                AddedField(key=key, label=extra.label, kind=extra.kind)
                for key, extra in fields.items()
            )
            for request, fields in dialect.extra.items()
        },
    )
