"""In a locale without UTF-8 everything is drawn in ASCII, in as many cells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from paytui.platform.text import clean
from paytui.tui.terminal.tty import has_utf8, in_ascii, is_ascii, loses_letters


@pytest.mark.parametrize(
    ("environ", "utf8"),
    [
        ({"LANG": "en_AU.UTF-8"}, True),
        ({"LANG": "C.utf8"}, True),
        ({"LANG": "C", "LC_CTYPE": "en_AU.UTF-8"}, True),
        ({"LANG": "en_AU.UTF-8", "LC_ALL": "C"}, False),
        ({"LANG": "en_AU.UTF-8", "LC_CTYPE": "de_DE"}, False),
        ({"LANG": "de_DE.ISO-8859-1"}, False),
        ({"LANG": "en_AU.UTF-8", "LC_ALL": ""}, True),
    ],
)
def test_the_locale_says_what_text_is(environ: dict[str, str], utf8: bool) -> None:
    assert has_utf8(environ, in_utf8_mode=False) is utf8


@pytest.mark.parametrize(
    ("environ", "utf8"),
    [
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, False),
        ({"LC_CTYPE": "C.UTF-8"}, False),
        ({"LC_ALL": "POSIX"}, False),
        ({"LANG": "xx_XX.UTF-8", "LC_CTYPE": "C.UTF-8"}, True),
        ({"LC_CTYPE": "C.UTF-8", "PYTHONUTF8": "1"}, True),
    ],
)
def test_what_python_makes_of_the_c_locale_says_nothing_of_the_terminal(
    environ: dict[str, str], utf8: bool
) -> None:
    assert has_utf8(environ, in_utf8_mode=True) is utf8


def test_what_is_said_goes_before_the_locale() -> None:
    assert is_ascii("ascii", utf8=True)
    assert not is_ascii("utf-8", utf8=False)
    assert is_ascii("auto", utf8=False)
    assert not is_ascii("auto", utf8=True)


@pytest.mark.parametrize(
    ("drawn", "ascii_"),
    [
        ("╭─ Export ─╮", "+- Export -+"),
        ("┏━ Balances ━┓", "+= Balances =+"),
        ("███████─────", "#######-----"),
        (
            "✓ completed  ✗ failed  … processing  ? in doubt",
            "+ completed  x failed  ~ processing  ?",
        ),
        ("▲ +0.00012  ▼ -0.00030  = 0", "^ +0.00012  v -0.00030  = 0"),
        ("≈ 162,807.50 USD", "~ 162,807.50 USD"),
        ("Sheet 7f3a · 6 pairs", "Sheet 7f3a - 6 pairs"),
        ("● sent  ○ may come  › Acme", "* sent  o may come  > Acme"),
        ("Müller & Søn, São Paulo", "Muller & Son, Sao Paulo"),
        ("株式会社 Acme", "???????? Acme"),
        ("12\xa0000.00", "12 000.00"),
        ("\x1b[31m─\x1b[0m", "\x1b[31m-\x1b[0m"),
    ],
)
def test_signs_and_names_become_what_is_nearest(drawn: str, ascii_: str) -> None:
    assert in_ascii(drawn).startswith(ascii_)


@pytest.mark.parametrize(
    ("name", "lost"),
    [("Аcme", True), ("王 Who?", True), ("Müller & Søn", False), ("Who?", False)],
)
def test_a_name_that_becomes_question_marks_is_known(name: str, lost: bool) -> None:
    assert loses_letters(name) is lost


@given(st.text())
def test_whatever_a_service_sends_takes_as_many_cells_as_before(text: str) -> None:
    shown = clean(text)
    drawn = in_ascii(shown)
    assert drawn.isascii()
    assert len(drawn) == cell_len(shown)
