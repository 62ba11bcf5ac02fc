"""The system's keyring: its secrets, and the errors if it has none."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from threading import Event

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked, NoKeyringError

from paytui.cli.wiring.secrets import secret_source
from paytui.config.settings import Profile
from paytui.platform.secret import Secret, SecretCommand, SecretError, SecretKeyring
from tests.support.deadline import eventually

SENTINEL = "s3nt1nel-hunter2"


class InMemory(KeyringBackend):
    """A keyring that may be in trouble."""

    priority = 1.0

    def __init__(self) -> None:
        self.held: dict[tuple[str, str], str] = {}
        self.trouble: Exception | None = None
        self.unlocked = Event()
        self.unlocked.set()
        self.asked = 0

    def get_password(self, service: str, username: str) -> str | None:
        self.asked += 1
        self.unlocked.wait()
        if self.trouble is not None:
            raise self.trouble
        return self.held.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        if self.trouble is not None:
            raise self.trouble
        self.held[service, username] = password


@pytest.fixture
def ring() -> Iterator[InMemory]:
    before, ring = keyring.get_keyring(), InMemory()
    keyring.set_keyring(ring)
    yield ring
    ring.unlocked.set()
    keyring.set_keyring(before)


@pytest.fixture
def source() -> SecretKeyring:
    return SecretKeyring("paytui", "acme", "c.toml: profiles.acme.secret_keyring")


def test_what_is_kept_there_is_found_again(ring: InMemory, source: SecretKeyring) -> None:
    source.store(Secret(SENTINEL))
    assert ring.held == {("paytui", "acme"): SENTINEL}
    assert source.read().reveal() == SENTINEL
    assert source.origin == "secret_keyring (paytui/acme)"


def test_an_entry_that_is_not_there_is_told_with_how_to_put_it_there(
    ring: InMemory, source: SecretKeyring
) -> None:
    with pytest.raises(SecretError) as caught:
        source.read()
    said = str(caught.value)
    assert said.startswith("c.toml: profiles.acme.secret_keyring (paytui/acme): holds no secret.")
    assert "paytui config keyring" in said


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        (KeyringLocked(SENTINEL), "is locked. Unlock it"),
        (NoKeyringError(SENTINEL), "finds no keyring on this machine. Set secret_command"),
        (RuntimeError(SENTINEL), r"failed \(RuntimeError\)"),
    ],
)
def test_trouble_is_told_in_our_words(
    ring: InMemory, source: SecretKeyring, trouble: Exception, said: str
) -> None:
    ring.trouble = trouble
    with pytest.raises(SecretError, match=said) as caught:
        source.read()
    assert SENTINEL not in str(caught.value)
    with pytest.raises(SecretError, match=said):
        source.store(Secret(SENTINEL))


def test_one_that_does_not_answer_is_waited_for_so_long_and_asked_once(ring: InMemory) -> None:
    source = SecretKeyring("paytui", "acme", timeout=0.05)
    ring.held["paytui", "acme"] = SENTINEL
    ring.unlocked.clear()
    with pytest.raises(SecretError, match=r"did not answer within 0.05 s\. Unlock it"):
        source.read()
    with pytest.raises(SecretError, match="still does not answer"):
        source.read()
    assert ring.asked == 1
    ring.unlocked.set()
    eventually(lambda: _is_had(source))


def _is_had(source: SecretKeyring) -> bool:
    try:
        return source.read().reveal() == SENTINEL
    except SecretError:
        return False


def test_without_the_library_it_is_told_how_to_install_it(
    source: SecretKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(SecretError, match=r"pip install 'paytui\[keyring\]'"):
        source.read()


class TestOrder:
    PROFILE = Profile(
        name="acme",
        base_url="https://api.acme.example",
        client_id="desk",
        secret_keyring=("paytui", "acme"),
    )

    def test_it_goes_before_the_environment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PAYTUI_CLIENT_SECRET", "no")
        assert secret_source(self.PROFILE).origin == "secret_keyring (paytui/acme)"

    def test_a_command_goes_before_it(self) -> None:
        profile = replace(self.PROFILE, secret_command=("pass",))
        assert isinstance(secret_source(profile), SecretCommand)
