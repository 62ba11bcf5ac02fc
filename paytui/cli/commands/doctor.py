"""`paytui doctor`: check everything that a dashboard needs."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime

import click

from paytui.cli.common import (
    ExitCode,
    Finding,
    ProfileChoice,
    Verdict,
    choice_options,
    drop_stdout,
    not_tried,
    read_latency,
)
from paytui.config.settings import Settings
from paytui.platform.clock import utc
from paytui.store.health import LinkState, WorkerMetrics


@click.command()
@click.option("--watch", is_flag=True, help="Show what reading costs, a line each second.")
@click.option("--json", "as_objects", is_flag=True, help="Print JSON objects.")
@choice_options(accept=True)
@click.pass_context
def doctor(ctx: click.Context, *, watch: bool, as_objects: bool, choice: ProfileChoice) -> None:
    """Check the configuration, files, secret, network, service and terminal; how to mend each.

    It reads as a dashboard does, on its own, and sends nothing: one may run beside it. With --watch
    it tells how many requests and bytes that takes, how long answers take, and what waits, until
    interrupted; what a running dashboard counts, with what it paints, is under `f8` in it.
    """
    try:
        if watch:
            _watch(choice, as_objects=as_objects)
        else:
            ctx.exit(_check_up(choice, as_object=as_objects))
    except BrokenPipeError:  # the reader of the pipe is gone
        drop_stdout()


def _check_up(choice: ProfileChoice, *, as_object: bool) -> int:
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    findings = []
    for finding in run_checks(choice, os.environ):
        findings.append(finding)
        if not as_object:
            click.echo(text_lines(finding, columns))
    if as_object:
        click.echo(as_json(findings))
    click.echo(summary(findings), err=True)
    return worst(findings)


def _watch(choice: ProfileChoice, *, as_objects: bool) -> None:
    from paytui.cli.wiring.compose import new_context, run_worker
    from paytui.cli.wiring.secrets import read_secret

    settings = choice.load_verified()
    context = new_context(settings, read_secret(settings, "Reading"))
    line = json_line if as_objects else text_line
    if not as_objects:
        click.echo(head())

    async def follow(vitals: Callable[[], WorkerMetrics], running: asyncio.Task[None]) -> None:
        while True:
            await asyncio.wait([running], timeout=SAMPLE_INTERVAL)
            if running.done():
                return
            click.echo(line(context.time.latest(), context.store.link.state, vitals()))

    run_worker(context, follow)


SAMPLE_INTERVAL = 1.0  # Seconds

STEPS = ("service", "DNS", "TLS", "client secret", "sign in", "clock", "reads")
"""The checks that need a usable configuration; each needs those before it."""


def run_checks(choice: ProfileChoice, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Run all checks, in an order in which the first error explains those that follow."""
    from paytui.cli.machine_checks import configuration, files, terminal

    settings = yield from configuration(choice)
    if settings is None:
        yield from not_tried(("files", *STEPS), "a usable configuration")
    else:
        yield from files(settings)
        yield from _service_checks(settings)
    yield from terminal(environ)


def _service_checks(settings: Settings) -> Iterator[Finding]:
    from paytui.cli import service_checks as service

    profile = settings.profile
    if not (yield from service.check_address(profile)):
        yield from not_tried(STEPS[1:], "a known service")
    elif not (yield from service.check_name(profile)):
        yield from not_tried(STEPS[2:], "an address")
    elif not (yield from service.check_certificate(profile)):
        yield from not_tried(STEPS[3:], "a connection")
    elif (secret := (yield from service.check_secret(profile))) is None:
        yield from not_tried(STEPS[4:], "the client secret")
    else:
        yield from service.service(settings, secret)


FIGURES: tuple[tuple[str, int, str, Callable[[WorkerMetrics], object]], ...] = (
    ("requests", 9, ",", lambda vitals: vitals.requests),
    ("a min", 6, ".0f", lambda vitals: vitals.requests_a_minute),
    ("no answer", 9, ",", lambda vitals: vitals.unanswered),
    ("sent KiB", 10, ",.1f", lambda vitals: vitals.sent / 1024),
    ("got KiB", 10, ",.1f", lambda vitals: vitals.received / 1024),
    ("tokens", 6, ",", lambda vitals: vitals.sign_ins),
    ("back-offs", 9, ",", lambda vitals: vitals.back_offs),
    ("429", 5, ",", lambda vitals: vitals.too_many),
    ("waiting", 7, "", lambda vitals: vitals.waiting),
    ("read ms p50/p95", 15, "", read_latency),
)
"""Name, width in cells, format and value of each column after time and service."""


def head() -> str:
    return _row("time", "service", [f"{name:>{width}}" for name, width, *_ in FIGURES])


def text_line(at: datetime, link: LinkState, vitals: WorkerMetrics) -> str:
    figures = [f"{value(vitals):>{width}{form}}" for _, width, form, value in FIGURES]
    return _row(utc(at.replace(microsecond=0)), link, figures)


def json_line(at: datetime, link: LinkState, vitals: WorkerMetrics) -> str:
    """Format metrics as JSON: bytes, counts since the start, seconds; times in ISO 8601 UTC."""
    figures = asdict(vitals)
    del figures["at"]  # our boot time means nothing outside this process
    return json.dumps({"at": utc(at), "link": link.value, **figures})


def _row(time: str, service: str, figures: list[str]) -> str:
    return "  ".join((f"{time:<20}", f"{service:<12}", *figures))


def worst(findings: Iterable[Finding]) -> ExitCode:
    """Return the exit code of the first error, which explains later ones; else of a warning."""
    codes = [(each.verdict is Verdict.ERROR, each.code) for each in findings]
    errors = [code for is_error, code in codes if is_error]
    if errors:
        return errors[0]
    return next((code for _, code in codes if code), ExitCode.DONE)


WIDTHS = 9, 17  # Widths of the verdict and of the name
NARROWEST = 30  # The narrowest column for text, even if the terminal is narrower


def text_lines(finding: Finding, columns: int | None) -> str:
    """Format a result and its remedy, wrapped to `columns`; None does not wrap."""
    verdict, name = WIDTHS
    head = f"{finding.verdict:<{verdict}}  {finding.name:<{name}}  "
    room = None if columns is None else max(columns - len(head), NARROWEST)
    lines = [*_wrapped(finding.what, room), *_wrapped(finding.remedy, room)]
    return head + f"\n{'':{len(head)}}".join(lines)


def _wrapped(words: str, room: int | None) -> list[str]:
    """Wrap between words only: commands to paste stay whole."""
    if room is None:
        return [words] if words else []
    return textwrap.wrap(words, room, break_long_words=False, break_on_hyphens=False)


def summary(findings: Sequence[Finding]) -> str:
    """Return the number of errors and warnings in words."""
    counts = [
        f"{count} {noun if count == 1 else noun + 's'}"
        for noun, verdict in (("error", Verdict.ERROR), ("warning", Verdict.WARNING))
        if (count := sum(each.verdict is verdict for each in findings))
    ]
    return f"{', '.join(counts)}." if counts else "All good."


def as_json(findings: Sequence[Finding]) -> str:
    code = worst(findings)
    return json.dumps(
        {
            "exit_code": int(code),
            "findings": [
                {
                    "name": each.name,
                    "verdict": each.verdict.value,
                    "what": each.what,
                    "remedy": each.remedy or None,
                }
                for each in findings
            ],
        }
    )
