"""The webhook listener of a configuration, and its cost where there is none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from paytui.api.dialect import load_dialect
from paytui.cli.wiring.compose import webhook_listener, webhook_source
from paytui.config.settings import WebhookSettings
from tests.support.commands import ROOT

PATH = "/hooks/0123456789abcdef"


def test_nothing_listens_unless_it_is_asked_to() -> None:
    dialect = load_dialect()
    assert webhook_listener(WebhookSettings(path=PATH), dialect) is None
    assert webhook_listener(WebhookSettings(enabled=True, path=PATH), dialect) is not None


def test_what_is_not_asked_for_is_not_loaded() -> None:
    code = (
        "import sys\n"
        "from paytui.api.dialect import load_dialect\n"
        "from paytui.cli.wiring.compose import webhook_listener\n"
        "from paytui.config.settings import WebhookSettings\n"
        "webhook_listener(WebhookSettings(), load_dialect())\n"
        "import paytui.worker.worker\n"
        "print(*sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "paytui.worker.sync.poller" in loaded
    assert not loaded & {
        "standardwebhooks",
        "uvicorn",
        "starlette",
        "paytui.worker.webhook_listener",
    }


def test_the_secret_comes_from_the_first_place_that_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAYTUI_WEBHOOK_SECRET", "whsec_ZW52aXJvbm1lbnQ=")
    file = tmp_path / "hooks.secret"
    file.write_text("whsec_ZmlsZQ==\n")
    file.chmod(0o600)
    command = (sys.executable, "-c", "print('whsec_Y29tbWFuZA==')")
    revealed = [
        source.read().reveal()
        for settings in (
            WebhookSettings(secret_command=command, secret_file=file),
            WebhookSettings(secret_file=file),
            WebhookSettings(),
        )
        if (source := webhook_source(settings))
    ]
    assert revealed == ["whsec_Y29tbWFuZA==", "whsec_ZmlsZQ==", "whsec_ZW52aXJvbm1lbnQ="]


def test_without_any_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PAYTUI_WEBHOOK_SECRET", raising=False)
    assert webhook_source(WebhookSettings()) is None
