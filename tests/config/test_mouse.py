"""The mouse belongs to the terminal over SSH or in tmux, unless it is configured."""

from __future__ import annotations

import pytest

from tests.config.loader import MINIMAL, Loader


@pytest.mark.parametrize(
    ("written", "here", "far"),
    [
        ("", True, False),
        ('mouse = "auto"', True, False),
        ('mouse = "on"', True, True),
        ('mouse = "off"', False, False),
    ],
)
def test_it_is_ours_where_it_is_wanted(load: Loader, written: str, here: bool, far: bool) -> None:
    display = load(f"{MINIMAL}[display]\n{written}\n").display
    assert display.has_mouse(direct=True) is here
    assert display.has_mouse(direct=False) is far


def test_another_word_is_refused(load: Loader) -> None:
    error = load.refusal(f"{MINIMAL}[display]\nmouse = true\n")
    assert error.key == "display.mouse"
