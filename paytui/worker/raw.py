"""Reads one object as the service sends it, whenever somebody wants to see that."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from paytui.api.errors import ApiError
from paytui.api.resources import READS
from paytui.domain.models import Kind
from paytui.store.reports import RawRead
from paytui.worker.polling import Shared
from paytui.worker.report import unexpected


class RawKeeper:
    """Only the newest wish counts: the read for one before it is given up."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._wanted: tuple[Kind, str] | None = None
        self._wake = asyncio.Event()

    def ask(self, kind: Kind, identifier: str) -> None:
        """Read this object now; it appears in the store's `raw_reads`."""
        self._wanted = kind, identifier
        self._wake.set()

    async def run(self) -> None:
        """Read what is asked for, until cancelled."""
        reading: asyncio.Task[None] | None = None
        async with asyncio.TaskGroup() as group:
            while True:
                await self._wake.wait()
                self._wake.clear()
                if reading is not None:
                    reading.cancel()
                if self._wanted is not None:
                    reading = group.create_task(self._read(*self._wanted))

    async def _read(self, kind: Kind, identifier: str) -> None:
        shared = self._shared
        answer = RawRead(kind, identifier, shared.service_time.earliest())
        try:
            raw = await shared.client.raw.read(kind, identifier, self._parent(kind, identifier))
        except ApiError as error:
            shared.link.failed(error)
            self._show(replace(answer, problem=error.problem))
        except Exception as error:  # noqa: BLE001 - a mistake of ours must reach the one who waits
            problem = unexpected(f"read {identifier} as it is sent", error).problem
            self._show(replace(answer, problem=problem))
        else:
            shared.link.succeeded()
            self._show(replace(answer, raw=raw))

    def _parent(self, kind: Kind, identifier: str) -> str | None:
        """Whose list it is in, as far as the store knows."""
        row, parameter = self._shared.store.table(kind).get(identifier), READS[kind].parameter
        return getattr(row, parameter) if row is not None and parameter else None

    def _show(self, answer: RawRead) -> None:
        reads = self._shared.store.raw_reads
        reads.remove(reads.keys())
        reads.put([answer])
        self._shared.store.notify()
