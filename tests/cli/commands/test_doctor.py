"""`paytui doctor`: the state of a profile, and, with `--watch`, the cost of reading it."""

from __future__ import annotations

import json
import signal

import pytest

from tests.support.commands import SECRET, Paytui, RunningSandbox, SandboxConfig

PATIENCE = 60


@pytest.mark.slow
def test_where_all_is_well_it_says_so_of_each_thing_in_turn(
    paytui: Paytui, sandbox: RunningSandbox, sandbox_config: SandboxConfig
) -> None:
    done = paytui("doctor", "--json", "--config", sandbox_config.path, LANG="C.UTF-8")
    assert done.returncode == 0, done.stdout + done.stderr
    assert SECRET not in done.stdout + done.stderr
    told = {each["name"]: each for each in json.loads(done.stdout)["findings"]}
    assert list(told) == [
        *(
            "configuration",
            "outbox",
            "history",
            "cache",
            "token",
            "service",
            "DNS",
            "TLS",
            "client secret",
        ),
        *("sign in", "clock", "reads", "cost", "terminal", "locale", "clipboard"),
    ]
    assert {each["verdict"] for each in told.values()} == {"ok", "note"}
    assert told["service"]["what"] == sandbox.base_url
    assert told["sign in"]["what"] == (
        "as demo, with a token for accounts, wallets, rates, trades, recipients, payments"
    )
    assert "40 payments" in told["reads"]["what"]
    assert done.stderr.endswith("All good.\n")

    # A new token would end the one that others use.
    again = paytui("doctor", "--config", sandbox_config.path, LANG="C.UTF-8")
    assert again.returncode == 0
    said = " ".join(again.stdout.split())
    assert "another process got the token: the client secret was not tried" in said


@pytest.mark.slow
def test_a_service_that_lets_nobody_in_is_told_in_words_and_by_the_exit_code(
    paytui: Paytui, sandbox_config: SandboxConfig
) -> None:
    sandbox_config.write_secret("another")
    done = paytui("doctor", "--config", sandbox_config.path)
    assert done.returncode == 3
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("error"))
    assert line.split()[1:5] == ["sign", "in", "HTTP", "401"]
    assert "another" not in done.stdout + done.stderr.replace("another program", "")


@pytest.mark.slow
def test_it_goes_on_each_second_until_interrupted(
    paytui: Paytui, sandbox_config: SandboxConfig
) -> None:
    process = paytui.start("doctor", "--watch", "--json", "--config", sandbox_config.path)
    try:
        assert process.stdout is not None
        lines = map(json.loads, process.stdout)
        first = next(line for line in lines if line["link"] == "up")
        second = next(line for line in lines if len(line["latencies"]) > 1)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 130, said
    assert second["requests"] >= first["requests"] > 0
    assert second["running"] > first["running"]
    assert first["sign_ins"] == 1
    assert {latency["work"] for latency in second["latencies"]} == {"read", "sign in"}


@pytest.mark.slow
def test_who_reads_no_more_ends_it(paytui: Paytui, sandbox_config: SandboxConfig) -> None:
    with paytui.start("doctor", "--watch", "--config", sandbox_config.path) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(PATIENCE) == 0
