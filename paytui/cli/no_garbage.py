"""The start of the dashboard without looking for garbage: nothing that it makes is any.

Looking took a third of the time until the first paint.
"""

from __future__ import annotations

import gc


def begin() -> None:
    """Look for none from now on."""
    gc.disable()


def end() -> None:
    """Look for it again, and never among what the start made."""
    gc.freeze()
    gc.enable()


class EndAfter:
    """Called by each that loads something, when it has; the last one ends it.

    Args:
        count: how many they are.
    """

    def __init__(self, count: int) -> None:
        self._loading = [None] * count

    def __call__(self) -> None:
        self._loading.pop()
        if not self._loading:
            end()
