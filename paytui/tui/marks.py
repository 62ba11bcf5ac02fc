"""Signs that stand before a word, each with its tone: the same one means the same everywhere."""

from __future__ import annotations

from dataclasses import dataclass

from paytui.tui.tone import Cell, Tone


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign, and the tone that it gives to the word behind it."""

    sign: str
    tone: Tone = Tone.INK

    def cell(self, word: str) -> Cell:
        """`✓ completed`."""
        return Cell(f"{self.sign} {word}", self.tone)


DONE = Mark("✓", Tone.MUTED)
"""It is as it should be, and over."""
GOING_ON = Mark("…")
"""It is on its way."""
CAREFUL = Mark("!", Tone.CLOSING)
"""It wants somebody's eye."""
WRONG = Mark("✗", Tone.DOWN)
"""It came to nothing, or cannot be."""
UNKNOWN = Mark("?", Tone.DOUBT)
"""Nobody here can say what it means, or what became of it."""
ALARM = Mark("!!", Tone.DOWN)
"""Something contradicts what was confirmed."""
