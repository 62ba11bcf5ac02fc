"""Mandates: trades that colleagues let a trader book, up to an amount and down to a rate."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_CEILING, Context, Decimal

from paytui.domain.money import Exchange, Money, Pair, format_amount, minor_units, plain

LONGEST = timedelta(days=1)  # The schema has it too
_UP = Context(prec=120, rounding=ROUND_CEILING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mandate:
    """A permission to trade one pair in one direction.

    Attributes:
        up_to: the most of this side of all its trades together.
        worst: the lowest rate, in units bought for each unit sold.
        lasts: the time from its proposal until it ends.
    """

    pair: Pair
    up_to: Money
    worst: Decimal
    lasts: timedelta

    @property
    def body(self) -> bytes:
        """The exact bytes that colleagues approve; the database reads them."""
        return json.dumps(
            {
                "sell": self.pair.sell,
                "buy": self.pair.buy,
                "currency": self.up_to.currency,
                "up_to": plain(self.up_to.amount),
                "rate": plain(self.worst),
                "seconds": int(self.lasts.total_seconds()),
            }
        ).encode()


def counted(mandate: Mandate, trade: Exchange) -> Decimal | None:
    """Return the amount of a mandate that a trade uses; None without a rate.

    A side that is not fixed is rounded up, since the service rounds it when it books.
    """
    limited = mandate.up_to.currency
    if trade.fixed.currency == limited:
        return trade.amount
    if not trade.rate:
        return None
    is_sold = trade.fixed.currency == trade.pair.sell
    exact = (_UP.multiply if is_sold else _UP.divide)(trade.amount, trade.rate)
    return exact.quantize(Decimal(1).scaleb(-minor_units(limited)), context=_UP)


def why_outside(
    mandate: Mandate, trade: Exchange, *, left: Decimal, until: datetime, now: datetime
) -> str:
    """Return why a trade at a locked rate is not within a mandate; empty if it is.

    Args:
        left: the amount of the mandate that is not used yet.
        until, now: service time.
    """
    if trade.pair != mandate.pair:
        return f"it is for {mandate.pair.sell} > {mandate.pair.buy}"
    if now >= until:
        return "its time is over"
    if trade.rate is None:
        return "it needs a locked rate"
    if trade.rate < mandate.worst:
        return f"the rate {plain(trade.rate)} is below {plain(mandate.worst)}"
    uses = counted(mandate, trade)
    if uses is None or uses > left:
        currency = mandate.up_to.currency
        return f"only {format_amount(left, currency)} {currency} of it are left"
    return ""
