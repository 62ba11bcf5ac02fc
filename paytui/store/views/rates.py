"""The rates of rate sheets, also in the market's quoting direction."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Context, Decimal
from enum import StrEnum

from paytui.domain.models import RateSheet
from paytui.domain.money import DESK_ORDER, CurrencyCode, Pair, inverse
from paytui.store.store import Store

_EXACT = Context(prec=120)


class Side(StrEnum):
    """The side of the market's price; the client sells the base currency at the bid."""

    BID = "bid"
    OFFER = "offer"


@dataclass(frozen=True, slots=True)
class RateRow:
    """One rate of a sheet, also in the market's quoting direction.

    Attributes:
        rate: bought per sold, with every digit that the service sent (service.md §2).
        market: the market's pair, base first: `AUD/USD`.
        market_rate: the rate in the market's direction: `rate`, or its inverse.
        side: bid or offer, only if the sheet holds both directions.
        inverse: sold per bought; None if there is none.
        change: difference from the previous sheet; None if that did not hold the pair.
    """

    pair: Pair
    rate: Decimal
    market: str
    market_rate: Decimal | None
    side: Side | None
    inverse: Decimal | None
    change: Decimal | None


def newest_sheets(store: Store) -> tuple[RateSheet | None, RateSheet | None]:
    """Return the newest rate sheet, which may have expired, and the one before it."""
    sheets = sorted(store.rate_sheets.rows(), key=lambda sheet: sheet.sent_at)
    *_, before, newest = (None, None, *sheets)
    return newest, before


def rate_rows(
    sheet: RateSheet,
    before: RateSheet | None,
    order: tuple[CurrencyCode, ...] = DESK_ORDER,
) -> list[RateRow]:
    """Return the rates of a sheet in its own order, compared with the sheet before it."""
    earlier = {rate.pair: rate.rate for rate in before.rates} if before else {}
    held = {rate.pair for rate in sheet.rates}
    return [
        _rate_row(rate.pair, rate.rate, earlier.get(rate.pair), held, order) for rate in sheet.rates
    ]


def _rate_row(
    pair: Pair,
    rate: Decimal,
    earlier: Decimal | None,
    held: set[Pair],
    order: tuple[CurrencyCode, ...],
) -> RateRow:
    sells_base, turned = pair.sells_base(order), inverse(rate)
    side = (Side.BID if sells_base else Side.OFFER) if pair.reverse in held else None
    return RateRow(
        pair=pair,
        rate=rate,
        market=pair.market(order),
        market_rate=rate if sells_base else turned,
        side=side,
        inverse=turned,
        change=None if earlier is None else _EXACT.subtract(rate, earlier),
    )


def rate_of(sheet: RateSheet, pair: Pair) -> Decimal | None:
    """Return a sheet's rate of a pair."""
    return next((rate.rate for rate in sheet.rates if rate.pair == pair), None)


def last_known_rate(store: Store, pair: Pair) -> Decimal | None:
    """Return the newest rate of a pair on any known sheet, expired or not; it is indicative."""
    asked = (quote.sheet for quote in store.quotes.rows() if quote.sheet is not None)
    known = (*store.rate_sheets.rows(), *asked)
    sheets = sorted(known, key=lambda sheet: sheet.sent_at, reverse=True)
    return next((rate for sheet in sheets if (rate := rate_of(sheet, pair)) is not None), None)
