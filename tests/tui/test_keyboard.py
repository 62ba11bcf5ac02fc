"""What is typed is read from the bytes of a terminal, whatever they are."""

from __future__ import annotations

import os
from collections.abc import Iterator
from selectors import SelectorKey, SelectSelector
from threading import Thread

import pytest
from textual import events
from textual.message import Message

from paytui.tui import keyboard
from paytui.tui.keyboard import End, read_keys
from tests.support.deadline import eventually


class Typed:
    """Keys that are read in a thread of their own from what is written."""

    def __init__(self, end: End) -> None:
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
    typing = Typed(End())
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
    typed.write(b"\x1b[200~one\r\ntwo\x1b[201~.")
    eventually(lambda: typed.text() == ".")
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

    monkeypatch.setattr(keyboard, "SelectSelector", Noted)
    typed = Typed(End())
    typed.write(b"x")
    eventually(lambda: len(waits) > 1)
    assert waits == [None, None]
    typed.write(b"\x1b")
    eventually(lambda: len(typed.found) > 1 and waits[-1] is None)
    assert waits[2] is not None
    typed.close()
