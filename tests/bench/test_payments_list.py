from tests.bench.payments_list import top_row
from tests.bench.screen import Screen


def test_the_top_row_is_what_stands_under_the_headings() -> None:
    screen = Screen((40, 5), lambda _: None)
    screen.feed(b" 2 payments\r\n  Created  Amount\r\n  first\r\n  second")
    assert top_row(screen) == "  first"


def test_a_screen_without_the_list_has_no_top_row() -> None:
    assert top_row(Screen((40, 5), lambda _: None)) == ""
