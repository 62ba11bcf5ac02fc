"""What is known of a pair's rate, without asking for one."""

from __future__ import annotations

from decimal import Decimal

from paytui.domain.models import RateSheet
from paytui.domain.money import Pair
from paytui.store.store import Store


def rate_of(sheet: RateSheet, pair: Pair) -> Decimal | None:
    """What a sheet prices a pair at."""
    return next((rate.rate for rate in sheet.rates if rate.pair == pair), None)


def last_known_rate(store: Store, pair: Pair) -> Decimal | None:
    """The newest rate of a pair on any sheet that was asked for, ended or not; it binds nobody."""
    asked = (quote.sheet for quote in store.quotes.rows() if quote.sheet is not None)
    known = (*store.rate_sheets.rows(), *asked)
    sheets = sorted(known, key=lambda sheet: sheet.sent_at, reverse=True)
    return next((rate for sheet in sheets if (rate := rate_of(sheet, pair)) is not None), None)
