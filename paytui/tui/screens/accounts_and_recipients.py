"""2 Accounts, with the picker of the account in scope, and 7 Recipients."""

from __future__ import annotations

from dataclasses import dataclass, replace

from textual.app import ComposeResult
from textual.containers import Vertical

from paytui.domain.models import Account, AccountId, Kind, Recipient, RecipientId, State
from paytui.store.names import account_title, recipient_title
from paytui.store.table import Changes
from paytui.tui import screen_keys
from paytui.tui.base_screens import Dialog
from paytui.tui.format.cells import CAREFUL, Cell, Tone, state_cell, text_cell
from paytui.tui.forms.create_actions import create
from paytui.tui.list_dialogs import object_rows
from paytui.tui.screens.listing import ListPage, ListSpec
from paytui.tui.table.columns import Column
from paytui.tui.table.common_columns import (
    SIGN,
    account_column,
    id_column,
    spare,
    state_column,
    text_column,
    time_column,
    word_column,
)
from paytui.tui.table.data_list import DataList
from paytui.tui.ui_context import UiContext


def accounts(ui: UiContext) -> ListSpec[AccountId, Account]:
    return ListSpec(
        mode="accounts",
        row_spec=object_rows(Kind.ACCOUNTS),
        table=ui.store.accounts,
        columns=(
            text_column("Account", account_title, width=16, most=48),
            replace(
                word_column("Type", lambda account: account.kind, gives_way=2), config_id="kind"
            ),
            state_column(lambda account: account.status),
            time_column(ui, "Created", lambda account: account.created_at, gives_way=3),
            spare(
                text_column(
                    "E-mail",
                    lambda account: account.email,
                    most=40,
                    gives_way=5,
                    tone=Tone.MUTED,
                )
            ),
            id_column("Account id", lambda account: account.account_id),
        ),
        others=(
            text_column("Company", lambda account: account.company_name, most=40, gives_way=6),
            text_column("Trading name", lambda account: account.trading_name, gives_way=6),
            text_column("Registration", lambda account: account.registration_number, gives_way=7),
            word_column(
                "Country", lambda account: account.registration_country, width=7, gives_way=7
            ),
        ),
        sort="Account",
        owner=lambda account: account.account_id,
    )


class AccountsPage(ListPage[AccountId, Account]):
    """The list of accounts; new accounts are created from it."""

    BINDINGS = screen_keys.ACCOUNTS

    def __init__(self, ui: UiContext) -> None:
        super().__init__(ui, accounts(ui))

    def action_new_individual(self) -> None:
        create(self, "create_individual_account")

    def action_new_corporate(self) -> None:
        create(self, "create_corporate_account")


MOST = 14  # Accounts shown at once; the rest is scrolled to
ALL = ""  # The key of the choice that stands for all accounts


@dataclass(frozen=True, slots=True)
class AccountChoice:
    """One choice of the picker.

    Attributes:
        account_id: None stands for all accounts.
    """

    account_id: AccountId | None
    name: str
    kind: str | None = None
    status: State | None = None


class AccountPicker(Dialog[AccountChoice]):
    """A list of accounts to put in scope, with all of them first."""

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        self._ui = ui
        self._list: DataList[str, AccountChoice] = DataList(
            (
                Column(
                    title="Account",
                    cell=lambda choice: Cell(
                        choice.name, Tone.INK if choice.account_id else Tone.ACCENT
                    ),
                    width=20,
                    grows=True,
                    most=44,
                    key=lambda choice: (choice.account_id is not None, choice.name.casefold()),
                ),
                Column(
                    title="Type",
                    config_id="kind",
                    cell=lambda choice: text_cell(choice.kind, Tone.MUTED),
                    width=10,
                    gives_way=2,
                ),
                Column(
                    title="Status",
                    config_id="state",
                    cell=lambda choice: (
                        state_cell(choice.status) if choice.account_id else Cell("")
                    ),
                    width=16,
                    indent=SIGN,
                    gives_way=1,
                ),
            ),
            lambda choice: choice.account_id or ALL,
            sort="Account",
            opened=self.dismiss,
        )

    def compose(self) -> ComposeResult:
        box = Vertical(self._list, classes="box")
        box.border_title = "Account"
        box.border_subtitle = "enter: choose · esc: back"
        yield box

    def on_mount(self) -> None:
        self._fill()
        self._list.move_to(self._ui.scope or ALL)

    async def pull(self) -> None:
        self._fill()

    def _fill(self) -> None:
        accounts = self._ui.store.accounts.rows()
        self._list.replace([AccountChoice(None, "all accounts"), *map(_choice, accounts)])
        self._list.styles.height = min(MOST, len(self._list)) + 1


