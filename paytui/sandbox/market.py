"""The rates: one random walk per currency against the dollar, so that all pairs are consistent.

A walk is a sum of layers of noise, each smoother and wider than the one before it, as a Brownian
path is; its value at any time follows from the seed and the time alone.
"""

from __future__ import annotations

import math
from datetime import datetime
from decimal import ROUND_DOWN, Context, Decimal

from paytui.sandbox.clock import SeededRandom
from paytui.sandbox.ledger import CURRENCIES

TICK = 2.0
"""Seconds between two rates, at speed 1."""

STEP = 0.00002
"""The move of a currency in one tick, as a fraction of its price."""

LAYERS = 10
SIGNIFICANT_DIGITS = 6
BASIS_POINT = 0.0001

NOT_QUOTED = frozenset({frozenset({"KWD", "THB"}), frozenset({"PLN", "ZAR"})})
"""Pairs without a market."""

_DOWN = Context(prec=SIGNIFICANT_DIGITS, rounding=ROUND_DOWN)


class Market:
    """The real-time rates of all pairs.

    Args:
        epoch: the time of tick 0.
        speed: divides the time between two ticks; 0 stops the market.
    """

    def __init__(self, chance: SeededRandom, epoch: datetime, speed: float) -> None:
        self._chance = chance
        self._epoch = epoch
        self._speed = speed
        self._spans: dict[tuple[str, int], tuple[int, float, float]] = {}

    def unavailable(self, sell: str, buy: str) -> str | None:
        """Return why a pair has no rate; None if it has one."""
        if sell == buy:
            return "the two currencies are the same"
        for code in (sell, buy):
            if code not in CURRENCIES:
                return f"{code} is not a currency of this service"
        if {sell, buy} in NOT_QUOTED:
            return "nobody quotes this pair at the moment"
        return None

    def rate(self, sell: str, buy: str, now: datetime) -> Decimal:
        """Return the amount of the bought currency for one unit of the sold one (service.md §2)."""
        cost = (CURRENCIES[sell].half_spread + CURRENCIES[buy].half_spread) * BASIS_POINT
        middle = self._dollars(sell, now) / self._dollars(buy, now)
        return _DOWN.create_decimal_from_float(middle * (1 - cost))

    def _dollars(self, code: str, now: datetime) -> float:
        start = CURRENCIES[code].dollars
        if code == "USD":
            return start
        tick = math.floor((now - self._epoch).total_seconds() * self._speed / TICK)
        return start * math.exp(STEP * self._walk(code, tick))

    def _walk(self, code: str, tick: int) -> float:
        return math.fsum(self._layer(code, layer, tick) for layer in range(LAYERS))

    def _layer(self, code: str, layer: int, tick: int) -> float:
        period: int = 4**layer
        index, offset = divmod(tick, period)
        left, right = self._span(code, layer, index)
        return math.sqrt(period) * (left + (right - left) * offset / period)

    def _span(self, code: str, layer: int, index: int) -> tuple[float, float]:
        """Return the noise at both ends of a period; the last one is cached."""
        kept = self._spans.get((code, layer))
        if kept is None or kept[0] != index:
            left = self._chance.noise(code, layer, index)
            kept = (index, left, self._chance.noise(code, layer, index + 1))
            self._spans[code, layer] = kept
        return kept[1:]
