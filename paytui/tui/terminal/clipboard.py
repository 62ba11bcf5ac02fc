"""Copying to the clipboard of the terminal, by OSC 52: it works over SSH, and gives no answer.

A `Secret` is no string and cannot be copied; what the store holds is free of secrets.
"""

from __future__ import annotations

from typing import TypeVar

from textual.app import App

from paytui.tui.app_base import TerminalQueryMixin

T = TypeVar("T")

LONGEST = 50_000
"""Bytes copied at the most: terminals take about 74,000 of OSC 52, as base64."""


def copy(app: App[T], label: str, value: str | None) -> None:
    """Copy a value and say in words what was copied.

    Args:
        app: the one whose terminal has the clipboard.
        label: what a person calls the value: `Account number`.
        value: None or nothing: there is nothing to copy, which is said.
    """
    if not value:
        _say(app, f"nothing to copy: {label} was not sent")
        return
    kept = value.encode()[:LONGEST].decode(errors="ignore")
    app.copy_to_clipboard(kept)
    part = f"the first {len(kept):,} of {len(value):,} characters of " if kept != value else ""
    _say(app, f"copied {part}{label}{_unless(app)}")


def _unless(app: App[T]) -> str:
    """A window of tmux or screen may keep it to itself, and does not tell."""
    within = isinstance(app, TerminalQueryMixin) and app.desk.surroundings.multiplexed
    return ", if tmux or screen passes it on" if within else ""


def _say(app: App[T], words: str) -> None:
    app.notify(words, markup=False, timeout=3)
