"""The groups of a list: the choice of a column, and the count and total of each of its values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from textual.app import ComposeResult
from textual.containers import Vertical

from paytui.domain.models import AccountId, Kind, RecipientId, WalletId
from paytui.domain.money import MISSING, CurrencyCode
from paytui.platform.text import fold
from paytui.store.groups import CREATED, GROUPS, Group, GroupBy
from paytui.store.names import account_name, recipient_name, wallet_label
from paytui.store.store import Store
from paytui.store.sums import MONEY
from paytui.tui.base_screens import Dialog
from paytui.tui.format.cells import amount_cell, text_cell
from paytui.tui.table.columns import Column
from paytui.tui.table.common_columns import amount_key
from paytui.tui.table.data_list import DataList
from paytui.tui.theme.tones import Cell, Tone

MOST = 14  # Lines shown at once; the rest is scrolled to


class GroupByDialog(Dialog[GroupBy]):
    """A choice of the column to group by."""

    def __init__(self, kind: Kind) -> None:
        super().__init__()
        self._columns = GROUPS[kind]
        self._list: DataList[str, GroupBy] = DataList(
            (Column(title="Column", cell=lambda by: Cell(by.title), width=20, grows=True),),
            lambda by: by.title,
            opened=self.dismiss,
        )

    def compose(self) -> ComposeResult:
        box = Vertical(self._list, classes="box")
        box.border_title = "Group by"
        box.border_subtitle = "enter: choose · esc: back"
        yield box

    def on_mount(self) -> None:
        self._list.styles.height = len(self._columns) + 1
        self._list.replace(self._columns)


@dataclass(frozen=True, slots=True)
class GroupLine:
    """The rows of one value and one currency.

    Attributes:
        name: the value as screens show it.
        term: the filter that finds exactly these rows; empty if none does.
        amount: their total; None if none of them has an amount.
        untold: how many of them lack an amount or a currency.
    """

    name: str
    term: str
    currency: CurrencyCode | None
    rows: int
    amount: Decimal | None
    untold: int


def group_lines(
    store: Store, kind: Kind, by: GroupBy, groups: Sequence[Group]
) -> Iterator[GroupLine]:
    """Yield the lines of groups: one for each currency."""
    currency = MONEY[kind][1]
    named = [(group, _name(store, by, group.value)) for group in groups]
    counts = Counter(fold(name) for _, name in named)
    for group, name in named:
        term = _term(by, group.value, name if counts[fold(name)] == 1 else "")
        for total in group.sums.totals:
            code = "" if by.field == currency else f" {_is(currency, total.currency)}"
            found = f"{term}{code}" if term else ""
            told = total.amount if total.untold < total.rows else None
            yield GroupLine(name, found, total.currency, total.rows, told, total.untold)
        if no_currency := group.sums.no_currency:
            yield GroupLine(name, "", None, no_currency, None, no_currency)


def _name(store: Store, by: GroupBy, value: str) -> str:
    if not value:
        return MISSING
    if by.field.endswith("wallet_id"):
        return wallet_label(store, WalletId(value))
    match by.field:
        case "account_id":
            return account_name(store, AccountId(value))
        case "recipient_id":
            return recipient_name(store, RecipientId(value))
        case _:
            return value


def _term(by: GroupBy, value: str, name: str) -> str:
    """Return the filter of a value: by its name, if that is unique and can be quoted."""
    if not value or '"' in value:
        return ""
    if by.field == CREATED:
        return _is("created", value)
    if by.field.endswith("_id") and name and '"' not in name:
        return _is(by.field.removesuffix("_id"), name)
    return _is(by.field, value)


def _is(field: str, value: str) -> str:
    is_word = not any(map(str.isspace, value))
    return f"{field}={value}" if is_word else f'{field}="{value}"'


_UNTOLD: Column[GroupLine] = Column(
    title="No value",
    cell=lambda line: Cell(f"{line.untold:,}" if line.untold else "", Tone.MUTED),
    width=8,
    right=True,
    gives_way=1,
    key=lambda line: line.untold,
)


class GroupsDialog(Dialog[GroupLine]):
    """The groups of a list, the greatest first; enter returns one.

    Args:
        title: what is grouped, and by which column.
        column: the heading of the values.
    """

    def __init__(self, title: str, column: str, lines: Sequence[GroupLine]) -> None:
        super().__init__()
        self._title, self._lines = title, lines
        self._list: DataList[tuple[str, str, str], GroupLine] = DataList(
            (
                Column(
                    title=column,
                    cell=lambda line: Cell(line.name),
                    width=16,
                    grows=True,
                    key=lambda line: fold(line.name),
                ),
                Column(
                    title="Rows",
                    cell=lambda line: Cell(f"{line.rows:,}"),
                    width=6,
                    whole=True,
                    right=True,
                    key=lambda line: line.rows,
                ),
                Column(
                    title="Total",
                    cell=lambda line: amount_cell(line.amount, line.currency),
                    width=14,
                    whole=True,
                    right=True,
                    key=amount_key(lambda line: line.amount, lambda line: line.currency),
                ),
                Column(
                    title="Ccy",
                    cell=lambda line: text_cell(line.currency, Tone.MUTED),
                    width=3,
                    whole=True,
                    key=lambda line: line.currency,
                ),
                *([_UNTOLD] if any(line.untold for line in lines) else []),
            ),
            lambda line: (line.name, line.term, line.currency or ""),
            sort="Rows",
            descending=True,
            opened=self._choose,
        )

    def compose(self) -> ComposeResult:
        box = Vertical(self._list, classes="box")
        box.border_title = self._title
        box.border_subtitle = "enter: filter by it · s: sort · esc: back"
        yield box

    def on_mount(self) -> None:
        self._list.styles.height = min(MOST, max(1, len(self._lines))) + 1
        self._list.placeholder("No rows.")
        # Lines with equal counts are by name and currency: a descending order reverses them.
        by_name = sorted(self._lines, key=lambda line: (fold(line.name), line.currency or ""))
        self._list.replace(reversed(by_name))

    def _choose(self, line: GroupLine) -> None:
        if line.term:
            self.dismiss(line)
        else:
            self.notify("A filter cannot find rows without a value.", markup=False)
