"""Every file that paytui writes is private from its first moment; links are not followed."""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import paytui
from paytui.api.http.token import HeldToken
from paytui.api.http.token_file import TokenFile
from paytui.book.file import BookWriter
from paytui.cli.wiring.compose import token_cell
from paytui.cli.wiring.known_hosts import KnownHost
from paytui.config.saved_files import write_config, write_saved, write_tracked
from paytui.config.settings import ConfigFile, Profile
from paytui.config.validation_cache import CachingValidator
from paytui.domain.models import Token
from paytui.outbox.outbox import open_outbox
from paytui.platform.files import owner_key
from paytui.sandbox.database import connect
from paytui.store.cache.write import CacheWriter
from paytui.store.export import write_file
from tests.outbox.made import NOON, entry
from tests.support.clock import ManualClock

NOBODY = 65_534
VICTIM = "what the user would miss"


def write_token(path: Path) -> None:
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.parent.chmod(0o700)
    token = Token("a.b.c", datetime(2027, 1, 1, tzinfo=UTC) + timedelta(minutes=5), ())
    file = TokenFile(path, owner_key("https://api.example.com", "desk"), "boot", ManualClock())
    file.write(HeldToken(token, 1.0, life=299.0))


def write_outbox(path: Path) -> None:
    outbox = open_outbox(path, host="desk-4", since=NOON)
    outbox.record(entry())
    outbox.close()


def write_known(path: Path) -> None:
    profile = Profile(name="acme", base_url="https://api.acme.example", client_id="desk")
    KnownHost(path, profile, print).remember()


def write_accepted(path: Path) -> None:
    accepted = CachingValidator(path)
    accepted(ConfigFile, {})
    accepted.keep()


def write_export(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    path.parent.chmod(0o700)
    write_file(path, lambda file: print("a,b", file=file))


def write_sandbox(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    path.parent.chmod(0o700)
    connect(str(path), NOON).close()


def in_folder(write: Callable[[Path], None]) -> Callable[[Path], None]:
    """Return a writer beside a configuration, whose folder exists."""

    def written(path: Path) -> None:
        path.parent.mkdir(exist_ok=True)
        path.parent.chmod(0o700)
        write(path)

    return written


WRITERS: dict[str, Callable[[Path], None]] = {
    "config": lambda path: write_config(path, {"default_profile": "acme"}),
    "saved": in_folder(lambda path: write_saved(path, {"display": {"theme": "dark"}})),
    "tracked": in_folder(lambda path: write_tracked(path, {})),
    "accepted": write_accepted,
    "cache": lambda path: CacheWriter(path).close(),
    "book": lambda path: BookWriter(path).close(),
    "outbox": write_outbox,
    "token": write_token,
    "known": write_known,
    "export": write_export,
    "sandbox": write_sandbox,
}

EVERY = pytest.mark.parametrize("name", WRITERS)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "own" / "file"


@pytest.fixture
def umasked() -> Iterator[Callable[[int], int]]:
    before = os.umask(0)
    yield os.umask
    os.umask(before)


ODD = 0o777
"""An umask that takes everything even from the file's owner."""


@EVERY
@pytest.mark.parametrize("umask", [0o000, 0o022, ODD])
def test_it_is_of_mode_0600_in_a_folder_of_0700_whatever_the_umask(
    name: str, path: Path, umask: int, umasked: Callable[[int], int]
) -> None:
    if name == "sandbox" and umask == ODD:
        pytest.skip("a sandbox is for practice, and refuses such a file at its next start")
    umasked(umask)
    WRITERS[name](path)
    assert path.exists()
    for each in path.parent.iterdir():
        assert stat.S_IMODE(each.stat().st_mode) == 0o600, each
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@EVERY
@pytest.mark.parametrize("beside", ["", ".new", ".lock", ".tmp"])
def test_what_a_link_in_its_place_leads_to_is_left_alone(
    name: str, path: Path, tmp_path: Path, beside: str
) -> None:
    victim = tmp_path / "victim"
    victim.write_text(VICTIM)
    path.parent.mkdir(mode=0o700)
    path.with_name(path.name + beside).symlink_to(victim)
    with suppress(Exception):  # each refuses in its own words
        WRITERS[name](path)
    assert victim.read_text() == VICTIM


@EVERY
def test_what_a_hard_link_in_its_place_shares_is_left_alone(
    name: str, path: Path, tmp_path: Path
) -> None:
    if name in ("outbox", "cache", "sandbox"):
        pytest.skip("a database is written where it is, in a folder that is the user's alone")
    victim = tmp_path / "victim"
    victim.write_text(VICTIM)
    victim.chmod(0o600)
    path.parent.mkdir(mode=0o700)
    path.hardlink_to(victim)
    with suppress(Exception):
        WRITERS[name](path)
    assert victim.read_text() == VICTIM


def test_one_hand_alone_makes_files_and_folders() -> None:
    """Whatever else did would have to be tried here, too. A sandbox is apart from all of it."""
    package = Path(paytui.__file__).parent
    by_name = r"O_CREAT|write_text|write_bytes|mkstemp|NamedTemporary|\.mkdir\("
    makes = re.compile(by_name + r'|(?<!fd)open\(.*"[wax]b?"')
    found = {
        str(source.relative_to(package))
        for source in package.rglob("*.py")
        if "sandbox" not in source.parts and makes.search(source.read_text(encoding="utf-8"))
    }
    assert found == {"platform/files.py"}


class TestAnotherUser:
    """On the same host, with the same folders in sight."""

    @pytest.fixture
    def host(self) -> Iterator[Path]:
        if os.geteuid() != 0:
            pytest.skip("only root can become another user")
        folder = Path(tempfile.mkdtemp())
        folder.chmod(0o711)
        yield folder
        shutil.rmtree(folder)

    @EVERY
    def test_can_neither_read_nor_list_nor_remove_it(
        self, name: str, host: Path, umasked: Callable[[int], int]
    ) -> None:
        path = host / "own" / "file"
        umasked(0)
        WRITERS[name](path)

        def attacks() -> Iterator[str]:
            for what, attack in (
                ("read", path.read_bytes),
                ("listed", lambda: list(path.parent.iterdir())),
                ("removed", path.unlink),
                ("replaced", lambda: path.parent.rename(host / "gone")),
            ):
                try:
                    attack()
                except PermissionError:
                    continue
                yield what

        assert as_nobody(lambda: ", ".join(attacks())) == ""

    def test_a_runtime_folder_of_somebody_else_is_not_used(
        self, host: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shared = host / "tmp"
        shared.mkdir()
        shared.chmod(0o1777)
        theirs = [host / "run", shared / "runtime-0"]
        for folder in theirs:
            folder.mkdir()
            folder.chmod(0o777)
            os.chown(folder, NOBODY, NOBODY)
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(theirs[0]))
        monkeypatch.setattr(tempfile, "tempdir", str(shared))
        profile = Profile(name="acme", base_url="https://api.example.com", client_id="desk")
        token_cell(profile, ManualClock()).look()
        assert [list(folder.iterdir()) for folder in theirs] == [[], []]


def as_nobody(ask: Callable[[], str]) -> str:
    """Return the output of a process of another user."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            os.write(writing, ask().encode())
        except BaseException as error:  # noqa: BLE001 - the parent is told
            os.write(writing, repr(error).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as told:
        said = told.read()
    os.waitpid(child, 0)
    return said
