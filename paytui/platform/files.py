"""Private files and folders: neither readable nor writable by others; and SQLite files."""

from __future__ import annotations

import fcntl
import hashlib
import os
import pwd
import secrets
import shlex
import sqlite3
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TextIO

MODE = 0o600
FOLDER_MODE = 0o700
SHARED_MODE = 0o660  # The mode of a file that a group shares

ROOT = 0


class NotPrivate(Exception):
    """A file or folder that belongs to another user or is open to others.

    The message is a clause that follows its name, the remedy a sentence.
    """

    def __init__(self, message: str, remedy: str) -> None:
        self.message = message
        self.remedy = remedy
        super().__init__(f"{message}. {remedy}")


def check_private(status: os.stat_result, path: Path, owner: int, group: int | None = None) -> None:
    """Raise NotPrivate unless a file or folder belongs to the owner and is closed to others.

    Args:
        status: of the opened file or folder.
        owner: the required user id.
        group: the group that shares the file, which may then belong to root or any member; None:
            it is private to the owner.
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


def check_place(path: Path) -> None:
    """Raise NotPrivate unless a file and its folder are private to the user, and it is regular.

    Raise OSError if there is no such file.
    """
    folder, file = path.parent.stat(), path.lstat()
    if not stat.S_ISREG(file.st_mode):
        raise NotPrivate("is not a regular file", "Move it elsewhere.")
    check_private(folder, path.parent, os.geteuid())
    check_private(file, path, os.geteuid())


def _belongs_to(status: os.stat_result, group: int) -> bool:
    """Return True if the owner is root or a member of the group."""
    if status.st_uid == ROOT:
        return True
    try:
        user = pwd.getpwuid(status.st_uid)
    except KeyError:
        return False
    return group in os.getgrouplist(user.pw_name, user.pw_gid)


def read_private(path: Path, longest: int, owner: int, group: int | None = None) -> bytes:
    """Return the first bytes of a private file; owner and group are as for `check_private`.

    Raise NotPrivate if it is open to others, or (without a remedy) no regular file: no link is
    followed, and the other end of a pipe is not waited for. Raise OSError if it cannot be read.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise NotPrivate("is not a regular file", "")
        check_private(status, path, owner, group)
        return os.read(handle, longest)
    finally:
        os.close(handle)


Signature = tuple[int, int, int]  # Inode, time of change and size of a file


def signature(path: Path | None, *, of_link: bool = False) -> Signature | None:
    """Return a value that changes with each write or replacement; None if there is no file."""
    try:
        found = None if path is None else path.stat(follow_symlinks=not of_link)
    except OSError:
        return None
    return None if found is None else (found.st_ino, found.st_mtime_ns, found.st_size)


def owner_key(base_url: str, client_id: str) -> str:
    """Return a file name for a service and client id that reveals neither."""
    return hashlib.sha256(f"{base_url}\n{client_id}".encode()).hexdigest()[:32]


def make_folder(folder: Path) -> None:
    """Create a private folder and its missing parents; existing ones keep their mode."""
    for each in reversed((folder, *folder.parents)):
        if each.exists():
            continue
        with suppress(FileExistsError):  # another process was first
            each.mkdir(mode=FOLDER_MODE)
            if stat.S_IMODE(each.lstat().st_mode) & 0o777 != FOLDER_MODE:
                each.chmod(FOLDER_MODE)  # an umask may restrict even the owner


def create_private(path: Path, group: int | None = None) -> int:
    """Create an empty private file, whatever the umask, and return its descriptor for writing.

    A `group` shares it. Raise FileExistsError if the path exists, if only as a link.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, MODE)
    try:
        if group is not None:
            os.fchown(handle, -1, group)
        os.fchmod(handle, MODE if group is None else SHARED_MODE)
    except OSError:
        os.close(handle)
        raise
    return handle


def lock_beside(path: Path) -> int:
    """Take the lock of a file, in a file beside it, as `take_lock` does.

    Raise NotPrivate if another user has access to the lock.
    """
    return take_lock(path.with_name(f"{path.name}.lock"), is_private=True)


def take_lock(path: Path, group: int | None = None, *, is_private: bool = False) -> int:
    """Take the lock that a file is; it ends with the process, or with its close.

    The file is created if it does not exist, shared by a `group`, and never removed. Return its
    descriptor. Raise BlockingIOError if another process holds it, OSError if there are no locks,
    and NotPrivate if it `is_private` and open to others.
    """
    with suppress(FileExistsError):
        os.close(create_private(path, group))
    handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if is_private:
            check_private(os.fstat(handle), path, os.geteuid())
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except PermissionError as error:  # some network file systems say so if another holds it
        os.close(handle)
        raise BlockingIOError(*error.args) from None
    except BaseException:
        os.close(handle)
        raise
    return handle


def remove_left(locks: Iterable[Path], stop: Callable[[Path], object] = lambda _: None) -> None:
    """Remove the folder of each lock that no process holds, as one that was killed leaves it.

    `stop` is called before with the folder, to end what still uses it.
    """
    from shutil import rmtree

    for lock in locks:
        with suppress(OSError, NotPrivate), os.fdopen(take_lock(lock, is_private=True)):
            stop(lock.parent)
            rmtree(lock.parent)


Contents = str | Callable[[TextIO], object]
"""The text of a file, or what writes it."""


def write_new(path: Path, contents: Contents) -> None:
    """Write a new private file, completely or not at all.

    Raise FileExistsError if the path exists, if only as a link.
    """
    path.touch(MODE, exist_ok=False)  # no other program takes the name meanwhile
    try:
        replace_private(path, contents)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def replace_private(path: Path, contents: Contents, group: int | None = None) -> None:
    """Replace a file by a private one, atomically; nothing is left behind if that fails.

    A `group` shares it.
    """
    written = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        _fill(create_private(written, group), contents)
        written.replace(path)  # replaces a link itself, not its target
    except BaseException:
        with suppress(OSError):
            written.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def write_private(path: Path, text: str) -> None:
    """Replace a file in a private folder, which is created if it does not exist.

    Raise NotPrivate if the folder belongs to others or is open to them.
    """
    make_folder(path.parent)
    check_private(path.parent.stat(), path.parent, os.geteuid())
    replace_private(path, text)


def _fill(handle: int, contents: Contents) -> None:
    with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
        if isinstance(contents, str):
            file.write(contents)
        else:
            contents(file)
        file.flush()
        os.fsync(handle)


def _sync_folder(folder: Path) -> None:
    """Sync a folder's entries to disk, if the file system supports it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def shipped_path(name: str) -> Path:
    """Return the path of a shipped file or folder: `themes`, `config.example.toml`.

    It lies inside the package in a wheel, and beside it in a checkout (installed with `-e`).
    """
    package = Path(__file__).resolve().parents[1]
    for place in (package, package.parent):
        if (place / name).exists():
            return place / name
    raise FileNotFoundError(f"paytui is not installed completely: {name} is missing")


def state_path(name: str, folder: Path | None) -> Path:
    """Return the path of a file that outlives a run; nothing is created.

    Args:
        folder: the setting `outbox.folder`; None for the user's state directory.
    """
    from platformdirs import user_state_path  # an import that `--help` can do without

    return (folder or user_state_path("paytui", appauthor=False)) / name


def open_sqlite(path: Path, mode: str, timeout: float) -> sqlite3.Connection:
    """Open a file that exists, for explicit transactions, in several threads one after another.

    Args:
        mode: "ro" or "rw".
        timeout: seconds to wait for another process that has locked it.
    """
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=timeout,
        isolation_level=None,
        check_same_thread=False,
    )
