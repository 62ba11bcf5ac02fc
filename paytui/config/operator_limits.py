"""Which settings are the operator's, and where each of them stands: no user moves it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal

from paytui.config.document import Document
from paytui.config.schema import OperatorLimits, ProfileTable, RecipientTable
from paytui.config.settings import AmountLimits, Limits
from paytui.domain.money import CurrencyCode

Origins = dict[str, str]


def check_allowed(document: Document, name: str) -> None:
    """Make sure that a profile's service is one that the operator allows.

    Raises:
        ConfigError: it is none of them.
    """
    allowed = document.operator.says.base_urls
    if allowed is None or document.contents.profiles[name].base_url in allowed:
        return
    place = document.operator.origin(("base_urls",))
    message = f"is none that is allowed on this machine ({place})"
    remedy = f"Allowed here: {', '.join(allowed) or 'none'}."
    raise document.error(("profiles", name, "base_url"), message, remedy)


def locked_keys(document: Document, name: str) -> Origins:
    """By dotted key, where the operator says what holds there.

    Args:
        document: the user's, with what the operator says.
        name: of the profile.
    """
    table = document.contents.profiles[name]
    of_profile = {".".join(key): origin for key, origin in _held(document, name, table)}
    return of_profile | locked_shared_keys(document)


def locked_shared_keys(document: Document) -> Origins:
    """The same of what belongs to no profile."""
    return {".".join(key): origin for key, origin in _held_of_all(document)}


def combined_origins(document: Document, name: str) -> Origins:
    """The same of what is partly the user's own: both places."""
    says, origins = document.operator.says.limits, {}
    for field in ("confirm_above", "refuse_above", "recipients"):
        if getattr(says, field):
            key = ("profiles", name, field)
            theirs = document.operator.origin(("limits", field))
            origins[".".join(key)] = f"{document.origin(key)}; {theirs}"
    return origins


def _held(
    document: Document, name: str, table: ProfileTable
) -> Iterator[tuple[tuple[str, ...], str]]:
    operator = document.operator
    says = operator.says
    if says.read_only:
        yield ("profiles", name, "read_only"), operator.origin(("read_only",))
    for currency, most in says.limits.confirm_above.items():
        if most <= table.confirm_above.get(currency, Decimal(-1)):
            place = ("limits", "confirm_above", currency)
            yield ("profiles", name, "confirm_above", currency), operator.origin(place)


def _held_of_all(document: Document) -> Iterator[tuple[tuple[str, ...], str]]:
    operator = document.operator
    says = operator.says
    if says.audit_syslog:
        yield ("outbox", "audit_syslog"), operator.origin(("audit_syslog",))
    own = document.contents.lock.after
    if says.lock.after is not None and (own is None or says.lock.after <= own):
        yield ("lock", "after"), operator.origin(("lock", "after"))
    if says.lock.unlock_command:
        yield ("lock", "unlock_command"), operator.origin(("lock", "unlock_command"))


# A profile's limits as they hold: the user's and the operator's together, the tighter of each.


def limits_of(amounts: Mapping[str, Decimal]) -> Limits:
    """Amounts by currency, as they are written."""
    return {CurrencyCode(code): amount for code, amount in amounts.items()}


def stricter(own: Limits, others: Limits) -> Limits:
    """Both: of a currency that both have, the lower."""
    both = {**others, **own}
    return {code: min(amount, others.get(code, amount)) for code, amount in both.items()}


def capped(own: Limits, others: Limits) -> Limits:
    """Those of one, none above the other's: a currency without one is bound without it."""
    return {code: min(amount, others.get(code, amount)) for code, amount in own.items()}


def recipient_limits(
    own: Mapping[str, RecipientTable], operator: OperatorLimits
) -> Mapping[str, AmountLimits]:
    """By identifier, what holds of some recipients beside all else."""
    named = dict.fromkeys((*own, *operator.recipients))
    nothing = RecipientTable()
    return {
        name: _both(own.get(name, nothing), operator.recipients.get(name, nothing))
        for name in named
    }


def _both(own: RecipientTable, operator: RecipientTable) -> AmountLimits:
    return AmountLimits(
        confirm_above=stricter(limits_of(own.confirm_above), limits_of(operator.confirm_above)),
        refuse_above=stricter(limits_of(own.refuse_above), limits_of(operator.refuse_above)),
    )
