"""A pulse as one line: a row of a table, or a JSON object."""

from __future__ import annotations

import json
from dataclasses import asdict

from paytui.api.http.limits import Work
from paytui.cli.jsonable import utc
from paytui.cli.pulse import Pulse
from paytui.domain.money import MISSING

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
"""Name → width; words begin at the left edge, figures end at the right one."""

WORDS = ("time", "service")


def head() -> str:
    """The names of the columns."""
    return _row(list(COLUMNS))


def text_line(pulse: Pulse) -> str:
    """How it is doing, in these columns."""
    vitals = pulse.vitals
    return _row(
        [
            utc(pulse.at.replace(microsecond=0)),
            pulse.link,
            f"{vitals.requests:,}",
            f"{vitals.requests_a_minute:.0f}",
            f"{vitals.unanswered:,}",
            f"{vitals.sent / 1024:,.1f}",
            f"{vitals.received / 1024:,.1f}",
            f"{vitals.sign_ins:,}",
            f"{vitals.back_offs:,}",
            f"{vitals.too_many:,}",
            f"{vitals.waiting}",
            _reads(pulse),
        ]
    )


def json_line(pulse: Pulse) -> str:
    """One object: bytes, counts since the start, seconds; times in ISO 8601 UTC."""
    vitals = asdict(pulse.vitals)
    del vitals["at"]  # our own boot time tells nobody anything
    return json.dumps({"at": utc(pulse.at), "link": pulse.link.value, **vitals})


def _reads(pulse: Pulse) -> str:
    for latency in pulse.vitals.latencies:
        if latency.work == Work.READ:
            return f"{latency.p50 * 1000:,.0f}/{latency.p95 * 1000:,.0f}"
    return MISSING


def _row(cells: list[str]) -> str:
    columns = zip(cells, COLUMNS.items(), strict=True)
    return "  ".join(
        cell.ljust(width) if name in WORDS else cell.rjust(width) for cell, (name, width) in columns
    )
