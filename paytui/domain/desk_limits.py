"""The limits of a desk: what a colleague approves before it is sent, and what is sent in a day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from paytui.domain.money import CurrencyCode
from paytui.domain.rates import DayStart

Amounts = Mapping[CurrencyCode, Decimal]

OVER_REMEDY = "Nothing was executed. Send less, or wait for the new day."


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskLimits:
    """The limits of one service; without amounts there are none.

    Attributes:
        above: amounts above which it must be approved.
        needs: the number of colleagues who must approve.
        within: the time in which it must be approved and sent.
        at_most, per_trader, per_recipient: amounts of one day.
        starts: the beginning of the day.
    """

    above: Amounts = field(default_factory=dict)
    needs: int = 1
    within: timedelta = timedelta(hours=1)
    at_most: Amounts = field(default_factory=dict)
    per_trader: Amounts = field(default_factory=dict)
    per_recipient: Amounts = field(default_factory=dict)
    starts: DayStart = field(default_factory=DayStart)


@dataclass(frozen=True, slots=True)
class Charge:
    """An amount that a trader sent in a day; to a recipient, if one was paid.

    Attributes:
        is_own: the trader's role of the database is that of this program.
    """

    trader: str
    is_own: bool
    recipient: str | None
    currency: CurrencyCode
    amount: Decimal


@dataclass(frozen=True, slots=True)
class DayUse:
    """The amounts that count for the limits of the day of `at`, service time."""

    charges: tuple[Charge, ...]
    at: datetime
