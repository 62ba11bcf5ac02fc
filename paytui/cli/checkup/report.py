"""Findings as lines to read, or as one object for a program."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence

from paytui.cli.checkup.finding import Finding, Verdict, worst

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
