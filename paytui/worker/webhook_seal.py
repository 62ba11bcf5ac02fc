"""Whether a webhook was signed by who knows the secret, as Standard Webhooks has it."""

from __future__ import annotations

import binascii
import hmac
from base64 import b64decode
from datetime import UTC, datetime

from standardwebhooks import Webhook

from paytui.platform.secret import Secret

PREFIX = "whsec_"


class NoSeal(ValueError):
    """A secret that nothing can be signed with; the message never tells it."""


class Seal:
    """Checks signatures. Times are not its matter: the library would ask the host's own clock.

    Args:
        secret: base64, after `whsec_` or bare.

    Raises:
        NoSeal: it is not base64, or holds nothing.
    """

    def __init__(self, secret: Secret) -> None:
        text = secret.reveal().strip().removeprefix(PREFIX)
        try:
            key = b64decode(text + "=" * (-len(text) % 4), validate=True)
        except (binascii.Error, ValueError):
            raise NoSeal("is not whsec_ and base64") from None
        if not key:
            raise NoSeal("is empty")
        self._webhook = Webhook(key)

    def fits(self, message_id: str, timestamp: int, signatures: str, body: bytes) -> bool:
        """Whether one of the signatures is that of a message.

        Args:
            message_id: the header `webhook-id`.
            timestamp: the header `webhook-timestamp`, epoch seconds.
            signatures: the header `webhook-signature`: `v1,BASE64`, several with spaces between.
            body: as it came.
        """
        try:
            at = datetime.fromtimestamp(timestamp, UTC)
            wanted = self._webhook.sign(message_id, at, body.decode()).encode()
        except (ValueError, OverflowError, OSError):
            return False
        given = (signature.encode() for signature in signatures.split(" "))
        return any(hmac.compare_digest(wanted, each) for each in given)
