"""Questions on the terminal about a profile; each answer is judged at once, as in the file."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from paytui.config.document import check_tree
from paytui.config.errors import ConfigError

ANY_NAME, ANY_URL, ANY_ID = "main", "https://api.example.com", "desk"

QUOTE = '"'


def ask_name(default: str = ANY_NAME) -> str:
    """Ask for the name of the profile."""
    return _ask("--profile", "Name of the profile", "name", default)


def ask_base_url(default: str = "") -> str:
    """Ask for the URL of the service."""
    return _ask("--base-url", "URL of the service", "base_url", default)


def ask_client_id(default: str = "") -> str:
    """Ask for the client id."""
    return _ask("--client-id", "Client id", "client_id", default)


def ask_live(*, default: bool = True) -> bool:
    """Ask whether real money moves there."""
    if not sys.stdin.isatty():
        raise click.UsageError(
            "--live or --not-live is missing, and there is no terminal to ask on."
        )
    return click.confirm("Does real money move there?", default=default, err=True)


def _ask(option: str, question: str, key: str, default: str) -> str:
    if not sys.stdin.isatty():
        raise click.UsageError(f"{option} is missing, and there is no terminal to ask on.")

    def judged(text: str) -> str:
        try:
            check_tree(Path(), _tree(key, text.strip()))
        except ConfigError as error:
            remedy, _, example = error.remedy.partition(f"{key} = ")  # as a file has it
            said = f"it {error.message}. {remedy}{example.strip(QUOTE)}"
            raise click.BadParameter(said) from None
        return text.strip()

    answer: str = click.prompt(question, default=default or None, value_proc=judged, err=True)
    return answer


def _tree(key: str, answer: str) -> dict[str, object]:
    """A configuration in which nothing but one answer can be wrong."""
    name = answer if key == "name" else ANY_NAME
    profile = {"base_url": ANY_URL, "client_id": ANY_ID}
    return {"profiles": {name: profile if key == "name" else {**profile, key: answer}}}
