"""The table of a real run, and its verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from tests.soak.real.run import Sample

WARM = ("killed", "back")
"""Phases by which every screen was on view once."""

A_ROW = 1024
"""Bytes of memory that a payment, trade or pay-in may take."""

BESIDE = 4 * 1024 * 1024
"""Bytes that memory may sway by."""

MIB = 1024 * 1024
_COLUMNS = ("min", "PSS MiB", "RSS MiB", "fds", "sockets", "threads", "CPU %", "B/s", "booked")


def head() -> str:
    """The names of the columns."""
    return " ".join(f"{name:>8}" for name in _COLUMNS) + "  phase"


def row(sample: Sample, before: Sample | None) -> str:
    """A line of it: what was used since the one before."""
    held = sample.figures
    seconds = (sample.minutes - (before.minutes if before else 0.0)) * 60
    cpu = held.cpu - (before.figures.cpu if before else 0.0)
    painted = sample.painted - (before.painted if before else 0)
    cells = (
        f"{sample.minutes:8.1f}",
        f"{held.pss / MIB:8.1f}",
        f"{held.rss / MIB:8.1f}",
        f"{held.fds:8}",
        f"{held.sockets:8}",
        f"{held.threads:8}",
        f"{100 * cpu / max(seconds, 1):8.1f}",
        f"{painted / max(seconds, 1):8.0f}",
        f"{sample.booked:8,}",
    )
    return " ".join(cells) + f"  {sample.phase}"


def grown(samples: Sequence[Sample]) -> Iterator[str]:
    """Return growth since the warm-up in words; memory beyond that of new rows."""
    first = [sample for sample in samples if sample.phase in WARM][:6]
    last = list(samples[-6:])
    for name in ("fds", "threads"):
        before, after = (_median(part, name) for part in (first, last))
        if after > before + 2:
            yield f"{name} from {before:.0f} to {after:.0f}"
    more = _median(last, "pss") - _median(first, "pss")
    rows = last[-1].booked - first[0].booked
    if more > rows * A_ROW + BESIDE:
        yield f"memory by {more / MIB:.1f} MiB, for {rows:,} more payments, trades and pay-ins"


def _median(samples: Sequence[Sample], name: str) -> float:
    values: list[int] = [getattr(sample.figures, name) for sample in samples]
    return median(values)
