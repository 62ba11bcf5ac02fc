"""Checks of the terminal, its locale, and tmux in between."""

from __future__ import annotations

import pytest

from paytui.cli.machine_checks import terminal, tmux
from tests.cli.findings import found, the

GOOD = {
    "escape-time": "10",
    "set-clipboard": "on",
    "default-terminal": "tmux-256color",
    "focus-events": "on",
}


@pytest.mark.parametrize(
    ("environ", "verdict"),
    [
        ({"LANG": "en_AU.UTF-8"}, "ok"),
        ({}, "warning"),
    ],
)
def test_a_locale_without_utf_8_is_told_with_how_to_set_one(
    environ: dict[str, str], verdict: str
) -> None:
    finding = the(terminal(environ), "locale")
    assert finding.verdict.value == verdict
    assert ("export LANG=C.UTF-8" in finding.remedy) == (verdict == "warning")


def test_what_lies_in_between_is_named() -> None:
    environ = {"SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22", "STY": "1.pts"}
    assert "SSH and tmux or screen" in the(terminal(environ), "clipboard").what


def test_a_tmux_as_it_should_be_is_shown_as_it_is() -> None:
    (finding,) = tmux(lambda name: GOOD[name])
    assert finding.verdict.value == "ok"
    assert finding.what == (
        "escape-time 10, set-clipboard on, default-terminal tmux-256color, focus-events on"
    )


@pytest.mark.parametrize(
    ("option", "value", "what", "remedy"),
    [
        ("escape-time", "500", "for 500 ms", "set -sg escape-time 10"),
        ("set-clipboard", "off", "does not reach", "set -g set-clipboard on"),
        ("default-terminal", "xterm-256color", "which tmux is not", "tmux-256color"),
        ("default-terminal", "screen", "16 colours", "tmux-256color"),
    ],
)
def test_what_is_not_is_told_with_the_line_that_mends_it(
    option: str, value: str, what: str, remedy: str
) -> None:
    first, _ = tmux(lambda name: {**GOOD, option: value}[name])
    assert what in first.what
    assert remedy in first.remedy


def test_a_tmux_that_does_not_answer_is_not_taken_for_a_good_one() -> None:
    (finding,) = found(tmux(lambda _: ""), "tmux")
    assert finding.verdict.value == "note"
