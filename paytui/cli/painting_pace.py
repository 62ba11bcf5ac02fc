"""How fast Textual paints and how long it waits for the rest of a key: read when it is imported."""

from __future__ import annotations

from collections.abc import MutableMapping

from paytui.platform.host import Surroundings

FAR, NEAR = "15", "240"
"""Paints a second at the most, on a link or in a window, and elsewhere. What a key changes at once
is painted at once; what it changes a little later waits for the next of these."""

ESCAPE = "250"
"""Milliseconds in which what follows an ESC belongs to it, where a link may bring them apart."""


def set_pace(environ: MutableMapping[str, str], surroundings: Surroundings) -> None:
    """Say it in the environment, before Textual is imported; what is said there already stays."""
    environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    environ.setdefault("TEXTUAL_FPS", NEAR if surroundings.direct else FAR)
    if surroundings.ssh:
        environ.setdefault("ESCDELAY", ESCAPE)
