from __future__ import annotations

import pytest

from tests.support.plain import Customer, PlainService, start_service


@pytest.fixture
def service() -> PlainService:
    return start_service()


@pytest.fixture
def customer(service: PlainService) -> Customer:
    return Customer(service)
