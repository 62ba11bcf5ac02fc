"""All that moved the money of one wallet: pay-ins, trades and payments in one list."""

from __future__ import annotations

from threading import Lock

from paytui.domain.models import Kind, WalletId
from paytui.domain.money import CurrencyCode
from paytui.store.store import Store
from paytui.store.table import SLICE, Table
from paytui.store.views import wallet_label
from paytui.store.views.movements import Movement, movements
from paytui.tui.context import Desk
from paytui.tui.details.facts import Ref
from paytui.tui.format.cells import amount_cell
from paytui.tui.format.feeds import empty_words, feed_words
from paytui.tui.screens.contents import Contents
from paytui.tui.screens.detail import DetailScreen
from paytui.tui.screens.frame import Frame
from paytui.tui.screens.listing import Listing, ListPage
from paytui.tui.table.columns import Column
from paytui.tui.table.common_columns import (
    currency_column,
    id_column,
    state_column,
    text_column,
    time_column,
)
from paytui.tui.terminal.clipboard import copy
from paytui.tui.theme.themes import Cell, Tone

KINDS = (Kind.PAYINS, Kind.TRADES, Kind.PAYMENTS)
"""The lists that movements come from."""


class MovementsPage(ListPage[str, Movement]):
    """The list; it follows the lists that its rows come from.

    Args:
        wallet_id: the wallet whose money moved.
    """

    def __init__(self, desk: Desk, wallet_id: WalletId) -> None:
        self._wallet_id = wallet_id
        self._table = Table[str, Movement](_key, Lock())
        self._versions: tuple[int, ...] = ()
        super().__init__(desk, _listing(desk, self._table, wallet_id))

    async def pull(self) -> None:
        """Take in what moved since, before the list takes it in."""
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
    """Identifiers are unique within their list alone."""
    return f"{row.kind}/{row.key}"


def _versions(store: Store) -> tuple[int, ...]:
    named = (store.wallets.version, store.recipients.version)
    return (*(store.table(kind).version for kind in KINDS), *named)


def _listing(
    desk: Desk, table: Table[str, Movement], wallet_id: WalletId
) -> Listing[str, Movement]:
    return Listing(
        mode="wallets",
        contents=MOVEMENTS,
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
    """What goes in or out, never cut, with its sign."""

    def cell(row: Movement) -> Cell:
        written = amount_cell(row.amount, row.currency or CurrencyCode(""))
        is_in = row.amount is not None and row.amount > 0
        return Cell(f"+{written.text}", written.tone) if is_in else written

    return Column(
        title="In or out", cell=cell, width=10, whole=True, right=True, key=lambda row: row.amount
    )


def _health(desk: Desk) -> Cell:
    """Of the lists that it is made of, the first that has something to say."""
    said = (feed_words(desk, kind, len(desk.store.table(kind))) for kind in KINDS)
    return next((words for words in said if words.text), Cell(""))


def _empty(desk: Desk) -> str:
    """While one of its lists is on its way or cannot be read, what there is to say of that one."""
    feeds = (desk.store.feed(kind) for kind in KINDS)
    wanting = next((feed.kind for feed in feeds if feed.offered and not feed.ok), None)
    if wanting is not None:
        return empty_words(desk, wanting)
    return "Nothing moved the money of this wallet, as far as was read."


def _detail(desk: Desk, key: str) -> Frame:
    kind, _, identifier = key.partition("/")
    return DetailScreen(desk, Ref(Kind(kind), identifier))


MOVEMENTS = Contents(
    listed=Movement,
    title="Movement",
    noun="movements",
    stem="movements",
    health=_health,
    empty=_empty,
    detail=_detail,
)
