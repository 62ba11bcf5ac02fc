"""The splash screen: cached or fresh balances while the dashboard loads, without Textual.

The dashboard takes over the alternate screen that was opened here, so the balances stay until it
paints. Keys typed meanwhile wait for the dashboard, unechoed.
"""

from __future__ import annotations

import os
import signal
import termios
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, timedelta
from threading import Lock
from types import FrameType
from typing import Any

from rich.cells import cell_len, set_cell_size

from paytui.config.settings import Profile
from paytui.domain.models import Kind
from paytui.domain.money import format_amount
from paytui.platform.clock import Clock
from paytui.store.figures import CurrencyTotal, totals
from paytui.store.health import Feed
from paytui.store.store import Store
from paytui.tui.terminal.tty import OPEN_SCREEN, Modes, Size, Tty
from paytui.tui.times import age, full_time

EMPTY = "\x1b[2J\x1b[?25l"
"""Clear the screen (for a terminal without an alternate one) and hide the cursor."""
FATAL_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT)
"""Signals that end the process. SIGINT included: KeyboardInterrupt would wait for a thread that
paints on a terminal that may be frozen."""

Words = tuple[str, str]  # SGR codes (ECMA-48 §8.3.117) that every terminal knows, and the text

Line = Sequence[Words]


class SplashScreen:
    """Holds the terminal from `show` until the dashboard takes over, or restores it.

    Attributes:
        found: the terminal's modes before; None while it is not held.
    """

    def __init__(self, tty: Tty = Tty()) -> None:  # noqa: B008  (immutable)
        self.tty = tty
        self.found: Modes | None = None
        self._handlers: dict[int, Any] = {}
        self._lock = Lock()

    def __enter__(self) -> SplashScreen:
        return self

    def __exit__(self, *_: object) -> None:
        """Restore the terminal, unless the dashboard has taken over."""
        with self._lock:
            if self.found is not None:
                self.tty.restore(self.found)
                self._let_go()

    def show(self, lines: Sequence[Line]) -> None:
        """Show lines that fit, unless another process group has the terminal."""
        found = self.tty.modes() if lines and self.tty.is_ours else None
        if found is None:
            return
        self.found = found
        self._handlers = {
            number: signal.signal(number, self._on_signal) for number in FATAL_SIGNALS
        }
        self.tty.set(_unechoed(found))
        self._paint(OPEN_SCREEN, lines)

    def show_instead(self, lines: Sequence[Line]) -> None:
        """Replace the lines while the terminal is held. Thread-safe."""
        with self._lock:
            if self.found is not None:
                self._paint("", lines)

    def hand_over(self) -> bool:
        """Hand over the terminal as it was found; return True if its alternate screen is open."""
        with self._lock:
            if self.found is None:
                return False
            self.tty.set(self.found)
            self._let_go()
            return True

    def _paint(self, before: str, lines: Sequence[Line]) -> None:
        with suppress(OSError):  # it is lost; the next writer will notice
            os.write(self.tty.stderr, f"{before}{_painted(lines)}".encode())

    def _let_go(self) -> None:
        self.found = None
        for number, before in self._handlers.items():
            if signal.getsignal(number) == self._on_signal:
                signal.signal(number, before)

    def _on_signal(self, number: int, _: FrameType | None) -> None:
        """Restore the terminal, then die by the signal."""
        self.tty.restore(self.found)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)


def _unechoed(found: Modes) -> Modes:
    """Return modes without echo and without ctrl+z, which would leave the screen as it is."""
    modes = [*found[:6], [*found[6]]]
    modes[3] &= ~termios.ECHO
    modes[6][termios.VSUSP] = b"\0"
    return modes


def _painted(lines: Sequence[Line]) -> str:
    """Return the output. Control characters in the text are replaced."""
    painted = [EMPTY]
    for row, line in enumerate(lines, 1):
        painted.append(f"\x1b[{row};1H")
        for look, text in line:
            printable = "".join(char if char.isprintable() else "\ufffd" for char in text)
            painted.append(f"\x1b[{look}m{printable}\x1b[0m")
    return "".join(painted)


LEAST = (60, 8)  # Columns and lines of the smallest terminal to show balances on
PLAIN, BOLD, FAINT, BADGE = "0", "1", "2", "1;7"  # SGR codes without colour: nothing must look live

HEADINGS = ("Ccy", "Available", "Reserved", "Pending")
GAP = 2

Row = tuple[str, ...]


def cached_balance_lines(store: Store, profile: Profile, clock: Clock, size: Size) -> list[Line]:
    """Return the balances of the cache with their age; empty without a cache or room."""
    feed = store.feed(Kind.WALLETS)
    return _balances(store, profile, _last_known(feed, clock), size) if feed.cached else []


