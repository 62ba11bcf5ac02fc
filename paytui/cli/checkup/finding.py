"""What a check found: how it stands, in words, and how to mend it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from paytui.cli.exit_codes import ExitCode


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


def untried(names: Iterable[str], needs: str) -> Iterator[Finding]:
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
