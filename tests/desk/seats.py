"""Seats of a desk in processes of their own, which confirm transfers until they are told to end.

    python -m tests.desk.seats CONFIG [PACE]

A seat is a worker with an outbox on a sandbox and a desk, as its configuration names them. It
writes what a screen would show into `seen`, beside the configuration: a line each time that
something looks different.
"""

from __future__ import annotations

import asyncio
import json
import math
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import permutations
from pathlib import Path

from paytui.cli.wiring.compose import build_worker, new_context, open_send_context, run_in_loop
from paytui.cli.wiring.secrets import RefreshingSecret, secret_source
from paytui.config.load import load_settings
from paytui.domain.intent import Decision, IntentId, IntentMaker, Standing, Verdict
from paytui.domain.models import Kind, Wallet
from paytui.domain.requests import TransferRequest
from paytui.platform.clock import Clock
from paytui.store.store import Store
from paytui.worker.worker_thread import Inbox
from tests.desk.namespaces import Space
from tests.worker.dealing import is_active

LOOK = 0.05  # Seconds between two looks of a seat at what it shows, and can confirm
OLD = 7  # Seconds
OFTEN = (Kind.WALLETS, Kind.PAYMENTS, Kind.TRADES)
AT_ONCE = 4  # Intents of a seat that are under way


def run_seat(config: Path, pace: float) -> None:
    """Confirm a transfer every `pace` seconds until the file `over` is there; then only read."""
    settings = load_settings(config, {})
    context = new_context(settings, RefreshingSecret(secret_source(settings.profile)))
    office = open_send_context(settings, context.dialect, context.time)
    worker = build_worker(context, office=office)
    over, store = config.parent.parent / "over", context.store

    async def run() -> None:
        inbox, maker = Inbox(), IntentMaker(random.SystemRandom())
        working = asyncio.create_task(worker.run(inbox))
        watch = Watch(store, config, context.time.clock)
        sent, left, next_at = set[IntentId](), set[IntentId](), 0.0
        while not working.done():
            await asyncio.sleep(LOOK)
            watch.look()
            if over.exists() or not store.sending.allowed:
                continue
            if not sent:
                for intent_id in unsent(store) - left:  # what an earlier run has left
                    left.add(intent_id)
                    inbox.decide(Decision(intent_id=intent_id, verdict=Verdict.SEND))
            stands = [row.standing for each in sent if (row := store.intents.get(each))]
            is_free = len(sent) - len(stands) + stands.count(Standing.SENDING) < AT_ONCE
            choices = list(pairs(store))
            if not (is_free and choices and time.monotonic() >= next_at):
                continue
            next_at = time.monotonic() + pace
            source, target = random.choice(choices)  # noqa: S311 - it need be no secret
            request = TransferRequest(
                source_wallet_id=source.wallet_id,
                destination_wallet_id=target.wallet_id,
                amount=Decimal("0.01"),
                currency=source.currency,
            )
            intent = maker.make(request, title="Storm", confirmed_at=context.time.latest())
            sent.add(intent.intent_id)
            inbox.submit(intent)
        await working

    run_in_loop(run())


def unsent(store: Store) -> set[IntentId]:
    """Return the own intents that were recorded and never sent."""
    rows = (row for row in store.intents.rows() if not row.is_colleagues)
    return {row.intent_id for row in rows if row.standing is Standing.RECORDED}


def pairs(store: Store) -> Iterator[tuple[Wallet, Wallet]]:
    wallets = [wallet for wallet in store.wallets.rows() if is_active(wallet)]
    for one, other in permutations(wallets, 2):
        if one.currency == other.currency and (one.available_balance or 0) >= 1:
            yield one, other


class Watch:
    """What a screen shows of sending, of the service and of each intent, with the host's time.

    The age of the oldest list that is read often is noted from seven seconds on.
    """

    def __init__(self, store: Store, config: Path, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._file = (config.parent / "seen").open("a")
        self._shown: dict[str, str] = {}
        self._version = -1

    def look(self) -> None:
        sending, intents = self._store.sending, self._store.intents
        self._show("sending", "" if sending.allowed else sending.why or "no")
        self._show("service", str(self._store.link.state))
        feeds = [self._store.feed(kind) for kind in OFTEN]
        read_at = min(feed.read_at or math.inf for feed in feeds)
        age = int(self._clock.boot() - read_at) if read_at < math.inf else 0
        self._show("age", str(age if age >= OLD else 0))
        if intents.version != self._version:
            self._version = intents.version
            for row in intents.rows():
                self._show(row.intent_id, row.standing)
        self._file.flush()

    def _show(self, what: str, how: str) -> None:
        if self._shown.get(what) != how:
            self._shown[what] = how
            self._file.write(json.dumps([time.time(), what, how]) + "\n")


@dataclass(frozen=True, slots=True)
class Sight:
    """A change of what a seat showed: of `sending`, `service`, or the intent that `what` names."""

    at: float
    what: str
    how: str


@dataclass
class Seat:
    """A seat that runs as soon as it is made.

    Attributes:
        faults: times of what was done to it.
    """

    config: Path
    space: Space | None = None
    pace: float = LOOK
    process: subprocess.Popen[bytes] = field(init=False)
    is_stopped_until: float = 0.0
    faults: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        inside = self.space.command if self.space is not None else ()
        program = (sys.executable, "-m", "tests.desk.seats", str(self.config), str(self.pace))
        with (self.config.parent / "stderr").open("ab") as told:
            self.process = subprocess.Popen((*inside, *program), stderr=told)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self, seconds: float) -> None:
        self.process.send_signal(signal.SIGSTOP)
        self.is_stopped_until = time.monotonic() + seconds

    def wake(self) -> None:
        if self.is_stopped_until:
            self.process.send_signal(signal.SIGCONT)
            self.is_stopped_until = 0.0

    @property
    def outbox(self) -> Path:
        return self.config.parent / "storm.outbox.sqlite"

    def seen(self) -> list[Sight]:
        """Return what it showed so far, the oldest first."""
        path = self.config.parent / "seen"
        lines = path.read_text().splitlines() if path.exists() else []
        return [Sight(*json.loads(line)) for line in lines]


def configured(folder: Path, number: int, base_url: str, dsn: str) -> Path:
    """Write the configuration of a seat, in a folder of its own; return its path."""
    config = folder / f"seat-{number}" / "config.toml"
    config.parent.mkdir(mode=0o700)
    config.write_text(
        f'[outbox]\nfolder = "{config.parent}"\n[profiles.storm]\n'
        f'base_url = "{base_url}"\nclient_id = "demo"\nlive = false\n'
        f'secret_file = "{folder / "config.secret"}"\n[profiles.storm.desk]\ndsn = "{dsn}"\n'
    )
    config.chmod(0o600)
    return config


if __name__ == "__main__":
    run_seat(Path(sys.argv[1]), float(sys.argv[2]) if sys.argv[2:] else LOOK)
