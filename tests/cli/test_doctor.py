"""`paytui doctor`: what reading a service takes."""

from __future__ import annotations

import json
import signal

from tests.support.commands import Paytui, RunningSandbox, SandboxConfig

PATIENCE = 60


def test_one_line_tells_how_it_went_and_where_it_asked(
    paytui: Paytui, sandbox: RunningSandbox, sandbox_config: SandboxConfig
) -> None:
    done = paytui("doctor", "--config", sandbox_config.path)
    assert done.returncode == 0, done.stderr
    head, line = done.stdout.splitlines()
    assert head.split()[:3] == ["time", "service", "requests"]
    assert len(head) == len(line)
    _, link, requests, *_ = line.split()
    assert link == "up"
    assert int(requests) > 5
    assert sandbox.base_url.removeprefix("http://") in done.stderr


def test_it_goes_on_each_second_until_interrupted(
    paytui: Paytui, sandbox_config: SandboxConfig
) -> None:
    process = paytui.start("doctor", "--watch", "--json", "--config", sandbox_config.path)
    try:
        assert process.stdout is not None
        first, second = (json.loads(process.stdout.readline()) for _ in range(2))
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 130, said
    assert second["requests"] >= first["requests"] > 0
    assert second["running"] > first["running"]
    assert first["sign_ins"] == 1
    assert first["link"] == "up"
    assert {latency["work"] for latency in second["latencies"]} == {"read", "sign in"}


def test_a_service_that_is_gone_is_seen_as_such(
    paytui: Paytui, sandbox_config: SandboxConfig
) -> None:
    sandbox_config.base_url = "http://127.0.0.1:1"
    sandbox_config.write()
    done = paytui("doctor", "--json", "--config", sandbox_config.path)
    told = json.loads(done.stdout)
    assert told["requests"] == told["unanswered"] > 0
    assert told["back_offs"] > 0
    assert told["link"] != "up"


def test_who_reads_no_more_ends_it(paytui: Paytui, sandbox_config: SandboxConfig) -> None:
    with paytui.start("doctor", "--watch", "--config", sandbox_config.path) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(PATIENCE) == 0
