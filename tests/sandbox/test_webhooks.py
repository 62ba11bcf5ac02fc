from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import time_machine
from standardwebhooks import Webhook, WebhookVerificationError

from tests.sandbox.listener import LISTENING, SECRET, Listener, Notifying
from tests.support.plain import EMPTY, Customer, Item, PlainService, start_service

HOOKS = "/_sandbox/webhooks"
OTHER_SECRET = "whsec_AAAA9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def notifying(listener: Listener) -> Notifying:
    return Notifying(listener)


def fund(service: PlainService, amount: str = "10.00") -> tuple[Customer, str]:
    """A customer, and a wallet of theirs that was credited just now."""
    customer = Customer(service)
    body = {"accountId": customer.account_id, "currency": "AUD"}
    wallet = service.item("/v2/wallets", body)["walletId"]
    service.item("/v2/payin-addresses", {"walletId": wallet, "payInAddressType": "local"})
    service.wait(20)
    payin = customer.pay_in(wallet, amount)["payInTransactionId"]
    for status in ("compliance_review", "credited"):
        service.item("/_sandbox/states", {"kind": "payin", "id": payin, "status": status})
    return customer, wallet


def newest(service: PlainService) -> list[Item]:
    return service.shown(HOOKS)


@pytest.mark.covers("webhook-payin")
def test_a_credited_pay_in_is_told_whole_and_signed(
    notifying: Notifying, listener: Listener
) -> None:
    fund(notifying.service)
    notifying.deliver()
    (event,) = listener.heard
    (payin,) = notifying.service.shown("/v2/payins")
    assert event["eventType"] == "payin.credited"
    assert event["data"] == payin
    body, headers = listener.messages[0]
    assert headers["webhook-timestamp"] == str(int(notifying.clock.now().timestamp()))
    assert headers["webhook-id"] == event["eventId"]
    assert headers["content-type"] == "application/json"
    with (
        time_machine.travel(notifying.clock.now(), tick=False),
        pytest.raises(WebhookVerificationError, match="signature"),
    ):
        Webhook(OTHER_SECRET).verify(body, headers)


@pytest.mark.covers("webhook-payment")
def test_every_state_of_a_payment_is_told_and_its_end_to_end_id_from_released_on(
    notifying: Notifying, listener: Listener
) -> None:
    """service.md §6: endToEndId "only when the payment is released"."""
    customer, source = fund(notifying.service)
    there = {"sourceWalletId": source, "destinationWalletId": customer.wallet("AUD")}
    notifying.service.item("/v2/payments/transfer", {**there, "amount": "4.00"})
    notifying.service.wait()
    notifying.deliver()
    told = {
        event["eventType"]: "endToEndId" in event["data"]
        for event in listener.heard
        if event["eventType"] != "payin.credited"
    }
    assert told == {
        "payment.created": False,
        "payment.compliance_review": False,
        "payment.processing": False,
        "payment.released": True,
        "payment.completed": True,
    }


def test_an_exchanged_trade_is_told(notifying: Notifying, listener: Listener) -> None:
    customer, source = fund(notifying.service)
    body = {
        "sellCurrency": "AUD",
        "buyCurrency": "USD",
        "sellAmount": "1.00",
        "sellWalletId": source,
        "buyWalletId": customer.wallet("USD"),
    }
    notifying.service.item("/v2/tradess", body)
    notifying.service.wait(20)
    assert "trade.exchanged" in [event["eventType"] for event in newest(notifying.service)]


def test_what_happens_by_itself_is_told_without_any_request(
    notifying: Notifying, listener: Listener
) -> None:
    customer, wallet = fund(notifying.service)
    notifying.deliver()
    customer.pay_in(wallet, "5.00")
    notifying.clock.advance(30)
    notifying.deliver()
    assert listener.kinds == ["payin.credited", "payin.credited"]


def test_what_was_taken_is_not_sent_again(notifying: Notifying, listener: Listener) -> None:
    fund(notifying.service)
    for _ in range(3):
        notifying.deliver()
    assert len(listener.heard) == 1
    (event,) = newest(notifying.service)
    assert (event["attempts"], event["nextAt"]) == (1, None)
    assert event["deliveredAt"]


@pytest.mark.parametrize("status", [302, 400, 410, 500])
def test_what_was_not_taken_is_sent_again_later(
    notifying: Notifying, listener: Listener, status: int
) -> None:
    fund(notifying.service)
    listener.status = status
    notifying.deliver()
    notifying.deliver()
    assert len(listener.heard) == 1, "not at once"
    listener.status = 200
    notifying.clock.advance(10)
    notifying.deliver()
    first, second = listener.heard
    assert first["eventId"] == second["eventId"]
    assert newest(notifying.service)[0]["deliveredAt"]


@pytest.mark.slow
def test_a_listener_that_is_not_there_is_tried_ever_more_seldom_and_then_given_up(
    notifying: Notifying, listener: Listener
) -> None:
    fund(notifying.service)
    listener.status = 503
    waits = []
    while (event := newest(notifying.service)[0])["nextAt"]:
        began = notifying.clock.now()
        while newest(notifying.service)[0]["attempts"] == event["attempts"]:
            notifying.deliver()
            notifying.clock.advance(max(1, (notifying.clock.now() - began).total_seconds() / 8))
            notifying.service.sign_in()
        waits.append((notifying.clock.now() - began).total_seconds())
        listener.messages.clear()
    assert 5 <= len(waits) <= 15
    assert waits[1] < waits[3] < waits[5]
    assert event["deliveredAt"] is None


def test_an_event_is_sent_once_more_on_demand(notifying: Notifying, listener: Listener) -> None:
    fund(notifying.service)
    notifying.deliver()
    (event,) = newest(notifying.service)
    notifying.service.item(f"{HOOKS}/resend", {"eventId": event["eventId"]})
    notifying.deliver()
    first, second = listener.messages
    assert first[0] == second[0]
    unknown = {"eventId": "c0ffee00-0000-4000-8000-000000000000"}
    assert notifying.service.post(f"{HOOKS}/resend", unknown).status_code == 404


def test_a_restart_delivers_what_was_not_delivered(listener: Listener, tmp_path: Path) -> None:
    options = replace(LISTENING, database=str(tmp_path / "bank.db"))
    notifying = Notifying(listener, options)
    fund(notifying.service)
    notifying.start(options)
    notifying.deliver()
    assert listener.kinds == ["payin.credited"]


def test_a_refused_request_tells_nothing(notifying: Notifying) -> None:
    customer, source = fund(notifying.service)
    there = {"sourceWalletId": source, "destinationWalletId": customer.wallet("AUD")}
    answer = notifying.service.post("/v2/payments/transfer", {**there, "amount": "999.00"})
    assert answer.status_code == 422
    assert [event["eventType"] for event in newest(notifying.service)] == ["payin.credited"]


def test_without_a_listener_nothing_is_kept() -> None:
    service = start_service(EMPTY)
    fund(service)
    assert newest(service) == []


def test_the_secret_shows_nowhere() -> None:
    assert SECRET not in repr(LISTENING)
