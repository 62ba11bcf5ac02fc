"""Which amounts are typed before they are sent, and which are never sent (design.md, "Confirm")."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from paytui.config.settings import Profile
from paytui.money import CurrencyCode, format_amount, plain


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
    most = profile.refuse_above.get(currency)
    if most is not None and amount > most:
        limit = f"{format_amount(most, currency)} {currency}"
        return RefusedAbove(f"More than {limit}, which is the most that this profile sends.")
    free = profile.confirm_above.get(currency)
    if not profile.live or (free is not None and amount <= free):
        return NoDemand()
    return TypeIt(_digits(amount))


def _digits(amount: Decimal) -> str:
    text = plain(amount)
    return text.rstrip("0").rstrip(".") if "." in text else text
