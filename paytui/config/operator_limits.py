"""The operator's restrictions on a profile: locked settings and combined limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal

from paytui.config.document import Document
from paytui.config.schema import OperatorLimits, ProfileTable, RecipientTable
from paytui.config.settings import AmountLimits, Limits
from paytui.domain.money import CurrencyCode

Origins = dict[str, str]


def check_allowed(document: Document, name: str) -> None:
    """Check that the operator allows a profile's service.

    Raises:
        ConfigError: its base URL is not in the operator's list.
    """
    allowed = document.operator.contents.base_urls
    if allowed is None or document.contents.profiles[name].base_url in allowed:
        return
    place = document.operator.origin(("base_urls",))
    message = f"is none that is allowed on this machine ({place})"
    remedy = f"Allowed here: {', '.join(allowed) or 'none'}."
    raise document.error(("profiles", name, "base_url"), message, remedy)


def locked_keys(document: Document, name: str) -> Origins:
    """Return the settings that the operator locks, by dotted key, each with its source.

    Args:
        document: the user's configuration with the operator's file.
        name: the profile.
    """
    table = document.contents.profiles[name]
    of_profile = {".".join(key): origin for key, origin in _locked(document, name, table)}
    return of_profile | locked_shared_keys(document)


def locked_shared_keys(document: Document) -> Origins:
    """Return the locked settings that belong to no profile."""
    return {".".join(key): origin for key, origin in _locked_shared(document)}


def combined_origins(document: Document, name: str) -> Origins:
    """Return both sources of settings that the user's file and the operator's file share."""
    limits, origins = document.operator.contents.limits, {}
    for field in ("confirm_above", "refuse_above", "recipients"):
        if getattr(limits, field):
            key = ("profiles", name, field)
            theirs = document.operator.origin(("limits", field))
            origins[".".join(key)] = f"{document.origin(key)}; {theirs}"
    return origins


def _locked(
    document: Document, name: str, table: ProfileTable
) -> Iterator[tuple[tuple[str, ...], str]]:
    operator = document.operator
    contents = operator.contents
    if contents.read_only:
        yield ("profiles", name, "read_only"), operator.origin(("read_only",))
    for currency, most in contents.limits.confirm_above.items():
        if most <= table.confirm_above.get(currency, Decimal(-1)):
            place = ("limits", "confirm_above", currency)
            yield ("profiles", name, "confirm_above", currency), operator.origin(place)


def _locked_shared(document: Document) -> Iterator[tuple[tuple[str, ...], str]]:
    operator = document.operator
    contents = operator.contents
    if contents.audit_syslog:
        yield ("outbox", "audit_syslog"), operator.origin(("audit_syslog",))
    own = document.contents.lock.after
    if contents.lock.after is not None and (own is None or contents.lock.after <= own):
        yield ("lock", "after"), operator.origin(("lock", "after"))
    if contents.lock.unlock_command:
        yield ("lock", "unlock_command"), operator.origin(("lock", "unlock_command"))


def limits_of(amounts: Mapping[str, Decimal]) -> Limits:
    """Convert limits from the schema's types."""
    return {CurrencyCode(code): amount for code, amount in amounts.items()}


def stricter(own: Limits, others: Limits) -> Limits:
    """Return all limits of both; of a currency in both, the lower."""
    both = {**others, **own}
    return {code: min(amount, others.get(code, amount)) for code, amount in both.items()}


def capped(own: Limits, others: Limits) -> Limits:
    """Return the user's own limits, none above the operator's.

    A currency without an own limit keeps none: its amounts are always typed.
    """
    return {code: min(amount, others.get(code, amount)) for code, amount in own.items()}


def recipient_limits(
    own: Mapping[str, RecipientTable], operator: OperatorLimits
) -> Mapping[str, AmountLimits]:
    """Return the limits of some recipients by identifier: the stricter of both files."""
    named = dict.fromkeys((*own, *operator.recipients))
    none = RecipientTable()
    return {
        name: _combined(own.get(name, none), operator.recipients.get(name, none)) for name in named
    }


def _combined(own: RecipientTable, operator: RecipientTable) -> AmountLimits:
    return AmountLimits(
        confirm_above=stricter(limits_of(own.confirm_above), limits_of(operator.confirm_above)),
        refuse_above=stricter(limits_of(own.refuse_above), limits_of(operator.refuse_above)),
    )
