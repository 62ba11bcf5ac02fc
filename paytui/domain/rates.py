"""Prices and pips, rate alerts (`AUD/USD bid above 0.66`), quotes, and the trading day's start."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import NewType, TypeVar

from paytui.domain.models import Problem, RateSheet
from paytui.domain.money import CurrencyCode, Pair, minor_units, plain
from paytui.platform.clock import ServiceTime
from paytui.platform.text import InvalidValue

E = TypeVar("E", bound=StrEnum)

EXAMPLE = "AUD/USD bid above 0.66"

_PAIR = re.compile(r"([A-Z]{3})/([A-Z]{3})")
_LEVEL = re.compile(r"[0-9]{1,12}(\.[0-9]{1,12})?")
_WORDS = 4


class Price(StrEnum):
    """The side of a price: selling the base gets the bid, buying it pays the offer."""

    BID = "bid"
    OFFER = "offer"
    MID = "mid"


_WHOLE_PIPS = frozenset({"IDR", "VND"})
_HUNDREDTH_PIPS = frozenset({"COP", "HUF", "INR", "LKR", "PKR", "THB"})
_MIN_DIGITS = 5  # Significant digits of a price on the board


def pip(quote: CurrencyCode) -> Decimal:
    """Return the pip of a pair by its quote currency, as FX brokers count it.

    It is 0.0001; 0.01 for JPY and other currencies without minor units (CLP, ISK, KRW) and for
    COP, HUF, INR, LKR, PKR and THB; 1 for IDR and VND.
    """
    if quote in _WHOLE_PIPS:
        return Decimal(1)
    if quote in _HUNDREDTH_PIPS or minor_units(quote) == 0:
        return Decimal("0.01")
    return Decimal("0.0001")


@dataclass(frozen=True, slots=True)
class PriceDigits:
    """A price as dealers read it: big figure, two digits of pips, and the digits after them."""

    big: str
    pips: str
    rest: str

    def __str__(self) -> str:
        return f"{self.big}{self.pips}{self.rest}"


def price_digits(price: Decimal, quote: CurrencyCode) -> PriceDigits:
    """Return a price to a tenth of a pip, half-even, with at least five significant digits.

    >>> price_digits(Decimal("0.6518013"), CurrencyCode("USD"))
    PriceDigits(big='0.65', pips='18', rest='0')
    """
    places = -int(pip(quote).as_tuple().exponent)
    decimals = max(places + 1, _MIN_DIGITS - 1 - price.adjusted())
    whole, _, fraction = f"{price:.{decimals}f}".partition(".")
    if places == 0:
        return PriceDigits(whole[:-2], whole[-2:], f".{fraction}")
    big, pips = fraction[: places - 2], fraction[places - 2 : places]
    return PriceDigits(f"{whole}.{big}", pips, fraction[places:])


class Direction(StrEnum):
    """The side of the level that triggers an alert."""

    ABOVE = "above"
    BELOW = "below"


@dataclass(frozen=True, slots=True)
class RateAlert:
    """An alert on one rate.

    Attributes:
        pair: base and quote as written; the price is in units of the quote per unit of the base.
        level: the exact level; only a price strictly beyond it triggers.
    """

    pair: Pair
    price: Price
    way: Direction
    level: Decimal

    def __str__(self) -> str:
        return f"{self.name} {self.level_words}"

    @property
    def name(self) -> str:
        """Return the observed price: `AUD/USD bid`."""
        return f"{self.pair.sell}/{self.pair.buy} {self.price}"

    @property
    def level_words(self) -> str:
        """Return the condition: `above 0.66`."""
        return f"{self.way} {plain(self.level)}"

    @property
    def needs(self) -> tuple[Pair, ...]:
        """Return the pairs, in the service's direction, that the price is computed from."""
        match self.price:
            case Price.BID:
                return (self.pair,)
            case Price.OFFER:
                return (self.pair.reverse,)
            case Price.MID:
                return (self.pair, self.pair.reverse)

    def price_in(self, rates: Mapping[Pair, Decimal]) -> Fraction | None:
        """Return the exact price by rates in units bought per unit sold; None if one is missing."""
        if any(not rates.get(pair) for pair in self.needs):
            return None
        prices = [
            Fraction(rates[pair]) if pair == self.pair else 1 / Fraction(rates[pair])
            for pair in self.needs
        ]
        return sum(prices, Fraction(0)) / len(prices)

    def beyond(self, price: Fraction) -> Fraction:
        """Return the distance of a price beyond the level, as a share of it; negative before."""
        share = price / Fraction(self.level) - 1
        return share if self.way is Direction.ABOVE else -share


