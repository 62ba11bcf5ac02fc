"""Findings as lines to read, or as one object for a program."""

from __future__ import annotations

import json
from collections.abc import Sequence

from paytui.cli.checkup.finding import Finding, Verdict, worst

WIDTHS = 9, 17
"""Of a verdict, and of what it is about."""


def text_lines(finding: Finding) -> str:
    """How something stands, and below it how to mend it."""
    verdict, name = WIDTHS
    line = f"{finding.verdict:<{verdict}}  {finding.name:<{name}}  {finding.what}"
    if not finding.remedy:
        return line
    return f"{line}\n{'':{verdict + name + 4}}{finding.remedy}"


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
