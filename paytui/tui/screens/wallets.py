"""3 Wallets: what is held, in which currency, for whom."""

from __future__ import annotations

from paytui.api.models import Kind, Wallet, WalletId
from paytui.store.views import account_name
from paytui.tui import keys
from paytui.tui.cells import amount_cell, text_cell
from paytui.tui.desk import Desk
from paytui.tui.screens.contents import objects_of
from paytui.tui.screens.listing import Listing, ListPage
from paytui.tui.screens.payin_addresses import payin_addresses
from paytui.tui.screens.payins import payins
from paytui.tui.state_cell import state_cell
from paytui.tui.tone import Tone
from paytui.tui.widgets.columns import Column


def wallets(desk: Desk) -> Listing[WalletId, Wallet]:
    """The list of wallets."""
    return Listing(
        mode="wallets",
        contents=objects_of(Kind.WALLETS),
        table=desk.store.wallets,
        key=lambda wallet: wallet.wallet_id,
        columns=_columns(desk),
        sort="Wallet",
        named_by=(desk.store.accounts,),
        owner=lambda wallet: wallet.account_id,
    )


class WalletsPage(ListPage[WalletId, Wallet]):
    """The list, and the way from a wallet to what comes into it."""

    BINDINGS = keys.WALLETS

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, wallets(desk))

    def action_payins(self) -> None:
        """Show what came into the wallet under the cursor."""
        if (wallet := self._list.selected) is not None:
            self.app.push_screen(ListPage(self.desk, payins(self.desk, wallet.wallet_id)))

    def action_payin_addresses(self) -> None:
        """Show where money for the wallet under the cursor can be sent to."""
        if (wallet := self._list.selected) is not None:
            self.app.push_screen(ListPage(self.desk, payin_addresses(self.desk, wallet.wallet_id)))


def _columns(desk: Desk) -> tuple[Column[Wallet], ...]:
    return (*_names(desk), *_balances(), *_standing())


def _names(desk: Desk) -> tuple[Column[Wallet], ...]:
    return (
        Column(
            title="Wallet",
            cell=lambda wallet: text_cell(wallet.wallet_name or wallet.wallet_id),
            width=14,
            grows=True,
            most=44,
            key=lambda wallet: (wallet.wallet_name or wallet.wallet_id).casefold(),
        ),
        Column(
            title="Account",
            cell=lambda wallet: text_cell(account_name(desk.store, wallet.account_id), Tone.MUTED),
            width=12,
            grows=True,
            most=40,
            gives_way=2,
            key=lambda wallet: account_name(desk.store, wallet.account_id).casefold(),
            borrowed=True,
        ),
        Column(
            title="Ccy",
            cell=lambda wallet: text_cell(wallet.currency, Tone.MUTED),
            width=3,
            whole=True,
            key=lambda wallet: wallet.currency,
        ),
    )


def _balances() -> tuple[Column[Wallet], ...]:
    return (
        Column(
            title="Available",
            cell=lambda wallet: amount_cell(wallet.available_balance, wallet.currency),
            width=9,
            whole=True,
            right=True,
            key=lambda wallet: wallet.available_balance,
        ),
        Column(
            title="Reserved",
            cell=lambda wallet: amount_cell(wallet.reserved_balance, wallet.currency),
            width=8,
            whole=True,
            right=True,
            gives_way=3,
            key=lambda wallet: wallet.reserved_balance,
        ),
        Column(
            title="Pending",
            cell=lambda wallet: amount_cell(wallet.pending_balance, wallet.currency),
            width=7,
            whole=True,
            right=True,
            gives_way=4,
            key=lambda wallet: wallet.pending_balance,
        ),
    )


def _standing() -> tuple[Column[Wallet], ...]:
    return (
        Column(
            title="State",
            cell=lambda wallet: state_cell(wallet.status),
            width=8,
            whole=True,
            gives_way=1,
            key=lambda wallet: wallet.status.name if wallet.status else None,
        ),
    )
