"""Mutations of valid texts: parts removed, doubled, moved, and hostile ones inserted."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.support.hostile.corpus import NUMBERS, TEXTS

PIECES = [
    *(text[:200] for text in TEXTS.values()),
    *NUMBERS.values(),
    *("\x00", "\\", '"', "'", "{", "}", "[", "]", "=", ":", ",", "-", "\n", "\ufeff", "#", "."),
    *("true", "null", "0x1", "1_0", "1979-05-27T07:32:00Z", '"""', "[[", "\\u0000", "\\ud800"),
]


def hostile_text(longest: int = 60) -> SearchStrategy[str]:
    """Any text, and more often than by chance one that has harmed somebody."""
    return st.one_of(st.sampled_from(PIECES), st.text(max_size=longest))


def spoilt(samples: Sequence[str], *, most: int = 6) -> SearchStrategy[str]:
    """Return one of the samples after some edits, or none.

    One number stands for all edits of a case: to draw each by itself would take most of the time.
    """
    edits = st.integers(0, 2**32)
    return st.builds(lambda text, seed: _edited(text, seed, most), st.sampled_from(samples), edits)


def _edited(text: str, seed: int, most: int) -> str:
    rng = random.Random(seed)  # noqa: S311 - the same number makes the same edits
    for _ in range(rng.randint(0, most)):
        at, length = rng.randint(0, len(text)), rng.choice((0, 0, 1, 3, 30))
        piece = rng.choice((rng.choice(PIECES), _moved(text, rng), chr(rng.randint(0, 0x2FFFF))))
        text = text[:at] + piece + text[at + length :]
    return text


def _moved(text: str, rng: random.Random) -> str:
    """A part of the text itself."""
    at = rng.randint(0, len(text))
    return text[at : at + rng.randint(1, 40)]
