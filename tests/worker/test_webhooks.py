"""Webhooks of the sandbox over real HTTP: named objects are read, claims are not shown."""

from __future__ import annotations

import json
import random
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import httpx
import pytest
from standardwebhooks import Webhook

from paytui.api.client import Client, Credentials
from paytui.api.dialect import load_dialect
from paytui.api.http.transport import RateLimiter
from paytui.api.wire.codec import EventReader
from paytui.config.settings import WebhookSettings
from paytui.domain.models import Kind, Payment, PaymentId
from paytui.platform.clock import Clock, ServiceTime, SystemClock
from paytui.platform.secret import Secret, SecretError
from paytui.store.screen_rows import EventRow, Trust
from paytui.store.store import Store
from paytui.worker.sync.shared import PollSchedule
from paytui.worker.webhook_listener import BURST, PER_MINUTE, WebhookListener
from paytui.worker.worker import Worker
from paytui.worker.worker_thread import WorkerHost
from tests.support.clock import ManualClock
from tests.support.deadline import eventually
from tests.support.forks import Forks
from tests.support.sandbox_process import SECRET, SandboxProcess
from tests.support.tcp import own_port
from tests.worker.desk import INTERVALS

PATH = "/hooks/0123456789abcdef"
SIGNED_WITH = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
NEVER = {kind: timedelta(hours=1) for kind in INTERVALS}
"""Polls that nobody waits for."""


class WrongHost:
    """The clock of a host that is ten minutes ahead."""

    def __init__(self) -> None:
        self._clock = SystemClock()

    def now(self) -> datetime:
        return self._clock.now() + timedelta(minutes=10)

    def monotonic(self) -> float:
        return self._clock.monotonic()

    def boot(self) -> float:
        return self._clock.boot()


class Heard:
    """A worker that listens, a sandbox that speaks, and anybody else who does."""

    def __init__(self, sandbox: SandboxProcess, port: int) -> None:
        self.sandbox = sandbox
        self.store = Store()
        self.secret: str | SecretError | None = SIGNED_WITH
        self.url = f"http://127.0.0.1:{port}{PATH}"
        self._port = port
        self._began = datetime.now(UTC)

    @contextmanager
    def listening(self, clock: Clock | None = None) -> Iterator[None]:
        """A worker that has read everything listens inside."""
        with self.running(clock):
            eventually(lambda: all(self.store.feed(kind).ok for kind in INTERVALS), 60)
            yield

    @contextmanager
    def running(self, clock: Clock | None = None) -> Iterator[None]:
        """A worker runs inside."""
        host = WorkerHost(lambda: self._worker(clock or SystemClock()), self.store)
        host.start()
        try:
            yield
        finally:
            host.stop(20)

    def _worker(self, clock: Clock) -> Worker:
        async def get() -> Secret:
            if isinstance(self.secret, SecretError):
                raise self.secret
            return Secret(self.secret or "")

        dialect, time = load_dialect(), ServiceTime(clock)
        rng = random.Random(7)  # noqa: S311 - a test repeats itself
        credentials = Credentials("demo", lambda: Secret(SECRET))
        client = Client(self.sandbox.base_url, credentials, dialect, time, rng)
        settings = WebhookSettings(enabled=True, port=self._port, path=PATH)
        secret = get if self.secret else None
        return Worker(
            client,
            self.store,
            time,
            rng,
            PollSchedule(NEVER),
            listener=partial(WebhookListener, settings, EventReader(dialect), secret),
        )

    def processing(self) -> PaymentId:
        """A payment that can go on to be released."""
        return next(
            row.payment_transaction_id
            for row in self.store.payments.rows()
            if row.status and row.status.name == "processing"
        )

    def set_state(self, payment_id: PaymentId, status: str) -> None:
        """Change the state of a payment outside of paytui."""
        self.sandbox.control("states", {"kind": "payment", "id": payment_id, "status": status})

    def payment(self, payment_id: PaymentId) -> Payment:
        row = self.store.payments.get(payment_id)
        assert row is not None
        return row

    def events(self, trust: Trust) -> list[EventRow]:
        return [row for row in self.store.events.rows() if row.trust is trust]

    def keys(self, kind: Kind) -> set[str]:
        return self.store.table(kind).keys()

    def caused(self) -> list[str]:
        return [row.caused for row in self.store.events.rows()]

    def delivery(self) -> dict[str, object]:
        """Return the outcome of the newest event, as its sender reports it."""
        answer = httpx.get(
            f"{self.sandbox.base_url}/_sandbox/webhooks", trust_env=False, timeout=60
        )
        found: dict[str, object] = answer.json()["items"][0]
        return found

    def reads(self) -> int:
        """Count the reads of payments, single ones and lists."""
        return self.sandbox.requests()["list_payments"]

    def post(
        self, body: object, *, ago: float = 0, event_id: str = "evt-x", key: str = SIGNED_WITH
    ) -> int:
        """Send an event as somebody who signs with a key; the status of the answer."""
        text, at = json.dumps(body), self._began - timedelta(seconds=ago)
        headers = {
            "webhook-id": event_id,
            "webhook-timestamp": str(int(at.timestamp())),
            "webhook-signature": Webhook(key).sign(event_id, at, text),
        }
        return httpx.post(
            self.url, content=text, headers=headers, trust_env=False, timeout=60
        ).status_code


