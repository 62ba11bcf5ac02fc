"""One run shows the data of the previous run until the cache is cleared."""

from __future__ import annotations

import pytest

from tests.support.commands import Paytui, RunningSandbox, SandboxConfig
from tests.support.terminal import PAYTUI, Terminal


@pytest.mark.slow
def test_a_start_without_a_service_shows_what_the_last_one_knew_until_it_is_cleared(
    paytui: Paytui, sandbox: RunningSandbox, sandbox_config: SandboxConfig
) -> None:
    run = (*PAYTUI, "run", "--config", str(sandbox_config.path))
    with Terminal(run, env=paytui.environ) as terminal:
        terminal.wait_for(r"✓ all lists current")
        terminal.send("q")
        assert terminal.wait_for_exit() == 0
    sandbox.process.kill()
    with Terminal(run, env=paytui.environ) as terminal:
        terminal.wait_for(lambda screen: "AUD" in screen and "cached" in screen)
        terminal.send("q")
        assert terminal.wait_for_exit() == 0
    cleared = paytui("cache", "clear", "--config", sandbox_config.path)
    assert (cleared.returncode, cleared.stdout) == (0, "")
    assert cleared.stderr.startswith(f"Removed {paytui.home}/.cache/paytui/")
    with Terminal(run, env=paytui.environ) as terminal:
        assert "cached" not in terminal.wait_for("unreachable")
    again = paytui("cache", "clear", "--config", sandbox_config.path)
    assert again.returncode == 0


@pytest.mark.slow
def test_a_configuration_that_wants_no_cache_has_none(
    paytui: Paytui, sandbox_config: SandboxConfig
) -> None:
    sandbox_config.write("[cache]\nenabled = false\n")
    run = (*PAYTUI, "run", "--config", str(sandbox_config.path))
    with Terminal(run, env=paytui.environ) as terminal:
        terminal.wait_for(r"✓ all lists current")
        terminal.send("q")
        assert terminal.wait_for_exit() == 0
    assert not (paytui.home / ".cache").exists()
    assert "There is no" in paytui("cache", "clear", "--config", sandbox_config.path).stderr
