"""The service as tests of the sandbox itself have it."""

from __future__ import annotations

from tests.sandbox.conftest import customer, service

__all__ = ["customer", "service"]
