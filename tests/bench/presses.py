"""The time from a key to its effect on the screen."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import perf_counter

from tests.bench.process import first_thread_seconds
from tests.bench.program import Paint, Program
from tests.bench.screen import Screen

QUIET = 0.1
"""Seconds without a byte after which a screen has settled."""

LONGEST = 3.0
"""Seconds after which nothing more is expected of a key."""

FRAME = 0.005
"""Seconds within which bytes belong to one frame, which a pty hands on in pieces."""

Look = Callable[[Screen], object]


@dataclass(frozen=True, slots=True)
class Press:
    """One key; times are in seconds since it was pressed.

    Attributes:
        wanted: when what was looked for looked different, all of it; None if it never did.
        settled: when the last byte came before a pause.
        bytes: all that it sent.
        cpu: seconds that the program's screen worked until what was looked for was there; where
            that was anything, or never came, until it had settled. A busy machine adds little.
    """

    wanted: float | None
    settled: float
    bytes: int
    cpu: float


class Presser:
    """Presses keys at moments that no timer of a program can be in step with."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def press(
        self,
        program: Program,
        keys: str,
        look: Look | None = None,
        or_else: Look | None = None,
    ) -> Press:
        """Press a key, and see it through.

        Args:
            program: what it is for.
            keys: what is sent.
            look: reads off the screen what the key is to change; None: anything.
            or_else: reads off what else it changes, which counts if the other stays as it is.
        """
        program.watch(self._rng.uniform(0.02, 0.08))
        before = look and look(program.screen)
        other = or_else and or_else(program.screen)
        worked = first_thread_seconds(program.process.pid)
        at = program.press(keys)
        paints, wanted, else_wanted = list[Paint](), None, None
        while (paint := program.next(_end(at, paints, wanted is not None))) is not None:
            paints.append(paint)
            if wanted is None and _is_there(paint, program.screen, look, before):
                wanted = len(paints) - 1
            if or_else and else_wanted is None and or_else(program.screen) != other:
                else_wanted = len(paints) - 1
        wanted = else_wanted if wanted is None else wanted
        if not paints:
            return Press(None, LONGEST, 0, 0.0)
        there = None if wanted is None else _frame_end(paints[wanted:])
        end = paints[-1] if look is None or there is None else there
        return Press(
            None if there is None else there.at - at,
            paints[-1].at - at,
            sum(paint.size for paint in paints),
            end.cpu - worked,
        )

    def press_each(self, program: Program, keys: Iterable[str]) -> list[Press]:
        """Press one after the other; those that changed nothing are left out."""
        presses = [self.press(program, key) for key in keys]
        return [press for press in presses if press.wanted is not None]


def _end(began: float, paints: list[Paint], found: bool) -> float:
    """Until when to wait for more."""
    return min(began + LONGEST, perf_counter() + QUIET) if paints and found else began + LONGEST


def _is_there(paint: Paint, screen: Screen, look: Look | None, before: object) -> bool:
    return paint.changed if look is None else paint.changed and look(screen) != before


def _frame_end(paints: list[Paint]) -> Paint:
    """With which the frame that begins with the first of these was all there."""
    end = paints[0]
    for paint in paints:
        if paint.at - end.at > FRAME:
            break
        end = paint
    return end
