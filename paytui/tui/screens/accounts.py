"""2 Accounts: the customers that everything belongs to."""

from __future__ import annotations

from paytui.domain.models import Account, AccountId, Kind
from paytui.store.views import account_title
from paytui.tui import keys
from paytui.tui.context import Desk
from paytui.tui.screens.contents import objects_of
from paytui.tui.screens.listing import Listing, ListPage
from paytui.tui.screens.making import make_corporate, make_individual
from paytui.tui.table.columns import Column
from paytui.tui.table.common_columns import (
    id_column,
    state_column,
    text_column,
    time_column,
    word_column,
)


def accounts(desk: Desk) -> Listing[AccountId, Account]:
    """The list of accounts."""
    return Listing(
        mode="accounts",
        contents=objects_of(Kind.ACCOUNTS),
        table=desk.store.accounts,
        columns=_columns(desk),
        others=_others(),
        sort="Account",
        owner=lambda account: account.account_id,
    )


class AccountsPage(ListPage[AccountId, Account]):
    """The list, and the way to a new account."""

    BINDINGS = keys.ACCOUNTS

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, accounts(desk))

    def action_new_individual(self) -> None:
        """Make an account of a person."""
        make_individual(self)

    def action_new_corporate(self) -> None:
        """Make an account of a company."""
        make_corporate(self)


def _columns(desk: Desk) -> tuple[Column[Account], ...]:
    return (
        text_column("Account", account_title, width=16, most=48),
        word_column("Kind", lambda account: account.kind, gives_way=2),
        state_column(lambda account: account.status),
        time_column(desk, "Created", lambda account: account.created_at, gives_way=3),
        id_column("Account id", lambda account: account.account_id),
    )


def _others() -> tuple[Column[Account], ...]:
    return (
        text_column("E-mail", lambda account: account.email, most=40, gives_way=5),
        text_column("Company", lambda account: account.company_name, most=40, gives_way=6),
        text_column("Trading name", lambda account: account.trading_name, gives_way=6),
        text_column("Registration", lambda account: account.registration_number, gives_way=7),
        word_column("Country", lambda account: account.registration_country, width=7, gives_way=7),
    )
