"""The service for tests of the sandbox itself."""

from __future__ import annotations

from tests.sandbox.conftest import customer, service

__all__ = ["customer", "service"]
