from tests.bench.lines.stalls import Stall, stalls


def test_each_line_of_a_log_is_a_stall_in_milliseconds() -> None:
    assert stalls("12.5 0.25 0.125\n13.0 0.5 0.0\n") == [
        Stall(12.5, 250.0, 125.0),
        Stall(13.0, 500.0, 0.0),
    ]
