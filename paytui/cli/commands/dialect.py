"""`paytui dialect`: show the dialect, and check it against the service or a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import resources
from typing import IO

import click

from paytui.api.dialect import merge, read_toml
from paytui.cli.common import ExitCode, ProfileChoice, as_toml, choice_options, toml_key
from paytui.cli.wiring.compose import ask_service, dialect_of
from paytui.config.settings import Profile
from paytui.config.validation import key_lines
from paytui.domain.models import Kind


@click.group()
def dialect() -> None:
    """Show how the service is taken to spell things, and check it against the service."""


@dialect.command()
@choice_options(accept=False)
def show(*, choice: ProfileChoice) -> None:
    """Print the merged dialect and where each value came from."""
    settings = choice.load()
    for line in shown_dialect(settings.profile):
        click.echo(line)


@dialect.command()
@choice_options(accept=True)
@click.pass_context
def check(ctx: click.Context, *, choice: ProfileChoice) -> None:
    """Read something of each kind, and print what of it is understood.

    Nothing is created but a rate sheet of a few pairs, which commits to nothing. Values are not
    printed, names are: which fields were found, which were not there, and which fields of the
    service nobody reads, with the line that would map them.
    """
    from paytui.cli.commands.dialect_check import check_live

    settings = choice.load_verified()
    outcome = ask_service(
        settings,
        lambda client, spoken: check_live(client, spoken, settings.track, settings.rates.watch),
    )
    for line in outcome.lines:
        click.echo(line)
    ctx.exit(ExitCode.DONE if outcome.understood else ExitCode.IN_PART)


@dialect.command()
@click.argument("kind", type=click.Choice([kind.value for kind in Kind]))
@click.argument("file", type=click.File("rb"), default="-")
@choice_options(accept=False)
@click.pass_context
def explain(ctx: click.Context, *, kind: str, file: IO[bytes], choice: ProfileChoice) -> None:
    """Print what would be understood of an answer in FILE, such as the manual's example.

    KIND is what the answer holds. Nobody is asked; without FILE, standard input is read.
    """
    from paytui.cli.commands.dialect_check import explain_response

    settings = choice.load()
    outcome = explain_response(Kind(kind), file.read(), dialect_of(settings.profile))
    for line in outcome.lines:
        click.echo(line)
    ctx.exit(ExitCode.DONE if outcome.understood else ExitCode.IN_PART)


ORIGIN_COLUMN = 72
_INLINE = {("states", 2), ("extra", 2)}
"""Sections, and the depth below which their tables are written inline."""

Where = tuple[str, ...]


def shown_dialect(profile: Profile) -> Iterator[str]:
    """Yield the default dialect, with the profile's own file merged over it.

    Raise DialectError if the file is not a dialect.
    """
    dialect_of(profile)
    override = profile.dialect
    with resources.as_file(resources.files("paytui.api") / "dialect.toml") as path:
        tree = read_toml(path)
    origins: dict[Where, str] = {}
    if override is not None:
        own = read_toml(override)
        tree = merge(tree, own, str(override))
        lines = key_lines(override.read_text(encoding="utf-8"))
        for where, _ in _entries(own):
            line = f":{lines[where]}" if where in lines else ""
            origins[where] = f"{override.name}{line}"
    yield f"# {override or 'the default dialect'}"
    section: Where = ()
    for where, value in _entries(tree):
        if where[:-1] != section:
            section = where[:-1]
            yield f"\n[{'.'.join(map(toml_key, section))}]"
        text = f"{toml_key(where[-1])} = {as_toml(value)}"
        yield f"{text.ljust(ORIGIN_COLUMN)}  # {origins.get(where, 'default')}"


def _entries(tree: Mapping[str, object], at: Where = ()) -> Iterator[tuple[Where, object]]:
    """Yield all keys whose value is not a table, those of each table before its subtables."""
    tables = []
    for name, value in tree.items():
        where = (*at, name)
        if isinstance(value, dict) and (where[0], len(at)) not in _INLINE:
            tables.append((where, value))
        else:
            yield where, value
    for where, table in tables:
        yield from _entries(table, where)