def fresh_balance_lines(store: Store, profile: Profile, size: Size) -> list[Line]:
    """Return the balances just read, with the time; before that, that there are none yet."""
    feed = store.feed(Kind.WALLETS)
    when = f"READ {full_time(feed.as_of, UTC)}" if feed.was_read else "No balances are known yet"
    lines = _balances(store, profile, when, size) if feed.was_read else []
    if lines or not _is_roomy(size):
        return lines
    return [_whose(profile, size[0]), _when(when, size[0])]


def _balances(store: Store, profile: Profile, when: str, size: Size) -> list[Line]:
    feed, held = store.feed(Kind.WALLETS), totals(store.wallets.rows())
    if not held or not _is_roomy(size):
        return []
    columns, lines = size
    head: list[Line] = [_whose(profile, columns), _when(when, columns), ()]
    what: list[Line] = [[(FAINT, f" Balances of {_wallets(store, feed)}")]]
    return [*head, *what, *_table(held, columns, lines - len(head) - len(what))]


def _is_roomy(size: Size) -> bool:
    return size[0] >= LEAST[0] and size[1] >= LEAST[1]


def _whose(profile: Profile, columns: int) -> Line:
    """Return profile and host; LIVE is never cut off."""
    name, kind = (profile.name.upper(), "LIVE") if profile.live else (profile.name, "test")
    badge = f" {_cut(name, columns // 2)} {kind} "
    badge += "read-only " if profile.read_only else ""
    return [
        (BADGE, badge),
        (PLAIN, _cut(f"  {profile.host}  all accounts", columns - cell_len(badge))),
    ]


def _last_known(feed: Feed, clock: Clock) -> str:
    """Return time and age of the cache; the age is unknown if the clock was set back since."""
    old = "in the future?"
    if feed.read_at is not None:
        old = f"{age(timedelta(seconds=clock.boot() - feed.read_at))} ago"
    return f"LAST KNOWN {full_time(feed.as_of, UTC)}, {old}"


def _when(when: str, columns: int) -> Line:
    starting = " · starting…"
    whole = cell_len(f" {when}{starting}") <= columns
    return [(BOLD, f" {when}"), (FAINT, starting if whole else "")]


def _wallets(store: Store, feed: Feed) -> str:
    count = len(store.wallets)
    many = "wallet" if count == 1 else "wallets"
    if feed.tracked:
        many = f"tracked {many}"
    elif feed.total is not None and feed.total > count:
        many = f"of {feed.total:,} wallets"
    return f"{count:,} {many}{_lacks(feed)}"


def _lacks(feed: Feed) -> str:
    if feed.skipped:
        return f"; {feed.skipped:,} could not be read"
    return "; some may be missing" if feed.cut or feed.problem is not None else ""


def _table(held: Sequence[CurrencyTotal], columns: int, lines: int) -> list[Line]:
    """Return the columns and rows that fit uncut, then how many rows are left out."""
    rows = [_row(total) for total in held if not (total.untold and total.available is not None)]
    width = next((many for many in (4, 3) if _needed(rows, many) <= columns), 2)
    whole = [row for row in rows if _needed([row], width) <= columns]
    shown = whole if len(whole) == len(held) and len(held) < lines else whole[: lines - 2]
    table: list[Line] = [[(FAINT, line)] for line in _aligned([HEADINGS, *shown], width)]
    if others := len(held) - len(shown):
        what = "currency" if others == 1 else "currencies"
        table.append([(FAINT, f" and {others:,} more {what}")])
    return table


def _row(total: CurrencyTotal) -> Row:
    amounts = (total.available, total.reserved, total.pending)
    return total.currency, *(format_amount(amount, total.currency) for amount in amounts)


def _aligned(rows: Sequence[Row], width: int) -> list[str]:
    cells = _widths(rows, width)
    return [
        f" {set_cell_size(row[0], cells[0])}"
        + "".join(
            f"{'':{GAP}}{amount:>{cell}}"
            for amount, cell in zip(row[1:width], cells[1:], strict=True)
        )
        for row in rows
    ]


def _needed(rows: Sequence[Row], width: int) -> int:
    cells = _widths([HEADINGS, *rows], width)
    return sum(cells) + GAP * len(cells)


def _widths(rows: Sequence[Row], width: int) -> list[int]:
    return [max(map(cell_len, column)) for column in list(zip(*rows, strict=True))[:width]]


def _cut(text: str, cells: int) -> str:
    return text if cell_len(text) <= cells else f"{set_cell_size(text, max(0, cells - 1))}…"
