"""The service as a command reads it: once, with the profile's secret, and told on stderr."""

from __future__ import annotations

import click

from paytui.cli.compose import read_once
from paytui.cli.kept_secret import KeptSecret
from paytui.cli.secret_source import secret_source
from paytui.config.settings import Settings
from paytui.store.store import Store


def read_all(settings: Settings) -> Store:
    """Everything that the service tells; what failed stands in the feeds' health.

    Raises:
        DialectError: the profile's dialect cannot be used.
        SecretError: there is no secret.
    """
    source = secret_source(settings.profile)
    secret = KeptSecret(source)
    click.echo(f"Reading {settings.profile.host}, client secret from {source.origin}…", err=True)
    return read_once(settings, secret)
