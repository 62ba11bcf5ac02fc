"""The text of every list that is empty, unread, failed, or partly known.

After a change of words: `pytest tests/tui/test_list_states.py --snapshot-update`, then read it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from paytui.domain.models import Kind
from tests.support.seeded import seeded_book
from tests.tui.book import AUD_USD, account, failed, read, sheet, wallet
from tests.tui.dashboard import Dashboard, text

Keys = dict[str, tuple[str, ...]]

ALONE: Keys = {"accounts": ("2",), "wallets": ("3",), "rates": ("4",), "activity": ("8",)}
"""Lists that can be looked at where there is nothing else: keys from the one before."""

WITHIN: Keys = {
    "payins": ("3", "i"),
    "payin_addresses": ("escape", "d"),
    "movements": ("escape", "m"),
    "trades": ("5",),
    "payments": ("6",),
    "recipients": ("7",),
}
"""Lists of what belongs to an account or a wallet, where there is one."""

OWNERS = (Kind.ACCOUNTS, Kind.WALLETS)


def empty(ui: Dashboard, kinds: tuple[Kind, ...]) -> None:
    read(ui.store, ui.clock, *kinds)


def loading(ui: Dashboard, kinds: tuple[Kind, ...]) -> None:
    """Nobody has said anything of them yet."""


def broken(ui: Dashboard, kinds: tuple[Kind, ...]) -> None:
    for kind in kinds:
        failed(ui.store, kind, "503")


NOTHING: dict[str, Callable[[Dashboard, tuple[Kind, ...]], None]] = {
    "empty": empty,
    "loading": loading,
    "failed": broken,
}


def owning() -> Dashboard:
    """A dashboard with an account and a wallet, and nothing in them."""
    ui = Dashboard()
    ui.store.accounts.put([account(1, "Acme")])
    ui.store.wallets.put([wallet(1, "AUD desk", "1204330.15")])
    read(ui.store, ui.clock, *OWNERS)
    return ui


def partial() -> Dashboard:
    """A dashboard that holds a part of everything, and one rate of those that are watched."""
    book = seeded_book()
    for kind in Kind:
        feed = book.store.feed(kind)
        book.store.set_feed(replace(feed, total=5300, skipped=2))
    book.store.rate_sheets.put([sheet("part", book.clock, {AUD_USD: "0.65123"})])
    return Dashboard(book.store, book.clock, book.time)


def texts(ui: Dashboard, lists: Keys) -> str:
    """Return the screen of each list, under its name."""
    seen: list[str] = []

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        for name, keys in lists.items():
            await pilot.press(*keys)
            await pilot.wait_for_scheduled_animations()
            await pilot.pause()
            seen.append(f"== {name}\n{text(pilot)}")

    ui.play(scenario)
    return "\n".join(seen)


@pytest.mark.slow
@pytest.mark.parametrize("state", NOTHING)
def test_a_list_of_nothing_reads_as_it_did(snapshot: SnapshotAssertion, state: str) -> None:
    nowhere, within = Dashboard(), owning()
    NOTHING[state](nowhere, tuple(Kind))
    NOTHING[state](within, tuple(kind for kind in Kind if kind not in OWNERS))
    assert texts(nowhere, ALONE) + texts(within, WITHIN) == snapshot


@pytest.mark.slow
def test_a_list_of_a_part_reads_as_it_did(snapshot: SnapshotAssertion) -> None:
    assert texts(partial(), ALONE | WITHIN) == snapshot
