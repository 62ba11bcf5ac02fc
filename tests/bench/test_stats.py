from tests.bench.stats import bursts, median_ratio, p95


def test_of_a_hundred_values_five_may_exceed_p95() -> None:
    assert p95(range(1, 101)) == 95


def test_p95_of_a_single_value_is_that_value() -> None:
    assert p95([7.5]) == 7.5


def test_a_round_on_a_slow_machine_says_what_the_others_say() -> None:
    assert median_ratio([1.0, 10.0, 2.0], [2.0, 20.0, 4.0]) == 2.0


def test_moments_that_are_close_are_one_burst() -> None:
    assert bursts([0.0, 0.1, 0.3, 5.0, 5.2, 9.9], pause=1.0) == 3


def test_of_nothing_there_is_no_burst() -> None:
    assert bursts([], pause=1.0) == 0
