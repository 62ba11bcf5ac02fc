"""Output in fewer bytes looks the same."""

from __future__ import annotations

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyte.screens import Char
from rich.color import ColorSystem
from rich.style import Style

from paytui.tui.terminal.driver import minimise_sgr

COLOURS = st.sampled_from([None, "red", "bright_white", "color(75)", "color(188)", "#102030"])
FLAGS = st.sampled_from([None, True])
STYLES = st.builds(
    Style,
    color=COLOURS,
    bgcolor=COLOURS,
    bold=FLAGS,
    italic=FLAGS,
    underline=FLAGS,
    reverse=FLAGS,
    strike=FLAGS,
)
TEXTS = st.sampled_from(["  ", "a", "21 Nov", " x ", "\xa0\xa0", "▌ ", "5;1H"])
MOVES = st.sampled_from(["\x1b[2;1H", "\n\x1b[3;1H", "\x1b[1;9H"])
PIECES = st.lists(st.one_of(MOVES, st.tuples(STYLES, TEXTS)), max_size=12)
SYSTEMS = st.sampled_from([ColorSystem.STANDARD, ColorSystem.EIGHT_BIT, ColorSystem.TRUECOLOR])


def painted(pieces: list[str | tuple[Style, str]], system: ColorSystem) -> str:
    """Return the output that Textual writes."""
    return "".join(
        piece if isinstance(piece, str) else piece[0].render(piece[1], color_system=system)
        for piece in pieces
    )


def shown(sequences: str) -> list[list[Char]]:
    """Return the cells that a terminal shows; the ink of a blank is invisible."""
    screen = pyte.Screen(80, 4)
    screen.set_mode(pyte.modes.LNM)
    pyte.Stream(screen).feed(sequences)
    return [[seen(screen.buffer[y][x]) for x in range(80)] for y in range(4)]


def seen(cell: Char) -> Char:
    if cell.data in " \xa0" and not (cell.reverse or cell.underscore or cell.strikethrough):
        return Char(" ", bg=cell.bg)
    return cell


@given(PIECES, SYSTEMS)
def test_it_looks_as_it_did(pieces: list[str | tuple[Style, str]], system: ColorSystem) -> None:
    whole = painted(pieces, system)
    assert shown(minimise_sgr(whole)) == shown(whole)


@given(PIECES, SYSTEMS)
def test_it_is_never_longer(pieces: list[str | tuple[Style, str]], system: ColorSystem) -> None:
    whole = painted(pieces, system)
    assert len(minimise_sgr(whole)) <= len(whole)


@pytest.mark.slow
@given(PIECES, SYSTEMS)
def test_it_leaves_the_terminal_in_its_own_style(
    pieces: list[str | tuple[Style, str]], system: ColorSystem
) -> None:
    after = minimise_sgr(painted(pieces, system)) + "\x1b[1;1Hx"
    assert shown(after)[0][0] == Char("x")


@pytest.mark.parametrize(
    ("whole", "expected"),
    [
        # Two pieces of one style are one.
        ("\x1b[31mab\x1b[0m\x1b[31mcd\x1b[0m", "\x1b[31mabcd\x1b[0m"),
        # Only the colour that differs is told.
        ("\x1b[31;40ma\x1b[0m\x1b[32;40mb\x1b[0m", "\x1b[31;40ma\x1b[32mb\x1b[0m"),
        # A blank has no ink.
        ("\x1b[31;40ma\x1b[0m\x1b[32;40m \x1b[0m", "\x1b[31;40ma \x1b[0m"),
        # Where paper ends, all else ends with it: a blank asks for nothing more.
        ("\x1b[3;41ma\x1b[0m  ", "\x1b[3;41ma\x1b[0m  "),
        # What is underlined shows on a blank too.
        ("\x1b[31ma\x1b[0m\x1b[4;31m \x1b[0m", "\x1b[31ma\x1b[4m \x1b[0m"),
        # Where the cursor is sent somewhere, the end of the line before it says nothing.
        ("\x1b[31ma\x1b[0m\n\x1b[2;1H\x1b[31mb\x1b[0m", "\x1b[31ma\x1b[2;1Hb\x1b[0m"),
        # Bold ends only with all else.
        ("\x1b[1;31ma\x1b[0m\x1b[31mb\x1b[0m", "\x1b[1;31ma\x1b[0;31mb\x1b[0m"),
        ("\x1b[?1049h\x1b]52;c;YQ==\x07", "\x1b[?1049h\x1b]52;c;YQ==\x07"),
    ],
)
def test_it_tells_what_differs(whole: str, expected: str) -> None:
    assert minimise_sgr(whole) == expected
