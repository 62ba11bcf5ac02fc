"""Files and folders that are the user's own: one that others can read or change is not used."""

from __future__ import annotations

import hashlib
import os
import shlex
import stat
import tempfile
from pathlib import Path


class NotPrivate(Exception):
    """Something that others have a hand in.

    Attributes:
        message: what is wrong, as a clause that follows its name.
        remedy: what to do, as a sentence.
    """

    def __init__(self, message: str, remedy: str) -> None:
        self.message = message
        self.remedy = remedy
        super().__init__(f"{message}. {remedy}")


def check_private(status: os.stat_result, path: Path, owner: int) -> None:
    """Refuse what belongs to another user or is open to others.

    Args:
        status: of the file or folder that is in use, which `path` names.
        path: where it is.
        owner: the user whose it must be.

    Raises:
        NotPrivate: it is not.
    """
    if status.st_uid != owner:
        raise NotPrivate("belongs to another user", "Make a copy that is yours.")
    if status.st_mode & 0o077:
        mode = stat.S_IMODE(status.st_mode)
        wanted = "700" if stat.S_ISDIR(status.st_mode) else "600"
        message = f"can be read by others (mode {mode:04o})"
        raise NotPrivate(message, f"Run: chmod {wanted} {shlex.quote(str(path))}")


def owner_key(base_url: str, client_id: str) -> str:
    """Names a service and who we are there in a file's name, telling neither."""
    return hashlib.sha256(f"{base_url}\n{client_id}".encode()).hexdigest()[:32]


def write_private(path: Path, text: str) -> None:
    """Write a file for the user alone, whole or not at all; folders are made where there are none.

    Raises:
        NotPrivate: others have a hand in its folder.
        OSError: it cannot be written.
    """
    for folder in reversed(path.parents):  # the folders that are on the way, too: 0700 each
        folder.mkdir(mode=0o700, exist_ok=True)
    check_private(path.parent.stat(), path.parent, os.geteuid())
    handle, name = tempfile.mkstemp(dir=path.parent)  # nobody else can read what it makes
    written = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        written.replace(path)
    except OSError:
        written.unlink(missing_ok=True)
        raise
