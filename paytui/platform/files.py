"""Files and folders that are the user's own: one that others can read or change is not used."""

from __future__ import annotations

import hashlib
import os
import pwd
import secrets
import shlex
import stat
from contextlib import suppress
from pathlib import Path

MODE = 0o600
FOLDER_MODE = 0o700
SHARED_MODE = 0o660
"""Of a file that a group shares."""

ROOT = 0


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


def check_private(status: os.stat_result, path: Path, owner: int, group: int | None = None) -> None:
    """Refuse what belongs to another user or is open to others.

    Args:
        status: of the file or folder that is in use, which `path` names.
        path: where it is.
        owner: the user whose it must be.
        group: shares the file, which may then belong to any of its members, and to root; None:
            it is the owner's alone.

    Raises:
        NotPrivate: it is not.
    """
    is_shared = group is not None and _belongs_to(status, group)
    if status.st_uid != owner and not is_shared:
        raise NotPrivate("belongs to another user", "Make a copy that is yours.")
    if group is not None and status.st_gid != group:
        remedy = f"Run: chgrp {group} {shlex.quote(str(path))}"
        raise NotPrivate("belongs to another group than its folder", remedy)
    wanted = MODE if group is None else SHARED_MODE
    if status.st_mode & 0o077 & ~wanted:
        mode = stat.S_IMODE(status.st_mode)
        wanted = FOLDER_MODE if stat.S_ISDIR(status.st_mode) else wanted
        message = f"can be read by others (mode {mode:04o})"
        raise NotPrivate(message, f"Run: chmod {wanted:o} {shlex.quote(str(path))}")


def _belongs_to(status: os.stat_result, group: int) -> bool:
    """Return True if the owner is root or a member of the group."""
    if status.st_uid == ROOT:
        return True
    try:
        user = pwd.getpwuid(status.st_uid)
    except KeyError:
        return False
    return group in os.getgrouplist(user.pw_name, user.pw_gid)


def owner_key(base_url: str, client_id: str) -> str:
    """Names a service and who we are there in a file's name, telling neither."""
    return hashlib.sha256(f"{base_url}\n{client_id}".encode()).hexdigest()[:32]


def make_folder(folder: Path) -> None:
    """Make a folder for the user alone, and those on the way to it; what is there stays as it is.

    Raises:
        OSError: it cannot be made.
    """
    for each in reversed((folder, *folder.parents)):
        if each.exists():
            continue
        with suppress(FileExistsError):  # another process was first
            each.mkdir(mode=FOLDER_MODE)
            if stat.S_IMODE(each.lstat().st_mode) & 0o777 != FOLDER_MODE:
                each.chmod(FOLDER_MODE)  # of an umask that takes even from its owner


def create_private(path: Path) -> int:
    """Make an empty file for the user alone, whatever the umask; never over what is there.

    Returns:
        Its handle, to write.

    Raises:
        OSError: it cannot be made; FileExistsError: something is there, if only a link.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, MODE)
    os.fchmod(handle, MODE)
    return handle


def write_new(path: Path, text: str) -> None:
    """Write a new file for the user alone, whole or not at all.

    Raises:
        OSError: it cannot be written; FileExistsError: something is there, if only a link.
    """
    try:
        _fill(create_private(path), text)
    except FileExistsError:
        raise
    except OSError:
        path.unlink(missing_ok=True)
        raise


def replace_private(path: Path, text: str) -> None:
    """Put a file for the user alone in the place of the one before, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    written = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        _fill(create_private(written), text)
        written.replace(path)  # of a link, the link itself
    except OSError:
        written.unlink(missing_ok=True)
        raise
    _settle(path.parent)


def write_private(path: Path, text: str) -> None:
    """The same in a folder that is the user's alone, too, and is made where there is none.

    Raises:
        NotPrivate: others have a hand in its folder.
        OSError: it cannot be written.
    """
    make_folder(path.parent)
    check_private(path.parent.stat(), path.parent, os.geteuid())
    replace_private(path, text)


def _fill(handle: int, text: str) -> None:
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _settle(folder: Path) -> None:
    """Have the names in a folder last, where its disk can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# Files that are shipped beside the code: themes and the example configuration.


def shipped_path(name: str) -> Path:
    """A shipped file or folder: `themes`, `config.example.toml`.

    In a wheel it lies inside the package, in a checkout (installed with `-e`) beside it.

    Raises:
        FileNotFoundError: this installation is not complete.
    """
    package = Path(__file__).resolve().parents[1]
    for place in (package, package.parent):
        if (place / name).exists():
            return place / name
    raise FileNotFoundError(f"paytui is not installed completely: {name} is missing")
