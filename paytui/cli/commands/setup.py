"""The setup at the first start: questions about the service, a test, or the demo."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from paytui.api.client import Client
from paytui.api.errors import NotOffered
from paytui.cli.common import EXPECTED
from paytui.cli.wiring.compose import ask_service
from paytui.config.load import settings_in
from paytui.config.saved_files import refuse_existing, write_config, write_new
from paytui.config.settings import ConfigFile, Settings
from paytui.config.validation import ConfigError, validated
from paytui.domain.models import Kind
from paytui.platform.secret import Secret, SecretKeyring, secret_variable

KEYRING_SERVICE = "paytui"
"""The service name of our entries in the keyring; their user name is the profile's name."""


class SecretOrigin(StrEnum):
    """The origin of a client secret; the values are the texts of the choices."""

    COMMAND = "a program that prints it, for example a password manager"
    FILE = "a file with it (mode 0600)"
    TYPED = "typed now, stored in a file of mode 0600 beside the configuration"
    ELSEWHERE = "the environment, or typed at each start"
    KEYRING = "typed now, stored in this system's keyring"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewProfile:
    """The answers so far: the entries of its table, and the secret itself if it was `typed`."""

    name: str = ""
    entries: Mapping[str, Any] = field(default_factory=dict)
    origin: SecretOrigin = SecretOrigin.COMMAND
    typed: Secret | None = field(default=None, repr=False)

    def settings(self, path: Path) -> Settings:
        """Return the settings of a file with only this profile.

        Raise ConfigError if an answer is invalid, or the operator does not allow it.
        """
        return settings_in(path, self._tree, self.name)

    def write(self, path: Path) -> None:
        """Write the configuration and store the secret; never overwrite files.

        Raises:
            ConfigError: a file exists, or cannot be written.
            SecretError: the keyring does not take the secret.
        """
        if self.origin is SecretOrigin.TYPED and self.typed is not None:
            write_new(path.parent / self.entries["secret_file"], f"{self.typed.reveal()}\n")
        if self.origin is SecretOrigin.KEYRING and self.typed is not None:
            SecretKeyring(KEYRING_SERVICE, self.name).store(self.typed)
        write_config(path, self._tree)

    @property
    def _tree(self) -> dict[str, object]:
        return {"default_profile": self.name, "profiles": {self.name: self.entries}}


ANY_NAME, ANY_URL, ANY_ID = "main", "https://api.example.com", "desk"

QUOTE = '"'


def ask_live(*, default: bool = True) -> bool:
    if not sys.stdin.isatty():
        raise click.UsageError(
            "--live or --not-live is missing, and there is no terminal to ask on."
        )
    return click.confirm("Does real money move there?", default=default, err=True)


QUESTIONS = {
    "name": ("--profile", "Name of the profile"),
    "base_url": ("--base-url", "URL of the service"),
    "client_id": ("--client-id", "Client id"),
}
"""The option and the question for each entry of a profile."""


def ask(key: str, default: str = "") -> str:
    """Ask for an entry of a profile, until it is valid."""
    option, question = QUESTIONS[key]
    if not sys.stdin.isatty():
        raise click.UsageError(f"{option} is missing, and there is no terminal to ask on.")

    def judged(text: str) -> str:
        try:
            validated(ConfigFile, Path(), _tree(key, text.strip()))
        except ConfigError as error:
            remedy, _, example = error.remedy.partition(f"{key} = ")  # as a file has it
            said = f"it {error.message}. {remedy}{example.strip(QUOTE)}"
            raise click.BadParameter(said) from None
        return text.strip()

    answer: str = click.prompt(question, default=default or None, value_proc=judged, err=True)
    return answer


def _tree(key: str, answer: str) -> dict[str, object]:
    """Return a configuration in which only one answer can be invalid."""
    name = answer if key == "name" else ANY_NAME
    profile = {"base_url": ANY_URL, "client_id": ANY_ID}
    return {"profiles": {name: profile if key == "name" else {**profile, key: answer}}}


class NextStep(Enum):
    """The next step after the setup."""

    DASHBOARD = auto()
    DEMO = auto()
    NOTHING = auto()


def run_setup(path: Path) -> NextStep:
    """Ask a new user for the next step; set up a service on request.

    Raises:
        ConfigError: the configuration cannot be written.
        click.Abort: the user cancelled; nothing is written.
    """
    _say(f"Welcome to paytui. There is no configuration yet ({path}).")
    wish = _choose(
        "What would you like to do?",
        {
            "s": "set up your service: five questions and a connection test",
            "d": "try a demo on this machine first: no money, nothing stored",
            "q": "leave",
        },
    )
    if wish == "d":
        return NextStep.DEMO
    if wish == "q":
        return NextStep.NOTHING
    try:
        return _set_up(path)
    except click.Abort:
        _say("\nLeft: nothing was written.")
        raise


