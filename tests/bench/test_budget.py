import pytest

from tests.bench.budget import Row, figure, table


def test_what_is_as_much_as_it_may_be_is_met() -> None:
    assert Row("Start", 1.3, 1.3, "×").met
    assert not Row("Start", 1.3, 1.31, "×").met


def test_a_figure_that_was_not_measured_says_so_and_is_not_met() -> None:
    row = Row("Memory of a payment kept, of 100,000", 1000, None, "B")
    assert not row.met
    assert row.cells[2:4] == ("not measured", "–")


def test_a_table_shows_each_row_with_its_budget() -> None:
    shown = table([Row("Start", 1.3, 1.416, "×", "0.42 against 0.3 s"), Row("CPU", 0.6, 0.5, "%")])
    assert shown.splitlines() == [
        "| What  | Budget  | Measured | Met | Made of            |",
        "|-------|---------|----------|-----|--------------------|",
        "| Start | ≤ 1.3 × | 1.42 ×   | NO  | 0.42 against 0.3 s |",
        "| CPU   | ≤ 0.6%  | 0.5%     | yes |                    |",
    ]


@pytest.mark.parametrize(
    ("value", "shown"), [(0.30412, "0.304"), (56.13, "56.1"), (1234.5, "1234"), (0.0, "0")]
)
def test_a_figure_has_the_digits_that_count(value: float, shown: str) -> None:
    assert figure(value) == shown
