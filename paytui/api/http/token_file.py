"""A token that processes on one host share through a file (service.md §5).

The file is private to the user. In a folder that a group may write to, and that is the user's or
root's, it is private to that group. Its content is checked like any other input: a foreign or
damaged file is not used, and the reason is shown.
"""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from paytui.api.http.token import Check, HeldToken, TokenCell
from paytui.api.wire.codec import is_usable
from paytui.api.wire.json import read_time
from paytui.domain.exact_json import Json, NotJson, parse, write
from paytui.domain.models import Token
from paytui.platform import files
from paytui.platform.clock import Clock

LONGEST = 65_536  # Bytes; a larger file is not ours


class Untrusted(Exception):
    """A token file that is not used; the message is a clause about the file."""


class TokenFile:
    """A file that holds one token. Its methods raise Untrusted if it cannot be used.

    Args:
        owner: the key of the token's service and client id: see `owner_key`.
        boot_id: the boot that the clock counts from; times of another boot mean nothing.
    """

    def __init__(self, path: Path, owner: str, boot_id: str, clock: Clock) -> None:
        self.path = path
        self._owner = owner
        self._boot_id = boot_id
        self._clock = clock

    def read(self) -> HeldToken | None:
        """Return the token; None if there is no file, or it is from before a reboot."""
        group = self.group()
        try:
            text = files.read_private(self.path, LONGEST + 1, os.geteuid(), group)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Untrusted(f"cannot be read: {_reason(error)}") from None
        except files.NotPrivate as error:
            raise Untrusted(error.message) from None
        return self._held(text)

    def write(self, held: HeldToken) -> None:
        """Replace the token atomically."""
        contents: Json = {
            "owner": self._owner,
            "bootId": self._boot_id,
            "sent": repr(held.sent),
            "life": repr(held.life),
            **_contents(held.token),
        }
        try:
            files.replace_private(self.path, write(contents), self.group())
        except OSError as error:
            raise Untrusted(f"cannot be written: {_reason(error)}") from None

    def group(self) -> int | None:
        """Return the group that shares the file; None if it is the user's alone."""
        try:
            folder = self.path.parent.stat()
        except OSError as error:
            raise Untrusted(f"is in an unusable folder: {_reason(error)}") from None
        if folder.st_mode & stat.S_IWOTH:
            raise Untrusted("is in a folder that anyone can write to")
        is_shared = bool(folder.st_mode & stat.S_IWGRP)
        if folder.st_uid != os.geteuid() and not (is_shared and folder.st_uid == files.ROOT):
            remedy = "use your own, or one of root's that your group can write"
            raise Untrusted(f"is in a folder of another user: {remedy}")
        return folder.st_gid if is_shared else None

    def _held(self, text: bytes) -> HeldToken | None:
        try:
            contents = parse(text) if len(text) <= LONGEST else None
        except NotJson:
            contents = None
        if not isinstance(contents, dict):
            raise Untrusted("holds no token of ours")
        if contents.get("owner") != self._owner:
            raise Untrusted("holds a token of another service or client id")
        if contents.get("bootId") != self._boot_id:
            return None  # from before a reboot: its age is unknown
        sent, life = _seconds(contents.get("sent")), _seconds(contents.get("life"))
        token = _token(contents)
        if token is None or life is None or sent is None or sent > self._clock.boot():
            raise Untrusted("is damaged")
        return HeldToken(token, sent, life=life)


def token_as_text(token: Token) -> str:
    """Return a token as JSON, for `token_of_text`."""
    return write(_contents(token))


def token_of_text(text: str) -> Token | None:
    """Return a token that was written by `token_as_text`; None for other text."""
    try:
        contents = parse(text.encode())
    except NotJson:
        return None
    return _token(contents) if isinstance(contents, dict) else None


def _contents(token: Token) -> dict[str, Json]:
    return {
        "accessToken": token.access_token,
        "expiresAt": token.expires_at.isoformat(),
        "services": list(token.services),
    }


def _token(contents: dict[str, Json]) -> Token | None:
    text, services = contents.get("accessToken"), contents.get("services")
    expires_at = read_time(contents.get("expiresAt"))
    if not isinstance(text, str) or not is_usable(text) or expires_at is None:
        return None
    if not isinstance(services, list):
        return None
    return Token(text, expires_at, tuple(name for name in services if isinstance(name, str)))


def _seconds(value: Json) -> float | None:
    """Parse a finite number of seconds, not negative."""
    try:
        number = float(value) if isinstance(value, str) else -1.0
    except ValueError:
        return None
    return number if 0.0 <= number < float("inf") else None


def _reason(error: OSError) -> str:
    return error.strerror or "unknown reason"


LOOK_AGAIN = 0.05  # Seconds between two attempts at the lock: the event loop never blocks on it

LONGEST_RENEWAL = 40.0
"""Seconds after which the holder of the lock counts as stopped; a request has 30 s."""


class SharedTokenCell(TokenCell):
    """A token in memory and in a file.

    If the file cannot be used, `unshared` holds the reason and the token is this process's alone.
    """

    def __init__(self, file: TokenFile, clock: Clock) -> None:
        super().__init__()
        self._file = file
        self._clock = clock
        self._seen: files.Signature | None = None

    def look(self) -> HeldToken | None:
        before, self._seen = self._seen, files.signature(self._file.path, of_link=True)
        if self._seen == before:
            return None
        try:
            found = self._file.read()
        except Untrusted as error:
            self._note(error)
            return None
        self.unshared = None
        return found

    def share(self, held: HeldToken) -> None:
        try:
            self._file.write(held)
        except Untrusted as error:
            self._note(error)
        else:
            self.unshared = None
            self._seen = files.signature(self._file.path, of_link=True)

    def discard(self, held: HeldToken) -> None:
        """See `TokenCell`. If the lock is taken, its holder replaces the token anyway."""
        with suppress(Untrusted, OSError), os.fdopen(self._take_lock()):
            found = self._file.read()
            if found is not None and found.token == held.token:
                self._file.path.unlink(missing_ok=True)

    @asynccontextmanager
    async def renewing(self, check: Check = lambda: None) -> AsyncIterator[bool]:  # noqa: ARG002 - see `TokenCell`
        lock = await self._locked()
        try:
            yield True
        finally:
            if lock is not None:
                os.close(lock)

    async def _locked(self) -> int | None:
        try:
            give_up = self._clock.boot() + LONGEST_RENEWAL
            while self._clock.boot() < give_up:
                try:
                    return self._take_lock()
                except BlockingIOError:
                    await asyncio.sleep(LOOK_AGAIN)
        except Untrusted as error:
            self._note(error)
        except OSError as error:
            self._note(Untrusted(f"cannot be locked: {error}"))
        return None

    def _take_lock(self) -> int:
        """Take the lock, a file of its own: the token file is replaced at each renewal."""
        path = self._file.path
        return files.take_lock(path.with_name(f"{path.name}.lock"), self._file.group())

    def _note(self, error: Untrusted) -> None:
        self.unshared = f"the token file {self._file.path} {error}"
