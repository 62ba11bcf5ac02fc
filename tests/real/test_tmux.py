"""A real tmux: detach, attach, resize, paste, suspend and copy.

One window for all of it: each start takes seconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.real.conftest import Place
from tests.real.tmux import Tmux

DOWN = b"[B"
STORM = [(200, 60), (60, 20), (20, 5), (100, 30), (1, 1), (81, 25)] * 3


@pytest.fixture
def tmux(place: Place) -> Iterator[Tmux]:
    place.configure('[keys]\napp.suspend = "ctrl+z"\n')
    with Tmux((80, 24), {}) as server:
        server.wait_for("shell>")
        server.enter(place.command())
        server.wait_for(r"✓ all lists current(.|\n)*Quit")
        yield server


def test_the_dashboard_lives_in_tmux(tmux: Tmux) -> None:
    leaves_the_mouse_to_tmux(tmux)
    is_found_again_at_another_size(tmux)
    survives_a_storm_of_sizes(tmux)
    takes_a_paste_of_lines_as_text(tmux)
    takes_nothing_of_a_paste_for_keys(tmux)
    asks_for_a_code_before_anything_is_sent(tmux)
    knows_a_key_whose_rest_comes_late(tmux)
    copies_into_the_clipboard_of_tmux(tmux)
    is_suspended_and_paints_everything_afterwards(tmux)
    leaves_the_window_as_it_was(tmux)


def leaves_the_mouse_to_tmux(tmux: Tmux) -> None:
    assert tmux.asks("alternate_on") == "1"
    assert tmux.asks("mouse_any_flag") == "0"
    assert tmux.asks("mouse_all_flag") == "0"


def is_found_again_at_another_size(tmux: Tmux) -> None:
    with tmux.attach((80, 24)) as small:
        small.wait_for(r"7Recipients 8Activity")
        tmux.run("detach-client")
        assert small.wait_for_exit() == 0
    with tmux.attach((120, 40)) as large:
        large.wait_for(r"\A.*UTC\n.*7 Recipients +8 Activity(.*\n){37}.*Quit")
        large.send("6")
        large.wait_for("20 payments, by")
        large.send("\x02d")  # as a person leaves tmux
        assert large.wait_for_exit() == 0


def survives_a_storm_of_sizes(tmux: Tmux) -> None:
    third = [
        line.split("payout")[1].split()[0]
        for line in tmux.wait_for(r"(payout(.|\n)*){3}Quit").splitlines()
        if "payout" in line
    ][2]
    under_cursor = rf"▌.* {re.escape(third)} "
    tmux.keys("j", "j")
    tmux.wait_for(under_cursor)
    for size in STORM:
        tmux.resize(*size)
    tmux.resize(60, 20)
    screen = tmux.wait_for(r"5 Tra +6 Payments(.|\n)*Quit")
    assert max(map(len, screen.splitlines())) <= 60
    tmux.resize(200, 60)
    tmux.wait_for(r"7 Recipients +8 Activity(.|\n)*Reference +Account(.|\n)*Quit")
    tmux.resize(80, 24)
    tmux.wait_for(rf"7Recipients 8Activity(.|\n)*{under_cursor}(.|\n)*Quit")


def takes_a_paste_of_lines_as_text(tmux: Tmux) -> None:
    tmux.keys("/")
    tmux.paste("ccy:usd\nstatus:completed\n")
    tmux.wait_for(r"payments?, filtered(.|\n)*ccy:usd status:completed")
    tmux.keys("C-u")
    tmux.wait_for("words  status:released")
    tmux.keys("Enter")
    tmux.wait_for(r"20 payments, by")


def takes_nothing_of_a_paste_for_keys(tmux: Tmux) -> None:
    for pasted in ("a\x1bP\x1b" + "#" * 40, "a\x1b[201~P"):
        tmux.paste(pasted)
        tmux.press_until("?", "esc: back")
        tmux.keys("Escape")
        tmux.wait_for(r"20 payments, by")


def asks_for_a_code_before_anything_is_sent(tmux: Tmux) -> None:
    tmux.keys("P")
    tmux.wait_for(r"Type the letters [A-Z]{2} to confirm(.|\n)*enter: send")
    tmux.press_until("Enter", r"type [A-Z]{2}$")
    tmux.press_until("Escape", r"20 payments, by")


def knows_a_key_whose_rest_comes_late(tmux: Tmux) -> None:
    tmux.keys("g")
    tmux.keys("Enter")
    tmux.wait_for(r"▌ ?Amount(.|\n)*Failure reason")
    tmux.bytes(b"\x1b")
    tmux.bytes(DOWN)  # two commands of tmux later
    tmux.wait_for("▌ ?Type")
    tmux.bytes(b"\x1b")
    tmux.wait_for("20 payments, by")


def copies_into_the_clipboard_of_tmux(tmux: Tmux) -> None:
    tmux.keys("Enter")
    tmux.wait_for(r"Payments › (Payout|Transfer) \S+ [A-Z]{3}")
    tmux.keys("Y")
    tmux.wait_for("copied Payment id")
    assert re.fullmatch("[0-9a-f-]{36}", tmux.run("show-buffer").strip())


def is_suspended_and_paints_everything_afterwards(tmux: Tmux) -> None:
    before = tmux.wait_for(r"Payments › (Payout|Transfer) \S+ [A-Z]{3}").splitlines()[1:12]
    tmux.keys("C-z")
    tmux.wait_for(r"Stopped(.|\n)*shell>")
    assert tmux.asks("alternate_on") == "0"
    tmux.enter(("stty", "-a"))
    tmux.wait_for(r"[^-]icanon(.|\n)*[^-]echo ")
    tmux.enter(("fg",))
    tmux.wait_for(r"UTC(.|\n)*Payment(.|\n)*Quit")
    assert tmux.text.splitlines()[1:12] == before
    tmux.keys("Escape")
    tmux.wait_for("20 payments, by")


def leaves_the_window_as_it_was(tmux: Tmux) -> None:
    tmux.keys("q")
    tmux.wait_for(r"shell> *$")
    assert tmux.asks("alternate_on") == "0"
    assert tmux.asks("cursor_flag") == "1"
