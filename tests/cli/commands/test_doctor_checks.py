"""Each check runs once its requirements are met; problems come with a remedy."""

from __future__ import annotations

import grp
import os
import pwd
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from paytui.cli.commands.doctor import STEPS, run_checks, worst
from paytui.cli.common import Finding, ProfileChoice
from paytui.cli.service_checks import check_secret
from paytui.cli.wiring.known_hosts import known_host
from paytui.config.settings import Profile
from paytui.outbox.outbox import Outbox
from tests.cli.findings import found, the, told
from tests.support.client import SECRET
from tests.support.deadline import eventually
from tests.support.secured import Authority, Heard, aside

NAMES_AND_LATER = STEPS[1:]
SIGNING_IN_AND_LATER = STEPS[4:]


class Desk:
    """A user's files, and what a checkup finds."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = folder / "config.toml"
        self.secret = folder / "acme.secret"
        self.secret.touch(mode=0o600)
        self.secret.write_text(f"{SECRET}\n")
        self.environ = {"TERM": "xterm-256color", "LANG": "C.UTF-8"}

    def write(self, base_url: str, more: str = "secret_file = 'acme.secret'\n") -> None:
        self.config.write_text(
            f"[profiles.acme]\nbase_url = '{base_url}'\nclient_id = 'desk'\n{more}"
        )

    def findings(self, *, accept: bool = False) -> Sequence[Finding]:
        findings = list(run_checks(ProfileChoice(self.config, None, accept), self.environ))
        assert SECRET not in str(findings)
        return findings


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    for name in ("STATE_HOME", "CACHE_HOME", "RUNTIME_DIR"):
        folder = tmp_path / name
        folder.mkdir(mode=0o700)
        monkeypatch.setenv(f"XDG_{name}", str(folder))
    folder = tmp_path / "desk"
    folder.mkdir(mode=0o700)
    return Desk(folder)


def untried(findings: Sequence[Finding]) -> list[str]:
    return [name for name, verdict in told(findings) if verdict == "not tried"]


def test_a_library_that_cannot_hold_the_cache_is_named(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write("https://127.0.0.1:1")
    assert the(desk.findings(), "cache").verdict.value == "ok"
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 33, 0))
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.33.0")
    finding = the(desk.findings(), "cache")
    assert finding.verdict.value == "warning"
    assert finding.what.startswith("SQLite 3.33.0 cannot hold it")


class TestTheConfiguration:
    def test_one_that_is_not_there_explains_all_else(self, desk: Desk) -> None:
        findings = desk.findings()
        first = findings[0]
        assert (first.name, first.verdict.value) == ("configuration", "error")
        assert "does not exist" in first.what
        assert "paytui config init" in first.remedy
        assert untried(findings) == ["files", *STEPS]
        assert worst(findings) == 2

    @pytest.mark.parametrize(
        ("more", "what", "remedy"),
        [
            ("liv = true\n", "profiles.acme.liv: is not a key", "Did you mean live?"),
            ("dialect = 'none.toml'\n", "profiles.acme.dialect", "Create it"),
            ("ca_file = 'none.pem'\n", "profiles.acme.ca_file", "certificates in PEM"),
            (
                '[views.payments.x]\nfilter = "colour:red"\n',
                "views.payments.x.filter",
                "config.toml",
            ),
            (
                '[views.intents.x]\nfilter = "colour:red"\n',
                "views.intents.x.filter",
                "config.toml",
            ),
        ],
    )
    def test_what_is_wrong_in_it_is_told_with_its_entry(
        self, desk: Desk, more: str, what: str, remedy: str
    ) -> None:
        desk.write("https://localhost:1", more)
        finding = the(desk.findings(), "configuration")
        assert what in finding.what
        assert remedy in finding.remedy

    def test_one_that_others_can_change_is_told_with_a_command_to_paste(self, desk: Desk) -> None:
        desk.write("https://localhost:1")
        desk.config.chmod(0o666)
        finding = the(desk.findings(), "who can change it")
        assert "(mode 0666)" in finding.what
        assert os.system(finding.remedy.removeprefix("Run: ")) == 0  # noqa: S605 - as pasted
        assert found(desk.findings(), "who can change it") == []

    @pytest.mark.parametrize("above", [0, 1])
    def test_the_folders_above_it_count_too(self, desk: Desk, above: int) -> None:
        folder = (desk.folder, *desk.folder.parents)[above]
        desk.write("https://localhost:1")
        folder.chmod(0o707)
        findings = found(desk.findings(), "who can change it")
        assert any(each.what.startswith(f"{folder} can be changed") for each in findings)

    def test_a_folder_in_which_nobody_takes_away_what_is_anothers_does_not(
        self, desk: Desk
    ) -> None:
        desk.write("https://localhost:1")
        desk.folder.chmod(0o1777)
        assert found(desk.findings(), "who can change it") == []

    def test_nor_does_a_group_that_is_the_users_own(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        user = pwd.getpwuid(os.geteuid()).pw_name
        desk.write("https://localhost:1")
        desk.config.chmod(0o664)

        def members(*others: str) -> None:
            group = grp.struct_group((user, "x", 1000, [user, *others]))
            monkeypatch.setattr(grp, "getgrgid", lambda _: group)

        members()
        assert found(desk.findings(), "who can change it") == []
        members("eve")
        assert "chmod g-w" in the(desk.findings(), "who can change it").remedy

    def test_a_program_that_others_can_change_learns_the_secret(
        self, desk: Desk, tmp_path: Path
    ) -> None:
        program = tmp_path / "pass"
        program.touch()
        program.chmod(0o777)
        desk.write("https://localhost:1", f"secret_command = ['{program}']\n")
        assert "can learn the secret" in the(desk.findings(), "who can change it").what


def test_a_secret_that_stands_among_the_arguments_of_a_program_is_warned_of() -> None:
    argv = ("sh", "-c", f"echo {SECRET}")
    profile = Profile(
        name="acme", base_url="https://localhost:1", client_id="desk", secret_command=argv
    )
    found = next(check_secret(profile))
    assert found.verdict.value == "warning"
    assert "in clear text" in found.what


class TestFiles:
    def test_an_outbox_that_others_can_read_is_an_error(self, desk: Desk) -> None:
        desk.write("https://localhost:1")
        state = desk.folder.parent / "STATE_HOME" / "paytui"
        state.mkdir(mode=0o755)
        finding = the(desk.findings(), "outbox")
        assert finding.verdict.value == "error"
        assert finding.remedy == f"Run: chmod 700 {state}"

    @pytest.mark.parametrize(
        ("spoil", "what"),
        [
            ("PRAGMA user_version = 7", "was written by an earlier paytui"),
            ("PRAGMA user_version = 10", "was written by a later paytui"),
            ("UPDATE sqlite_sequence SET seq = 8", "is damaged"),
        ],
    )
    def test_an_outbox_that_cannot_be_read_is_an_error(
        self, desk: Desk, spoil: str, what: str
    ) -> None:
        desk.write("https://localhost:1")
        path = desk.folder.parent / "STATE_HOME" / "paytui" / "acme.outbox.sqlite"
        path.parent.mkdir(mode=0o700)
        Outbox(path).close()
        file = sqlite3.connect(path)
        file.execute(spoil)
        file.commit()
        file.close()
        finding = the(desk.findings(), "outbox")
        assert finding.verdict.value == "error"
        assert what in finding.what
        assert finding.remedy

    def test_a_token_that_cannot_be_shared_is_told(self, desk: Desk) -> None:
        desk.write("https://localhost:1", "token_file = '/tmp/paytui.token'\n")
        finding = the(desk.findings(), "token")
        assert finding.verdict.value == "warning"
        assert "anyone can write to" in finding.what


class TestTheHost:
    @pytest.fixture
    def acme(self, tmp_path: Path) -> Authority:
        return Authority(tmp_path, "Acme Trust")

    def test_a_name_without_an_address_is_told_and_nothing_behind_it_tried(
        self, desk: Desk
    ) -> None:
        desk.write("https://no-such-host.invalid")
        findings = desk.findings()
        finding = the(findings, "DNS")
        assert "no-such-host.invalid" in finding.what
        assert "/etc/resolv.conf" in finding.remedy
        assert untried(findings) == list(NAMES_AND_LATER[1:])
        assert worst(findings) == 4

    def test_a_service_that_does_not_answer_is_told(self, desk: Desk) -> None:
        desk.write("https://localhost:1")
        findings = desk.findings()
        assert the(findings, "TLS").what.startswith("no connection")
        assert untried(findings) == ["client secret", *SIGNING_IN_AND_LATER]
        assert worst(findings) == 4

    def test_a_profile_that_leads_elsewhere_is_told_before_anything_is_asked(
        self, desk: Desk
    ) -> None:
        desk.write("https://no-such-host.invalid")
        desk.findings()
        desk.write("https://localhost:1")
        findings = desk.findings()
        assert "https://no-such-host.invalid" in the(findings, "service").what
        assert "--accept-new-host" in the(findings, "service").remedy
        assert untried(findings) == list(NAMES_AND_LATER)
        assert worst(findings) == 6
        assert worst(desk.findings(accept=True)) == 4

    def test_a_certificate_that_nobody_vouches_for_is_told_and_gets_nothing(
        self, desk: Desk, acme: Authority
    ) -> None:
        heard = Heard()
        with aside(heard.listening(acme.server())) as url:
            desk.write(url)
            findings = desk.findings()
        assert "certificate verify failed" in the(findings, "TLS").what
        assert heard.bytes == b""
        assert worst(findings) == 4

    def test_one_that_is_vouched_for_is_shown_with_its_fingerprint_to_pin(
        self, desk: Desk, acme: Authority
    ) -> None:
        heard, server = Heard(), acme.server()
        with aside(heard.listening(server)) as url:
            desk.write(url, f"ca_file = '{acme.file}'\nsecret_file = 'acme.secret'\n")
            finding = the(desk.findings(), "TLS")
            assert finding.verdict.value == "ok"
            assert "Acme Trust" in finding.what
            pin = finding.what.rpartition(" ")[2]
            desk.write(url, f"ca_file = '{acme.file}'\ncertificate_sha256 = ['{pin}']\n")
            assert the(desk.findings(), "TLS").verdict.value == "ok"
            other = "0" * 64
            desk.write(url, f"ca_file = '{acme.file}'\ncertificate_sha256 = ['{other}']\n")
            finding = the(desk.findings(), "TLS")
            assert finding.verdict.value == "error"
            assert "certificate_sha256" in finding.what

    def test_a_look_at_the_certificate_sends_nothing(self, desk: Desk, acme: Authority) -> None:
        heard = Heard()
        desk.environ.pop("PAYTUI_CLIENT_SECRET", None)
        with aside(heard.listening(acme.server())) as url:
            desk.write(url, f"ca_file = '{acme.file}'\nsecret_file = 'none'\n")
            findings = desk.findings()
            eventually(lambda: heard.ended == 1)
        assert the(findings, "client secret").verdict.value == "error"
        assert (heard.connections, heard.bytes) == (1, b"")
        assert untried(findings) == list(SIGNING_IN_AND_LATER)
        assert worst(findings) == 2

    def test_one_by_another_authority_than_before_is_an_error(
        self, desk: Desk, acme: Authority, remember: Callable[[str], None]
    ) -> None:
        heard = Heard()
        with aside(heard.listening(acme.server())) as url:
            desk.write(url, f"ca_file = '{acme.file}'\n")
            remember(url)
            findings = desk.findings()
            eventually(lambda: heard.ended == 1)
        assert "was by Older Trust" in the(findings, "TLS").what
        assert heard.bytes == b""
        assert worst(findings) == 6

    @pytest.fixture
    def remember(self, desk: Desk) -> Callable[[str], None]:
        """Has the profile be known to have led somewhere, where another authority vouched."""
        from datetime import UTC, datetime

        from paytui.api.http.tls import Certificate

        def remember(url: str) -> None:
            profile = Profile(name="acme", base_url=url, client_id="desk", file=desk.config)
            known = known_host(profile, print)
            assert known is not None
            known.meet(Certificate("a" * 64, "Older Trust", datetime(2027, 1, 1, tzinfo=UTC), ()))

        return remember
