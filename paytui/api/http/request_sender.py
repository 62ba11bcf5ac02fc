"""An executor of operations: path spellings, the token, and one retry after a 401.

A read is retried after any 401, and at the next spelling of its path after a 404 or 405 that is
not in the service's error shape. A request that creates something is not: a gateway may give such
a response for a request that was executed. It is retried only after a 401 in which the service
itself refuses the token. It goes to a single path, which `Sender.likeliest` picks by reads.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from urllib.parse import quote

from paytui.api import errors
from paytui.api.dialect import Dialect, Route
from paytui.api.http import response
from paytui.api.http.response import Answer
from paytui.api.http.token import ATTEMPTED, Auth, HeldToken
from paytui.api.http.transport import Call, Http, RequestKind
from paytui.api.paging import first_query
from paytui.api.resources import CREATE_OPERATIONS, Operation
from paytui.api.wire.codec import Wire, create_operation
from paytui.domain.exact_json import CannotReadError
from paytui.domain.models import IdempotencyKey, Problem, Record
from paytui.domain.requests import PreparedRequest, Request
from paytui.platform.secret import Secret

_NOT_OFFERED = (404, 405, 501)
_THERE, _ANSWERS, _IN_SHAPE, _UNKNOWN, _ABSENT = range(5)
"""The rank of a path by the response to a read of it: a 405; a response of the service; its 404;
any other. `_ABSENT`: the read tells nothing, and the newest request found nothing there."""

_SAY_NOTHING = (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND, HTTPStatus.TOO_MANY_REQUESTS)


class SendHooks:
    """Callbacks around the sending of a request that creates something; these do nothing."""

    async def before_send(self) -> None:
        """Run before the request is sent, once there is a token. Raise to stop it."""

    def connected(self) -> None:
        """Run before the first byte, once there is a connection. Raise to stop the request."""

    def token_refused(self) -> None:
        """Run after the service refused the token and executed nothing; a retry follows."""


NO_HOOKS = SendHooks()


@dataclass(frozen=True, slots=True)
class SendResult:
    """The service's confirmation that it executed a request, and the object that it returned."""

    record: Record
    status: int


