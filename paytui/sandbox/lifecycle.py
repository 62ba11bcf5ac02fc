"""The states of all objects, and the steps that are due, run at each request in their order."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from paytui.sandbox import accounts, auth, history, payments, trades
from paytui.sandbox.context import Bank, iso
from paytui.sandbox.http_messages import ApiError, JsonObject, conflict
from paytui.sandbox.resources import Lifecycle

_ALL = (
    *(accounts.ACCOUNT_STATES, accounts.WALLET_STATES, accounts.RECIPIENT_STATES),
    *(accounts.ADDRESS_STATES, payments.PAYIN_STATES, trades.TRADE_STATES, payments.PAYMENT_STATES),
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
            lifecycle, identifier = LIFECYCLES[row["kind"]], row["subject"]
            status = lifecycle.following(lifecycle.resource.get(bank.db, identifier))
            if status is not None:
                with suppress(ApiError):  # a wallet no longer holds the amount to be returned
                    _move(bank, lifecycle, identifier, status, at)
        else:
            history.happen(bank, row["subject"], at)
    yesterday = iso(now - auth.RETENTION)
    for over in FORGOTTEN:
        bank.db.execute(over, (yesterday,))


def _move(bank: Bank, lifecycle: Lifecycle, identifier: str, status: str, at: datetime) -> None:
    """Move an object to a state, and fund the trades that its money was awaited for."""
    if (wallet_id := lifecycle.enter(bank, identifier, status, at)) is not None:
        trades.fund_waiting(bank, wallet_id, at)


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
        _move(bank, lifecycle, identifier, status, now)
    return lifecycle.resource.get(bank.db, identifier)