@pytest.fixture
def port() -> Iterator[int]:
    with own_port() as port:
        yield port


@pytest.fixture
def heard(
    tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch, forks: Forks
) -> Iterator[Heard]:
    monkeypatch.setenv("PAYTUI_SANDBOX_WEBHOOK_SECRET", SIGNED_WITH)
    options = ("--webhook-url", f"http://127.0.0.1:{port}{PATH}", "--scale", "40", "--speed", "0")
    with SandboxProcess(tmp_path, *options, forks=forks) as sandbox:
        yield Heard(sandbox, port)


def claims(payment_id: str, status: str = "completed") -> dict[str, object]:
    data = {"paymentTransactionId": payment_id, "status": status, "amount": "999999.00"}
    return {"eventId": "evt-x", "eventType": f"payment.{status}", "data": data}


@pytest.mark.covers("webhook-payment")
def test_what_happens_at_the_service_is_seen_without_a_poll(heard: Heard) -> None:
    with heard.listening():
        key = heard.processing()
        heard.set_state(key, "released")
        eventually(lambda: "processing → released" in heard.caused())
        assert heard.payment(key).end_to_end_id, "service.md §6: present once released"
        [row] = [row for row in heard.events(Trust.VERIFIED) if row.object_id == key]
        assert (row.event_type, row.object_kind) == ("payment.released", Kind.PAYMENTS)
        eventually(lambda: heard.delivery()["deliveredAt"] is not None)


@pytest.mark.slow
@pytest.mark.covers("webhook-payin")
def test_a_pay_in_that_is_credited_is_seen_with_the_balance_that_it_raises(heard: Heard) -> None:
    with heard.listening():
        wallet = next(
            row for row in heard.store.wallets.rows() if row.status and row.status.name == "active"
        )
        assert wallet.available_balance is not None
        raised = wallet.available_balance + 7
        payin = heard.sandbox.control("payins", {"walletId": wallet.wallet_id, "amount": "7"})
        key = payin["payInTransactionId"]
        for status in ("compliance_review", "credited"):
            heard.sandbox.control("states", {"kind": "payin", "id": key, "status": status})
        eventually(lambda: "new: credited" in heard.caused())
        assert key in heard.keys(Kind.PAYINS)
        eventually(lambda: raised in {row.available_balance for row in heard.store.wallets.rows()})


def test_what_an_event_says_is_never_shown_even_if_it_is_signed(heard: Heard) -> None:
    with heard.listening():
        key = heard.processing()
        before = heard.payment(key)
        assert heard.post(claims(key)) == 204
        eventually(lambda: [row.caused for row in heard.events(Trust.VERIFIED)] == ["no change"])
        assert heard.payment(key) == before


@pytest.mark.slow
def test_lies_repeats_and_noise_change_nothing_but_their_own_line(heard: Heard) -> None:
    with heard.listening():
        key = heard.processing()
        heard.post(claims(key))
        eventually(lambda: [row.caused for row in heard.events(Trust.VERIFIED)] == ["no change"])
        reads, version = heard.reads(), heard.store.payments.version

        assert heard.post(claims(key), key="whsec_" + "A" * 32) == 401
        assert heard.post(claims(key)) == 204
        assert heard.post(claims(key), ago=-9) == 204
        assert heard.post(claims(key), ago=900) == 401
        assert heard.post([1], event_id="evt-y") == 400
        noise = httpx.post(heard.url, content=b"\x00\xff" * 99, trust_env=False, timeout=60)
        assert noise.status_code == 401

        by_trust = {trust: len(heard.events(trust)) for trust in Trust}
        assert by_trust == {
            Trust.VERIFIED: 1,
            Trust.UNSIGNED: 0,
            Trust.FORGED: 2,
            Trust.TOO_OLD: 1,
            Trust.REPLAYED: 1,
            Trust.DUPLICATE: 1,
            Trust.UNREADABLE: 1,
        }
        assert all(not row.caused for row in heard.store.events.rows() if not row.trust.heeded)
        assert (heard.reads(), heard.store.payments.version) == (reads, version)


