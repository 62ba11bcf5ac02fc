"""Nothing that was given up is executed when a broken link heals.

Network namespaces stand for both hosts. This file is also the program of each end.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

import pytest

from paytui.api.errors import TimedOut
from paytui.api.http.tls import TlsPolicy
from paytui.api.http.transport import Call, Http, RequestKind, Timeouts
from paytui.platform.clock import ServiceTime, SystemClock

ROOT = Path(__file__).resolve().parents[3]
SERVICE, PORT = "10.77.9.2", 8443
BODY = b'{"amount":"1200.00"}'
GIVES_UP = 2.0
LATEST = 112.0
"""Seconds after the write: of its retransmissions, which begin after 0.2 s and each take twice as
long to come as the one before, the tenth is sent then."""


# The two ends


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def service(certificate: str) -> None:
    """Print when a whole request has arrived."""

    async def serve(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.readuntil(BODY)
        say("executed")

    async def listen() -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        async with await asyncio.start_server(serve, SERVICE, PORT, ssl=context) as listening:
            say("listening")
            await listening.serve_forever()

    asyncio.run(listen())


def desk(authority: str, ending: str) -> None:
    """Send a payout once the parent says so, and give it up, or be killed."""

    asked: list[bool] = []

    def connected() -> None:
        asked.append(True)
        if len(asked) > 1:
            return  # the rest of the request
        if ending == "killed":
            asyncio.get_running_loop().call_later(0.5, os.kill, os.getpid(), signal.SIGKILL)
        say("connected")
        sys.stdin.readline()

    async def send() -> None:
        way, timeouts = TlsPolicy(ca_file=Path(authority)), Timeouts(read=GIVES_UP)
        url = f"https://{SERVICE}:{PORT}"
        http = Http(url, ServiceTime(SystemClock()), None, timeouts, way)
        call = Call(
            "create payout", "POST", "/v2", body=BODY, connected=connected, work=RequestKind.SEND
        )
        try:
            await http.exchange(call)
        except TimedOut:
            say("given up")

    asyncio.run(send())


# The link between them


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@contextmanager
def two_hosts(number: int) -> Iterator[tuple[str, str]]:
    """Make two namespaces with a link between them."""
    near, far = (f"pt{os.getpid()}-{number}-{side}" for side in ("near", "far"))
    with ExitStack() as undo:
        for space in (near, far):
            ip("netns", "add", space)
            undo.callback(ip, "netns", "del", space)
        ip("link", "add", "v0", "netns", near, "type", "veth", "peer", "name", "v0", "netns", far)
        for space, address in ((near, "10.77.9.1/24"), (far, f"{SERVICE}/24")):
            ip("-n", space, "addr", "add", address, "dev", "v0")
            ip("-n", space, "link", "set", "v0", "up")
        yield near, far


@contextmanager
def running(space: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Run an end of this file in a namespace."""
    command = ["ip", "netns", "exec", space, sys.executable, __file__, *words]
    pipe = subprocess.PIPE
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment) as end:
        try:
            yield end
        finally:
            end.kill()


def said(stream: IO[str] | None) -> str:
    assert stream is not None
    return stream.readline().strip()


def is_executed(number: int, ending: str, heals: float, folder: Path) -> bool:
    """Return True if such a payout is executed, on a link that heals after so many seconds."""
    with ExitStack() as both:
        near, far = both.enter_context(two_hosts(number))
        serving = both.enter_context(running(far, "service", str(folder / "service.pem")))
        assert said(serving.stdout) == "listening"
        authority = str(folder / "authority.pem")
        sending = both.enter_context(running(near, "desk", authority, ending))
        assert said(sending.stdout) == "connected"
        ip("-n", far, "link", "set", "v0", "down")
        began = time.monotonic()
        assert sending.stdin is not None
        sending.stdin.write("go\n")
        sending.stdin.flush()
        assert said(sending.stdout) == ("" if ending == "killed" else "given up")
        time.sleep(heals)
        ip("-n", far, "link", "set", "v0", "up")
        time.sleep(max(5.0, min(LATEST, 4 * heals) - (time.monotonic() - began)))
        serving.terminate()
        assert serving.stdout is not None
        return "executed" in serving.stdout.read()


def why_not() -> str:
    """Return the reason why the test cannot run here; empty if it can."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or not shutil.which("ip"):
        return "needs root and iproute2"
    try:
        with two_hosts(0):
            return ""
    except subprocess.CalledProcessError as error:
        return f"no network namespaces here: {error.stderr.decode().strip()}"


@pytest.mark.slow
def test_nothing_is_executed_after_it_was_given_up(tmp_path: Path) -> None:
    if reason := why_not():
        pytest.skip(reason)
    import trustme

    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    certificate = authority.issue_cert(SERVICE)
    certificate.private_key_and_cert_chain_pem.write_to_path(tmp_path / "service.pem")
    cases = [("given up", 5.0), ("given up", 30.0), ("given up", 90.0), ("killed", 30.0)]
    with ThreadPoolExecutor(len(cases)) as at_once:
        runs = {
            case: at_once.submit(is_executed, number, *case, tmp_path)
            for number, case in enumerate(cases)
        }
        assert [case for case, run in runs.items() if run.result()] == []


if __name__ == "__main__":
    {"service": service, "desk": desk}[sys.argv[1]](*sys.argv[2:])  # type: ignore[operator]
