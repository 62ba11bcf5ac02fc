"""A service behind TLS that asks for a client certificate, through a proxy."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.commands import Paytui, RunningSandbox
from tests.support.secured import Authority, Front, Relay, aside
from tests.support.tcp import server


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path, "Acme Trust")


@pytest.fixture
def service(sandbox: RunningSandbox, authority: Authority) -> Iterator[str]:
    """The base URL of a sandbox that is behind TLS, and lets nobody in without a certificate."""
    port = urlsplit(sandbox.base_url).port
    assert port is not None
    with aside(server(Front(port), authority.asking_for_clients())) as url:
        yield url.replace("http://127.0.0.1", "https://localhost")


@pytest.fixture
def relay() -> Relay:
    return Relay()


@pytest.fixture
def config(
    paytui: Paytui, sandbox: RunningSandbox, service: str, authority: Authority, relay: Relay
) -> Iterator[Path]:
    cert, key = authority.client("ann")
    secret = paytui.home / "acme.secret"
    secret.touch(mode=0o600)
    secret.write_text(f"{sandbox.secret}\n")
    file = paytui.home / "acme.toml"
    with aside(server(relay)) as proxy:
        file.write_text(
            f'[profiles.acme]\nbase_url = "{service}"\nclient_id = "demo"\n'
            f'secret_file = "{secret}"\nca_file = "{authority.file}"\nproxy = "{proxy}"\n'
            f'client_cert_file = "{cert}"\nclient_key_file = "{key}"\n'
        )
        yield file


@pytest.mark.slow
def test_it_is_read_whole(paytui: Paytui, config: Path, relay: Relay) -> None:
    done = paytui("status", "--json", "--config", config)
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["payments"]) == 40
    assert relay.asked.startswith(b"CONNECT localhost:")


@pytest.mark.slow
def test_the_doctor_finds_all_of_it_in_order(paytui: Paytui, config: Path) -> None:
    done = paytui("doctor", "--json", "--config", config, LANG="C.UTF-8")
    found = {each["name"]: each for each in json.loads(done.stdout)["findings"]}
    assert done.returncode == 0, done.stdout
    assert "through the proxy http://127.0.0.1:" in found["the connection"]["what"]
    assert "issued by Acme Trust" in found["TLS"]["what"]
    assert found["sign in"]["what"].startswith("as demo, with a token for accounts, ")


@pytest.mark.slow
def test_without_our_certificate_nobody_is_let_in(paytui: Paytui, config: Path) -> None:
    text = config.read_text()
    config.write_text(text[: text.index("client_cert_file")])
    done = paytui("doctor", "--config", config)
    assert done.returncode == 4, done.stdout
