"""`paytui config`: show, validate and write the configuration."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import click

from paytui.cli.common import EXPECTED, CommandError, config_option, profile_option


@click.group()
def config() -> None:
    """Show, check and write the configuration."""


@config.command("path")
@config_option
def show_path(*, config_file: Path | None) -> None:
    """Print where files are: the configuration, an example of it, themes."""
    from paytui.config.load import config_path
    from paytui.platform.files import shipped_path

    path = config_path(config_file, os.environ)
    click.echo(f"config   {path}")
    click.echo(f"example  {shipped_path('config.example.toml')}")
    click.echo(f"themes   {shipped_path('themes')}")
    if not os.access(path, os.F_OK):
        click.echo("There is no configuration yet: `paytui config init` writes one.", err=True)


@config.command()
@profile_option
@config_option
def show(*, profile: str | None, config_file: Path | None) -> None:
    """Print the merged settings and where each value came from; never a secret."""
    from paytui.cli.commands.config_show import shown_config
    from paytui.config.document import Document, read_document
    from paytui.config.load import config_path
    from paytui.config.operator import read_operator

    path = config_path(config_file, os.environ)
    if config_file is None and not os.access(path, os.F_OK):
        click.echo(f"{path} does not exist: these are the defaults.", err=True)
        document = Document(operator=read_operator())
    else:
        document = read_document(path)
    for line in shown_config(document, profile, os.environ):
        click.echo(line)


@config.command()
@profile_option
@config_option
def validate(*, profile: str | None, config_file: Path | None) -> None:
    """Check the configuration, the dialects and secret files that it names, for all profiles."""
    from paytui.cli.wiring.profile_checks import check_profile, check_theme, check_views
    from paytui.config.document import read_document
    from paytui.config.errors import ConfigError
    from paytui.config.load import choose_profile, config_path, settings_of

    path = config_path(config_file, os.environ)
    try:
        document = read_document(path)
    except ConfigError as error:
        if not error.others:
            raise
        for one in error.each():
            click.echo(str(one), err=True)
        raise CommandError(f"{path}: {len(error.each())} mistakes.") from None
    wrong = 0
    for name in document.contents.profiles:
        try:
            settings = settings_of(document, name)
            click.echo(f"profile {name}: {check_profile(settings.profile)}")
            check_views(settings)
            check_theme(settings)
        except (*EXPECTED, CommandError) as error:
            wrong += 1
            click.echo(f"profile {name}: {error}", err=True)
    if wrong:
        raise CommandError(
            f"{path}: {wrong} of {len(document.contents.profiles)} profiles are invalid."
        )
    choose_profile(document, profile, os.environ)
    click.echo(f"{path}: OK.")


@config.command()
@config_option
@click.option("--profile", metavar="P", help="The new profile's name.")
@click.option("--base-url", metavar="URL", help="Where the service is.")
@click.option("--client-id", metavar="ID", help="As given to you at onboarding.")
@click.option("--live/--not-live", default=None, help="Whether real money moves there.")
@click.option("--secret-command", metavar="COMMAND", help="A program that prints the secret.")
@click.option("--secret-file", metavar="PATH", help="A file of mode 0600 that holds the secret.")
def init(
    *,
    config_file: Path | None,
    profile: str | None,
    base_url: str | None,
    client_id: str | None,
    live: bool | None,
    secret_command: str | None,
    secret_file: str | None,
) -> None:
    """Write a first configuration; what no option tells is asked. Never over an existing one."""
    from paytui.cli.commands.setup import ask_base_url, ask_client_id, ask_live, ask_name
    from paytui.config.document import Document, check_tree
    from paytui.config.load import config_path, settings_of
    from paytui.config.operator import read_operator
    from paytui.config.saved import refuse_existing, write_config

    path = config_path(config_file, os.environ)
    refuse_existing(path)
    name = profile or ask_name()
    table: dict[str, object] = {
        "base_url": base_url or ask_base_url(),
        "client_id": client_id or ask_client_id(),
        "live": ask_live() if live is None else live,
    }
    if secret_command:
        table["secret_command"] = _words(secret_command)
    if secret_file:
        table["secret_file"] = secret_file
    contents: dict[str, object] = {"default_profile": name, "profiles": {name: table}}
    checked = check_tree(path, contents)
    settings_of(Document(path, checked, contents, operator=read_operator()), name)
    write_config(path, contents)
    click.echo(path)
    _tell_what_is_next(name, has_source=bool(secret_command or secret_file))


@config.command("keyring")
@profile_option
@config_option
def keep_in_keyring(*, profile: str | None, config_file: Path | None) -> None:
    """Ask for the client secret, and keep it in the system's keyring, as secret_keyring says."""
    from paytui.cli.wiring.secrets import keyring_source
    from paytui.config.load import config_path, load_settings
    from paytui.platform.secret import Secret

    path = config_path(config_file, os.environ)
    wanted = load_settings(path, os.environ, profile=profile).profile
    if wanted.secret_keyring is None:
        entry = f'secret_keyring = "paytui/{wanted.name}"'
        raise CommandError(f"{wanted.entry('secret_keyring')} is missing. Write there: {entry}")
    if not sys.stdin.isatty():
        raise CommandError("There is no terminal to ask for the secret on.")
    source = keyring_source(wanted, wanted.secret_keyring)
    secret = Secret(click.prompt("Client secret (not shown)", hide_input=True, err=True))
    source.store(secret)
    click.echo(f"Kept: {source.origin}.", err=True)


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise click.UsageError(f"--secret-command: {error}.") from None


def _tell_what_is_next(profile: str, *, has_source: bool) -> None:
    from paytui.platform.secret import secret_variable

    if not has_source:
        click.echo(
            "Say where the client secret comes from: secret_command or secret_file in this file, "
            f"or the environment variable {secret_variable(profile)}.",
            err=True,
        )
