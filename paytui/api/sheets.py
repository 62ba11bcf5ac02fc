"""Rates that can be dealt on: what a sheet holds beside them is counted and left out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from paytui.domain.models import Rate, RateSheet
from paytui.domain.money import Pair


def only_dealable(sheet: RateSheet, told: int, asked: Collection[Pair] | None) -> RateSheet:
    """A sheet with one positive rate at the most for each pair, and none that nobody asked for.

    Args:
        sheet: as it was read.
        told: how many rates the service sent, readable or not.
        asked: the pairs that it is to hold; None where any will do.
    """
    dealable: dict[Pair, Rate] = {}
    for rate in sheet.rates:
        pair = rate.pair
        if rate.rate > 0 and pair.sell != pair.buy and (asked is None or pair in asked):
            dealable.setdefault(pair, rate)
    return replace(sheet, rates=tuple(dealable.values()), skipped=told - len(dealable))
