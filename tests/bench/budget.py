"""The table of budgets: promised and measured figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One promise.

    Attributes:
        what: what was measured.
        most: what it may come to.
        measured: what it came to; None where this run could not measure it.
        unit: of both: `×` is a ratio to the floor that was measured beside it.
        detail: the figures that it was made of.
    """

    what: str
    most: float
    measured: float | None
    unit: str
    detail: str = ""

    @property
    def met(self) -> bool:
        """Return True if it was measured and is within the budget."""
        return self.measured is not None and self.measured <= self.most

    @property
    def cells(self) -> tuple[str, ...]:
        """Return the cells of the table."""
        gap = "" if self.unit in ("", "%") else " "
        return (
            self.what,
            f"≤ {figure(self.most)}{gap}{self.unit}",
            "not measured" if self.measured is None else f"{figure(self.measured)}{gap}{self.unit}",
            "–" if self.measured is None else "yes" if self.met else "NO",
            self.detail,
        )


HEADINGS = ("What", "Budget", "Measured", "Met", "Made of")


def figure(value: float) -> str:
    """Three digits that count: `0.304`, `1.42`, `56.1`, `1234`."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def table(rows: Iterable[Row]) -> str:
    """The rows as a Markdown table, its columns in line."""
    lines = [HEADINGS, *(row.cells for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    heading, *others = (_line(line, widths) for line in lines)
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([heading, rule, *others])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return f"| {' | '.join(padded)} |"
