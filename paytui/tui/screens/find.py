"""Find: one line of text that is searched for in all kinds at once, and what matches by kind."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from operator import itemgetter

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input

from paytui.config.key_bindings import first_key
from paytui.domain.intent import IntentRow
from paytui.domain.models import Account, AccountId, Kind, PayIn, Payment, Recipient, Trade, Wallet
from paytui.domain.money import MISSING
from paytui.platform.text import clean
from paytui.store.cache.file import CacheUnusable
from paytui.store.cache.list_query import Interrupted
from paytui.store.filter import FilterError, TimeContext, read_number
from paytui.store.find import SEARCHED, Found, KindSearch, Row, Searched, Sought, intent_title
from paytui.store.names import account_name, account_title, recipient_title, wallet_label
from paytui.store.search_text import NameChanges
from paytui.tui import textual_bindings
from paytui.tui.base_screens import BaseScreen
from paytui.tui.details.common_facts import payee_name
from paytui.tui.format.cells import (
    Cell,
    FilteredList,
    IntentRef,
    Ref,
    Tone,
    money_cell,
    standing_cell,
    state_cell,
    text_cell,
    time_cell,
    toned,
)
from paytui.tui.table.columns import Column
from paytui.tui.table.common_columns import SIGN
from paytui.tui.table.viewport import HEADING, MARGIN, Cells, Line, ListViewport, thumb_lines
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.feeds import counted, unread_words
from paytui.tui.widgets.ordered_keys import OrderedInput
from paytui.tui.widgets.text import RuleLine

FEW = 2  # Rows of a kind that are shown in any case
MANY = 10  # Rows of a kind that are shown if there is room, beside other kinds

LONGEST_ACCOUNT = 30  # Characters of the name of the account in scope

HINT = "name, reference, amount, identifier, last 4 of a bank account"


class FindLine(OrderedInput):
    """The input of the search; the keys that move among what was found are its own."""

    BINDINGS = textual_bindings.groups("Find")

    def __init__(self) -> None:
        super().__init__(HINT)


COLUMNS: tuple[Column[Cells], ...] = (
    Column(title="Created", cell=itemgetter(0), width=12, gives_way=2),
    Column(title="Amount", cell=itemgetter(1), width=12, whole=True, right=True),
    Column(title="Name", cell=itemgetter(2), width=14, grows=True, most=44),
    Column(title="Status", cell=itemgetter(3), width=11, grows=True, most=24, indent=SIGN),
    Column(title="Details", cell=itemgetter(4), width=13, grows=True, gives_way=1),
)
"""One set of columns for all kinds; see `found_cells`."""


def _noun(searched: Searched) -> str:
    return searched.noun if isinstance(searched, Kind) else "intents"


# The list of what was found.


@dataclass(frozen=True, slots=True)
class Choice:
    """A line that enter opens: a row, or the list of all that match if there is none."""

    found: Found
    row: Row | None = None


@dataclass(frozen=True, slots=True)
class KindLine(Line):
    """The heading of a kind, or its last line, which opens the list."""

    words: str = ""
    is_heading: bool = False


class FoundList(ListViewport[Cells]):
    """The rows that were found, by kind, with a cursor that stays on its row."""

    def __init__(self, ui: UiContext) -> None:
        super().__init__(COLUMNS)
        self._ui = ui
        self._lines: list[tuple[Line, Choice | None]] = []
        self._found: Sequence[tuple[Found, KindSearch]] = ()
        self._sought: Sought | None = None
        self._cursor = 0
        self._top = 0

    def show(
        self, found: Sequence[tuple[Found, KindSearch]], sought: Sought, *, is_other: bool
    ) -> None:
        """Show the kinds with matches; of another text (`is_other`) the first row."""
        before = None if is_other else self._identity(self.choice)
        self._found, self._sought = found, sought
        self.forget_widths()
        self._arrange()
        places = self._stops
        same = [place for place in places if self._identity(self._lines[place][1]) == before]
        nearest = min(places, key=lambda place: abs(place - self._cursor), default=0)
        self._cursor = places[0] if is_other and places else next(iter(same), nearest)
        if is_other:
            self._top = 0
        self.settle()

    @property
    def choice(self) -> Choice | None:
        return self._lines[self._cursor][1] if self._cursor < len(self._lines) else None

    def _identity(self, choice: Choice | None) -> tuple[Searched, object] | None:
        if choice is None:
            return None
        key = next(s.table.key for f, s in self._found if f.searched is choice.found.searched)
        return choice.found.searched, choice.row and key(choice.row)

    @property
    def _stops(self) -> list[int]:
        """The lines that the cursor can be on."""
        return [place for place, (_, choice) in enumerate(self._lines) if choice is not None]

    def _arrange(self) -> None:
        """Lay out heading, rows and last line of each kind; blank lines between, if they fit."""
        groups = [
            list(self._group(*one, few)) for one, few in zip(self._found, self._fews(), strict=True)
        ]
        is_roomy = sum(map(len, groups)) + len(groups) - 1 <= self._height
        self._lines = []
        for group in groups:
            if self._lines and is_roomy:
                self._lines.append((Line(), None))
            self._lines += group

    def _fews(self) -> list[int]:
        """Return how many rows of each kind are shown: as many as there is room for."""
        held = [len(found.rows) for found, _ in self._found]
        most = MANY if len(held) > 1 else max(held, default=0)
        fews = [min(count, FEW) for count in held]
        others = sum(1 + (found.total > 1) for found, _ in self._found)
        spare = self._height - others - sum(fews)
        for _ in range(most):
            for place, count in enumerate(held):
                if spare > 0 and fews[place] < min(count, most):
                    fews[place] += 1
                    spare -= 1
        return fews

    def _group(
        self, found: Found, search: KindSearch, few: int
    ) -> Iterator[tuple[Line, Choice | None]]:
        assert self._sought is not None, "something was searched for"
        many = _noun(found.searched)
        yield KindLine(words=f"{many.capitalize()} {found.total:,}", is_heading=True), None
        for row in found.rows[:few]:
            yield Line(found_cells(self._ui, row, search, self._sought)), Choice(found, row)
        if found.total > 1:
            yield KindLine(words=f"all {counted(found.total, many)}"), Choice(found)

    def move(self, place: int) -> None:
        self._cursor = place
        self.settle()

    def action_move(self, steps: int) -> None:
        places = self._stops
        if self._cursor in places:
            at = places.index(self._cursor) + steps
            self.move(places[max(0, min(at, len(places) - 1))])

    def turn(self, kinds: int) -> None:
        """Move to the first row of another kind."""
        firsts = [
            place + 1
            for place, (line, _) in enumerate(self._lines)
            if isinstance(line, KindLine) and line.is_heading
        ]
        if firsts:
            now = sum(first <= self._cursor for first in firsts) - 1
            at = now + kinds if kinds > 0 or firsts[now] == self._cursor else now
            self.move(firsts[max(0, min(at, len(firsts) - 1))])

    def action_open(self) -> None:
        if isinstance(screen := self.screen, FindScreen):
            screen.action_open()

    def on_click(self, event: events.Click) -> None:
        place = self._top + event.y - HEADING
        if place in self._stops:
            self.point_at(place, self._cursor)

    def on_resize(self) -> None:
        if self._sought is not None:
            self.show(self._found, self._sought, is_other=False)

    def settle(self) -> None:
        """Show the lines around the cursor; a kind's heading stays in view with its first row."""
        height, count = self._height, len(self._lines)
        first = self._cursor
        if first and self._lines[first - 1][1] is None:
            first -= 1
        in_view = min(max(self._cursor - height + 1, self._top), first)
        self._top = max(0, min(in_view, count - height))
        page = [self._line(y) for y in range(height)]
        self.show_page(page, is_empty=not self._lines)

    def _line(self, y: int) -> Line:
        place, thumb = self._top + y, y in thumb_lines(self._top, self._height, len(self._lines))
        if place >= len(self._lines):
            return Line(thumb=thumb)
        line, _ = self._lines[place]
        selected = place == self._cursor
        if isinstance(line, KindLine):
            return replace(line, selected=selected, thumb=thumb)
        return Line(line.cells, selected, thumb)

    def render_line(self, y: int) -> Strip:
        if y < HEADING and self._empty:
            return Strip.blank(self.size.width, self.look("line"))
        line = self._page[y - HEADING] if HEADING <= y < HEADING + len(self._page) else None
        if self._empty or not isinstance(line, KindLine):
            return super().render_line(y)
        base = self.look("cursor" if line.selected else "line")
        tone = self.look(Tone.INK if line.is_heading else Tone.MUTED, partial=True)
        start = "▌ " if line.selected else " " if line.is_heading else " " * MARGIN
        segments = [
            Segment(start, base),
            Segment(line.words, base + tone + Style(bold=line.is_heading)),
        ]
        if line.is_heading:
            dashes = max(0, self.size.width - cell_len(line.words) - 4)
            rule = self.look("rule", partial=True)
            segments.append(Segment(f" {'─' * dashes}", base + rule))
        return self.beside_thumb(Strip(segments), base, thumb=line.thumb)