def _choice(account: Account) -> AccountChoice:
    return AccountChoice(account.account_id, account_title(account), account.kind, account.status)


# Recipients


def recipients(ui: UiContext) -> ListSpec[RecipientId, Recipient]:
    return ListSpec(
        mode="recipients",
        row_spec=object_rows(Kind.RECIPIENTS),
        table=ui.store.recipients,
        columns=(
            replace(
                text_column("Recipient", recipient_title, width=16, most=44),
                cell=lambda recipient: _name(ui, recipient),
            ),
            word_column("Type", lambda recipient: recipient.recipient_type, gives_way=2),
            word_column("Country", lambda recipient: recipient.country, width=7, gives_way=3),
            state_column(lambda recipient: recipient.status),
            account_column(ui, lambda recipient: recipient.account_id, gives_way=1),
            text_column(
                "E-mail",
                lambda recipient: recipient.email,
                width=16,
                most=40,
                gives_way=4,
                tone=Tone.MUTED,
            ),
            spare(text_column("Currencies", _currencies, gives_way=5, tone=Tone.MUTED)),
            id_column("Recipient id", lambda recipient: recipient.recipient_id),
        ),
        others=(id_column("Account id", lambda recipient: recipient.account_id),),
        sort="Recipient",
        owner=lambda recipient: recipient.account_id,
    )


class RecipientsPage(ListPage[RecipientId, Recipient]):
    """The list of recipients, of all or of one account; new ones are created from it."""

    BINDINGS = screen_keys.RECIPIENTS

    def __init__(
        self,
        ui: UiContext,
        listing: ListSpec[RecipientId, Recipient] | None = None,
        account_id: AccountId | None = None,
    ) -> None:
        super().__init__(ui, listing or recipients(ui))
        self._account_id = account_id
        self._marks: dict[RecipientId, tuple[str, ...]] = {}
        self._marked_at = 0

    async def pull(self) -> None:
        """Take in changes, and mark names anew that resemble another, or no longer do."""
        await super().pull()
        if self._marked_at != self.ui.store.recipients.version:
            self._marked_at = self.ui.store.recipients.version
            self._mark_again()

    def action_new_recipient(self) -> None:
        create(self, "create_recipient", account_id=self._account_id or self.ui.scope)

    def _mark_again(self) -> None:
        marks = dict(self.ui.likeness.marks())
        changed = {key for key in {*marks, *self._marks} if marks.get(key) != self._marks.get(key)}
        if changed:
            self._marks = marks
            rows = (self.ui.store.recipients.get(key) for key in changed)
            again = tuple(row for row in rows if row is not None)
            self._list.apply(Changes(again, (), version=0, more=False))
            self._list.settle()


def _name(ui: UiContext, recipient: Recipient) -> Cell:
    """Return the name; a look-alike warning is shown before it is cut."""
    marks, name = ui.likeness.of(recipient), recipient_title(recipient)
    return CAREFUL.cell(f"{name} {', '.join(marks)}") if marks else Cell(name)


def _currencies(recipient: Recipient) -> str:
    found = {address.currency for address in recipient.payment_addresses if address.currency}
    return " ".join(sorted(found))
