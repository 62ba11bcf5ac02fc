"""Checks of an amount against the profile's limits: confirm by key, by typing, or refuse."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from paytui.config.settings import Profile
from paytui.config.spending_limits import refusal_reason, requires_typing
from paytui.domain.models import RecipientId
from paytui.domain.money import CurrencyCode, Money, plain


@dataclass(frozen=True, slots=True)
class NoDemand:
    """A demand for nothing but a key."""


@dataclass(frozen=True, slots=True)
class TypeAmount:
    """A demand to type the amount: `text` is its digits, ungrouped, without needless zeros."""

    text: str


@dataclass(frozen=True, slots=True)
class RefusedAbove:
    """A refusal to send the amount; `words` say why, and what would change it."""

    words: str


Demand = NoDemand | TypeAmount | RefusedAbove


def demand(
    profile: Profile,
    amount: Decimal,
    currency: CurrencyCode,
    recipient: RecipientId | None = None,
) -> Demand:
    """Return the confirmation that an amount needs.

    `refuse_above` holds on every profile. `confirm_above` holds on live profiles, where a currency
    without a limit is always typed. Limits of the recipient and of the operator hold on every
    profile.
    """
    if words := refusal_reason(profile, amount, currency, recipient):
        return RefusedAbove(words)
    typed = requires_typing(profile, amount, currency, recipient)
    return TypeAmount(_digits(amount)) if typed else NoDemand()


def demand_of_exchange(
    profile: Profile,
    fixed: Money,
    other: Decimal | None,
    currency: CurrencyCode,
    recipient: RecipientId | None = None,
) -> Demand:
    """Return the stricter demand of both sides; the fixed side's amount is typed.

    Args:
        profile: the profile with the limits.
        fixed: the amount of the fixed side.
        other: the exact or estimated amount of the other side; None if unknown.
        currency: of the other side.
        recipient: the payee; None if it goes to a wallet.
    """
    first = demand(profile, fixed.amount, fixed.currency, recipient)
    if isinstance(first, RefusedAbove):
        return first
    if words := refusal_reason(profile, other, currency, recipient):
        return RefusedAbove(words)
    typed = requires_typing(profile, other, currency, recipient)
    return TypeAmount(_digits(fixed.amount)) if typed else first


def _digits(amount: Decimal) -> str:
    text = plain(amount)
    return text.rstrip("0").rstrip(".") if "." in text else text
