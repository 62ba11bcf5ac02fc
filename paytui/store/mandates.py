"""The mandates of this outbox, and what its trades have used of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from paytui.domain.intent import IntentId, IntentRow, IntentTerms, Standing
from paytui.domain.mandate import Mandate, counted, why_outside
from paytui.domain.money import Exchange, Pair, Side, exact_sum
from paytui.store.store import Store

_USES = (
    *(Standing.RECORDED, Standing.SENDING, Standing.IN_DOUBT),
    *(Standing.ACCEPTED, Standing.DONE),
)
"""The statuses of trades whose amounts count; any other has given its amount back."""


PAYS_RECIPIENT = (
    "A colleague must approve it, and a mandate approves no recipient: buy into a wallet, and pay"
    " from there."
)


@dataclass(frozen=True, slots=True)
class OpenMandate:
    """A mandate that is proposed or approved, and the amount of it that is left.

    Attributes:
        until: service time, as the program of its maker reckons it; the database has its own.
    """

    row: IntentRow
    mandate: Mandate
    left: Decimal
    until: datetime

    @property
    def is_approved(self) -> bool:
        return self.row.is_approved


def mandate_of(row: IntentRow) -> Mandate | None:
    """Return the mandate that an intent is; None if it is none."""
    terms, trade = row.terms, exchange_of(row.terms)
    if not row.is_mandate or trade is None or trade.rate is None or terms.expires_at is None:
        return None
    lasts = terms.expires_at - row.confirmed_at
    return Mandate(pair=trade.pair, up_to=trade.fixed, worst=trade.rate, lasts=lasts)


def exchange_of(terms: IntentTerms) -> Exchange | None:
    """Return the exchange of a trade, or of a mandate; None for anything else."""
    if not (terms.sell_currency and terms.buy_currency and terms.currency and terms.amount):
        return None
    pair = Pair(terms.sell_currency, terms.buy_currency)
    side = Side.SELL if terms.currency == pair.sell else Side.BUY
    return Exchange(pair, side, terms.amount, terms.rate)


def open_mandate(
    store: Store, row: IntentRow, *, beside: IntentId | None = None
) -> OpenMandate | None:
    """Return a mandate with what is left of it, `beside` one trade; None if it is not open."""
    mandate, until = mandate_of(row), row.terms.expires_at
    if mandate is None or until is None or not row.standing.open:
        return None
    trades = (
        exchange_of(trade.terms)
        for trade in store.intents.rows()
        if trade.terms.mandate_id == row.intent_id
        and trade.standing in _USES
        and trade.is_colleagues == row.is_colleagues  # as the database counts: no other trader's
        and (trade.user == row.user or not row.is_colleagues)
        and trade.intent_id != beside
    )
    used = exact_sum(counted(mandate, trade) or Decimal(0) for trade in trades if trade)
    return OpenMandate(row, mandate, mandate.up_to.amount - used, until)


def own_mandates(store: Store, pair: Pair, now: datetime) -> list[OpenMandate]:
    """Return the open mandates of this outbox for a pair, those that end first at first."""
    rows = (row for row in store.intents.rows() if row.is_mandate and not row.is_colleagues)
    them = (open_mandate(store, row) for row in rows)
    found = (one for one in them if one and one.mandate.pair == pair and now < one.until)
    return sorted(found, key=lambda one: one.until)


def why_not_within(one: OpenMandate, trade: Exchange, now: datetime) -> str:
    """Return why a trade is not within a mandate, approved or not; empty if it is."""
    return why_outside(one.mandate, trade, left=one.left, until=one.until, now=now)


def why_not_named(store: Store, terms: IntentTerms, intent_id: IntentId, now: datetime) -> str:
    """Return why a trade is not within the mandate that it names; empty if it is."""
    row = None if terms.mandate_id is None else store.intents.get(terms.mandate_id)
    one = None if row is None else open_mandate(store, row, beside=intent_id)
    trade = exchange_of(terms)
    if terms.recipient_id is not None:
        return PAYS_RECIPIENT
    if one is None or trade is None or not one.is_approved or one.row.is_colleagues:
        return "A colleague must approve it: propose a mandate on the ticket first."
    words = why_not_within(one, trade, now)
    return f"It is not within the mandate {one.row.intent_id}: {words}." if words else ""
