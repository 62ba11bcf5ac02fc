"""The request for a token (POST /auth, service.md §5), sent without token or idempotency key."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus

from paytui.api.dialect import Dialect
from paytui.api.error_mapping import failure, is_missing_path, unreadable
from paytui.api.errors import ApiError, AuthRefused, Refused
from paytui.api.http.limits import RequestKind
from paytui.api.http.response import Answer
from paytui.api.http.token import ATTEMPTED, HeldToken
from paytui.api.http.transport import Call, Http
from paytui.api.wire.codec import Wire
from paytui.domain.exact_json import CannotReadError
from paytui.platform.secret import Secret

REMEDY = "Check the client id, the secret and the base URL of the profile, then try again."
WRONG_PATH = "Check the base URL of the profile; of its dialect, auth_prefix and auth in [paths]."


class SignIn:
    """A requester of tokens for one client id."""

    def __init__(self, client_id: str, http: Http, wire: Wire, dialect: Dialect) -> None:
        self._client_id = client_id
        self._http = http
        self._wire = wire
        self._dialect = dialect

    async def __call__(self, secret: Secret) -> HeldToken:
        """Return a new token; the service ends the one before.

        Raises:
            AuthRefused: 400 or 401.
            ApiError: any other failure.
        """
        answer = await self._answer(secret)
        if not answer.ok:
            raise self._error(answer)
        try:
            return HeldToken(self._wire.token(answer.body), answer.sent)
        except CannotReadError as error:
            raise unreadable(answer, ATTEMPTED, str(error), self._dialect) from None

    async def _answer(self, secret: Secret) -> Answer:
        self._http.redactor.hide_secret(secret.reveal())
        first, *others = self._dialect.paths["auth"]
        answer = await self._http.exchange(self._call(first.path, secret))
        for route in others:
            if not is_missing_path(answer, self._dialect):
                break
            answer = await self._http.exchange(self._call(route.path, secret))
        return answer

    def _call(self, path: str, secret: Secret) -> Call:
        return Call(
            attempted=ATTEMPTED,
            method="POST",
            path=self._dialect.auth_prefix + path,
            headers=self._dialect.headers,
            body=self._wire.credentials(self._client_id, secret.reveal()),
            work=RequestKind.SIGN_IN,
        )

    def _error(self, answer: Answer) -> ApiError:
        error = failure(answer, ATTEMPTED, self._dialect)
        match answer.status:
            case HTTPStatus.BAD_REQUEST | HTTPStatus.UNAUTHORIZED:
                return AuthRefused(replace(error.problem, remedy=REMEDY), status=answer.status)
            case HTTPStatus.NOT_FOUND | HTTPStatus.METHOD_NOT_ALLOWED:
                # Not a NotFound: that would concern the object that the caller is about to read.
                return Refused(
                    replace(error.problem, remedy=WRONG_PATH),
                    status=answer.status,
                    retry_after=error.retry_after,
                )
            case _:
                return error
