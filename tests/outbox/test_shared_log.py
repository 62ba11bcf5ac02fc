"""What an outbox hands in to a desk's log is what others read, without key and body."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal

import pytest

from paytui.domain.intent import Action, IntentTerms
from paytui.domain.models import IdempotencyKey
from paytui.outbox.entry import Entry, Event, EventKind, PurgedBody, RecordedIntent, sha256_of
from paytui.outbox.shared_log import HandedIn, LogRow, entry_of, event_of, rows_of
from tests.outbox.made import ALL_TERMS, ASKED, NOON, PROBLEM, entry, event

WHOLE = Event(
    kind=EventKind.IN_DOUBT,
    at=NOON,
    method="POST",
    path="/v1/payments/payout",
    status=503,
    object_id="p1",
    problem=PROBLEM,
    words="another payee",
    candidates=("p1", "p2"),
    user="jo",
    may_arrive_until=NOON + timedelta(seconds=30),
    not_before=NOON - timedelta(seconds=1),
    host_time=NOON,
)


def told(row: HandedIn, *, local: int | None) -> LogRow:
    return LogRow(7, row.intent, False, local, row.kind, row.document, "anna", "desk-9")


@pytest.mark.parametrize(
    "terms",
    [IntentTerms(), ALL_TERMS, replace(ALL_TERMS, asked=ASKED, before=("r1",), paid_at="x")],
)
def test_others_read_what_was_handed_in(terms: IntentTerms) -> None:
    ours = entry(terms=terms)
    rows = rows_of(
        RecordedIntent(ours, (event(EventKind.SENDING), WHOLE, event(EventKind.SENDING)))
    )
    assert [(row.local, row.kind, row.departure) for row in rows] == [
        (0, "recorded", None),
        (1, "sending", 1),
        (2, "in doubt", None),
        (3, "sending", 2),
    ]
    assert entry_of(told(rows[0], local=0)) == replace(
        ours,
        key=IdempotencyKey(""),
        body=PurgedBody(sha256_of(ours.body)),
        user="anna",
        host="desk-9",
    )
    assert "key-1" not in rows[0].document
    assert event_of(told(rows[2], local=2)) == WHOLE
    assert event_of(told(rows[2], local=None)) == replace(WHOLE, user="anna on desk-9")


@pytest.mark.parametrize(
    "action",
    [Action.CREATE_INDIVIDUAL_ACCOUNT, Action.CREATE_RECIPIENT, Action.CREATE_PAYMENT_ADDRESS],
)
def test_of_a_creation_neither_people_nor_bank_accounts_are_handed_in(action: Action) -> None:
    iban = "DE02120300000000202051"
    terms = IntentTerms(asked=(("payment_addresses.0.iban", iban),))
    created = entry(action=action, terms=terms, body=f"Ann Example, {iban}".encode())
    words = f"The iban that was made is X; {iban} was asked for."
    doubt = replace(WHOLE, problem=replace(PROBLEM, said=iban), words=words)
    rows = rows_of(RecordedIntent(created, (doubt, event(EventKind.ALERT, words=words))))
    documents = " ".join(row.document for row in rows)
    for kept in ("Ann Example", "too much", iban):
        assert kept not in documents
    assert event_of(told(rows[2], local=2)).words


@pytest.mark.parametrize(
    "made_up",
    [
        replace(entry(), title=5),  # type: ignore[arg-type]  # as another program may write
        replace(entry(), resend_until=datetime(2026, 3, 2, 12)),  # noqa: DTZ001
        entry(terms=replace(ALL_TERMS, amount=Decimal("NaN"))),
        entry(terms=replace(ALL_TERMS, rate=Decimal("1e99"))),
    ],
)
def test_values_that_no_program_of_ours_writes_are_refused(made_up: Entry) -> None:
    [row] = rows_of(RecordedIntent(made_up))
    row = replace(row, document=row.document.replace("2026-03-02T12:00:00+00:00", "2026-03-02"))
    with pytest.raises((TypeError, ValueError)):
        entry_of(told(row, local=0))
