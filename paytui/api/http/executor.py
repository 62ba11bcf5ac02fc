"""An executor of operations: path spellings, the token, and one retry after a 401.

A read is retried after any 401, and at the next spelling of its path after a 404 or 405 that is
not in the service's error shape. A request that creates something is not: a gateway may give such
a response for a request that was executed. It is retried only after a 401 in which the service
itself refuses the token. It goes to a single path, which `Executor.likeliest` picks by reads.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Protocol
from urllib.parse import quote

from paytui.api.dialect import Dialect, Route
from paytui.api.error_mapping import (
    failure,
    in_error_shape,
    is_missing_path,
    maybe_not_offered,
    needed_a_token,
    not_found,
    not_offered,
    token_is_gone,
    token_is_refused,
)
from paytui.api.errors import NotOffered, NotSent, ServiceUnreachable
from paytui.api.http.limits import RequestKind
from paytui.api.http.response import Answer
from paytui.api.http.token import Auth
from paytui.api.http.transport import Call, Http
from paytui.api.pages import first_query
from paytui.domain.models import IdempotencyKey, Problem
from paytui.domain.requests import PreparedRequest

_NOT_OFFERED = (404, 405, 501)
_THERE, _ANSWERS, _IN_SHAPE, _UNKNOWN, _ABSENT = range(5)
"""The rank of a path by the response to a read of it: a 405; a response of the service; its 404;
any other. `_ABSENT`: the read tells nothing, and the newest request found nothing there."""

_SAY_NOTHING = (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND, HTTPStatus.TOO_MANY_REQUESTS)

_VERBS = {"list": "read", "get": "read", "create": "create", "book": "book", "add": "add"}


@dataclass(frozen=True, slots=True)
class Operation:
    """A request to the service, in canonical names.

    Attributes:
        name: as in the dialect's `[paths]`.
        identifiers: for the path, by placeholder.
        query: canonical parameters; None and parameters that are not offered are left out.
        body: the exact bytes of a creating request.
        key: the idempotency key of the intent, the same for every attempt.
        urgent: a person waits for it, rather than a poll.
        etag: the ETag of the cached response; the service answers 304 if it still holds.
    """

    name: str
    identifiers: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str | None] = field(default_factory=dict)
    paging: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = field(default=None, repr=False)
    key: IdempotencyKey | None = None
    urgent: bool = False
    etag: str = ""

    @property
    def attempted(self) -> str:
        """Return the operation as a verb phrase: `read payments`."""
        verb, _, thing = self.name.partition("_")
        return " ".join((_VERBS[verb], thing.replace("_", " "), *self.identifiers.values()))

    @property
    def work(self) -> RequestKind:
        if self.body is None:
            return RequestKind.READ
        return RequestKind.PRICE if self.name == "create_rate_sheet" else RequestKind.SEND

    @property
    def names_an_object(self) -> bool:
        """Return True if a 404 may concern one object rather than the operation."""
        return bool(self.identifiers) or any(self.query.values())


def operation_of(dialect: Dialect, name: str, given: Mapping[str, str | None]) -> Operation:
    """Return a read with canonical parameters, in the path if it has placeholders for them."""
    paths = [route.path for route in dialect.paths[name]]
    in_path = {
        parameter: value
        for parameter, value in given.items()
        if value is not None and any(f"{{{parameter}}}" in path for path in paths)
    }
    query = {parameter: value for parameter, value in given.items() if parameter not in in_path}
    return Operation(name, identifiers=in_path, query=query)


class SendHooks(Protocol):
    """Callbacks around the sending of a request that creates something."""

    def before_send(self) -> None:
        """Run before the request is sent, once there is a token. Raise to stop it."""
        ...

    def connected(self) -> None:
        """Run before the first byte, once there is a connection. Raise to stop the request."""
        ...

    def token_refused(self) -> None:
        """Run after the service refused the token and executed nothing; a retry follows."""
        ...


class NoHooks:
    """Callbacks that do nothing."""

    def before_send(self) -> None:
        pass

    def connected(self) -> None:
        pass

    def token_refused(self) -> None:
        pass


NO_HOOKS = NoHooks()


class Executor:
    """A caller of operations that remembers which spelling of a path works."""

    def __init__(self, http: Http, auth: Auth, dialect: Dialect) -> None:
        self._http = http
        self._auth = auth
        self._dialect = dialect
        self._working: dict[str, Route] = {}
        self._absent: set[Route] = set()

    def waited(self) -> float:
        """Return the seconds that reads have waited for the rate limiter so far."""
        return self._http.limiter.waited

    async def call(self, operation: Operation) -> Answer:
        """Return the service's 2xx response, or its 304 to an operation with an ETag.

        Raises:
            ApiError: any other response, or none.
        """
        for route in self._routes(operation):
            if operation.body is None:
                await self._http.limiter.take()
            answer = await self._with_token(self._call(operation, route), urgent=operation.urgent)
            unchanged = operation.etag and answer.status == HTTPStatus.NOT_MODIFIED
            if answer.ok or unchanged:
                self._working[operation.name] = route
                return answer
            if operation.work is RequestKind.SEND or not is_missing_path(answer, self._dialect):
                break
        if self._is_not_offered(operation, answer):
            self._working.pop(operation.name, None)
            raise not_offered(answer, operation.attempted, self._dialect)
        if is_missing_path(answer, self._dialect) and operation.name not in self._working:
            raise not_found(answer, operation.attempted, operation.name, self._dialect)
        raise failure(answer, operation.attempted, self._dialect)

    def prepare(self, operation: Operation, key: IdempotencyKey) -> tuple[PreparedRequest, ...]:
        """Return one request for each spelling of an operation's path, the likeliest first.

        Raises:
            NotOffered: the dialect has no path for it.
        """
        assert operation.body is not None
        return tuple(
            PreparedRequest(
                attempted=operation.attempted,
                method=route.method,
                path=self._dialect.prefix + _filled(route.path, operation),
                key_header=self._dialect.idempotency.header,
                key=key,
                body=operation.body,
            )
            for route in self._routes(operation)
        )

    async def likeliest(self, name: str, candidates: Sequence[PreparedRequest]) -> PreparedRequest:
        """Return the request whose path most likely exists, without sending any.

        If no spelling is known to work, each path is read (GET, which changes nothing). A path
        that takes only POST answers 405, a missing path 404.

        Args:
            name: the operation, as in the dialect's `[paths]`.
            candidates: the result of `prepare`.

        Raises:
            ApiError: a path could not be read; nothing was sent.
        """
        if len(candidates) == 1:
            return candidates[0]
        ranks = []
        for prepared in candidates:
            ranks.append(await self._rank(name, prepared))
            if ranks[-1] == _THERE:
                break
        best = candidates[ranks.index(min(ranks))]
        if min(ranks) < _UNKNOWN and (route := self._route_of(name, best)) is not None:
            self._working[name] = route
        return best

    async def send(self, name: str, prepared: PreparedRequest, hooks: SendHooks) -> Answer:
        """Send exactly this request and return the service's 2xx response.

        Args:
            name: the operation, as in the dialect's `[paths]`.
            prepared: the request, to the byte.
            hooks: called around the sending.

        Raises:
            NotOffered: its path may not exist.
            ApiError: any other response, or none.
        """
        call = Call(
            attempted=prepared.attempted,
            method=prepared.method,
            path=prepared.path,
            headers={**self._dialect.headers, prepared.key_header: prepared.key},
            body=prepared.body,
            connected=hooks.connected,
            work=RequestKind.SEND,
        )
        self._http.redactor.hide_key(prepared.key)
        answer = await self._with_token(call, urgent=True, hooks=hooks)
        route = self._route_of(name, prepared)
        if answer.ok:
            if route is not None:
                self._working[name] = route
            return answer
        if is_missing_path(answer, self._dialect):
            if route is not None:  # the next intent goes to another spelling
                self._working.pop(name, None)
                self._absent -= {*self._dialect.paths[name]}
                self._absent.add(route)
            raise maybe_not_offered(answer, prepared, self._dialect)
        raise failure(answer, prepared.attempted, self._dialect)

    def _routes(self, operation: Operation) -> tuple[Route, ...]:
        working = self._working.get(operation.name)
        spellings = self._dialect.paths[operation.name]
        routes = (working,) if working else tuple(sorted(spellings, key=self._absent.__contains__))
        if not routes:
            problem = Problem(
                operation.attempted,
                "the service has no such operation",
                remedy=f"If it has, put its path into the dialect: [paths] {operation.name}.",
            )
            raise NotOffered(problem, written=False)
        return routes

    async def _rank(self, name: str, prepared: PreparedRequest) -> int:
        """Return the rank of a path by a read of it; the likeliest is 0.

        A path that was absent keeps a chance: a gateway may have answered while the service was
        down.
        """
        rank = await self._rank_of_read(prepared)
        if self._route_of(name, prepared) not in self._absent:
            return rank
        return _IN_SHAPE if rank < _IN_SHAPE else _ABSENT

    async def _rank_of_read(self, prepared: PreparedRequest) -> int:
        call = Call(prepared.attempted, "GET", prepared.path, headers=dict(self._dialect.headers))
        answer = await self._with_token(call, urgent=True)
        if answer.status == HTTPStatus.METHOD_NOT_ALLOWED:
            allowed = answer.headers.get("allow", prepared.method)
            return _THERE if prepared.method in allowed.upper() else _UNKNOWN
        speaks = answer.status < HTTPStatus.INTERNAL_SERVER_ERROR and in_error_shape(
            answer, self._dialect
        )
        if answer.ok or (speaks and answer.status not in _SAY_NOTHING):
            return _ANSWERS
        return _IN_SHAPE if speaks and answer.status == HTTPStatus.NOT_FOUND else _UNKNOWN

    def _route_of(self, name: str, prepared: PreparedRequest) -> Route | None:
        """Return the spelling that made a request's path; None if this dialect has none."""
        for route in self._dialect.paths[name]:
            parts = re.split(r"\{\w+\}", self._dialect.prefix + route.path)
            pattern = "[^/]+".join(map(re.escape, parts))
            if route.method == prepared.method and re.fullmatch(pattern, prepared.path):
                return route
        return None

    def _call(self, operation: Operation, route: Route) -> Call:
        theirs = self._dialect.query
        query = {
            theirs[ours]: value
            for ours, value in operation.query.items()
            if value is not None and ours in theirs
        }
        headers = dict(self._dialect.headers)
        if operation.key is not None:
            headers[self._dialect.idempotency.header] = operation.key
        if operation.etag:
            headers["If-None-Match"] = operation.etag
        return Call(
            attempted=operation.attempted,
            method=route.method,
            path=self._dialect.prefix + _filled(route.path, operation),
            query={**query, **operation.paging},
            headers=headers,
            body=operation.body,
            work=operation.work,
        )

    async def _with_token(self, call: Call, *, urgent: bool, hooks: SendHooks = NO_HOOKS) -> Answer:
        answer = await self._once(call, urgent, hooks)
        is_certain = call.work is not RequestKind.SEND or token_is_refused(answer, self._dialect)
        if answer.status == HTTPStatus.UNAUTHORIZED and is_certain:
            hooks.token_refused()
            return await self._once(call, urgent, hooks)
        return answer

    async def _once(self, call: Call, urgent: bool, hooks: SendHooks) -> Answer:
        async with self._auth.lease(post=call.body is not None, urgent=urgent) as held:
            self._http.redactor.hide_token(held.token.access_token)
            hooks.before_send()
            authorization = {"Authorization": f"Bearer {held.token.access_token}"}
            try:
                answer = await self._http.exchange(
                    replace(call, headers={**call.headers, **authorization})
                )
            except ServiceUnreachable as error:
                if not error.written:
                    self._auth.service_was_away()
                raise
        if answer.status == HTTPStatus.UNAUTHORIZED:
            self._auth.rejected(held, gone=token_is_gone(answer, self._dialect))
        elif needed_a_token(answer, self._dialect):
            self._auth.accepted(held)
        return answer

    def _is_not_offered(self, operation: Operation, answer: Answer) -> bool:
        if answer.status not in _NOT_OFFERED:
            return False
        if answer.status != HTTPStatus.NOT_FOUND:
            return True
        is_later_page = operation.paging not in ({}, first_query(self._dialect.paging))
        if operation.name.startswith("get_") or is_later_page:
            return False
        # An operation that worked for one wallet exists: a 404 for another concerns that wallet.
        there = operation.name in self._working or in_error_shape(answer, self._dialect)
        return not (operation.names_an_object and there)


def _filled(path: str, operation: Operation) -> str:
    for value in operation.identifiers.values():
        if value in ("", ".", ".."):
            problem = Problem(
                operation.attempted, f'"{value}" is not an identifier', remedy="Check it."
            )
            raise NotSent(problem, written=False)
    quoted = {
        name: quote(value, safe="", errors="replace")
        for name, value in operation.identifiers.items()
    }
    return string.Formatter().vformat(path, (), quoted)
