"""The states of all objects, and the steps that are due, run at each request in their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from paytui.sandbox import auth, history, payments, resources, trades
from paytui.sandbox.context import Bank, iso
from paytui.sandbox.http_messages import ApiError, JsonObject, conflict
from paytui.sandbox.resources import Resource


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """The states of one kind of object, and those that may follow each.

    Attributes:
        following: returns the state that an object goes to when its next step is due, if any.
        enter: moves an object to a state, with its money; returns the wallet whose
            available balance rose, if one did. None: it has no money.
    """

    resource: Resource
    follows: Mapping[str, tuple[str, ...]]
    following: Callable[[JsonObject], str | None] = lambda _: "Active"
    enter: Callable[[Bank, str, str, datetime], str | None] | None = None

    def move(self, bank: Bank, identifier: str, status: str, at: datetime) -> None:
        """Move an object to a state, and fund the trades that its money was awaited for."""
        if self.enter is None:
            self.resource.mark(bank, identifier, status, at)
        elif (wallet_id := self.enter(bank, identifier, status, at)) is not None:
            trades.fund_waiting(bank, wallet_id, at)

    def progress(self, bank: Bank, identifier: str, at: datetime) -> None:
        """Move an object on, as its next step is due."""
        status = self.following(self.resource.get(bank.db, identifier))
        if status is not None:
            with suppress(ApiError):  # a wallet no longer holds the amount to be returned
                self.move(bank, identifier, status, at)


_ADDRESSEE = {"Pending": ("Active", "Rejected"), "Active": ("Rejected",)}
_ALL = (
    Lifecycle(
        resources.ACCOUNTS,
        {"pending_checks": ("registered", "rejected")},
        # The name replaces a reference, which accounts lack.
        lambda account: resources.after_compliance(str(account["displayName"]), "registered"),
    ),
    Lifecycle(
        resources.WALLETS,
        {
            "Pending": ("Active", "Closed"),
            "Active": ("Suspended", "Closed"),
            "Suspended": ("Active", "Closed"),
        },
    ),
    Lifecycle(resources.RECIPIENTS, _ADDRESSEE),
    Lifecycle(resources.PAYMENT_ADDRESSES, _ADDRESSEE),
    Lifecycle(
        resources.PAYINS,
        {
            "received": ("compliance_review", "rejected"),
            "compliance_review": ("credited", "rejected"),
        },
        payments.payin_following,
        payments.enter_payin,
    ),
    Lifecycle(
        resources.TRADES,
        {
            "awaiting_funds": ("compliance_review", "rejected", "failed"),
            "compliance_review": ("exchanged", "rejected", "failed"),
        },
        trades.following,
        trades.enter,
    ),
    Lifecycle(
        resources.PAYMENTS,
        {
            "created": ("compliance_review", "rejected", "cancelled", "failed"),
            "compliance_review": ("processing", "rejected", "cancelled", "failed"),
            "processing": ("released", "rejected", "cancelled", "failed"),
            "released": ("completed",),
            "completed": ("returned",),
        },
        payments.following,
        payments.enter,
    ),
)
LIFECYCLES = {each.resource.noun: each for each in _ALL}
"""The lifecycles, by the kind in the table of due steps."""

FORGOTTEN = (
    "DELETE FROM idempotency WHERE createdAt <= ?",
    "DELETE FROM tokens WHERE expiresAt <= ?",
    "DELETE FROM rate_sheets WHERE expiresAt <= ?",
    "DELETE FROM webhooks WHERE nextAt IS NULL AND createdAt <= ?",
)
"""Statements that delete rows which expired or were settled more than a day ago."""


def advance(bank: Bank, now: datetime) -> None:
    """Run all steps due by now (the service's), each with its own time, in a transaction."""
    query = "SELECT seq, at, kind, subject FROM due WHERE at <= ? ORDER BY at, seq LIMIT 1"
    while row := bank.db.execute(query, (iso(now),)).fetchone():
        bank.db.execute("DELETE FROM due WHERE seq = ?", (row["seq"],))
        at = datetime.fromisoformat(row["at"])
        if row["kind"] in LIFECYCLES:
            LIFECYCLES[row["kind"]].progress(bank, row["subject"], at)
        else:
            history.happen(bank, row["subject"], at)
    yesterday = iso(now - auth.RETENTION)
    for over in FORGOTTEN:
        bank.db.execute(over, (yesterday,))


def set_state(
    bank: Bank, kind: str, identifier: str, status: str, now: datetime, *, forced: bool
) -> JsonObject:
    """Move an object one step along its path; it continues from there.

    If forced, write any state, even an unknown one, permanently and without moving money.
    Raise 404 for an unknown one, 409 for a step that its state does not allow, 422 if the money for
    the step is missing.
    """
    lifecycle = LIFECYCLES[kind]
    before = str(lifecycle.resource.get(bank.db, identifier)["status"])
    allowed = lifecycle.follows.get(before, ())
    if not forced and status not in allowed:
        message = f"after {before} comes {' or '.join(allowed) or 'nothing'}; force sets any"
        raise conflict("no_such_step", message, "status")
    bank.db.execute("DELETE FROM due WHERE kind = ? AND subject = ?", (kind, identifier))
    if forced:
        lifecycle.resource.mark(bank, identifier, status, now)
    else:
        lifecycle.move(bank, identifier, status, now)
    return lifecycle.resource.get(bank.db, identifier)
