"""What tests of the store share."""

from __future__ import annotations

import pytest

from paytui.store.store import Store


@pytest.fixture
def store() -> Store:
    return Store()
