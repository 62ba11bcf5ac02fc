"""The checks of `paytui doctor` in order, and the lines of `doctor --watch`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from paytui.cli.checks.machine import configuration, files, terminal
from paytui.cli.checks.result import Finding, not_tried
from paytui.cli.checks.service import (
    check_address,
    check_certificate,
    check_name,
    check_secret,
    read_latency,
    service,
)
from paytui.cli.output import utc
from paytui.config.settings import Settings
from paytui.store.health import LinkState, WorkerMetrics

STEPS = ("service", "DNS", "TLS", "client secret", "sign in", "clock", "reads")
"""The checks that need a usable configuration; each needs those before it."""


def run_checks(
    path: Path, environ: Mapping[str, str], profile: str | None, *, accept: bool
) -> Iterator[Finding]:
    """Run all checks, in an order in which the first error explains those that follow.

    Args:
        path: the configuration file.
        environ: the environment.
        profile: chosen on the command line.
        accept: trust the service's current address and certificate.
    """
    settings = yield from configuration(path, environ, profile, accept=accept)
    if settings is None:
        yield from not_tried(("files", *STEPS), "a configuration that can be used")
    else:
        yield from files(settings)
        yield from _there(settings)
    yield from terminal(environ)


def _there(settings: Settings) -> Iterator[Finding]:
    profile = settings.profile
    if not (yield from check_address(profile)):
        yield from not_tried(STEPS[1:], "a service that is known")
    elif not (yield from check_name(profile)):
        yield from not_tried(STEPS[2:], "an address")
    elif not (yield from check_certificate(profile)):
        yield from not_tried(STEPS[3:], "a connection")
    elif (secret := (yield from check_secret(profile))) is None:
        yield from not_tried(STEPS[4:], "the client secret")
    else:
        yield from service(settings, secret)


@dataclass(frozen=True, slots=True)
class MetricsSample:
    """The metrics of a worker at a time by the service's clock."""

    at: datetime
    link: LinkState
    vitals: WorkerMetrics


COLUMNS = {
    "time": 20,
    "service": 12,
    "requests": 9,
    "a min": 6,
    "no answer": 9,
    "sent KiB": 10,
    "got KiB": 10,
    "tokens": 6,
    "back-offs": 9,
    "429": 5,
    "waiting": 7,
    "read ms p50/p95": 15,
}
"""Name → width in cells."""

LEFT_ALIGNED = ("time", "service")


def head() -> str:
    """Return the column headings."""
    return _row(list(COLUMNS))


def text_line(sample: MetricsSample) -> str:
    """Format a sample as a row of the table."""
    vitals = sample.vitals
    return _row(
        [
            utc(sample.at.replace(microsecond=0)),
            sample.link,
            f"{vitals.requests:,}",
            f"{vitals.requests_a_minute:.0f}",
            f"{vitals.unanswered:,}",
            f"{vitals.sent / 1024:,.1f}",
            f"{vitals.received / 1024:,.1f}",
            f"{vitals.sign_ins:,}",
            f"{vitals.back_offs:,}",
            f"{vitals.too_many:,}",
            f"{vitals.waiting}",
            read_latency(vitals),
        ]
    )


def json_line(sample: MetricsSample) -> str:
    """Format a sample as JSON: bytes, counts since the start, seconds; times in ISO 8601 UTC."""
    vitals = asdict(sample.vitals)
    del vitals["at"]  # our boot time means nothing outside this process
    return json.dumps({"at": utc(sample.at), "link": sample.link.value, **vitals})


def _row(cells: list[str]) -> str:
    columns = zip(cells, COLUMNS.items(), strict=True)
    return "  ".join(
        cell.ljust(width) if name in LEFT_ALIGNED else cell.rjust(width)
        for cell, (name, width) in columns
    )
