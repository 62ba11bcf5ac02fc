"""What of a list outlives one reading of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from paytui.api.envelope import Slice


@dataclass(frozen=True, slots=True)
class Leaf:
    """An answer to a read of a list, once its records are in other hands.

    Attributes:
        around: the answer, with as many items as it had and nothing in them.
        ids: of the records that could be read.
        bad: how many could not.
    """

    around: Slice
    ids: tuple[str, ...]
    bad: int


class Kept(Protocol):
    """What is known of a list from one reading of it to the next.

    Attributes:
        alone: how long its one page was, when nothing else came for the next; 0: nobody knows.
        repeats: whether that page came for the next as well.
    """

    alone: int
    repeats: bool

    def keep(self, asked: dict[str, str], leaf: Leaf) -> None:
        """Is told what an answer came to, to give it back once the service says it is the same."""
        ...


class Unkept:
    """For reads that happen once."""

    alone = 0
    repeats = False

    def keep(self, asked: dict[str, str], leaf: Leaf) -> None:
        """Nobody asks again."""
