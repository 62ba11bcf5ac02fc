"""A proxy that can stall: it then neither takes nor gives a byte."""

from __future__ import annotations

import asyncio
import threading


class Proxy:
    """Carries bytes to a port of this machine and back, in a thread of its own.

    Attributes:
        port: where it listens.
    """

    def __init__(self, target: int) -> None:
        self.port = 0
        self._target = target
        self._loop = asyncio.new_event_loop()
        self._flows = asyncio.Event()
        self._flows.set()
        self._listening = threading.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=[self._main()])

    def __enter__(self) -> Proxy:
        self._over = asyncio.Event()
        self._thread.start()
        self._listening.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(10)

    def stall(self) -> None:
        """Take and give nothing from now on; no connection is closed."""
        self._loop.call_soon_threadsafe(self._flows.clear)

    def flow(self) -> None:
        """Carry on, with what has waited."""
        self._loop.call_soon_threadsafe(self._flows.set)

    async def _main(self) -> None:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._listening.set()
        await self._over.wait()
        server.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._flows.wait()
        try:
            behind, before = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:  # the service is not there
            writer.close()
            return
        await asyncio.gather(self._carry(reader, before), self._carry(behind, writer))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                await self._flows.wait()
                writer.write(data)
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()
