"""A book of three traders at a desk, with a proposal; and the same once the desk is away."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from functools import cache

from paytui.domain.attention import AttentionNote
from paytui.domain.colleagues import Colleague, NoteKind, OpenTicket, SharedNote, subject_of
from paytui.domain.intent import IntentEvent, IntentTerms, Proposal, SendPermission, Standing
from paytui.domain.models import Kind, Problem
from paytui.domain.money import plain
from paytui.store.colleagues import DeskState
from paytui.store.needs_attention import AttentionCandidates, attention_key, needs_attention
from tests.support.seeded import SeededBook
from tests.tui.busy_book import busy_book

WITHIN, LEFT = timedelta(hours=1), timedelta(minutes=55)
"""The time for a proposal, and what is left of it."""
AWAY = Problem(
    "use the desk",
    "the desk's database is away",
    "connection timeout expired",
    "It is tried again by itself.",
)
ALONE = "desk away: read by this seat alone"
TRADERS = (("anna", "desk-1"), ("bob", "desk-2"), ("carol", "desk-3"))


@cache
def desk_book(*, is_away: bool) -> SeededBook:
    """Return the book as anna sees it.

    Bob proposes a payout, and carol is paying its recipient. Another one of anna's is approved.
    """
    book = busy_book()
    store, now = book.store, book.time.latest()
    for place, row in enumerate(store.intents.rows()):
        who, host = TRADERS[place % len(TRADERS)]
        theirs = replace(row, user=who, host=host, is_colleagues=who != "anna")
        if row.standing is Standing.RECORDED:
            words = f"a colleague must approve it, and it must be sent, by {now + LEFT:%H:%M} UTC"
            terms = replace(row.terms, reference=f"Invoice 4471 {row.intent_id}")
            theirs = proposed = replace(
                theirs,
                terms=terms,
                confirmed_at=now + LEFT - WITHIN,
                since=now + LEFT - WITHIN,
                standing=Standing.PROPOSED,
                attempts=0,
                proposal=Proposal(_body(terms), book.clock.now() + LEFT),
                turns=(IntentEvent(now + LEFT - WITHIN, "proposed", words),),
            )
        elif row.standing is Standing.REFUSED:
            approved = IntentEvent(row.since, "approved", "by carol on desk-3")
            theirs = replace(
                theirs, standing=Standing.RECORDED, problem=None, attempts=0, turns=(approved,)
            )
        store.intents.put([theirs])
    ticket = OpenTicket("payout", proposed.terms.recipient_id)
    since = now - timedelta(hours=1)
    carol = Colleague(3, "carol", is_own=False, host="desk-3", since=since, ticket=ticket)
    store.colleagues.put([Colleague(2, "bob", is_own=False, host="desk-2", since=since), carol])
    store.set_desk(DeskState(now))
    store.shared_notes.put(
        [
            SharedNote(
                note_id="bob/1",
                kind=NoteKind.NOTE,
                subject=subject_of("intent", proposed.intent_id),
                at=now - timedelta(minutes=3),
                words="The invoice is in the shared mailbox.",
                number=1,
                who="bob",
                host="desk-2",
            )
        ]
    )
    if is_away:
        store.set_desk(DeskState(now - timedelta(minutes=2), AWAY))
        store.colleagues.remove([2, 3])
        store.set_sending(SendPermission(allowed=False, why=f"Nothing is sent: {AWAY.happened}"))
        for kind in Kind:
            store.set_feed(replace(store.feed(kind), remark=ALONE))
        _set_one_aside(book)
    return book


def _set_one_aside(book: SeededBook) -> None:
    suspects, now = AttentionCandidates(book.store, {}), book.time.latest()
    for follower in suspects.followers:
        while follower.take_in():
            pass
    key = attention_key(needs_attention(suspects, now)[1])
    at = now - timedelta(minutes=4)
    book.store.attention.put([AttentionNote(key, at, acknowledged=True, by="bob", at=at)])


def _body(terms: IntentTerms) -> str:
    assert terms.amount is not None
    return json.dumps(
        {
            "accountId": terms.account_id,
            "sourceWalletId": terms.source_wallet_id,
            "recipientId": terms.recipient_id,
            "paymentAddressId": terms.payment_address_id,
            "amount": {"value": plain(terms.amount), "currency": terms.currency},
            "reference": terms.reference,
        }
    )
