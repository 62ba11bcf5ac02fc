"""3 Wallets: the list of wallets, and the movements of one wallet."""

from __future__ import annotations

from threading import Lock

from paytui.domain.models import AccountId, Kind, Wallet, WalletId
from paytui.domain.money import CurrencyCode
from paytui.store.store import Store
from paytui.store.table import SLICE, Table
from paytui.store.views import wallet_label
from paytui.store.views.movements import Movement, movements
from paytui.tui import keys
from paytui.tui.context import UiContext
from paytui.tui.details.fields import Ref, RelatedList
from paytui.tui.format.cells import amount_cell
from paytui.tui.format.feeds import empty_words, feed_words
from paytui.tui.screens.base import BaseScreen
from paytui.tui.screens.create_actions import make_wallet
from paytui.tui.screens.detail import DetailScreen, copy_deposit
from paytui.tui.screens.list_dialogs import RowSpec, object_rows
from paytui.tui.screens.listing import ListPage, ListSpec
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
from paytui.tui.terminal.clipboard import copy
from paytui.tui.theme.themes import Cell, Tone


def wallets(desk: UiContext) -> ListSpec[WalletId, Wallet]:
    return ListSpec(
        mode="wallets",
        row_spec=object_rows(Kind.WALLETS),
        table=desk.store.wallets,
        columns=_columns(desk),
        others=_others(desk),
        sort="Wallet",
        owner=lambda wallet: wallet.account_id,
    )


class WalletsPage(ListPage[WalletId, Wallet]):
    """The list of wallets; pay-ins, addresses and movements are opened from it.

    Args:
        listing: the wallets of one account; None for all.
        account_id: that account.
    """

    BINDINGS = [*keys.WALLETS, *keys.DEPOSIT]  # noqa: RUF012  (Textual's way; never written to)

    def __init__(
        self,
        desk: UiContext,
        listing: ListSpec[WalletId, Wallet] | None = None,
        account_id: AccountId | None = None,
    ) -> None:
        super().__init__(desk, listing or wallets(desk))
        self._account_id = account_id

    def action_new_wallet(self) -> None:
        """Open the form for a wallet of this account, or of the one in scope."""
        make_wallet(self, self._account_id or self.desk.scope)

    def action_payins(self) -> None:
        """Open the pay-ins of the wallet under the cursor."""
        self._show_those(Kind.PAYINS)

    def action_payin_addresses(self) -> None:
        """Open the pay-in addresses of the wallet under the cursor."""
        self._show_those(Kind.PAYIN_ADDRESSES)

    def action_copy_deposit(self) -> None:
        """Copy the details that a payer of the selected wallet needs."""
        copy_deposit(self)

    def action_movements(self) -> None:
        """Open the movements of the wallet under the cursor."""
        if (wallet := self._list.selected) is not None:
            self.app.push_screen(MovementsPage(self.desk, wallet.wallet_id))

    def _show_those(self, kind: Kind) -> None:
        from paytui.tui.screens.links import related_page

        if (wallet := self._list.selected) is not None:
            those = RelatedList(kind, Ref(Kind.WALLETS, wallet.wallet_id))
            self.app.push_screen(related_page(self.desk, those))


def _columns(desk: UiContext) -> tuple[Column[Wallet], ...]:
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
        # Wide, so that it appears only after the names of accounts have room.
        text_column(
            "Description", lambda wallet: wallet.wallet_description, width=38, most=40, gives_way=5
        ),
        time_column(desk, "Updated", lambda wallet: wallet.updated_at, gives_way=6),
    )


def _others(desk: UiContext) -> tuple[Column[Wallet], ...]:
    return (
        time_column(desk, "Created", lambda wallet: wallet.created_at),
        id_column("Wallet id", lambda wallet: wallet.wallet_id),
        id_column("Account id", lambda wallet: wallet.account_id),
    )


