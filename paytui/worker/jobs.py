"""Tasks that are begun as they are asked for, and that end with the worker."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine


class Jobs:
    """Holds tasks until they end; those that are left are cancelled with `run`."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Start a task on the running loop."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def run(self) -> None:
        """Do nothing until cancelled, and then see all tasks to their end."""
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            left = tuple(self._tasks)
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)
