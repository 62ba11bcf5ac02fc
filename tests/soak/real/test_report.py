"""The report on growth within an hour, on samples written by hand."""

from __future__ import annotations

from dataclasses import replace

from tests.soak.real.figures import Figures
from tests.soak.real.report import MIB, grown, row
from tests.soak.real.run import Sample

WARM = Figures(rss=80 * MIB, pss=60 * MIB, fds=16, sockets=5, threads=5, cpu=10.0)


def samples(last: Figures, booked: int = 1000) -> list[Sample]:
    """Six when it was warm, and six at the end."""
    first = Sample(minutes=10, phase="killed", figures=WARM, painted=0, booked=1000)
    return [first] * 6 + [replace(first, phase="calm", figures=last, booked=booked)] * 6


def test_what_stays_has_not_grown() -> None:
    assert list(grown(samples(WARM))) == []


def test_memory_may_grow_by_what_new_rows_take_and_no_more() -> None:
    """By hand: 10,000 rows of 1 KiB take 9.8 MiB, and 4 MiB may be for anything."""
    more = replace(WARM, pss=WARM.pss + 13 * MIB)
    assert list(grown(samples(more, booked=11_000))) == []
    [words] = grown(samples(more, booked=1000))
    assert words.startswith("memory by 13.0 MiB")


def test_descriptors_and_threads_that_are_left_open_are_named() -> None:
    assert list(grown(samples(replace(WARM, fds=40, threads=12)))) == [
        "fds from 16 to 40",
        "threads from 5 to 12",
    ]


def test_a_row_tells_what_was_used_since_the_one_before() -> None:
    first, *_, last = samples(replace(WARM, cpu=13.0))
    line = row(replace(last, minutes=11, painted=6000), first)
    # By hand: 3 s of CPU and 6,000 bytes in a minute.
    assert line.split()[6:8] == ["5.0", "100"]
