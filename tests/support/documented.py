"""The dialect of the service's description, read once a process."""

from __future__ import annotations

from functools import cache

from paytui.api.dialect import Dialect, load_dialect


@cache
def documented() -> Dialect:
    """Return what every desk of the tests speaks that is given no other dialect."""
    return load_dialect()
