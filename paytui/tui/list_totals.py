"""The sums of a list: the line below it, and its groups by a column, each with its totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from paytui.domain.models import AccountId, Kind, RecipientId, WalletId
from paytui.domain.money import format_amount
from paytui.platform.text import fold
from paytui.store.fields import Listed
from paytui.store.names import account_name, recipient_name, wallet_label
from paytui.store.store import Store
from paytui.store.sums import CREATED, GROUPS, NOTHING, Group, GroupBy, Sums, Total
from paytui.tui.base_screens import Dialog, foot
from paytui.tui.format.cells import Cell, Tone, toned
from paytui.tui.table.columns import Column, figure_column
from paytui.tui.table.common_columns import amount_key
from paytui.tui.table.data_list import DataList

GAP = " · "

MEANT: Mapping[object, str] = MappingProxyType({Kind.TRADES: "sold", Kind.WALLETS: "available"})
"""Words before the totals, where a row has several amounts."""


def sum_words(counted: str, meant: str, sums: Sums, width: int) -> str:
    """Return what is counted and the totals by currency, the most frequent first.

    Currencies that do not fit are counted: an amount is never cut.
    """
    totals = [
        f"{one.currency} {format_amount(one.amount, one.currency)}"
        for one in sums.totals
        if one.untold < one.rows
    ]
    if totals and meant:
        totals[0] = f"{meant} {totals[0]}"
    untold = [f"{sums.untold:,} without value"] if sums.untold else []
    for shown in range(len(totals), -1, -1):
        more = len(totals) - shown
        noun = "currency" if more == 1 else "currencies"
        rests = [f"+{more} {f'more {noun}' if shown else noun}" if more else "", f"+{more}"]
        for rest in rests if more and shown == 1 else rests[:1]:
            words = GAP.join(filter(None, [counted, *totals[:shown], rest, *untold]))
            if len(words) <= width:
                return words
    return counted


class SumLine(Widget):
    """A line with the sums of a list; it is blank while they are not known."""

    DEFAULT_CSS = """
    SumLine { height: 1; width: 1fr; }
    """

    def __init__(self, listed: Listed) -> None:
        super().__init__(classes="title")
        self._meant = MEANT.get(listed, "")
        self._counted, self._sums = "", NOTHING

    def say(self, counted: str, sums: Sums) -> None:
        if (counted, sums) != (self._counted, self._sums):
            self._counted, self._sums = counted, sums
            self.refresh()

    def render(self) -> Content:
        width = self.content_size.width - 2
        words = sum_words(self._counted, self._meant, self._sums, width) if self._sums.rows else ""
        return toned(f" {words}", Tone.MUTED)


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
        yield self.box("Group by", self._list, keys="enter: choose")

    def on_mount(self) -> None:
        self._list.styles.height = len(self._columns) + 1
        self._list.replace(self._columns)


@dataclass(frozen=True, slots=True)
class GroupLine:
    """The rows of one value.

    Attributes:
        name: the value as screens show it.
        term: the filter that finds exactly these rows; empty if none does.
    """

    name: str
    term: str
    sums: Sums

    @property
    def first(self) -> Total | None:
        """The total of the currency with most rows."""
        return self.sums.totals[0] if self.sums.totals else None


def group_lines(store: Store, by: GroupBy, groups: Sequence[Group]) -> list[GroupLine]:
    named = [(group, _name(store, by, group.value)) for group in groups]
    counts = Counter(fold(name) for _, name in named)
    return [
        GroupLine(name, _term(by, group.value, name if counts[fold(name)] == 1 else ""), group.sums)
        for group, name in named
    ]


def _name(store: Store, by: GroupBy, value: str) -> str:
    if not value:
        return f"no {by.title.lower()}"
    if by.field.endswith("wallet_id"):
        return wallet_label(store, WalletId(value))
    match by.field:
        case "account_id":
            return account_name(store, AccountId(value))
        case "recipient_id":
            return recipient_name(store, RecipientId(value))
        case "status":
            return value.replace("_", " ")
        case _:
            return value


def _term(by: GroupBy, value: str, name: str) -> str:
    """Return the filter of a value: by its name, if that is unique."""
    if not value:
        return ""
    if by.field == CREATED:
        return _is("created", value)
    if by.field.endswith("_id") and name:
        return _is(by.field.removesuffix("_id"), name)
    return _is(by.field, value)


def _is(field: str, value: str) -> str:
    is_word = '"' not in value and not any(map(str.isspace, value))
    doubled = value.replace('"', '""')
    return f"{field}={value}" if is_word else f'{field}="{doubled}"'


SUMMED_IN = frozenset({"currency", "sell_currency"})
"""Fields with the currency of the totals, which name a group already."""


def _totals(by: GroupBy, line: GroupLine, width: int) -> str:
    """Return the totals of a group; that of a currency has its code in the name."""
    words = sum_words("", "", line.sums, width)
    return words.removeprefix(f"{line.name} ") if by.field in SUMMED_IN else words


FILTERS = "enter: filter by it · s: sort"
FINDS_NONE = "a filter cannot find rows without a value · s: sort"


class GroupList(DataList[tuple[str, str], GroupLine]):
    """The groups; it posts the group under the cursor whenever that may have changed."""

    class Selected(Message):
        def __init__(self, group: GroupLine | None) -> None:
            super().__init__()
            self.group = group

    def settle_cursor(self) -> None:
        super().settle_cursor()
        self.post_message(self.Selected(self.selected))


NAME, LONGEST_NAME, ROWS = 18, 34, 6  # Widths of columns
AROUND = 12  # Cells of the box that are in no column
SHARE = 0.96  # Of the terminal: the greatest width of a box (dialog.tcss)


class GroupsDialog(Dialog[GroupLine]):
    """The groups of a list, the greatest or the newest day first; enter returns one.

    Args:
        title: what is grouped, and by which column.
        by: the column of the values.
        width: that of the terminal; totals that do not fit are counted.
    """

    def __init__(self, title: str, by: GroupBy, lines: Sequence[GroupLine], width: int) -> None:
        super().__init__()
        self._title, self._lines = title, lines
        longest = max((cell_len(line.name) for line in lines), default=0)
        named = max(NAME, min(LONGEST_NAME, longest))
        room = int(width * SHARE) - AROUND - named - ROWS
        widest = max((len(_totals(by, line, room)) for line in lines), default=0)
        self._width = max(72, AROUND + named + ROWS + widest)
        self._list = GroupList(
            (
                Column(
                    title=by.title,
                    cell=lambda line: Cell(line.name),
                    width=named,
                    grows=True,
                    key=lambda line: fold(line.name),
                ),
                figure_column(
                    "Rows",
                    lambda line: Cell(f"{line.sums.rows:,}"),
                    width=ROWS,
                    key=lambda line: line.sums.rows,
                ),
                Column(
                    title="Totals",
                    cell=lambda line: Cell(_totals(by, line, room)),
                    width=min(room, max(widest, len("Totals") + 2)),
                    right=by.field in SUMMED_IN,
                    key=amount_key(
                        lambda line: line.first.amount if line.first else None,
                        lambda line: line.first.currency if line.first else None,
                    ),
                ),
            ),
            lambda line: (line.name, line.term),
            sort=by.title if by.field == CREATED else "Rows",
            descending=True,
            opened=self._choose,
        )

    def compose(self) -> ComposeResult:
        self._box = self.box(self._title, self._list, keys=FILTERS)
        self._box.styles.width = self._width
        yield self._box

    def on_mount(self) -> None:
        self._list.styles.height = min(MOST, max(1, len(self._lines))) + 1
        self._list.placeholder("No rows.")
        # Groups of equal size are by name: a descending order reverses them.
        self._list.replace(sorted(self._lines, key=lambda line: fold(line.name), reverse=True))

    def _choose(self, line: GroupLine) -> None:
        if line.term:
            self.dismiss(line)

    def on_group_list_selected(self, message: GroupList.Selected) -> None:
        finds = message.group is None or message.group.term
        self._box.border_subtitle = foot(FILTERS if finds else FINDS_NONE)
