"""The terminal, and what lies between it and us."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping

from paytui.cli.checkup.finding import Finding, fine, note, warning
from paytui.platform.host import surroundings_of
from paytui.platform.text import clean
from paytui.tui.characters import has_utf8
from paytui.tui.colours import ColourMode, detected

NARROWEST, SHORTEST = 60, 20
"""Cells; a smaller terminal shows not all."""

PATIENCE = 2.0
"""Seconds for tmux to answer."""

SLOW_ESCAPE = 50
"""Milliseconds for which tmux holds the escape key back."""

TMUX_OPTIONS = ("escape-time", "set-clipboard", "default-terminal", "focus-events")
Option = Callable[[str], str]
"""What tmux has set under a name; empty where it does not say."""

COLOURS = {
    ColourMode.NONE: "no colours",
    ColourMode.SIXTEEN: "16 colours",
    ColourMode.MANY: "256 colours",
    ColourMode.TRUE: "true colours",
}


def terminal(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Look at the terminal that this runs on."""
    yield _terminal(environ)
    yield _locale(environ)
    yield _link(environ)
    if environ.get("TMUX"):
        yield from tmux(tmux_option)


def _terminal(environ: Mapping[str, str]) -> Finding:
    if not sys.stdout.isatty():
        return note("terminal", "there is none on stdout, so that it cannot be looked at")
    size = os.get_terminal_size(sys.stdout.fileno())
    term = clean(environ.get("TERM") or "no TERM", 40)
    what = f"{term}, {COLOURS[detected(environ)]}, {size.columns}x{size.lines}"
    if term == "dumb":
        return warning("terminal", what, "A dashboard needs another: try TERM=xterm-256color.")
    if size.columns < NARROWEST or size.lines < SHORTEST:
        return warning("terminal", what, f"Make it {NARROWEST}x{SHORTEST} at the least.")
    return fine("terminal", what)


def _locale(environ: Mapping[str, str]) -> Finding:
    name = next((environ[key] for key in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(key)), "C")
    if has_utf8(environ, in_utf8_mode=bool(sys.flags.utf8_mode)):
        return fine("locale", clean(name, 40))
    what = f"{clean(name, 40)} has no UTF-8: lines and names are shown in ASCII"
    return warning("locale", what, "Run: export LANG=C.UTF-8")


def _link(environ: Mapping[str, str]) -> Finding:
    here = surroundings_of(environ)
    copying = "press y in a list and paste: whether a terminal takes it (OSC 52) cannot be asked"
    if here.direct:
        return note("clipboard", copying)
    through = " and ".join(
        name for name, there in (("SSH", here.ssh), ("tmux or screen", here.multiplexed)) if there
    )
    return note("clipboard", f"through {through}: {copying}")


def tmux_option(name: str) -> str:
    """What tmux has set, empty where it does not say."""
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and nothing from outside
            ["tmux", "show", "-gv", name],  # noqa: S607 - the user's own
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return clean(done.stdout.decode(errors="replace").strip(), 60)


def tmux(option: Option) -> Iterator[Finding]:
    """Look at what tmux does to keys, colours and what is copied."""
    escape = option("escape-time")
    if escape.isdigit() and int(escape) > SLOW_ESCAPE:
        what = f"holds the escape key back for {escape} ms"
        yield warning("tmux", what, "Write into ~/.tmux.conf: set -sg escape-time 10")
    clipboard = option("set-clipboard")
    if clipboard and clipboard != "on":
        what = f"set-clipboard is {clipboard}: what is copied does not reach your terminal"
        yield warning("tmux", what, "Write into ~/.tmux.conf: set -g set-clipboard on")
    shown = option("default-terminal")
    if shown and not shown.startswith(("tmux", "screen")):
        what = f"default-terminal is {shown}, which tmux is not"
        remedy = 'Write into ~/.tmux.conf: set -g default-terminal "tmux-256color"'
        yield warning("tmux", what, remedy)
    elif shown and "256" not in shown:
        remedy = 'Write into ~/.tmux.conf: set -g default-terminal "tmux-256color"'
        yield note("tmux", f"default-terminal is {shown}: 16 colours", remedy)
    told = [f"{name} {option(name)}" for name in TMUX_OPTIONS if option(name)]
    yield fine("tmux", ", ".join(told)) if told else note("tmux", "it does not say how it is set")
