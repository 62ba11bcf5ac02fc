"""Which amounts are typed before they are sent, and which are never sent (architecture.md)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from paytui.config.settings import Profile
from paytui.config.spending_limits import refusal_reason, requires_typing
from paytui.domain.models import RecipientId
from paytui.domain.money import CurrencyCode, Money, plain


@dataclass(frozen=True, slots=True)
class NoDemand:
    """A key is enough."""


@dataclass(frozen=True, slots=True)
class TypeAmount:
    """The amount is to be typed, as `text`: its digits, without grouping and needless zeros."""

    text: str


@dataclass(frozen=True, slots=True)
class RefusedAbove:
    """It is not sent at all; `words` say why, and what would change it."""

    words: str


Demand = NoDemand | TypeAmount | RefusedAbove


def demand(
    profile: Profile,
    amount: Decimal,
    currency: CurrencyCode,
    recipient: RecipientId | None = None,
) -> Demand:
    """What an amount asks of the one who confirms it.

    `refuse_above` holds on every profile; `confirm_above` on live ones, where a currency without
    one is always typed. Limits of whom it goes to, and of the operator, hold on every profile.
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
    """The stricter of what both sides ask; what is typed is the fixed one.

    Args:
        profile: whose limits they are.
        fixed: the side whose amount the service keeps.
        other: what the other side comes to, or about that; None where nobody can tell.
        currency: of the other side.
        recipient: whom it goes to; None: a wallet.
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
