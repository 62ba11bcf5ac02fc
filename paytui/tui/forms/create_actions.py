"""Actions that open the form for a new object, with known fields filled in.

Forms are imported when one is opened: lists and details must not wait for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from paytui.domain.models import Account, AccountId, Recipient, Wallet
from paytui.tui.guards.confirmation import may_create, not_offered

if TYPE_CHECKING:
    from paytui.tui.base_screens import BaseScreen
    from paytui.tui.forms.form import Form


def make_individual(frame: BaseScreen) -> None:
    from paytui.tui.forms.declarations import individual_form

    _open(frame, "create_individual_account", individual_form(frame.ui))


def make_corporate(frame: BaseScreen) -> None:
    from paytui.tui.forms.declarations import corporate_form

    _open(frame, "create_corporate_account", corporate_form())


def make_wallet(frame: BaseScreen, account_id: AccountId | None) -> None:
    from paytui.tui.forms.declarations import wallet_form

    _open(frame, "create_wallet", wallet_form(frame.ui), account_id=account_id)


def make_payin_address(frame: BaseScreen, wallet: Wallet) -> None:
    from paytui.tui.forms.declarations import payin_address_form

    form = payin_address_form(frame.ui, wallet)
    _open(frame, "create_payin_address", form, wallet.wallet_id)


def make_recipient(frame: BaseScreen, account_id: AccountId | None) -> None:
    from paytui.tui.forms.declarations import recipient_form

    _open(frame, "create_recipient", recipient_form(frame.ui), account_id=account_id)


def make_payment_address(frame: BaseScreen, recipient: Recipient) -> None:
    from paytui.tui.forms.declarations import payment_address_form

    form = payment_address_form(frame.ui, recipient)
    _open(frame, "add_payment_address", form, recipient.recipient_id)


def can_add(row: object) -> bool:
    return isinstance(row, Account | Wallet | Recipient)


def add_to(frame: BaseScreen) -> None:
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
    frame: BaseScreen,
    operation: str,
    form: Form,
    context: str = "",
    *,
    account_id: AccountId | None = None,
) -> None:
    if why_not := not_offered(frame.ui, operation) or may_create(frame.ui):
        frame.notify(why_not, markup=False)
        return
    from paytui.tui.forms.form import form_ticket
    from paytui.tui.ticket.screen import TicketScreen

    start = {"account_id": account_id} if account_id else {}
    ticket = form_ticket(frame.ui, form, context or account_id or "", start)
    frame.app.push_screen(TicketScreen(frame.ui, ticket))
