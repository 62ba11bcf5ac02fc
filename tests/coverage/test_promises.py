"""Every promise of the service's description has an implementation and a test."""

from __future__ import annotations

import pytest

from paytui.api.client import Client
from paytui.api.resources import CREATE_OPERATIONS, READS
from tests.coverage.promises import DOCUMENT, NOT_HERE, ROOT, document, marked, promises

OPERATIONS = 14
"""Of the table of service.md §4; the first promises of the list."""


def test_every_promise_is_carried_by_a_test() -> None:
    tests = marked()
    assert [promise.name for promise in promises() if not tests.get(promise.name)] == []


@pytest.mark.slow
def test_no_test_carries_a_promise_that_nobody_made() -> None:
    assert set(marked()) <= {promise.name for promise in promises()}


def known_operations() -> set[str]:
    """The names that the client goes by, of operations and of its own methods."""
    reads = {name for read in READS.values() for name in (read.operation, read.get)}
    return {*reads, *CREATE_OPERATIONS, *vars(Client)}


def test_every_cell_names_what_is_there_or_says_why_nothing_is() -> None:
    for promise in promises():
        for path in (promise.screen, promise.sandbox):
            assert path.startswith(NOT_HERE) or (ROOT / "paytui" / path).is_file(), promise
        assert promise.client.startswith(NOT_HERE) or promise.client in known_operations()


def test_every_operation_of_the_description_is_a_promise_of_its_own() -> None:
    said = [promise.says.split()[:2] for promise in promises()]
    asked = {(method, path) for method, path in said if method in ("GET", "POST")}
    assert len(asked) == OPERATIONS


DOCUMENTED = frozenset(
    [
        "sign_in",
        "token_health",
        "create_individual_account",
        "create_corporate_account",
        "create_wallet",
        "create_payin_address",
        "create_rate_sheet",
        "book_trade",
        "create_recipient",
        "add_payment_address",
        "get_payment_address",
        "list_payment_addresses",
        "create_transfer",
        "create_payout",
        "list_payments",
    ]
)
"""Methods of the client that ask for what service.md §4 documents."""


def test_nothing_holds_whole_with_documented_operations_that_another_is_asked_for() -> None:
    for promise in promises():
        assert promise.alone == "yes" or promise.alone.startswith(("in part: ", "no: ")), promise
        needs_more = not promise.client.startswith(NOT_HERE) and promise.client not in DOCUMENTED
        assert not (needs_more and promise.alone == "yes"), promise


@pytest.mark.slow
def test_every_documented_operation_is_tested_where_there_is_no_other() -> None:
    operations = {one.name for one in promises()[:OPERATIONS]}
    assert operations <= set(marked(alone=True))


@pytest.mark.slow
def test_the_document_is_up_to_date() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(promises(), marked()), (
        "run `python -m tests.coverage`"
    )
