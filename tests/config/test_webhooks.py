"""`[webhooks]`: the address on which the service's events are received."""

from __future__ import annotations

import pytest

from paytui.config.settings import WebhookSettings
from tests.config.loader import MINIMAL, SENTINEL, Loader

PATH = "/hooks/0123456789abcdef"


def test_nothing_is_listened_for_unless_it_is_asked_for(load: Loader) -> None:
    assert load(MINIMAL).webhooks == WebhookSettings()
    assert not load(MINIMAL).webhooks.enabled
    assert load(MINIMAL).webhooks.host == "127.0.0.1"


def test_all_of_it_can_be_said(load: Loader) -> None:
    settings = load(
        f"{MINIMAL}[webhooks]\nenabled = true\nhost = '::1'\nport = 9000\npath = '{PATH}'\n"
        "secret_command = ['pass', 'show', 'x']\nsecret_file = 'hooks.secret'\n"
    )
    assert settings.webhooks == WebhookSettings(
        enabled=True,
        host="::1",
        port=9000,
        path=PATH,
        secret_command=("pass", "show", "x"),
        secret_file=load.path.parent / "hooks.secret",
    )
    assert settings.origins["webhooks.port"] == "config.toml:7"


@pytest.mark.parametrize(
    ("lines", "key", "told"),
    [
        ("enabled = true", "webhooks.path", "is missing, and enabled is true"),
        ("path = '/hooks/short'", "webhooks.path", "random letters"),
        ("path = '/hooks/../0123456789abcdef'", "webhooks.path", "random letters"),
        ("host = 'localhost'", "webhooks.host", "must be an IP address of this machine"),
        ("host = '0.0.0.0'", "webhooks.host", "no secret is set to verify them"),
    ],
)
def test_what_cannot_be_meant_is_refused(load: Loader, lines: str, key: str, told: str) -> None:
    refusal = load.refusal(f"{MINIMAL}[webhooks]\n{lines}\n")
    assert key in str(refusal)
    assert told in str(refusal)


def test_others_on_the_network_may_send_what_a_secret_tells_apart(load: Loader) -> None:
    text = f"{MINIMAL}[webhooks]\nhost = '0.0.0.0'\nsecret_file = 'hooks.secret'\n"
    assert load(text).webhooks.host == "0.0.0.0"  # noqa: S104 - a setting, not a socket


def test_the_secret_itself_does_not_belong_in_the_file(load: Loader) -> None:
    refusal = load.refusal(f"{MINIMAL}[webhooks]\nsecret = '{SENTINEL}'\n")
    assert "webhooks.secret" in str(refusal)
    assert "PAYTUI_WEBHOOK_SECRET" in str(refusal)
