"""Webhooks and the objects they name. Names are those of service.md §2."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from paytui.api.dialect import Dialect, load_dialect
from paytui.api.wire.codec import Event, EventReader
from paytui.domain.exact_json import CannotReadError
from paytui.domain.models import Kind


def told(dialect: Dialect, **event: object) -> Event:
    return EventReader(dialect).read(json.dumps(event).encode())


def test_an_event_names_an_object_and_tells_nothing_of_it(dialect: Dialect) -> None:
    event = told(
        dialect,
        eventId="evt-1",
        eventType="payment.released",
        createdAt="2026-03-02T12:00:00Z",
        data={"paymentTransactionId": "pay-1", "status": "released", "amount": "5.00"},
    )
    assert event == Event(
        kind=Kind.PAYMENTS,
        object_id="pay-1",
        event_id="evt-1",
        event_type="payment.released",
        created_at=datetime(2026, 3, 2, 12, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    ("data", "kind", "identifier"),
    [
        ({"walletId": "w", "accountId": "a", "payInTransactionId": "in"}, Kind.PAYINS, "in"),
        ({"accountId": "a", "tradeTransactionId": "tr", "recipientId": "r"}, Kind.TRADES, "tr"),
        ({"recipientId": "r", "paymentAddressId": "pa"}, Kind.PAYMENT_ADDRESSES, "pa"),
        ({"recipientId": "r", "accountId": "a"}, Kind.RECIPIENTS, "r"),
        ({"walletId": "w", "accountId": "a"}, Kind.WALLETS, "w"),
        ({"accountId": "a"}, Kind.ACCOUNTS, "a"),
        ({"somethingElse": "x"}, None, None),
    ],
)
def test_it_names_the_most_particular_object_that_it_holds(
    dialect: Dialect, data: dict[str, str], kind: Kind | None, identifier: str | None
) -> None:
    event = told(dialect, eventType="whatever.it.is.called", data=data)
    assert (event.kind, event.object_id) == (kind, identifier)


def test_an_event_that_is_the_object_itself_names_it_too(dialect: Dialect) -> None:
    assert told(dialect, paymentTransactionId="pay-1").object_id == "pay-1"


def test_a_service_may_spell_it_otherwise(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        "[fields.event]\nevent_type = ['topic']\ndata = ['payload.object']\n"
        "[fields.payment]\npayment_transaction_id = ['ref']\n"
    )
    event = told(load_dialect(own), topic="paid", payload={"object": {"ref": "pay-1"}})
    assert (event.event_type, event.kind, event.object_id) == ("paid", Kind.PAYMENTS, "pay-1")


def test_what_it_says_is_cleaned(dialect: Dialect) -> None:
    assert told(dialect, eventType="\x1b[2Jpay").event_type == "\ufffd[2Jpay"


@pytest.mark.parametrize("identifier", ["p\x07", "p\u200b"])
def test_it_names_no_object_where_cleaning_would_make_it_another(
    dialect: Dialect, identifier: str
) -> None:
    assert told(dialect, data={"paymentTransactionId": identifier}).object_id is None


@pytest.mark.parametrize("body", [b"", b"\xff", b"no json", b"[1]", b'"x"', b"[" * 100_000])
def test_what_is_no_object_is_no_event(dialect: Dialect, body: bytes) -> None:
    with pytest.raises(CannotReadError):
        EventReader(dialect).read(body)