@pytest.mark.slow
def test_an_event_that_the_service_sends_again_is_a_duplicate(heard: Heard) -> None:
    with heard.listening():
        key = heard.processing()
        heard.set_state(key, "released")
        eventually(lambda: bool(heard.events(Trust.VERIFIED)))
        eventually(lambda: heard.delivery()["deliveredAt"] is not None)
        heard.sandbox.control("clock", {"seconds": 5})
        heard.sandbox.control("webhooks/resend", {"eventId": heard.delivery()["eventId"]})
        eventually(lambda: bool(heard.events(Trust.DUPLICATE)))
        assert len(heard.events(Trust.VERIFIED)) == 1


@pytest.mark.slow
def test_a_host_whose_clock_is_ten_minutes_off_hears_all_the_same(heard: Heard) -> None:
    with heard.listening(clock=WrongHost()):
        heard.set_state(heard.processing(), "released")
        eventually(lambda: [row.caused for row in heard.events(Trust.VERIFIED)] != [])
        assert heard.events(Trust.TOO_OLD) == []


@pytest.mark.slow
def test_without_a_secret_events_are_hints_that_are_called_unsigned(heard: Heard) -> None:
    heard.secret = None
    with heard.listening():
        key = heard.processing()
        heard.set_state(key, "released")
        eventually(lambda: "processing → released" in heard.caused())
        [row] = heard.events(Trust.UNSIGNED)
        assert row.object_id == key


@pytest.mark.slow
def test_a_flood_of_forgeries_is_one_line_and_leaves_room_for_what_is_true(heard: Heard) -> None:
    with heard.listening():
        with httpx.Client(trust_env=False) as client:
            statuses = [client.post(heard.url, content=b"x").status_code for _ in range(150)]
        [forged] = heard.events(Trust.FORGED)
        assert forged.times == statuses.count(401)
        heard.set_state(heard.processing(), "released")
        eventually(lambda: "processing → released" in heard.caused(), 60)


def test_a_hundred_messages_are_judged_at_once_and_twenty_a_second_from_then_on() -> None:
    clock = ManualClock()
    rate_limit = RateLimiter(PER_MINUTE, clock, BURST)
    assert [rate_limit.try_take() for _ in range(150)].count(True) == 100
    clock.advance(2)
    assert [rate_limit.try_take() for _ in range(150)].count(True) == 40
    clock.advance(3600)
    assert [rate_limit.try_take() for _ in range(150)].count(True) == 100


def test_a_rotated_secret_is_found_without_a_restart(heard: Heard) -> None:
    heard.secret = "whsec_" + "A" * 32
    with heard.listening():
        key = heard.processing()
        heard.secret = SIGNED_WITH
        assert heard.post(claims(key)) == 401, "and its sender tries again later"
        eventually(lambda: heard.post(claims(key)) == 204)
        assert len(heard.events(Trust.VERIFIED)) == 1


@pytest.mark.slow
def test_before_the_services_time_is_known_events_are_to_come_later(heard: Heard) -> None:
    heard.sandbox.kill()
    with heard.running(WrongHost()):
        eventually(lambda: bool(heard.store.listening.address))
        assert heard.post(claims("pay-1")) == 503
        assert len(heard.store.events) == 0
        heard.sandbox.start()
        eventually(lambda: heard.post(claims("pay-1")) == 204, 60)
        assert heard.events(Trust.TOO_OLD) == []


class TestTrouble:
    def test_a_port_that_is_taken_is_told_with_what_to_do(self, heard: Heard, port: int) -> None:
        with socket.create_server(("127.0.0.1", port)), heard.listening():
            eventually(lambda: heard.store.listening.problem is not None)
            assert str(heard.store.listening.problem) == (
                f"Could not listen for webhooks on 127.0.0.1 port {port}: Address already in use. "
                "paytui retries in 30 s; lists are still polled."
            )
            assert heard.store.listening.address == ""

    @pytest.mark.parametrize(
        ("secret", "told"),
        [
            ("not base64 at all!", "the webhook secret is not whsec_ and base64"),
            (SecretError("webhooks.secret_file", "cannot be read", "Create it."), "cannot be read"),
        ],
    )
    def test_without_the_secret_that_was_to_be_there_nothing_is_heard(
        self, heard: Heard, secret: str | SecretError, told: str
    ) -> None:
        heard.secret = secret
        with heard.listening():
            eventually(lambda: heard.store.listening.problem is not None)
            assert told in str(heard.store.listening.problem)
            with pytest.raises(httpx.ConnectError):
                httpx.post(heard.url, trust_env=False, timeout=60)

    def test_where_it_listens_is_told_until_it_ends(self, heard: Heard, port: int) -> None:
        with heard.listening():
            listening = heard.store.listening
            assert (listening.address, listening.signed) == (f"127.0.0.1:{port}", True)
        assert heard.store.listening.address == ""
