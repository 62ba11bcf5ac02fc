"""The trust in a webhook: signature, time, and replay.

Signatures are made by hand as Standard Webhooks has them: HMAC-SHA256 over id, time and body.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from dataclasses import replace
from datetime import timedelta

import pytest

from paytui.api.dialect import load_dialect
from paytui.api.wire.codec import EventReader
from paytui.domain.models import Kind
from paytui.platform.clock import ServiceTime
from paytui.platform.secret import Secret
from paytui.store.screen_rows import Trust
from paytui.worker.webhook_intake import (
    InvalidSecret,
    Message,
    SeenKeys,
    SignatureVerifier,
    WebhookClassifier,
)
from tests.support.clock import NOON, ManualClock

KEY = b"twenty-four bytes of key"
SECRET = Secret("whsec_" + base64.b64encode(KEY).decode())
BODY = json.dumps({"eventId": "evt-1", "data": {"paymentTransactionId": "pay-1"}}).encode()


def signature(message_id: str, stamp: str, body: bytes, key: bytes = KEY) -> str:
    signed = message_id.encode() + b"." + stamp.encode() + b"." + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def signed(
    message_id: str = "evt-1", seconds: float = 0, body: bytes = BODY, key: bytes = KEY
) -> Message:
    """A message that was signed so many seconds after noon."""
    stamp = str(int(NOON.timestamp() + seconds))
    return Message(body, message_id, stamp, signature(message_id, stamp, body, key))


class Court:
    """A judge, and the clock that it judges by."""

    def __init__(self, *, secret: Secret | None = SECRET) -> None:
        self.clock = ManualClock()
        self.time = ServiceTime(self.clock)
        seal = None if secret is None else SignatureVerifier(secret)
        self.judge = WebhookClassifier(seal, EventReader(load_dialect()).read, self.time)

    def trust(self, message: Message) -> Trust:
        return self.judge.classify(message).trust


@pytest.fixture
def court() -> Court:
    return Court()


def test_what_is_signed_is_verified_and_tells_what_it_names(court: Court) -> None:
    judgement = court.judge.classify(signed())
    assert judgement.trust is Trust.VERIFIED
    assert judgement.event is not None
    assert (judgement.event.kind, judgement.event.object_id) == (Kind.PAYMENTS, "pay-1")


@pytest.mark.parametrize(
    "change",
    [
        {"body": BODY + b" "},
        {"message_id": "evt-2"},
        {"timestamp": str(int(NOON.timestamp()) + 1)},
        {"signatures": "v1,AAAA"},
        {"signatures": ""},
        {"message_id": ""},
        {"timestamp": ""},
        {"timestamp": "now"},
        {"timestamp": "-1"},
        {"timestamp": "9" * 11},
        {"signatures": "v2" + signed().signatures[2:]},
        {"body": b"\xff"},
        {"signatures": "\xe9"},
    ],
)
def test_whatever_is_changed_is_forged_and_not_looked_at(
    court: Court, change: dict[str, str | bytes]
) -> None:
    judgement = court.judge.classify(replace(signed(), **change))  # type: ignore[arg-type] # of either type
    assert (judgement.trust, judgement.event) == (Trust.FORGED, None)


def test_another_secret_forges(court: Court) -> None:
    assert court.trust(signed(key=b"another key of 24 bytes!")) is Trust.FORGED


def test_one_signature_of_several_is_enough(court: Court) -> None:
    message = signed()
    several = replace(message, signatures=f"v1,AAAA {message.signatures} v1a,xyz")
    assert court.trust(several) is Trust.VERIFIED


@pytest.mark.parametrize(
    ("seconds", "trust"),
    [
        (-299, Trust.VERIFIED),
        (-301, Trust.TOO_OLD),
        (299, Trust.VERIFIED),
        (301, Trust.TOO_OLD),
    ],
)
def test_a_message_may_be_five_minutes_off(court: Court, seconds: int, trust: Trust) -> None:
    assert court.trust(signed(seconds=seconds)) is trust


@pytest.mark.parametrize("minutes", [-10, 10])
def test_the_services_clock_counts_and_not_the_hosts(court: Court, minutes: int) -> None:
    court.time.observe(NOON, court.clock.boot(), court.clock.boot())
    court.clock.set_wall(NOON + timedelta(minutes=minutes))
    assert court.trust(signed()) is Trust.VERIFIED
    assert court.trust(signed("evt-2", seconds=minutes * 60)) is Trust.TOO_OLD


def test_a_clock_that_was_suspended_is_right_all_the_same(court: Court) -> None:
    court.time.observe(NOON, court.clock.boot(), court.clock.boot())
    court.clock.suspend(3600)
    assert court.trust(signed()) is Trust.TOO_OLD
    assert court.trust(signed(seconds=3600)) is Trust.VERIFIED


def test_the_very_message_is_a_replay_and_a_new_attempt_a_duplicate(court: Court) -> None:
    assert court.trust(signed()) is Trust.VERIFIED
    assert court.trust(signed()) is Trust.REPLAYED
    assert court.trust(signed(seconds=5)) is Trust.DUPLICATE
    assert court.trust(signed(seconds=5)) is Trust.REPLAYED
    assert court.trust(signed("evt-2")) is Trust.VERIFIED


def test_what_was_not_believed_is_not_known_again(court: Court) -> None:
    assert court.trust(replace(signed(), signatures="v1,AAAA")) is Trust.FORGED
    assert court.trust(signed(body=b"no json")) is Trust.UNREADABLE
    assert court.trust(signed()) is Trust.VERIFIED


def test_a_signature_does_not_make_sense_of_nonsense(court: Court) -> None:
    judgement = court.judge.classify(signed(body=b"[1]"))
    assert (judgement.trust, judgement.event) == (Trust.UNREADABLE, None)
    assert judgement.why == "Unreadable: a list where an object was expected."


class TestWithoutASecret:
    @pytest.fixture
    def court(self) -> Court:
        return Court(secret=None)

    def test_everything_that_can_be_read_is_unsigned(self, court: Court) -> None:
        assert court.trust(Message(BODY)) is Trust.UNSIGNED
        assert court.trust(signed("evt-2", seconds=-999)) is Trust.UNSIGNED
        assert court.trust(Message(b"no json")) is Trust.UNREADABLE

    def test_an_event_is_known_again_by_its_own_identifier(self, court: Court) -> None:
        assert court.trust(Message(BODY)) is Trust.UNSIGNED
        assert court.trust(Message(BODY)) is Trust.DUPLICATE

    def test_one_without_any_is_never_known_again(self, court: Court) -> None:
        nameless = Message(b'{"data": {"paymentTransactionId": "pay-1"}}')
        assert court.trust(nameless) is Trust.UNSIGNED
        assert court.trust(nameless) is Trust.UNSIGNED


class TestSecrets:
    @pytest.mark.parametrize("prefix", ["whsec_", ""])
    def test_it_may_come_with_its_prefix_and_padding_or_without(self, prefix: str) -> None:
        for key in (b"1" * 24, b"1" * 25, b"1" * 26):
            written = base64.b64encode(key).decode().rstrip("=")
            court = Court(secret=Secret(prefix + written))
            assert court.trust(signed(key=key)) is Trust.VERIFIED

    @pytest.mark.parametrize("text", ["whsec_", "whsec_!!!!", "whsec_é", "whsec_a", "hunter2 x"])
    def test_what_nothing_can_be_signed_with_is_refused_and_not_told(self, text: str) -> None:
        with pytest.raises(InvalidSecret) as caught:
            SignatureVerifier(Secret(text))
        assert text.removeprefix("whsec_") in ("", "a") or text not in str(caught.value)


def test_only_the_newest_are_remembered() -> None:
    remembered = SeenKeys(2)
    assert [remembered.has_seen(each) for each in "ababca"] == [
        False, False, True, True, False, False,
    ]  # fmt: skip
