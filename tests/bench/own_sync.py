"""The worker without a screen: a full sync, then polls of unchanged lists.

    python -m tests.bench.own_sync CONFIG POLLS

Prints the seconds and the rows of the sync, and the CPU seconds, requests and bytes of each poll of
payments; its configuration should have the other kinds read seldom.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from time import perf_counter, process_time

from paytui.cli.wiring.compose import build_worker, new_context
from paytui.cli.wiring.secrets import RefreshingSecret, secret_source
from paytui.config.load import load_settings
from paytui.domain.models import Kind
from paytui.store.store import Store
from paytui.worker.worker import Worker
from paytui.worker.worker_thread import Inbox
from tests.bench.service.process import Counted, counted

FIRST_POLLS = 2
"""Until then other kinds are being read as well."""

LOOK_EVERY, LONGEST_WAIT = 0.25, 300.0


async def measure(config: Path, polls: int) -> dict[str, object]:
    """Read it all, then so many times what changed."""
    settings = load_settings(config, {})
    basis = new_context(settings, RefreshingSecret(secret_source(settings.profile)))
    store, worker = basis.store, build_worker(basis)
    try:
        began = perf_counter()
        await worker.sync_once()
        seconds = perf_counter() - began
        polled = await _polls(worker, store, settings.profile.base_url, polls)
    finally:
        await worker.aclose()
    return {"seconds": seconds, "rows": len(store.payments), "polls": polled}


async def _polls(worker: Worker, store: Store, base_url: str, count: int) -> list[dict[str, float]]:
    """Measure from the end of one poll of payments to the end of the next."""
    if not count:
        return []
    running = asyncio.create_task(worker.run(Inbox()))
    for _ in range(FIRST_POLLS):
        await _next_poll(store)
    found = []
    for _ in range(count):
        before, cpu = counted(base_url), process_time()
        await _next_poll(store)
        cpu, after = process_time() - cpu, counted(base_url)
        requests = _of_payments(after) - _of_payments(before)
        found.append({"cpu": cpu, "requests": requests, "bytes": after.bytes - before.bytes})
    running.cancel()
    return found


async def _next_poll(store: Store) -> None:
    as_of = store.feed(Kind.PAYMENTS).as_of
    async with asyncio.timeout(LONGEST_WAIT):
        while store.feed(Kind.PAYMENTS).as_of == as_of:  # noqa: ASYNC110 - nobody is told of an age
            await asyncio.sleep(LOOK_EVERY)


def _of_payments(tally: Counted) -> int:
    return sum(n for path, n in tally.requests.items() if path.startswith("/v2/payments"))


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(measure(Path(sys.argv[1]), int(sys.argv[2])))))
