"""Verification of a host before it is sent anything, from configuration to wire."""

from __future__ import annotations

import asyncio
import ssl
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from paytui.api.errors import ApiError, HostRefused, Unreadable
from paytui.api.http.tls import Certificate, authority_keys
from paytui.cli.wiring.compose import ProfileContext, build_client, new_context
from paytui.cli.wiring.known_hosts import known_host, verify_host
from paytui.config.settings import Polling, Profile, Settings
from tests.support.client import SECRET, known_secret
from tests.support.commands import Paytui
from tests.support.secured import Authority, Heard, aside, shaken
from tests.support.terminal import PAYTUI, Terminal

GONE, GONE_TOO = "https://localhost:1", "https://localhost:2"


class TestAProfileThatLeadsElsewhere:
    @pytest.fixture
    def config(self, paytui: Paytui, monkeypatch: pytest.MonkeyPatch) -> Path:
        """Its secret's source leaves a trace when it is asked."""
        file = paytui.home / "acme.toml"
        self.lead(file, GONE_TOO)
        monkeypatch.setenv("XDG_STATE_HOME", str(paytui.home / ".local/state"))
        verify_host(Profile(name="acme", base_url=GONE, client_id="desk", file=file))
        return file

    def lead(self, file: Path, base_url: str) -> None:
        code = "open('asked', 'w'); print('s3nt1nel')"
        file.write_text(
            f'[profiles.acme]\nbase_url = "{base_url}"\nclient_id = "desk"\n'
            f'secret_command = ["{sys.executable}", "-c", "{code}"]\n'
        )

    def trace(self, paytui: Paytui) -> Path:
        return paytui.home / "asked"

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "command", [("status",), ("watch",), ("export", "wallets"), ("dialect", "check")]
    )
    def test_commands_refuse_before_the_secret_is_even_read(
        self, paytui: Paytui, config: Path, command: tuple[str, ...]
    ) -> None:
        done = paytui(*command, "--config", config)
        assert (done.returncode, done.stdout) == (6, "")
        assert GONE in done.stderr
        assert GONE_TOO in done.stderr
        assert "--accept-new-host" in done.stderr
        assert not self.trace(paytui).exists()

    @pytest.mark.slow
    def test_once_it_is_accepted_it_is_as_any_other(self, paytui: Paytui, config: Path) -> None:
        accepted = paytui("status", "--accept-new-host", "--config", config)
        assert accepted.returncode == 4
        assert self.trace(paytui).exists()
        assert paytui("status", "--config", config).returncode == 4


class Host:
    """A host that proves itself by one certificate after the other, and who signs in there."""

    def __init__(self, folder: Path) -> None:
        self.heard = Heard()
        self._config = folder / "acme.toml"
        self._config.touch()
        self._believed = folder / "both.pem"
        self._port = 0

    def believe(self, *authorities: Authority) -> None:
        self._believed.write_bytes(b"".join(each.file.read_bytes() for each in authorities))

    def sign_in(self, proof: ssl.SSLContext, *, accept: bool = False) -> ApiError:
        """Return the error of a login attempt; there is no trader to confirm the host."""
        self.heard.bytes = b""
        with aside(self.heard.listening(proof, self._port)) as url:
            self._port = int(url.rpartition(":")[2])
            profile = Profile(
                name="acme",
                base_url=url,
                client_id="desk",
                ca_file=self._believed,
                file=self._config,
                accepts_new_host=accept,
            )
            verify_host(profile)
            with pytest.raises(ApiError) as caught:
                asyncio.run(signed_in(new_context(Settings(profile=profile), known_secret)))
        return caught.value


async def signed_in(context: ProfileContext) -> None:
    client = build_client(context, Polling(), patient=False)
    try:
        await client.sign_in()
    finally:
        await client.aclose()


