"""Notifications of the terminal for an absent trader."""

from __future__ import annotations

import pytest

from paytui.config.settings import Notify
from paytui.tui.notifications import notify_sequence


@pytest.mark.parametrize("notify", ["osc9", "osc777"])
def test_nothing_in_a_message_ends_it_or_begins_another(notify: Notify) -> None:
    told = notify_sequence(notify, "a\x07b\x1b]52;c;aGk=\x07\x9dc\x9c\nd")
    assert told.count("\x1b") == 1
    assert told.index("\x07") == len(told) - 1
    assert not set(told) & {"\n", "\x9c", "\x9d"}


def test_a_semicolon_in_a_message_begins_no_field() -> None:
    assert notify_sequence("osc777", "a;b").removeprefix("\x1b]777;notify;paytui;") == "a,b\a"


def test_a_message_has_a_bound() -> None:
    assert len(notify_sequence("osc9", "x" * 10_000)) < 250
