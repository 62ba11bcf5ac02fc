"""The board of rates: bid and offer of each pair in the market's direction, by rate sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from paytui.domain.models import RateSheet, Wallet
from paytui.domain.money import DESK_ORDER, EXACT, CurrencyCode, Pair, inverse
from paytui.domain.rates import Price, pip, price_digits
from paytui.store.store import Store

OFFER_DIGITS = 12  # Significant digits of an offer, which is the inverse of the service's rate


@dataclass(frozen=True, slots=True)
class RateDay:
    """The history of one price.

    Attributes:
        first, low, high: of the day so far; None if no sheet of the day is known.
        since: the time of `first`.
        trail: the last price in each quarter of an hour of the last 24 hours; None where none is
            known.
    """

    first: Decimal | None = None
    low: Decimal | None = None
    high: Decimal | None = None
    since: datetime | None = None
    trail: tuple[Decimal | None, ...] = ()


NO_HISTORY = RateDay()

HistoryOf = Callable[[Pair, Price], RateDay]
"""Returns the history of the bid or offer of a pair whose base is sold."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A pair of the market with both prices, in units of the quote currency.

    Attributes:
        pair: in the direction that sells the base.
        sold: the service's rate of selling the base, which is the bid; None if it has none.
        bought: the service's rate of buying the base: units of the base per unit of the quote.
        change: of `leading`, since the sheet before; None if that did not price it.
        day: the history of `leading`.
        reason: why the service does not price a side.
        is_watched: False for a pair that is priced because a currency is held.
    """

    pair: Pair
    sold: Decimal | None
    bought: Decimal | None
    change: Decimal | None = None
    day: RateDay = NO_HISTORY
    reason: str | None = None
    is_watched: bool = True

    @property
    def offer(self) -> Decimal | None:
        return None if self.bought is None else inverse(self.bought, OFFER_DIGITS)

    def price(self, side: Price) -> Decimal | None:
        return self.offer if side is Price.OFFER else self.sold

    def rate(self, side: Price) -> Decimal | None:
        """Return the service's rate of a side, with all its digits."""
        return self.bought if side is Price.OFFER else self.sold

    def direction(self, side: Price) -> Pair:
        """Return the pair of a side in the service's direction."""
        return self.pair.reverse if side is Price.OFFER else self.pair

    @property
    def leading(self) -> Price:
        """The price that change, day and trail are of: the bid, else the only one there is."""
        return Price.BID if self.bought is None or self.sold is not None else Price.OFFER

    @property
    def spread(self) -> Decimal | None:
        """The spread in pips of bid and offer as they are shown; None with one side."""
        if self.sold is None or self.offer is None:
            return None
        prices = (price_digits(price, self.pair.buy) for price in (self.sold, self.offer))
        bid, offer = (Decimal(str(price)) for price in prices)
        return self.pips(EXACT.subtract(offer, bid))

    @property
    def today(self) -> Decimal | None:
        """The change since the first sheet of the day that is known."""
        now, first = self.price(self.leading), self.day.first
        return None if now is None or first is None else EXACT.subtract(now, first)

    def pips(self, difference: Decimal) -> Decimal:
        return EXACT.divide(difference, pip(self.pair.buy))


def board_rows(
    sheet: RateSheet,
    before: RateSheet | None,
    watched: Iterable[Pair] = (),
    order: Sequence[CurrencyCode] = DESK_ORDER,
    history: HistoryOf = lambda *_: NO_HISTORY,
) -> list[BoardRow]:
    """Return the pairs of a sheet: those that are watched in that order, then all others."""
    rates, reasons = sheet.by_pair, {one.pair: one.reason for one in sheet.unavailable}
    earlier = before.by_pair if before else {}
    on_sheet = dict.fromkeys(pair.base_sold(order) for pair in (*rates, *reasons))
    first = {pair: None for pair in (each.base_sold(order) for each in watched) if pair in on_sheet}
    rows: list[BoardRow] = []
    for pair in {**first, **on_sheet}:
        row = BoardRow(pair, rates.get(pair), rates.get(pair.reverse))
        was = BoardRow(pair, earlier.get(pair), earlier.get(pair.reverse)).price(row.leading)
        now = row.price(row.leading)
        rows.append(
            replace(
                row,
                change=None if now is None or was is None else EXACT.subtract(now, was),
                day=history(pair, row.leading),
                reason=reasons.get(pair) or reasons.get(pair.reverse),
                is_watched=pair in first,
            )
        )
    return rows


def pairs_to_price(
    watched: Iterable[Pair], wallets: Iterable[Wallet], reporting: CurrencyCode | None
) -> tuple[Pair, ...]:
    """Return the pairs of one rate sheet, each with its reverse, so that it has a bid and an offer.

    With a reporting currency, the pairs of all wallets' currencies against it follow: what is held
    or comes in can be valued.
    """
    pairs = [each for pair in watched for each in (pair, pair.reverse)]
    if reporting is not None:
        held = sorted({wallet.currency for wallet in wallets if wallet.currency} - {reporting})
        pairs += [each for code in held for each in (Pair(code, reporting), Pair(reporting, code))]
    return tuple(dict.fromkeys(pairs))


def newest_sheets(store: Store) -> tuple[RateSheet | None, RateSheet | None]:
    """Return the newest rate sheet, which may have expired, and the one before it."""
    sheets = sorted(store.rate_sheets.rows(), key=lambda sheet: sheet.sent_at)
    *_, before, newest = (None, None, *sheets)
    return newest, before


def last_known_rate(store: Store, pair: Pair) -> Decimal | None:
    """Return the newest rate of a pair on any known sheet, expired or not; it is indicative."""
    asked = (quote.sheet for quote in store.quotes.rows() if quote.sheet is not None)
    known = (*store.rate_sheets.rows(), *asked)
    sheets = sorted(known, key=lambda sheet: sheet.sent_at, reverse=True)
    rates = (sheet.by_pair.get(pair) for sheet in sheets)
    return next((rate for rate in rates if rate is not None), None)
