"""The detail view of an object, its raw JSON, and the base class of screens of facts."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content
from textual.widget import Widget

from paytui.domain.models import PayInAddress, Record, Wallet
from paytui.store.reports import RawRead
from paytui.tui import keys
from paytui.tui.context import UiContext
from paytui.tui.details.fields import Activity, Fact, Ref, RelatedList
from paytui.tui.details.objects import TITLES, groups_of
from paytui.tui.details.wallets import deposit_text
from paytui.tui.format.feeds import feed_words
from paytui.tui.format.times import clock_seconds
from paytui.tui.screens.base import BaseScreen
from paytui.tui.screens.create_actions import add_to, can_add
from paytui.tui.screens.dialogs import ValueDialog
from paytui.tui.terminal.clipboard import copy
from paytui.tui.theme.themes import Tone, toned
from paytui.tui.widgets.detail_view import DetailView
from paytui.tui.widgets.text import LongText, SplitLine


class FactScreen(BaseScreen):
    """A title over facts; each can be copied, shown alone, or opened if it has a link.

    Subclasses fill both.
    """

    BINDINGS = keys.DETAIL

    def __init__(self, desk: UiContext) -> None:
        super().__init__(desk)
        self._title = SplitLine(classes="title")
        self._sheet = DetailView(opened=self._open)

    def body(self) -> Iterator[Widget]:
        yield self._title
        yield self._sheet

    def lead_to(self, ref: Ref) -> None:
        """Open the object that a fact links to."""
        raise NotImplementedError

    def _open(self, fact: Fact) -> None:
        """Follow the fact's link, or show the fact alone."""
        match fact.link:
            case Ref():
                self.lead_to(fact.link)
            case RelatedList():
                self._list(fact.link)
            case Activity():
                self._list_movements(fact.link)
            case None:
                self._show_alone(fact)

    def _list(self, those: RelatedList) -> None:
        from paytui.tui.screens.links import related_page

        self.app.push_screen(related_page(self.desk, those))

    def _list_movements(self, activity: Activity) -> None:
        from paytui.tui.screens.wallets import MovementsPage

        self.app.push_screen(MovementsPage(self.desk, activity.wallet_id))

    def _show_alone(self, fact: Fact) -> None:
        if fact.plain is not None:
            self.app.push_screen(ValueDialog(fact.label, fact.plain))

    def action_show_value(self) -> None:
        """Show the value under the cursor alone."""
        if (fact := self._sheet.selected) is not None:
            self._show_alone(fact)

    def action_copy(self) -> None:
        """Copy the value under the cursor."""
        if (fact := self._sheet.selected) is not None:
            copy(self.app, fact.label, fact.plain)

    def action_back(self) -> None:
        self.dismiss()


class RawScreen(BaseScreen):
    """The JSON of one object, read anew, with unknown fields and every digit."""

    BINDINGS = keys.BACK

    def __init__(self, desk: UiContext, ref: Ref) -> None:
        super().__init__(desk)
        self._ref = ref
        self._title = SplitLine(classes="title")
        self._text = LongText()
        self._before = self._newest
        self._shown: tuple[object, ...] = ()

    @property
    def _newest(self) -> RawRead | None:
        return self.desk.store.raw_reads.get((self._ref.kind, self._ref.key))

    def body(self) -> Iterator[Widget]:
        yield self._title
        yield self._text

    def on_mount(self) -> None:
        """Request the object."""
        self.desk.port.read_raw(self._ref.kind, self._ref.key)

    async def pull(self) -> None:
        """Show the response to the request of this screen; earlier reads are ignored."""
        await super().pull()
        read = None if self._newest is self._before else self._newest
        if self._shown != (read, self.desk.zone):
            self._shown = (read, self.desk.zone)
            self._title.say(self._what(), self._when(read))
            self._text.show(_content(read))

    def action_back(self) -> None:
        self.dismiss()

    def _what(self) -> Content:
        title = toned(f" {TITLES[self._ref.kind]} ", Tone.INK, bold=True)
        return title + toned(self._ref.key, Tone.MUTED)

    def _when(self, read: RawRead | None) -> Content:
        if read is None:
            return toned("reading ", Tone.MUTED)
        word = "not read" if read.raw is None else "as sent"
        return toned(f"{word}, {clock_seconds(read.sent_at, self.desk.zone)} ", Tone.MUTED)


