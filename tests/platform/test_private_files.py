"""Files that other users can change are not used."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from paytui.platform.files import (
    NotPrivate,
    check_private,
    replace_private,
    write_new,
    write_private,
)


@pytest.mark.parametrize("mode", [0o600, 0o400, 0o700, 0o000])
def test_what_is_the_users_alone_passes(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "mine"
    path.touch()
    path.chmod(mode)
    check_private(path.stat(), path, os.geteuid())


@pytest.mark.parametrize("mode", [0o640, 0o620, 0o610, 0o604, 0o602, 0o601])
def test_what_others_can_reach_is_refused_with_a_command_that_can_be_pasted(
    tmp_path: Path, mode: int
) -> None:
    path = tmp_path / "it's mine"
    path.touch()
    path.chmod(mode)
    with pytest.raises(NotPrivate) as caught:
        check_private(path.stat(), path, os.geteuid())
    assert f"(mode {mode:04o})" in caught.value.message
    command = caught.value.remedy.removeprefix("Run: ")
    assert os.system(command) == 0  # noqa: S605 - that it can be pasted is the point
    check_private(path.stat(), path, os.geteuid())


def test_what_belongs_to_another_user_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotPrivate, match="belongs to another user"):
        check_private(tmp_path.stat(), tmp_path, os.geteuid() + 1)


def test_what_is_written_is_the_users_alone_and_replaces_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "file"
    for text in ("first", "sécond"):
        write_private(path, text)
        assert path.read_text(encoding="utf-8") == text
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert list(path.parent.iterdir()) == [path]
    # Others keep things in the folder above, which they would find refused.
    assert stat.S_IMODE(path.parent.parent.stat().st_mode) == 0o700


def test_nothing_is_written_where_others_have_a_hand(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o755)
    shared.chmod(0o755)
    with pytest.raises(NotPrivate):
        write_private(shared / "file", "text")
    assert not list(shared.iterdir())


class TestADiskThatIsFull:
    @pytest.fixture(autouse=True)
    def full(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(_: int) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(os, "fsync", refuse)

    def test_leaves_nothing_of_a_new_file(self, tmp_path: Path) -> None:
        with pytest.raises(OSError, match="No space"):
            write_new(tmp_path / "file", "text")
        assert not list(tmp_path.iterdir())

    def test_leaves_the_file_that_was_there(self, tmp_path: Path) -> None:
        path = tmp_path / "file"
        path.write_text("before")
        with pytest.raises(OSError, match="No space"):
            replace_private(path, "after")
        assert path.read_text() == "before"
        assert list(tmp_path.iterdir()) == [path]


def test_a_disk_that_keeps_no_modes_has_nothing_left_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: int, __: int) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "fchmod", refuse)
    with pytest.raises(PermissionError):
        write_new(tmp_path / "file", "text")
    assert not list(tmp_path.iterdir())


def test_what_is_written_as_new_is_never_written_over_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("before")
    with pytest.raises(FileExistsError):
        write_new(path, "after")
    assert path.read_text() == "before"
