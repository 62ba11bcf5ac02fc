"""A new wallet (api.md §2, "Wallet request fields")."""

from __future__ import annotations

from paytui.api.models import AccountId
from paytui.api.requests import WalletRequest
from paytui.money import CurrencyCode
from paytui.tui.desk import Desk
from paytui.tui.forms.choices import account_choices, currency_choices
from paytui.tui.forms.declare import Field, FieldKind, Form, Section
from paytui.tui.forms.draft import Draft


def wallet_form(desk: Desk) -> Form:
    """What the service asks of a wallet."""
    account = Field(
        key="account_id",
        label="Account",
        kind=FieldKind.CHOICE,
        help="The customer account that it belongs to.",
        required=True,
        choices=account_choices(desk),
    )
    currency = Field(
        key="currency",
        label="Currency",
        kind=FieldKind.CURRENCY,
        help="A wallet holds one currency.",
        required=True,
        choices=currency_choices(desk),
    )
    name = Field(key="wallet_name", label="Name", help="What it is called here, and in lists.")
    description = Field(key="wallet_description", label="Description", help="What it is for.")
    return Form(
        key="wallet",
        title="New wallet",
        noun="Wallet",
        asks="wallet_request",
        sections=(
            Section(key="wallet", title="details", fields=(account, currency, name, description)),
        ),
        request=_request,
        named=lambda draft: draft["wallet_name"] or draft["currency"],
    )


def _request(draft: Draft) -> WalletRequest:
    return WalletRequest(
        account_id=AccountId(draft["account_id"]),
        currency=CurrencyCode(draft["currency"]),
        wallet_name=draft.text("wallet_name"),
        wallet_description=draft.text("wallet_description"),
    )
