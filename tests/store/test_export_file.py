"""An export appears complete or not at all, and never overwrites by accident."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

import pytest

from paytui.store.export import ExportError, write_file


def hello(file: TextIO) -> None:
    file.write("hello\r\n")


class Interrupted(BaseException):
    """The program ends in the middle."""


def cut_short(file: TextIO) -> None:
    file.write("hel")
    raise Interrupted


def test_a_new_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "payments.csv"
    write_file(path, hello)
    assert path.read_bytes() == b"hello\r\n"
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "payments.csv"
    path.write_text("precious")
    with pytest.raises(ExportError, match=r"payments\.csv: exists and is not overwritten\."):
        write_file(path, hello)
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]


def test_it_is_replaced_only_when_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "payments.csv"
    path.write_text("old")
    write_file(path, hello, replace=True)
    assert path.read_bytes() == b"hello\r\n"
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_link_is_never_written_through(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to(target)
    with pytest.raises(ExportError, match="exists"):
        write_file(link, hello)
    target.write_text("precious")
    write_file(link, hello, replace=True)
    assert (target.read_text(), link.is_symlink()) == ("precious", False)


@pytest.mark.parametrize("replace", [False, True])
def test_what_is_cut_short_leaves_nothing_behind(tmp_path: Path, *, replace: bool) -> None:
    with pytest.raises(Interrupted):
        write_file(tmp_path / "payments.csv", cut_short, replace=replace)
    assert list(tmp_path.iterdir()) == []


def test_what_is_cut_short_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "payments.csv"
    path.write_text("old")
    with pytest.raises(Interrupted):
        write_file(path, cut_short, replace=True)
    assert path.read_text() == "old"


@pytest.mark.parametrize("replace", [False, True])
def test_a_folder_that_is_not_there_is_named(tmp_path: Path, *, replace: bool) -> None:
    with pytest.raises(ExportError, match=r"no/payments\.csv: cannot be written: No such file"):
        write_file(tmp_path / "no" / "payments.csv", hello, replace=replace)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="cannot be written: Is a directory"):
        write_file(tmp_path, hello, replace=True)
