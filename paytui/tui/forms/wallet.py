"""The forms of wallets and pay-in addresses (service.md §2)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from paytui.domain.models import AccountId, PayInAddress, Wallet
from paytui.domain.requests import PayInAddressRequest, WalletRequest
from paytui.store.names import account_name, wallet_label
from paytui.tui.details.objects import addresses_of_wallet
from paytui.tui.format.cells import state_words
from paytui.tui.forms.common_fields import account_field, currency_field
from paytui.tui.forms.schema import Field, FieldKind, Finding, Form, Section
from paytui.tui.ticket.model import Option
from paytui.tui.ui_context import UiContext


def wallet_form(ui: UiContext) -> Form:
    """Return the form of a wallet ("Wallet request fields")."""
    account = account_field(
        ui,
        help="The customer account that owns the wallet.",
        check=lambda text, _: _not_registered(ui, AccountId(text)),
    )
    currency = currency_field(ui, help="A wallet holds one currency.", required=True)
    name = Field("wallet_name", "Name", help="Name shown in lists.")
    description = Field("wallet_description", "Description", help="Purpose of the wallet.")
    return Form(
        key="wallet",
        title="New wallet",
        noun="Wallet",
        request_name="wallet_request",
        sections=(Section("wallet", "Details", (account, currency, name, description)),),
        request=lambda draft: WalletRequest(**draft.texts()),
        object_name=lambda draft: draft["wallet_name"] or draft["currency"],
    )


def _not_registered(ui: UiContext, account_id: AccountId) -> Finding | None:
    """Warn if the account has not passed its checks (service.md §3)."""
    account = ui.store.accounts.get(account_id)
    state = account.status if account else None
    if state is None or state.as_created or state.name == "registered":
        return None
    words = f"The account is in {state_words(state)}: the service may refuse it a wallet."
    return Finding(words, overridable=True)


TYPE = "pay_in_address_type"

_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "local": "by BSB and account number",
        "international": "by BIC and account number",
    }
)
"""Descriptions of the known types (service.md §2); a dialect may offer others."""


def payin_address_form(ui: UiContext, wallet: Wallet) -> Form:
    """Return the form of a pay-in address for a wallet ("Pay-in address")."""
    owner = Field(
        "wallet_id",
        "Wallet",
        FieldKind.CHOICE,
        help="Each pay-in address is unique to its wallet.",
        required=True,
        choices=lambda: (_wallet(ui, wallet),),
    )
    kind = Field(
        TYPE,
        "Type",
        FieldKind.CHOICE,
        help="How senders pay in.",
        required=True,
        choices=lambda: _types(ui, wallet),
    )
    return Form(
        key="payin_address",
        title="New pay-in address",
        noun="Pay-in address",
        request_name="payin_address_request",
        sections=(Section("payin_address", "Details", (owner, kind)),),
        request=lambda draft: PayInAddressRequest(**draft.texts()),
        object_name=lambda draft: f"{draft[TYPE]} of {wallet_label(ui.store, wallet.wallet_id)}",
    )


def _wallet(ui: UiContext, wallet: Wallet) -> Option:
    owner = account_name(ui.store, wallet.account_id)
    whose = " ".join(filter(None, [wallet.currency, "of", owner]))
    name = wallet.wallet_name or wallet.wallet_id
    return Option(key=wallet.wallet_id, name=name, facts=f"{whose}{_not_active(ui, wallet)}")


def _not_active(ui: UiContext, wallet: Wallet) -> str:
    """Return a remark on a wallet that is not Active, as a pay-in needs (service.md §3)."""
    now = ui.store.wallets.get(wallet.wallet_id) or wallet
    if now.status is None or now.status.as_created or now.status.name == "active":
        return ""
    return f", {state_words(now.status)}: cannot receive money"


def _types(ui: UiContext, wallet: Wallet) -> tuple[Option, ...]:
    """Return the types to choose from; a wallet has at most one address of each (service.md §2)."""
    has = {one.pay_in_address_type: one for one in addresses_of_wallet(ui, wallet)}
    return tuple(
        Option(key=kind, name=kind, facts=_TYPES.get(kind, ""), why_not=_why_not(has.get(kind)))
        for kind in ui.vocabulary.values.get(TYPE, tuple(_TYPES))
    )


def _why_not(address: PayInAddress | None) -> str:
    if address is None:
        return ""
    number = " ".join(filter(None, [address.bsb or address.bic, address.account_number]))
    return f"this wallet already has {number or address.pay_in_address_id}"