class TestACertificate:
    @pytest.fixture
    def acme(self, tmp_path: Path) -> Authority:
        return Authority(tmp_path, "Acme Trust")

    @pytest.fixture
    def evil(self, tmp_path: Path) -> Authority:
        return Authority(tmp_path, "Evil Trust")

    @pytest.fixture
    def host(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, acme: Authority, evil: Authority
    ) -> Host:
        """A host with an earlier login; its certificates are trusted in both cases."""
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
        host = Host(tmp_path)
        host.believe(acme, evil)
        assert isinstance(host.sign_in(acme.server()), Unreadable)
        assert SECRET.encode() in host.heard.bytes
        return host

    def test_a_new_one_of_the_same_authority_is_told(
        self, host: Host, acme: Authority, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert capsys.readouterr().err == ""
        host.sign_in(acme.server())
        assert "is new, issued by Acme Trust" in capsys.readouterr().err

    def test_one_of_another_authority_gets_no_secret(self, host: Host, evil: Authority) -> None:
        error = host.sign_in(evil.server())
        assert isinstance(error, HostRefused)
        assert "issued by Evil Trust, and was by Acme Trust" in str(error)
        assert host.heard.bytes == b""

    def test_one_of_another_authority_of_the_same_name_gets_no_secret(
        self, host: Host, acme: Authority, tmp_path: Path
    ) -> None:
        namesake = Authority(tmp_path / "namesake", "Acme Trust")
        host.believe(acme, namesake)
        for _ in range(2):
            error = host.sign_in(namesake.server())
            assert isinstance(error, HostRefused)
            assert "another certificate authority named Acme Trust" in str(error)
            assert "--accept-new-host" in str(error)
            assert host.heard.bytes == b""
        assert not isinstance(host.sign_in(acme.server()), HostRefused)
        host.sign_in(namesake.server(), accept=True)
        assert SECRET.encode() in host.heard.bytes
        assert isinstance(host.sign_in(acme.server()), HostRefused)

    def test_one_of_another_key_under_the_same_root_is_the_same_authoritys(
        self, host: Host, acme: Authority, tmp_path: Path
    ) -> None:
        """As authorities vouch in turn by several keys, each of which their root vouches for."""
        for number in range(3):
            between = Authority(tmp_path / f"{number}", "Acme Trust", acme)
            assert not isinstance(host.sign_in(between.server()), HostRefused)
            assert SECRET.encode() in host.heard.bytes

    def test_unless_somebody_says_that_it_is_right(self, host: Host, evil: Authority) -> None:
        host.sign_in(evil.server(), accept=True)
        assert SECRET.encode() in host.heard.bytes
        assert not isinstance(host.sign_in(evil.server()), HostRefused)


class TestADashboard:
    """A dashboard, which asks before it begins."""

    @pytest.mark.parametrize(("answer", "code"), [("n", 6), ("y", 2)])
    def test_where_its_profile_leads_elsewhere_it_begins_only_once_that_is_said_to_be_right(
        self, paytui: Paytui, monkeypatch: pytest.MonkeyPatch, answer: str, code: int
    ) -> None:
        file = paytui.home / "acme.toml"
        profile = f'[profiles.acme]\nbase_url = "{GONE_TOO}"\nclient_id = "desk"\n'
        file.write_text(f'{profile}secret_file = "none"\n')  # where it would end next
        monkeypatch.setenv("XDG_STATE_HOME", str(paytui.home / ".local/state"))
        verify_host(Profile(name="acme", base_url=GONE, client_id="desk", file=file))
        argv = (*PAYTUI, "run", "--config", str(file))
        with Terminal(argv, size=(120, 24), env=paytui.environ) as terminal:
            asked = terminal.wait_for("Continue?")
            assert GONE in asked
            assert GONE_TOO in asked
            terminal.send(f"{answer}\r")
            assert terminal.wait_for_exit() == code

    @pytest.mark.slow
    def test_a_certificate_that_is_new_is_told_on_its_screen(
        self, paytui: Paytui, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        authority, heard = Authority(tmp_path, "Acme Trust"), Heard()
        file = paytui.home / "acme.toml"
        monkeypatch.setenv("XDG_STATE_HOME", str(paytui.home / ".local/state"))
        with aside(heard.listening(authority.server())) as url:
            file.write_text(
                f'[profiles.acme]\nbase_url = "{url}"\nclient_id = "desk"\n'
                f'ca_file = "{authority.file}"\nsecret_command = ["echo", "s3nt1nel"]\n'
            )
            known = known_host(
                Profile(name="acme", base_url=url, client_id="desk", file=file), print
            )
            assert known is not None
            keys = authority_keys(shaken(authority.server(), authority.file))
            known.meet(Certificate("a" * 64, "Acme Trust", datetime(2027, 1, 1, tzinfo=UTC), keys))
            argv = (*PAYTUI, "run", "--config", str(file))
            with Terminal(argv, size=(200, 40), env=paytui.environ) as terminal:
                terminal.wait_for("new certificate")
                terminal.wait_for(f"! the certificate of {url.removeprefix('https://')} is new")
                terminal.send("q")
                assert terminal.wait_for_exit() == 0
