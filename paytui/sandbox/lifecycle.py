"""The states of all objects, and the steps that are due, run at each request in their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from paytui.sandbox import accounts, auth, history, payments, resources, trades
from paytui.sandbox.context import Bank, iso
from paytui.sandbox.http_messages import JsonObject, conflict
from paytui.sandbox.resources import Resource

Step = Callable[[Bank, str, datetime], str | None]
"""Moves a subject on; returns the wallet whose available balance rose, if one did."""

Enter = Callable[[Bank, str, str, datetime], str | None]


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """The states of one kind of object, and those that may follow each.

    Attributes:
        progress: moves an object on when its next step is due.
        enter: moves an object to a state, with its money; returns the wallet whose
            available balance rose, if one did.
    """

    resource: Resource
    follows: Mapping[str, tuple[str, ...]]
    progress: Step
    enter: Enter


def _without_money(
    resource: Resource, follows: Mapping[str, tuple[str, ...]], progress: Step | None = None
) -> Lifecycle:
    """Return the lifecycle of objects that become Active by themselves and move no money."""

    def activate(bank: Bank, identifier: str, at: datetime) -> None:
        resource.mark(bank, identifier, "Active", at)

    return Lifecycle(resource, follows, progress or activate, resource.mark)


_ADDRESSEE = {"Pending": ("Active", "Rejected"), "Active": ("Rejected",)}

LIFECYCLES = {
    "account": _without_money(
        resources.ACCOUNTS, {"pending_checks": ("registered", "rejected")}, accounts.finish_checks
    ),
    "wallet": _without_money(
        resources.WALLETS,
        {
            "Pending": ("Active", "Closed"),
            "Active": ("Suspended", "Closed"),
            "Suspended": ("Active", "Closed"),
        },
    ),
    "recipient": _without_money(resources.RECIPIENTS, _ADDRESSEE),
    "payment_address": _without_money(resources.PAYMENT_ADDRESSES, _ADDRESSEE),
    "payin": Lifecycle(
        resources.PAYINS,
        {
            "received": ("compliance_review", "rejected"),
            "compliance_review": ("credited", "rejected"),
        },
        payments.progress_payin,
        payments.enter_payin,
    ),
    "trade": Lifecycle(
        resources.TRADES,
        {
            "awaiting_funds": ("compliance_review", "rejected", "failed"),
            "compliance_review": ("exchanged", "rejected", "failed"),
        },
        trades.progress,
        trades.enter,
    ),
    "payment": Lifecycle(
        resources.PAYMENTS,
        {
            "created": ("compliance_review", "rejected", "cancelled", "failed"),
            "compliance_review": ("processing", "rejected", "cancelled", "failed"),
            "processing": ("released", "rejected", "cancelled", "failed"),
            "released": ("completed",),
            "completed": ("returned",),
        },
        payments.progress,
        payments.enter,
    ),
}
"""The lifecycles, by the kind in the table of due steps."""

STEPS: dict[str, Step] = {
    **{kind: lifecycle.progress for kind, lifecycle in LIFECYCLES.items()},
    "traffic": history.happen,
}

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
        wallet_id = STEPS[row["kind"]](bank, row["subject"], at)
        if wallet_id is not None:
            trades.fund_waiting(bank, wallet_id, at)
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
    elif (funded := lifecycle.enter(bank, identifier, status, now)) is not None:
        trades.fund_waiting(bank, funded, now)
    return lifecycle.resource.get(bank.db, identifier)
