"""An outbox lies where no other user can read or change it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from paytui.outbox.file import OutboxError, check_place, make_folder, outbox_path
from paytui.outbox.outbox import Outbox, open_outbox
from tests.outbox.made import NOON, entry

NOBODY = 65_534


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def opened(path: Path) -> Outbox:
    return open_outbox(path, host="desk-4", since=NOON)


def test_each_profile_has_a_file_in_the_users_state_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert outbox_path("acme", None) == tmp_path / "paytui" / "acme.outbox.sqlite"
    assert outbox_path("acme", tmp_path) == tmp_path / "acme.outbox.sqlite"


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o277])
def test_folder_and_files_are_the_users_alone_whatever_the_umask(
    tmp_path: Path, umask: int
) -> None:
    path = tmp_path / "state" / "acme.outbox.sqlite"
    before = os.umask(umask)
    try:
        outbox = opened(path)
        outbox.record(entry())
        outbox.close()
    finally:
        os.umask(before)
    assert mode_of(path.parent) == 0o700
    assert {mode_of(file) for file in path.parent.iterdir()} == {0o600}


def test_a_file_of_two_names_is_refused_for_it_would_have_two_owners(
    path: Path, tmp_path: Path
) -> None:
    opened(path).close()
    other = tmp_path / "other"
    other.mkdir(mode=0o700)
    (other / "acme.outbox.sqlite").hardlink_to(path)
    for name in (path, other / "acme.outbox.sqlite"):
        with pytest.raises(OutboxError, match=f"-samefile {name}"):
            opened(name)
    path.unlink()
    opened(other / "acme.outbox.sqlite").close()


@pytest.mark.parametrize("mode", [0o755, 0o710, 0o701, 0o770])
def test_a_folder_that_others_can_enter_is_refused_with_what_mends_it(
    path: Path, mode: int
) -> None:
    path.parent.chmod(mode)
    with pytest.raises(OutboxError, match=rf"Run: chmod 700 {path.parent}"):
        opened(path)
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
def test_a_file_that_others_can_read_is_refused_with_what_mends_it(path: Path, mode: int) -> None:
    opened(path).close()
    path.chmod(mode)
    with pytest.raises(OutboxError, match=rf"mode {mode:04o}.*Run: chmod 600 {path}"):
        opened(path)
    path.chmod(0o600)
    opened(path).close()


def test_a_link_is_refused_for_it_may_point_elsewhere_tomorrow(path: Path) -> None:
    opened(path).close()
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")
    with pytest.raises(OutboxError, match="is not a regular file"):
        opened(path)


def test_a_file_where_the_folder_should_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "state").touch(mode=0o600)
    with pytest.raises(OutboxError, match=r"is not a folder\. Set outbox\.folder"):
        opened(tmp_path / "state" / "acme.outbox.sqlite")


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutboxError, match="Could not make a folder for the outbox"):
        make_folder(tmp_path / "file" / "state" / "acme.outbox.sqlite")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_what_belongs_to_another_user_is_refused(path: Path) -> None:
    path.touch(mode=0o600)
    os.chown(path, NOBODY, -1)
    with pytest.raises(OutboxError, match="belongs to another user"):
        check_place(path)
    os.chown(path.parent, NOBODY, -1)
    with pytest.raises(OutboxError, match=rf"{path.parent} belongs to another user"):
        check_place(path)
