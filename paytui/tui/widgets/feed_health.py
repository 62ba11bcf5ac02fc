"""All feeds at a glance: a sign, the name, how many; and in words what is wrong with one."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content
from textual.widget import Widget

from paytui.api.models import Kind
from paytui.store.store import Store
from paytui.tui.desk import Desk
from paytui.tui.feed_words import feed_words, noun
from paytui.tui.tone import Cell, Tone, toned


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
        entries = tuple(_entries(self._desk))
        if entries != self._entries:
            self._entries = entries
            self.refresh(layout=True)

    def render(self) -> Content:
        """Entries, as many on a line as fit."""
        lines: list[Content] = [Content()]
        for cell in self._entries:
            entry = toned(f" {cell.text} ", cell.tone)
            if lines[-1].cell_length + entry.cell_length > self.size.width and lines[-1]:
                lines.append(Content())
            lines[-1] += entry
        return Content("\n").join(lines)


def _entries(desk: Desk) -> Iterator[Cell]:
    for kind, count in _counts(desk.store).items():
        words = feed_words(desk, kind, count)
        if words.text == "loading":
            yield Cell(f"… {noun(kind)}", Tone.MUTED)
        elif words.text:
            yield Cell(f"! {words.text}", words.tone)
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
