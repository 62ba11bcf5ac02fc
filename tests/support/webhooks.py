"""Webhooks for screens, written by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from paytui.domain.models import Kind
from paytui.store.screen_rows import EventRow, Trust
from tests.support.clock import NOON


def event(number: int, trust: Trust = Trust.VERIFIED, **changes: object) -> EventRow:
    """Return a webhook that names payment 2, so many minutes after eleven."""
    row = EventRow(
        number,
        NOON - timedelta(minutes=60 - number),
        trust,
        event_type="payment.released",
        object_kind=Kind.PAYMENTS,
        object_id="pay-2",
        event_id=f"evt-{number}",
        created_at=NOON - timedelta(minutes=60 - number, seconds=3),
        caused="processing → released",
    )
    return replace(row, **changes)  # type: ignore[arg-type]  # fields of a row


def forged(number: int, times: int = 1) -> EventRow:
    return event(
        number,
        Trust.FORGED,
        times=times,
        event_type=None,
        object_kind=None,
        object_id=None,
        event_id=None,
        created_at=None,
        caused="",
        why="No signature matches the secret.",
    )
