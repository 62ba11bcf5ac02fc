"""Which amounts are typed before they are sent, and which are never sent (design.md, "Confirm")."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from paytui.config.settings import Profile
from paytui.money import CurrencyCode, Money, format_amount, plain


@dataclass(frozen=True, slots=True)
class NoDemand:
    """A key is enough."""


@dataclass(frozen=True, slots=True)
class TypeIt:
    """The amount is to be typed, as `text`: its digits, without grouping and needless zeros."""

    text: str


@dataclass(frozen=True, slots=True)
class RefusedAbove:
    """It is not sent at all; `words` say why, and what would change it."""

    words: str


Demand = NoDemand | TypeIt | RefusedAbove


def demand(profile: Profile, amount: Decimal, currency: CurrencyCode) -> Demand:
    """What an amount asks of the one who confirms it.

    `refuse_above` holds on every profile; the rest on live ones, where a currency without a
    `confirm_above` is always typed.
    """
    if words := _refusal(profile, amount, currency):
        return RefusedAbove(words)
    return TypeIt(_digits(amount)) if _is_typed(profile, amount, currency) else NoDemand()


def demand_of_exchange(
    profile: Profile, fixed: Money, other: Decimal | None, currency: CurrencyCode
) -> Demand:
    """The stricter of what both sides ask; what is typed is the fixed one.

    Args:
        profile: whose limits they are.
        fixed: the side whose amount the service keeps.
        other: what the other side comes to, or about that; None where nobody can tell.
        currency: of the other side.
    """
    first = demand(profile, fixed.amount, fixed.currency)
    if isinstance(first, RefusedAbove):
        return first
    if words := _refusal(profile, other, currency):
        return RefusedAbove(words)
    return TypeIt(_digits(fixed.amount)) if _is_typed(profile, other, currency) else first


def _refusal(profile: Profile, amount: Decimal | None, currency: CurrencyCode) -> str:
    most = profile.refuse_above.get(currency)
    if most is None or (amount is not None and amount <= most):
        return ""
    limit = f"{format_amount(most, currency)} {currency}"
    if amount is None:
        return f"No rate tells how much {currency} it is, and this profile sends at most {limit}."
    return f"More than {limit}, which is the most that this profile sends."


def _is_typed(profile: Profile, amount: Decimal | None, currency: CurrencyCode) -> bool:
    free = profile.confirm_above.get(currency)
    return profile.live and (free is None or amount is None or amount > free)


def _digits(amount: Decimal) -> str:
    text = plain(amount)
    return text.rstrip("0").rstrip(".") if "." in text else text
