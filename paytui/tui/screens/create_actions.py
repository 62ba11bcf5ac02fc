"""Actions that open the form for a new object, with known fields filled in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paytui.domain.models import Account, AccountId, Recipient, Wallet
from paytui.tui.forms.draft import Draft
from paytui.tui.guards.sending import not_offered
from paytui.tui.screens.base import BaseScreen

if TYPE_CHECKING:
    from paytui.tui.forms.schema import Form


def make_individual(frame: BaseScreen) -> None:
    """Open the form for a person's account."""
    from paytui.tui.forms.account import individual_form

    _open(frame, "create_individual_account", individual_form(frame.desk))


def make_corporate(frame: BaseScreen) -> None:
    """Open the form for a company's account."""
    from paytui.tui.forms.account import corporate_form

    _open(frame, "create_corporate_account", corporate_form())


def make_wallet(frame: BaseScreen, account_id: AccountId | None) -> None:
    """Open the form for a wallet, with its account if that is known."""
    from paytui.tui.forms.wallet import wallet_form

    form, start = wallet_form(frame.desk), _begun_for_account(account_id)
    _open(frame, "create_wallet", form, account_id or "", start)


def make_payin_address(frame: BaseScreen, wallet: Wallet) -> None:
    """Open the form for a pay-in address of a wallet."""
    from paytui.tui.forms.wallet import payin_address_draft, payin_address_form

    form = payin_address_form(frame.desk, wallet)
    _open(frame, "create_payin_address", form, wallet.wallet_id, payin_address_draft(wallet))


def make_recipient(frame: BaseScreen, account_id: AccountId | None) -> None:
    """Open the form for a recipient and its first payment address."""
    from paytui.tui.forms.recipient import recipient_form

    form, start = recipient_form(frame.desk), _begun_for_account(account_id)
    _open(frame, "create_recipient", form, account_id or "", start)


def make_payment_address(frame: BaseScreen, recipient: Recipient) -> None:
    """Open the form for another payment address of a recipient."""
    from paytui.tui.forms.recipient import payment_address_draft, payment_address_form

    form = payment_address_form(frame.desk, recipient)
    start = payment_address_draft(recipient)
    _open(frame, "add_payment_address", form, recipient.recipient_id, start)


def can_add(row: object) -> bool:
    """Return True if an object can be created that belongs to this one."""
    return isinstance(row, Account | Wallet | Recipient)


def add_to(frame: BaseScreen) -> None:
    """Open the form for a new object that belongs to the selected one."""
    match frame.selected:
        case Account() as account:
            make_wallet(frame, account.account_id)
        case Wallet() as wallet:
            make_payin_address(frame, wallet)
        case Recipient() as recipient:
            make_payment_address(frame, recipient)
        case _:
            frame.notify("Nothing can be added to this.", markup=False)


def _open(
    frame: BaseScreen, operation: str, form: Form, context: str = "", start: Draft | None = None
) -> None:
    if why_not := not_offered(frame.desk, operation):
        frame.notify(why_not, markup=False)
        return
    # Imported late: the first paint must not wait for the forms.
    from paytui.tui.forms.screen import open_form

    open_form(frame.app, frame.desk, form, context, start)


def _begun_for_account(account_id: AccountId | None) -> Draft:
    return Draft({"account_id": account_id} if account_id else {})
