"""What a service must not be able to have shown on a screen or in a log: our own secrets.

A service, or a proxy in front of it, may quote in its answer what it was sent. Whatever it says
passes a redactor before anybody reads it.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections import deque
from urllib.parse import quote, quote_plus

from paytui.platform.secret import MASK

PIECE = 8
"""Characters in a row that give away a part of a secret; of a shorter one, all of it."""

LONGEST = 20_000
"""Characters of a text that are looked at; the rest is left out."""

TOKENS = 2
"""The current token and the last: the service may still speak of the one before."""


KEYS = 16
"""The newest idempotency keys; the service speaks of what it was sent just now."""


class Redactor:
    """Hides what is sent in confidence, whole or in pieces, however it is coded.

    That is the client secret, the newest tokens and the newest idempotency keys.
    """

    def __init__(self) -> None:
        self._secrets: deque[tuple[str, frozenset[str]]] = deque(maxlen=1)
        self._tokens: deque[tuple[str, frozenset[str]]] = deque(maxlen=TOKENS)
        self._keys: deque[tuple[str, frozenset[str]]] = deque(maxlen=KEYS)
        self._pieces: frozenset[str] | None = None

    def hide_secret(self, secret: str) -> None:
        """Hide the client secret; it takes the place of the one before."""
        self._keep(self._secrets, secret)

    def hide_token(self, token: str) -> None:
        """Hide a token that is used from now on."""
        self._keep(self._tokens, token)

    def hide_key(self, key: str) -> None:
        """Hide the idempotency key of what is sent: only the outbox and the audit tell it."""
        self._keep(self._keys, key)

    def __call__(self, text: str) -> str:
        """The text with the mask in place of what is hidden, and no longer than `LONGEST`."""
        text = text[:LONGEST]
        if self._pieces is None:
            known = (*self._secrets, *self._tokens, *self._keys)
            self._pieces = frozenset(piece for _, found in known for piece in found)
        hidden = _positions(text, self._pieces)
        if not hidden:
            return text
        shown = (
            MASK if at in hidden and at - 1 not in hidden else "" if at in hidden else character
            for at, character in enumerate(text)
        )
        return "".join(shown)

    def _keep(self, known: deque[tuple[str, frozenset[str]]], word: str) -> None:
        if word not in (kept for kept, _ in known):
            known.append((word, _pieces(word)))
            self._pieces = None


def _positions(text: str, pieces: frozenset[str]) -> set[int]:
    found: set[int] = set()
    for length in {len(piece) for piece in pieces}:
        for at in range(len(text) - length + 1):
            if text[at : at + length] in pieces:
                found.update(range(at, at + length))
    return found


def _pieces(word: str) -> frozenset[str]:
    return frozenset(
        spelling[at : at + PIECE]
        for spelling in _spellings(word)
        for at in range(max(1, len(spelling) - PIECE + 1))
    )


def _spellings(word: str) -> set[str]:
    """A word as it stands in JSON, in JSON within JSON, in a URL, in HTML and in base64."""
    in_json = {json.dumps(word, ensure_ascii=escaped)[1:-1] for escaped in (True, False)}
    twice = {json.dumps(escaped)[1:-1] for escaped in in_json}
    in_url = {quote(word, safe=""), quote_plus(word)}
    lower = {re.sub("%..", lambda code: code[0].lower(), escaped) for escaped in in_url}
    spellings = {word, html.escape(word), *in_json, *twice, *in_url, *lower, *_base64(word)}
    return spellings - {""}


def _base64(word: str) -> set[str]:
    """The characters that stand for a word alone, wherever in a longer text it begins."""
    found = set()
    for before in range(3):
        coded = base64.b64encode(bytes(before) + word.encode(errors="replace")).decode()
        own = coded[-(-before * 8 // 6) : (before + len(word.encode(errors="replace"))) * 8 // 6]
        found |= {own, own.replace("+", "-").replace("/", "_")}
    return found
