"""The screen of a terminal: renders output, answers queries, detects changes."""

from __future__ import annotations

import re
from collections.abc import Callable

import pyte

# Questions, and what pyte would print because it does not know it: private queries, keyboard
# protocols, titles and the clipboard.
_SPECIAL = re.compile(
    rb"\x1b(?:"
    rb"\[\?(?P<mode>\d+)\$p"
    rb"|(?P<where>\[6n)"
    rb"|(?P<what>\[0?c)"
    rb"|\[[<=>][\d;]*[a-z]"
    rb"|\][^\x07\x1b]*(?:\x07|\x1b\\)"
    rb"|P[^\x1b]*\x1b\\"
    rb")"
)
_UNFINISHED = re.compile(rb"\x1b(?:\[[<=>?]?[\d;]*\$?|[P\]][^\x07\x1b]*\x1b?)?$")

SYNCHRONISED = b"2026"
"""The one mode that is known: terminals of today paint a frame at once."""

Cells = tuple[object, ...]


class Screen:
    """The screen of one program.

    Args:
        size: columns and lines.
        answer: sends the program what it asked for.
    """

    def __init__(self, size: tuple[int, int], answer: Callable[[bytes], None]) -> None:
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self._answer = answer
        self._rest = b""
        self._lines: list[Cells] = [()] * size[1]
        self._cursor: tuple[int, int, bool] = (0, 0, False)

    @property
    def lines(self) -> list[str]:
        """Return its lines."""
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        """The same in one piece."""
        return "\n".join(self.lines)

    def feed(self, data: bytes) -> bool:
        """Show what came.

        Returns:
            Whether anything looks different: text, colour or the cursor.
        """
        data = self._rest + data
        unfinished = _UNFINISHED.search(data)
        end = unfinished.start() if unfinished else len(data)
        data, self._rest = data[:end], data[end:]
        shown = 0
        for special in _SPECIAL.finditer(data):
            self._stream.feed(data[shown : special.start()])
            shown = special.end()
            self._reply(special)
        self._stream.feed(data[shown:])
        return self._look()

    def _reply(self, special: re.Match[bytes]) -> None:
        if (mode := special["mode"]) is not None:
            self._answer(b"\x1b[?%b;%d$y" % (mode, 2 if mode == SYNCHRONISED else 0))
        elif special["where"]:
            cursor = self._screen.cursor
            self._answer(b"\x1b[%d;%dR" % (cursor.y + 1, cursor.x + 1))
        elif special["what"]:
            self._answer(b"\x1b[?62;22c")

    def _look(self) -> bool:
        screen, changed = self._screen, False
        for y in screen.dirty:
            line = screen.buffer[y]
            cells = tuple(line[x] for x in range(screen.columns))
            changed |= cells != self._lines[y]
            self._lines[y] = cells
        screen.dirty.clear()
        cursor = (screen.cursor.x, screen.cursor.y, screen.cursor.hidden)
        changed |= cursor != self._cursor and not cursor[2]
        self._cursor = cursor
        return changed
