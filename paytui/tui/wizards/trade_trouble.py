"""Why what a trade buys cannot go somewhere."""

from __future__ import annotations

from dataclasses import replace

from paytui.domain.models import PaymentAddress, Recipient, Wallet
from paytui.tui.wizards.payment_options import recipient_trouble, wallet_trouble


def target_trouble(source: Wallet, wallet: Wallet) -> str:
    """Why what is bought cannot go to a wallet; empty where it can."""
    if wallet.currency is not None and wallet.currency == source.currency:
        return f"{wallet.currency} as well"
    return wallet_trouble(wallet)


def payee_trouble(source: Wallet, recipient: Recipient, address: PaymentAddress) -> str:
    """Why what is bought cannot go to an address of a recipient; empty where it can."""
    if address.currency is not None and address.currency == source.currency:
        return f"{address.currency} as well"
    # The wallet that pays it holds what is bought, whatever the one that sells holds.
    return recipient_trouble(replace(source, currency=address.currency), recipient, [address])