def _content(read: RawRead | None) -> Content:
    if read is None:
        return toned("Reading it from the service …", Tone.MUTED)
    if read.raw is None:
        return toned(str(read.problem), Tone.CLOSING)
    raw = read.raw
    lines = [toned(f"The service's answer to: {raw.source}", Tone.MUTED)]
    if raw.cut:
        shown = f"{sum(map(len, raw.lines)):,} characters of an answer of {raw.size:,} bytes"
        lines.append(toned(f"Cut: this is the beginning, {shown}", Tone.CLOSING))
    return Content("\n").join([*lines, Content(""), *map(Content, raw.lines)])


def takes_deposits(row: object) -> bool:
    """Return True for objects that money can be sent to: pay-in addresses and wallets."""
    return isinstance(row, PayInAddress | Wallet)


def copy_deposit(frame: BaseScreen) -> None:
    """Copy the deposit details of the selected object, or say why there are none."""
    row = frame.selected
    if not isinstance(row, PayInAddress | Wallet):
        frame.notify("There is no wallet or pay-in address under the cursor.", markup=False)
    elif words := deposit_text(frame.desk, row):
        named = bool(frame.desk.settings.profile.payin_account_name)
        lacks = "" if named else ", without the account name: payin_account_name is not set"
        copy(frame.app, f"all deposit details{lacks}", words)
    else:
        frame.notify("This wallet has no pay-in address that was read.", markup=False)


class DetailScreen(FactScreen):
    """The detail view of one object, kept up to date; `—` for fields the service did not send."""

    BINDINGS = [*keys.DEPOSIT, *keys.OBJECT]  # noqa: RUF012  (Textual's way; never written to)

    def __init__(self, desk: UiContext, ref: Ref) -> None:
        super().__init__(desk)
        self._ref = ref
        self._table = desk.store.table(ref.kind)

    @property
    def selected(self) -> Record | None:
        """Return the object as it is now."""
        return self._table.get(self._ref.key)

    async def pull(self) -> None:
        """Show the object's current fields; a removed object keeps its last ones."""
        await super().pull()
        row = self._table.get(self._ref.key)
        if row is not None:
            self._sheet.show(groups_of(self.desk, row))
        self._say()

    def tick(self) -> None:
        """Update the feed's age."""
        super().tick()
        self._say()

    def _say(self) -> None:
        """Set the title: the object, and the state of its feed."""
        ref = self._ref
        title = toned(f" {TITLES[ref.kind]} ", Tone.INK, bold=True)
        title += toned(ref.key, Tone.MUTED)
        if self._table.get(ref.key) is None:
            title += toned("  the service no longer lists it", Tone.CLOSING)
        words = feed_words(self.desk, ref.kind, len(self._table))
        self._title.say(title, toned(words.text, words.tone))

    def lead_to(self, ref: Ref) -> None:
        self.app.push_screen(DetailScreen(self.desk, ref))

    def action_copy_key(self) -> None:
        """Copy the object's identifier."""
        copy(self.app, f"{TITLES[self._ref.kind]} id", self._ref.key)

    def is_quiet(self, action: str) -> bool:
        """Return True for actions that do not apply to this kind of object."""
        match action:
            case "copy_deposit":
                return not takes_deposits(self.selected)
            case "add":
                return not can_add(self.selected)
            case _:
                return False

    def action_add(self) -> None:
        """Open the form for a new object that belongs to this one."""
        add_to(self)

    def action_copy_deposit(self) -> None:
        """Copy the details that a payer needs."""
        copy_deposit(self)

    def action_raw(self) -> None:
        """Show the object as the service sends it."""
        self.app.push_screen(RawScreen(self.desk, self._ref))
