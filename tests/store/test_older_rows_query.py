"""The query of a filter for rows that are not in memory: one object, or a time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from paytui.domain.models import Kind, OlderRowsQuery
from paytui.store.filter import MARGIN, TimeContext, older_rows_query
from paytui.store.search_text import named_fields
from paytui.store.store import Store
from tests.support.clock import NOON

FIRST = datetime(2025, 3, 1, tzinfo=UTC)


def reach(text: str) -> OlderRowsQuery | None:
    return older_rows_query(text, named_fields(Store(), Kind.PAYMENTS), TimeContext(lambda: NOON))


@pytest.mark.parametrize(
    "text",
    [
        "pay-0001234",
        "payment_transaction_id=pay-0001234",
        "id:pay-0001234",
        "ccy:aud pay-0001234 created>2025-03-01",
    ],
)
def test_a_whole_id_is_one_object(text: str) -> None:
    assert reach(text) == OlderRowsQuery("pay-0001234")


@pytest.mark.parametrize(
    "text", ["", "acme", "amount>10k", "ccy:aud", "status:completed", "-pay-0001234", "ab12"]
)
def test_what_names_neither_an_object_nor_a_time_reaches_for_nothing(text: str) -> None:
    assert reach(text) is None


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("created>2025-03-01", FIRST - MARGIN, None),
        ("created>=2025-03-01T00:00Z amount>5", FIRST - MARGIN, None),
        ("created<2025-03-01", None, FIRST + MARGIN),
        ("created:2025-03-01", FIRST - MARGIN, FIRST + MARGIN),
        (
            "created>2025-03-01 created<2025-03-31",
            FIRST - MARGIN,
            FIRST + timedelta(days=30) + MARGIN,
        ),
        ("age>30d", None, NOON - timedelta(days=30) + MARGIN),
        ("age<60d", NOON - timedelta(days=60) - MARGIN, None),
    ],
)
def test_a_time_is_a_span_a_little_wider_than_asked_for(
    text: str, since: datetime | None, until: datetime | None
) -> None:
    assert reach(text) == OlderRowsQuery(since=since, until=until)
