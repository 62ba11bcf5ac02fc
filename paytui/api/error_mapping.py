"""The mapping of failed responses to exceptions with words for a person (service.md §7).

Reads the sandbox's shape, RFC 9457 problem details, `{"message"}`, `{"errors": [...]}`, plain text,
HTML (its title alone) and nothing at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus

from paytui.api import errors
from paytui.api.dialect import Dialect, JsonPath
from paytui.api.http.response import Answer, retry_after
from paytui.api.wire.json import find, read_text
from paytui.domain.exact_json import CannotReadError, Json, NotJson, parse
from paytui.domain.models import FieldProblem, Problem
from paytui.platform.text import clean

SAID_LIMIT = 300  # Characters of the service's own words that are shown

FIELDS_LIMIT = 20
_TITLE = re.compile(r"<title[^>]*>(.{0,1000}?)</title>", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Said:
    text: str = ""
    code: str | None = None
    trace_id: str | None = None
    fields: tuple[FieldProblem, ...] = ()


def in_error_shape(answer: Answer, dialect: Dialect) -> bool:
    """Return True if the service itself speaks, rather than a gateway or a wrong path."""
    return _is_own(_said(answer, dialect))


def needed_a_token(answer: Answer, dialect: Dialect) -> bool:
    """Return True if only a request with a valid token gets such a response.

    A gateway answers 404, 429 or 502 to any request.
    """
    refused = HTTPStatus.BAD_REQUEST <= answer.status < HTTPStatus.INTERNAL_SERVER_ERROR
    return answer.ok or (refused and in_error_shape(answer, dialect))


def is_missing_path(answer: Answer, dialect: Dialect) -> bool:
    """Return True if the path is missing (404, 405), so that another spelling may be right."""
    missing = answer.status in (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED)
    return missing and not in_error_shape(answer, dialect)


def token_is_refused(answer: Answer, dialect: Dialect) -> bool:
    """Return True if the service itself says that it refuses the token: nothing was executed."""
    code = _said(answer, dialect).code
    return answer.status == HTTPStatus.UNAUTHORIZED and code in dialect.errors.token_codes


def token_is_gone(answer: Answer, dialect: Dialect) -> bool:
    """Return True if a 401 says that the token is unknown or expired, not superseded."""
    return _said(answer, dialect).code in dialect.errors.token_gone


def failure(
    answer: Answer, attempted: str, dialect: Dialect, remedy: str | None = None
) -> errors.ApiError:
    """Return the error for a response other than 2xx, with its usual remedy or another."""
    said = _said(answer, dialect)
    kind, usual = _KINDS.get(answer.status) or _by_class(answer.status)
    problem = Problem(
        attempted=attempted,
        what=f"HTTP {answer.status}",
        said=said.text,
        remedy=remedy or usual,
        trace_id=said.trace_id,
        fields=said.fields,
        code=_words(said.code, answer) if said.code and said.code != said.text else "",
    )
    return kind(
        problem,
        status=answer.status,
        stated=_rules_out(answer, said, dialect),
        replayed=is_replay(answer, dialect),
        retry_after=retry_after(answer),
    )


def not_offered(
    answer: Answer,
    attempted: str,
    dialect: Dialect,
    what: str = "the service does not offer this",
    remedy: str = "If it does, put its path into the dialect's [paths].",
) -> errors.NotOffered:
    """Return the error for an operation that none of its paths has."""
    said = _said(answer, dialect).text
    problem = Problem(attempted, f"{answer.status}: {what}", said=said, remedy=remedy)
    return errors.NotOffered(problem, status=answer.status)


def not_found(answer: Answer, attempted: str, operation: str, dialect: Dialect) -> errors.ApiError:
    """Return the error for a plain 404 of one object, by a read that has never worked."""
    remedy = (
        "The service seems to have no such read. If it has, put its path into the dialect: "
        f"[paths] {operation}; then check the identifier."
    )
    error = failure(answer, attempted, dialect, remedy)
    if answer.status != HTTPStatus.NOT_FOUND:
        return error
    return errors.NoSuchRead(error.problem, status=error.status)


def not_in_part(attempted: str, cut: str) -> errors.NotSeen:
    """Return the error for an object that may be in the unread part of its list."""
    problem = Problem(
        attempted,
        "it is not in the part of the list that was read",
        said=cut,
        remedy="paytui dialect check names the lines of a dialect that read on.",
    )
    return errors.NotSeen(problem)


@contextmanager
def decoding(answer: Answer, attempted: str, dialect: Dialect) -> Iterator[None]:
    """Turn a `CannotReadError` while a 2xx is decoded into `Unreadable`."""
    try:
        yield
    except CannotReadError as error:
        reason = "HTML instead of JSON" if answer.body.lstrip()[:1] == b"<" else str(error)
        problem = Problem(
            attempted=attempted,
            what=f"HTTP {answer.status} with an unreadable response: {reason}",
            said="" if answer.body[:1] in (b"{", b"[") else _text(answer),
            remedy="Check the base URL and the dialect.",
        )
        replayed = is_replay(answer, dialect)
        raise errors.Unreadable(problem, status=answer.status, replayed=replayed) from None


_ASK_AGAIN = "Try again later."  # A promise to retry would be the caller's to make

_KINDS: Mapping[int, tuple[type[errors.ApiError], str]] = {
    401: (errors.TokenLost, "paytui requests a new token."),
    403: (errors.Refused, "Ask the operator whether this client id may do this."),
    404: (errors.NotFound, "Check the identifier."),
    408: (errors.ServiceFailed, _ASK_AGAIN),
    409: (errors.Conflict, "Check the object's status, then decide."),
    429: (errors.RateLimited, "paytui retries later, at a slower pace."),
    499: (errors.ServiceFailed, _ASK_AGAIN),
}


def _by_class(status: int) -> tuple[type[errors.ApiError], str]:
    if HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR:
        return errors.Refused, "Correct the request."
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return errors.ServiceFailed, _ASK_AGAIN
    return errors.Unreadable, "Redirects are not followed: check the base URL."


def _is_own(said: _Said) -> bool:
    """Return True for an error with a code or field names: gateways send neither."""
    return said.code is not None or bool(said.fields)


def _rules_out(answer: Answer, said: _Said, dialect: Dialect) -> bool:
    """Return True if the answer to a POST proves that the service did not execute it."""
    if answer.status == HTTPStatus.UNAUTHORIZED:
        return token_is_refused(answer, dialect)
    # A 409 with Retry-After means that the key's first request is in progress (service.md).
    is_at_work = answer.status == HTTPStatus.CONFLICT and "retry-after" in answer.headers
    return _is_own(said) and not is_at_work and not _speaks_of_key(answer, said, dialect)


def _speaks_of_key(answer: Answer, said: _Said, dialect: Dialect) -> bool:
    """Return True if an error is about the idempotency key, which the service has seen before.

    Each intent has its own key. If the key is in use, our own request has arrived.
    """
    texts = [said.code or ""]
    if answer.status in (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY):
        texts += [said.text, *(text for one in said.fields for text in (one.field, one.message))]
    words = (*dialect.errors.key_words, dialect.idempotency.header)
    told = "\n".join(texts).casefold()
    return any(word.casefold() in told for word in words)


def _said(answer: Answer, dialect: Dialect) -> _Said:
    trace = next(
        (
            _words(answer.headers[name], answer)
            for name in dialect.errors.trace_headers
            if name in answer.headers
        ),
        None,
    )
    try:
        body = parse(answer.body)
    except NotJson:
        return _Said(text=_text(answer), trace_id=trace)
    if not isinstance(body, dict):
        return _Said(text=_words(_first_text(body), answer), trace_id=trace)
    return _said_in(body, trace, answer, dialect)


def _said_in(body: dict[str, Json], trace: str | None, answer: Answer, dialect: Dialect) -> _Said:
    shape = dialect.errors
    code = _found(body, shape.code)
    details = find(body, shape.details)
    # Gateways send codes, or ends of a type, that only repeat the status.
    is_none = code in ("", "about:blank") or code.rpartition("/")[2] == str(answer.status)
    return _Said(
        text=_words(_headed(body, dialect) or _first_text(details), answer),
        code=None if is_none else code,
        trace_id=_words(_found(body, shape.trace_id), answer) or trace,
        fields=tuple(_fields(details, answer, dialect)),
    )


def _headed(body: dict[str, Json], dialect: Dialect) -> str:
    """Return the message of an error, after its title if that differs (RFC 9457)."""
    title, message = (
        _found(body, paths) for paths in (dialect.errors.title, dialect.errors.message)
    )
    if not title or title in message:
        return message
    return f"{title}: {message}" if message else title


def _found(body: dict[str, Json], paths: Sequence[JsonPath]) -> str:
    """Return the first text that is not empty."""
    texts = (read_text(find(body, [path])) or "" for path in paths)
    return next((text for text in texts if text.strip()), "")


def _fields(details: Json, answer: Answer, dialect: Dialect) -> list[FieldProblem]:
    paths = dialect.fields["field_problem"]
    problems = []
    for entry in _entries(details)[:FIELDS_LIMIT]:
        if isinstance(entry, dict):
            name, message = find(entry, paths["field"]), find(entry, paths["message"])
            if isinstance(name, str) and isinstance(message, str):
                problems.append(FieldProblem(_words(name, answer), _words(message, answer)))
    return problems


def _entries(details: Json) -> list[Json]:
    """Return the problems as a list; `{"email": ["is missing"]}` becomes one as well."""
    if isinstance(details, dict):
        return [{"field": name, "message": _first_text(said)} for name, said in details.items()]
    return details if isinstance(details, list) else []


def _first_text(value: Json) -> str:
    """Return the first text in a list of strings, or of objects with a message."""
    if isinstance(value, list) and value:
        return _first_text(value[0])
    if isinstance(value, dict):
        texts = (text for name, text in value.items() if name != "field" and isinstance(text, str))
        return next(texts, "")
    return value if isinstance(value, str) else ""


def _words(text: str, answer: Answer) -> str:
    """Return the service's words, safe to show; a `Problem` gets them only from here."""
    return clean(answer.redact(text), SAID_LIMIT)


def _text(answer: Answer) -> str:
    text = answer.body[:20_000].decode(errors="replace").strip()
    if not text.startswith("<"):
        return _words(text, answer)
    from html import unescape  # its table of names is needed for error pages alone

    title = _TITLE.search(text)
    return _words(unescape(title[1]).strip(), answer) if title else ""


def is_replay(answer: Answer, dialect: Dialect) -> bool:
    """Return True if the service marks the response as a repeat of an earlier one."""
    return answer.headers.get(dialect.idempotency.replayed.lower(), "").lower() == "true"
