"""An operator's file for a test, instead of this machine's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from paytui.config import operator_policy


class OperatorsFile:
    """The operator's file of a test.

    Attributes:
        path: of the file, which is not there yet.
    """

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        folder.mkdir(mode=0o755)
        self.path = folder / "config.toml"
        patch.setattr(operator_policy, "FILE", self.path)
        patch.setattr(operator_policy, "OWNER", os.getuid())

    def says(self, text: str) -> None:
        """Write it."""
        self.path.write_text(text, encoding="utf-8")
        self.path.chmod(0o644)
