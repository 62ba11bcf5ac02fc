"""`paytui sandbox`: the embedded service, alone."""

from __future__ import annotations

import json
import math
import os
import secrets
import signal
import sqlite3
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from paytui.cli.common import CommandError, ExitCode
from paytui.config import saved_files
from paytui.domain.money import CurrencyCode
from paytui.platform.host import is_loopback

if TYPE_CHECKING:
    from paytui.sandbox.context import Bank

WEBHOOK_SECRET_VARIABLE = "PAYTUI_SANDBOX_WEBHOOK_SECRET"  # noqa: S105 - the variable's name


def webhook_secret(url: str, *, allow_remote: bool) -> str:
    """Return the secret that signs webhooks.

    Raise click.UsageError if the URL cannot be used, or the secret is missing.
    """
    from standardwebhooks.webhooks import EmptyWebhookSecretError, Webhook

    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise click.UsageError(f"{url} is not a valid address for events: {error}.") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise click.UsageError(f"{url} is not an http or https address for events.")
    if not is_loopback(parts.hostname) and not allow_remote:
        raise click.UsageError(
            f"{parts.hostname} is not a loopback address: add --allow-remote to send events there."
        )
    secret = os.environ.get(WEBHOOK_SECRET_VARIABLE, "")
    try:
        if not secret.startswith("whsec_"):
            raise ValueError("without its prefix")
        Webhook(secret)
    except (ValueError, EmptyWebhookSecretError):
        raise click.UsageError(
            f"--webhook-url needs a signing secret: set {WEBHOOK_SECRET_VARIABLE} to whsec_ "
            "and base64."
        ) from None
    return secret


def _number(_: click.Context, __: click.Parameter, value: float) -> float:
    """Refuse nan and inf, which click accepts for a range."""
    if not math.isfinite(value):
        raise click.BadParameter(f"{value} is not a number.")
    return value


seed_option = click.option("--seed", type=int, default=1, metavar="N", help="Random seed.")
scale_option = click.option(
    "--scale",
    type=click.IntRange(min=0),
    default=200,
    metavar="N",
    help="Seed N payments and related objects.",
)
speed_option = click.option(
    "--speed",
    type=click.FloatRange(min=0),
    callback=_number,
    default=1.0,
    metavar="X",
    help="Speed factor of states, pay-ins and rates; 0 stops them.",
)
REPORTING = CurrencyCode("AUD")  # A demo's totals are in this currency
SECRET_VARIABLE = "PAYTUI_SANDBOX_SECRET"  # noqa: S105 - the variable's name
CLIENT_ID = "demo"


def profile_of(base_url: str) -> dict[str, Any]:
    """Return the entries of a profile for a sandbox on this machine, without its secret."""
    return {
        "base_url": base_url,
        "client_id": CLIENT_ID,
        "live": False,
        "description": "Sandbox on this machine",
    }


@click.command()
@click.option("--host", default="127.0.0.1", metavar="H", help="Listen on this address.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="P",
    help="Port; 0 picks a free one.",
)
@seed_option
@scale_option
@speed_option
@click.option(
    "--database", default=":memory:", metavar="FILE", help="Database file that survives a restart."
)
@click.option(
    "--write-config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a configuration for this sandbox, and its secret beside it.",
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
@click.option("--strict", is_flag=True, help="Require idempotency keys.")
@click.option(
    "--ignore-idempotency", is_flag=True, help="Ignore idempotency keys: execute every request."
)
@click.option("--documented-only", is_flag=True, help="Serve only the documented operations.")
@click.option("--awkward", is_flag=True, help="Seed names that are hard to display.")
@click.option("--webhook-url", metavar="URL", help="Send signed events to this URL.")
@click.option("--allow-remote", is_flag=True, help="Allow addresses other than loopback.")
@click.option("--until-stdin-closes", is_flag=True, hidden=True)
@click.option(
    "--past-book", "past_books", multiple=True, type=click.Path(path_type=Path), hidden=True
)
@click.pass_context
def sandbox(
    ctx: click.Context,
    /,
    *,
    host: str,
    port: int,
    write_config: Path | None,
    webhook_url: str | None,
    allow_remote: bool,
    until_stdin_closes: bool,
    past_books: tuple[Path, ...],
    **service: Any,  # noqa: ANN401 - the other options of `SandboxOptions`, by name
) -> None:
    """Run the embedded service alone.

    It prints one line of JSON (base_url, client_id, pid) when it answers. Its secret is that of
    the environment variable PAYTUI_SANDBOX_SECRET, or random. Events are signed as Standard
    Webhooks with the secret of PAYTUI_SANDBOX_WEBHOOK_SECRET (whsec_ and base64).
    """
    from paytui.platform.clock import SystemClock
    from paytui.sandbox.context import SandboxOptions, WebhookTarget
    from paytui.sandbox.server import serve

    _check_host(host, allow_remote=allow_remote, writes=write_config is not None)
    webhook = None
    if webhook_url:
        signing = webhook_secret(webhook_url, allow_remote=allow_remote)
        webhook = WebhookTarget(webhook_url, signing)
    if write_config is not None:
        saved_files.refuse_existing(write_config)
        secret_file = write_config.with_name(f"{write_config.stem}.secret")
        saved_files.refuse_existing(secret_file)
    secret = _secret(write_config)

    def announce(base_url: str, bank: Bank) -> None:
        """Write the file, if requested, then the line: a script that reads it finds the file."""
        if write_config is not None:
            profile = {**profile_of(base_url), "secret_file": secret_file.name}
            saved_files.write_new(secret_file, f"{secret}\n")
            saved_files.write_config(
                write_config, {"default_profile": "sandbox", "profiles": {"sandbox": profile}}
            )
        line = {"base_url": base_url, "client_id": CLIENT_ID, "pid": os.getpid()}
        click.echo(json.dumps(line))
        if past_books:
            from paytui.cli.wiring.demo import record_past
            from paytui.config.settings import Rates

            record_past(bank, past_books, Rates().watch, REPORTING)

    options = SandboxOptions(client_secret=secret, client_id=CLIENT_ID, webhook=webhook, **service)
    if until_stdin_closes:
        threading.Thread(target=_stop_at_end_of_input, daemon=True).start()
    try:
        stopped_by = serve(options, SystemClock(), host, port, announce)
    except OSError as error:
        raise CommandError(f"Cannot listen on {host} port {port}: {error.strerror}.") from None
    except sqlite3.Error as error:
        raise CommandError(f"Cannot use the database {options.database}: {error}.") from None
    if stopped_by == signal.SIGINT:
        ctx.exit(ExitCode.INTERRUPTED)


def _check_host(host: str, *, allow_remote: bool, writes: bool) -> None:
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
