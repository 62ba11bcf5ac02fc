"""Who else can change a file, or put another in its place: all the way up from it."""

from __future__ import annotations

import grp
import os
import pwd
import shlex
import stat
from collections.abc import Iterator
from pathlib import Path

from paytui.cli.checkup.finding import Finding, warning

ROOT = 0
NAME = "who can change it"


def who_can_change(path: Path, so_that: str) -> Iterator[Finding]:
    """Whoever can, beside the user and root.

    Args:
        path: of a file or folder; what is not there cannot be changed.
        so_that: what they could do by that, as a clause.
    """
    path = path.resolve()
    for place in (path, *path.parents):
        try:
            status = place.stat()
        except OSError:
            continue
        if status.st_uid not in (os.geteuid(), ROOT):
            what = f"{place} belongs to another user, who {so_that}"
            yield warning(NAME, what, "Make a copy that is yours, in a folder that is yours.")
        elif by := _others(status):
            what = f"{place} can be changed by others (mode {stat.S_IMODE(status.st_mode):04o})"
            remedy = f"Run: chmod {by}-w {shlex.quote(str(place))}"
            yield warning(NAME, f"{what}, who {so_that}", remedy)


def _others(status: os.stat_result) -> str:
    """Which others can change it, as chmod names them."""
    if stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX:
        return ""  # nobody can take away what another one has there
    by_group = status.st_mode & stat.S_IWGRP and not _is_for_one(status.st_gid)
    return ("g" if by_group else "") + ("o" if status.st_mode & stat.S_IWOTH else "")


def _is_for_one(group: int) -> bool:
    """Whether a group is the user's own, as many systems give one to each, or root's."""
    try:
        known, user = grp.getgrgid(group), pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return False
    return known.gr_name in (user, "root") and not set(known.gr_mem) - {user}
