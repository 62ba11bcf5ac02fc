"""One try whether a service lets us in, and what it shows us."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paytui.api.client import Client
    from paytui.api.dialect import Dialect


async def look_in(client: Client, _: Dialect) -> str:
    """Sign in and read a first page of wallets; says how that went.

    Raises:
        ApiError: the service does not let us in, or cannot be understood.
    """
    from paytui.api.errors import NotOffered
    from paytui.domain.models import Kind

    await client.sign_in()
    try:
        async for page in client.pages(Kind.WALLETS):
            return f"Signed in. It has {page.total or len(page.records):,} wallets for you."
    except NotOffered:
        pass
    return "Signed in. It lists no wallets: `paytui track` names those to read."