KINDS = (Kind.PAYINS, Kind.TRADES, Kind.PAYMENTS)
"""The kinds of objects that move a wallet's money."""


class MovementsPage(ListPage[str, Movement]):
    """The pay-ins, trades and payments of one wallet in one list.

    Args:
        wallet_id: the wallet.
    """

    def __init__(self, desk: UiContext, wallet_id: WalletId) -> None:
        self._wallet_id = wallet_id
        self._table = Table[str, Movement](_key, Lock())
        self._versions: tuple[int, ...] = ()
        super().__init__(desk, _listing(desk, self._table, wallet_id))

    async def pull(self) -> None:
        """Rebuild the movements if a list behind them changed, then take them in."""
        versions = _versions(self.desk.store)
        if versions != self._versions:
            self._versions = versions
            self._take_in(movements(self.desk.store, self._wallet_id))
        await super().pull()

    def action_copy(self) -> None:
        """Copy the identifier of the transaction under the cursor."""
        if (row := self._list.selected) is not None:
            copy(self.app, "Transaction id", row.key)

    def _take_in(self, rows: list[Movement]) -> None:
        self._table.remove(self._table.keys() - {_key(row) for row in rows})
        for start in range(0, len(rows), SLICE):
            self._table.put(rows[start : start + SLICE])


def _key(row: Movement) -> str:
    """Return a unique key: identifiers are unique only within their kind."""
    return f"{row.kind}/{row.key}"


def _versions(store: Store) -> tuple[int, ...]:
    named = (store.wallets.version, store.recipients.version)
    return (*(store.table(kind).version for kind in KINDS), *named)


def _listing(
    desk: UiContext, table: Table[str, Movement], wallet_id: WalletId
) -> ListSpec[str, Movement]:
    return ListSpec(
        mode="wallets",
        row_spec=MOVEMENTS,
        table=table,
        columns=(
            time_column(desk, "Created", lambda row: row.at),
            _amount_column(),
            currency_column(lambda row: row.currency),
            state_column(lambda row: row.status, width=11),
            text_column("What", lambda row: row.what, width=20, most=60),
            text_column("Reference", lambda row: row.reference, gives_way=2, tone=Tone.MUTED),
        ),
        others=(id_column("Transaction id", lambda row: row.key),),
        sort="Created",
        descending=True,
        owner=lambda _: desk.scope,
        within=wallet_label(desk.store, wallet_id),
    )


def _amount_column() -> Column[Movement]:
    """Return the column of signed amounts, which are never cut."""

    def cell(row: Movement) -> Cell:
        written = amount_cell(row.amount, row.currency or CurrencyCode(""))
        is_in = row.amount is not None and row.amount > 0
        return Cell(f"+{written.text}", written.tone) if is_in else written

    return Column(
        title="Amount ±", cell=cell, width=10, whole=True, right=True, key=lambda row: row.amount
    )


def _health(desk: UiContext) -> Cell:
    """Return the state of the first of the three feeds that is not well."""
    said = (feed_words(desk, kind, len(desk.store.table(kind))) for kind in KINDS)
    return next((words for words in said if words.text), Cell(""))


def _empty(desk: UiContext) -> str:
    """Return the placeholder of the first feed that is not read, or that nothing moved."""
    feeds = (desk.store.feed(kind) for kind in KINDS)
    wanting = next((feed.kind for feed in feeds if feed.offered and not feed.ok), None)
    if wanting is not None:
        return empty_words(desk, wanting)
    return "Nothing moved the money of this wallet, as far as was read."


def _detail(desk: UiContext, key: str) -> BaseScreen:
    kind, _, identifier = key.partition("/")
    return DetailScreen(desk, Ref(Kind(kind), identifier))


MOVEMENTS = RowSpec(
    listed=Movement,
    title="Movement",
    noun="movements",
    stem="movements",
    health=_health,
    empty=_empty,
    detail=_detail,
)
