"""The detail view of an object, its raw JSON, and the base class of screens of facts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget

from paytui.domain.colleagues import subject_of
from paytui.domain.models import Account, PayInAddress, Recipient, Record, Wallet
from paytui.store.screen_rows import RawRead
from paytui.tui import textual_bindings
from paytui.tui.base_screens import BaseScreen, BoxDialog
from paytui.tui.details.common_facts import MOST, RelatedReader, title_of
from paytui.tui.details.objects import RELATED, deposit_text, groups_of
from paytui.tui.format.cells import Cell, Fact, Group, Ref, Tone, toned
from paytui.tui.format.colleagues import notes_groups
from paytui.tui.screens.screen_registry import create
from paytui.tui.times import clock_seconds
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.detail_view import DetailView
from paytui.tui.widgets.feeds import feed_words, kind_title
from paytui.tui.widgets.text import LongText, PathLine, Tabs


class TitledScreen(BaseScreen):
    """A screen below the tabs whose title starts with the screens that led to it."""

    def __init__(self, ui: UiContext) -> None:
        super().__init__(ui)
        self._title = PathLine()

    def compose(self) -> ComposeResult:
        status, *others = super().compose()
        yield from (status, Tabs(self.app.current_mode), self._title, *others)

    def on_mount(self) -> None:
        stack = self.app.screen_stack
        below = (one for one in stack[: stack.index(self)] if isinstance(one, BaseScreen))
        self._title.follow(one.crumb for one in below if one.crumb)

    def say_title(self, right: Content = Content()) -> None:  # noqa: B008  (immutable)
        """Show the title as it is now, and words at the right edge."""
        self._title.say(toned(self.crumb, bold=True), right)


class FactScreen(TitledScreen):
    """Facts below a title; each can be copied, shown alone, or opened if it has a link.

    Attributes:
        subject: that of the notes of a desk on what is shown; "" if there are none.
    """

    subject = ""

    BINDINGS = textual_bindings.groups("Back", "Details")
    FINDS = True

    def __init__(self, ui: UiContext) -> None:
        super().__init__(ui)
        self._sheet = DetailView(opened=self._open)

    def body(self) -> Iterator[Widget]:
        yield self._sheet

    def _open(self, fact: Fact) -> None:
        if fact.link is None:
            self._show_alone(fact)
        else:
            self.dashboard.open_link(fact.link)

    def _show_alone(self, fact: Fact) -> None:
        """Show a whole value to select by mouse: not all programs can write to the clipboard."""
        if fact.plain is not None:
            self.app.push_screen(BoxDialog(fact.label, LongText(Content(fact.plain))))

    def action_show_value(self) -> None:
        if (fact := self._sheet.selected) is not None:
            self._show_alone(fact)

    def show_noted(self, groups: list[Group]) -> None:
        """Show facts, and the notes on their object behind the first ones."""
        self._sheet.show([*groups[:1], *notes_groups(self.ui, self.subject), *groups[1:]])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable notes without a desk, and copying an id where there is none."""
        if action == "note":
            return bool(self.subject) and self.ui.store.desk is not None
        if action == "copy_key" and not hasattr(self, "action_copy_key"):
            return False
        return super().check_action(action, parameters)

    def action_note(self) -> None:
        from paytui.tui.app_dialogs import NoteDialog

        add = partial(self.ui.port.add_note, self.subject)
        self.app.push_screen(NoteDialog(self.crumb, add))

    def action_copy(self) -> None:
        if (fact := self._sheet.selected) is not None:
            self.copy(fact.label, fact.plain)


class RawScreen(TitledScreen):
    """The JSON of one object, read anew, with unknown fields and every digit."""

    BINDINGS = textual_bindings.groups("Back")

    def __init__(self, ui: UiContext, ref: Ref) -> None:
        super().__init__(ui)
        self._ref = ref
        self._text = LongText()
        self._before = self._newest
        self._shown: tuple[object, ...] = ()

    @property
    def _newest(self) -> RawRead | None:
        return self.ui.store.raw_reads.get((self._ref.kind, self._ref.key))

    @property
    def crumb(self) -> str:
        return f"{kind_title(self._ref.kind)} as JSON"

    def body(self) -> Iterator[Widget]:
        yield self._text

    def on_mount(self) -> None:
        self.ui.port.read_raw(self._ref.kind, self._ref.key)

    async def pull(self) -> None:
        """Show the response to the request of this screen; earlier reads are ignored."""
        await super().pull()
        read = None if self._newest is self._before else self._newest
        if self._shown != (read, self.ui.zone):
            self._shown = (read, self.ui.zone)
            self.say_title(self._when(read))
            self._text.show(_content(read))

    def _when(self, read: RawRead | None) -> Content:
        if read is None:
            return toned("reading", Tone.MUTED)
        word = "not read" if read.raw is None else "as received"
        return toned(f"{word}, {clock_seconds(read.sent_at, self.ui.zone)}", Tone.MUTED)


