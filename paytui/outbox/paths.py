"""The path of an outbox: one file for each profile, in a private folder."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from platformdirs import user_state_path

from paytui.domain.models import Problem
from paytui.outbox.errors import OutboxError, as_outbox_error
from paytui.platform import files
from paytui.platform.files import NotPrivate, check_private

SUFFIX = ".outbox.sqlite"


def outbox_path(profile: str, folder: Path | None) -> Path:
    """Return the path of a profile's outbox; nothing is created.

    Args:
        folder: the setting `outbox.folder`; None for the user's state directory.
    """
    where = user_state_path("paytui", appauthor=False) if folder is None else folder
    return where / f"{profile}{SUFFIX}"


def make_folder(path: Path) -> None:
    """Create the folder of an outbox, private to the user, if it does not exist.

    Raise OutboxError if it cannot be created.
    """
    with as_outbox_error("make a folder for the outbox", path):
        files.make_folder(path.parent)


def check_place(path: Path) -> None:
    """Check the permissions and types of an outbox's folder and, if it exists, its file.

    Raise OutboxError if other users have access, or they are not a folder and a regular file.
    """
    with as_outbox_error("open the outbox", path):
        folder = path.parent.stat()
        file = path.lstat() if os.path.lexists(path) else None
    if not stat.S_ISDIR(folder.st_mode):
        raise _refused(path.parent, "is not a folder", "Set outbox.folder to one.")
    _refuse_shared(folder, path.parent)
    if file is None:
        return
    if not stat.S_ISREG(file.st_mode):
        # A symbolic link is refused too: it may point elsewhere at the next start.
        raise _refused(path, "is not a regular file", "Put the outbox itself there.")
    if file.st_nlink > 1:
        # The lock is beside the file: another process could lock it under its other name.
        remedy = f"Remove its other name. To find it: find / -xdev -samefile {path}"
        raise _refused(path, "has a second name, a hard link", remedy)
    _refuse_shared(file, path)


def _refuse_shared(status: os.stat_result, path: Path) -> None:
    try:
        check_private(status, path, os.geteuid())
    except NotPrivate as error:
        raise _refused(path, error.message, error.remedy) from None


def _refused(path: Path, message: str, remedy: str) -> OutboxError:
    return OutboxError(Problem("open the outbox", f"{path} {message}", remedy=remedy))