class FindScreen(BaseScreen):
    """The search over all kinds: found as you type, by kind, each with the number of matches.

    One search runs at a time. It pauses between slices of rows, and ends early once another text
    was typed.
    """

    def __init__(self, ui: UiContext) -> None:
        super().__init__(ui)
        self._scope = ui.scope
        self._title = RuleLine(classes="title")
        self._line = FindLine()
        self._list = FoundList(ui)
        self._searches = [KindSearch(ui.store, searched) for searched in SEARCHED]
        self._renamed = NameChanges(ui.store)
        self._wanted: Sought | None = None
        self._is_searching = False
        self._opens: str | None = None  # The text for which enter was pressed before it was found
        self._found_for: tuple[str, AccountId | None] = ("", ui.scope)
        self._seen: object = None  # What was searched, to see whether it has changed since
        self._total = 0

    def body(self) -> Iterator[Widget]:
        yield self._title
        yield self._line
        yield self._list

    def on_mount(self) -> None:
        self.set_focus(self._line)  # at once: the keys that follow are its text
        self._say()

    @property
    def crumb(self) -> str:
        return "Find"

    @property
    def is_over(self) -> bool:
        """Return True: a number key leads to its list."""
        return True

    @property
    def selected(self) -> Row | None:
        choice = self._list.choice
        return choice.row if choice else None

    def is_quiet(self, action: str) -> bool:
        return (action == "screen.scope" and self.ui.scope is None) or super().is_quiet(action)

    async def pull(self) -> None:
        """Search again after changes of what was searched; the cursor keeps its row."""
        await super().pull()
        if self._renamed.look():
            for search in self._searches:
                search.forget_texts()
        if self._seen != self._state and not self._is_searching:
            self._search()
        self._say()

    def on_input_changed(self, _: Input.Changed) -> None:
        self._search()

    # Searching

    @property
    def _state(self) -> object:
        """Return what changes whenever a search may find something else."""
        versions = tuple(search.table.version for search in self._searches)
        return versions, self.ui.store.cache, self.ui.zone

    def _search(self) -> None:
        """Search for what is typed next; this ends a search under way."""
        when = TimeContext(self.ui.time.latest, self.ui.zone)
        self._wanted = Sought(self._line.value, self._scope, when, max(MANY, self.size.height))
        if self._is_searching and self.ui.lists is not None:
            self.ui.lists.interrupt()
        if not self._is_searching:
            self._is_searching = True
            self.run_worker(self._search_on(), group="find")
        self._say()

    async def _search_on(self) -> None:
        try:
            while (sought := self._wanted) is not None:
                self._wanted, self._seen = None, self._state
                found = await self._found(sought)
                if self._wanted is None:
                    now = (sought.text, sought.scope)
                    self._total = sum(group.total for group, _ in found)
                    self._list.show(found, sought, is_other=now != self._found_for)
                    self._found_for = now
        finally:
            self._is_searching = False
        self._say()
        if self._opens == self._line.value:
            self.action_open()

    async def _found(self, sought: Sought) -> list[tuple[Found, KindSearch]]:
        """Return the kinds with matches, the one whose identifier was typed first."""
        groups = []
        for search in self._searches if sought.filter else ():
            found = await self._found_of(search, sought)
            if self._wanted is not None:
                return []
            if found is not None and found.total:
                groups.append((found, search))
        return sorted(groups, key=lambda group: not group[0].is_exact)

    async def _found_of(self, search: KindSearch, sought: Sought) -> Found | None:
        """Search one kind, in the cache if it has more rows than memory."""
        while isinstance(kind := search.searched, Kind) and (cache := self.ui.cache_of(kind)):
            assert self.ui.lists is not None, "there is a cache to read"
            try:
                return await self.ui.lists.read(cache.file, partial(search.read, sought))
            except Interrupted:  # perhaps by a list below
                if self._wanted is not None:
                    return None
            except CacheUnusable:
                break
            except FilterError:
                return None
        for found in search.scan(sought):
            if found is not None:
                return found
            await asyncio.sleep(0)
            if self._wanted is not None:
                return None
        return None

    # What the screen says

    def _say(self) -> None:
        within = self._account or "all accounts"
        left = toned("Find", Tone.INK, bold=True) + toned(f" in {within}", Tone.MUTED)
        words = f"{self._total:,} found" if self._line.value.strip() else ""
        if not self._is_found:
            words = "searching …"
        right = toned(words, Tone.MUTED)
        if caveat := self._caveat:
            right = toned(f"{caveat}  ", Tone.CLOSING) + right
        self._title.say(left, right)
        self._list.placeholder(self._nothing)

    @property
    def _is_found(self) -> bool:
        """Return True if the list shows what is typed, not what was typed before."""
        return self._found_for == (self._line.value, self._scope)

    @property
    def _account(self) -> str:
        if self._scope is None:
            return ""
        return clean(account_name(self.ui.store, self._scope), LONGEST_ACCOUNT)

    @property
    def _caveat(self) -> str:
        """Return which kinds are not searched completely, so that nothing found is no proof."""
        store = self.ui.store
        kinds = [search.searched for search in self._searches]
        feeds = [store.feed(kind) for kind in kinds if isinstance(kind, Kind)]
        unread: dict[str, list[Kind]] = {}
        for feed in feeds:
            if feed.offered and not feed.was_read:
                words = unread_words(self.ui, feed, "not read yet")
                unread.setdefault(words, []).append(feed.kind)
        partly = [f.kind for f in feeds if store.left_out(f.kind) and not self.ui.cache_of(f.kind)]
        said = [f"{_listed(kinds)} {words}" for words, kinds in unread.items()]
        said += [f"only the newest {_listed(partly)}"] if partly else []
        return ", ".join(said)

    @property
    def _nothing(self) -> str:
        if not self._line.value.strip():
            words = ", ".join(_noun(search.searched) for search in self._searches)
            return (
                f"Searches {words}. All words must match. An amount is found as 1,200.50 or 1.2k, "
                "a bank account by the last 4 of its number."
            )
        if not self._is_found:
            return ""
        if self._scope is None:
            return "Nothing matches. An object must have all of the words."
        tab = first_key(self.ui.settings.keys, "find.scope")
        return f"Nothing in {self._account} matches. {tab}: search all accounts."

    # Keys

    def action_move(self, steps: int) -> None:
        self._opens = None
        self._list.action_move(steps)

    def action_turn(self, kinds: int) -> None:
        self._opens = None
        self._list.turn(kinds)

    def action_scope(self) -> None:
        """Search all accounts, or again only the one that is shown elsewhere."""
        if self.ui.scope is not None:
            self._scope = self.ui.scope if self._scope is None else None
            self._search()

    def action_open(self) -> None:
        """Open what the cursor is on; once it is found, if the search has not ended."""
        self._opens = None if self._is_found else self._line.value
        choice = self._list.choice
        if not self._is_found or choice is None:
            return
        match choice.row:
            case None:
                query = Sought(self._line.value, self._scope, TimeContext(self.ui.time.latest), 0)
                self.dashboard.open_link(
                    FilteredList(choice.found.searched, query.filter, self._scope)
                )
            case IntentRow():
                self.dashboard.open_link(IntentRef(choice.row.intent_id))
            case row:
                kind = choice.found.searched
                assert isinstance(kind, Kind), "only intents have no kind"
                self.dashboard.open_link(Ref(kind, str(self.ui.store.table(kind).key(row))))


