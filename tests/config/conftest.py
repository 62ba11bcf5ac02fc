"""A configuration to write and load."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.config.loader import Loader


@pytest.fixture
def load(tmp_path: Path) -> Loader:
    return Loader(tmp_path)
