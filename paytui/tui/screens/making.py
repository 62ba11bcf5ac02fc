"""Opening the form that makes something new, with what is known of it filled in."""

from __future__ import annotations

from paytui.api.models import Account, AccountId, Recipient, Wallet
from paytui.tui.forms.corporate import corporate_form
from paytui.tui.forms.draft import Draft
from paytui.tui.forms.individual import individual_form
from paytui.tui.forms.payin_address import begun_for, payin_address_form
from paytui.tui.forms.payment_address import begun_for_recipient, payment_address_form
from paytui.tui.forms.recipient import recipient_form
from paytui.tui.forms.screen import open_form
from paytui.tui.forms.wallet import wallet_form
from paytui.tui.screens.frame import Frame


def make_individual(frame: Frame) -> None:
    """A new account of a person."""
    open_form(frame.app, frame.desk, individual_form(frame.desk))


def make_corporate(frame: Frame) -> None:
    """A new account of a company."""
    open_form(frame.app, frame.desk, corporate_form())


def make_wallet(frame: Frame, account_id: AccountId | None) -> None:
    """A new wallet, of an account if that is known."""
    start = Draft({"account_id": account_id} if account_id else {})
    open_form(frame.app, frame.desk, wallet_form(frame.desk), account_id or "", start)


def make_payin_address(frame: Frame, wallet: Wallet) -> None:
    """A new pay-in address of a wallet."""
    form = payin_address_form(frame.desk, wallet)
    open_form(frame.app, frame.desk, form, wallet.wallet_id, begun_for(wallet))


def make_recipient(frame: Frame, account_id: AccountId | None) -> None:
    """A new recipient with its first payment address, of an account if that is known."""
    start = Draft({"account_id": account_id} if account_id else {})
    open_form(frame.app, frame.desk, recipient_form(frame.desk), account_id or "", start)


def make_payment_address(frame: Frame, recipient: Recipient) -> None:
    """One payment address more of a recipient."""
    form = payment_address_form(frame.desk, recipient)
    start = begun_for_recipient(recipient)
    open_form(frame.app, frame.desk, form, recipient.recipient_id, start)


def can_add(row: object) -> bool:
    """Whether something can be made that belongs to an object."""
    return isinstance(row, Account | Wallet | Recipient)


def add_to(frame: Frame) -> None:
    """Make what belongs to the object that a detail view shows."""
    match frame.selected:
        case Account() as account:
            make_wallet(frame, account.account_id)
        case Wallet() as wallet:
            make_payin_address(frame, wallet)
        case Recipient() as recipient:
            make_payment_address(frame, recipient)
        case _:
            frame.notify("Nothing can be added to this.", markup=False)
