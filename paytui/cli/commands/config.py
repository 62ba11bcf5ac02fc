"""`paytui config`, `cache`, `keys` and `track`: the configuration, and what is kept beside it."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import click

from paytui.api.resources import CHOSEN, READS, TRACKED
from paytui.cli.common import (
    EMPTY,
    EXPECTED,
    CommandError,
    ExitCode,
    ProfileChoice,
    as_toml,
    choice_options,
    columns,
    config_option,
)
from paytui.cli.wiring.compose import ask_service, dialect_of, is_read
from paytui.cli.wiring.secrets import keyring_source, secret_source
from paytui.config import key_bindings, load, saved_files
from paytui.config.operator_policy import read_operator
from paytui.config.settings import ProfileTable, Settings, Tracked
from paytui.config.validation import ConfigError, KeyPath
from paytui.config.validation_cache import validation_cache_path
from paytui.config.value_parsers import one_line
from paytui.domain.models import Kind
from paytui.domain.money import plain
from paytui.platform.files import shipped_path
from paytui.platform.secret import MASK, Secret, SecretError, secret_variable
from paytui.platform.text import InvalidValue


@click.group()
def config() -> None:
    """Show, check and write the configuration."""


@config.command("path")
@config_option
def show_path(*, config_file: Path | None) -> None:
    """Print where files are: the configuration, an example of it, themes."""
    path = load.config_path(config_file, os.environ)
    click.echo(f"config   {path}")
    click.echo(f"example  {shipped_path('config.example.toml')}")
    click.echo(f"themes   {shipped_path('themes')}")
    if not os.access(path, os.F_OK):
        click.echo("There is no configuration yet: `paytui config init` writes one.", err=True)


@config.command()
def example() -> None:
    """Print an example of a configuration: every key with its meaning."""
    from paytui.config.example import example

    click.echo(example(), nl=False)


@config.command()
@choice_options(accept=False)
def show(*, choice: ProfileChoice) -> None:
    """Print the merged settings and where each value came from; never a secret."""
    path = choice.path
    if choice.config_file is None and not os.access(path, os.F_OK):
        click.echo(f"{path} does not exist: these are the defaults.", err=True)
        document = load.Document(operator=read_operator())
    else:
        document = load.read_document(path)
    for line in shown_config(document, choice.profile, os.environ):
        click.echo(line)


@config.command()
@choice_options(accept=False)
def validate(*, choice: ProfileChoice) -> None:
    """Check the configuration, the dialects and secret files that it names, for all profiles."""
    from paytui.cli.machine_checks import check_profile, check_theme, check_views

    path = choice.path
    try:
        document = load.read_document(path)
    except ConfigError as error:
        if not error.others:
            raise
        for one in error.each():
            click.echo(str(one), err=True)
        raise CommandError(f"{path}: {len(error.each())} mistakes.") from None
    wrong = 0
    for name in document.contents.profiles:
        try:
            settings = load.settings_of(document, name)
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
    load.choose_profile(document, choice.profile, os.environ)
    click.echo(f"{path}: OK.")


@config.command()
@config_option
@click.option("--profile", metavar="P", help="Name of the new profile.")
@click.option("--base-url", metavar="URL", help="URL of the service.")
@click.option("--client-id", metavar="ID", help="Client id from onboarding.")
@click.option("--live/--not-live", default=None, help="Real money moves there.")
@click.option("--secret-command", metavar="COMMAND", help="Program that prints the secret.")
@click.option("--secret-file", metavar="PATH", help="File of mode 0600 with the secret.")
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
    from paytui.cli.commands.setup import ANY_NAME, ask, ask_live

    path = load.config_path(config_file, os.environ)
    saved_files.refuse_existing(path)
    name = profile or ask("name", ANY_NAME)
    table: dict[str, object] = {
        "base_url": base_url or ask("base_url"),
        "client_id": client_id or ask("client_id"),
        "live": ask_live() if live is None else live,
    }
    if secret_command:
        try:
            table["secret_command"] = shlex.split(secret_command)
        except ValueError as error:
            raise click.UsageError(f"--secret-command: {error}.") from None
    if secret_file:
        table["secret_file"] = secret_file
    contents: dict[str, object] = {"default_profile": name, "profiles": {name: table}}
    load.settings_in(path, contents, name)
    saved_files.write_config(path, contents)
    click.echo(path)
    if not secret_command and not secret_file:
        click.echo(
            "Set the source of the client secret: secret_command or secret_file in this file, "
            f"or the environment variable {secret_variable(name)}.",
            err=True,
        )


@config.command("keyring")
@choice_options(accept=False)
def keep_in_keyring(*, choice: ProfileChoice) -> None:
    """Ask for the client secret, and keep it in the system's keyring, as secret_keyring says."""
    wanted = choice.load().profile
    if wanted.secret_keyring is None:
        entry = f'secret_keyring = "paytui/{wanted.name}"'
        raise CommandError(f"{wanted.entry('secret_keyring')} is missing. Write there: {entry}")
    if not sys.stdin.isatty():
        raise CommandError("There is no terminal to ask for the secret on.")
    source = keyring_source(wanted, wanted.secret_keyring)
    secret = Secret(click.prompt("Client secret (not shown)", hide_input=True, err=True))
    source.store(secret)
    click.echo(f"Saved: {source.origin}.", err=True)


