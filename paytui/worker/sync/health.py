"""The health of a feed after a round of reads."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta

from paytui.domain.models import Kind, Problem
from paytui.platform.clock import ServiceTime
from paytui.store.health import RETRIED, FailingList, Feed
from paytui.worker.sync.freshness import Part, total_told, whole_read_at
from paytui.worker.sync.shared import Failure, reading

_NO_CACHE = 'Cache-Control = "no-cache" in the dialect\'s [headers] bypasses caches.'
_ITS_DIALECT = "paytui dialect check names the lines of a dialect that read on."

YOUNG = 30.0  # Maximum age in seconds of a cached response that is not reported


def feed_after(
    before: Feed,
    parts: Collection[Part],
    failures: list[Failure],
    upstream: Feed | None,
    service_time: ServiceTime,
    *,
    every: float,
) -> Feed:
    """Return the health of a feed after a round of reads; it is no fresher than `upstream`.

    `every` is the seconds after which all lists are read again.
    """
    offered = all(failure.offered for failure in failures)
    # A list that is not offered was not read: tracked objects are as old as before.
    read = _read_at(parts, upstream) if offered else None
    read_at = before.read_at if read is None else read
    problem = _problem(before.kind, parts, failures) if offered else None
    now = service_time.earliest()
    age = None if read_at is None else timedelta(seconds=service_time.clock.boot() - read_at)
    is_read = whole_read_at(parts) is not None and (upstream is None or not upstream.cached)
    wholes = [part.whole for part in parts if part.whole is not None]
    failing = {
        part.parent: FailingList(part.sent, part.trouble)
        for part in parts
        if part.parent is not None and part.trouble is not None
    }
    return Feed(
        before.kind,
        as_of=None if age is None else now - age,
        read_at=read_at,
        every=every,
        total=total_told(parts),
        offered=offered,
        tracked=0 if offered else before.tracked,
        problem=problem,
        failing_since=None if problem is None else before.failing_since or now,
        skipped=sum(part.skipped for part in parts),
        cut=any(part.is_cut or not part.complete for part in parts),
        cached=before.cached and not is_read,
        whole_at=min(wholes, default=None) if any(part.is_partial for part in parts) else None,
        remark=_remark(parts),
        unsure=any(part.remark for part in parts),
        failing={**(upstream.failing if upstream else {}), **failing},
        others_read_at=_others_read_at(parts, upstream),
    )


def _read_at(parts: Collection[Part], upstream: Feed | None) -> float | None:
    read_at = whole_read_at(parts)
    if read_at is None or upstream is None:
        return read_at
    return None if upstream.read_at is None else min(read_at, upstream.read_at)


def _others_read_at(parts: Collection[Part], upstream: Feed | None) -> float | None:
    others = [part for part in parts if part.trouble is None]
    if upstream is not None:
        upstream = replace(upstream, read_at=upstream.others_read_at)
    return _read_at(others, upstream) if others else None


def _remark(parts: Collection[Part]) -> str:
    for part in parts:
        late = f"new rows may show {math.ceil(part.lag / 60)} min late"
        lag = f"{late}; set [paging] order in the dialect" if part.lag else ""
        if remark := part.loss or part.remark or lag or part.freshness.no_changes:
            return remark
    return ""


def _problem(kind: Kind, parts: Collection[Part], failures: list[Failure]) -> Problem | None:
    if failures:
        return failures[0].problem
    if lost := sum(part.lost for part in parts):
        what = f"no longer listed though open, and not read by identifier: {lost}"
        return Problem(reading(kind), what, remedy=RETRIED)
    if cut := next((part.cut for part in parts if part.cut), ""):
        return Problem(reading(kind), f"the list was cut short: {cut}", remedy=_ITS_DIALECT)
    if any(not part.complete and part.total is None for part in parts):
        return Problem(reading(kind), "the list was cut short", remedy=RETRIED)
    if any(part.is_cut for part in parts):
        return Problem(reading(kind), "the list of changes was cut short", remedy=RETRIED)
    is_old = any(part.age > YOUNG for part in parts)
    old = Problem(reading(kind), "an old response came from a cache", remedy=_NO_CACHE)
    return old if is_old else None
