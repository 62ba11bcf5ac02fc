"""The forms of wallets and pay-in addresses (service.md §2)."""

from __future__ import annotations

from paytui.domain.models import AccountId, State, Wallet
from paytui.domain.requests import PayInAddressRequest, WalletRequest
from paytui.store.names import account_name, wallet_label
from paytui.tui.details.objects import addresses_of_wallet
from paytui.tui.drafts import Draft
from paytui.tui.format.cells import state_words
from paytui.tui.forms.common_fields import account_field, currency_field
from paytui.tui.forms.schema import Field, FieldKind, Finding, Form, Section, warning
from paytui.tui.ticket.model import Option
from paytui.tui.ui_context import UiContext

TYPE = "pay_in_address_type"
_TYPES = {
    "local": "by BSB and account number",
    "international": "by BIC and account number",
}
"""Descriptions of the known types (service.md §2); a dialect may offer others."""


def wallet_form(ui: UiContext) -> Form:
    """Return the form of a wallet ("Wallet request fields")."""

    def registered(account_id: str, _: Draft) -> Finding | None:
        account = ui.store.accounts.get(AccountId(account_id))
        state = _unless(account.status if account else None, "registered")
        words = f"The account is in {state}: the service may refuse it a wallet."
        return warning(words) if state else None

    about = "The customer account that owns the wallet."
    fields = (
        account_field(ui, about, check=registered),
        currency_field(ui, "A wallet holds one currency.", required=True),
        Field("wallet_name", "Name", help="Name shown in lists."),
        Field("wallet_description", "Description", help="Purpose of the wallet."),
    )
    return Form(
        key="wallet",
        noun="Wallet",
        sections=(Section("wallet", "Details", fields),),
        request=lambda draft: WalletRequest(**draft.texts()),
        object_name=lambda draft: draft["wallet_name"] or draft["currency"],
    )


def _unless(state: State | None, name: str) -> str:
    """Return the words of a state that is known now and another than expected; else empty."""
    is_fit = state is None or state.as_created or state.name == name
    return "" if state is None or is_fit else state_words(state)


def payin_address_form(ui: UiContext, wallet: Wallet) -> Form:
    """Return the form of a pay-in address for a wallet ("Pay-in address")."""

    def owner() -> tuple[Option, ...]:
        """Return the wallet, with a remark unless it is Active, as a pay-in needs."""
        now = ui.store.wallets.get(wallet.wallet_id) or wallet
        whose = [wallet.currency, "of", account_name(ui.store, wallet.account_id)]
        state = _unless(now.status, "active")
        facts = " ".join(filter(None, whose)) + f", {state}: cannot receive money" * bool(state)
        name = wallet.wallet_name or wallet.wallet_id
        return (Option(key=wallet.wallet_id, name=name, facts=facts),)

    def types() -> tuple[Option, ...]:
        """Return the types; a wallet has at most one address of each (service.md §2)."""
        taken = {}
        for one in addresses_of_wallet(ui, wallet):
            number = " ".join(filter(None, [one.bsb or one.bic, one.account_number]))
            why_not = f"this wallet already has {number or one.pay_in_address_id}"
            taken[one.pay_in_address_type] = why_not
        return tuple(
            Option(key=one, name=one, facts=_TYPES.get(one, ""), why_not=taken.get(one, ""))
            for one in ui.vocabulary.values.get(TYPE, tuple(_TYPES))
        )

    choice, about = FieldKind.CHOICE, "Each pay-in address is unique to its wallet."
    fields = (
        Field("wallet_id", "Wallet", choice, about, required=True, choices=owner),
        Field(TYPE, "Type", choice, "How senders pay in.", required=True, choices=types),
    )
    return Form(
        key="payin_address",
        noun="Pay-in address",
        sections=(Section("payin_address", "Details", fields),),
        request=lambda draft: PayInAddressRequest(**draft.texts()),
        object_name=lambda draft: f"{draft[TYPE]} of {wallet_label(ui.store, wallet.wallet_id)}",
    )
