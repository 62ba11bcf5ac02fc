"""A new wallet (api.md §2, "Wallet request fields")."""

from __future__ import annotations

from paytui.domain.models import AccountId
from paytui.domain.money import CurrencyCode
from paytui.domain.requests import WalletRequest
from paytui.tui.context import Desk
from paytui.tui.format.cells import state_words
from paytui.tui.forms.declare import Field, Finding, Form, Section
from paytui.tui.forms.draft import Draft
from paytui.tui.forms.usual_fields import account_field, currency_field


def wallet_form(desk: Desk) -> Form:
    """Return the form of a wallet."""
    account = account_field(
        desk,
        help="The customer account that it belongs to.",
        check=lambda text, _: _not_registered(desk, AccountId(text)),
    )
    currency = currency_field(
        desk, help="A wallet holds one currency; the service speaks of up to 19.", required=True
    )
    name = Field(key="wallet_name", label="Name", help="What it is called here, and in lists.")
    description = Field(key="wallet_description", label="Description", help="What it is for.")
    return Form(
        key="wallet",
        title="New wallet",
        noun="Wallet",
        asks="wallet_request",
        sections=(
            Section(key="wallet", title="Details", fields=(account, currency, name, description)),
        ),
        request=_request,
        named=lambda draft: draft["wallet_name"] or draft["currency"],
    )


def _not_registered(desk: Desk, account_id: AccountId) -> Finding | None:
    """An account has to pass its checks first (api.md §3)."""
    account = desk.store.accounts.get(account_id)
    state = account.status if account else None
    if state is None or state.as_created or state.name == "registered":
        return None
    words = f"The account is in {state_words(state)}: the service may refuse it a wallet."
    return Finding(words, overridable=True)


def _request(draft: Draft) -> WalletRequest:
    return WalletRequest(
        account_id=AccountId(draft["account_id"]),
        currency=CurrencyCode(draft["currency"]),
        wallet_name=draft.text("wallet_name"),
        wallet_description=draft.text("wallet_description"),
    )
