"""The client against the sandbox."""

from __future__ import annotations

import asyncio

from paytui.api.client import Client


def test_a_service_with_a_history_lists_its_payments(seeded_client: Client) -> None:
    listing = asyncio.run(seeded_client.list_payments())
    assert listing.complete
    assert len(listing.records) == listing.total == 60
