"""The file of a shared token: private, complete, and checked before it is used."""

from __future__ import annotations

import json
import os
import pwd
import stat
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from paytui.api.http.token import HeldToken
from paytui.api.http.token_file import TokenFile, Untrusted
from paytui.domain.models import Token
from paytui.platform.files import owner_key, signature
from tests.support.clock import NOON, ManualClock
from tests.support.spoilt_files import a_link, a_pipe, open_to_others

OWNER = owner_key("https://api.example.com", "acme-desk")
TOKEN = Token("header.payload.signature", NOON + timedelta(minutes=5), ("wallets",))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture
def file(folder: Path, clock: ManualClock) -> TokenFile:
    return TokenFile(folder / "token", OWNER, "boot-1", clock)


@pytest.fixture
def held(clock: ManualClock) -> HeldToken:
    return HeldToken(TOKEN, clock.boot(), life=299.5)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_what_is_written_is_read(file: TokenFile, held: HeldToken) -> None:
    assert file.read() is None
    file.write(held)
    assert file.read() == held


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o777])
def test_nobody_else_can_read_it_whatever_the_umask(
    file: TokenFile, held: HeldToken, umask: int
) -> None:
    before = os.umask(umask)
    try:
        file.write(held)
    finally:
        os.umask(before)
    assert mode_of(file.path) & 0o077 == 0


def test_a_new_token_takes_the_place_of_the_old_one_and_leaves_nothing_beside_it(
    file: TokenFile, held: HeldToken, clock: ManualClock
) -> None:
    file.write(held)
    inode, before = file.path.stat().st_ino, signature(file.path)
    newer = HeldToken(Token("newer", TOKEN.expires_at), clock.boot(), life=300.0)
    with file.path.open("rb") as reading:
        file.write(newer)
        assert b"header.payload.signature" in reading.read()
    assert file.read() == newer
    assert file.path.stat().st_ino != inode
    assert signature(file.path) != before
    assert list(file.path.parent.iterdir()) == [file.path]


def test_two_services_and_two_client_ids_have_keys_of_their_own() -> None:
    keys = {owner_key(url, name) for url in ("https://a", "https://b") for name in ("x", "y")}
    assert len(keys) == 4
    assert all(key.isalnum() for key in keys)


def test_the_token_of_another_client_id_is_not_taken(
    file: TokenFile, held: HeldToken, clock: ManualClock
) -> None:
    TokenFile(file.path, owner_key("https://api.example.com", "other"), "boot-1", clock).write(held)
    with pytest.raises(Untrusted, match="another service or client id"):
        file.read()


def test_a_token_of_before_a_restart_of_the_host_is_none(
    file: TokenFile, held: HeldToken, clock: ManualClock
) -> None:
    file.write(held)
    assert TokenFile(file.path, OWNER, "boot-2", clock).read() is None


DAMAGES: dict[str, object] = {
    "sent": "inf",
    "life": "-1",
    "accessToken": "two\r\nlines",
    "expiresAt": "later",
    "services": "all",
    "bootId": None,
}


@pytest.mark.parametrize("key", ["sent", "life", "accessToken", "expiresAt", "services"])
def test_a_file_with_something_senseless_in_it_is_damaged(
    file: TokenFile, held: HeldToken, key: str
) -> None:
    file.write(held)
    contents = json.loads(file.path.read_bytes())
    file.path.write_text(json.dumps({**contents, key: DAMAGES[key]}))
    with pytest.raises(Untrusted, match="damaged"):
        file.read()


def test_a_token_from_the_future_is_damaged(
    file: TokenFile, held: HeldToken, clock: ManualClock
) -> None:
    file.write(held)
    contents = json.loads(file.path.read_bytes())
    file.path.write_text(json.dumps({**contents, "sent": repr(clock.boot() + 1)}))
    with pytest.raises(Untrusted, match="damaged"):
        file.read()


@pytest.mark.parametrize(
    "contents",
    [b"", b"{", b"[]", b"\xff\xfe", b"[" * 60_000, b" " * 10_000_000 + b"{}"],
    ids=["empty", "cut", "no object", "no text", "deep", "long"],
)
def test_what_holds_no_token_of_ours_is_told(file: TokenFile, contents: bytes) -> None:
    file.path.write_bytes(contents)
    file.path.chmod(0o600)
    with pytest.raises(Untrusted, match="no token of ours"):
        file.read()


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir(mode=0o700)


