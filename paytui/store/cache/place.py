"""Where a cache is: in the user's own cache folder, one file a service and client."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from platformdirs import user_cache_path

from paytui.platform.files import NotPrivate, check_private, create_private, make_folder, owner_key

SUFFIX = ".cache.sqlite"
COMPANIONS = ("", "-wal", "-shm", "-journal")
"""What SQLite lays beside a file."""


class Unusable(Exception):
    """There is no cache that can be used; why is nobody's concern."""


def cache_folder() -> Path:
    """The user's own; nothing is made."""
    return user_cache_path("paytui", appauthor=False)


def cache_path(base_url: str, client_id: str) -> Path:
    """The file; nothing is made. Its name tells neither the service nor who we are there."""
    return cache_folder() / f"{owner_key(base_url, client_id)}{SUFFIX}"


def make_place(path: Path) -> None:
    """Make the folder, for the user alone, and an empty file in it where there is none.

    Raises:
        Unusable: that cannot be, or others have a hand in them.
    """
    try:
        make_folder(path.parent)
        with suppress(FileExistsError):  # what is there is looked at next
            os.close(create_private(path))
    except OSError:
        raise Unusable from None
    check_place(path)


def check_place(path: Path) -> None:
    """Make sure that folder and file are the user's own, and what they should be.

    Raises:
        Unusable: they are not, or not there.
    """
    try:
        folder, file = path.parent.stat(), path.lstat()
        if not stat.S_ISREG(file.st_mode):
            raise Unusable
        check_private(folder, path.parent, os.geteuid())
        check_private(file, path, os.geteuid())
    except (OSError, NotPrivate):
        raise Unusable from None


def throw_away(path: Path) -> None:
    """Remove a cache, as far as it can be."""
    for companion in COMPANIONS:
        with suppress(OSError):
            path.with_name(path.name + companion).unlink()