def _set_up(path: Path) -> NextStep:
    refuse_existing(path)
    profile = _asked(NewProfile())
    while not _works(path, profile):
        wish = _choose(
            "What now?",
            {
                "c": "change the answers",
                "r": "try again",
                "w": "write the configuration anyway",
                "q": "leave without writing anything",
            },
        )
        if wish == "q":
            return NextStep.NOTHING
        if wish == "w":
            break
        if wish == "c":
            profile = _asked(profile)
    profile.write(path)
    _say(f"Written to {path}. `paytui config show` prints every setting there is.")
    open_it = click.confirm("Open the dashboard now?", default=True, err=True)
    return NextStep.DASHBOARD if open_it else NextStep.NOTHING


def _asked(before: NewProfile) -> NewProfile:
    """Ask all questions; earlier answers are the defaults."""
    known = before.entries
    entries = {
        "base_url": ask("base_url", known.get("base_url", "")),
        "client_id": ask("client_id", known.get("client_id", "")),
        "live": ask_live(default=known.get("live", True)),
    }
    name = ask("name", before.name or ANY_NAME)
    origin, typed = _ask_origin(before.origin), None
    match origin:
        case SecretOrigin.COMMAND:
            entries["secret_command"] = _ask_command(shlex.join(known.get("secret_command", ())))
        case SecretOrigin.FILE:
            file = known.get("secret_file") if before.origin is origin else None
            entries["secret_file"] = click.prompt("Path of the file", default=file, err=True)
        case SecretOrigin.TYPED:
            entries["secret_file"], typed = f"{name}.secret", _ask_secret(before.typed)
        case SecretOrigin.KEYRING:
            entries["secret_keyring"] = f"{KEYRING_SERVICE}/{name}"
            typed = _ask_secret(before.typed)
        case SecretOrigin.ELSEWHERE:
            _say(f"Where {secret_variable(name)} is not set, each start asks for it.")
    return NewProfile(name=name, entries=entries, origin=origin, typed=typed)


def _ask_origin(before: SecretOrigin) -> SecretOrigin:
    available = [
        each for each in SecretOrigin if each is not SecretOrigin.KEYRING or find_spec("keyring")
    ]
    origins = {str(number): origin for number, origin in enumerate(available, start=1)}
    default = next(number for number, origin in origins.items() if origin is before)
    return origins[_choose("Where does the client secret come from?", origins, default)]


def _ask_secret(before: Secret | None) -> Secret:
    if before is None:
        return Secret(click.prompt("Client secret (not shown)", hide_input=True, err=True))
    question = "Client secret (not shown; enter keeps the one you typed)"
    secret = click.prompt(question, "", hide_input=True, show_default=False, err=True)
    return Secret(secret) if secret else before


def _ask_command(default: str) -> list[str]:
    def judged(text: str) -> list[str]:
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise click.BadParameter(f"{error}.") from None
        if not words:
            raise click.BadParameter("Name a program, as in: pass show paytui/acme")
        return words

    question = "The program and its arguments"
    words: list[str] = click.prompt(question, default=default or None, value_proc=judged, err=True)
    return words


def _works(path: Path, profile: NewProfile) -> bool:
    """Return True if signing in works; print the reason if it does not."""
    try:
        _say(ask_service(profile.settings(path), _probe_login, profile.typed, anew=True))
    except (*EXPECTED, click.ClickException) as error:
        said = error.format_message() if isinstance(error, click.ClickException) else str(error)
        _say(f"Not working yet: {said}")
        return False
    return True


def _choose(question: str, options: Mapping[str, str], default: str = "") -> str:
    """Return the key of the chosen option; enter takes the default, or the first."""
    _say("")
    for key, words in options.items():
        _say(f"  {key}  {words}")
    keys = click.Choice(list(options), case_sensitive=False)
    default = default or next(iter(options))
    chosen: str = click.prompt(question, type=keys, default=default, show_choices=False, err=True)
    return chosen


def _say(words: str) -> None:
    click.echo(words, err=True)


async def _probe_login(client: Client, _: object) -> str:
    """Sign in, read a first page of wallets and return the result in words.

    Raise ApiError if the login is refused, or a response cannot be read.
    """
    await client.sign_in()
    try:
        async for page in client.pages(Kind.WALLETS):
            return f"Signed in: {page.total or len(page.records):,} wallets."
    except NotOffered:
        pass
    return "Signed in. It lists no wallets: `paytui track` adds those to read."
