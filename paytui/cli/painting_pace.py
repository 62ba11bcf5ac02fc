"""How fast Textual paints and how long it waits for the rest of a key: read when it is imported."""

from __future__ import annotations

from collections.abc import MutableMapping

from paytui.surroundings import Surroundings

FRAMES = "15"
"""Paints a second at the most, on a link or in a window; one key's change is painted at once."""

ESCAPE = "250"
"""Milliseconds in which what follows an ESC belongs to it, where a link may bring them apart."""


def set_pace(environ: MutableMapping[str, str], surroundings: Surroundings) -> None:
    """Say it in the environment, before Textual is imported; what is said there already stays."""
    environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    if not surroundings.direct:
        environ.setdefault("TEXTUAL_FPS", FRAMES)
    if surroundings.ssh:
        environ.setdefault("ESCDELAY", ESCAPE)