def _content(read: RawRead | None) -> Content:
    if read is None:
        return toned("Reading it from the service …", Tone.MUTED)
    if read.raw is None:
        return toned(str(read.problem), Tone.CLOSING)
    raw = read.raw
    lines = [toned(f"Service answer to: {raw.source}", Tone.MUTED)]
    if raw.cut:
        shown = f"{sum(map(len, raw.lines)):,} characters of a response of {raw.size:,} bytes"
        lines.append(toned(f"Truncated: {shown}", Tone.CLOSING))
    return Content("\n").join([*lines, Content(""), *map(Content, raw.lines)])


def copy_deposit(frame: BaseScreen) -> None:
    """Copy the deposit details of the selected object, or say why there are none."""
    row = frame.selected
    if not isinstance(row, PayInAddress | Wallet):
        frame.notify("There is no wallet or pay-in address under the cursor.")
    elif words := deposit_text(frame.ui, row):
        named = bool(frame.ui.settings.profile.payin_account_name)
        lacks = "" if named else ", without the account name: payin_account_name is not set"
        frame.copy(f"all deposit details{lacks}", words)
    else:
        frame.notify("No pay-in address of this wallet was read.")


class DetailScreen(FactScreen):
    """The detail view of one object, kept up to date; `—` for fields the service did not send."""

    BINDINGS = textual_bindings.groups("Deposit details", "Objects")

    def __init__(self, ui: UiContext, ref: Ref) -> None:
        super().__init__(ui)
        self._ref = ref
        self.subject = subject_of(ref.kind, ref.key)
        self._table = ui.store.table(ref.kind)
        self._row = self._table.get(ref.key)
        self._related = RelatedReader(ui, (ref.kind, ref.key), RELATED.get(ref.kind, ()), MOST)

    def on_mount(self) -> None:
        """Load an object that is not in memory."""
        if self._table.get(self._ref.key) is None and self.ui.store.left_out(self._ref.kind):
            self.ui.port.load_row(self._ref.kind, self._ref.key)

    @property
    def selected(self) -> Record | None:
        return self._table.get(self._ref.key)

    @property
    def crumb(self) -> str:
        """Return the title of the object; of one that was not read, its kind and identifier."""
        if self._row is None:
            return f"{kind_title(self._ref.kind)} {self._ref.key}"
        return title_of(self.ui, self._row)

    async def pull(self) -> None:
        """Show the object's current fields; a removed object keeps its last ones."""
        self.status.show()  # it does not wait for a read of the cache
        self._row = self._table.get(self._ref.key) or self._row
        if self._row is not None:
            self.show_noted(groups_of(self.ui, self._row, await self._related.read()))
        await super().pull()

    def show_now(self) -> None:
        ref = self._ref
        words = [feed_words(self.ui, ref.kind, len(self._table))]
        if self._table.get(ref.key) is None:
            is_awaited = self._row is None and bool(self.ui.store.left_out(ref.kind))
            absent = "reading it …" if is_awaited else "the service no longer lists it"
            words.insert(0, Cell(absent, Tone.MUTED if is_awaited else Tone.CLOSING))
        said = [toned(one.text, one.tone) for one in words if one.text]
        self.say_title(Content("  ").join(said))

    def action_copy_key(self) -> None:
        self.copy(f"{kind_title(self._ref.kind)} id", self._ref.key)

    def is_quiet(self, action: str) -> bool:
        match action:
            case "copy_deposit":
                return not isinstance(self.selected, PayInAddress | Wallet)
            case "add":
                return not isinstance(self.selected, Account | Wallet | Recipient)
            case _:
                return False

    def action_add(self) -> None:
        match self.selected:
            case Account(account_id=account_id):
                create(self, "create_wallet", account_id=account_id)
            case Wallet() as wallet:
                create(self, "create_payin_address", wallet)
            case Recipient() as recipient:
                create(self, "add_payment_address", recipient)
            case _:
                self.notify("Nothing can be added to this.")

    def action_copy_deposit(self) -> None:
        copy_deposit(self)

    def action_raw(self) -> None:
        self.app.push_screen(RawScreen(self.ui, self._ref))
