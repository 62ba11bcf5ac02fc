"""The time from a confirmation to the first byte, with a desk and without. Not among the tests.

    python -m tests.desk.latency [INTENTS]

Transfers are confirmed one after the other, in blocks in turn at a dashboard's worker with its
outbox alone, and at one of a desk. A relay before the sandbox tells when a POST arrives. All is on
one machine.
"""

# ruff: noqa: T201, ASYNC110 - a campaign prints its figures; a store has no event to wait for

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from decimal import Decimal
from pathlib import Path
from time import perf_counter

from psycopg.conninfo import make_conninfo

from paytui.cli.wiring.compose import build_worker, new_context, open_send_context, run_in_loop
from paytui.cli.wiring.secrets import RefreshingSecret, secret_source
from paytui.config.load import load_settings
from paytui.desk.database import install
from paytui.domain.intent import IntentMaker, Standing
from paytui.domain.requests import TransferRequest
from paytui.worker.worker_thread import Inbox
from tests.desk.seats import pairs
from tests.desk.server import running_server
from tests.support.sandbox_process import SandboxProcess

TRADER = "anna"
LOOK = 0.002  # Seconds between two looks at an outcome


class Relay:
    """A relay to a port that notes the time at which a POST of a transfer arrives."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.arrived = asyncio.Event()
        self.at = 0.0

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[int]:
        server = await asyncio.start_server(self._relay, "127.0.0.1", 0)
        async with server:
            yield server.sockets[0].getsockname()[1]

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, forth = await asyncio.open_connection("127.0.0.1", self._port)
        with suppress(asyncio.CancelledError):  # at the end
            await asyncio.gather(self._copy(back, writer), self._copy(reader, forth))

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            await self._copy_all(reader, writer)
        writer.close()

    async def _copy_all(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            if data.startswith(b"POST") and b"transfer" in data.partition(b"\r\n")[0]:
                self.at = perf_counter()
                self.arrived.set()
            writer.write(data)


class Dashboard:
    """A worker, from its configuration."""

    def __init__(self, config: Path, relay: Relay) -> None:
        settings = load_settings(config, {})
        self._context = new_context(settings, RefreshingSecret(secret_source(settings.profile)))
        office = open_send_context(settings, self._context.dialect, self._context.time)
        self.worker = build_worker(self._context, office=office)
        self.inbox = Inbox()
        self._relay = relay
        self._maker = IntentMaker(random.SystemRandom())

    @property
    def is_ready(self) -> bool:
        store = self._context.store
        return store.sending.allowed and any(True for _ in pairs(store))

    async def confirm(self) -> float:
        """Confirm a transfer; return the seconds until it arrives."""
        store = self._context.store
        source, target = next(pairs(store))
        request = TransferRequest(
            source_wallet_id=source.wallet_id,
            destination_wallet_id=target.wallet_id,
            amount=Decimal("0.01"),
            currency=source.currency,
        )
        now = self._context.time.latest()
        intent = self._maker.make(request, title="Transfer", confirmed_at=now)
        self._relay.arrived.clear()
        began = perf_counter()
        self.inbox.submit(intent)
        await self._relay.arrived.wait()
        took = self._relay.at - began
        while (row := store.intents.get(intent.intent_id)) is None or (
            row.standing is Standing.SENDING
        ):
            await asyncio.sleep(LOOK)
        return took


BLOCKS = 4


async def measure(folder: Path, desk: str, sandbox: SandboxProcess, count: int) -> None:
    relay = Relay(int(sandbox.base_url.rpartition(":")[2]))
    more = {"outbox alone": "", "with a desk": f'[profiles.p.desk]\ndsn = "{desk}"\n'}
    took: dict[str, list[float]] = {name: [] for name in more}
    async with relay.listening() as port:
        for name in BLOCKS * tuple(more):
            config = folder / name.split()[-1] / "config.toml"
            config.parent.mkdir(mode=0o700, exist_ok=True)
            config.write_text(
                f'[outbox]\nfolder = "{config.parent}"\n[profiles.p]\n'
                f'base_url = "http://127.0.0.1:{port}"\nclient_id = "demo"\nlive = false\n'
                f'secret_file = "{folder / "config.secret"}"\n{more[name]}'
            )
            config.chmod(0o600)
            dashboard = Dashboard(config, relay)
            working = asyncio.create_task(dashboard.worker.run(dashboard.inbox))
            while not dashboard.is_ready:
                await asyncio.sleep(0.1)
            for _ in range(count // BLOCKS):
                took[name].append(await dashboard.confirm())
            working.cancel()
            await asyncio.wait([working])
            await dashboard.worker.aclose()
    for name in more:
        found = sorted(1_000 * seconds for seconds in took[name])
        middle, late = found[len(found) // 2], found[len(found) * 95 // 100]
        print(f"{name:<14} p50 {middle:6.1f} ms   p95 {late:6.1f} ms   of {len(found)}")


def main() -> None:
    count = int(sys.argv[1]) if sys.argv[1:] else 200
    with tempfile.TemporaryDirectory() as place, running_server((TRADER,)) as server:
        folder = Path(place)
        install(server, (TRADER,))
        with SandboxProcess(folder, "--scale", "40", "--speed", "0") as sandbox:
            run_in_loop(measure(folder, make_conninfo(server, user=TRADER), sandbox, count))


if __name__ == "__main__":
    main()
