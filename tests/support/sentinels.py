"""Search for forbidden words in any encoding."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import quote, quote_plus

Found = tuple[str, str]
"""A place and the word found there."""


def spellings(word: str) -> set[bytes]:
    """A word as it is, in JSON, in a URL, in HTML, in hex, and in base64 wherever it begins."""
    plain = {word, json.dumps(word)[1:-1], quote(word, safe=""), quote_plus(word)}
    plain |= {html.escape(word), word.encode().hex()}
    coded = {piece for before in range(3) for piece in _base64(word, before)}
    return {spelling.encode() for spelling in plain | coded}


def found_in(places: Mapping[str, bytes], words: Iterable[str]) -> list[Found]:
    """Return the places of any of these words."""
    return sorted(
        (place, word)
        for word in words
        for place, data in places.items()
        if any(spelling in data for spelling in spellings(word))
    )


def files_under(folder: Path) -> Iterator[Path]:
    """Every file, whatever its name."""
    return (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def _base64(word: str, before: int) -> Iterator[str]:
    """The characters that come of nothing but the word, so many bytes after a group begins."""
    data = word.encode()
    coded = base64.b64encode(bytes(before) + data).decode()
    own = coded[-(-before * 8 // 6) : (before + len(data)) * 8 // 6]
    yield own
    yield own.replace("+", "-").replace("/", "_")
