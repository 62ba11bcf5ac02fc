"""Webhooks full of hostile texts, readable and unreadable."""

from __future__ import annotations

import json

from tests.support.hostile.corpus import JOINED, NUMBERS, TEXTS
from tests.support.hostile.records import IDENTIFIERS, KINDS


def event(text: str) -> bytes:
    """Return a readable webhook with a text in all its fields."""
    return json.dumps({"eventId": text, "eventType": text, "createdAt": text, text: text}).encode()


def readable() -> list[bytes]:
    """An event of each text, and the one with all of them last."""
    return [event(text) for text in (*TEXTS.values(), JOINED)]


def naming_objects() -> list[bytes]:
    """Events that name an object of each kind: one that is there, and one that is all texts."""
    return [
        json.dumps({"type": f"{kind} {key}", "data": {IDENTIFIERS[kind]: key}}).encode()
        for kind, make in KINDS.items()
        for key in (make("joined", JOINED)[IDENTIFIERS[kind]], JOINED)
    ]


def unreadable() -> list[bytes]:
    """Bodies that are no event: each text as it is, numbers, and what is much within itself."""
    texts = [text.encode(errors="surrogatepass") for text in TEXTS.values()]
    numbers = [number.encode() for number in NUMBERS.values()]
    return [
        *texts,
        *numbers,
        b"[" * 100_000,
        b'{"a":' * 100_000,
        JOINED.encode("utf-16", errors="replace"),
    ]