class Sender:
    """A caller of operations and sender of confirmed requests.

    It remembers which spelling of a path works. An error of `send` concerns that attempt.
    """

    def __init__(self, http: Http, auth: Auth, dialect: Dialect, wire: Wire) -> None:
        self._http = http
        self._auth = auth
        self._dialect = dialect
        self._wire = wire
        self._working: dict[str, Route] = {}
        self._absent: set[Route] = set()

    def waited(self) -> float:
        """Return the seconds that reads have waited for the rate limiter so far."""
        return self._http.limiter.waited

    async def call(self, operation: Operation) -> Answer:
        """Return the service's 2xx response, or its 304 to an operation with an ETag."""
        for route in self._routes(operation):
            if operation.body is None:
                await self._http.limiter.take()
            answer = await self._with_token(self._call(operation, route), urgent=operation.urgent)
            unchanged = operation.etag and answer.status == HTTPStatus.NOT_MODIFIED
            if answer.ok or unchanged:
                self._working[operation.name] = route
                return answer
            if not response.is_missing_path(answer, self._dialect):
                break
        if self._is_not_offered(operation, answer):
            self._working.pop(operation.name, None)
            raise response.not_offered(answer, operation.attempted, self._dialect)
        if response.is_missing_path(answer, self._dialect) and operation.name not in self._working:
            raise response.not_found(answer, operation.attempted, operation.name, self._dialect)
        raise response.failure(answer, operation.attempted, self._dialect)

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
            raise errors.NotOffered(problem, written=False)
        return routes

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
            work=RequestKind.READ if operation.body is None else RequestKind.PRICE,
        )

    async def _with_token(self, call: Call, *, urgent: bool, hooks: SendHooks = NO_HOOKS) -> Answer:
        answer = await self._once(call, urgent, hooks)
        is_certain = call.work is not RequestKind.SEND or response.token_is_refused(
            answer, self._dialect
        )
        if answer.status == HTTPStatus.UNAUTHORIZED and is_certain:
            hooks.token_refused()
            return await self._once(call, urgent, hooks)
        return answer

    async def _once(self, call: Call, urgent: bool, hooks: SendHooks) -> Answer:
        async with self._auth.lease(post=call.body is not None, urgent=urgent) as held:
            self._http.redactor.hide("token", held.token.access_token)
            await hooks.before_send()
            authorization = {"Authorization": f"Bearer {held.token.access_token}"}
            try:
                answer = await self._http.exchange(
                    replace(call, headers={**call.headers, **authorization})
                )
            except errors.ServiceUnreachable as error:
                if not error.written:
                    self._auth.service_was_away()
                raise
        if answer.status == HTTPStatus.UNAUTHORIZED:
            self._auth.rejected(held, gone=response.token_is_gone(answer, self._dialect))
        elif response.needed_a_token(answer, self._dialect):
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
        there = operation.name in self._working or response.in_error_shape(answer, self._dialect)
        return not (operation.names_an_object and there)

    def prepare(
        self, operation: str, request: object, key: IdempotencyKey
    ) -> tuple[PreparedRequest, ...]:
        """Return the exact request, once for each spelling of its path, the likeliest first.

        Raises:
            NotSent: it lacks a field that the service needs.
            NotOffered: the service has no such operation.
        """
        prepared = create_operation(operation, request, key, self._wire)
        assert prepared.body is not None
        return tuple(
            PreparedRequest(
                attempted=prepared.attempted,
                method=route.method,
                path=self._dialect.prefix + _filled(route.path, prepared),
                key_header=self._dialect.idempotency.header,
                key=key,
                body=prepared.body,
            )
            for route in self._routes(prepared)
        )

    def asked(self, operation: str, body: bytes) -> Request | None:
        """Return a body's request, without the fields in its path; None in another dialect."""
        try:
            return self._wire.asked(body, CREATE_OPERATIONS[operation][0])
        except CannotReadError:
            return None

    async def likeliest(
        self, candidates: Sequence[PreparedRequest], operation: str
    ) -> PreparedRequest:
        """Return the request whose path most likely exists, without sending any.

        If no spelling is known to work, each path is read (GET, which changes nothing). A path
        that takes only POST answers 405, a missing path 404. Raises ApiError; nothing was sent.
        """
        if len(candidates) == 1:
            return candidates[0]
        ranks = []
        for prepared in candidates:
            ranks.append(await self._rank(operation, prepared))
            if ranks[-1] == _THERE:
                break
        best = candidates[ranks.index(min(ranks))]
        if min(ranks) < _UNKNOWN and (route := self._route_of(operation, best)) is not None:
            self._working[operation] = route
        return best

    async def send(self, prepared: PreparedRequest, operation: str, hooks: SendHooks) -> SendResult:
        """Send exactly this request, and once more if the service itself refuses the token.

        Raises:
            NotOffered: its path may not exist.
            ApiError: nothing was confirmed. `effect` says what the attempt may have done; the
                problem names fields by their canonical names.
        """
        request, created = CREATE_OPERATIONS[operation]
        try:
            answer = await self._sent(prepared, operation, hooks)
        except errors.ApiError as error:
            fields = self._wire.canonical_fields(error.problem.fields, request)
            error.problem = replace(error.problem, fields=fields)
            raise
        with response.decoding(answer, prepared.attempted, self._dialect):
            record = self._wire.one(answer.body, created)
        return SendResult(record, answer.status)

    async def _sent(self, prepared: PreparedRequest, operation: str, hooks: SendHooks) -> Answer:
        call = Call(
            attempted=prepared.attempted,
            method=prepared.method,
            path=prepared.path,
            headers={**self._dialect.headers, prepared.key_header: prepared.key},
            body=prepared.body,
            connected=hooks.connected,
            work=RequestKind.SEND,
        )
        self._http.redactor.hide("key", prepared.key)
        answer = await self._with_token(call, urgent=True, hooks=hooks)
        route = self._route_of(operation, prepared)
        if answer.ok:
            if route is not None:
                self._working[operation] = route
            return answer
        if response.is_missing_path(answer, self._dialect):
            if route is not None:  # the next intent goes to another spelling
                self._working.pop(operation, None)
                self._absent -= {*self._dialect.paths[operation]}
                self._absent.add(route)
            what = f"the service may not have {prepared.method} {prepared.path}"
            raise response.not_offered(answer, prepared.attempted, self._dialect, what, "")
        raise response.failure(answer, prepared.attempted, self._dialect)

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
        speaks = answer.status < HTTPStatus.INTERNAL_SERVER_ERROR and response.in_error_shape(
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


def _filled(path: str, operation: Operation) -> str:
    for value in operation.identifiers.values():
        if value in ("", ".", ".."):
            problem = Problem(
                operation.attempted, f'"{value}" is not an identifier', remedy="Check it."
            )
            raise errors.NotSent(problem, written=False)
    quoted = {
        name: quote(value, safe="", errors="replace")
        for name, value in operation.identifiers.items()
    }
    return string.Formatter().vformat(path, (), quoted)


REMEDY = "Check the client id, the secret and the base URL of the profile, then try again."
WRONG_PATH = "Check the base URL of the profile; of its dialect, auth_prefix and auth in [paths]."


class SignIn:
    """A requester of tokens for one client id: POST /auth, without token or idempotency key."""

    def __init__(self, client_id: str, http: Http, wire: Wire, dialect: Dialect) -> None:
        self._client_id = client_id
        self._http = http
        self._wire = wire
        self._dialect = dialect

    async def __call__(self, secret: Secret) -> HeldToken:
        """Return a new token; the service ends the one before. Raises AuthRefused (400, 401)."""
        self._http.redactor.hide("secret", secret.reveal())
        for route in self._dialect.paths["auth"]:
            answer = await self._http.exchange(self._call(route.path, secret))
            if not response.is_missing_path(answer, self._dialect):
                break
        if not answer.ok:
            raise self._error(answer)
        with response.decoding(answer, ATTEMPTED, self._dialect):
            return HeldToken(self._wire.token(answer.body), answer.sent)

    def _call(self, path: str, secret: Secret) -> Call:
        return Call(
            attempted=ATTEMPTED,
            method="POST",
            path=self._dialect.auth_prefix + path,
            headers=self._dialect.headers,
            body=self._wire.credentials(self._client_id, secret.reveal()),
            work=RequestKind.SIGN_IN,
        )

    def _error(self, answer: Answer) -> errors.ApiError:
        error = response.failure(answer, ATTEMPTED, self._dialect)
        match answer.status:
            case HTTPStatus.BAD_REQUEST | HTTPStatus.UNAUTHORIZED:
                return errors.AuthRefused(
                    replace(error.problem, remedy=REMEDY), status=answer.status
                )
            case HTTPStatus.NOT_FOUND | HTTPStatus.METHOD_NOT_ALLOWED:
                # Not a NotFound: that would concern the object that the caller is about to read.
                return errors.Refused(
                    replace(error.problem, remedy=WRONG_PATH),
                    status=answer.status,
                    retry_after=error.retry_after,
                )
            case _:
                return error
