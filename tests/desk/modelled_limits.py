"""A model of the rules by which the desk's database lets amounts above a limit leave.

They are those of `paytui.objection`, `paytui.is_within_mandate` and `paytui.why_no_proposal`; there
are no limits of a day. `test_modelled_log.py` compares them with the database's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any

from paytui.outbox.entry import sha256_of
from paytui.outbox.shared_log import LIMITS, RECORDED, HandedIn, Refusal

PROPOSED, APPROVALS = "proposed", ("partly approved", "approved")
NOT_DONE = "settled as not done"
_COUNTS = ("sending", "in doubt", "accepted", "found", "settled as done")
_GIVES_BACK = ("refused", "not executed", NOT_DONE)


@dataclass(frozen=True, slots=True)
class Row:
    handed_in: HandedIn
    outbox: str
    who: str
    is_decision: bool = False
    leave_by: float | None = None
    arrive_by: float | None = None

    @property
    def kind(self) -> str:
        return self.handed_in.kind


@cache
def read(document: str) -> Mapping[str, Any]:
    """Return a document of a row; the terms of an entry, and the body of a mandate, are in it."""
    found = dict(json.loads(document))
    if isinstance(terms := found.get("terms"), str):
        found["terms"] = json.loads(terms)
    return found


def first(rows: Iterable[Row], kind: str) -> Row | None:
    return next((row for row in rows if row.kind == kind), None)


def sides(terms: Mapping[str, str]) -> Iterator[tuple[str, Decimal]]:
    """Yield the fixed amount and, of a trade at a locked rate, the other side."""
    fixed, amount = terms.get("currency"), Decimal(terms.get("amount", 0))
    if fixed is not None:
        yield fixed, amount
    if rate := Decimal(terms.get("rate", 0)):
        is_sold = fixed == terms["sell_currency"]
        other = terms["buy_currency"] if is_sold else terms["sell_currency"]
        yield other, amount * rate if is_sold else amount / rate


class Limits:
    """The limits of a desk, judged by all rows of its log.

    Args:
        bugs: what is wrong on purpose.
    """

    def __init__(self, rows: Sequence[Row], bugs: frozenset[str] = frozenset()) -> None:
        self._rows, self._bugs = rows, bugs
        told = [row for row in rows if row.kind == LIMITS]
        self._limits: Mapping[str, Any] = {"above": {}, "needs": 1}
        if told:
            self._limits = read(told[-1].handed_in.document)

    def of(self, intent: str) -> list[Row]:
        return [row for row in self._rows if row.handed_in.intent == intent]

    def approvers(self, intent: str) -> set[str]:
        """Return the traders who approved an intent's body, beside the one who confirmed it."""
        rows = self.of(intent)
        maker = first(rows, RECORDED)
        if maker is None:
            return set()
        entry = read(maker.handed_in.document)
        given = [row for row in rows if row.kind in APPROVALS]
        if "adopted" in self._bugs:
            return {f"{row.who} {row.is_decision}" for row in given}
        return {
            row.who
            for row in given
            if row.who != maker.who or "self" in self._bugs
            if read(row.handed_in.document).get("body_hash") == entry["body_hash"]
            or "bytes" in self._bugs
        }

    def has_approval(self, intent: str, more: Iterable[str] = ()) -> bool:
        return self.is_enough(len(self.approvers(intent) | {*more}))

    def is_enough(self, approvals: int) -> bool:
        return approvals >= int(self._limits["needs"])

    def needs_approval(self, terms: Mapping[str, str]) -> bool:
        above = self._limits["above"]
        return any(code in above and amount > Decimal(above[code]) for code, amount in sides(terms))

    def lapses_after(self, its: HandedIn) -> float:
        """Return the seconds after which a proposal lapses: a mandate names its own."""
        recorded = first(self.of(its.intent), RECORDED)
        entry = {} if recorded is None else read(recorded.handed_in.document)
        if entry.get("action") == "mandate":
            return float(json.loads(read(its.document)["body"])["seconds"])
        return float(self._limits.get("within", 0))

    def objection(self, its: HandedIn, who: str, newest: str, now: float) -> Refusal | None:
        """Return why limits are against a departure.

        Args:
            newest: where the mandate stands that it names, if it names one.
        """
        rows = self.of(its.intent)
        recorded, proposal = first(rows, RECORDED), first(rows, PROPOSED)
        assert recorded is not None
        entry = read(recorded.handed_in.document)
        terms, departure = entry.get("terms", {}), its.departure or 0
        is_first = not any(
            row.leave_by is not None and 0 < (row.handed_in.departure or 0) < departure
            for row in rows
        )
        if its.body_hash != entry.get("body_hash") or entry.get("action") == "mandate":
            return Refusal.CHANGED
        if not self.needs_approval(terms):
            return None
        if terms.get("mandate_id") is not None:
            is_within = not is_first or self._is_within(its.intent, terms, who, newest, now)
            return None if is_within else Refusal.OUTSIDE
        if not self.has_approval(its.intent):
            return Refusal.UNAPPROVED
        is_over = proposal is not None and (proposal.leave_by or 0) <= now
        return Refusal.EXPIRED if is_first and is_over else None

    def _is_within(
        self, intent: str, terms: Mapping[str, str], who: str, newest: str, now: float
    ) -> bool:
        proposal = first(self.of(terms["mandate_id"]), PROPOSED)
        if proposal is None:
            return False
        it = json.loads(read(proposal.handed_in.document)["body"])
        amounts = dict(sides(terms))
        return (
            proposal.who == who
            and (newest == RECORDED or "revoked" in self._bugs)
            and ((proposal.leave_by or 0) > now or "endless" in self._bugs)
            and self.has_approval(terms["mandate_id"])
            and (it["sell"], it["buy"]) == (terms["sell_currency"], terms["buy_currency"])
            and not terms.get("recipient_id")
            and Decimal(terms["rate"]) >= Decimal(it["rate"])
            and self._used(terms["mandate_id"], it["currency"], proposal.who, intent)
            + amounts[it["currency"]]
            <= Decimal(it["up_to"])
        )

    def _used(self, mandate: str, currency: str, who: str, beside: str) -> Decimal:
        """Return the amount of trades within a mandate that left and were not turned down."""
        used, charged = Decimal(0), dict[str, tuple[Decimal, bool]]()
        for row in self._rows:
            intent, is_departure = row.handed_in.intent, row.kind == "sending"
            if is_departure and "bound" in self._bugs and row.leave_by is None:
                continue  # it was handed in after a failover
            if is_departure and intent not in charged and row.who == who and intent != beside:
                recorded = first(self.of(intent), RECORDED)
                terms = {} if recorded is None else read(recorded.handed_in.document)["terms"]
                if terms.get("mandate_id") == mandate:
                    charged[intent] = dict(sides(terms))[currency], True
            elif intent in charged and row.kind in (*_COUNTS, *_GIVES_BACK):
                charged[intent] = charged[intent][0], row.kind in _COUNTS
        return sum((amount for amount, counts in charged.values() if counts), used)

    def why_no_approval(self, intent: str, body: str, who: str, now: float) -> Refusal | None:
        """Return why a trader cannot approve a body; it is proposed, and never left."""
        rows = self.of(intent)
        recorded, proposal = first(rows, RECORDED), first(rows, PROPOSED)
        assert recorded is not None
        assert proposal is not None
        if proposal.who == who and "self" not in self._bugs:
            return Refusal.OWN
        hashed = sha256_of(body.encode())
        proposed = sha256_of(read(proposal.handed_in.document)["body"].encode())
        entry = read(recorded.handed_in.document)
        if (hashed != entry["body_hash"] or hashed != proposed) and "bytes" not in self._bugs:
            return Refusal.CHANGED
        return Refusal.EXPIRED if (proposal.leave_by or 0) <= now else None
