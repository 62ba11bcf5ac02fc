"""All feeds at a glance: a sign, the name, how many; and in words what is wrong with one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from paytui.domain.models import Kind
from paytui.platform.text import clean
from paytui.store.store import Store
from paytui.tui.context import Desk
from paytui.tui.format.feeds import feed_words, noun
from paytui.tui.theme.themes import Cell, Tone, toned

TROUBLE = "!"
"""The sign of a feed that lacks something: it comes first."""

INDENT = 3
"""Cells before the noun: a blank, the sign, a blank."""


class FeedHealth(Widget):
    """One entry a feed, wrapped between entries."""

    DEFAULT_CSS = """
    FeedHealth { height: auto; width: 1fr; }
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._entries: tuple[Cell, ...] = ()

    def show(self) -> None:
        """Show how the feeds are, if that looks different from before."""
        entries = tuple(sorted(_entries(self._desk), key=lambda cell: cell.text[0] != TROUBLE))
        if entries != self._entries:
            self._entries = entries
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002  (Textual's own)
        """Lines that the entries take in so many cells."""
        return len(_lines(self._entries, width))

    def render(self) -> Content:
        """Entries, as many on a line as fit."""
        return Content("\n").join(_lines(self._entries, self.content_size.width))


def _lines(entries: Iterable[Cell], width: int) -> list[Content]:
    """Entries side by side; one that is longer than a line goes on below its own first word."""
    lines: list[Content] = [Content()]
    for cell in entries:
        whole = toned(f" {cell.text} ", cell.tone)
        first, *others = [whole] if whole.cell_length <= width else _wrapped(cell, width)
        if lines[-1].cell_length + first.cell_length > width and lines[-1]:
            lines.append(Content())
        lines[-1] += first
        lines.extend(others)
    return lines


def _wrapped(cell: Cell, width: int) -> list[Content]:
    sign, _, words = cell.text.partition(" ")
    first, *others = toned(words, cell.tone).wrap(max(1, width - INDENT - 1))
    return [
        toned(f" {sign} ", cell.tone) + first,
        *(Content(" " * INDENT) + piece for piece in others),
    ]


def _entries(desk: Desk) -> Iterator[Cell]:
    # What is about all of them first: there is not always room for each.
    if news := desk.store.link.host_news:
        yield Cell(f"{TROUBLE} {clean(news)}", Tone.CLOSING)
    if why := desk.store.link.unshared:
        yield Cell(f"{TROUBLE} token not shared with other processes: {clean(why)}", Tone.CLOSING)
    for kind, count in _counts(desk.store).items():
        words = feed_words(desk, kind, count)
        if words.text == "loading":
            yield Cell(f"… {noun(kind)}", Tone.MUTED)
        elif words.text and words.tone is Tone.MUTED:
            tracked = desk.store.feed(kind).tracked
            told = f"{tracked:,} tracked" if tracked else words.text
            yield Cell(f"✓ {noun(kind)} {told}", Tone.MUTED)
        elif words.text:
            # Some of these words name the list, others are about it: the name comes first.
            named = noun(kind) in words.text
            text = words.text if named else f"{noun(kind)} {words.text}"
            yield Cell(f"{TROUBLE} {text}", words.tone)
        else:
            yield Cell(f"✓ {noun(kind)} {count:,}", Tone.MUTED)


def _counts(store: Store) -> dict[Kind, int]:
    return {
        Kind.WALLETS: len(store.wallets),
        Kind.PAYMENTS: len(store.payments),
        Kind.TRADES: len(store.trades),
        Kind.PAYINS: len(store.payins),
        Kind.ACCOUNTS: len(store.accounts),
        Kind.RECIPIENTS: len(store.recipients),
        Kind.PAYMENT_ADDRESSES: len(store.payment_addresses),
        Kind.PAYIN_ADDRESSES: len(store.payin_addresses),
    }