@click.group()
def cache() -> None:
    """Manage the cache: the last known data, shown at the next start of the dashboard."""


@cache.command()
@choice_options(accept=False)
def clear(*, choice: ProfileChoice) -> None:
    """Forget what is kept of a profile; the next start shows nothing before it is read."""
    from paytui.store.cache.file import cache_path, remove_cache

    chosen = choice.load().profile
    kept = cache_path(chosen.base_url, chosen.client_id)
    there = kept.exists()
    remove_cache(kept)
    remove_cache(validation_cache_path(choice.path))
    click.echo(f"{'Removed' if there else 'There is no'} {kept}", err=True)


ORIGIN_COLUMN = 44
NOT_SET = "(none)"


def shown_config(
    document: load.Document, option: str | None, environ: Mapping[str, str]
) -> Iterator[str]:
    """Yield the settings; of the profiles only the chosen one.

    Raise ConfigError if no profile is chosen, or it does not exist.
    """
    contents, operator = document.contents, document.operator
    yield f"# {document.path or 'defaults'}"
    if operator.path is not None:
        yield f"# this machine's operator: {operator.path}"
    if operator.contents.base_urls is not None:
        yield _line("base_urls", operator.contents.base_urls, operator.origin(("base_urls",)))
    if contents.profiles or option or environ.get(load.PROFILE_VARIABLE):
        yield from _profile_lines(document, option, environ)
    sections = load.sections_of(document)
    origins = dict(load.section_origins(document, sections))
    for section, table in sections.items():
        yield f"\n[{section}]"
        for name, value in table.entries().items():
            yield _line(name, _shown(name, value), origins[f"{section}.{name}"])
    yield "\n[keys]"
    keys = load.keymap_of(document)
    for entry, _ in load.written_keys(("keys",), contents.keys):
        name = ".".join(entry[1:])
        yield _line(
            name, tuple(map(key_bindings.shown_key, keys[name].split(","))), document.origin(entry)
        )
    views = contents.views.entries().items()
    tables: dict[str, dict[KeyPath, object]] = {
        "floors": {(name,): plain(amount) for name, amount in contents.floors.items()},
        "columns": {(name,): ids for name, ids in contents.columns.entries().items()},
        "views": {(name, view): "" for name, of_list in views for view in of_list},
        "track": {(name,): ids for name, ids in contents.track.entries().items()},
    }
    for section, entries in tables.items():
        yield f"\n[{section}]"
        for key, value in entries.items():
            yield _line(".".join(key), value, document.origin((section, *key)))


def _profile_lines(
    document: load.Document, option: str | None, environ: Mapping[str, str]
) -> Iterator[str]:
    name, origin = load.choose_profile(document, option, environ)
    yield _line("profile", name, origin)
    if others := [other for other in document.contents.profiles if other != name]:
        yield f"# other profiles: {', '.join(others)}"
    settings = load.settings_of(document, name)
    profile, origins = settings.profile, settings.origins
    yield f"\n[profiles.{name}]"
    for key in ProfileTable.names():
        if key != "recipients":
            value = _shown(key, getattr(profile, key))
            yield _line(key, value, origins[f"profiles.{name}.{key}"])
    if typed := profile.always_typed_above:
        origin = document.operator.origin(("limits", "confirm_above"))
        yield _line("always_typed_above", typed, origin)
    try:
        yield _written("client secret", MASK, f"from {secret_source(profile).origin}")
    except SecretError as error:
        yield _written("client secret", NOT_SET, error.remedy)
    for recipient, limits in profile.recipients.items():
        for key, amounts in limits.entries().items():
            place = f"recipients.{json.dumps(recipient)}.{key}"
            yield _line(place, amounts, origins[f"profiles.{name}.recipients"])


def _shown(name: str, value: object) -> object:
    """Mask the parts of a value that may be secret: a program's arguments, the end of a path."""
    match name, value:
        case "secret_command", (program, *_):
            return program, MASK
        case "secret_keyring", (service, user):
            return f"{service}/{user}"
        case "unlock_command", tuple(commands):
            return tuple(command.argv for command in commands)
        case "path", str():
            return f"/hooks/{MASK}"
    return value


def _line(key: str, value: object, origin: str) -> str:
    return _written(key, _toml(value), origin)


def _written(key: str, value: str, origin: str) -> str:
    return f"{key} = {value}".ljust(ORIGIN_COLUMN) + f"  # {origin}"


def _toml(value: object) -> str:
    return NOT_SET if value in EMPTY else as_toml(value)


@click.command()
@config_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def keys(*, config_file: Path | None, as_json: bool) -> None:
    """Print what every key does, as your configuration has them, each with its id."""
    path = load.config_path(config_file, os.environ)
    named = config_file is not None or os.access(path, os.F_OK)
    document = load.read_document(path) if named else load.Document()
    pressed, scheme = load.keymap_of(document), load.display_of(document).key_scheme
    if as_json:
        click.echo(json.dumps(card_json(scheme, pressed), ensure_ascii=False, indent=2))
        return
    for line in card_lines(scheme, pressed):
        click.echo(line)


