"""The connection settings of a profile: files, proxy, fingerprints, keyring."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from paytui.cli.wiring.known_hosts import check_tls_files
from paytui.config.settings import Profile
from paytui.config.validation import ConfigError
from tests.config.loader import MINIMAL, SENTINEL, Loader
from tests.support.secured import Authority

PIN = "A1" * 32


def test_without_a_word_nothing_is_out_of_the_ordinary(load: Loader) -> None:
    profile = load(MINIMAL).profile
    assert (profile.ca_file, profile.client_cert_file, profile.client_key_file) == (None,) * 3
    assert (profile.certificate_sha256, profile.proxy, profile.secret_keyring) == ((), None, None)


def test_paths_begin_at_the_configuration(load: Loader) -> None:
    text = (
        f'{MINIMAL}ca_file = "ca.pem"\nclient_cert_file = "d.pem"\nclient_key_file = "/k/d.key"\n'
    )
    profile = load(text).profile
    folder = load.path.parent
    assert profile.ca_file == folder / "ca.pem"
    assert profile.client_cert_file == folder / "d.pem"
    assert profile.client_key_file == Path("/k/d.key")


@pytest.mark.parametrize("written", [PIN, PIN.lower(), ":".join(["A1"] * 32)])
def test_a_fingerprint_may_be_written_as_openssl_does(load: Loader, written: str) -> None:
    profile = load(f'{MINIMAL}certificate_sha256 = ["{written}"]\n').profile
    assert profile.certificate_sha256 == (PIN.lower(),)


@pytest.mark.parametrize(
    ("written", "entry"),
    [
        ("paytui/acme", ("paytui", "acme")),
        ("desk/ann@acme.example/live", ("desk", "ann@acme.example/live")),
    ],
)
def test_an_entry_of_the_keyring_is_a_service_and_a_user(
    load: Loader, written: str, entry: tuple[str, str]
) -> None:
    assert load(f'{MINIMAL}secret_keyring = "{written}"\n').profile.secret_keyring == entry


@pytest.mark.parametrize("url", ["http://proxy.example:3128", "https://proxy.example/"])
def test_a_proxy_is_spoken_to_by_either_scheme(load: Loader, url: str) -> None:
    assert load(f'{MINIMAL}proxy = "{url}"\n').profile.proxy == url.rstrip("/")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (f'proxy = "http://ann:{SENTINEL}@proxy.example:3128"', "no user name or password"),
        ('proxy = "socks5://proxy.example:1080"', "must begin with http:// or https://"),
        ('proxy = "proxy.example:3128"', "is not a URL"),
        ('proxy = "http://proxy.example:3128/path"', "must end with its host and port"),
        ('certificate_sha256 = ["a1b2"]', "64 hexadecimal digits"),
        ('secret_keyring = "paytui"', "a service and a user"),
        ('secret_keyring = "/acme"', "a service and a user"),
        ('client_key_file = "desk.key"', "has no certificate"),
    ],
)
def test_what_cannot_be_is_told_without_the_value(load: Loader, line: str, message: str) -> None:
    error = load.refusal(f"{MINIMAL}{line}\n")
    assert message in error.message
    assert error.remedy


def test_a_proxy_is_never_for_this_machine_itself(load: Loader) -> None:
    text = MINIMAL.replace("https://api.acme.example", "http://127.0.0.1:8080")
    error = load.refusal(f'{text}proxy = "http://proxy.example:3128"\n')
    assert "is for https" in error.message


class TestFiles:
    @pytest.fixture
    def authority(self, tmp_path: Path) -> Authority:
        return Authority(tmp_path, "Acme Trust")

    def profile(self, tmp_path: Path, **files: Path) -> Profile:
        file = tmp_path / "config.toml"
        plain = Profile(
            name="acme", base_url="https://api.acme.example", client_id="desk", file=file
        )
        changes: dict[str, Any] = dict(files)
        return replace(plain, **changes)

    def refusal(self, profile: Profile) -> str:
        with pytest.raises(ConfigError) as caught:
            check_tls_files(profile)
        assert str(caught.value).startswith(f"{profile.file}: profiles.acme.")
        return str(caught.value)

    def test_those_that_go_together_can_be_used(self, tmp_path: Path, authority: Authority) -> None:
        cert, key = authority.client("ann")
        files = {"ca_file": authority.file, "client_cert_file": cert, "client_key_file": key}
        check_tls_files(self.profile(tmp_path, **files))

    def test_one_that_is_not_there_is_named(self, tmp_path: Path) -> None:
        said = self.refusal(self.profile(tmp_path, ca_file=tmp_path / "none.pem"))
        assert f"ca_file ({tmp_path / 'none.pem'}): cannot be read: No such file" in said

    def test_one_without_a_certificate_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "ca.pem").write_text("nothing\n")
        assert "holds no certificate" in self.refusal(
            self.profile(tmp_path, ca_file=tmp_path / "ca.pem")
        )

    def test_a_key_that_others_can_read_is_refused(
        self, tmp_path: Path, authority: Authority
    ) -> None:
        cert, key = authority.client("ann")
        key.chmod(0o644)
        said = self.refusal(self.profile(tmp_path, client_cert_file=cert, client_key_file=key))
        assert f"client_key_file ({key})" in said
        assert f"chmod 600 {key}" in said

    def test_the_key_of_another_certificate_is_told(
        self, tmp_path: Path, authority: Authority
    ) -> None:
        cert, _ = authority.client("ann")
        _, key = authority.client("ben")
        said = self.refusal(self.profile(tmp_path, client_cert_file=cert, client_key_file=key))
        assert "do not match" in said
