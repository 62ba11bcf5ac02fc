"""Faults of a service itself: wrong objects in responses, unrequested bookings."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping

import httpx

from tests.simulation.post_log import KEY_HEADER
from tests.simulation.world import World

_IDENTIFIERS = ("paymentTransactionId", "tradeTransactionId")


class Misdeeds:
    """Remembers what was asked and answered, so that what is wrong once stays so for its key."""

    def __init__(self, world: World) -> None:
        self._purses = {purse.wallet_id: purse for purse in world.purses}
        self._twins = {
            purse.wallet_id: other.wallet_id
            for purse in world.purses
            for other in world.purses
            if other.currency == purse.currency and other is not purse
        }
        self._arrived: dict[str, bytes] = {}
        self._answers: defaultdict[str, dict[str, bytes]] = defaultdict(dict)

    def arrives(self, request: httpx.Request, *, otherwise: bool) -> bytes:
        """The body as the service takes it; once taken otherwise, it is again for the same key."""
        key = request.headers[KEY_HEADER]
        if key not in self._arrived:
            body = self._changed(request.content) if otherwise else request.content
            self._arrived[key] = body
        return self._arrived[key]

    def answered(self, request: httpx.Request, response: httpx.Response) -> None:
        """A request that moves money was answered like this."""
        if response.status_code == 201:
            kept = self._answers[request.url.path.rstrip("s")]
            kept.setdefault(request.headers[KEY_HEADER], response.content)

    def anothers(self, request: httpx.Request) -> bytes | None:
        """The newest answer to any other key of the same operation."""
        key = request.headers[KEY_HEADER]
        kept = self._answers[request.url.path.rstrip("s")]
        others = [content for theirs, content in kept.items() if theirs != key]
        return others[-1] if others else None

    def _changed(self, content: bytes) -> bytes:
        """Another destination where there is one; else another amount."""
        body = json.loads(content)
        for name in ("destinationWalletId", "buyWalletId"):
            if (twin := self._twins.get(body.get(name))) not in (None, body.get("sourceWalletId")):
                return json.dumps({**body, name: twin}).encode()
        for name in ("amount", "sellAmount", "buyAmount"):
            if name in body:
                return json.dumps({**body, name: _more(body[name])}).encode()
        raise AssertionError(body)


def bare(content: bytes) -> bytes:
    """An answer with nothing but the identifier, which is all that service.md §4 promises."""
    item: Mapping[str, object] = json.loads(content).get("item", {})
    return json.dumps(
        {"item": {name: item[name] for name in _IDENTIFIERS if name in item}}
    ).encode()


def _more(amount: str | float) -> str | int:
    """Return one more; all amounts of a run are whole."""
    more = int(float(amount)) + 1
    return str(more) if isinstance(amount, str) else more
