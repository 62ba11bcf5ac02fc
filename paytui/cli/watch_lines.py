"""A change as one line: words that a screen reader reads well, or a JSON object."""

from __future__ import annotations

import json
from datetime import datetime
from decimal import Decimal

from paytui.cli.jsonable import jsonable, utc
from paytui.cli.watch_changes import Change, Happened, Value
from paytui.domain.money import MISSING, CurrencyCode, format_amount, plain

_LABELS = {
    "status": "state",
    "available_balance": "available",
    "reserved_balance": "reserved",
    "pending_balance": "pending",
}
"""What stands before old and new, where it is not plain what they are about."""


def text_line(change: Change, at: datetime) -> str:
    """`2026-03-02T12:00:05Z payment payout 12,000.00 USD (pay-1): state processing → released`."""
    new = "new " if change.happened is Happened.NEW else ""
    about = f"{change.about} ({change.key})" if change.about else change.key
    why = f" ({change.why})" if change.why else ""
    return f"{utc(at.replace(microsecond=0))} {new}{change.kind} {about}: {_what(change)}{why}"


def json_line(change: Change, at: datetime) -> str:
    """One object: times in ISO 8601 UTC, amounts as strings with every digit, null for nothing."""
    return json.dumps(
        {
            "at": utc(at),
            "event": change.happened.value,
            "kind": change.kind,
            "id": change.key,
            "about": change.about or None,
            "field": change.field or None,
            "old": jsonable(change.old),
            "new": jsonable(change.new),
            "currency": change.currency,
            "why": change.why or None,
        },
        ensure_ascii=False,
    )


def _what(change: Change) -> str:
    if change.happened is Happened.GONE:
        return "no longer listed"
    name = _LABELS.get(change.field)
    label = f"{name} " if name else ""
    currency = f" {change.currency}" if change.currency else ""
    old, new = (_word(value, change.currency) for value in (change.old, change.new))
    arrow = f"{old} → " if change.happened is Happened.CHANGED else ""
    return f"{label}{arrow}{new}{currency}"


def _word(value: Value, currency: CurrencyCode | None) -> str:
    if isinstance(value, Decimal):
        return format_amount(value, currency) if currency else plain(value)
    return value or MISSING
