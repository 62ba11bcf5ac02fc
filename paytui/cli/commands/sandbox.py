"""`paytui sandbox`: the embedded service alone."""

from __future__ import annotations

import json
import os
import secrets
import signal
import sqlite3
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack
from urllib.parse import urlsplit

import click

from paytui.cli.common import CommandError, ExitCode, scale_option, seed_option, speed_option

if TYPE_CHECKING:
    from paytui.sandbox.context import WebhookTarget


def write_sandbox_config(path: Path, base_url: str, client_id: str, secret: str) -> None:
    """Write a configuration whose only profile is the sandbox, and its secret file beside it.

    Raises:
        ConfigError: one of the two files exists or cannot be written.
    """
    from paytui.config.saved import write_config, write_new

    secret_file = _secret_file(path)
    profile = {
        "base_url": base_url,
        "client_id": client_id,
        "live": False,
        "description": "Sandbox on this machine",
        "secret_file": secret_file.name,
    }
    write_new(secret_file, f"{secret}\n")
    write_config(path, {"default_profile": "sandbox", "profiles": {"sandbox": profile}})


def refuse_existing_sandbox_config(config: Path) -> None:
    """Check that a new sandbox configuration would overwrite nothing.

    Raises:
        ConfigError: the file or its secret file exists.
    """
    from paytui.config.saved import refuse_existing

    refuse_existing(config)
    refuse_existing(_secret_file(config))


def _secret_file(config: Path) -> Path:
    return config.with_name(f"{config.stem}.secret")


WEBHOOK_SECRET_VARIABLE = "PAYTUI_SANDBOX_WEBHOOK_SECRET"  # noqa: S105 - the variable's name


def webhook_target(url: str, *, allow_remote: bool) -> WebhookTarget:
    """Return the target of the webhooks, with the signing secret.

    Raises:
        click.UsageError: the URL cannot be used, or the secret is missing.
    """
    from paytui.sandbox.context import WebhookTarget

    _check_address(url, allow_remote=allow_remote)
    return WebhookTarget(url, _signing_secret())


def _check_address(url: str, *, allow_remote: bool) -> None:
    from paytui.platform.host import is_loopback

    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise click.UsageError(f"{url} is no address to send events to: {error}.") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise click.UsageError(f"{url} is no http or https address to send events to.")
    if not is_loopback(parts.hostname) and not allow_remote:
        raise click.UsageError(
            f"{parts.hostname} is not a loopback address: add --allow-remote to send events there."
        )


def _signing_secret() -> str:
    from standardwebhooks import Webhook
    from standardwebhooks.webhooks import EmptyWebhookSecretError

    secret = os.environ.get(WEBHOOK_SECRET_VARIABLE, "")
    try:
        if not secret.startswith("whsec_"):
            raise ValueError("without its prefix")
        Webhook(secret)
    except (ValueError, EmptyWebhookSecretError):
        raise click.UsageError(
            f"--webhook-url needs a secret to sign with: set {WEBHOOK_SECRET_VARIABLE} to whsec_ "
            "and base64."
        ) from None
    return secret


SECRET_VARIABLE = "PAYTUI_SANDBOX_SECRET"  # noqa: S105 - the variable's name
CLIENT_ID = "demo"


class ServiceOptions(TypedDict):
    """The options that are passed on to `SandboxOptions` by name."""

    seed: int
    scale: int
    speed: float
    database: str
    token_lifetime: float
    sheet_lifetime: float
    accounts: Literal["trusted", "kyc"]
    strict: bool
    ignore_idempotency: bool
    documented_only: bool
    awkward: bool


