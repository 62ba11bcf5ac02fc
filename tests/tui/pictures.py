"""Pictures of what is on screen: the sizes that each is taken at, and several out of one run."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytest_textual_snapshot import SVGImageExtension  # type: ignore[import-untyped]  # no stubs
from syrupy.assertion import SnapshotAssertion
from textual.app import App

SIZES = {"80x24": (80, 24), "120x40": (120, 40), "200x60": (200, 60)}

at_every_size = pytest.mark.parametrize("size", SIZES)

Compare = Callable[..., bool]
"""What the fixture `snap_compare` is: whether an app looks as it did."""


class Album:
    """Pictures that one run of an app comes by, each known by a name.

    Attributes:
        changed: names of those that do not look as they did.
    """

    def __init__(self, accepted: SnapshotAssertion) -> None:
        self._accepted = accepted.use_extension(SVGImageExtension)
        self.changed: list[str] = []

    def take(self, app: App[None], name: str) -> None:
        """Compare what is on screen with the picture that was accepted under a name."""
        if self._accepted(name=name) != app.export_screenshot(simplify=True):
            self.changed.append(name)
