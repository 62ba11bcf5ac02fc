"""The action that opens the form for a new object, with known fields filled in.

Forms are imported when one is opened: lists and details must not wait for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from paytui.api.resources import identifier_of
from paytui.domain.models import AccountId, Recipient, Wallet
from paytui.tui.confirmation import may_create, not_offered

if TYPE_CHECKING:
    from paytui.tui.base_screens import BaseScreen


def create(
    frame: BaseScreen,
    operation: str,
    *owner: Wallet | Recipient,
    account_id: AccountId | None = None,
) -> None:
    """Open the form of an operation for an object of this owner or account, unless it is barred."""
    if why_not := not_offered(frame.ui, operation) or may_create(frame.ui):
        frame.notify(why_not, markup=False)
        return
    from paytui.tui.forms.declarations import FORMS, form_ticket
    from paytui.tui.ticket.screen import TicketScreen

    context = identifier_of(*owner) if owner else account_id or ""
    start = {"account_id": account_id} if account_id else {}
    ticket = form_ticket(frame.ui, FORMS[operation](frame.ui, *owner), context, start)
    frame.show_ticket(TicketScreen(frame.ui, ticket))
