import pytest

from tests.bench.screen import Screen


@pytest.fixture
def answers() -> list[bytes]:
    """Return the answers to a program."""
    return []


@pytest.fixture
def screen(answers: list[bytes]) -> Screen:
    return Screen((20, 3), answers.append)


def test_it_shows_what_is_sent(screen: Screen) -> None:
    screen.feed(b"one\r\ntw")
    screen.feed(b"o")
    assert screen.lines == ["one", "two", ""]


def test_it_changes_when_something_looks_different(screen: Screen) -> None:
    assert screen.feed(b"\x1b[Hone")
    assert screen.feed(b"\x1b[H\x1b[31mone")


def test_what_paints_the_same_again_changes_nothing(screen: Screen) -> None:
    screen.feed(b"\x1b[?25l\x1b[Hone")
    assert not screen.feed(b"\x1b[Hone")


def test_a_cursor_that_moves_is_a_change_unless_it_is_hidden(screen: Screen) -> None:
    assert screen.feed(b"\x1b[2;5H")
    screen.feed(b"\x1b[?25l")
    assert not screen.feed(b"\x1b[3;1H")


def test_it_tells_where_the_cursor_was_when_it_was_asked(
    screen: Screen, answers: list[bytes]
) -> None:
    screen.feed(b"\x1b[2;5H\x1b[6n\x1b[3;1H")
    assert answers == [b"\x1b[2;5R"]


def test_it_knows_frames_and_no_other_private_mode(screen: Screen, answers: list[bytes]) -> None:
    screen.feed(b"\x1b[?2026$p\x1b[?2048$p")
    assert answers == [b"\x1b[?2026;2$y", b"\x1b[?2048;0$y"]


def test_what_it_does_not_know_is_not_shown(screen: Screen) -> None:
    screen.feed(b"a\x1b[>1ub\x1b]52;c;c2VjcmV0\x07c\x1bP>|x\x1b\\d")
    assert screen.lines[0] == "abcd"


def test_a_sequence_may_come_in_pieces(screen: Screen, answers: list[bytes]) -> None:
    for byte in b"a\x1b[?2026$pb":
        screen.feed(bytes([byte]))
    assert screen.lines[0] == "ab"
    assert answers == [b"\x1b[?2026;2$y"]
