"""The names of accounts, wallets and recipients; their identifiers if they have none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from paytui.domain.models import (
    Account,
    AccountId,
    PayIn,
    PayInAddress,
    Recipient,
    RecipientId,
    Wallet,
    WalletId,
)
from paytui.domain.money import MISSING
from paytui.store.store import Store, Versioned

ID_TAIL = 6
"""Characters of an identifier's end that tell it from others."""

_TWO = 2


def account_name(store: Store, account_id: AccountId | None) -> str:
    """Return the name of an account, else its id."""
    if account_id is None:
        return MISSING
    account = store.accounts.get(account_id)
    return (account and account_title(account)) or account_id


def account_title(account: Account) -> str:
    """Return the account's own name, or its id."""
    person = _joined(account.first_name, account.middle_name, account.last_name)
    known = account.display_name or account.company_name or account.trading_name or person
    return known or account.account_id


def wallet_label(store: Store, wallet_id: WalletId | None) -> str:
    """Return the name of a wallet, else its id."""
    if wallet_id is None:
        return MISSING
    wallet = store.wallets.get(wallet_id)
    return (wallet and wallet.wallet_name) or wallet_id


def wallets_in_words(store: Store, wallets: Sequence[Wallet]) -> dict[WalletId, str]:
    """Return unique names of wallets: a name that several share gets a prefix.

    The prefix is the account's name, or the end of the wallet's id within one account.
    """
    names = {wallet.wallet_name for wallet in wallets}
    named = [wallet for wallet in store.wallets.rows() if wallet.wallet_name in names]
    by_name = Counter(wallet.wallet_name for wallet in named)
    by_account = Counter((wallet.wallet_name, wallet.account_id) for wallet in named)
    called: dict[WalletId, str] = {}
    for wallet in wallets:
        name, account_id = wallet.wallet_name, wallet.account_id
        if not name:
            called[wallet.wallet_id] = f"wallet {wallet.wallet_id}"
        elif by_name[name] < _TWO:
            called[wallet.wallet_id] = f"wallet {name}"
        elif by_account[name, account_id] < _TWO:
            called[wallet.wallet_id] = f"{account_name(store, account_id)}: {name}"
        else:
            called[wallet.wallet_id] = f"…{wallet.wallet_id[-ID_TAIL:]}: {name}"
    return called


def recipient_name(store: Store, recipient_id: RecipientId | None) -> str:
    """Return the name of a recipient, else its id."""
    if recipient_id is None:
        return MISSING
    recipient = store.recipients.get(recipient_id)
    return (recipient and recipient_title(recipient)) or recipient_id


def recipient_title(recipient: Recipient) -> str:
    """Return the recipient's own name, or its id."""
    person = _joined(recipient.first_name, recipient.last_name)
    return recipient.company_name or person or recipient.recipient_id


def payin_owner(store: Store, payin: PayIn | PayInAddress) -> AccountId | None:
    """Return the account of the wallet that a pay-in or an address belongs to, if known."""
    wallet = store.wallets.get(payin.wallet_id) if payin.wallet_id else None
    return wallet.account_id if wallet else None


def _joined(*parts: str | None) -> str:
    return " ".join(part for part in parts if part)


class NameCache:
    """A cache of names, valid until an object of their table changes.

    Many rows name few objects, and a look-up in a table takes a lock.

    Args:
        table: the table of the objects.
        name: returns the name for an identifier.
    """

    def __init__(self, table: Versioned, name: Callable[[str], str]) -> None:
        self._table = table
        self._name = name
        self._names: dict[str, str] = {}
        self._version = table.version

    def __call__(self, key: str) -> str:
        """Return the current name of an object."""
        if self._table.version != self._version:
            # Read first: a change during the look-up then clears the cache again.
            self._version = self._table.version
            self._names.clear()
        if (name := self._names.get(key)) is None:
            name = self._names[key] = self._name(key)
        return name
