"""What stands on the terminal while the dashboard is being loaded; Textual is not needed for it.

The dashboard goes on with the alternate screen that was opened for it, so that what stands there
stays until it is painted over. Keys that are typed meanwhile wait for the dashboard, unechoed.
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
from paytui.store.health import Feed
from paytui.store.store import Store
from paytui.store.views.figures import CurrencyTotal, totals
from paytui.tui.format.times import age, full_time
from paytui.tui.terminal.tty import OPEN_SCREEN, Modes, Size, Tty, in_ascii

EMPTY = "\x1b[2J\x1b[?25l"
"""Nothing on it, for a terminal that has no other screen, and no cursor."""
FATAL_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT)
"""What ends a process that nobody has told otherwise. SIGINT does too: as an exception it would
wait for a thread that paints, on a terminal that may be frozen."""

Words = tuple[str, str]
"""How text looks, in the codes of ECMA-48 §8.3.117 that every terminal knows, and the text."""

Line = Sequence[Words]


class SplashScreen:
    """The terminal, from `show` until the dashboard takes it over or it is given back.

    Attributes:
        tty: the terminal.
        found: how the terminal was set before; None while it is not held.
    """

    def __init__(self, tty: Tty = Tty()) -> None:  # noqa: B008  (immutable)
        self.tty = tty
        self.found: Modes | None = None
        self._handlers: dict[int, Any] = {}
        self._lock = Lock()

    def __enter__(self) -> SplashScreen:
        return self

    def __exit__(self, *_: object) -> None:
        """Give the terminal back, unless the dashboard has it by now."""
        with self._lock:
            if self.found is not None:
                self.tty.restore(self.found)
                self._let_go()

    def show(self, lines: Sequence[Line]) -> None:
        """Show lines that fit, one below the other, on a terminal that is ours alone."""
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
        """Show others in their place, as long as the terminal is held; from any thread."""
        with self._lock:
            if self.found is not None:
                self._paint("", lines)

    def hand_over(self) -> bool:
        """Leave the terminal to the dashboard, set as it was found.

        Returns:
            Whether the alternate screen is open already.
        """
        with self._lock:
            if self.found is None:
                return False
            self.tty.set(self.found)
            self._let_go()
            return True

    def _paint(self, before: str, lines: Sequence[Line]) -> None:
        with suppress(OSError):  # it is lost; whoever paints next is told so, too
            os.write(self.tty.stderr, f"{before}{_painted(lines)}".encode())

    def _let_go(self) -> None:
        self.found = None
        for number, before in self._handlers.items():
            if signal.getsignal(number) == self._on_signal:
                signal.signal(number, before)

    def _on_signal(self, number: int, _: FrameType | None) -> None:
        """End by the signal, as if it had not been held up."""
        self.tty.restore(self.found)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)


def _unechoed(found: Modes) -> Modes:
    """The same without echo, and without the key that stops: the screen would stay as it is."""
    modes = [*found[:6], [*found[6]]]
    modes[3] &= ~termios.ECHO
    modes[6][termios.VSUSP] = b"\0"
    return modes


def _painted(lines: Sequence[Line]) -> str:
    """As it is sent. Nothing in the words moves the cursor or sets anything."""
    painted = [EMPTY]
    for row, line in enumerate(lines, 1):
        painted.append(f"\x1b[{row};1H")
        painted += [f"\x1b[{look}m{_printable(text)}\x1b[0m" for look, text in line]
    return "".join(painted)


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


# What was known last, or was read just now, in plain lines: until the dashboard is loaded.

LEAST = (60, 8)
"""Columns and lines of a terminal under which nothing is shown."""

PLAIN, BOLD, FAINT, BADGE = "0", "1", "2", "1;7"
"""Looks that say nothing by hue: nothing is to look live."""

HEADINGS = ("Ccy", "Available", "Reserved", "Pending")
GAP = 2

Row = tuple[str, ...]


def cached_balance_lines(store: Store, profile: Profile, clock: Clock, size: Size) -> list[Line]:
    """The balances that another run knew, with their age; nothing where none did, or without room.

    Args:
        store: what was brought back, with all wallets that there were; nothing was read yet.
        profile: whose.
        clock: by which their age is reckoned.
        size: of the terminal.
    """
    feed = store.feed(Kind.WALLETS)
    return _balances(store, profile, _last_known(feed, clock), size) if feed.cached else []


def fresh_balance_lines(store: Store, profile: Profile, size: Size) -> list[Line]:
    """The balances that were read just now, with the time; that there are none yet before."""
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


def lines_in_ascii(lines: Sequence[Line]) -> list[Line]:
    """The same for a terminal that draws nothing else."""
    return [[(look, in_ascii(text)) for look, text in line] for line in lines]


def _whose(profile: Profile, columns: int) -> Line:
    """The profile and its host; that money is real never gives way."""
    name, kind = (profile.name.upper(), "LIVE") if profile.live else (profile.name, "test")
    badge = f" {_cut(name, columns // 2)} {kind} "
    badge += "read-only " if profile.read_only else ""
    return [
        (BADGE, badge),
        (PLAIN, _cut(f"  {profile.host}  all accounts", columns - cell_len(badge))),
    ]


def _last_known(feed: Feed, clock: Clock) -> str:
    """When that was. By a clock that was set back since, nobody knows how long ago."""
    old = "in the future?"
    if feed.read_at is not None:
        old = f"{age(timedelta(seconds=clock.boot() - feed.read_at))} ago"
    return f"LAST KNOWN {full_time(feed.as_of, UTC)}, {old}"


def _when(when: str, columns: int) -> Line:
    starting = " · starting…"
    whole = cell_len(f" {when}{starting}") <= columns
    return [(BOLD, f" {when}"), (FAINT, starting if whole else "")]


def _wallets(store: Store, feed: Feed) -> str:
    """What is added up."""
    count = len(store.wallets)
    many = "wallet" if count == 1 else "wallets"
    if feed.tracked:
        many = f"tracked {many}"
    elif feed.total is not None and feed.total > count:
        many = f"of {feed.total:,} wallets"
    return f"{count:,} {many}{_lacks(feed)}"


def _lacks(feed: Feed) -> str:
    """What is not in the sums, beside what its total tells."""
    if feed.skipped:
        return f"; {feed.skipped:,} could not be read"
    return "; some may be missing" if feed.cut or feed.problem is not None else ""


def _table(held: Sequence[CurrencyTotal], columns: int, lines: int) -> list[Line]:
    """As many columns and rows as can be whole; the rows that cannot are counted."""
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
    """The first so many columns; amounts stand at the right."""
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
    """No wider than that; what is cut ends in an ellipsis."""
    return text if cell_len(text) <= cells else f"{set_cell_size(text, max(0, cells - 1))}…"
