"""Derived figures for screens and `status`.

They are pure functions of the store and of a given time. Amounts of different currencies are never
added.
"""

from __future__ import annotations

from paytui.store.views.attention import (
    Attention,
    Urgency,
    attention_is_known,
    needs_attention,
)
from paytui.store.views.figures import CurrencyTotal, totals
from paytui.store.views.names import (
    account_name,
    account_title,
    payin_owner,
    recipient_name,
    recipient_title,
    wallet_label,
)
from paytui.store.views.rates import RateRow, Side, newest_sheets, rate_rows

__all__ = [
    "Attention",
    "CurrencyTotal",
    "RateRow",
    "Side",
    "Urgency",
    "account_name",
    "account_title",
    "attention_is_known",
    "needs_attention",
    "newest_sheets",
    "payin_owner",
    "rate_rows",
    "recipient_name",
    "recipient_title",
    "totals",
    "wallet_label",
]
