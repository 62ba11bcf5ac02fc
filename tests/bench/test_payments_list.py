from tests.bench.payments_list import rows
from tests.bench.screen import Screen


def test_the_rows_are_what_stands_between_headings_and_sums() -> None:
    screen = Screen((40, 6), lambda _: None)
    screen.feed(b" 2 payments, by Amount\r\n  Amount  Ccy\r\n  one\r\n  two\r\n sums\r\n q Quit")
    assert rows(screen) == ("  one", "  two")


def test_a_screen_without_the_list_has_no_rows() -> None:
    assert rows(Screen((40, 5), lambda _: None)) == ()
