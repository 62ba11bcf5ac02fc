"""Checks of the service: address, certificate, login, clock and lists."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Generator, Iterator
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from paytui.api.errors import ApiError, HostRefused
from paytui.api.http.tls import Certificate, Rejection
from paytui.api.http.transport import Call, Http, Timeouts
from paytui.api.resources import READS
from paytui.cli.commands.status import feed_error
from paytui.cli.common import ExitCode, Finding, error, fine, not_tried, note, read_latency, warning
from paytui.cli.wiring.compose import run_in_loop, take_snapshot
from paytui.cli.wiring.desk import tried_once
from paytui.cli.wiring.known_hosts import HostMoved, known_host, tls_policy_of, verify_host
from paytui.cli.wiring.secrets import ELSEWHERE, IN_CLEAR, RefreshingSecret, secret_source
from paytui.config.settings import Profile, Settings
from paytui.config.validation import ConfigError
from paytui.platform.clock import ServiceTime, SystemClock
from paytui.platform.host import is_address
from paytui.platform.secret import SecretCommand, SecretError, SecretPrompt, SecretVariable
from paytui.store.health import Link, LinkState, WorkerMetrics
from paytui.store.store import Store

CLOCK_TOLERANCE = 5.0  # Seconds of clock difference that are reported


def check_secret(profile: Profile) -> Generator[Finding, None, RefreshingSecret | None]:
    """Read the client secret and report its source."""
    try:
        source = secret_source(profile)
        kept = RefreshingSecret(source)
    except SecretError as found:
        what = f"{found.origin}: {found.message}"
        yield error("client secret", what, found.remedy, ExitCode.USAGE)
        return None
    match source:
        case SecretVariable():
            what = f"from {source.origin}, readable by every program started there"
            yield note("client secret", what, "secret_command and secret_keyring keep it private.")
        case SecretCommand() if source.reveals(kept.latest):
            yield warning("client secret", f"from {source.origin}: {IN_CLEAR}", ELSEWHERE)
        case SecretPrompt():
            yield note("client secret", "typed at each start")
        case _:
            yield fine("client secret", f"from {source.origin}")
    return kept


def service(settings: Settings, secret: RefreshingSecret) -> Iterator[Finding]:
    """Sign in, read everything once and report each part."""
    seen, vitals = take_snapshot(settings, secret)
    yield sign_in(settings.profile, seen.store.link, vitals)
    yield from clock(seen.time)
    yield from reads(seen.store)
    yield fine(
        "cost",
        f"{vitals.requests:,} requests, {vitals.unanswered:,} without a response; "
        f"{vitals.sent / 1024:,.1f} KiB sent, {vitals.received / 1024:,.1f} KiB got; "
        f"{vitals.sign_ins:,} tokens; reads in {read_latency(vitals)} ms (p50/p95)",
    )


def sign_in(profile: Profile, link: Link, vitals: WorkerMetrics) -> Finding:
    services = f", with a token for {', '.join(link.services)}" if link.services else ""
    who = f"as {profile.client_id}{services}"
    if link.problem is None and not vitals.sign_ins:
        what = f"{who}; another process got the token: the client secret was not tried"
        return note("sign in", what)
    if link.problem is None:
        return fine("sign in", who)
    problem = tried_once(link.problem)
    what = problem.what + (f" ({problem.said})" if problem.said else "")
    refused = link.state is LinkState.REFUSED
    code = ExitCode.REFUSED if refused else ExitCode.UNREACHABLE
    return error("sign in", what, problem.remedy, code)


def clock(time: ServiceTime) -> Iterator[Finding]:
    if not time.known:
        yield from not_tried(["clock"], "a response with its time")
        return
    skew = time.skew().total_seconds()
    if abs(skew) < CLOCK_TOLERANCE:
        yield fine("clock", "matches the service's clock")
        return
    which_way = "ahead of" if skew > 0 else "behind"
    what = f"this machine's is {abs(skew):.0f} s {which_way} the service's; paytui allows for it"
    yield warning("clock", what, "Have it set by NTP: timedatectl set-ntp true")


def reads(store: Store) -> Iterator[Finding]:
    """Report the number of objects in each list."""
    if store.link.problem is not None:
        yield from not_tried(["reads"], "a successful sign-in")
        return
    there, missing = [], []
    for kind in READS:
        feed, count = store.feed(kind), len(store.table(kind))
        name = kind.value.replace("_", " ")
        if not feed.offered:
            tracked = f" ({count:,} of {feed.tracked:,} tracked shown)" if feed.tracked else ""
            missing.append(f"{name}{tracked}")
        elif problem := feed_error(store, kind):
            remedy = "paytui dialect check lists what it cannot read."
            yield error("reads", f"{name}: {problem}", remedy, ExitCode.IN_PART)
        else:
            there.append(f"{count:,} {name}")
    if missing:
        what = f"the service has no list of {', '.join(missing)}"
        yield note("reads", what, "paytui track adds objects to read one by one.")
    yield fine("reads", ", ".join(there) or "none")


PATIENCE = 5.0  # Seconds for a name server, or for a connection
EXPIRY_NOTICE = timedelta(days=14)  # Time before expiry at which a certificate is reported

Checks = Generator[Finding, None, bool]
"""Results; the return value is True if the next check can run."""


def check_address(profile: Profile) -> Checks:
    """Check that the profile's address is the one of its last use."""
    try:
        verify_host(profile)
    except HostMoved as moved:
        what, _, remedy = moved.format_message().partition(". ")
        yield error("service", what, remedy, ExitCode.MOVED)
        return False
    except ConfigError as found:
        yield error("service", f"{found.file} {found.message}", found.remedy, ExitCode.USAGE)
        return False
    yield fine("service", profile.base_url)
    return True


