"""Everything that the service's description says is kept somewhere, and a test holds it there."""

from __future__ import annotations

import pytest

from paytui.api.client import Client
from tests.coverage.promises import DOCUMENT, NOT_HERE, ROOT, document, marked, promises

OPERATIONS = 14
"""Of the table of api.md §4."""


def test_every_promise_is_carried_by_a_test() -> None:
    tests = marked()
    assert [promise.name for promise in promises() if not tests.get(promise.name)] == []


@pytest.mark.slow
def test_no_test_carries_a_promise_that_nobody_made() -> None:
    assert set(marked()) <= {promise.name for promise in promises()}


def test_every_cell_names_what_is_there_or_says_why_nothing_is() -> None:
    for promise in promises():
        for path in (promise.screen, promise.sandbox):
            assert path.startswith(NOT_HERE) or (ROOT / "paytui" / path).is_file(), promise
        assert promise.client.startswith(NOT_HERE) or hasattr(Client, promise.client), promise


def test_every_operation_of_the_description_is_a_promise_of_its_own() -> None:
    said = [promise.says.split()[:2] for promise in promises()]
    asked = {(method, path) for method, path in said if method in ("GET", "POST")}
    assert len(asked) == OPERATIONS


@pytest.mark.slow
def test_the_document_is_up_to_date() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(promises(), marked()), (
        "run `python -m tests.coverage`"
    )
