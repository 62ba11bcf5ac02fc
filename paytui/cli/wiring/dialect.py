"""The dialect of a profile, and its features for screens."""

from __future__ import annotations

from paytui.api.dialect import Dialect, DialectError, load_dialect
from paytui.api.resources import READS
from paytui.config.settings import Profile
from paytui.domain.dialect_features import AddedField, DialectFeatures
from paytui.domain.models import Kind


def dialect_of(profile: Profile) -> Dialect:
    """Return the profile's dialect.

    Raises:
        DialectError: it cannot be used; the message names the entry of the configuration.
    """
    try:
        return load_dialect(profile.dialect)
    except DialectError as error:
        raise DialectError(f"{profile.entry('dialect')}: {error}") from None


_STATES_OF = {
    Kind.ACCOUNTS: "account",
    Kind.WALLETS: "wallet",
    Kind.PAYINS: "payin",
    Kind.TRADES: "trade",
    Kind.RECIPIENTS: "recipient",
    Kind.PAYMENT_ADDRESSES: "payment_address",
    Kind.PAYMENTS: "payment",
}
"""The section of the dialect with the states of each kind."""


def vocabulary_of(dialect: Dialect) -> DialectFeatures:
    """Return the canonical side of a dialect: screens know no wire names."""
    return DialectFeatures(
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
        missing=frozenset(name for name, routes in dialect.paths.items() if not routes),
        unread=frozenset(kind for kind in Kind if not is_read(dialect, kind)),
    )


def is_read(dialect: Dialect, kind: Kind) -> bool:
    """Return True if a dialect has a read of single objects of a kind, or a list of all."""
    if kind not in READS:
        return True
    read = READS[kind]
    reads = {read.get, "" if read.parent else read.operation}
    if kind is Kind.RECIPIENTS:
        reads.add("list_payment_addresses")  # names the recipient and its payment addresses
    return any(dialect.paths.get(name) for name in reads)
