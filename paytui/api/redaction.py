"""A redactor of our own secrets in the service's words.

A service, or a proxy in front of it, may quote in a response what it was sent. All of its words
pass a redactor before they reach a screen or a log.
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
"""Length of a piece of a secret that is redacted; a shorter secret is one piece."""

LONGEST = 20_000
"""Characters of a text that are shown; the rest is cut off."""

TOKENS = 2
"""The current token and the one before: the service may still quote it."""

KEYS = 16
"""The newest idempotency keys; the service quotes what it was sent recently."""


class Redactor:
    """A mask over the client secret, the newest tokens and the newest idempotency keys.

    It covers them whole or in pieces, in every usual encoding.
    """

    def __init__(self) -> None:
        self._secrets: deque[tuple[str, frozenset[str]]] = deque(maxlen=1)
        self._tokens: deque[tuple[str, frozenset[str]]] = deque(maxlen=TOKENS)
        self._keys: deque[tuple[str, frozenset[str]]] = deque(maxlen=KEYS)
        self._pieces: frozenset[str] | None = None

    def hide_secret(self, secret: str) -> None:
        """Hide the client secret instead of the one before."""
        self._keep(self._secrets, secret)

    def hide_token(self, token: str) -> None:
        self._keep(self._tokens, token)

    def hide_key(self, key: str) -> None:
        """Hide an idempotency key: only the outbox and the audit show it."""
        self._keep(self._keys, key)

    def __call__(self, text: str) -> str:
        """Return a text with secrets masked, cut to `LONGEST` characters."""
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
    """Return a word as it stands in JSON, JSON within JSON, a URL, HTML and base64."""
    in_json = {json.dumps(word, ensure_ascii=escaped)[1:-1] for escaped in (True, False)}
    twice = {json.dumps(escaped)[1:-1] for escaped in in_json}
    in_url = {quote(word, safe=""), quote_plus(word)}
    lower = {re.sub("%..", lambda code: code[0].lower(), escaped) for escaped in in_url}
    spellings = {word, html.escape(word), *in_json, *twice, *in_url, *lower, *_base64(word)}
    return spellings - {""}


def _base64(word: str) -> set[str]:
    """Return the characters that encode the word alone, at each of the three alignments."""
    found = set()
    for before in range(3):
        coded = base64.b64encode(bytes(before) + word.encode(errors="replace")).decode()
        own = coded[-(-before * 8 // 6) : (before + len(word.encode(errors="replace"))) * 8 // 6]
        found |= {own, own.replace("+", "-").replace("/", "_")}
    return found