def parse_alert(text: str) -> RateAlert:
    """Parse an alert: pair, price, `above` or `below`, level.

    Raise InvalidValue if it is none; the message gives the number of the word.
    """
    words = text.split()
    if len(words) != _WORDS:
        raise InvalidValue("must be four words", f'As in "{EXAMPLE}".')
    pair = _PAIR.fullmatch(words[0].upper())
    if pair is None or pair[1] == pair[2]:
        raise InvalidValue("names no pair of two currencies in word 1", f'As in "{EXAMPLE}".')
    level = Decimal(words[3]) if _LEVEL.fullmatch(words[3]) else Decimal(0)
    if not level:
        raise InvalidValue("names no rate above 0 in word 4", 'Write it in digits, as "0.66".')
    return RateAlert(
        Pair(CurrencyCode(pair[1]), CurrencyCode(pair[2])),
        _one_of(Price, words[1], "price in word 2"),
        _one_of(Direction, words[2], "direction in word 3"),
        level,
    )


def _one_of(known: type[E], word: str, what: str) -> E:
    try:
        return known(word.lower())
    except ValueError:
        names = ", ".join(known)
        raise InvalidValue(f"names no {what}", f"It is one of: {names}.") from None


QuoteId = NewType("QuoteId", int)
"""A number that the requesting screen chooses, new for every request."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A rate sheet of one pair for one screen, which nothing else replaces (architecture.md).

    Sheet and problem, the reason why there is no sheet, are None until the service has answered.
    """

    quote_id: QuoteId
    pair: Pair
    sheet: RateSheet | None = None
    problem: Problem | None = None


def sheet_left(time: ServiceTime, sheet: RateSheet) -> timedelta:
    """Return the time left of a rate sheet, negative once it has expired.

    It is the earliest of three ends: the service's `expires_at`, the service's lifetime and the
    dialect's longest lifetime, both counted from the request.
    """
    lifetime = sheet.lifetime
    if sheet.created_at is not None and sheet.created_at < sheet.expires_at:
        lifetime = min(lifetime, sheet.expires_at - sheet.created_at)
    return time.remaining(sheet.expires_at, sheet.sent_at, lifetime)


PLAUSIBLE = timedelta(minutes=2)
"""Longest distance of a sheet's stated time from its request, by the service's clock."""


def sheet_time(time: ServiceTime, sheet: RateSheet) -> datetime:
    """Return the service time of a sheet; one without a plausible time counts as requested."""
    age = timedelta(seconds=time.clock.boot() - sheet.sent_at)
    requested, made = time.latest() - age, sheet.created_at
    return made if made is not None and abs(made - requested) < PLAUSIBLE else requested


_DAY_START = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9]) (\S+)")
_DAY_REMEDY = 'Write it as "07:00 Australia/Sydney" or "00:00 UTC".'


@dataclass(frozen=True, slots=True)
class DayStart:
    """The start of a trading day: `07:00 Australia/Sydney`."""

    at: time = time(0)
    zone: tzinfo = UTC
    zone_name: str = "UTC"

    def __str__(self) -> str:
        return f"{self.at:%H:%M} {self.zone_name}"

    @property
    def short(self) -> str:
        """Return a shorter form: `07:00 Sydney`."""
        return f"{self.at:%H:%M} {self.zone_name.rpartition('/')[2].replace('_', ' ')}"

    def begun(self, now: datetime) -> datetime:
        """Return the start in UTC of the day that contains `now`, across clock changes."""
        today = now.astimezone(self.zone).date()
        began = self._begin(today)
        return began if began <= now else self._begin(today - timedelta(days=1))

    def _begin(self, day: date) -> datetime:
        return datetime.combine(day, self.at, self.zone).astimezone(UTC)


def parse_day_start(text: str) -> DayStart:
    """Parse a time of day and a zone of the tz database; raise InvalidValue if it is none."""
    match = _DAY_START.fullmatch(text)
    if match is None:
        raise InvalidValue("must be a time of day and a time zone", _DAY_REMEDY)
    at, name = time(int(match[1]), int(match[2])), match[3]
    if name == "UTC":  # works without a tz database
        return DayStart(at)
    from zoneinfo import ZoneInfo

    try:
        return DayStart(at, ZoneInfo(name), name)
    except (KeyError, ValueError, OSError):  # the name may also be a path or a folder
        raise InvalidValue("names no time zone that this machine knows", _DAY_REMEDY) from None
