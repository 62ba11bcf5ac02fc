"""One object as the service sends it: read again when this is opened."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content
from textual.widget import Widget

from paytui.store.reports import RawRead
from paytui.tui import keys
from paytui.tui.context import Desk
from paytui.tui.details.facts import Ref
from paytui.tui.details.objects import TITLES
from paytui.tui.format.times import clock_seconds
from paytui.tui.screens.frame import Frame
from paytui.tui.theme.themes import Tone, toned
from paytui.tui.widgets.text import Edges, LongText


class RawScreen(Frame):
    """The JSON of one object, unknown fields and every digit included."""

    BINDINGS = keys.BACK

    def __init__(self, desk: Desk, ref: Ref) -> None:
        super().__init__(desk)
        self._ref = ref
        self._title = Edges(classes="title")
        self._text = LongText()
        self._before = self._newest
        self._shown: tuple[object, ...] = ()

    @property
    def _newest(self) -> RawRead | None:
        return self.desk.store.raw_reads.get((self._ref.kind, self._ref.key))

    def body(self) -> Iterator[Widget]:
        """What was read and when, and what came."""
        yield self._title
        yield self._text

    def on_mount(self) -> None:
        """Have it read."""
        self.desk.port.read_raw(self._ref.kind, self._ref.key)

    async def pull(self) -> None:
        """Show what came since this was opened; an earlier read is not what was asked for."""
        await super().pull()
        read = None if self._newest is self._before else self._newest
        if self._shown != (read, self.desk.zone):
            self._shown = (read, self.desk.zone)
            self._title.say(self._what(), self._when(read))
            self._text.show(_content(read))

    def action_back(self) -> None:
        """To the facts."""
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
