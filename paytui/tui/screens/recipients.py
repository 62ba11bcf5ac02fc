"""7 Recipients: whom the accounts pay."""

from __future__ import annotations

from paytui.api.models import Kind, Recipient, RecipientId
from paytui.store.views import account_name, recipient_title
from paytui.tui.cells import text_cell
from paytui.tui.desk import Desk
from paytui.tui.screens.contents import objects_of
from paytui.tui.screens.listing import Listing
from paytui.tui.state_cell import state_cell
from paytui.tui.tone import Tone
from paytui.tui.widgets.columns import Column


def recipients(desk: Desk) -> Listing[RecipientId, Recipient]:
    """The list of recipients."""
    return Listing(
        mode="recipients",
        contents=objects_of(Kind.RECIPIENTS),
        table=desk.store.recipients,
        key=lambda recipient: recipient.recipient_id,
        columns=_columns(desk),
        sort="Recipient",
        named_by=(desk.store.accounts,),
        owner=lambda recipient: recipient.account_id,
    )


def _columns(desk: Desk) -> tuple[Column[Recipient], ...]:
    return (*_names(), *_standing(desk))


def _names() -> tuple[Column[Recipient], ...]:
    return (
        Column(
            title="Recipient",
            cell=lambda recipient: text_cell(recipient_title(recipient)),
            width=16,
            grows=True,
            most=44,
            key=lambda recipient: recipient_title(recipient).casefold(),
        ),
        Column(
            title="Type",
            cell=lambda recipient: text_cell(recipient.recipient_type, Tone.MUTED),
            width=10,
            gives_way=2,
            key=lambda recipient: recipient.recipient_type,
        ),
        Column(
            title="Country",
            cell=lambda recipient: text_cell(recipient.country, Tone.MUTED),
            width=7,
            gives_way=3,
            key=lambda recipient: recipient.country,
        ),
    )


def _standing(desk: Desk) -> tuple[Column[Recipient], ...]:
    return (
        Column(
            title="State",
            cell=lambda recipient: state_cell(recipient.status),
            width=8,
            whole=True,
            key=lambda recipient: recipient.status.name if recipient.status else None,
        ),
        Column(
            title="Account",
            cell=lambda recipient: text_cell(
                account_name(desk.store, recipient.account_id), Tone.MUTED
            ),
            width=12,
            grows=True,
            most=40,
            gives_way=1,
            key=lambda recipient: account_name(desk.store, recipient.account_id).casefold(),
            borrowed=True,
        ),
        Column(
            title="E-mail",
            cell=lambda recipient: text_cell(recipient.email, Tone.MUTED),
            width=16,
            grows=True,
            most=40,
            gives_way=4,
            key=lambda recipient: recipient.email,
        ),
    )
