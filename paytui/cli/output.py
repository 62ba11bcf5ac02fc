"""Output of the commands: standard streams, aligned tables, JSON and results of checks."""

from __future__ import annotations

import codecs
import io
import json
import os
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import TextIO

from paytui.cli.common import CommandError, ExitCode
from paytui.domain.models import State
from paytui.domain.money import MISSING, plain
from paytui.platform.clock import utc
from paytui.store.health import WorkerMetrics

Row = Sequence[str]
GAP = "  "
ELLIPSIS = "…"


def columns(rows: Sequence[Row], alignment: str) -> list[str]:
    """Format rows as lines of aligned columns.

    Args:
        rows: all of the same length.
        alignment: one letter a column: `<` to the left, `>` to the right, as for amounts.
    """
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        padded = [
            _pad(text, width, side)
            for text, width, side in zip(row, widths, alignment, strict=True)
        ]
        lines.append(GAP.join(padded).rstrip())
    return lines


def _pad(text: str, width: int, side: str) -> str:
    space = " " * (width - cells(text))
    return space + text if side == ">" else text + space


def truncated(text: str, most: int) -> str:
    """Cut a text to a width in cells; a cut text ends in an ellipsis."""
    if cells(text) <= most:
        return text
    room = most - cells(ELLIPSIS)
    kept = next(at for at in range(len(text), -1, -1) if cells(text[:at]) <= room)
    return text[:kept] + ELLIPSIS


def cells(text: str) -> int:
    """Return the width of a text in a terminal: wide characters take two cells, marks none."""
    return sum(map(_cells_of, text))


def _cells_of(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


Json = None | bool | int | str | list["Json"] | dict[str, "Json"]


def jsonable(value: object) -> Json:
    """Return an object of the service as JSON: snake_case, exact amounts, times in UTC.

    A state becomes its name, a decimal a string with every digit, a time ISO 8601 with `Z`. A value
    that the service did not send is null.
    """
    if isinstance(value, tuple):
        return [jsonable(item) for item in value]
    if is_dataclass(value) and not isinstance(value, State):
        return {field.name: jsonable(getattr(value, field.name)) for field in fields(value)}
    return _scalar(value)


def _scalar(value: object) -> Json:
    match value:
        case Decimal():
            return plain(value)
        case datetime():
            return utc(value)
        case date():
            return value.isoformat()
        case State(name):
            return name
    assert value is None or isinstance(value, bool | int | str)
    return value


def as_toml(value: object) -> str:
    """Return a value of a configuration or a dialect as TOML, in one line."""
    match value:
        case list() | tuple():
            return f"[{', '.join(map(as_toml, value))}]"
        case dict():
            inner = (f"{toml_key(name)} = {as_toml(each)}" for name, each in value.items())
            return f"{{ {', '.join(inner)} }}"
        case _:
            return json.dumps(value, ensure_ascii=False)


def toml_key(name: str) -> str:
    return name if re.fullmatch("[A-Za-z0-9_-]+", name) else json.dumps(name)


_STREAMS = ("stdin", "stdout", "stderr")  # Keys come from stdin, and Textual paints on stderr


def missing_terminal() -> str | None:
    """Return the reason why no dashboard can be shown; None if it can."""
    if elsewhere := [name for name in _STREAMS if not _is_terminal(name)]:
        return (
            "The dashboard needs a terminal on stdin, stdout and stderr; there is none on "
            f"{', '.join(elsewhere)}. For scripts there is `paytui status --json`."
        )
    if os.environ.get("TERM") == "dumb":
        return "The dashboard cannot be shown with TERM=dumb; try TERM=xterm-256color."
    return None


def use_ascii_fallback() -> None:
    """Write symbols as ASCII if the locale has no UTF-8, instead of failing to encode them.

    Exports choose UTF-8 themselves.
    """
    stdout = sys.stdout
    if isinstance(stdout, io.TextIOWrapper) and "utf" not in stdout.encoding.lower():
        codecs.register_error("paytui.ascii", _in_ascii)
        stdout.reconfigure(errors="paytui.ascii")


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    from paytui.tui.terminal.tty import in_ascii

    assert isinstance(error, UnicodeEncodeError)
    return in_ascii(error.object[error.start : error.end]), error.end


def drop_stdout() -> None:
    """Redirect a broken stdout to /dev/null.

    Otherwise the interpreter flushes its buffer at exit and reports the error again.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_output(output: Path | None, fill: Callable[[TextIO], None], *, force: bool) -> None:
    """Write to a private file, or to stdout; only `force` replaces an existing file.

    Raise CommandError if the file or stdout cannot be written.
    """
    from paytui.store.export import ExportError, write_file

    try:
        if output is not None:
            write_file(output, fill, replace=force)
            return
        if isinstance(sys.stdout, io.TextIOWrapper):  # as to a file, whatever the locale
            sys.stdout.reconfigure(encoding="utf-8", newline="")
        fill(sys.stdout)
        sys.stdout.flush()
    except ExportError as error:
        raise CommandError(str(error)) from None
    except BrokenPipeError:  # the reader of the pipe is gone
        drop_stdout()
    except OSError as error:
        drop_stdout()
        message = f"stdout cannot be written: {error.strerror}."
        raise CommandError(message, ExitCode.FAILED) from None


def _is_terminal(name: str) -> bool:
    stream: TextIO | None = getattr(sys, name)  # None: closed before we were started
    return stream is not None and stream.isatty()


def read_latency(vitals: WorkerMetrics) -> str:
    """Return the median and 95th percentile of reads in milliseconds: `12/80`."""
    from paytui.api.http.transport import RequestKind

    for each in vitals.latencies:
        if each.work == RequestKind.READ:
            return f"{each.p50 * 1000:,.0f}/{each.p95 * 1000:,.0f}"
    return MISSING


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
