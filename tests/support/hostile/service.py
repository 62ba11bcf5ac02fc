"""A service with hostile text in every response: an ASGI app for all operations."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from paytui.platform.text import clean
from tests.support.hostile.corpus import JOINED, MILLION, NUMBERS, TEXTS
from tests.support.hostile.records import IDENTIFIERS, KINDS, spoilt
from tests.support.scripted import AUTH, Reply, token_reply

_SHEET = {
    "createdAt": "2026-03-02T12:00:00Z",
    "expiresAt": "2036-03-02T12:02:30Z",
    "rates": [{"sellCurrency": "AUD", "buyCurrency": "USD", "rate": "0.65"}],
}


class HostileService:
    """Lists a record of every kind for each text, then some with everything wrong in them.

    What is created is refused with one of the texts, in turn, wherever a refusal has words.

    Attributes:
        posted: the paths of what was to be created, in order.
    """

    def __init__(self) -> None:
        self._lists = {kind: _list(kind) for kind in KINDS}
        self._texts = list(TEXTS.values())
        self._parents: dict[str, str] = {}
        self.posted: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        await request.body()
        await self._reply(request).response()(scope, receive, send)

    def _reply(self, request: Request) -> Reply:
        path: str = request.scope["path"]
        if path == AUTH:
            return token_reply(1, "2036-03-02T12:05:00Z")
        if request.method == "POST":
            return self._created(path)
        kind = path.rpartition("/")[2]
        if kind not in self._lists:
            return self._one(path)
        # Where a list is asked for by what its records belong to, the first one has them all.
        parent = path + request.query_params.get("walletId", "")
        is_first = self._parents.setdefault(kind, parent) == parent
        return Reply(self._lists[kind] if is_first else b'{"items": [], "total": 0}')

    def _created(self, path: str) -> Reply:
        self.posted.append(path)
        text = self._texts[len(self.posted) % len(self._texts)]
        if path.endswith("/rate-sheets"):
            return Reply(
                {"item": {**_SHEET, "rateSheetId": f"s{len(self.posted)}-{clean(text)}"}}, 201
            )
        problem = {"code": text, "message": text, "traceId": text}
        details = [{"field": text, "message": text}]
        return Reply({"error": {**problem, "details": details}}, 422)

    def _one(self, path: str) -> Reply:
        """By its identifier, as a client that cleans what it reads asks for it."""
        for kind, body in self._lists.items():
            whole = json.loads(body, parse_int=str, parse_float=str, parse_constant=str)
            for item in whole["items"]:
                key = item.get(IDENTIFIERS[kind]) if isinstance(item, dict) else None
                if isinstance(key, str) and path.endswith(f"/{clean(key)}"):
                    return Reply({"item": {**item, key: item}})
        return Reply(b"Not Found", 404, {"content-type": "text/plain"})


def _list(kind: str) -> bytes:
    make = KINDS[kind]
    items = [json.dumps(make(f"{n:03}", text)) for n, text in enumerate(TEXTS.values())]
    for n, text in enumerate(TEXTS.values()):
        items.append(json.dumps(spoilt(kind, make(f"s{n:03}", "spoilt"), text)))
    for n, number in enumerate(NUMBERS.values()):
        raw = json.dumps(spoilt(kind, make(f"n{n:03}", "number"), "@number@"))
        items.append(raw.replace('"@number@"', number))
    items += [json.dumps(make("joined", JOINED)), *_broken(kind)]
    return f'{{"items": [{",".join(items)}], "total": {len(items)}}}'.encode()


def _broken(kind: str) -> list[str]:
    """A million letters, much within itself, one name twice, and what is no record at all."""
    make, key = KINDS[kind], IDENTIFIERS[kind]
    long = {**make("long", "long"), _first_text(kind): MILLION}
    deep = json.dumps(make("deep", "deep"))[:-1] + ', "x": ' + "[" * 200 + "]" * 200 + "}"
    twice = json.dumps(make("twice", "twice"))[:-1] + ', "status": "\\u001b[2J"}'
    others: list[object] = [7, None, [], "x", {key: {"a": 1}}, {key: [1]}, {key: True}]
    others.append({**make("joined", JOINED), key: f"{make('joined', JOINED)[key]}\u200b"})
    return [json.dumps(long), deep, twice, *map(json.dumps, others)]


def _first_text(kind: str) -> str:
    return next(name for name in KINDS[kind]("0", "") if not name.endswith("Id"))
