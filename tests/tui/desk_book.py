"""A book of three traders at a desk, with proposals; and the same once the desk is away."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from functools import cache

from paytui.domain.colleagues import (
    AttentionNote,
    Colleague,
    NoteKind,
    OpenTicket,
    SharedNote,
    subject_of,
)
from paytui.domain.intent import (
    IntentEvent,
    IntentMaker,
    IntentRow,
    IntentTerms,
    Proposal,
    SendPermission,
    Standing,
)
from paytui.domain.mandate import Mandate
from paytui.domain.models import Kind, Problem
from paytui.domain.money import CurrencyCode, Money, Pair, plain
from paytui.store.colleagues import DeskState
from paytui.store.needs_attention import AttentionCandidates, attention_key, needs_attention
from paytui.store.rate_board import last_known_rate
from paytui.tui.ticket.mandates import title
from tests.support.intents import row_of
from tests.support.seeded import SeededBook
from tests.tui.busy_book import busy_book

WITHIN, LEFT = timedelta(hours=1), timedelta(minutes=55)
"""The time for a proposal, and what is left of it."""
AWAY = Problem(
    "use the desk",
    "the desk's database is away",
    "connection timeout expired",
    "paytui connects again by itself.",
)
ALONE = "desk away: read by this seat alone"
TRADERS = (("anna", "desk-1"), ("bob", "desk-2"), ("carol", "desk-3"))


@cache
def desk_book(*, is_away: bool) -> SeededBook:
    """Return the book as anna sees it.

    Bob proposes a payout, and carol is paying its recipient. Another one of anna's is approved.
    Carol proposes a mandate.
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
    store.intents.put([_mandate(book)])
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
        why = f"Nothing is sent: {AWAY.happened}"
        store.set_sending(SendPermission(allowed=False, why=why, short="desk away"))
        for kind in Kind:
            store.set_feed(replace(store.feed(kind), remark=ALONE))
        _set_one_aside(book)
    return book


def _set_one_aside(book: SeededBook) -> None:
    suspects, now = AttentionCandidates(book.store, {}), book.time.latest()
    for follower in suspects.followers:
        while follower.take_in():
            pass
    key = attention_key(needs_attention(suspects, now)[2])
    at = now - timedelta(minutes=4)
    book.store.attention.put([AttentionNote(key, at, acknowledged=True, by="bob", at=at)])


def _mandate(book: SeededBook) -> IntentRow:
    """Return a colleague's mandate, whose rate is a little below the market's."""
    now, pair = book.time.latest(), Pair(CurrencyCode("AUD"), CurrencyCode("USD"))
    rate = last_known_rate(book.store, pair)
    assert rate is not None
    mandate = Mandate(
        pair=pair,
        up_to=Money(Decimal(2_000_000), pair.sell),
        worst=round(rate * Decimal("0.995"), 4),
        lasts=timedelta(hours=3),
    )
    maker = IntentMaker(random.Random(3))  # noqa: S311 - a picture repeats itself
    made = maker.make(mandate, title=title(mandate), confirmed_at=now - timedelta(minutes=2))
    ends = made.confirmed_at + mandate.lasts
    words = f"a colleague must approve it; it ends at {ends:%H:%M} UTC"
    proposed = IntentEvent(made.confirmed_at, "proposed", words)
    body = Proposal(mandate.body.decode(), book.clock.now() + (ends - now))
    return row_of(
        made,
        Standing.PROPOSED,
        user="carol",
        host="desk-3",
        is_colleagues=True,
        proposal=body,
        turns=(proposed,),
    )


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
