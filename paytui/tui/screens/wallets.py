"""3 Wallets: what is held, in which currency, for whom."""

from __future__ import annotations

from paytui.domain.models import AccountId, Kind, Wallet, WalletId
from paytui.tui import keys
from paytui.tui.context import Desk
from paytui.tui.details.facts import Ref, Those
from paytui.tui.screens.contents import objects_of
from paytui.tui.screens.copy_deposit import copy_deposit
from paytui.tui.screens.listing import Listing, ListPage
from paytui.tui.screens.making import make_wallet
from paytui.tui.table.columns import Column
from paytui.tui.table.common_columns import (
    account_column,
    balance_columns,
    currency_column,
    id_column,
    state_column,
    text_column,
    time_column,
)


def wallets(desk: Desk) -> Listing[WalletId, Wallet]:
    """The list of wallets."""
    return Listing(
        mode="wallets",
        contents=objects_of(Kind.WALLETS),
        table=desk.store.wallets,
        columns=_columns(desk),
        others=_others(desk),
        sort="Wallet",
        owner=lambda wallet: wallet.account_id,
    )


class WalletsPage(ListPage[WalletId, Wallet]):
    """The list, and the way from a wallet to what comes into it.

    Args:
        listing: those of one account; None = all.
        account_id: that account.
    """

    BINDINGS = [*keys.WALLETS, *keys.DEPOSIT]  # noqa: RUF012  (Textual's way; never written to)

    def __init__(
        self,
        desk: Desk,
        listing: Listing[WalletId, Wallet] | None = None,
        account_id: AccountId | None = None,
    ) -> None:
        super().__init__(desk, listing or wallets(desk))
        self._account_id = account_id

    def action_new_wallet(self) -> None:
        """Make a wallet, of the account that this is about, or that is looked at."""
        make_wallet(self, self._account_id or self.desk.scope)

    def action_payins(self) -> None:
        """Show what came into the wallet under the cursor."""
        self._show_those(Kind.PAYINS)

    def action_payin_addresses(self) -> None:
        """Show where money for the wallet under the cursor can be sent to."""
        self._show_those(Kind.PAYIN_ADDRESSES)

    def action_copy_deposit(self) -> None:
        """Copy what somebody needs who sends money to the wallet under the cursor."""
        copy_deposit(self)

    def action_movements(self) -> None:
        """Show all that moved the money of the wallet under the cursor."""
        from paytui.tui.screens.movements import MovementsPage

        if (wallet := self._list.selected) is not None:
            self.app.push_screen(MovementsPage(self.desk, wallet.wallet_id))

    def _show_those(self, kind: Kind) -> None:
        from paytui.tui.screens.those import those_page

        if (wallet := self._list.selected) is not None:
            those = Those(kind, Ref(Kind.WALLETS, wallet.wallet_id))
            self.app.push_screen(those_page(self.desk, those))


def _columns(desk: Desk) -> tuple[Column[Wallet], ...]:
    return (
        text_column(
            "Wallet",
            lambda wallet: wallet.wallet_name or wallet.wallet_id,
            width=14,
            most=44,
        ),
        account_column(desk, lambda wallet: wallet.account_id, gives_way=2),
        currency_column(lambda wallet: wallet.currency),
        *balance_columns(
            lambda wallet: wallet.currency,
            available=lambda wallet: wallet.available_balance,
            reserved=lambda wallet: wallet.reserved_balance,
            pending=lambda wallet: wallet.pending_balance,
            gives_way=3,
        ),
        state_column(lambda wallet: wallet.status, gives_way=1),
        # So wide that it takes no room from the names of accounts.
        text_column(
            "Description", lambda wallet: wallet.wallet_description, width=38, most=40, gives_way=5
        ),
        time_column(desk, "Updated", lambda wallet: wallet.updated_at, gives_way=6),
    )


def _others(desk: Desk) -> tuple[Column[Wallet], ...]:
    return (
        time_column(desk, "Created", lambda wallet: wallet.created_at),
        id_column("Wallet id", lambda wallet: wallet.wallet_id),
        id_column("Account id", lambda wallet: wallet.account_id),
    )
