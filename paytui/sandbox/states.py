"""States set from outside: along the paths of contract.md, "States", or by force."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from paytui.sandbox import accounts, payins, payments, recipients, trades, wallets
from paytui.sandbox.answer import JsonObject
from paytui.sandbox.bank import Bank
from paytui.sandbox.errors import conflict
from paytui.sandbox.resources import Resource

Enter = Callable[[Bank, str, str, datetime], str | None]
Mark = Callable[[Bank, str, str, datetime], None]


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """The states of one kind of object.

    Attributes:
        follows: state → the states that may come after it.
        enter: takes an object to a state, with all that belongs to it; returns the wallet whose
            available balance rose, if one did.
        mark: writes the state and moves no money.
    """

    resource: Resource
    follows: Mapping[str, tuple[str, ...]]
    enter: Enter
    mark: Mark


_ADDRESSEE = {"Pending": ("Active", "Rejected"), "Active": ("Rejected",)}

LIFECYCLES = {
    "account": Lifecycle(
        accounts.ACCOUNTS,
        {"pending_checks": ("registered", "rejected")},
        accounts.enter,
        accounts.enter,
    ),
    "wallet": Lifecycle(
        wallets.WALLETS,
        {
            "Pending": ("Active", "Closed"),
            "Active": ("Suspended", "Closed"),
            "Suspended": ("Active", "Closed"),
        },
        wallets.enter,
        wallets.enter,
    ),
    "recipient": Lifecycle(recipients.RECIPIENTS, _ADDRESSEE, recipients.enter, recipients.enter),
    "payment_address": Lifecycle(
        recipients.ADDRESSES, _ADDRESSEE, recipients.enter_address, recipients.enter_address
    ),
    "payin": Lifecycle(
        payins.PAYINS,
        {
            "received": ("compliance_review", "rejected"),
            "compliance_review": ("credited", "rejected"),
        },
        payins.enter,
        payins.mark,
    ),
    "trade": Lifecycle(
        trades.TRADES,
        {
            "awaiting_funds": ("compliance_review", "rejected", "failed"),
            "compliance_review": ("exchanged", "rejected", "failed"),
        },
        trades.enter,
        trades.mark,
    ),
    "payment": Lifecycle(
        payments.PAYMENTS,
        {
            "created": ("compliance_review", "rejected", "cancelled", "failed"),
            "compliance_review": ("processing", "rejected", "cancelled", "failed"),
            "processing": ("released", "rejected", "cancelled", "failed"),
            "released": ("completed",),
            "completed": ("returned",),
        },
        payments.enter,
        payments.mark,
    ),
}
"""By what the table of due things calls them."""


def go_to(bank: Bank, kind: str, identifier: str, status: str, now: datetime) -> JsonObject:
    """Take an object one step along its path; from there it goes on by itself.

    Raises:
        ApiError: 404 for an unknown one, 409 for a step that its state does not allow, 422 where
            the money for the step is not there.
    """
    lifecycle = LIFECYCLES[kind]
    before = str(lifecycle.resource.get(bank.db, identifier)["status"])
    allowed = lifecycle.follows.get(before, ())
    if status not in allowed:
        message = f"after {before} comes {' or '.join(allowed) or 'nothing'}; force sets any"
        raise conflict("no_such_step", message, "status")
    _cancel_what_is_due(bank, kind, identifier)
    funded = lifecycle.enter(bank, identifier, status, now)
    if funded is not None:
        trades.fund_waiting(bank, funded, now)
    return lifecycle.resource.get(bank.db, identifier)


def force(bank: Bank, kind: str, identifier: str, status: str, now: datetime) -> JsonObject:
    """Write any state, even one that nobody knows: no money moves, and it stays as it is.

    Raises:
        ApiError: 404 for an unknown object.
    """
    lifecycle = LIFECYCLES[kind]
    lifecycle.resource.get(bank.db, identifier)
    _cancel_what_is_due(bank, kind, identifier)
    lifecycle.mark(bank, identifier, status, now)
    return lifecycle.resource.get(bank.db, identifier)


def _cancel_what_is_due(bank: Bank, kind: str, identifier: str) -> None:
    query = "DELETE FROM due WHERE kind = ? AND subject = ?"
    bank.db.execute(query, (kind, identifier))
