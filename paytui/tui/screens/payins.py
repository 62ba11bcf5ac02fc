"""The lists of pay-ins and of pay-in addresses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from paytui.config.keys import first_key
from paytui.domain.models import Kind, PayIn, PayInAddress, PayInAddressId, PayInId, WalletId
from paytui.store.views import payin_owner
from paytui.tui import keys
from paytui.tui.context import UiContext
from paytui.tui.format.cells import text_cell
from paytui.tui.screens.create_actions import make_payin_address
from paytui.tui.screens.detail import copy_deposit
from paytui.tui.screens.list_dialogs import object_rows
from paytui.tui.screens.listing import ListPage, ListSpec
from paytui.tui.table.columns import Column
from paytui.tui.table.common_columns import (
    account_column,
    amount_column,
    currency_column,
    id_column,
    state_column,
    text_column,
    time_column,
    wallet_column,
    word_column,
)
from paytui.tui.theme.themes import Tone


def payins(desk: UiContext) -> ListSpec[PayInId, PayIn]:
    return ListSpec(
        mode="wallets",
        row_spec=object_rows(Kind.PAYINS),
        table=desk.store.payins,
        columns=_columns(desk),
        others=_others(desk),
        sort="Created",
        descending=True,
        owner=lambda payin: payin_owner(desk.store, payin),
    )


def _columns(desk: UiContext) -> tuple[Column[PayIn], ...]:
    return (
        time_column(desk, "Created", lambda payin: payin.created_at),
        amount_column("Amount", lambda payin: payin.amount, lambda payin: payin.currency),
        currency_column(lambda payin: payin.currency),
        text_column("Sender", lambda payin: payin.sender_name, most=40),
        text_column("Reference", lambda payin: payin.reference, gives_way=3),
        state_column(lambda payin: payin.status),
        wallet_column(desk, "Into", lambda payin: payin.wallet_id, gives_way=2),
        time_column(desk, "Credited", lambda payin: payin.credited_at, gives_way=4),
    )


def _others(desk: UiContext) -> tuple[Column[PayIn], ...]:
    return (
        account_column(desk, lambda payin: payin_owner(desk.store, payin)),
        id_column("Pay-in id", lambda payin: payin.pay_in_transaction_id),
        id_column("Wallet id", lambda payin: payin.wallet_id),
        id_column("Address id", lambda payin: payin.pay_in_address_id),
    )


_NPP: Mapping[bool | None, str] = MappingProxyType({True: "yes", False: "no"})


def payin_addresses(desk: UiContext) -> ListSpec[PayInAddressId, PayInAddress]:
    return ListSpec(
        mode="wallets",
        row_spec=object_rows(Kind.PAYIN_ADDRESSES),
        table=desk.store.payin_addresses,
        columns=_address_columns(desk),
        others=_other_lists(desk),
        sort="Wallet",
        owner=lambda address: payin_owner(desk.store, address),
    )


class PayInAddressesPage(ListPage[PayInAddressId, PayInAddress]):
    """The list of pay-in addresses; details are copied and addresses created from it.

    Args:
        listing: all pay-in addresses, or those of a wallet.
        wallet_id: that wallet; None for all wallets.
    """

    BINDINGS = [*keys.PAYIN_ADDRESSES, *keys.DEPOSIT]  # noqa: RUF012  (Textual's way)

    def __init__(
        self,
        desk: UiContext,
        listing: ListSpec[PayInAddressId, PayInAddress],
        wallet_id: WalletId | None = None,
    ) -> None:
        super().__init__(desk, listing)
        self._wallet_id = wallet_id

    def action_new_payin_address(self) -> None:
        """Open the form for an address of this wallet, or of the selected address's wallet."""
        key = self._wallet_id or (self.selected and self.selected.wallet_id)
        wallet = self.desk.store.wallets.get(key) if key else None
        if wallet is None:
            lead = first_key(self.desk.settings.keys, "wallets.payin_addresses")
            words = f"There is no wallet here: choose one on Wallets (3), then {lead}."
            self.notify(words, markup=False)
        else:
            make_payin_address(self, wallet)

    def action_copy_deposit(self) -> None:
        """Copy the details that a payer needs."""
        copy_deposit(self)


def _address_columns(desk: UiContext) -> tuple[Column[PayInAddress], ...]:
    return (
        wallet_column(desk, "Wallet", lambda address: address.wallet_id, most=40, tone=Tone.INK),
        _number("BSB", lambda address: address.bsb, width=7),
        _number("BIC", lambda address: address.bic, width=8),
        _number("Account number", lambda address: address.account_number, width=14),
        word_column("Type", lambda address: address.pay_in_address_type, gives_way=2),
        text_column(
            "Bank", lambda address: address.bank_name, most=32, gives_way=3, tone=Tone.MUTED
        ),
        word_column("Country", lambda address: address.country, width=7, gives_way=4),
    )


def _other_lists(desk: UiContext) -> tuple[Column[PayInAddress], ...]:
    return (
        account_column(desk, lambda address: payin_owner(desk.store, address)),
        word_column("NPP", lambda address: _NPP.get(address.npp_enabled), width=3, gives_way=5),
        id_column("Address id", lambda address: address.pay_in_address_id),
        id_column("Wallet id", lambda address: address.wallet_id),
    )


def _number(
    title: str, number: Callable[[PayInAddress], str | None], *, width: int
) -> Column[PayInAddress]:
    """Return a column that is never cut: money is sent to its value."""
    return Column(
        title=title,
        cell=lambda address: text_cell(number(address)),
        width=width,
        whole=True,
        key=number,
    )
