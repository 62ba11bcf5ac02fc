"""Copies to the terminal's clipboard by OSC 52, which works over SSH but sends no answer.

A `Secret` is no string and cannot be copied; the store holds no secrets.
"""

from __future__ import annotations

from typing import TypeVar

from textual.app import App

from paytui.tui.app_base import TerminalQueryMixin

T = TypeVar("T")

LONGEST = 50_000
"""Maximum bytes to copy: terminals accept about 74,000 of OSC 52, as base64."""


def copy(app: App[T], label: str, value: str | None) -> None:
    """Copy a value and tell the user so.

    Args:
        app: the app on the terminal with the clipboard.
        label: the value's label: `Account number`.
        value: None or empty: the message says that there is nothing to copy.
    """
    if not value:
        _say(app, f"nothing to copy: {label} was not sent")
        return
    kept = value.encode()[:LONGEST].decode(errors="ignore")
    app.copy_to_clipboard(kept)
    part = f"the first {len(kept):,} of {len(value):,} characters of " if kept != value else ""
    _say(app, f"copied {part}{label}{_unless(app)}")


def _unless(app: App[T]) -> str:
    """Return a caveat: tmux and screen may keep the copy to themselves, and do not tell."""
    within = isinstance(app, TerminalQueryMixin) and app.desk.surroundings.multiplexed
    return ", if tmux or screen allows it" if within else ""


def _say(app: App[T], words: str) -> None:
    app.notify(words, markup=False, timeout=3)
