"""Options, exit codes, errors and output that the commands share."""

from __future__ import annotations

import codecs
import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import IntEnum, StrEnum
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from paytui.api.dialect import DialectError
from paytui.book.file import BookError
from paytui.config.validation import ConfigError, Table
from paytui.domain.models import State
from paytui.domain.money import MISSING, Pair, plain
from paytui.outbox.file import OutboxError
from paytui.platform.clock import utc
from paytui.platform.secret import SecretError
from paytui.store.health import WorkerMetrics

if TYPE_CHECKING:
    from paytui.config.settings import Settings


config_option = click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Configuration file to read instead of your own.",
)
profile_option = click.option("--profile", metavar="P", help="Profile to use.")
accept_option = click.option(
    "--accept-new-host", is_flag=True, help="Trust the service's current address and certificate."
)


@dataclass(frozen=True, slots=True)
class ProfileChoice:
    """The configuration and the profile that a command line names."""

    config_file: Path | None
    profile: str | None
    accept_new_host: bool = False

    @property
    def path(self) -> Path:
        from paytui.config.load import config_path

        return config_path(self.config_file, os.environ)

    def load(self) -> Settings:
        """Return the settings; raise ConfigError if they cannot be used."""
        from paytui.config.load import load_settings

        accept = self.accept_new_host
        return load_settings(self.path, os.environ, profile=self.profile, accept_new_host=accept)

    def load_verified(self) -> Settings:
        """Return the settings of a profile whose service is that of its last use.

        Raises:
            ConfigError: they cannot be used.
            HostMoved: the address of the service changed.
        """
        from paytui.cli.wiring.known_hosts import verify_host

        settings = self.load()
        verify_host(settings.profile)
        return settings


def choice_options(*, accept: bool) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add the options of a `ProfileChoice`, which a command gets as `choice`."""

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(
            *args: object,
            config_file: Path | None,
            profile: str | None,
            accept_new_host: bool = False,
            **others: object,
        ) -> None:
            command(*args, choice=ProfileChoice(config_file, profile, accept_new_host), **others)

        run = accept_option(config_option(run)) if accept else config_option(run)
        return profile_option(run)

    return decorated


def parse_moment(_: click.Context, __: click.Parameter, value: str | None) -> datetime | None:
    """Parse a time, or a period before now."""
    from paytui.store.filter import read_moment, read_period

    if value is None:
        return None
    period = read_period(value)
    try:
        moment = read_moment(value) if period is None else datetime.now(UTC) - period
    except OverflowError:
        moment = None
    if moment is None:
        raise click.BadParameter("Use 2h, 7d, 2026-03-02 or 2026-03-02T12:00Z.")
    return moment


read_only_option = click.option(
    "--read-only", is_flag=True, help="Disable everything that moves money."
)


class ExitCode(IntEnum):
    """Exit statuses of every command; Python exits with 1 too, after a bug of ours."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    REFUSED = 3
    UNREACHABLE = 4
    IN_PART = 5
    MOVED = 6
    WARNED = 7
    INTERRUPTED = 130


HELP = """\b
Exit codes:
    0  done
    1  paytui itself failed
    2  wrong usage or configuration
    3  the service refused the client id and secret
    4  the service could not be reached
    5  done in part
    6  the service's address or certificate changed and was not accepted
    7  of doctor: it works, and something should be fixed
  130  interrupted
"""


EXPECTED = (BookError, ConfigError, DialectError, OutboxError, SecretError)
"""Errors that the user can mend: their messages say where and how."""


class CommandError(click.ClickException):
    """An error that ends a command with a message on stderr."""

    def __init__(self, message: str, code: ExitCode = ExitCode.USAGE) -> None:
        super().__init__(message)
        self.exit_code = code  # type: ignore[misc]  # click's of a class, read from the instance


def print_notice(words: str) -> None:
    """Print a clause as a sentence to stderr."""
    click.echo(f"{words[:1].upper()}{words[1:]}.", err=True)


# Output

Row = Sequence[str]
GAP = "  "


def columns(rows: Sequence[Row], alignment: str) -> list[str]:
    """Format rows as lines of aligned columns.

    Args:
        rows: all of the same length.
        alignment: one letter a column: `<` to the left, `>` to the right, as for amounts.
    """
    from rich.cells import cell_len

    padded = []
    for column, side in zip(zip(*rows, strict=True), alignment, strict=True):
        width = max(map(cell_len, column))
        spaces = (" " * (width - cell_len(text)) for text in column)
        pairs = zip(column, spaces, strict=True)
        padded.append([space + text if side == ">" else text + space for text, space in pairs])
    return [GAP.join(row).rstrip() for row in zip(*padded, strict=True)]


def print_table(head: Row, rows: Sequence[Row], alignment: str) -> None:
    """Print rows under a head; nothing without rows."""
    for line in columns([head, *rows], alignment) if rows else ():
        click.echo(line)


def truncated(text: str, most: int) -> str:
    """Cut a text to a width in cells; a cut text ends in an ellipsis."""
    from rich.cells import cell_len, chop_cells

    return text if cell_len(text) <= most else f"{chop_cells(text, most - 1)[0]}…"


def jsonable(value: object) -> object:
    """Return an object of the service for `json.dumps`, as its `default`.

    A model becomes its fields in snake_case, a state its name, a decimal a string with every digit,
    a time ISO 8601 in UTC with `Z`. A value that the service did not send is null.
    """
    match value:
        case Decimal():
            return plain(value)
        case datetime():
            return utc(value)
        case date():
            return value.isoformat()
        case State(name):
            return name
    assert is_dataclass(value)
    return {field.name: getattr(value, field.name) for field in fields(value)}


EMPTY: tuple[object, ...] = (None, (), {})
"""Values of a configuration that are not set."""


def as_toml(value: object) -> str:
    """Return a value of a configuration or a dialect as TOML, in one line."""
    match value:
        case list() | tuple():
            return f"[{', '.join(map(as_toml, value))}]"
        case dict():
            inner = (f"{toml_key(name)} = {as_toml(each)}" for name, each in value.items())
            return f"{{ {', '.join(inner)} }}"
        case Table():
            told = {name: each for name, each in value.entries().items() if each not in EMPTY}
            return as_toml(told)
        case timedelta():
            value = f"{value.total_seconds():g}s"
        case Pair(sell, buy):
            value = f"{sell}/{buy}"
        case Decimal():
            value = plain(value)
    return json.dumps(value, ensure_ascii=False, default=str)


def toml_key(name: str) -> str:
    return name if re.fullmatch("[A-Za-z0-9_-]+", name) else json.dumps(name)


_STREAMS = ("stdin", "stdout", "stderr")  # Keys come from stdin, and Textual paints on stderr


def missing_terminal() -> str | None:
    """Return the reason why no dashboard can be shown; None if it can."""
    streams = {name: getattr(sys, name) for name in _STREAMS}  # None: closed before we started
    if elsewhere := [name for name, each in streams.items() if each is None or not each.isatty()]:
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
