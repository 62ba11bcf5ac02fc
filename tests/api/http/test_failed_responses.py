"""Error responses in every shape that services use."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from paytui.api import errors
from paytui.api.dialect import Dialect
from paytui.api.errors import ApiError, Effect
from paytui.api.http.response import Answer, decoding, failure, in_error_shape, retry_after
from paytui.domain.exact_json import CannotReadError
from paytui.domain.models import FieldProblem, Problem

Headers = Mapping[str, str]


def answer(body: object, status: int = 400, headers: Headers | None = None) -> Answer:
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Answer(status, headers or {}, text, sent=0.0)


def problem_of(body: object, dialect: Dialect, headers: Headers | None = None) -> Problem:
    return failure(answer(body, headers=headers), "create payout", dialect).problem


def test_the_sandbox_shape_is_read_whole(dialect: Dialect) -> None:
    body = {
        "error": {
            "code": "invalid",
            "message": "The request is not valid.",
            "details": [
                {"field": "amount", "message": "too many digits"},
                {"message": "nameless"},
                "nonsense",
            ],
            "traceId": "t-1",
        }
    }
    problem = problem_of(body, dialect)
    assert problem.attempted == "create payout"
    assert problem.what == "HTTP 400"
    assert problem.said == "The request is not valid."
    assert problem.trace_id == "t-1"
    assert problem.fields == (FieldProblem("amount", "too many digits"),)
    assert problem.remedy


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"type": "https://e/x", "title": "Bad", "detail": "No funds left.", "status": 400},
         "Bad: No funds left."),
        ({"title": "Slow down", "detail": ""}, "Slow down"),
        ({"title": "Slow down", "detail": "Slow down: 3 a second."}, "Slow down: 3 a second."),
        ({"error": {"message": " "}, "detail": "", "message": "full"}, "full"),
        ({"title": "", "detail": None, "errors": ["first"]}, "first"),
        ({"type": "about:blank", "title": "Not Found", "status": 404}, "Not Found"),
        ({"message": "Missing Authentication Token"}, "Missing Authentication Token"),
        ({"errors": ["first", "second"]}, "first"),
        ({"errors": [{"field": "iban", "message": "is wrong"}]}, "is wrong"),
        ({"error": "invalid_client", "error_description": "who?"}, "who?"),
        ({"error": "invalid_client"}, "invalid_client"),
        (["only", "words"], "only"),
        ([{"message": "esc \x1b here"}], "esc \ufffd here"),
        (b"upstream connect error", "upstream connect error"),
        (b"<html><head><title>502 Bad &amp; worse</title></head><b>x</b></html>",
         "502 Bad & worse"),
        (b"<html><body>no title</body></html>", ""),
        (b"", ""),
        ({}, ""),
        (b"\x1b]0;owned\x07", "\ufffd]0;owned\ufffd"),
        ({"message": "two\nlines \u202e"}, "two lines "),
        ({"message": {"not": "a string"}}, ""),
        (b"{\"message\": \"cut", "{\"message\": \"cut"),
    ],
)  # fmt: skip
def test_the_words_of_a_service_are_found_and_made_harmless(
    dialect: Dialect, body: object, said: str
) -> None:
    assert problem_of(body, dialect).said == said


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ({"error": {"code": "no_funds", "message": "Empty."}}, "HTTP 400 (Empty.) [code no_funds]"),
        ({"code": "", "type": "https://e/x", "title": "Bad"}, "HTTP 400 (Bad) [code https://e/x]"),
        (
            {"error": {"code": "x", "traceId": "t-1"}, "message": "m"},
            "HTTP 400 (m) [code x, trace t-1]",
        ),
        ({"code": "about:blank", "title": "Bad"}, "HTTP 400 (Bad)"),
        ({"code": "Bad", "title": "Bad"}, "HTTP 400 (Bad)"),
        ({"code": "a\x1b[2J"}, "HTTP 400 [code a\ufffd[2J]"),
    ],
)
def test_the_code_of_an_error_is_shown(dialect: Dialect, body: object, shown: str) -> None:
    assert problem_of(body, dialect).happened.startswith(f"{shown}.")


def test_an_empty_code_is_none(dialect: Dialect) -> None:
    assert not in_error_shape(answer({"code": " ", "message": "m"}, 404), dialect)


def test_a_flood_of_words_is_cut(dialect: Dialect) -> None:
    body = {"message": "x" * 100_000, "errors": [{"field": "f", "message": "m"}] * 1_000}
    problem = problem_of(body, dialect)
    assert len(problem.said) <= 300
    assert len(problem.fields) <= 20


def test_the_trace_id_may_stand_in_a_header(dialect: Dialect) -> None:
    assert problem_of(b"", dialect, {"x-request-id": "req-9"}).trace_id == "req-9"


@pytest.mark.parametrize(
    ("body", "shaped"),
    [
        ({"error": {"code": "not_found", "message": "no such wallet"}}, True),
        ({"type": "https://e/not-found", "title": "x"}, True),
        ({"type": "about:blank", "title": "Not Found"}, False),
        ({"code": 404, "message": "Not Found"}, False),
        ({"error": {"code": "404", "message": "Not Found"}}, False),
        ({"type": "https://httpstatuses.io/404", "title": "Not Found"}, False),
        ({"code": 4041, "message": "no such wallet"}, True),
        ({"message": "Not Found"}, False),
        ({"detail": "Not Found"}, False),
        (b"Not Found", False),
        (b"<html></html>", False),
        (b"", False),
    ],
)
def test_the_service_itself_is_told_from_a_wrong_path(
    dialect: Dialect, body: object, *, shaped: bool
) -> None:
    assert in_error_shape(answer(body, 404), dialect) is shaped


KINDS: list[tuple[int, type[ApiError], Effect]] = [
    (301, errors.Unreadable, Effect.UNKNOWN),
    (307, errors.Unreadable, Effect.UNKNOWN),
    (400, errors.Refused, Effect.REFUSED),
    (401, errors.TokenLost, Effect.UNKNOWN),
    (403, errors.Refused, Effect.REFUSED),
    (404, errors.NotFound, Effect.REFUSED),
    (408, errors.ServiceFailed, Effect.UNKNOWN),
    (409, errors.Refused, Effect.REFUSED),
    (422, errors.Refused, Effect.REFUSED),
    (429, errors.RateLimited, Effect.NONE),
    (499, errors.ServiceFailed, Effect.UNKNOWN),
    (500, errors.ServiceFailed, Effect.UNKNOWN),
    (502, errors.ServiceFailed, Effect.UNKNOWN),
    (503, errors.ServiceFailed, Effect.UNKNOWN),
    (599, errors.ServiceFailed, Effect.UNKNOWN),
]


@pytest.mark.parametrize(("status", "kind", "effect"), KINDS)
def test_each_status_says_what_a_post_has_done(
    dialect: Dialect, status: int, kind: type[ApiError], effect: Effect
) -> None:
    shaped = {"error": {"code": "not_active", "message": "The wallet is not active."}}
    error = failure(answer(shaped, status), "create payout", dialect)
    assert type(error) is kind
    assert (error.effect, error.status, error.written) == (effect, status, True)
    assert str(status) in str(error)
    assert "create payout" in str(error)
    unshaped = failure(answer(b"", status), "create payout", dialect)
    assert (type(unshaped), unshaped.effect) == (kind, Effect.UNKNOWN)


@pytest.mark.parametrize(
    ("status", "body", "headers", "effect"),
    [
        (401, {"code": "token_superseded"}, {}, Effect.NONE),
        (422, {"code": "no_funds", "message": "The balance is too low."}, {}, Effect.REFUSED),
        (422, {"errors": [{"field": "amount", "message": "is needed"}]}, {}, Effect.REFUSED),
        (409, {"code": "not_active"}, {"retry-after": "soon"}, Effect.UNKNOWN),
        (409, {"code": "duplicate_request"}, {}, Effect.UNKNOWN),
        (409, {"code": "busy", "message": "Idempotency key in use"}, {}, Effect.UNKNOWN),
        (422, {"code": "704", "message": "Request already processed"}, {}, Effect.UNKNOWN),
        (409, {"code": "conflict", "message": "Concurrent request"}, {}, Effect.UNKNOWN),
        (409, {"code": "closed", "message": "The wallet is already closed"}, {}, Effect.REFUSED),
        (403, {"code": 403, "message": "Forbidden"}, {}, Effect.UNKNOWN),
        (422, {"errors": {"idempotency": ["was used before"]}}, {}, Effect.UNKNOWN),
        (400, {"error": {"type": "x", "code": "idempotency_error"}}, {}, Effect.UNKNOWN),
        (400, {"code": "invalid", "message": "idempotency: is needed"}, {}, Effect.REFUSED),
    ],
)
def test_a_refusal_that_speaks_of_the_key_is_none(
    dialect: Dialect, status: int, body: object, headers: Headers, effect: Effect
) -> None:
    assert failure(answer(body, status, headers), "x", dialect).effect is effect


def test_an_answer_given_before_is_marked(dialect: Dialect) -> None:
    replay = failure(answer(b"", 422, {"idempotency-replayed": "true"}), "x", dialect)
    first = failure(answer(b"", 422), "x", dialect)
    assert (replay.replayed, first.replayed) == (True, False)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("0", 0.0),
        ("7", 7.0),
        ("99999999999", 3600.0),
        ("Mon, 02 Mar 2026 12:00:30 GMT", 30.0),
        ("Mon, 02 Mar 2026 11:00:00 GMT", 0.0),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("", None),
        ("٣", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(header: str, seconds: float | None) -> None:
    headers = {"retry-after": header, "date": "Mon, 02 Mar 2026 12:00:00 GMT"}
    assert retry_after(answer(b"", 429, headers)) == seconds


def test_html_in_place_of_json_is_called_that(dialect: Dialect) -> None:
    page = answer(b"<html><title>Sign in</title></html>", 200)
    with pytest.raises(ApiError) as caught, decoding(page, "read wallets", dialect):
        raise CannotReadError
    error = caught.value
    assert "HTML instead of JSON" in str(error)
    assert "Sign in" in str(error)
    assert error.effect is Effect.UNKNOWN


def test_what_is_wrong_may_also_stand_by_name(dialect: Dialect) -> None:
    body = {"title": "Not valid.", "errors": {"email": ["is missing", "is short"], "phone": "odd"}}
    told = (FieldProblem("email", "is missing"), FieldProblem("phone", "odd"))
    assert problem_of(body, dialect).fields == told
