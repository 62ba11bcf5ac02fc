"""`paytui watch`: one line for each change, until it is interrupted."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import httpx
import pytest

from paytui.outbox.entry import Event, EventKind
from paytui.outbox.outbox import Outbox, open_outbox
from tests.outbox.made import NOON, PROBLEM, entry
from tests.support.commands import Paytui, RunningSandbox, SandboxConfig, interruptible
from tests.support.deadline import eventually
from tests.support.forks import Forks
from tests.support.sandbox_process import SandboxProcess
from tests.support.service import Item, PlainReader

PATIENCE = 90
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ ")


class Watching:
    """A `paytui watch` that runs; what takes too long is killed, and then ends what it says."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def line(self, wanted: Callable[[str], bool]) -> str:
        """The next line that is wanted."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if wanted(line):
                return line.rstrip("\n")
        raise AssertionError(f"it ended: {self.process.communicate()[1]}")

    def about(self, words: str) -> str:
        """The next line that holds these words."""
        return self.line(lambda line: words in line)

    def interrupt(self) -> tuple[int, str]:
        """Press ctrl+c: its exit code, and what it said on stderr."""
        self.process.send_signal(signal.SIGINT)
        _, said = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, said


@contextmanager
def watching(paytui: Paytui, config: Path, *options: str) -> Iterator[Watching]:
    process = paytui.start("watch", "--config", config, *options)
    guard = threading.Timer(PATIENCE, process.kill)
    guard.start()
    try:
        yield Watching(process)
    finally:
        guard.cancel()
        process.kill()
        process.communicate()


def control(base_url: str, action: str, body: Mapping[str, object]) -> Item:
    answer = httpx.post(f"{base_url}/_sandbox/{action}", json=body, trust_env=False, timeout=60)
    answer.raise_for_status()
    item: Item = answer.json()["item"]
    return item


def set_state(sandbox: RunningSandbox, kind: str, key: str, status: str) -> None:
    control(sandbox.base_url, "states", {"kind": kind, "id": key, "status": status})


@pytest.fixture
def reader(sandbox: RunningSandbox) -> Iterator[PlainReader]:
    """Signs in, and so makes the token of whoever did before it void: to be asked for first."""
    reader = PlainReader(sandbox.base_url, sandbox.secret)
    yield reader
    reader.close()


@pytest.mark.slow
def test_a_payment_that_goes_on_is_one_line_with_old_and_new(
    paytui: Paytui, reader: PlainReader, sandbox: RunningSandbox, sandbox_config: SandboxConfig
) -> None:
    payment = next(row for row in reader.all("/payments") if row["status"] == "processing")
    key = payment["paymentTransactionId"]
    with watching(paytui, sandbox_config.path, "--initial") as watch:
        assert watch.about(key).endswith("state processing")
        set_state(sandbox, "payment", key, "released")
        line = watch.about(key)
    assert TIME.match(line)
    amount = f"{Decimal(payment['amount']):,f}"
    assert line[21:] == (
        f"payment {payment['paymentType']} {amount} {payment['currency']} ({key}): "
        "state processing → released"
    )


@pytest.mark.slow
def test_json_lines_tell_times_in_utc_and_amounts_with_every_digit(
    paytui: Paytui, reader: PlainReader, sandbox: RunningSandbox, sandbox_config: SandboxConfig
) -> None:
    wallet = next(row for row in reader.all("/wallets") if row["status"] == "Active")
    key, before = wallet["walletId"], wallet["availableBalance"]
    with watching(paytui, sandbox_config.path, "--initial", "--json") as watch:
        first = json.loads(watch.line(lambda line: key in line and "available" in line))
        assert (first["event"], first["old"], first["new"]) == ("stands", None, before)
        payin = control(sandbox.base_url, "payins", {"walletId": key, "amount": "1.00"})
        for status in ("compliance_review", "credited"):
            set_state(sandbox, "payin", str(payin["payInTransactionId"]), status)
        line = watch.line(lambda line: key in line and "available" in line)
    change = json.loads(line)
    assert change.pop("at").endswith("Z")
    assert change == {
        "event": "changed",
        "kind": "wallet",
        "id": key,
        "about": wallet["walletName"],
        "field": "available_balance",
        "old": before,
        "new": str(Decimal(before) + Decimal("1.00")),
        "currency": wallet["currency"],
        "why": None,
    }


@pytest.mark.slow
def test_at_first_it_says_nothing_of_what_was_so_before(
    paytui: Paytui, reader: PlainReader, sandbox: RunningSandbox, sandbox_config: SandboxConfig
) -> None:
    payment = next(row for row in reader.all("/payments") if row["status"] == "processing")
    with watching(paytui, sandbox_config.path) as watch:
        # Read for the second time: by then all that was so before is known.
        eventually(lambda: is_settled(sandbox), PATIENCE, step=0.2)
        set_state(sandbox, "payment", payment["paymentTransactionId"], "released")
        first = watch.line(lambda _: True)
        assert " → " in first, "the payment, or the wallet that it was paid from"


def is_settled(sandbox: RunningSandbox) -> bool:
    """Return True once the last lists were read, and payments again after them."""
    answer = httpx.get(f"{sandbox.base_url}/_sandbox/requests", trust_env=False, timeout=60)
    counts: dict[str, int] = answer.json()["item"]
    return counts["list_payments"] >= 3 and counts["list_payins"] > 0


@pytest.mark.slow
def test_it_ends_by_ctrl_c_without_a_word(
    paytui: Paytui, sandbox: RunningSandbox, sandbox_config: SandboxConfig
) -> None:
    with watching(paytui, sandbox_config.path, "--initial") as watch:
        watch.about("wallet")
        code, said = watch.interrupt()
    assert code == 130
    assert said.strip() == (
        f"Watching {sandbox.base_url.removeprefix('http://')}, client secret from "
        f"secret_file ({sandbox_config.secret_file})…"
    )


@pytest.mark.slow
def test_it_ends_quietly_when_nobody_reads_any_more(
    paytui: Paytui, sandbox: RunningSandbox, sandbox_config: SandboxConfig
) -> None:
    with watching(paytui, sandbox_config.path, "--initial") as watch:
        watch.about("wallet")
        assert watch.process.stdout is not None
        watch.process.stdout.close()
        assert watch.process.stderr is not None
        said = watch.process.stderr.read()
        assert watch.process.wait(PATIENCE) == 0
    assert said.startswith("Watching ")
    assert len(said.splitlines()) == 1


@pytest.mark.slow
def test_a_wrong_secret_ends_it(paytui: Paytui, sandbox_config: SandboxConfig) -> None:
    sandbox_config.write_secret("wrong")
    done = paytui("watch", "--config", sandbox_config.path)
    assert (done.returncode, done.stdout) == (3, "")
    assert "401" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_dead_service_is_told_once_and_once_that_it_is_back(
    paytui: Paytui, tmp_path: Path, forks: Forks
) -> None:
    with (
        SandboxProcess(tmp_path, "--scale", "10", "--speed", "0", forks=forks) as sandbox,
        watching(paytui, sandbox.config, "--initial") as watch,
    ):
        watch.about("payment")
        sandbox.kill()
        host = sandbox.base_url.removeprefix("http://")
        gone = watch.line(lambda line: " service " in line or " list " in line)
        assert f"service {host}: answers → unreachable (" in gone
        sandbox.start()
        back = watch.line(lambda line: " service " in line or " list " in line)
        assert back[21:] == f"service {host}: unreachable → answers"


@pytest.mark.slow
def test_it_loads_no_screens_and_no_server(
    paytui: Paytui, sandbox: RunningSandbox, sandbox_config: SandboxConfig
) -> None:
    watching = ("-m", "paytui", "watch", "--initial", "--config", sandbox_config.path)
    with interruptible():
        process = subprocess.Popen(
            (sys.executable, "-X", "importtime", *watching),
            env=paytui.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    imported: list[str] = []
    assert process.stderr is not None
    reading = threading.Thread(target=lambda: imported.append(process.stderr.read()))  # type: ignore[union-attr]  # a pipe
    reading.start()
    assert process.stdout is not None
    assert process.stdout.readline()
    process.send_signal(signal.SIGINT)
    reading.join()
    process.communicate()
    modules = {line.rpartition("|")[2].strip() for line in imported[0].splitlines()}
    assert "paytui.worker.worker" in modules
    loaded = {name.partition(".")[0] for name in modules}
    assert not loaded & {"textual", "uvicorn", "starlette", "standardwebhooks"}


class TestBesideADashboard:
    @pytest.fixture
    def outbox(self, paytui: Paytui) -> Iterator[Outbox]:
        """The outbox of the profile, owned by a process that sends from it."""
        folder = paytui.home / ".local" / "state" / "paytui"
        folder.mkdir(parents=True)
        folder.chmod(0o700)
        outbox = open_outbox(folder / "test.outbox.sqlite", host="desk-1", since=NOON)
        yield outbox
        outbox.close()

    @pytest.mark.slow
    def test_what_it_has_in_doubt_is_told_and_what_becomes_of_it(
        self, paytui: Paytui, outbox: Outbox, sandbox_config: SandboxConfig
    ) -> None:
        intent = entry(1)
        outbox.record(intent)
        outbox.add(intent.intent_id, happened(EventKind.SENDING, 1, method="POST", path="/x"))
        outbox.add(intent.intent_id, happened(EventKind.IN_DOUBT, 2, status=503, problem=PROBLEM))
        with watching(paytui, sandbox_config.path) as watch:
            assert watch.about("intent")[21:] == (
                "intent Payout 1,200.00 USD to Acme Pty Ltd (PT-00000001): in doubt (503)"
            )
            outbox.add(intent.intent_id, happened(EventKind.ACCEPTED, 3, status=201, object_id="p"))
            assert watch.about("intent")[21:] == (
                "intent Payout 1,200.00 USD to Acme Pty Ltd (PT-00000001): in doubt → accepted"
            )


def happened(kind: EventKind, seconds: int, **particulars: object) -> Event:
    return Event(kind=kind, at=NOON + timedelta(seconds=seconds), **particulars)  # type: ignore[arg-type]  # fields of an event
