"""3 Wallets: what is held, in which currency, for whom."""

from __future__ import annotations

from collections.abc import Iterator

from textual.widget import Widget

from paytui.api.models import Wallet, WalletId
from paytui.money import MISSING, format_amount
from paytui.store.views import account_name
from paytui.tui.desk import Desk
from paytui.tui.reader import TableReader
from paytui.tui.screens.page import Page
from paytui.tui.tone import Cell, Tone
from paytui.tui.widgets.columns import Column
from paytui.tui.widgets.ledger import Ledger


def columns(desk: Desk) -> tuple[Column[Wallet], ...]:
    """What the list shows of a wallet."""
    return (
        Column(
            title="Wallet",
            cell=lambda wallet: Cell(wallet.wallet_name or wallet.wallet_id),
            width=12,
            grows=True,
            most=40,
            key=lambda wallet: (wallet.wallet_name or wallet.wallet_id).casefold(),
        ),
        Column(
            title="Account",
            cell=lambda wallet: Cell(account_name(desk.store, wallet.account_id), Tone.MUTED),
            width=8,
            grows=True,
            most=32,
            gives_way=3,
        ),
        Column(
            title="Ccy",
            cell=lambda wallet: Cell(wallet.currency or MISSING, Tone.MUTED),
            width=3,
            whole=True,
            key=lambda wallet: wallet.currency,
        ),
        Column(
            title="Available",
            cell=lambda wallet: Cell(
                format_amount(wallet.available_balance, wallet.currency)
                if wallet.currency
                else MISSING
            ),
            width=10,
            whole=True,
            right=True,
            key=lambda wallet: wallet.available_balance,
        ),
    )


class WalletsPage(Page):
    """The list of wallets."""

    MODE = "wallets"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._list: Ledger[WalletId, Wallet] = Ledger(
            columns(desk), lambda wallet: wallet.wallet_id, sort="Wallet"
        )
        self._reader = TableReader(desk.store.wallets, self._list.apply)

    def body(self) -> Iterator[Widget]:
        """The list."""
        yield self._list

    async def pull(self) -> None:
        """Take in wallets that changed."""
        await super().pull()
        await self._reader.pull()
        self._list.settle()
