"""Fields that many forms have: whose account it is, and in which currency."""

from __future__ import annotations

from collections import Counter

from paytui.domain.models import Account, Kind
from paytui.store.views import account_title
from paytui.tui.context import Desk
from paytui.tui.forms.declare import Check, Choice, Field, FieldKind


class _Accounts:
    """The known accounts, by name.

    Made anew only when one has changed: they are asked for at each key.
    """

    def __init__(self, desk: Desk) -> None:
        self._table = desk.store.accounts
        self._version = -1
        self._choices: tuple[Choice, ...] = ()

    def __call__(self) -> tuple[Choice, ...]:
        if self._version != self._table.version:
            self._version = self._table.version
            rows = sorted(self._table.rows(), key=lambda row: account_title(row).casefold())
            names = Counter(map(account_title, rows))
            self._choices = tuple(_account(row, names[account_title(row)] > 1) for row in rows)
        return self._choices


def account_field(desk: Desk, *, help: str, check: Check | None = None) -> Field:  # noqa: A002
    """The account that something new is to belong to."""
    return Field(
        key="account_id",
        label="Account",
        kind=FieldKind.CHOICE,
        help=help,
        required=True,
        choices=_Accounts(desk),
        others=lambda: not desk.store.feed(Kind.ACCOUNTS).offered,
        check=check,
    )


def currency_field(desk: Desk, *, help: str, required: bool = False) -> Field:  # noqa: A002
    """The currency of something new: one that the dialect lists, or any that is typed."""
    listed = tuple(Choice(key=code, words=code) for code in desk.vocabulary.currencies)
    return Field(
        key="currency",
        label="Currency",
        kind=FieldKind.CURRENCY,
        help=help,
        required=required,
        choices=lambda: listed,
    )


def _account(account: Account, shares_name: bool) -> Choice:
    """An account; its identifier is told where its name does not tell which it is."""
    state = account.status.name.replace("_", " ") if account.status else ""
    number = account.account_id if shares_name else ""
    about = ", ".join(filter(None, [account.kind, state, number]))
    return Choice(key=account.account_id, words=account_title(account), about=about)
