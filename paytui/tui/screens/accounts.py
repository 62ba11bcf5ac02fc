"""2 Accounts: the customers that everything belongs to."""

from __future__ import annotations

from paytui.api.models import Account, AccountId, Kind
from paytui.store.views import account_title
from paytui.tui.cells import text_cell, time_cell
from paytui.tui.desk import Desk
from paytui.tui.screens.contents import objects_of
from paytui.tui.screens.listing import Listing
from paytui.tui.state_cell import state_cell
from paytui.tui.tone import Tone
from paytui.tui.widgets.columns import Column


def accounts(desk: Desk) -> Listing[AccountId, Account]:
    """The list of accounts."""
    return Listing(
        mode="accounts",
        contents=objects_of(Kind.ACCOUNTS),
        table=desk.store.accounts,
        key=lambda account: account.account_id,
        columns=_columns(desk),
        sort="Account",
        owner=lambda account: account.account_id,
    )


def _columns(desk: Desk) -> tuple[Column[Account], ...]:
    return (
        Column(
            title="Account",
            cell=lambda account: text_cell(account_title(account)),
            width=16,
            grows=True,
            most=48,
            key=lambda account: account_title(account).casefold(),
        ),
        Column(
            title="Kind",
            cell=lambda account: text_cell(account.kind, Tone.MUTED),
            width=10,
            gives_way=2,
            key=lambda account: account.kind,
        ),
        Column(
            title="State",
            cell=lambda account: state_cell(account.status),
            width=8,
            whole=True,
            key=lambda account: account.status.name if account.status else None,
        ),
        Column(
            title="Created",
            cell=lambda account: time_cell(account.created_at, desk.zone),
            width=12,
            gives_way=3,
            key=lambda account: account.created_at,
        ),
        Column(
            title="Account id",
            cell=lambda account: text_cell(account.account_id, Tone.FAINT),
            width=12,
            grows=True,
            most=40,
            gives_way=4,
        ),
    )
