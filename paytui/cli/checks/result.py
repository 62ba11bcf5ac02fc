"""What a check found: how it stands, in words, and how to mend it."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from paytui.cli.common import ExitCode


class Verdict(StrEnum):
    """How something stands; the later, the worse."""

    OK = "ok"
    NOTE = "note"
    WARNING = "warning"
    NOT_TRIED = "not tried"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        name: of what: `TLS`.
        what: how it stands, as a clause.
        remedy: what to do, as a sentence; empty where there is nothing to do.
        code: how a command that met this would end.
    """

    name: str
    verdict: Verdict
    what: str
    remedy: str = ""
    code: ExitCode = ExitCode.DONE


def fine(name: str, what: str) -> Finding:
    """It is as it should be."""
    return Finding(name, Verdict.OK, what)


def note(name: str, what: str, remedy: str = "") -> Finding:
    """It is worth knowing."""
    return Finding(name, Verdict.NOTE, what, remedy)


def warning(name: str, what: str, remedy: str) -> Finding:
    """It works, and should be mended."""
    return Finding(name, Verdict.WARNING, what, remedy, ExitCode.WARNED)


def error(name: str, what: str, remedy: str, code: ExitCode) -> Finding:
    """It does not work."""
    return Finding(name, Verdict.ERROR, what, remedy, code)


def not_tried(names: Iterable[str], needs: str) -> Iterator[Finding]:
    """What could not be looked at, for want of something else."""
    for name in names:
        yield Finding(name, Verdict.NOT_TRIED, f"needs {needs}")


def worst(findings: Iterable[Finding]) -> ExitCode:
    """How the worst of them has a command end; of errors the first, which explains the others."""
    codes = [(each.verdict is Verdict.ERROR, each.code) for each in findings]
    errors = [code for is_error, code in codes if is_error]
    if errors:
        return errors[0]
    return next((code for _, code in codes if code), ExitCode.DONE)


# Findings as lines to read, or as one object for a program.

WIDTHS = 9, 17
"""Of a verdict, and of what it is about."""

NARROWEST = 30
"""Columns for words, however few there are."""


def text_lines(finding: Finding, columns: int | None) -> str:
    """How something stands, and below it how to mend it; in so many columns, or in any."""
    verdict, name = WIDTHS
    head = f"{finding.verdict:<{verdict}}  {finding.name:<{name}}  "
    room = None if columns is None else max(columns - len(head), NARROWEST)
    lines = [*_wrapped(finding.what, room), *_wrapped(finding.remedy, room)]
    return head + f"\n{'':{len(head)}}".join(lines)


def _wrapped(words: str, room: int | None) -> list[str]:
    """In lines; what is to be pasted is never broken within a word."""
    if room is None:
        return [words] if words else []
    return textwrap.wrap(words, room, break_long_words=False, break_on_hyphens=False)


def summary(findings: Sequence[Finding]) -> str:
    """How much there is to mend."""
    counts = [
        f"{count} {noun if count == 1 else noun + 's'}"
        for noun, verdict in (("error", Verdict.ERROR), ("warning", Verdict.WARNING))
        if (count := sum(each.verdict is verdict for each in findings))
    ]
    return f"{', '.join(counts)}." if counts else "Nothing to mend."


def as_object(findings: Sequence[Finding]) -> str:
    """All of it as JSON."""
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
