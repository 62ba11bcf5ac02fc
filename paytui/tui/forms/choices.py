"""What many forms offer to choose from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from paytui.api.models import Account
from paytui.store.views import account_title
from paytui.tui.desk import Desk
from paytui.tui.forms.declare import Choice

Choices = Callable[[], tuple[Choice, ...]]


class _Accounts:
    """Made anew only when an account has changed: it is asked at each key."""

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


def account_choices(desk: Desk) -> Choices:
    """The customer accounts that are known, by name."""
    return _Accounts(desk)


def currency_choices(desk: Desk) -> Choices:
    """The currencies that the dialect lists; others can be typed."""
    choices = tuple(Choice(key=code, words=code) for code in desk.vocabulary.currencies)
    return lambda: choices


def _account(account: Account, shares_name: bool) -> Choice:
    """An account; its identifier is told where its name does not tell which it is."""
    state = account.status.name.replace("_", " ") if account.status else ""
    number = account.account_id if shares_name else ""
    about = ", ".join(filter(None, [account.kind, state, number]))
    return Choice(key=account.account_id, words=account_title(account), about=about)
