"""The first start, without a configuration: a short guided set-up, or a way into the demo."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from enum import Enum, auto
from importlib.util import find_spec
from pathlib import Path

import click

from paytui.cli.ask import ask
from paytui.cli.errors import EXPECTED
from paytui.cli.new_profile import NewProfile, Origin
from paytui.cli.questions import ask_base_url, ask_client_id, ask_live, ask_name
from paytui.cli.sign_in import look_in
from paytui.config.saved import refuse_existing
from paytui.platform.secret import Secret, variable_of


class Next(Enum):
    """The next step after the setup."""

    DASHBOARD = auto()
    DEMO = auto()
    NOTHING = auto()


def first_start(path: Path) -> Next:
    """Ask what a new user wants; set up a service, if that is it.

    Raises:
        ConfigError: the configuration cannot be written.
        click.Abort: the questions were left; nothing is written then.
    """
    _say(f"Welcome to paytui. There is no configuration yet ({path}).")
    wish = _choose(
        "What would you like to do?",
        {
            "s": "set up a service of yours: five questions, and a test of the connection",
            "d": "look around in a demo on this machine first; no money, nothing is kept",
            "q": "leave",
        },
    )
    if wish == "d":
        return Next.DEMO
    if wish == "q":
        return Next.NOTHING
    try:
        return _set_up(path)
    except click.Abort:
        _say("\nLeft: nothing was written.")
        raise


def _set_up(path: Path) -> Next:
    refuse_existing(path)
    profile = _asked(NewProfile())
    while not _works(path, profile):
        wish = _choose(
            "What now?",
            {
                "c": "change the answers",
                "r": "try again",
                "w": "write the configuration as it is",
                "q": "leave without writing anything",
            },
        )
        if wish == "q":
            return Next.NOTHING
        if wish == "w":
            break
        if wish == "c":
            profile = _asked(profile)
    profile.write(path)
    _say(f"Written to {path}. `paytui config show` prints every setting there is.")
    open_it = click.confirm("Open the dashboard now?", default=True, err=True)
    return Next.DASHBOARD if open_it else Next.NOTHING


def _asked(before: NewProfile) -> NewProfile:
    """All answers; those that were given before are offered again."""
    base_url = ask_base_url(before.base_url)
    profile = NewProfile(
        base_url=base_url,
        client_id=ask_client_id(before.client_id),
        live=ask_live(default=before.live),
        name=ask_name(*filter(None, [before.name])),
    )
    return _with_secret(profile, before)


def _with_secret(profile: NewProfile, before: NewProfile) -> NewProfile:
    origins = {str(number): origin for number, origin in enumerate(_origins(), start=1)}
    default = next(number for number, origin in origins.items() if origin is before.origin)
    chosen = _choose("Where does the client secret come from?", origins, default)
    profile = replace(profile, origin=origins[chosen])
    match profile.origin:
        case Origin.COMMAND:
            return replace(profile, command=_ask_command(before.command))
        case Origin.FILE:
            file = click.prompt("Its path", default=before.file or None, err=True)
            return replace(profile, file=file)
        case Origin.TYPED | Origin.KEYRING:
            return replace(profile, typed=_ask_secret(before.typed))
        case Origin.ELSEWHERE:
            _say(f"Where {variable_of(profile.name)} is not set, each start asks for it.")
            return profile


def _origins() -> list[Origin]:
    """Return the available origins: the keyring needs a library."""
    return [each for each in Origin if each is not Origin.KEYRING or find_spec("keyring")]


def _ask_secret(before: Secret | None) -> Secret:
    if before is None:
        return Secret(click.prompt("Client secret (not shown)", hide_input=True, err=True))
    question = "Client secret (not shown; enter keeps the one you typed)"
    secret = click.prompt(question, "", hide_input=True, show_default=False, err=True)
    return Secret(secret) if secret else before


def _ask_command(default: str) -> str:
    def judged(text: str) -> str:
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise click.BadParameter(f"{error}.") from None
        if not words:
            raise click.BadParameter("Name a program, as in: pass show paytui/acme")
        return text

    question = "The program and its arguments"
    command: str = click.prompt(question, default=default or None, value_proc=judged, err=True)
    return command


def _works(path: Path, profile: NewProfile) -> bool:
    """Return True if signing in works; print the reason if it does not."""
    try:
        _say(ask(profile.settings(path), look_in, profile.typed, anew=True))
    except (*EXPECTED, click.ClickException) as error:
        said = error.format_message() if isinstance(error, click.ClickException) else str(error)
        _say(f"It does not work yet: {said}")
        return False
    return True


def _choose(question: str, options: Mapping[str, str], default: str = "") -> str:
    """Return the key of what is chosen; enter takes the default, or the first."""
    _say("")
    for key, words in options.items():
        _say(f"  {key}  {words}")
    keys = click.Choice(list(options), case_sensitive=False)
    default = default or next(iter(options))
    chosen: str = click.prompt(question, type=keys, default=default, show_choices=False, err=True)
    return chosen


def _say(words: str) -> None:
    click.echo(words, err=True)
