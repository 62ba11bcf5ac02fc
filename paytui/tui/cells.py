"""Cells of columns: how values of the models look in a list."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from paytui.domain.money import MISSING, CurrencyCode, format_amount, plain
from paytui.platform.clock import Zone
from paytui.tui.times import short_time
from paytui.tui.tone import Cell, Tone

LONGEST_AMOUNT = 32
"""Characters of an amount in a list: 15 digits in groups, the most that is ever sent, and more.
One beyond any money would take the room of all that stands beside it."""

_TOO_LONG = Cell("too long, open it", Tone.CLOSING)
"""Words, since a part of a figure would read as another figure."""


def text_cell(text: str | None, tone: Tone = Tone.INK) -> Cell:
    """Words as they came."""
    return Cell(text, tone) if text else Cell(MISSING, Tone.FAINT)


def amount_cell(amount: Decimal | None, currency: CurrencyCode | None) -> Cell:
    """An amount, whole, or words that it is elsewhere; nothing is fainter than something."""
    if amount is None:
        return Cell(MISSING, Tone.FAINT)
    written = format_amount(amount, currency) if currency else plain(amount)
    if len(written) > LONGEST_AMOUNT:
        return _TOO_LONG
    return Cell(written, Tone.INK if amount else Tone.FAINT)


def time_cell(moment: datetime | None, zone: Zone) -> Cell:
    """Day and minute."""
    return Cell(short_time(moment, zone), Tone.MUTED if moment else Tone.FAINT)
