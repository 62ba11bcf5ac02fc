"""What an outbox hands in to a desk's log is what others read, without key and body."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal

import pytest

from paytui.domain.intent import Action, IntentId, IntentTerms
from paytui.domain.models import IdempotencyKey
from paytui.outbox.entry import Entry, Event, EventKind, PurgedBody, RecordedIntent, sha256_of
from paytui.outbox.shared_log import (
    Epoch,
    HandedIn,
    LogRow,
    entry_of,
    event_of,
    made_decision,
    rows_of,
    told_decision,
)
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
    by_colleague = event_of(told(rows[2], local=None))
    assert by_colleague == replace(WHOLE, user="jo, told by anna on desk-9")


def test_a_decision_names_who_made_it_however_often_it_was_told() -> None:
    made = made_decision(IntentId("PT-1"), event(EventKind.DONE))
    assert made.decision == "settled as done 2026-03-02T12:00:01+00:00"
    row = LogRow(7, made.intent, False, None, made.kind, made.document, "bob", "desk-2")
    users = []
    for teller in ("bob", "anna", "carol"):
        row = replace(row, who=teller)
        users.append(event_of(row).user)
        found = told_decision(row)
        assert found is not None
        row = replace(row, document=found.document)
    told_by = [f"bob on desk-2, told by {teller} on desk-2" for teller in ("anna", "carol")]
    assert users == ["bob on desk-2", *told_by]
    assert told_decision(replace(row, local=3)) is None
    assert told_decision(replace(row, kind="approved")) is None
    assert told_decision(replace(row, document="[]")) is None


@pytest.mark.parametrize(
    ("found", "is_old"),
    [
        (Epoch(2, "a", 5), False),
        (Epoch(1, "a", 5), True),
        (Epoch(3, "a", 4), True),  # its timeline was left
        (Epoch(1, "a", 6), False),  # it was set back to an earlier time, and promoted
        (Epoch(2, "b", 1), False),
        (Epoch(1, "b", 9), True),
    ],
)
def test_an_old_primary_is_told_from_a_new_one(found: Epoch, *, is_old: bool) -> None:
    assert found.is_before(Epoch(2, "a", 5)) == is_old


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