@pytest.mark.parametrize("change", [open_to_others, a_link, a_pipe, a_folder])
def test_a_file_that_is_not_as_we_leave_it_is_not_believed(
    file: TokenFile, held: HeldToken, change: Callable[[Path], None]
) -> None:
    file.write(held)
    change(file.path)
    with pytest.raises(Untrusted):
        file.read()


def test_writing_replaces_a_link_and_leaves_what_it_points_to(
    file: TokenFile, held: HeldToken, tmp_path: Path
) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine")
    file.path.symlink_to(precious)
    file.write(held)
    assert precious.read_text() == "mine"
    assert file.read() == held


def test_a_folder_of_another_user_is_not_used(
    file: TokenFile, held: HeldToken, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write(held)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    for use in (file.read, lambda: file.write(held), file.mode):
        with pytest.raises(Untrusted, match="folder of another user"):
            use()


def test_a_folder_that_anybody_can_write_to_is_not_used(
    file: TokenFile, held: HeldToken, folder: Path
) -> None:
    folder.chmod(0o1777)
    for use in (file.read, lambda: file.write(held), file.mode):
        with pytest.raises(Untrusted, match="anyone"):
            use()
    assert not list(folder.iterdir())


def test_a_folder_that_is_not_there_is_told(
    held: HeldToken, clock: ManualClock, folder: Path
) -> None:
    missing = TokenFile(folder / "none" / "token", OWNER, "boot-1", clock)
    with pytest.raises(Untrusted, match="No such file"):
        missing.write(held)


def test_in_a_folder_of_a_group_the_group_shares_it(
    file: TokenFile, held: HeldToken, folder: Path
) -> None:
    folder.chmod(0o2770)
    file.write(held)
    assert mode_of(file.path) == 0o660
    assert file.path.stat().st_gid == folder.stat().st_gid
    assert file.read() == held
    file.path.chmod(0o664)
    with pytest.raises(Untrusted, match="can be read by others"):
        file.read()


class TestAnotherUsersHand:
    """On a folder that a group can write, and on the file in it."""

    @pytest.fixture
    def nobody(self, folder: Path) -> pwd.struct_passwd:
        if os.geteuid() != 0:
            pytest.skip("only root can give a file away")
        folder.chmod(0o2770)
        return pwd.getpwnam("nobody")

    @pytest.mark.parametrize("is_shared_with_them", [True, False])
    def test_a_folder_that_is_theirs_is_not_used_whatever_its_group(
        self,
        file: TokenFile,
        held: HeldToken,
        folder: Path,
        nobody: pwd.struct_passwd,
        is_shared_with_them: bool,
    ) -> None:
        file.write(held)
        os.chown(folder, nobody.pw_uid, nobody.pw_gid if is_shared_with_them else os.getegid())
        os.chown(file.path, os.geteuid(), folder.stat().st_gid)
        for use in (file.read, lambda: file.write(held), file.mode):
            with pytest.raises(Untrusted, match="folder of another user: use your own"):
                use()

    def test_a_file_that_is_theirs_is_not_read_if_they_are_not_of_the_group(
        self, file: TokenFile, held: HeldToken, nobody: pwd.struct_passwd
    ) -> None:
        file.write(held)
        os.chown(file.path, nobody.pw_uid, -1)
        with pytest.raises(Untrusted, match="belongs to another user"):
            file.read()

    def test_a_file_of_a_member_of_the_group_is_read(
        self, file: TokenFile, held: HeldToken, folder: Path, nobody: pwd.struct_passwd
    ) -> None:
        os.chown(folder, -1, nobody.pw_gid)
        file.write(held)
        os.chown(file.path, nobody.pw_uid, -1)
        assert file.read() == held

    @pytest.mark.usefixtures("nobody")
    def test_a_folder_of_roots_serves_the_members_of_its_group(
        self, file: TokenFile, held: HeldToken, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file.write(held)
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        assert file.read() == held


def test_the_token_is_in_no_message(file: TokenFile, held: HeldToken) -> None:
    file.write(held)
    file.path.chmod(0o644)
    with pytest.raises(Untrusted) as caught:
        file.read()
    assert "payload" not in repr(caught.value) + repr(held)
