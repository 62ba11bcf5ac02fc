"""7 Recipients: the list of recipients."""

from __future__ import annotations

from dataclasses import replace

from paytui.domain.models import Kind, Recipient, RecipientId
from paytui.store.names import recipient_title
from paytui.tui import textual_bindings
from paytui.tui.format.cells import CAREFUL, Cell, Tone
from paytui.tui.list_dialogs import object_rows
from paytui.tui.screens.listing import ListPage, ListSpec
from paytui.tui.screens.screen_registry import create
from paytui.tui.table import common_columns as columns
from paytui.tui.ui_context import UiContext


def recipients(ui: UiContext) -> ListSpec[RecipientId, Recipient]:
    return ListSpec(
        mode="recipients",
        row_spec=object_rows(Kind.RECIPIENTS),
        table=ui.store.recipients,
        columns=(
            replace(
                columns.text_column("Recipient", recipient_title, width=16, most=44),
                cell=lambda row: _name(ui, row),
            ),
            columns.word_column("Type", lambda row: row.recipient_type, gives_way=2),
            columns.word_column("Country", lambda row: row.country, width=7, gives_way=3),
            columns.state_column(lambda row: row.status),
            columns.account_column(ui, lambda row: row.account_id, gives_way=1),
            columns.text_column(
                "E-mail", lambda row: row.email, Tone.MUTED, width=16, most=40, gives_way=4
            ),
            columns.text_column("Currencies", _currencies, Tone.MUTED, gives_way=5, spare=True),
            columns.id_column("Recipient id", lambda row: row.recipient_id),
        ),
        others=(columns.id_column("Account id", lambda row: row.account_id),),
        sort="Recipient",
        owner=lambda row: row.account_id,
    )


class RecipientsPage(ListPage[RecipientId, Recipient]):
    """The list of recipients, of all or of one account; new ones are created from it."""

    BINDINGS = textual_bindings.groups("Recipients")

    def action_new_recipient(self) -> None:
        create(self, "create_recipient", account_id=self.account_id)


def _name(ui: UiContext, recipient: Recipient) -> Cell:
    """Return the name; a look-alike warning is shown before it is cut."""
    marks, name = ui.likeness.of(recipient), recipient_title(recipient)
    return CAREFUL.cell(f"{name} {', '.join(marks)}") if marks else Cell(name)


def _currencies(recipient: Recipient) -> str:
    found = {address.currency for address in recipient.payment_addresses if address.currency}
    return " ".join(sorted(found))
