"""Rate alerts: each live sheet is compared with the alerts; a crossing is reported once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Context, Decimal
from fractions import Fraction

from paytui.domain.models import RateSheet
from paytui.domain.money import Pair, significant
from paytui.domain.rates import RateAlert, sheet_left
from paytui.platform.clock import ServiceTime
from paytui.store.rate_board import newest_sheets
from paytui.store.store import Store

BACK_BY = Fraction(5, 10_000)
"""Share of the level by which a price must come back before a crossing is reported again."""

_SHOWN = Context(prec=7)


@dataclass(frozen=True, slots=True)
class Crossing:
    """A price beyond an alert's level; `at`: service time when it was first seen there."""

    alert: RateAlert
    price: Fraction
    at: datetime

    @property
    def price_words(self) -> str:
        """Return the price to seven significant digits: `0.661200`."""
        numerator, denominator = Decimal(self.price.numerator), Decimal(self.price.denominator)
        return significant(_SHOWN.divide(numerator, denominator))

    @property
    def words(self) -> str:
        """Return the headline: `AUD/USD bid 0.661200, above 0.66`."""
        return f"{self.alert.name} {self.price_words}, {self.alert.level_words}"


class AlertWatch:
    """Follows the newest sheet while it is live.

    A price that is beyond its level at the start is reported, too: the crossing may be unseen.
    The alerts that the newest sheet has no price for are `unpriced`; those that it watches for are
    `alerts`: those of the configuration, and what the trader added in this session.
    """

    def __init__(self, store: Store, time: ServiceTime, alerts: Sequence[RateAlert]) -> None:
        self._store = store
        self._time = time
        self.alerts = tuple(alerts)
        self._beyond: dict[RateAlert, Crossing] = {}
        self._judged: RateSheet | None = None
        self.unpriced: tuple[RateAlert, ...] = ()

    @property
    def needs(self) -> tuple[Pair, ...]:
        """Return the pairs that the alerts need priced all day."""
        return tuple(dict.fromkeys(pair for alert in self.alerts for pair in alert.needs))

    @property
    def standing(self) -> tuple[Crossing, ...]:
        """Return the alerts that crossed and have not come back."""
        return tuple(self._beyond.values())

    def add(self, alert: RateAlert) -> None:
        """Watch for another alert until the session ends."""
        self.alerts = tuple(dict.fromkeys((*self.alerts, alert)))
        self._judged = None

    def remove(self, alert: RateAlert) -> None:
        """Watch for an alert no longer until the session ends."""
        self.alerts = tuple(one for one in self.alerts if one != alert)
        self.unpriced = tuple(one for one in self.unpriced if one != alert)
        self._beyond.pop(alert, None)

    def poll(self) -> list[Crossing]:
        if not self.alerts:
            return []
        sheet, _ = newest_sheets(self._store)
        if sheet is None or sheet == self._judged or sheet_left(self._time, sheet) <= timedelta(0):
            return []
        self._judged = sheet
        return list(self._judge(sheet))

    def _judge(self, sheet: RateSheet) -> Iterator[Crossing]:
        rates = {rate.pair: rate.rate for rate in sheet.rates}
        self.unpriced = tuple(one for one in self.alerts if one.price_in(rates) is None)
        for alert in self.alerts:
            price = alert.price_in(rates)
            if price is None:
                continue
            before, beyond = self._beyond.get(alert), alert.beyond(price)
            if before is None and beyond > 0:
                self._beyond[alert] = Crossing(alert, price, self._time.latest())
                yield self._beyond[alert]
            elif before is not None and beyond < -BACK_BY:
                del self._beyond[alert]
            elif before is not None:
                self._beyond[alert] = Crossing(alert, price, before.at)
