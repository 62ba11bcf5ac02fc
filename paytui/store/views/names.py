"""What a person calls things; their identifiers where nothing better is known."""

from __future__ import annotations

from paytui.api.models import (
    Account,
    AccountId,
    PayIn,
    PayInAddress,
    Recipient,
    RecipientId,
    WalletId,
)
from paytui.money import MISSING
from paytui.store.store import Store


def account_name(store: Store, account_id: AccountId | None) -> str:
    """What a person calls an account; its id where nothing better is known."""
    if account_id is None:
        return MISSING
    account = store.accounts.get(account_id)
    return (account and account_title(account)) or account_id


def account_title(account: Account) -> str:
    """The account's own name, or its id."""
    person = _joined(account.first_name, account.middle_name, account.last_name)
    known = account.display_name or account.company_name or account.trading_name or person
    return known or account.account_id


def wallet_label(store: Store, wallet_id: WalletId | None) -> str:
    """What a person calls a wallet; its id where nothing better is known."""
    if wallet_id is None:
        return MISSING
    wallet = store.wallets.get(wallet_id)
    return (wallet and wallet.wallet_name) or wallet_id


def recipient_name(store: Store, recipient_id: RecipientId | None) -> str:
    """What a person calls a recipient; its id where nothing better is known."""
    if recipient_id is None:
        return MISSING
    recipient = store.recipients.get(recipient_id)
    return (recipient and recipient_title(recipient)) or recipient_id


def recipient_title(recipient: Recipient) -> str:
    """The recipient's own name, or its id."""
    person = _joined(recipient.first_name, recipient.last_name)
    return recipient.company_name or person or recipient.recipient_id


def payin_owner(store: Store, payin: PayIn | PayInAddress) -> AccountId | None:
    """The account of the wallet that a pay-in goes into, or that an address leads to, if known."""
    wallet = store.wallets.get(payin.wallet_id) if payin.wallet_id else None
    return wallet.account_id if wallet else None


def _joined(*parts: str | None) -> str:
    return " ".join(part for part in parts if part)
