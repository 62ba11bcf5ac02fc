"""Keys are parsed from any bytes of a terminal."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from selectors import SelectorKey, SelectSelector
from threading import Thread

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from textual import events
from textual._xterm_parser import XTermParser
from textual.message import Message

from paytui.tui.terminal import driver
from paytui.tui.terminal.driver import KeyParser, StopEvent, read_keys
from tests.support.deadline import eventually


class Typed:
    """Keys that are read in a thread of their own from what is written."""

    def __init__(self, end: StopEvent) -> None:
        self.found: list[Message] = []
        self.end = end
        self._read_end, self._write_end = os.pipe()
        self._thread = Thread(target=read_keys, args=(self._read_end, self.end, self.found.append))
        self._thread.start()

    def write(self, data: bytes) -> None:
        os.write(self._write_end, data)

    def hang_up(self) -> None:
        if self._write_end >= 0:
            os.close(self._write_end)
            self._write_end = -1

    def ends(self) -> bool:
        self._thread.join(20)
        return not self._thread.is_alive()

    def text(self) -> str:
        """The characters of the keys so far."""
        return "".join(
            one.character or "" for one in tuple(self.found) if isinstance(one, events.Key)
        )

    def close(self) -> None:
        self.end.set()
        self.hang_up()
        self._thread.join(20)
        os.close(self._read_end)


@pytest.fixture
def typed() -> Iterator[Typed]:
    typing = Typed(StopEvent())
    yield typing
    typing.close()


def test_bytes_that_are_no_utf8_are_a_sign_and_reading_goes_on(typed: Typed) -> None:
    typed.write(b"caf\xe9 \xff!")
    eventually(lambda: typed.text() == "caf\ufffd \ufffd!")


def test_a_letter_that_comes_in_two_pieces_is_one(typed: Typed) -> None:
    typed.write("é".encode()[:1])
    typed.write("é".encode()[1:] + b"x")
    eventually(lambda: typed.text() == "éx")


def test_an_escape_that_stands_alone_is_told(typed: Typed) -> None:
    typed.write(b"\x1b")
    eventually(lambda: [one.key for one in typed.found if isinstance(one, events.Key)] != [])
    assert [one.key for one in typed.found if isinstance(one, events.Key)] == ["escape"]


def test_lines_of_a_paste_are_no_keys(typed: Typed) -> None:
    typed.write(b"\x1b[200~one\r\ntwo\x1b[201~")
    eventually(lambda: typed.found != [])
    (paste,) = [one for one in typed.found if isinstance(one, events.Paste)]
    assert paste.text == "one\r\ntwo"


def test_reading_ends_with_the_terminal(typed: Typed) -> None:
    typed.hang_up()
    assert typed.ends()


def test_reading_ends_when_told(typed: Typed) -> None:
    typed.end.set()
    assert typed.ends()


def test_an_end_that_was_taken_back_ends_nothing(typed: Typed) -> None:
    typed.end.set()
    typed.end.set()
    assert typed.ends()
    typed.end.clear()
    again = Typed(typed.end)
    again.write(b"x")
    eventually(lambda: again.text() == "x")
    again.close()


def test_nothing_is_waited_for_but_keys_and_the_rest_of_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[float | None] = []

    class Noted(SelectSelector):
        def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
            waits.append(timeout)
            return super().select(timeout)

    monkeypatch.setattr(driver, "SelectSelector", Noted)
    typed = Typed(StopEvent())
    typed.write(b"x")
    eventually(lambda: len(waits) > 1)
    assert waits == [None, None]
    typed.write(b"\x1b")
    eventually(lambda: len(typed.found) > 1 and waits[-1] is None)
    assert waits[2] is not None
    typed.close()


START, END = b"\x1b[200~", b"\x1b[201~"

OF_A_PASTE = st.lists(
    st.sampled_from([b"\x1b", b"\r", b"\x03", b"\x1b[7;9R", START, b"\x1b[", b"201~", b"\x1b[A"])
    | st.sampled_from([b"P", b"244841.24", "é€😀".encode(), b"\xff", b"\0", b"\x1b\x7f", b"#" * 40])
    | st.binary(max_size=4)
).map(b"".join)
"""The contents of a clipboard, without an end bracket."""

CUTS = st.lists(st.tuples(st.integers(0, 60), st.booleans()), max_size=20)
"""Places at which a link cuts a paste after its start bracket, and any stall after each."""


class Link:
    """Gives pieces to a parser; time passes where nothing comes for long."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._now = 0.0
        patch.setattr("textual._parser.get_time", lambda: self._now)
        patch.setattr("paytui.tui.terminal.driver.monotonic", lambda: self._now)
        self._parser = KeyParser()
        self.found: list[Message] = []

    def bring(self, piece: bytes) -> None:
        self.found += [*self._parser.feed(piece), *self._parser.tick()]

    def stall(self, tenths: int = 600) -> None:
        for _ in range(tenths):
            self._parser.pause()
        self._now += tenths / 10
        self.found += self._parser.tick()


