"""A full disk is detected before anything is sent."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from paytui.outbox.database import Connection, connect
from paytui.outbox.entry import RecordedIntent
from paytui.outbox.file import OutboxError
from paytui.outbox.outbox import Outbox
from tests.outbox.busy import impatient, kept_locked
from tests.outbox.made import entry
from tests.support.commands import ROOT

LONG = entry(2, title="long " * 100_000)


def in_a_process(program: str, argument: Path) -> str:
    """Return the output of a program."""
    done = subprocess.run(
        [sys.executable, "-c", program, argument],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def limited(path: Path) -> Connection:
    """A file that may not grow by much."""
    connection = connect(path)
    connection.execute("PRAGMA max_page_count = 30")
    return connection


def test_a_full_disk_is_said_and_nothing_is_half_there(path: Path) -> None:
    outbox = Outbox(path, limited)
    outbox.record(entry(1))
    with pytest.raises(OutboxError, match=r"the disk is full.*Free disk space"):
        outbox.record(LONG)
    outbox.record(entry(3))
    outbox.close()
    assert Outbox(path).read() == [RecordedIntent(entry(1)), RecordedIntent(entry(3))]


_AT_ITS_LIMIT = """
import resource, sys
from pathlib import Path
from paytui.outbox.file import OutboxError
from paytui.outbox.outbox import Outbox
from tests.outbox.made import entry

outbox = Outbox(Path(sys.argv[1]))
outbox.record(entry(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    outbox.record(entry(2, title="long " * 100_000))
except OutboxError as error:
    print(error)
outbox.record(entry(3))
"""


def test_a_write_that_the_system_refuses_is_said_and_nothing_is_half_there(path: Path) -> None:
    said = in_a_process(_AT_ITS_LIMIT, path)
    assert "Could not record PT-00000002: the disk failed" in said
    assert Outbox(path).read() == [RecordedIntent(entry(1)), RecordedIntent(entry(3))]


def read_only(path: Path) -> sqlite3.Connection:
    """Make a path read-only as a mounted file system does; file modes do not stop root."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)


def test_a_file_system_that_cannot_be_written_is_refused_at_the_start(path: Path) -> None:
    Outbox(path).close()
    with pytest.raises(OutboxError, match=r"it cannot be written.*set outbox\.folder"):
        Outbox(path, read_only)


_OPENS_AS_SOMEBODY = """
import os, sys
from pathlib import Path
from paytui.outbox.file import OutboxError
from paytui.outbox.outbox import Outbox

if os.geteuid() == 0:
    os.setresuid(65534, 65534, 65534)  # modes do not stop root
try:
    Outbox(Path(sys.argv[1]))
    print("opened")
except OutboxError as error:
    print(error)
"""


@pytest.fixture
def anywhere() -> Iterator[Path]:
    """A folder that another user can reach, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


@pytest.mark.parametrize("made", [False, True])
def test_a_folder_without_permission_to_write_is_refused_at_the_start(
    anywhere: Path, made: bool
) -> None:
    path = anywhere / "acme.outbox.sqlite"
    assert in_a_process(_OPENS_AS_SOMEBODY, path) == "opened\n"
    if not made:
        path.unlink()
    anywhere.chmod(0o555)
    said = in_a_process(_OPENS_AS_SOMEBODY, path)
    assert said.startswith("Could not open the outbox: ")
    assert "set outbox.folder to another place" in said


def test_a_program_that_keeps_the_file_locked_is_said_and_nothing_is_half_there(path: Path) -> None:
    outbox = Outbox(path, impatient)
    with kept_locked(path):
        with pytest.raises(OutboxError, match=r"another program keeps it locked"):
            outbox.record(entry(1))
        with pytest.raises(OutboxError, match=r"another program keeps it locked"):
            outbox.probe()
    outbox.probe()
    outbox.record(entry(2))
    assert outbox.read() == [RecordedIntent(entry(2))]
