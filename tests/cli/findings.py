"""Look-ups in the results of checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from paytui.cli.common import Finding


def found(checks: Iterable[Finding], name: str) -> Sequence[Finding]:
    """All that was found of one thing."""
    return [finding for finding in checks if finding.name == name]


def the(checks: Iterable[Finding], name: str) -> Finding:
    """The one thing that was found of it."""
    (finding,) = found(checks, name)
    return finding


def told(findings: Iterable[Finding]) -> Iterator[tuple[str, str]]:
    """Yield the name and verdict of each finding."""
    for finding in findings:
        yield finding.name, finding.verdict.value
