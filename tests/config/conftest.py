"""A configuration to write and load."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.config.loader import Loader
from tests.support.operator import OperatorsFile


@pytest.fixture
def load(tmp_path: Path) -> Loader:
    return Loader(tmp_path)


@pytest.fixture
def operators_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OperatorsFile:
    return OperatorsFile(tmp_path / "operator", monkeypatch)
