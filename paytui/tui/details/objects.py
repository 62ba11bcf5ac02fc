"""Titles and facts of every kind of object that has a detail view."""

from __future__ import annotations

from collections.abc import Mapping

from paytui.domain.models import (
    Account,
    Kind,
    PayIn,
    PayInAddress,
    Payment,
    PaymentAddress,
    Recipient,
    Record,
    Trade,
    Wallet,
)
from paytui.tui.context import UiContext
from paytui.tui.details.fields import Group, Ref
from paytui.tui.details.parties import account_groups, payment_address_groups, recipient_groups
from paytui.tui.details.payments import payin_groups, payment_groups, trade_groups
from paytui.tui.details.wallets import payin_address_groups, wallet_groups

TITLES: Mapping[Kind, str] = {
    Kind.ACCOUNTS: "Account",
    Kind.WALLETS: "Wallet",
    Kind.PAYIN_ADDRESSES: "Pay-in address",
    Kind.PAYINS: "Pay-in",
    Kind.TRADES: "Trade",
    Kind.RECIPIENTS: "Recipient",
    Kind.PAYMENT_ADDRESSES: "Payment address",
    Kind.PAYMENTS: "Payment",
}

_KINDS: Mapping[type[Record], Kind] = {
    Account: Kind.ACCOUNTS,
    Wallet: Kind.WALLETS,
    PayInAddress: Kind.PAYIN_ADDRESSES,
    PayIn: Kind.PAYINS,
    Trade: Kind.TRADES,
    Recipient: Kind.RECIPIENTS,
    PaymentAddress: Kind.PAYMENT_ADDRESSES,
    Payment: Kind.PAYMENTS,
}


def ref_of(desk: UiContext, row: Record) -> Ref:
    """Return the reference by which an object is opened."""
    kind = _KINDS[type(row)]
    return Ref(kind, desk.store.table(kind).key(row))


def groups_of(desk: UiContext, row: Record) -> list[Group]:
    match row:
        case Account():
            groups = account_groups(desk, row)
        case Wallet():
            groups = wallet_groups(desk, row)
        case PayInAddress():
            groups = payin_address_groups(desk, row)
        case PayIn():
            groups = payin_groups(desk, row)
        case Trade():
            groups = trade_groups(desk, row)
        case Recipient():
            groups = recipient_groups(desk, row)
        case PaymentAddress():
            groups = payment_address_groups(desk, row)
        case Payment():
            groups = payment_groups(desk, row)
    return groups
