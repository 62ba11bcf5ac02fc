"""2 Accounts: the list of accounts, and the picker of the account in scope."""

from __future__ import annotations

from textual.app import ComposeResult

from paytui.domain.models import Account, AccountId, Kind
from paytui.store.names import account_title
from paytui.tui import textual_bindings
from paytui.tui.base_screens import Dialog
from paytui.tui.format.cells import Cell, Tone, state_cell
from paytui.tui.list_dialogs import object_rows
from paytui.tui.screens.listing import ListPage, ListSpec
from paytui.tui.screens.screen_registry import create
from paytui.tui.table import common_columns as columns
from paytui.tui.table.columns import Column
from paytui.tui.table.data_list import DataList
from paytui.tui.ui_context import UiContext


def accounts(ui: UiContext) -> ListSpec[AccountId, Account]:
    return ListSpec(
        mode="accounts",
        row_spec=object_rows(Kind.ACCOUNTS),
        table=ui.store.accounts,
        columns=(
            columns.text_column("Account", account_title, width=16, most=48),
            columns.word_column("Type", lambda row: row.kind, gives_way=2, config_id="kind"),
            columns.state_column(lambda row: row.status),
            columns.time_column(ui, "Created", lambda row: row.created_at, gives_way=3),
            columns.text_column(
                "E-mail", lambda row: row.email, Tone.MUTED, most=40, gives_way=5, spare=True
            ),
            columns.id_column("Account id", lambda row: row.account_id),
        ),
        others=(
            columns.text_column("Company", lambda row: row.company_name, most=40, gives_way=6),
            columns.text_column("Trading name", lambda row: row.trading_name, gives_way=6),
            columns.text_column("Registration", lambda row: row.registration_number, gives_way=7),
            columns.word_column(
                "Country", lambda row: row.registration_country, width=7, gives_way=7
            ),
        ),
        sort="Account",
        owner=lambda row: row.account_id,
    )


class AccountsPage(ListPage[AccountId, Account]):
    """The list of accounts; new accounts are created from it."""

    BINDINGS = textual_bindings.groups("Accounts")

    def action_new_individual(self) -> None:
        create(self, "create_individual_account")

    def action_new_corporate(self) -> None:
        create(self, "create_corporate_account")


MOST = 14  # Accounts shown at once; the rest is scrolled to
ALL = Account(AccountId(""), display_name="all accounts")  # The choice of them all


class AccountPicker(Dialog[Account]):
    """A list of accounts to put in scope, with all of them first."""

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        self._ui = ui
        self._list: DataList[str, Account] = DataList(
            (
                Column(
                    title="Account",
                    cell=lambda choice: Cell(
                        account_title(choice), Tone.ACCENT if choice is ALL else Tone.INK
                    ),
                    width=20,
                    grows=True,
                    most=44,
                    key=lambda choice: (choice is not ALL, account_title(choice).casefold()),
                ),
                columns.word_column("Type", lambda choice: choice.kind, gives_way=2),
                Column(
                    title="Status",
                    config_id="state",
                    cell=lambda choice: Cell("") if choice is ALL else state_cell(choice.status),
                    width=16,
                    indent=columns.SIGN,
                    gives_way=1,
                ),
            ),
            lambda choice: choice.account_id,
            sort="Account",
            opened=self.dismiss,
        )

    def compose(self) -> ComposeResult:
        yield self.box("Account", self._list, keys="enter: choose")

    def on_mount(self) -> None:
        self._fill()
        self._list.move_to(self._ui.scope or ALL.account_id)

    async def pull(self) -> None:
        self._fill()

    def _fill(self) -> None:
        self._list.replace([ALL, *self._ui.store.accounts.rows()])
        self._list.styles.height = min(MOST, len(self._list)) + 1
