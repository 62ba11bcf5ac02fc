"""Telling somebody who does not look at the screen: by the bell, or by a message of the desktop."""

from __future__ import annotations

from paytui.config.settings import Notify
from paytui.platform.text import clean

LONGEST = 200
"""Characters of a message."""


def told_by(notify: Notify, words: str) -> str:
    """What to write to the terminal; nothing in the words is an escape of its own.

    OSC 9 is iTerm2's, and of what follows it; OSC 777 is rxvt's: `notify;TITLE;BODY`, in which a
    semicolon would begin a field.
    """
    message = clean(words, LONGEST).replace(";", ",")
    match notify:
        case "bell":
            return "\a"
        case "osc9":
            return f"\x1b]9;paytui: {message}\a"
        case "osc777":
            return f"\x1b]777;notify;paytui;{message}\a"
        case "off":
            return ""
