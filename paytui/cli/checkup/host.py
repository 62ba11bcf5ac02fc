"""The service's host: whether it is found, answers, and is who it was."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Generator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TypeVar
from urllib.parse import urlsplit

from paytui.api.errors import ApiError, HostRefused
from paytui.api.http.tls import Certificate, Objection
from paytui.api.http.transport import Call, Http, Timeouts
from paytui.cli.checkup.finding import Finding, error, fine, warning
from paytui.cli.exit_codes import ExitCode
from paytui.cli.known_host import known_host
from paytui.cli.meet_host import HostMoved, meet_host
from paytui.cli.way import way_of
from paytui.config.errors import ConfigError
from paytui.config.settings import Profile
from paytui.platform.clock import ServiceTime, SystemClock
from paytui.platform.host import is_address
from paytui.worker.tasks import LookupLoop

T = TypeVar("T")

PATIENCE = 5.0
"""Seconds for a name server, or for a connection."""

SOON = timedelta(days=14)
"""Before its end, a certificate should have been renewed."""

Checks = Generator[Finding, None, bool]
"""What is found; returns whether it goes on from there."""


def leads_where_it_led(profile: Profile) -> Checks:
    """Whether the profile leads where it led when it was last used."""
    try:
        meet_host(profile)
    except HostMoved as moved:
        what, _, remedy = moved.format_message().partition(". ")
        yield error("service", what, remedy, ExitCode.MOVED)
        return False
    except ConfigError as found:
        yield error("service", f"{found.file} {found.message}", found.remedy, ExitCode.USAGE)
        return False
    yield fine("service", profile.base_url)
    return True


def is_found(profile: Profile) -> Checks:
    """Whether the name of the service's host, or of the proxy, has an address."""
    parts = urlsplit(profile.proxy or profile.base_url)
    host = parts.hostname or ""
    if is_address(host):
        yield fine("DNS", f"not needed: {host} is an address")
        return True
    try:
        addresses = _run(lambda: _addresses(host))
    except OSError as found:
        why = "no answer in time" if isinstance(found, TimeoutError) else found.strerror
        remedy = "Check the name, and the name servers of this machine (/etc/resolv.conf)."
        yield error("DNS", f"{host}: {why or 'not found'}", remedy, ExitCode.UNREACHABLE)
        return False
    yield fine("DNS", f"{host} is {', '.join(addresses)}")
    return True


async def _addresses(host: str) -> list[str]:
    async with asyncio.timeout(PATIENCE):
        found = await asyncio.get_running_loop().getaddrinfo(host, None)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def is_who_it_was(profile: Profile) -> Checks:
    """Whether the host answers, and proves to be who it was."""
    if not profile.base_url.startswith("https:"):
        return (yield from _answers(profile))
    look = Look()
    try:
        _run(lambda: _met(profile, look))
    except HostRefused:
        pass  # by us: we have seen enough
    except ApiError as found:
        problem = found.problem
        what = problem.what + (f" ({problem.said})" if problem.said else "")
        yield error("TLS", what, problem.remedy, ExitCode.UNREACHABLE)
        return False
    assert look.seen is not None
    return (yield from _judged(profile, look.seen))


def _answers(profile: Profile) -> Checks:
    parts = urlsplit(profile.base_url)
    try:
        _run(lambda: _connect(parts.hostname or "", parts.port or 80))
    except OSError as found:
        why = os.strerror(found.errno) if found.errno else "no answer in time"
        remedy = "See whether it runs there: for practice, `paytui sandbox --port`."
        yield error("TLS", f"no connection to {parts.netloc}: {why}", remedy, ExitCode.UNREACHABLE)
        return False
    yield fine("TLS", "not needed: the service is on this machine")
    return True


async def _connect(host: str, port: int) -> None:
    async with asyncio.timeout(PATIENCE):
        _, writer = await asyncio.open_connection(host, port)
    writer.close()
    await writer.wait_closed()


async def _met(profile: Profile, look: Look) -> None:
    way = replace(way_of(profile, look), pins=frozenset())
    time = ServiceTime(SystemClock())
    http = Http(profile.base_url, time, None, Timeouts(connect=PATIENCE), way)
    try:
        await http.exchange(Call("connect", "GET", "/"))
    finally:
        await http.aclose()


class Look:
    """Takes a look at the certificate, and lets nothing be sent."""

    news = ""

    def __init__(self) -> None:
        self.seen: Certificate | None = None

    def meet(self, certificate: Certificate) -> Objection | None:
        """See `Doorkeeper`."""
        self.seen = certificate
        return Objection("it was only looked at", "")


def _judged(profile: Profile, seen: Certificate) -> Checks:
    known = known_host(profile, lambda _: None)
    assert known is not None  # a profile to be checked stands in a file
    objection = way_of(profile, known).objection(seen)
    if objection is not None:
        yield error("TLS", objection.what, objection.remedy, ExitCode.MOVED)
        return False
    if known.news:
        yield warning("TLS", known.news, "Ask the operator, if you did not expect it.")
    shown = f"by {seen.issuer}, until {seen.ends:%Y-%m-%d}, sha256 {seen.sha256}"
    if seen.ends - datetime.now(UTC) < SOON:
        yield warning("TLS", f"the certificate ends soon: {shown}", "Tell the operator.")
    else:
        yield fine("TLS", f"1.2 or newer, the certificate is vouched for {shown}")
    return True


def _run(ask: Callable[[], Awaitable[T]]) -> T:
    async def run() -> T:
        return await ask()

    with asyncio.Runner(loop_factory=LookupLoop) as runner:
        return runner.run(run())
