"""Pictures of the screen, and the terminal sizes for them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

import pytest

USUAL = (80, 24)
SIZES = {"80x24": (80, 24), "120x40": (120, 40), "200x60": (200, 60)}


def pictured(
    argument: str, names: Iterable[str], *, wide: Collection[str] = ()
) -> pytest.MarkDecorator:
    """Parametrize a test by name and size: each name at 80x24, those in `wide` at every size."""
    pictures = [
        pytest.param(name, size, id=f"{name}-{size}", marks=() if size == "80x24" else SLOW)
        for name in names
        for size in SIZES
        if size == "80x24" or name in wide
    ]
    return pytest.mark.parametrize((argument, "size"), pictures)


SLOW = pytest.mark.slow

Compare = Callable[..., bool]
"""The fixture `snap_compare`: returns True if an app looks as before."""
