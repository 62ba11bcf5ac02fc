"""The service in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import httpx

from tests.bench.service.connection import TALLY
from tests.support.commands import ROOT, SECRET, RunningSandbox

LONGEST_END = 60.0


@dataclass(frozen=True, slots=True)
class Counted:
    """Requests so far by path, and bytes of requests and responses."""

    requests: Mapping[str, int]
    bytes: int


@contextmanager
def big_service(payments: int, *options: str) -> Iterator[RunningSandbox]:
    """A service that answers, until the end of the block."""
    process = subprocess.Popen(
        (sys.executable, "-m", "tests.bench.service", "--payments", str(payments), *options),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        yield RunningSandbox(process, told["base_url"], "demo", process.pid, secret=SECRET)
    finally:
        process.terminate()
        process.communicate(timeout=LONGEST_END)


def counted(base_url: str) -> Counted:
    """Return the requests to the service at this address so far."""
    answer = httpx.get(f"{base_url}{TALLY}", trust_env=False, timeout=60).json()
    return Counted(answer["requests"], answer["bytes"])
