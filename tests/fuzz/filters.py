"""The filter language: a filter that fails on no row, or an error with its place."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path

from hypothesis import strategies as st

from paytui.domain.models import Kind, Payment, PaymentId, Recipient, RecipientId, State
from paytui.domain.money import CurrencyCode
from paytui.store.cache.list_query import Anchor, ListQuery
from paytui.store.cache.list_reader import ListReader
from paytui.store.cache.list_tables import list_tables
from paytui.store.cache.write import CacheWriter
from paytui.store.fields import fields_of
from paytui.store.filter import (
    FilterError,
    TimeContext,
    parse_filter,
    unknown_word,
)
from tests.fuzz.spoiling import hostile_text, spoilt
from tests.fuzz.target import Target
from tests.support.clock import NOON

SAMPLES = (
    'acme "unit 4" -sydney status:released ccy:usd amount>=10k -age<1h',
    "created>2026-03-02 created<=2026-03-02T14:00Z amount=2,500,000 amount<1.5m",
    "payment_addresses.currency:eur -npp_enabled:yes age>2w",
)
ROWS: dict[Kind, tuple[object, ...]] = {
    Kind.PAYMENTS: (
        Payment(PaymentId("p1")),
        Payment(
            PaymentId("p2"),
            amount=Decimal("1E+50"),
            currency=CurrencyCode("AUD"),
            status=State("released"),
            created_at=NOON - timedelta(days=1),
        ),
    ),
    Kind.RECIPIENTS: (Recipient(RecipientId("r1"), company_name="İstanbul ﬁ [/x]"),),
}
WHEN = TimeContext(lambda: NOON)
_WORDS = ("amount", "age", "created", "status", "ccy", "email", "reference", "no_such_field", "")
_SIGNS = (":", "=", ">", "<", ">=", "<=", "")
_TERM = st.tuples(st.sampled_from(("", "-")), st.sampled_from(_WORDS), st.sampled_from(_SIGNS))


def target(folder: Path) -> Target:
    path = folder / "filters.cache.sqlite"
    CacheWriter(path).close()
    reader = ListReader(path)
    value = st.one_of(
        hostile_text(20),
        st.sampled_from(("10k", "1h", "yes", "2026-03-02", '"a b"', "9" * 50 + "d")),
    )
    terms = st.lists(st.tuples(_TERM, value), max_size=4).map(
        lambda found: " ".join("".join(head) + tail for head, tail in found)
    )
    text = st.one_of(terms, spoilt(SAMPLES), st.text(max_size=40))
    return Target(st.tuples(st.sampled_from(sorted(ROWS)), text), partial(_check, reader))


def _check(reader: ListReader, case: tuple[Kind, str]) -> bool:
    kind, text = case
    known = fields_of(kind)
    try:
        kept = parse_filter(text, known, WHEN)
    except FilterError:
        return False
    assert all(kept(row) in (True, False) for row in ROWS[kind])
    unknown_word(text, known, ROWS[kind], {"status": ["released"]})
    if kind in list_tables():
        with suppress(FilterError):  # it names a field that is not cached
            reader.window(ListQuery(kind, (), text), WHEN, Anchor(), 1)
    return True
