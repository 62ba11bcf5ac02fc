"""The processing of a request: faults, transaction, authentication, idempotency, entity tags."""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from itertools import count

from starlette.requests import Request
from starlette.responses import Response

from paytui.sandbox import idempotency
from paytui.sandbox.auth import authenticate
from paytui.sandbox.clock import iso
from paytui.sandbox.context import Bank, Call
from paytui.sandbox.database import savepoint, transaction
from paytui.sandbox.idempotency import KeysInFlight, KeyUse
from paytui.sandbox.messages import (
    Answer,
    ApiError,
    FaultKind,
    Faults,
    JsonObject,
    after,
    instead,
    parse_object,
    read_body,
    respond,
)
from paytui.sandbox.service.lifecycle import advance
from paytui.sandbox.service.operations import Operation

HEADER = "etag"
CONDITION = "if-none-match"


def entity_tag(db: sqlite3.Connection, tables: tuple[str, ...], url: str) -> str:
    """Return a tag that changes with the versions of these tables; no body is built to compare.

    The path and query are part of it, so that tags of different addresses differ.
    """
    (epoch,) = db.execute("SELECT epoch FROM clock").fetchone()
    versions = dict(db.execute("SELECT name, value FROM versions").fetchall())
    seen = [epoch, url, *(versions[table] for table in tables)]
    return f'"{hashlib.blake2b(repr(seen).encode(), digest_size=12).hexdigest()}"'


def is_named(tag: str, condition: str | None) -> bool:
    """Return True if an `If-None-Match` names a tag, compared weakly (RFC 9110 §13.1.2)."""
    named = (condition or "").split(",")
    return tag in {one.strip().removeprefix("W/") for one in named}


AUTH = "auth"


@dataclass(frozen=True, slots=True)
class ParsedRequest:
    """A parsed request; `url` is path and query."""

    url: str
    params: dict[str, str]
    query: Mapping[str, str]
    authorisation: str | None
    key: str | None
    condition: str | None
    body: bytes


class Endpoints:
    """The operations of one bank, which share its list of faults.

    Attributes:
        requests: the number of requests for each operation, whatever their result.
    """

    def __init__(self, bank: Bank, faults: Faults) -> None:
        self._bank = bank
        self._faults = faults
        self.requests: Counter[str] = Counter()
        self._flights = KeysInFlight()
        self._traces = count()

    async def respond(self, operation: Operation, request: Request) -> Response:
        """Answer one request, unless an ordered fault prevents that."""
        self.requests[operation.name] += 1
        fault = self._faults.take(operation.name)
        broken = fault and instead(fault, self._trace_id())
        if broken:
            return broken
        try:
            asked = await self._read(operation, request)
            with self._flights.hold(operation.name, asked.key):
                if fault and fault.kind is FaultKind.DELAY:
                    await asyncio.sleep(fault.seconds)
                answer = self._execute(operation, asked)
        except ApiError as error:
            return respond(error.answer(self._trace_id()))
        if fault and fault.kind is FaultKind.COMMIT_THEN_DELAY:
            await asyncio.sleep(fault.seconds)
        return after(fault, answer, self._trace_id())

    async def _read(self, operation: Operation, request: Request) -> ParsedRequest:
        return ParsedRequest(
            url=f"{request.url.path}?{request.url.query}",
            params={name: str(value) for name, value in request.path_params.items()},
            query=request.query_params,
            authorisation=request.headers.get("authorization"),
            key=self._key(operation, request),
            condition=request.headers.get(CONDITION),
            body=await read_body(request),
        )

    def _key(self, operation: Operation, request: Request) -> str | None:
        """Return the idempotency key of a creation; None if it has none or keys are ignored."""
        if not operation.creates or operation.name == AUTH:
            return None
        options = self._bank.options
        key = idempotency.read_key(request.headers.get(idempotency.HEADER), needed=options.strict)
        return None if options.ignore_idempotency else key

    def _execute(self, operation: Operation, asked: ParsedRequest) -> Answer:
        """Run the due steps and the request in one transaction."""
        now = self._bank.clock.now()
        with transaction(self._bank.db):
            advance(self._bank, now)
            try:
                return self._perform(operation, asked, now)
            except ApiError as error:
                return error.answer(self._trace_id())

    def _perform(self, operation: Operation, asked: ParsedRequest, now: datetime) -> Answer:
        if operation.name == AUTH:
            return self._attempt(operation, asked, AUTH, now)
        client_id = authenticate(self._bank, asked.authorisation, now)
        if not operation.creates:
            return self._look_up(operation, asked, client_id, now)
        if asked.key is None:
            return self._attempt(operation, asked, client_id, now)
        told_by = idempotency.fingerprint(asked.params, asked.body)
        intention = KeyUse(client_id, operation.name, asked.key, told_by)
        earlier = idempotency.earlier_answer(self._bank, intention, now)
        if earlier is not None:
            return earlier
        answer = self._attempt(operation, asked, client_id, now)
        idempotency.keep(self._bank, intention, answer, now)
        return answer

    def _look_up(
        self, operation: Operation, asked: ParsedRequest, client: str, now: datetime
    ) -> Answer:
        """Run a read; answer 304 if the caller holds the current version (RFC 9110 §15.4.5)."""
        tables = operation.resource.tables if operation.resource else ()
        tag = entity_tag(self._bank.db, tables, asked.url)
        if is_named(tag, asked.condition):
            return Answer(HTTPStatus.NOT_MODIFIED, None, {HEADER: tag})
        answer = self._attempt(operation, asked, client, now)
        if answer.status == HTTPStatus.OK:
            answer.headers[HEADER] = tag
        return answer

    def _attempt(
        self, operation: Operation, asked: ParsedRequest, client: str, now: datetime
    ) -> Answer:
        """Run the operation; a refusal rolls it back."""
        try:
            with savepoint(self._bank.db):
                body: JsonObject = parse_object(asked.body) if operation.creates else {}
                call = Call(client, now, asked.params, asked.query, body)
                found = operation.handler(self._bank, call)
                return Answer(201 if operation.creates else 200, found)
        except ApiError as error:
            return error.answer(self._trace_id())

    def _trace_id(self) -> str:
        return self._bank.chance.uuid("trace", iso(self._bank.clock.now()), next(self._traces))
