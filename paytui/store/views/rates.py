"""The rates of sheets beside the market's way of writing them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Context, Decimal
from enum import StrEnum

from paytui.domain.models import RateSheet
from paytui.domain.money import DESK_ORDER, CurrencyCode, Pair, inverse
from paytui.store.store import Store

_EXACT = Context(prec=120)


class Side(StrEnum):
    """Which of the market's two prices a rate is; the client sells the base at the bid."""

    BID = "bid"
    OFFER = "offer"


@dataclass(frozen=True, slots=True)
class RateRow:
    """One rate of a sheet, beside the market's way of writing it.

    Attributes:
        rate: 1 sold = so many bought, every digit that the wire gave (service.md §2).
        market: the market's pair, base first: `AUD/USD`.
        market_rate: the rate in the market's direction: `rate`, or its inverse.
        side: bid or offer, only where the sheet holds both directions.
        inverse: 1 bought = so many sold; None where there is none.
        change: against the sheet before; 0 = unchanged, None = it did not hold the pair.
    """

    pair: Pair
    rate: Decimal
    market: str
    market_rate: Decimal | None
    side: Side | None
    inverse: Decimal | None
    change: Decimal | None


def newest_sheets(store: Store) -> tuple[RateSheet | None, RateSheet | None]:
    """The newest rate sheet, which may have ended, and the one before it."""
    sheets = sorted(store.rate_sheets.rows(), key=lambda sheet: sheet.sent_at)
    *_, before, newest = (None, None, *sheets)
    return newest, before


def rate_rows(
    sheet: RateSheet,
    before: RateSheet | None,
    order: tuple[CurrencyCode, ...] = DESK_ORDER,
) -> list[RateRow]:
    """The rates of a sheet in its own order, compared with the sheet before it."""
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


# What is known of a pair's rate, without asking for one.


def rate_of(sheet: RateSheet, pair: Pair) -> Decimal | None:
    """What a sheet prices a pair at."""
    return next((rate.rate for rate in sheet.rates if rate.pair == pair), None)


def last_known_rate(store: Store, pair: Pair) -> Decimal | None:
    """The newest rate of a pair on any sheet that was asked for, ended or not; it binds nobody."""
    asked = (quote.sheet for quote in store.quotes.rows() if quote.sheet is not None)
    known = (*store.rate_sheets.rows(), *asked)
    sheets = sorted(known, key=lambda sheet: sheet.sent_at, reverse=True)
    return next((rate for sheet in sheets if (rate := rate_of(sheet, pair)) is not None), None)
