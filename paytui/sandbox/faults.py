"""Faults on order: what goes wrong with the next calls of an operation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

ANY_OPERATION = "*"


class FaultKind(StrEnum):
    """What goes wrong.

    500, 503, 429, html and cut happen instead of the operation; delay before it; malformed and
    all that begin with commit after it has taken effect.
    """

    INTERNAL = "500"
    UNAVAILABLE = "503"
    TOO_MANY = "429"
    HTML = "html"
    CUT = "cut"
    DELAY = "delay"
    COMMIT_THEN_INTERNAL = "commit-then-500"
    COMMIT_THEN_DELAY = "commit-then-delay"
    COMMIT_THEN_CUT = "commit-then-cut"
    MALFORMED = "malformed"


@dataclass(slots=True)
class Fault:
    """A fault and how often it is still to happen.

    Attributes:
        operation: the name of one, or `*`.
        seconds: the length of a delay; what `Retry-After` of a 429 or 503 says.
    """

    operation: str
    kind: FaultKind
    times: int
    seconds: float

    def concerns(self, operation: str) -> bool:
        return self.operation in {ANY_OPERATION, operation}


class Faults:
    """What was ordered, in order."""

    def __init__(self) -> None:
        self._ordered: list[Fault] = []

    def order(self, fault: Fault) -> None:
        self._ordered.append(fault)

    def clear(self) -> None:
        self._ordered.clear()

    def take(self, operation: str) -> Fault | None:
        """The first fault that concerns an operation; it is used up by one."""
        for fault in self._ordered:
            if fault.concerns(operation):
                fault.times -= 1
                self._ordered = [kept for kept in self._ordered if kept.times > 0]
                return fault
        return None