def check_name(profile: Profile) -> Checks:
    """Check that the name of the host, or of the proxy, resolves."""
    parts = urlsplit(profile.proxy or profile.base_url)
    host = parts.hostname or ""
    if is_address(host):
        yield fine("DNS", f"not needed: {host} is an address")
        return True

    async def addresses_of() -> list[str]:
        async with asyncio.timeout(PATIENCE):
            found = await asyncio.get_running_loop().getaddrinfo(host, None)
        return list(dict.fromkeys(str(address[0]) for *_, address in found))

    try:
        addresses = run_in_loop(addresses_of())
    except OSError as found:
        why = "no answer in time" if isinstance(found, TimeoutError) else found.strerror
        remedy = "Check the name, and the name servers of this machine (/etc/resolv.conf)."
        yield error("DNS", f"{host}: {why or 'not found'}", remedy, ExitCode.UNREACHABLE)
        return False
    yield fine("DNS", f"{host} is {', '.join(addresses)}")
    return True


def check_certificate(profile: Profile) -> Checks:
    """Check that the host answers with a certificate of a known authority."""
    if not profile.base_url.startswith("https:"):
        return (yield from _answers(profile))
    look = HostTrace()
    try:
        run_in_loop(_met(profile, look))
    except HostRefused:
        pass  # by `HostTrace`, once it has the certificate
    except ApiError as found:
        problem = found.problem
        what = problem.what + (f" ({problem.said})" if problem.said else "")
        yield error("TLS", what, problem.remedy, ExitCode.UNREACHABLE)
        return False
    assert look.seen is not None
    return (yield from _judged(profile, look.seen))


def _answers(profile: Profile) -> Checks:
    parts = urlsplit(profile.base_url)

    async def connect() -> None:
        async with asyncio.timeout(PATIENCE):
            _, writer = await asyncio.open_connection(parts.hostname or "", parts.port or 80)
        writer.close()
        await writer.wait_closed()

    try:
        run_in_loop(connect())
    except OSError as found:
        why = os.strerror(found.errno) if found.errno else "no answer in time"
        remedy = "Check that it runs there. For practice: `paytui sandbox --port`."
        yield error("TLS", f"no connection to {parts.netloc}: {why}", remedy, ExitCode.UNREACHABLE)
        return False
    yield fine("TLS", "not needed: the service is on this machine")
    return True


async def _met(profile: Profile, look: HostTrace) -> None:
    way = replace(tls_policy_of(profile, look), pins=frozenset())
    time = ServiceTime(SystemClock())
    timeouts = Timeouts(connect=PATIENCE)
    async with aclosing(Http(profile.base_url, time, None, timeouts, way)) as http:
        await http.exchange(Call("connect", "GET", "/"))


class HostTrace:
    """A host verifier that keeps the certificate and rejects it, so that nothing is sent."""

    news = ""

    def __init__(self) -> None:
        self.seen: Certificate | None = None

    def meet(self, certificate: Certificate) -> Rejection | None:
        """See `HostVerifier`."""
        self.seen = certificate
        return Rejection("it was only checked", "")


def _judged(profile: Profile, seen: Certificate) -> Checks:
    known = known_host(profile, lambda _: None)
    assert known is not None  # a checked profile comes from a file
    objection = tls_policy_of(profile, known).rejection(seen)
    if objection is not None:
        yield error("TLS", objection.what, objection.remedy, ExitCode.MOVED)
        return False
    if known.news:
        yield warning("TLS", known.news, "Ask the operator, if you did not expect it.")
    shown = f"by {seen.issuer}, until {seen.ends:%Y-%m-%d}, sha256 {seen.sha256}"
    if seen.ends - datetime.now(UTC) < EXPIRY_NOTICE:
        yield warning("TLS", f"the certificate expires soon: {shown}", "Tell the operator.")
    else:
        yield fine("TLS", f"1.2 or newer, certificate issued {shown}")
    return True
