"""A rate that a trader waits for, as it is written: `AUD/USD bid above 0.66`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import NewType, TypeVar

from paytui.domain.models import Problem, RateSheet
from paytui.domain.money import CurrencyCode, Pair, plain
from paytui.platform.clock import ServiceTime

E = TypeVar("E", bound=StrEnum)

EXAMPLE = "AUD/USD bid above 0.66"

_PAIR = re.compile(r"([A-Z]{3})/([A-Z]{3})")
_LEVEL = re.compile(r"[0-9]{1,12}(\.[0-9]{1,12})?")
_WORDS = 4


class Price(StrEnum):
    """Of a pair: whoever sells its base gets the bid, whoever buys it pays the offer."""

    BID = "bid"
    OFFER = "offer"
    MID = "mid"


class Direction(StrEnum):
    """On which side of the level it is news."""

    ABOVE = "above"
    BELOW = "below"


class NotAnAlert(ValueError):
    """A text that is no alert.

    Attributes:
        message: what is wrong and in which word, as a clause; never a word of the text itself.
        remedy: what to do, as a sentence.
    """

    def __init__(self, message: str, remedy: str) -> None:
        self.message = message
        self.remedy = remedy
        super().__init__(f"{message}. {remedy}")


@dataclass(frozen=True, slots=True)
class RateAlert:
    """One rate to wait for.

    Attributes:
        pair: base and quote as they were written: 1 of the base costs so many of the quote.
        level: strictly beyond it is news; exact.
    """

    pair: Pair
    price: Price
    way: Direction
    level: Decimal

    def __str__(self) -> str:
        return f"{self.name} {self.level_words}"

    @property
    def name(self) -> str:
        """What is looked at: `AUD/USD bid`."""
        return f"{self.pair.sell}/{self.pair.buy} {self.price}"

    @property
    def level_words(self) -> str:
        """What is waited for: `above 0.66`."""
        return f"{self.way} {plain(self.level)}"

    @property
    def needs(self) -> tuple[Pair, ...]:
        """The pairs, in the service's direction, without which nobody knows the price."""
        match self.price:
            case Price.BID:
                return (self.pair,)
            case Price.OFFER:
                return (self.pair.reverse,)
            case Price.MID:
                return (self.pair, self.pair.reverse)

    def price_in(self, rates: Mapping[Pair, Decimal]) -> Fraction | None:
        """The price, exactly, by rates of 1 sold = so many bought; None where one is lacking."""
        if any(not rates.get(pair) for pair in self.needs):
            return None
        prices = [
            Fraction(rates[pair]) if pair == self.pair else 1 / Fraction(rates[pair])
            for pair in self.needs
        ]
        return sum(prices, Fraction(0)) / len(prices)

    def beyond(self, price: Fraction) -> Fraction:
        """How far a price is beyond the level, as a share of it; negative: it is not there yet."""
        share = price / Fraction(self.level) - 1
        return share if self.way is Direction.ABOVE else -share


def parse_alert(text: str) -> RateAlert:
    """An alert as it stands in a configuration: pair, price, `above` or `below`, level.

    Raises:
        NotAnAlert: it is none; the message names the word.
    """
    words = text.split()
    if len(words) != _WORDS:
        raise NotAnAlert("must be four words", f'As in "{EXAMPLE}".')
    pair = _PAIR.fullmatch(words[0].upper())
    if pair is None or pair[1] == pair[2]:
        raise NotAnAlert("names no pair of two currencies in word 1", f'As in "{EXAMPLE}".')
    level = Decimal(words[3]) if _LEVEL.fullmatch(words[3]) else Decimal(0)
    if not level:
        raise NotAnAlert("names no rate above 0 in word 4", 'Write it in digits, as "0.66".')
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
        raise NotAnAlert(f"names no {what}", f"It is one of: {names}.") from None


# A price asked for by one screen, which nothing swaps underneath it (architecture.md).

QuoteId = NewType("QuoteId", int)
"""Made by whoever asks, a new one for every request."""


@dataclass(frozen=True, slots=True)
class Quote:
    """The result of a request for a rate sheet of one pair.

    Attributes:
        sheet: with the pair's rate, or with the reason why there is none.
        problem: why there is no sheet. Both are None until the service has answered.
    """

    quote_id: QuoteId
    pair: Pair
    sheet: RateSheet | None = None
    problem: Problem | None = None


def sheet_left(time: ServiceTime, sheet: RateSheet) -> timedelta:
    """Return the time left of a rate sheet, negative once it is over.

    The earliest of three ends holds: the one that the service tells, the lifetime that it tells,
    and the longest lifetime of the dialect, both counted from the request.
    """
    lifetime = sheet.lifetime
    if sheet.created_at is not None and sheet.created_at < sheet.expires_at:
        lifetime = min(lifetime, sheet.expires_at - sheet.created_at)
    return time.remaining(sheet.expires_at, sheet.sent_at, lifetime)