def _listed(kinds: Sequence[Kind]) -> str:
    return kinds[0].noun if len(kinds) == 1 else f"{len(kinds)} lists"


_BLANK = Cell("")


def found_cells(ui: UiContext, row: Row, search: KindSearch, sought: Sought) -> Cells:
    """Return time, amount, name, status and a note: the reference, or what the row belongs to.

    The note says what the row was found by, if no other cell does.
    """
    numbers = {read_number(word) for word in sought.text.split()} - {None}
    cells: Cells
    match row:
        case IntentRow():
            created, amount = row.confirmed_at, money_cell(row.terms.amount, row.terms.currency)
            name, intent_id = Cell(intent_title(row)), Cell(row.intent_id, Tone.MUTED)
            cells = time_cell(created, ui.zone), amount, name, standing_cell(row), intent_id
        case Payment() | Trade() | PayIn():
            cells = _transaction(ui, row, numbers)
        case _:
            cells = _named(ui, row)
    reason = search.reason(row, sought, "\n".join(cell.text for cell in cells))
    return (*cells[:-1], Cell(reason, Tone.MUTED)) if reason else cells


def _transaction(
    ui: UiContext, row: Payment | Trade | PayIn, numbers: Collection[Decimal | None]
) -> Cells:
    match row:
        case Payment():
            amount, name = money_cell(row.amount, row.currency), payee_name(ui, row)
        case Trade():
            amount = money_cell(row.sell_amount, row.sell_currency)
            if row.buy_amount in numbers and row.sell_amount not in numbers:
                amount = money_cell(row.buy_amount, row.buy_currency)
            name = f"{row.sell_currency or MISSING} > {row.buy_currency or MISSING}"
        case PayIn():
            amount = money_cell(row.amount, row.currency)
            name = row.sender_name or wallet_label(ui.store, row.wallet_id)
    created, reference = time_cell(row.created_at, ui.zone), text_cell(row.reference, Tone.MUTED)
    return created, amount, text_cell(name), state_cell(row.status), reference


def _named(ui: UiContext, row: Recipient | Wallet | Account) -> Cells:
    match row:
        case Recipient():
            amount, name, of = _BLANK, recipient_title(row), account_name(ui.store, row.account_id)
        case Wallet():
            amount = money_cell(row.available_balance, row.currency)
            name, of = row.wallet_name or row.wallet_id, account_name(ui.store, row.account_id)
        case Account():
            amount, name, of = _BLANK, account_title(row), row.kind or MISSING
    return _BLANK, amount, Cell(name), state_cell(row.status), Cell(of, Tone.MUTED)
