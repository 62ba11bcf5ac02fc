"""The token of all processes that share one file: whoever renews it does so for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from filelock import FileLock, Timeout

from paytui.api.auth import Held, TokenCell
from paytui.api.token_file import Signature, TokenFile, Untrusted
from paytui.platform.clock import Clock

LOOK_AGAIN = 0.05
"""Seconds between two tries of the lock: the loop never waits for it."""

LONGEST_RENEWAL = 40.0
"""Seconds after which whoever holds the lock is taken for stopped; an exchange has 30 s."""


class SharedTokenCell(TokenCell):
    """A token in this process's memory and in a file.

    Where the file cannot be used, `unshared` says why, and the token is this process's alone.
    """

    def __init__(self, file: TokenFile, clock: Clock) -> None:
        super().__init__()
        self._file = file
        self._clock = clock
        self._seen: Signature | None = None

    def look(self) -> Held | None:
        """See `TokenCell`."""
        signature = self._file.signature()
        if signature == self._seen:
            return None
        self._seen = signature
        try:
            found = self._file.read()
        except Untrusted as error:
            self._note(error)
            return None
        self.unshared = None
        return found

    def share(self, held: Held) -> None:
        """See `TokenCell`."""
        try:
            self._file.write(held)
        except Untrusted as error:
            self._note(error)
        else:
            self.unshared = None
            self._seen = self._file.signature()

    def discard(self, held: Held) -> None:
        """See `TokenCell`. A process that is renewing it replaces it anyway."""
        unusable = (Untrusted, Timeout, OSError, NotImplementedError)
        with suppress(*unusable), self._lock().acquire(blocking=False):
            found = self._file.read()
            if found is not None and found.token == held.token:
                self._file.remove()

    @asynccontextmanager
    async def renewing(self) -> AsyncIterator[None]:
        """See `TokenCell`."""
        lock = await self._locked()
        try:
            yield
        finally:
            if lock is not None:
                lock.release()

    async def _locked(self) -> FileLock | None:
        try:
            lock = self._lock()
            give_up = self._clock.boot() + LONGEST_RENEWAL
            while self._clock.boot() < give_up:
                try:
                    lock.acquire(blocking=False)
                except Timeout:
                    await asyncio.sleep(LOOK_AGAIN)
                else:
                    return lock
        except Untrusted as error:
            self._note(error)
        except (OSError, NotImplementedError) as error:
            self._note(Untrusted(f"cannot be locked: {error}"))
        return None

    def _lock(self) -> FileLock:
        """The lock, beside the file, for that one is replaced at each renewal."""
        return FileLock(f"{self._file.path}.lock", mode=self._file.mode(), thread_local=False)

    def _note(self, error: Untrusted) -> None:
        self.unshared = f"the token file {self._file.path} {error}"
