"""Fixtures for tests of the store."""

from __future__ import annotations

import pytest

from paytui.store.store import Store


@pytest.fixture
def store() -> Store:
    return Store()
