"""The service itself: whether it lets us in, what its clock says, and which reads it has."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from paytui.api.resources import READS
from paytui.cli.checkup.finding import Finding, error, fine, note, untried, warning
from paytui.cli.compose import Look, look_over
from paytui.cli.exit_codes import ExitCode
from paytui.cli.kept_secret import KeptSecret
from paytui.cli.secret_source import ELSEWHERE, IN_CLEAR, secret_source
from paytui.cli.snapshot import feed_error, rows_of
from paytui.config.settings import Profile, Settings
from paytui.domain.money import MISSING
from paytui.platform.clock import ServiceTime
from paytui.platform.secret import SecretCommand, SecretError, SecretPrompt, SecretVariable
from paytui.store.health import LinkState, Vitals
from paytui.store.store import Store

WORTH_A_WORD = 5.0
"""Seconds by which a clock is wrong."""


def secret_of(profile: Profile) -> Generator[Finding, None, KeptSecret | None]:
    """Read the client secret, and report whether that works."""
    try:
        source = secret_source(profile)
        kept = KeptSecret(source)
    except SecretError as found:
        what = f"{found.origin}: {found.message}"
        yield error("client secret", what, found.remedy, ExitCode.USAGE)
        return None
    match source:
        case SecretVariable():
            what = f"from {source.origin}, which every program that you start there can read"
            yield note("client secret", what, "secret_command and secret_keyring keep it to us.")
        case SecretCommand() if source.gives_away(kept.latest):
            yield warning("client secret", f"from {source.origin}: {IN_CLEAR}", ELSEWHERE)
        case SecretPrompt():
            yield note("client secret", "typed at each start")
        case _:
            yield fine("client secret", f"from {source.origin}")
    return kept


def service(settings: Settings, secret: KeptSecret) -> Iterator[Finding]:
    """Sign in, and read everything once."""
    seen = look_over(settings, secret)
    yield sign_in(settings.profile, seen)
    yield from clock(seen.time)
    yield from reads(seen.store)
    yield _cost(seen)


def sign_in(profile: Profile, seen: Look) -> Finding:
    """Report whether signing in worked, and the services of the token."""
    link = seen.store.link
    services = f", with a token for {', '.join(link.services)}" if link.services else ""
    who = f"as {profile.client_id}{services}"
    if link.problem is None and not seen.vitals.sign_ins:
        what = f"{who}; another process got the token: the client secret was not tried"
        return note("sign in", what)
    if link.problem is None:
        return fine("sign in", who)
    what = link.problem.what + (f" ({link.problem.said})" if link.problem.said else "")
    refused = link.state is LinkState.REFUSED
    code = ExitCode.REFUSED if refused else ExitCode.UNREACHABLE
    return error("sign in", what, link.problem.remedy, code)


def clock(time: ServiceTime) -> Iterator[Finding]:
    """Compare this machine's clock with the service's."""
    if not time.known:
        yield from untried(["clock"], "an answer that tells its time")
        return
    skew = time.skew().total_seconds()
    if abs(skew) < WORTH_A_WORD:
        yield fine("clock", "as the service's, within what a request takes")
        return
    which_way = "ahead of" if skew > 0 else "behind"
    what = f"this machine's is {abs(skew):.0f} s {which_way} the service's, and is allowed for"
    yield warning("clock", what, "Have it set by NTP: timedatectl set-ntp true")


def reads(store: Store) -> Iterator[Finding]:
    """Report the number of objects in each list."""
    if store.link.problem is not None:
        yield from untried(["reads"], "to be let in")
        return
    there, missing = [], []
    for kind in READS:
        feed, count = store.feed(kind), len(rows_of(store, kind))
        name = kind.value.replace("_", " ")
        if not feed.offered:
            tracked = f" ({count:,} of {feed.tracked:,} tracked shown)" if feed.tracked else ""
            missing.append(f"{name}{tracked}")
        elif problem := feed_error(feed, count):
            remedy = "paytui dialect check tells what of it is not understood."
            yield error("reads", f"{name}: {problem}", remedy, ExitCode.IN_PART)
        else:
            there.append(f"{count:,} {name}")
    if missing:
        what = f"the service has no list of {', '.join(missing)}"
        yield note("reads", what, "paytui track names what to read one by one.")
    yield fine("reads", ", ".join(there) or "none")


def _cost(seen: Look) -> Finding:
    vitals = seen.vitals
    return fine(
        "what it took",
        f"{vitals.requests:,} requests, {vitals.unanswered:,} without an answer; "
        f"{vitals.sent / 1024:,.1f} KiB sent, {vitals.received / 1024:,.1f} KiB got; "
        f"{vitals.sign_ins:,} tokens; reads in {_latency(vitals)} ms (p50/p95)",
    )


def _latency(vitals: Vitals) -> str:
    from paytui.api.http.limits import Work

    for each in vitals.latencies:
        if each.work == Work.READ:
            return f"{each.p50 * 1000:,.0f}/{each.p95 * 1000:,.0f}"
    return MISSING