def card_lines(scheme: str, keys: key_bindings.Keymap) -> Iterator[str]:
    """Yield the keys by group, with their actions and ids, in lines of at most 80 cells."""
    yield f"Keys of paytui, scheme {scheme}"
    rows = [
        (f"  {' '.join(map(key_bindings.shown_key, keys[name].split(',')))}", key.does, name)
        for name, key in key_bindings.CATALOGUE.items()
    ]
    lines = iter(columns(rows, "<<<"))
    for title, group in key_bindings.GROUPS.items():
        yield f"\n{title}"
        for _ in group:
            yield next(lines)


def card_json(scheme: str, keys: key_bindings.Keymap) -> dict[str, object]:
    """Return the scheme, the groups that apply at each place, and the keys of each group."""
    return {
        "scheme": scheme,
        "places": {place: list(groups) for place, groups in key_bindings.KEY_CONTEXTS.items()},
        "groups": {
            title: [
                {
                    "id": name,
                    "keys": [key_bindings.shown_key(k) for k in key_bindings.pressed(keys[name])],
                    "does": key.does,
                }
                for name, key in group.items()
            ]
            for title, group in key_bindings.GROUPS.items()
        },
    }


# Tracked identifiers


@click.command()
@click.argument("identifiers", nargs=-1, metavar="[ID]...")
@click.option(
    "--kind",
    "kind_name",
    type=click.Choice([kind.value for kind in TRACKED]),
    help="Kind of the identifiers; without it the service is asked.",
)
@click.option("--forget", is_flag=True, help="Stop tracking them.")
@choice_options(accept=False)
@click.pass_context
def track(
    ctx: click.Context,
    *,
    identifiers: tuple[str, ...],
    kind_name: str | None,
    forget: bool,
    choice: ProfileChoice,
) -> None:
    """Add identifiers to those that are read one by one; without any, print them.

    They are kept for one profile, beside the configuration, which itself is not changed. A
    dashboard that runs takes them up within seconds.
    """
    try:
        identifiers = tuple(one_line(each.strip()) for each in identifiers)
    except InvalidValue as refused:
        what = f"an identifier {refused.message}; nothing was changed."
        raise click.BadParameter(what) from None
    path, settings = saved_files.tracked_path(choice.path), choice.load()
    if not identifiers:
        for kind, known in settings.track.items():
            click.echo("\n".join(f"{kind.value} {identifier}" for identifier in known))
        return
    ours = saved_files.read_tracked(path)
    before = ours.get(settings.profile.name, {})
    if forget:
        after, unknown = _forget_identifiers(before, identifiers)
    elif kind_name:
        _check_read(settings, Kind(kind_name))
        after, unknown = saved_files.merge_tracked(before, {Kind(kind_name): identifiers}), []
    else:
        found, unknown = _identify_all(settings, identifiers)
        after = saved_files.merge_tracked(before, found)
    if after != before:
        saved_files.write_tracked(path, {**ours, settings.profile.name: after})
    for identifier in unknown:
        why = "was not added by this command" if forget else "is not known to the service"
        click.echo(f"{identifier} {why}.{'' if forget else ' Give its kind: --kind.'}", err=True)
    ctx.exit(ExitCode.IN_PART if unknown else ExitCode.DONE)


def _forget_identifiers(before: Tracked, identifiers: Iterable[str]) -> tuple[Tracked, list[str]]:
    """Return the remaining identifiers, and those that were not tracked."""
    unknown = [each for each in identifiers if not any(each in known for known in before.values())]
    left = {
        kind: tuple(each for each in known if each not in identifiers)
        for kind, known in before.items()
    }
    return saved_files.merge_tracked(left, {}), unknown


def _check_read(settings: Settings, kind: Kind) -> None:
    """Check by the dialect that the service can show an object of a kind.

    If it cannot, an object that tickets choose from is still tracked, and a message says so.
    """
    if is_read(dialect_of(settings.profile), kind):
        return
    noun, read = kind.value.replace("_", " "), READS[kind].get
    why = f"This service shows no {noun}, by its dialect ([paths] {read} = [])"
    if kind not in CHOSEN:
        raise CommandError(f"{why}: nothing was changed.")
    click.echo(f"{why}: tracked objects are known only by identifier.", err=True)


def _identify_all(settings: Settings, identifiers: Iterable[str]) -> tuple[Tracked, list[str]]:
    """Return the identifiers by kind as the service knows them, printed, and the unknown ones."""
    from paytui.api.client import Client, identify_kind

    async def look(client: Client, _: object) -> dict[str, Kind | None]:
        return {identifier: await identify_kind(client, identifier) for identifier in identifiers}

    found: Tracked = {}
    unknown = []
    for identifier, kind in ask_service(settings, look).items():
        if kind is None:
            unknown.append(identifier)
        else:
            click.echo(f"{kind.value} {identifier}")
            found = saved_files.merge_tracked(found, {kind: (identifier,)})
    return found, unknown
