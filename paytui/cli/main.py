"""The command `paytui`. A subcommand's module is imported only when it is called."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from paytui import __version__
from paytui.cli.common import (
    EXPECTED,
    HELP,
    CommandError,
    ExitCode,
    drop_stdout,
    use_ascii_fallback,
)

COMMANDS = (
    *("audit", "book", "cache", "config", "demo", "desk", "dialect", "doctor", "export", "keys"),
    *("run", "sandbox", "status", "track", "watch"),
)
MODULES = {"cache": "config", "keys": "config", "track": "config"}
"""The modules of the subcommands whose name is not theirs."""


class CommandLine(click.Group):
    """A group that runs the dashboard if no command is named.

    The dashboard's options may also stand before the name of a command that has them.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        return _command(cmd_name) if cmd_name in COMMANDS else None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ahead = _options_of(_command("run"), args)
        args = _behind_the_name(args[ahead:], args[:ahead])
        own = {name for parameter in self.get_params(ctx) for name in parameter.opts}
        if not args or (args[0].startswith("-") and args[0].partition("=")[0] not in own):
            args = ["run", *args]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except EXPECTED as error:
            raise CommandError(str(error)) from None


def _options_of(command: click.Command, args: list[str]) -> int:
    """Return how many leading arguments are options of a command, with their values."""
    options = {name: option for option in command.params for name in option.opts}
    at = 0
    while at < len(args):
        name, equals, _ = args[at].partition("=")
        option = options.get(name)
        if not isinstance(option, click.Option):
            break
        at += 1 if option.is_flag or equals else 2
    return min(at, len(args))


def _command(name: str) -> click.Command:
    module = import_module(f"paytui.cli.commands.{MODULES.get(name, name)}")
    command: click.Command = getattr(module, name)
    return command


def _behind_the_name(words: list[str], options: list[str]) -> list[str]:
    """Return a command line with its options moved behind the command's name, if any."""
    at, command = 0, _command(words[0]) if words and words[0] in COMMANDS else None
    while command is not None:
        at += 1
        inner = command.commands if isinstance(command, click.Group) else {}
        command = inner.get(words[at]) if at < len(words) else None
    return [*words[:at], *options, *words[at:]]


@click.group(cls=CommandLine, epilog=HELP, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="paytui")
def cli() -> None:
    """A terminal dashboard for traders on a multi-currency payments service.

    Without a command it runs the dashboard: see `paytui run --help`. To look around without a
    service of your own, try `paytui demo`.
    """


def main() -> None:
    """Run a command line and leave with its exit code."""
    use_ascii_fallback()
    try:
        sys.exit(cli.main(prog_name="paytui", standalone_mode=False))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(ExitCode.INTERRUPTED)
    except Exception as error:  # noqa: BLE001 - the last handler, and it reports
        if isinstance(error, OSError) and not _stdout_works():
            click.echo(f"stdout cannot be written: {error.strerror}.", err=True)
        else:
            # Without Python's traceback, which would quote data.
            from paytui.platform.crash import crash_message, crash_reporter

            kept = crash_reporter(os.environ, ())(error, ["a command"])
            click.echo(crash_message(error, kept), err=True)
        sys.exit(ExitCode.FAILED)


def _stdout_works() -> bool:
    """Return True if stdout can be flushed; if not, drop it."""
    try:
        sys.stdout.flush()
    except OSError:
        drop_stdout()
        return False
    return True
