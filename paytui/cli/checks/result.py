"""Results of checks, and their output as text and JSON."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from paytui.cli.common import ExitCode


class Verdict(StrEnum):
    """The verdict of a check, from best to worst."""

    OK = "ok"
    NOTE = "note"
    WARNING = "warning"
    NOT_TRIED = "not tried"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check.

    Attributes:
        name: the subject: `TLS`.
        what: the result, as a clause.
        remedy: what to do, as a sentence; empty if nothing.
        code: the exit code of a command that meets this.
    """

    name: str
    verdict: Verdict
    what: str
    remedy: str = ""
    code: ExitCode = ExitCode.DONE


def fine(name: str, what: str) -> Finding:
    return Finding(name, Verdict.OK, what)


def note(name: str, what: str, remedy: str = "") -> Finding:
    return Finding(name, Verdict.NOTE, what, remedy)


def warning(name: str, what: str, remedy: str) -> Finding:
    return Finding(name, Verdict.WARNING, what, remedy, ExitCode.WARNED)


def error(name: str, what: str, remedy: str, code: ExitCode) -> Finding:
    return Finding(name, Verdict.ERROR, what, remedy, code)


def not_tried(names: Iterable[str], needs: str) -> Iterator[Finding]:
    """Yield a result for each check that was skipped for lack of something else."""
    for name in names:
        yield Finding(name, Verdict.NOT_TRIED, f"needs {needs}")


def worst(findings: Iterable[Finding]) -> ExitCode:
    """Return the exit code of the first error, which explains later ones; else of a warning."""
    codes = [(each.verdict is Verdict.ERROR, each.code) for each in findings]
    errors = [code for is_error, code in codes if is_error]
    if errors:
        return errors[0]
    return next((code for _, code in codes if code), ExitCode.DONE)


WIDTHS = 9, 17
"""Widths of the verdict and of the name."""

NARROWEST = 30
"""The narrowest column for text, even if the terminal is narrower."""


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


def as_object(findings: Sequence[Finding]) -> str:
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
