"""A screen that is one list, declared by what is particular to it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from textual.content import Content
from textual.widget import Widget

from paytui.api.models import AccountId, Kind
from paytui.store.store import Versioned
from paytui.store.table import Table
from paytui.tui.desk import Desk
from paytui.tui.details.facts import Group
from paytui.tui.feed_words import counted, empty_words, feed_words
from paytui.tui.reader import TableReader
from paytui.tui.screens.detail import DetailScreen, Subject
from paytui.tui.screens.page import Page
from paytui.tui.tone import Tone, toned
from paytui.tui.widgets.columns import Column
from paytui.tui.widgets.edges import Edges
from paytui.tui.widgets.ledger import Ledger

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing(Generic[K, R]):
    """What is particular to one list.

    Attributes:
        named_by: tables whose rows give names to cells here.
        owner: the account that a row belongs to, by which it is in scope or not.
        title: what a row is called on its detail view.
        groups: the facts of a row.
    """

    mode: str
    kind: Kind
    table: Table[K, R]
    key: Callable[[R], K]
    columns: tuple[Column[R], ...]
    sort: str
    descending: bool = False
    named_by: tuple[Versioned, ...] = ()
    owner: Callable[[R], AccountId | None]
    title: str
    groups: Callable[[Desk, R], list[Group]]


class ListPage(Page, Generic[K, R]):
    """The list, and above it how many there are and how well they are fed."""

    def __init__(self, desk: Desk, listing: Listing[K, R]) -> None:
        super().__init__(desk, listing.mode)
        self._listing = listing
        self._scope = desk.scope
        self._title = Edges(classes="title")
        self._named: tuple[int, ...] = ()
        self._list: Ledger[K, R] = Ledger(
            listing.columns,
            listing.key,
            sort=listing.sort,
            descending=listing.descending,
            keep=self._in_scope,
            opened=self._open,
        )
        self._reader = TableReader(listing.table, self._list.apply)

    def body(self) -> Iterator[Widget]:
        """The list under its line of words."""
        yield self._title
        yield self._list

    async def pull(self) -> None:
        """Take in rows that changed, names that changed, and the account in scope."""
        await super().pull()
        await self._reader.pull()
        named = tuple(table.version for table in self._listing.named_by)
        if named != self._named:
            self._named = named
            self._list.borrow_again()
        if self._scope != self.desk.scope:
            self._scope = self.desk.scope
            self._list.keep(self._in_scope)
        self._list.settle()
        self._say()

    def tick(self) -> None:
        """Judge the age of the feed again."""
        super().tick()
        self._say()

    def _in_scope(self, row: R) -> bool:
        return self.desk.scope is None or self._listing.owner(row) == self.desk.scope

    def _say(self) -> None:
        held = len(self._listing.table)
        words = feed_words(self.desk, self._listing.kind, held)
        count = f" {counted(len(self._list), self._listing.kind)}"
        right = Content("").join([toned(words.text, words.tone), Content(" ")])
        self._title.say(toned(count, Tone.MUTED), right)
        self._list.placeholder(empty_words(self.desk, self._listing.kind))

    def _open(self, row: R) -> None:
        key, listing = self._listing.key(row), self._listing
        self.app.push_screen(
            DetailScreen(self.desk, Subject(listing.title, listing.table, key, listing.groups))
        )
