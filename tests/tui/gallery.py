"""The pictures of the documentation, taken of the app on a fixed book.

    python -m tests.tui.gallery docs

writes `docs/gallery.md` and what it shows, `docs/gallery/*.svg`.
"""

from __future__ import annotations

import asyncio
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Literal

from rich.color import Color, ColorSystem

from paytui.config.settings import DeskSettings, Floors, OverviewSettings
from paytui.domain.money import CurrencyCode, Pair
from paytui.sandbox.ledger import CURRENCIES
from tests.support.recorded import day_of_balances, two_days
from tests.support.seeded import PAIRS, SeededBook
from tests.tui.busy_book import busy_book
from tests.tui.dashboard import Dashboard, settings_of
from tests.tui.desk_book import desk_book

Colours = Literal["truecolor", "256", "16", "none"]
Desk = Literal["there", "away"]

SCALE = 200
"""Payments in the book."""

_FONT = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
_MADE_BY = re.compile(r"\s*<!-- Generated with Rich .*?-->")
_HEX = re.compile(r"#[0-9a-f]{6}\b", re.IGNORECASE)
_WITHOUT_A_CHOICE: dict[Colours, str] = {"16": "16-colour", "none": "monochrome"}
"""The theme that is shown wherever a terminal has no more colours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A picture.

    Attributes:
        name: of its file, without the ending.
        says: what is seen on it.
        keys: pressed one by one before it is taken.
        size: columns and rows.
        desk: None without one; else the state of the desk.
    """

    name: str
    says: str
    keys: tuple[str, ...]
    size: tuple[int, int]
    theme: str = "dark"
    colours: Colours = "truecolor"
    live: bool = False
    desk: Desk | None = None

    @property
    def shown_theme(self) -> str:
        """Return the theme, or the terminal's own where it has few colours."""
        return _WITHOUT_A_CHOICE.get(self.colours, self.theme)

    @property
    def caption(self) -> str:
        """Return the contents, size and colours of the picture."""
        columns, lines = self.size
        how = {"truecolor": "truecolor", "none": "no colour"}.get(
            self.colours, f"{self.colours} colours"
        )
        return f"{self.says} {columns}x{lines}, theme {self.shown_theme}, {how}."


DESK: tuple[tuple[str, Desk, tuple[str, ...], str], ...] = (
    (
        "activity",
        "there",
        ("8",),
        "A desk: the intents of three traders, a mandate and a payout proposed, one approved",
    ),
    (
        "approval",
        "there",
        ("8", "down", "down", "d", "down", "up", "enter"),
        "A desk: a colleague's proposal, while another one pays the same recipient",
    ),
    (
        "mandate",
        "there",
        ("8", "down", "d", "down", "up", "enter"),
        "A desk: a colleague's mandate, to be approved by its amount",
    ),
    (
        "away",
        "away",
        ("v", "2", "1"),
        "A desk that is away: nothing is sent, and what is known has its age",
    ),
)
"""Pictures of a desk: name, state, keys, and what is seen."""

SHOTS = (
    Shot(
        name="overview",
        says="Overview, on a live profile: items that need attention, net positions and their "
        "value.",
        keys=(),
        size=(120, 40),
        live=True,
    ),
    Shot(
        name="accounts",
        says="Accounts, by day.",
        keys=("2",),
        size=(80, 24),
        theme="light",
    ),
    Shot(
        name="wallets",
        says="Wallets, on a terminal with 256 colours.",
        keys=("3", "j", "j"),
        size=(80, 24),
        colours="256",
    ),
    Shot(
        name="rates",
        says="Rates, with the day's chart of the pair under the cursor.",
        keys=("4",),
        size=(80, 24),
        theme="slate",
    ),
    Shot(
        name="chart",
        says="The chart of a price, on which an alert is being set.",
        keys=("4", "down", "c", "pageup"),
        size=(120, 40),
    ),
    Shot(
        name="trades",
        says="Trades, with more contrast.",
        keys=("5",),
        size=(120, 40),
        theme="high-contrast",
    ),
    Shot(
        name="payments",
        says="Payments, filtered while typing, on a wide screen.",
        keys=("6", "slash", "u", "s", "d"),
        size=(200, 60),
        theme="deuteranopia",
    ),
    Shot(
        name="ticket",
        says="A payment repeated: the ticket, and beside it the review that enter confirms.",
        keys=("6", "j", "j", "P"),
        size=(120, 40),
    ),
    Shot(
        name="recipients",
        says="Recipients, in the terminal's own sixteen colours.",
        keys=("7",),
        size=(80, 24),
        colours="16",
    ),
    Shot(
        name="activity",
        says="Activity, without colour, on the smallest screen: words show every status.",
        keys=("8",),
        size=(60, 20),
        colours="none",
    ),
    *(
        Shot(name=f"desk_{name}_{size[0]}", says=f"{says}.", keys=keys, size=size, desk=desk)
        for size in ((80, 24), (120, 40))
        for name, desk, keys, says in DESK
    ),
)


AUD = CurrencyCode("AUD")
HELD = tuple(
    pair
    for code in map(CurrencyCode, CURRENCIES)
    for pair in (Pair(code, AUD), Pair(AUD, code))
    if code != AUD
)


def shown_book(folder: Path) -> SeededBook:
    """Return the book of all pictures, with a history in a folder."""
    pairs = tuple(dict.fromkeys((*PAIRS, *HELD)))
    book = busy_book(SCALE, pairs)
    book.store.book = day_of_balances(book, two_days(book, folder, pairs).path)
    return book


def picture(book: SeededBook, shot: Shot, floors: Floors = MappingProxyType({})) -> str:
    """Return the picture as SVG, which needs no network; of a desk, by a book of its own."""
    if shot.desk is not None:
        book = desk_book(is_away=shot.desk == "away")
    settings = settings_of(live=shot.live, theme=shot.shown_theme)
    settings = replace(
        settings,
        profile=replace(
            settings.profile, desk=DeskSettings(dsn="dbname=desk") if shot.desk else None
        ),
        overview=OverviewSettings(reporting_currency=AUD),
        floors=floors,
    )
    ui = Dashboard(book.store, book.clock, book.time, settings)

    async def taken() -> str:
        app = ui.app()
        async with app.run_test(size=shot.size) as pilot:
            for key in shot.keys:
                await pilot.press(key)
                await pilot.pause()
            for worker in app.workers:
                if worker.group == "history":
                    await worker.wait()
            await pilot.pause()
            return app.export_screenshot(title="paytui")

    svg = _MADE_BY.sub("", _FONT.sub("", asyncio.run(taken())))
    return (_HEX.sub(_out_of_256, svg) if shot.colours == "256" else svg) + "\n"


def _out_of_256(colour: re.Match[str]) -> str:
    """Return the nearest of 256 colours."""
    sent = Color.parse(colour[0]).downgrade(ColorSystem.EIGHT_BIT)
    return sent.get_truecolor().hex


def page() -> str:
    """The page that shows them all."""
    parts = [
        "# Gallery",
        "The main screens on a sandbox's book, made by `python -m tests.tui.gallery docs`.",
        *(f"![{shot.caption}](gallery/{shot.name}.svg)\n\n{shot.caption}" for shot in SHOTS),
    ]
    return "\n\n".join(parts) + "\n"


def main(docs: Path) -> None:
    """Write page and pictures."""
    folder = docs / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as past:
        book = shown_book(Path(past))
        for shot in SHOTS:
            (folder / f"{shot.name}.svg").write_text(picture(book, shot), encoding="utf-8")
    (docs / "gallery.md").write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