def brought(data: bytes, cuts: Sequence[tuple[int, bool]]) -> list[Message]:
    """Return the parsed keys of a cut paste, with a start bracket before and a stall after it."""
    with pytest.MonkeyPatch.context() as patch:
        link, at = Link(patch), 0
        for cut, stalls in sorted(dict(cuts).items()):
            place = min(len(START) + cut, len(data))
            link.bring(data[at:place])
            at = place
            if stalls:
                link.stall()
        link.bring(data[at:])
        link.stall()
        return link.found


@given(OF_A_PASTE, CUTS)
@example(b"a\x1bP\x1b" + b"#" * 40, [])
@example(b"b\x1b\r\x1b" + b"#" * 40, [(2, True), (3, True)])
def test_whatever_is_pasted_is_text_however_it_comes(
    text: bytes, cuts: list[tuple[int, bool]]
) -> None:
    text = text.replace(END, b"").replace(b"\x03", b"\x02")
    (paste,) = brought(START + text + END, [*cuts])
    assert isinstance(paste, events.Paste)
    assert paste.text == text.decode(errors="replace").replace("\0", "")


@given(OF_A_PASTE, OF_A_PASTE, CUTS)
@example(b"a", b"P\r" + START, [(1, False)])
def test_an_end_bracket_in_what_is_pasted_frees_no_key(
    before: bytes, behind: bytes, cuts: list[tuple[int, bool]]
) -> None:
    at_once = [(place, False) for place, _ in cuts]
    for one in brought(START + before + END + behind + END, at_once):
        assert isinstance(one, events.Paste)


@pytest.mark.parametrize("cut", [1, 2, len(START) - 1])
def test_a_start_bracket_may_come_in_two_pieces(monkeypatch: pytest.MonkeyPatch, cut: int) -> None:
    link = Link(monkeypatch)
    link.bring(START[:cut])
    link.stall()
    link.bring(START[cut:] + b"P\x1b\r" + END)
    keys = [one.key for one in link.found if isinstance(one, events.Key)]
    assert keys == (["escape"] if cut == 1 else [])
    assert [one.text for one in link.found if isinstance(one, events.Paste)] == ["P\x1b\r"]


@pytest.mark.parametrize("cut", [len(START), -len(END), -3])
def test_what_follows_a_long_paste_is_keys_after_a_longer_pause(
    monkeypatch: pytest.MonkeyPatch, cut: int
) -> None:
    """A link brings long pastes in pieces, a round trip apart: the end may be the clipboard's."""
    link, paste = Link(monkeypatch), START + b"#" * 1500 + END
    for piece in (paste[:cut], paste[cut:], b"P\r", b"\x1b[A"):
        link.bring(piece)
        link.stall(tenths=9)
    assert [type(one).__name__ for one in link.found] == ["Paste"]
    link.stall(tenths=1)
    link.bring(b"P")
    assert [one.key for one in link.found if isinstance(one, events.Key)] == ["P"]


def test_an_answer_of_the_terminal_within_a_paste_is_text() -> None:
    (paste,) = brought(START + b"\x1b[1;1R" + END, [])
    assert isinstance(paste, events.Paste)


def test_what_is_typed_after_a_pause_behind_a_paste_is_keys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    link = Link(monkeypatch)
    link.bring(START + b"one" + END + b"dropped")
    link.stall()
    link.bring(b"x\r")
    assert [type(one).__name__ for one in link.found] == ["Paste", "Key", "Key"]


def test_a_paste_without_an_end_keeps_little_and_is_given_up_by_ctrl_c(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    link = Link(monkeypatch)
    link.bring(START)
    for _ in range(100):
        link.bring(b"\x03" + b"x" * 4000)
    assert len(link._parser._pasted or "") == 20_000
    link.stall()
    link.bring(b"jj")
    link.stall()
    link.bring(b"\x03")
    link.stall()
    assert link.found == []
    link.bring(b"x")
    assert [one.key for one in link.found if isinstance(one, events.Key)] == ["x"]


@given(
    st.lists(
        st.sampled_from(
            ["\x1b", "\x1b[A", "\x1b[24~", "\x1b[3;4R", "\x1bOP", "\x1b[2", "[", "x", "é"]
        )
    ).map("".join)
)
def test_what_is_outside_of_a_paste_is_as_textual_has_it(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        link, theirs = Link(patch), XTermParser()
        link.bring(f"{text}.".encode())
        expected = [*theirs.feed(f"{text}.")]
        link.stall()
        assert names(link.found) == names([*expected, *theirs.tick()])


def names(found: list[Message]) -> list[str]:
    return [re.sub(r" object at 0x\w+", "", repr(one)) for one in found]
