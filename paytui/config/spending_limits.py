"""Spending limits: amounts that a trader types again, and amounts that are never sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from decimal import Decimal

from paytui.config.settings import AmountLimits, ApprovalSettings, DaySettings, Limits, Profile
from paytui.domain.desk_limits import DeskLimits
from paytui.domain.intent import IntentTerms
from paytui.domain.models import RecipientId
from paytui.domain.money import CurrencyCode, Pair, exact_other_amount, format_amount, other_amount
from paytui.store.rate_board import last_known_rate
from paytui.store.store import Store


def requires_typing(
    profile: Profile, amount: Decimal | None, currency: CurrencyCode, recipient: RecipientId | None
) -> bool:
    """Return True if the trader types the amount before it is sent; None is an unknown amount."""
    if profile.live and _is_over(profile.confirm_above, amount, currency, unlisted=True):
        return True
    others = (profile.always_typed_above, _bounds(profile, recipient).confirm_above)
    return any(_is_over(limits, amount, currency, unlisted=False) for limits in others)


def refusal_reason(
    profile: Profile, amount: Decimal | None, currency: CurrencyCode, recipient: RecipientId | None
) -> str:
    """Return the reason why an amount is refused, or ""; None is an unknown amount."""
    of_recipient = _bounds(profile, recipient).refuse_above
    limits = (
        ("this profile sends", "this profile sends at most", profile.refuse_above),
        ("goes to this recipient", "to this recipient goes at most", of_recipient),
    )
    for sends, at_most, most in limits:
        allowed = most.get(_listed(currency))
        if allowed is not None and _is_over(most, amount, currency, unlisted=False):
            limit = f"{format_amount(allowed, currency)} {currency}"
            if amount is None:
                return f"No rate is known to convert it to {currency}, and {at_most} {limit}."
            return f"Over {limit}, the most that {sends}."
    return ""


def intent_refusal_reason(profile: Profile, store: Store, terms: IntentTerms) -> str:
    """Return the reason why an intent is refused, or ""; both sides of a trade are checked."""
    for amount, currency in sides_of(store, terms):
        if words := refusal_reason(profile, amount, currency, terms.recipient_id):
            return words
    return ""


def desk_limits(profile: Profile) -> DeskLimits | None:
    """Return the limits that a profile has for its desk; None if it leaves them to the desk."""
    desk = profile.desk
    if desk is None or (desk.approval is None and desk.day is None):
        return None
    approval, day = desk.approval or ApprovalSettings(), desk.day or DaySettings()
    return DeskLimits(**approval.entries(), **day.entries())


def needs_approval(store: Store, terms: IntentTerms) -> bool:
    """Return True if the desk lets an intent leave only after a colleague has approved it.

    The side of a trade that is not fixed counts unrounded, as the desk's database counts it.
    """
    above, sides = store.desk_limits.above, sides_of(store, terms, other=exact_other_amount)
    return any(_is_over(above, *side, unlisted=False) for side in sides)


def day_limit(
    store: Store, terms: IntentTerms, now: datetime, maker: str = ""
) -> tuple[bool, str] | None:
    """Return True if an intent would exceed a limit of the day, and the limit's use in words.

    It is the limit of which least would be left. None: no limit applies, or its use is not known.
    `maker` is the role that sends the intent, if it is not our own.
    """
    use, limits, paid = store.day_use, store.desk_limits, terms.recipient_id
    if use is None:
        return None
    charges = use.charges if use.at >= limits.starts.begun(now) else ()
    of_maker = [each for each in charges if (each.trader == maker if maker else each.is_own)]
    of_recipient = [each for each in charges if paid and each.recipient == paid]
    scopes = (
        ("the desk's", limits.at_most, charges),
        (f"{maker}'s" if maker else "your", limits.per_trader, of_maker),
        ("the recipient's", limits.per_recipient if paid else {}, of_recipient),
    )
    sides = [*sides_of(store, terms, other=exact_other_amount)]
    found = []
    for amount, spelled in sides if terms.rate else sides[:1]:  # as the desk's database counts
        code = _listed(spelled)
        for whose, at_most, counted in scopes:
            if amount is not None and code in at_most:
                used = sum((each.amount for each in counted if each.currency == code), Decimal())
                left = at_most[code] - used
                figures = (used, at_most[code], max(left, Decimal()))
                of_used, of_most, of_left = (format_amount(each, code) for each in figures)
                words = f"{whose} limit of the day: {of_used} of {of_most} {code} used"
                found.append((left - amount, f"{words}, {of_left} left"))
    if not found:
        return None
    after, words = min(found)
    return after < 0, f"{words}; a new day starts {limits.starts.short}"


def sides_of(
    store: Store,
    terms: IntentTerms,
    *,
    other: Callable[[Pair, CurrencyCode, Decimal, Decimal | None], Decimal | None] = other_amount,
) -> Iterator[tuple[Decimal | None, CurrencyCode]]:
    """Yield the fixed amount and, of a trade, the `other` at its locked or last known rate."""
    fixed, amount = terms.currency, terms.amount
    if fixed is None or amount is None:
        return
    yield amount, fixed
    if terms.sell_currency is not None and terms.buy_currency is not None:
        pair = Pair(terms.sell_currency, terms.buy_currency)
        rate = terms.rate or last_known_rate(store, pair)
        turned = pair.buy if fixed == pair.sell else pair.sell
        yield other(pair, fixed, amount, rate), turned


def _bounds(profile: Profile, recipient: RecipientId | None) -> AmountLimits:
    return profile.recipients.get(recipient or "", AmountLimits())


def _is_over(
    limits: Limits, amount: Decimal | None, currency: CurrencyCode, *, unlisted: bool
) -> bool:
    most = limits.get(_listed(currency))
    return unlisted if most is None else amount is None or amount > most


def _listed(currency: CurrencyCode) -> CurrencyCode:
    """Return the currency as limits spell it: a service may send `aud`."""
    return CurrencyCode(currency.strip().upper())
