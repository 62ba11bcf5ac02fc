"""The file through which processes on one host share a token (contract.md "Authentication").

It is private to the user. In a folder that a group may write to, and that is the user's or root's,
it is private to that group. What it holds is checked like anything from outside: a file that is
foreign or damaged is not believed, and why is told.
"""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from paytui.api.auth import Held
from paytui.api.scalars import read_time
from paytui.api.tokens import is_usable
from paytui.domain.exact_json import Json, NotJson, parse, write
from paytui.domain.models import Token
from paytui.platform.clock import Clock
from paytui.platform.files import MODE, ROOT, SHARED_MODE, NotPrivate, check_private, create_private

LONGEST = 65_536
"""Bytes; a file of more is not ours."""

Signature: TypeAlias = tuple[int, int, int]


class Untrusted(Exception):
    """A token file that is not used; the message says why, as a clause about the file."""


class TokenFile:
    """One token, in a file.

    Args:
        path: of the file.
        owner: whose token it is: see `owner_key`.
        boot_id: the boot that the clock counts from; ages of another boot mean nothing.
        clock: judges ages.
    """

    def __init__(self, path: Path, owner: str, boot_id: str, clock: Clock) -> None:
        self.path = path
        self._owner = owner
        self._boot_id = boot_id
        self._clock = clock

    def signature(self) -> Signature | None:
        """Another one after each write; None where there is no file."""
        try:
            status = os.lstat(self.path)
        except OSError:
            return None
        return status.st_ino, status.st_mtime_ns, status.st_size

    def mode(self) -> int:
        """The mode of whatever is put beside the file.

        Raises:
            Untrusted: the folder is not safe to share a token in.
        """
        return MODE if self._group() is None else SHARED_MODE

    def read(self) -> Held | None:
        """The token; None where there is no file.

        Raises:
            Untrusted: it may not be what one of our processes wrote.
        """
        group = self._group()
        try:
            # Neither through a link, nor waiting for a pipe's other end.
            handle = os.open(self.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Untrusted(f"cannot be read: {_reason(error)}") from None
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise Untrusted("is not a regular file")
            check_private(status, self.path, os.geteuid(), group)
            return self._held(os.read(handle, LONGEST + 1))
        except NotPrivate as error:
            raise Untrusted(error.message) from None
        finally:
            os.close(handle)

    def write(self, held: Held) -> None:
        """Put a token in the place of the one before, whole or not at all.

        Raises:
            Untrusted: it cannot be written.
        """
        group = self._group()
        fresh = self.path.with_name(f"{self.path.name}.{secrets.token_hex(8)}")
        try:
            with os.fdopen(create_private(fresh), "wb") as file:
                if group is not None:
                    os.fchown(file.fileno(), -1, group)
                    os.fchmod(file.fileno(), SHARED_MODE)
                file.write(self._text(held))
            fresh.replace(self.path)
        except OSError as error:
            with suppress(OSError):
                fresh.unlink()
            raise Untrusted(f"cannot be written: {_reason(error)}") from None

    def remove(self) -> None:
        """Remove the file.

        Raises:
            OSError: the folder cannot be written.
        """
        self.path.unlink(missing_ok=True)

    def _group(self) -> int | None:
        """Return the group that shares the file; None if it is the user's alone.

        Raises:
            Untrusted: the folder is not safe to share a token in.
        """
        try:
            folder = self.path.parent.stat()
        except OSError as error:
            raise Untrusted(f"is in a folder that cannot be used: {_reason(error)}") from None
        if folder.st_mode & stat.S_IWOTH:
            raise Untrusted("is in a folder that anybody can write to")
        is_shared = bool(folder.st_mode & stat.S_IWGRP)
        if folder.st_uid != os.geteuid() and not (is_shared and folder.st_uid == ROOT):
            remedy = "use your own, or one of root's that your group can write"
            raise Untrusted(f"is in a folder of another user: {remedy}")
        return folder.st_gid if is_shared else None

    def _text(self, held: Held) -> bytes:
        contents: Json = {
            "owner": self._owner,
            "bootId": self._boot_id,
            "sent": repr(held.sent),
            "life": repr(held.life),
            "accessToken": held.token.access_token,
            "expiresAt": held.token.expires_at.isoformat(),
            "services": list(held.token.services),
        }
        return write(contents).encode()

    def _held(self, text: bytes) -> Held | None:
        try:
            contents = parse(text) if len(text) <= LONGEST else None
        except NotJson:
            contents = None
        if not isinstance(contents, dict):
            raise Untrusted("holds no token of ours")
        if contents.get("owner") != self._owner:
            raise Untrusted("holds a token of another service or client id")
        if contents.get("bootId") != self._boot_id:
            return None  # of before the host was started anew: nobody knows how old
        sent, life = _seconds(contents.get("sent")), _seconds(contents.get("life"))
        token = _token(contents)
        if token is None or life is None or sent is None or sent > self._clock.boot():
            raise Untrusted("is damaged")
        return Held(token, sent, life=life)


def _token(contents: dict[str, Json]) -> Token | None:
    text, services = contents.get("accessToken"), contents.get("services")
    expires_at = read_time(contents.get("expiresAt"))
    if not isinstance(text, str) or not is_usable(text) or expires_at is None:
        return None
    if not isinstance(services, list):
        return None
    return Token(text, expires_at, tuple(name for name in services if isinstance(name, str)))


def _seconds(value: Json) -> float | None:
    """A finite number of seconds, not negative."""
    try:
        number = float(value) if isinstance(value, str) else -1.0
    except ValueError:
        return None
    return number if 0.0 <= number < float("inf") else None


def _reason(error: OSError) -> str:
    return error.strerror or "unknown reason"