@click.command()
@click.option("--host", default="127.0.0.1", metavar="H", help="Listen on this address.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, metavar="P", help="0 takes a free one."
)
@seed_option
@scale_option
@speed_option
@click.option("--database", default=":memory:", metavar="FILE", help="Survives a restart.")
@click.option(
    "--write-config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a configuration that reaches this sandbox, and its secret beside it.",
)
@click.option("--token-lifetime", type=click.FloatRange(min=1), default=300.0, metavar="SECONDS")
@click.option("--sheet-lifetime", type=click.FloatRange(min=1), default=150.0, metavar="SECONDS")
@click.option(
    "--accounts",
    type=click.Choice(["trusted", "kyc"]),
    default="trusted",
    show_default=True,
    help="Register accounts at once, or after identity checks.",
)
@click.option("--strict", is_flag=True, help="Create nothing without an idempotency key.")
@click.option("--ignore-idempotency", is_flag=True, help="Execute every request, whatever its key.")
@click.option("--documented-only", is_flag=True, help="Serve the documented operations alone.")
@click.option("--awkward", is_flag=True, help="Use some names that are hard to show.")
@click.option("--webhook-url", metavar="URL", help="Send events there, signed.")
@click.option("--allow-remote", is_flag=True, help="Allow other addresses than loopback.")
@click.option("--until-stdin-closes", is_flag=True, hidden=True)
@click.pass_context
def sandbox(
    ctx: click.Context,
    *,
    host: str,
    port: int,
    write_config: Path | None,
    webhook_url: str | None,
    allow_remote: bool,
    until_stdin_closes: bool,
    **service: Unpack[ServiceOptions],
) -> None:
    """Run the embedded service alone.

    It prints one line of JSON (base_url, client_id, pid) when it answers. Its secret is that of
    the environment variable PAYTUI_SANDBOX_SECRET, or random. Events are signed as Standard
    Webhooks with the secret of PAYTUI_SANDBOX_WEBHOOK_SECRET (whsec_ and base64).
    """
    from paytui.platform.clock import SystemClock
    from paytui.sandbox.context import SandboxOptions
    from paytui.sandbox.server import serve

    _check_host(host, allow_remote=allow_remote, writes=write_config is not None)
    webhook = webhook_target(webhook_url, allow_remote=allow_remote) if webhook_url else None
    if write_config is not None:
        refuse_existing_sandbox_config(write_config)
    secret = _secret(write_config)
    announcement = Announcement(secret, write_config)
    options = SandboxOptions(client_secret=secret, client_id=CLIENT_ID, webhook=webhook, **service)
    if until_stdin_closes:
        threading.Thread(target=_stop_at_end_of_input, daemon=True).start()
    try:
        stopped_by = serve(options, SystemClock(), host, port, announcement.make)
    except OSError as error:
        raise CommandError(f"Cannot listen on {host} port {port}: {error.strerror}.") from None
    except sqlite3.Error as error:
        raise CommandError(f"Cannot use the database {options.database}: {error}.") from None
    if stopped_by == signal.SIGINT:
        ctx.exit(ExitCode.INTERRUPTED)


@dataclass(frozen=True, slots=True)
class Announcement:
    """The output once the service answers: a file for paytui, a line for scripts."""

    secret: str
    write_config: Path | None

    def make(self, base_url: str) -> None:
        """Write the file, if requested, then the line: a script that reads it finds the file."""
        if self.write_config is not None:
            write_sandbox_config(self.write_config, base_url, CLIENT_ID, self.secret)
        line = {"base_url": base_url, "client_id": CLIENT_ID, "pid": os.getpid()}
        click.echo(json.dumps(line))


def _check_host(host: str, *, allow_remote: bool, writes: bool) -> None:
    from paytui.platform.host import is_loopback

    if is_loopback(host):
        return
    if not allow_remote:
        raise click.UsageError(
            f"{host} is not a loopback address, and the sandbox speaks plain http: "
            "add --allow-remote if others on the network may use it."
        )
    if writes:
        raise click.UsageError(
            "--write-config needs a loopback address: paytui refuses plain http to others."
        )


def _secret(write_config: Path | None) -> str:
    if given := os.environ.get(SECRET_VARIABLE):
        return given
    if write_config is None:
        click.echo(
            f"The secret is random: set {SECRET_VARIABLE}, or add --write-config FILE, to sign in.",
            err=True,
        )
    return secrets.token_urlsafe(32)


def _stop_at_end_of_input() -> None:
    """End when stdin closes, which happens however the parent process ends."""
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
