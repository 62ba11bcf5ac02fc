"""A new object is seen to become Active within seconds."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.applications import Starlette

from paytui.domain.intent import Action, Standing
from paytui.domain.models import (
    Kind,
    PaymentAddress,
    PaymentAddressId,
    Recipient,
    RecipientId,
    State,
)
from paytui.store.payable import addresses_of
from tests.support.clock import ManualClock
from tests.worker.conftest import Run
from tests.worker.creating import Creating

PATH = "/v2/recipients"


@pytest.fixture
def desk(service: Starlette, clock: ManualClock, path: Path) -> Creating:
    return Creating(service, clock, path)


def test_a_new_recipient_is_seen_to_be_active_within_seconds(desk: Creating, run: Run) -> None:
    """Recipients are read every 60 s otherwise."""

    async def scenario() -> None:
        async with desk.open():
            identifier = await made(desk)
            assert state(desk, identifier) == "pending"
            await desk.wait(20)
            assert state(desk, identifier) == "pending"
            await desk.control("states", kind="recipient", id=identifier, status="Active")
            await desk.until(lambda: state(desk, identifier) == "active", within=6)
            key = address(desk, identifier).payment_address_id
            await desk.control("states", kind="payment_address", id=key, status="Active")
            await desk.until(
                lambda: name_of(address(desk, identifier).status) == "active", within=6
            )

    run(scenario())


def test_an_added_payment_address_is_seen_to_be_active_within_seconds(
    desk: Creating, run: Run
) -> None:
    """It comes within its recipient here."""

    async def scenario() -> None:
        async with desk.open():
            identifier = await made(desk, Action.CREATE_PAYMENT_ADDRESS)
            rows = desk.store.payment_addresses
            await desk.wait(20)
            key = PaymentAddressId(identifier)
            await desk.control("states", kind="payment_address", id=key, status="Active")
            await desk.until(
                lambda: (row := rows.get(key)) is not None and name_of(row.status) == "active",
                within=6,
            )

    run(scenario())


@pytest.mark.slow
def test_once_it_is_ready_or_after_ten_minutes_it_is_read_as_all_others(
    desk: Creating, run: Run
) -> None:
    """In 120 s two or three times, at an interval of 60 s."""

    async def scenario() -> None:
        async with desk.open():
            await made(desk)
            await desk.wait(610)
            desk.network.requests.clear()
            await desk.wait(120)
            assert 1 <= desk.network.counts[PATH] <= 3

    run(scenario())


async def made(desk: Creating, action: Action = Action.CREATE_RECIPIENT) -> str:
    intent = desk.creation(action)
    desk.submit(intent)
    row = await desk.stands(intent, Standing.ACCEPTED, within=5)
    assert row.object_id
    return row.object_id


def state(desk: Creating, identifier: str) -> str | None:
    row = desk.store.table(Kind.RECIPIENTS).get(identifier)
    assert isinstance(row, Recipient)
    return name_of(row.status)


def address(desk: Creating, recipient_id: str) -> PaymentAddress:
    recipient = desk.store.recipients.get(RecipientId(recipient_id))
    assert recipient is not None
    [found] = addresses_of(desk.store, recipient)
    return found


def name_of(status: State | None) -> str | None:
    return status.name if status else None
