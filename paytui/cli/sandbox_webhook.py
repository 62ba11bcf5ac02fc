"""Where the events of `paytui sandbox --webhook-url` go, and what they are signed with."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

if TYPE_CHECKING:
    from paytui.sandbox.context import WebhookTarget

WEBHOOK_SECRET_VARIABLE = "PAYTUI_SANDBOX_WEBHOOK_SECRET"  # noqa: S105 - the variable's name


def webhook_target(url: str, *, allow_remote: bool) -> WebhookTarget:
    """Where events go.

    Raises:
        click.UsageError: it is no place to send them to, or they cannot be signed.
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
