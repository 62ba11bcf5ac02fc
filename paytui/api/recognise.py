"""Finding out of which kind the object behind an identifier is, by asking the service."""

from __future__ import annotations

from paytui.api.client import Client
from paytui.api.errors import NotOffered, NotSeen, NotSent, Refused
from paytui.api.kinds import TRACKED
from paytui.domain.models import Kind, Recipient, RecipientId


async def recognise(client: Client, identifier: str) -> Kind | None:
    """The first kind of which the service has such an object; None where it has none.

    Raises:
        ApiError: the service cannot be asked.
    """
    nothing_known = Recipient(RecipientId(identifier))
    for kind in TRACKED:
        try:
            record = await client.get(kind, identifier)
        except (Refused, NotOffered, NotSent, NotSeen):
            continue
        # A service may have no addresses for whatever is asked, and just say so.
        if record != nothing_known:
            return kind
    return None
