"""The service conforms to its own description, checked over HTTP by schemathesis."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import negative_data_rejection, unsupported_method
from schemathesis.specs.openapi.schemas import OpenApiSchema

from paytui.sandbox.operations import OPERATIONS, describe
from tests.support.plain import EMPTY, PlainService, start_service
from tests.support.sandbox_process import SECRET, SandboxProcess

# A well-formed request may still be refused: whether an amount has too many digits depends on
# a currency elsewhere, and there may be no such wallet.
ANSWERED = ["201", "200", "400", "401", "404", "409", "422"]
CONFIG = {
    "checks": {
        "positive_data_acceptance": {"expected-statuses": ANSWERED},
        "negative_data_rejection": {"expected-statuses": ["400", "401", "404", "409", "422"]},
    }
}

ALSO_AN_ACCOUNT = {"/v2/accounts/individual", "/v2/accounts/corporate"}
"""Paths that answer a GET with 404, as no account has that name."""

BUSINESS = schemathesis.pytest.from_fixture("description").exclude(operation_id="auth")
"""One test: to make its requests takes seconds, which each process would spend as it collects."""


@pytest.fixture(scope="module")
def description() -> OpenApiSchema:
    config = SchemathesisConfig.from_dict(CONFIG)
    return schemathesis.openapi.from_dict(describe(OPERATIONS, "/v2"), config=config)


@pytest.fixture(scope="module")
def base_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with SandboxProcess(tmp_path_factory.mktemp("described"), "--scale=20") as process:
        yield process.base_url


@pytest.fixture(scope="module")
def token(base_url: str) -> str:
    body = {"clientId": "demo", "clientSecret": SECRET}
    answer = httpx.post(f"{base_url}/v2/auth", json=body, trust_env=False, timeout=60)
    found: str = answer.json()["item"]["accessToken"]
    return found


@pytest.mark.slow
@BUSINESS.parametrize()
@settings(
    max_examples=5,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_every_operation_answers_as_it_is_described(
    case: schemathesis.Case[Any], base_url: str, token: str
) -> None:
    excluded = [unsupported_method] if case.path in ALSO_AN_ACCOUNT else []
    if case.method == "GET":  # a parameter that nobody knows is passed over
        excluded.append(negative_data_rejection)
    headers = {"Authorization": f"Bearer {token}"}
    case.call_and_validate(base_url=base_url, headers=headers, excluded_checks=excluded)


def test_the_description_is_served_to_anyone(service: PlainService) -> None:
    service.headers = {}
    document = service.get("/openapi.json").json()
    assert document["openapi"] == "3.1.0"
    assert set(document["paths"]["/v2/wallets"]) == {"get", "post"}
    assert not [path for path in document["paths"] if not path.startswith("/v2/")]


def test_a_documented_only_service_describes_the_fourteen_operations_and_no_other() -> None:
    """service.md §4, two of them with two spellings each."""
    service = start_service(replace(EMPTY, documented_only=True))
    paths = service.get("/openapi.json").json()["paths"]
    assert sum(len(methods) for methods in paths.values()) == 16
    assert set(paths["/v2/wallets"]) == {"post"}


@pytest.mark.slow
def test_a_refused_method_is_told_all_that_the_path_allows(service: PlainService) -> None:
    refused = service.send("DELETE", "/v2/wallets")
    assert refused.status_code == 405
    assert set(refused.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}
