"""A book of any number of payments, newest first, as the service sends it (service.md).

All records are of one length, so that a page of any size is a piece of one file.
"""

from __future__ import annotations

import json
import mmap
from bisect import bisect_left
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from string import ascii_uppercase

from tests.bench.service.lists import CURRENCIES, RECIPIENTS, iso, key

WIDTH = 552
"""Bytes of a record, with the comma behind it."""

UNDER_WAY = ("created", "compliance_review", "processing", "released")
"""States of the newest payments; all others are completed, for hours."""

OPEN_OF_EACH = 10
OPEN = OPEN_OF_EACH * len(UNDER_WAY)
UPDATED_AFTER = timedelta(seconds=30)
WRITTEN_AT_ONCE = 10_000


class Book:
    """Payments by their place in the list; of two books the same places hold the same.

    Args:
        path: where they are written.
        count: how many there are; at least one.
        now: by which the newest are a minute old.
    """

    def __init__(self, path: Path, count: int, now: datetime) -> None:
        self.places = range(count)
        self._now = now
        with path.open("wb") as file:
            for start in range(0, count, WRITTEN_AT_ONCE):
                part = self.places[start : start + WRITTEN_AT_ONCE]
                file.write(b"".join(map(self._record, part)))
        with path.open("rb") as file:
            self._records = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def matching(self, query: Mapping[str, str], *, updated_since: bool) -> range:
        """The places that a query asks for; `updated_since`: whether that parameter is known."""
        places = self.places
        if wanted := query.get("paymentTransactionId"):
            place = _place(wanted)
            return places[place : place + 1]
        if status := query.get("status"):
            return _in_state(places, status)
        if updated_since and (since := query.get("updatedSince")):
            moment = datetime.fromisoformat(since)
            older = bisect_left(places, x=True, key=lambda place: self._updated(place) < moment)
            return places[:older]
        return places

    def page(self, places: range) -> bytes:
        """The records at places that follow one another, as an array."""
        records = self._records[places.start * WIDTH : places.stop * WIDTH - 1] if places else b""
        return b"[%b]" % records

    def _created(self, place: int) -> datetime:
        if place < OPEN:
            return self._now - timedelta(minutes=place + 1)
        return self._now - timedelta(hours=2, seconds=20 * place)

    def _updated(self, place: int) -> datetime:
        return self._created(place) + UPDATED_AFTER

    def _record(self, place: int) -> bytes:
        mixed = _mixed(place)
        wallet = mixed % len(CURRENCIES)
        is_open = place < OPEN
        record = {
            "paymentTransactionId": f"{place:08x}-5e1d-4c0f-9a7b-{mixed:012x}",
            "paymentType": "payout",
            "accountId": key("acc", wallet % 2),
            "sourceWalletId": key("wal", wallet),
            "destinationWalletId": None,
            "recipientId": key("rec", mixed % RECIPIENTS),
            "paymentAddressId": key("adr", mixed % RECIPIENTS),
            "amount": f"{mixed % 5_000_000 / 100:.2f}",
            "currency": CURRENCIES[wallet],
            "status": UNDER_WAY[place // OPEN_OF_EACH] if is_open else "completed",
            "reference": f"INV {_letters(mixed)}",
            "endToEndId": None if is_open else f"E2E{mixed:012X}",
            "createdAt": iso(self._created(place)),
            "updatedAt": iso(self._updated(place)),
            "failureReason": None,
        }
        return json.dumps(record).encode().ljust(WIDTH - 1) + b","


def _mixed(place: int) -> int:
    """A number of 32 bits that looks random (Knuth's multiplicative hash)."""
    return (place + 1) * 2_654_435_761 % 2**32


def _place(payment_id: str) -> int:
    return int(payment_id[:8], 16)


def _letters(number: int) -> str:
    return "".join(ascii_uppercase[number // 26**power % 26] for power in range(6))


def _in_state(places: range, status: str) -> range:
    if status == "completed":
        return places[OPEN:]
    if status not in UNDER_WAY:
        return places[:0]
    start = UNDER_WAY.index(status) * OPEN_OF_EACH
    return places[start : start + OPEN_OF_EACH]
