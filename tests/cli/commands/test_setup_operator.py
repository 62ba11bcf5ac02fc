"""A first configuration under an operator's policy on allowed services."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from paytui.cli.commands.config import init
from paytui.config.validation import ConfigError
from tests.support.commands import Paytui
from tests.support.operator import OperatorsFile
from tests.support.terminal import Terminal

NOT_ALLOWED = "not allowed on this machine"

BOUND = """
import sys
from pathlib import Path
from paytui.config import operator_policy as policy
policy.FILE, policy.OWNER = Path(sys.argv.pop(1)), int(sys.argv.pop(1))
from paytui.cli.main import main
main()
"""
"""`paytui` on a machine whose operator's file is the one that is named, of that user."""


@pytest.fixture(autouse=True)
def operators_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OperatorsFile:
    file = OperatorsFile(tmp_path / "operator", monkeypatch)
    file.says('base_urls = ["https://api.bank.example"]\n')
    return file


@pytest.mark.slow
def test_the_first_start_sends_nothing_to_a_service_that_is_not_allowed(
    paytui: Paytui, operators_file: OperatorsFile
) -> None:
    argv = (sys.executable, "-c", BOUND, str(operators_file.path), str(os.getuid()))
    with socket.create_server(("127.0.0.1", 0)) as elsewhere:
        exchanges = (
            ("What would you like to do", "s"),
            ("URL of the service", f"http://127.0.0.1:{elsewhere.getsockname()[1]}"),
            ("Client id", "desk"),
            ("real money", "n"),
            ("Name of the profile", "desk"),
            ("secret come from", "3"),
            ("not shown", "hunter2"),
            ("What now", "q"),
        )
        with Terminal(argv, size=(200, 60), env=paytui.environ) as terminal:
            for question, text in exchanges:
                terminal.wait_for(question)
                terminal.send(f"{text}\r")
            assert terminal.wait_for_exit() == 0
            assert NOT_ALLOWED in terminal.text
        elsewhere.setblocking(False)
        with pytest.raises(BlockingIOError):  # nobody has come
            elsewhere.accept()


def test_none_is_written_for_a_service_that_is_not_allowed(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    options = (
        "--profile",
        "desk",
        "--client-id",
        "desk",
        "--live",
        "--secret-command",
        "pass desk",
    )
    where = ("--config", str(path), "--base-url", "https://api.acme.example")
    done = CliRunner().invoke(init, (*where, *options))
    assert isinstance(done.exception, ConfigError)
    assert NOT_ALLOWED in str(done.exception)
    assert not path.exists()
