"""The chart: it stays inside its frame, draws nothing across a gap, and scales by hand."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from paytui.tui.format.cells import Tone
from paytui.tui.widgets.chart import (
    Canvas,
    Level,
    Mark,
    Picture,
    Point,
    drawn,
    price_ticks,
    sparkline,
)

NUMBERS = st.floats(-1e12, 1e12)


@st.composite
def pictures(draw: st.DrawFn) -> Picture:
    """Any series, in any frame: also points outside of it, and frames without a width."""
    times = sorted(draw(st.lists(NUMBERS, max_size=12)))
    points = [(time, draw(NUMBERS)) for time in times]
    cut = draw(st.integers(0, len(points)))
    began, ended = sorted((draw(NUMBERS), draw(NUMBERS)))
    low, high = sorted((draw(NUMBERS), draw(NUMBERS)))
    labels = st.text("0123456789.", max_size=12)
    return Picture(
        runs=(tuple(points[:cut]), tuple(points[cut:])),
        began=began,
        ended=ended,
        low=low,
        high=high,
        levels=(Level(draw(NUMBERS), draw(labels), Tone.CLOSING),),
        marks=(Mark((draw(NUMBERS), draw(NUMBERS)), "B", Tone.INK),),
        ticks=((draw(NUMBERS), draw(labels)),),
        times=((draw(NUMBERS), draw(labels)), (draw(NUMBERS), draw(labels))),
    )


@given(pictures(), st.integers(0, 90), st.integers(0, 30))
def test_any_series_stays_inside_its_frame(picture: Picture, width: int, height: int) -> None:
    canvas = drawn(picture, width, height)
    assert len(canvas) == height
    assert all(len(line) == width for line in canvas)
    assert all(len(sign) == 1 for line in canvas for sign, _ in line)


def texts(canvas: Canvas) -> list[str]:
    return ["".join(sign for sign, _ in line) for line in canvas]


def frame(*runs: tuple[Point, ...]) -> Picture:
    return Picture(runs, began=0, ended=9, low=0, high=3)


def columns(canvas: Canvas) -> set[int]:
    """The columns of cells that the line is drawn in."""
    return {x for line in canvas for x, (sign, _) in enumerate(line) if "⠀" < sign <= "⣿"}


@given(st.lists(st.floats(0, 3), min_size=4, max_size=40), st.integers(1, 3), st.integers(13, 60))
def test_a_gap_is_a_gap_and_a_run_is_not(prices: list[float], gap: int, width: int) -> None:
    """Every column between the ends of a run has dots, and none between two runs."""
    half = len(prices) // 2
    step = 9 / (len(prices) + gap)
    first = tuple((place * step, price) for place, price in enumerate(prices[:half]))
    second = tuple((9 - place * step, price) for place, price in enumerate(prices[half:]))[::-1]
    seen = sorted(columns(drawn(frame(first, second), width, 10)))
    across = width - 3

    def column(time: float) -> int:
        return round(time / 9 * (across * 2 - 1)) // 2

    inside = set(range(column(second[-1][0]) + 1)) - set(
        range(column(first[-1][0]) + 1, column(second[0][0]))
    )
    assert set(seen) == inside


def test_a_line_from_corner_to_corner_is_drawn_through_each_dot() -> None:
    """Two cells by one: dots 0 to 3 across, 0 to 3 down, from the lower left corner up."""
    canvas = drawn(frame(((0, 0), (3, 1), (6, 2), (9, 3))), width=5, height=2)
    assert texts(canvas)[0] == "⡠⠊│  "


def test_marks_levels_and_labels_lie_at_their_price() -> None:
    picture = Picture(
        (),
        began=0,
        ended=4,
        low=0,
        high=3,
        levels=(Level(2.9, "up", Tone.CLOSING),),
        marks=(Mark((0, 0.1), "S", Tone.INK),),
        ticks=((1.0, "1.0"),),
        times=((2, "02"),),
    )
    assert texts(drawn(picture, width=11, height=5)) == [
        "⠂⠂⠂⠂⠂┤ up  ",
        "     │     ",
        "     ┤ 1.0 ",
        "S    │     ",
        " 02        ",
    ]


def test_a_wide_gap_is_named() -> None:
    """Of 13 cells ten are free: two times a dozen dots, less those of the runs' ends."""
    line = frame(((0, 3), (1, 3)), ((8, 3), (9, 3)))
    assert "no data" in texts(drawn(line, width=16, height=3))[1]
    assert "no data" not in texts(drawn(line, width=13, height=3))[1]


def test_prices_on_the_axis_are_round() -> None:
    ticks = price_ticks(Decimal("0.6583"), Decimal("0.6610"), 4)
    assert ticks == [Decimal("0.659"), Decimal("0.660"), Decimal("0.661")]
    assert price_ticks(Decimal(1), Decimal(1), 4) == [1]


@given(st.decimals(0, 1000, places=4), st.decimals(0, 50, places=4), st.integers(1, 9))
def test_there_are_never_more_prices_than_asked_for(low: Decimal, more: Decimal, most: int) -> None:
    ticks = price_ticks(low, low + more, most)
    assert len(ticks) <= most
    assert all(low <= tick <= low + more for tick in ticks)
    assert len({after - before for before, after in pairwise(ticks)}) <= 1


def test_a_sparkline_goes_from_the_lowest_to_the_highest_and_leaves_gaps() -> None:
    prices = [Decimal(n) for n in (0, 1, 7)]
    assert sparkline([*prices, None, Decimal(3)]) == "▁▂▇ ▄"
    assert sparkline([Decimal(5), Decimal(5)]) == "▄▄"
    assert sparkline([None]) == " "
