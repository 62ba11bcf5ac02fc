"""Outside data causes neither action nor crash; a crash reveals nothing."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Sequence

import pytest
from rich.console import Console
from textual.pilot import Pilot

from paytui.domain.models import AccountId, Kind
from paytui.tui.app import PaytuiApp
from tests.tui.book import account, failed, payment, read, wallet
from tests.tui.dashboard import Dashboard, lines, shows, text

HOSTILE = (
    "[bold]x[/]",
    "[/x]",
    "[@click=app.quit]press me[/]",
    "[link=http://evil.example]here[/link]",
    "[red",
    "$foreground on $live",
    "\\[x]",
)


@pytest.mark.slow
def test_markup_in_names_is_shown_as_it_is_everywhere(empty: Dashboard) -> None:
    store = empty.store
    store.accounts.put([account(n, name) for n, name in enumerate(HOSTILE)])
    store.wallets.put([wallet(n, name, "1", account=n) for n, name in enumerate(HOSTILE)])
    store.payments.put([payment(n, "1", name) for n, name in enumerate(HOSTILE)])
    read(store, empty.clock)
    for name in HOSTILE:
        failed(store, Kind.TRADES, name)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        for key, shown in (("1", HOSTILE[-1:]), ("6", HOSTILE), ("3", HOSTILE), ("a", HOSTILE)):
            await pilot.press(key)
            for name in shown:
                await shows(pilot, name)
        await pilot.press("escape")
        app = pilot.app
        assert isinstance(app, PaytuiApp)
        for n, name in enumerate(HOSTILE):
            app.show_account(AccountId(f"acc-{n}"))
            await shows(pilot, f":8080  {name}  ")
            await shows(pilot, "1 wallet,")
            await pilot.press("enter")
            await shows(pilot, f"acc-{n}")
            assert text(pilot).count(name) == 5  # in scope, twice each: the wallet, its account
            await pilot.press("escape")
        await pilot.press("ctrl+p", *"press")
        await shows(pilot, "Account: [@click=app.quit]press me[/]")

    empty.play(scenario, size=(160, 40))


def test_a_click_on_a_hostile_name_does_nothing(empty: Dashboard) -> None:
    empty.store.wallets.put([wallet(1, "[@click=app.quit]press me[/]", "1")])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await shows(pilot, "press me")
        y = next(y for y, line in enumerate(lines(pilot)) if "press me" in line)
        await pilot.click(offset=(20, y))
        await pilot.pause()
        assert pilot.app.is_running

    empty.play(scenario, size=(120, 40))


def test_wide_and_combining_letters_keep_the_columns_aligned(empty: Dashboard) -> None:
    names = ["東京貿易株式会社", "한빛무역", "שלום עולם", "e\u0301te\u0301", "plain"]
    empty.store.wallets.put([wallet(n, name, "1234.5") for n, name in enumerate(names)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        from rich.cells import cell_len

        await pilot.press("3")
        await shows(pilot, "plain")
        ends = {
            cell_len(line[: line.index("1,234.50")]) for line in lines(pilot) if "1,234.50" in line
        }
        assert len(ends) == 1

    empty.play(scenario)


SENTINEL = "sentinel-8d1f-secret"


@pytest.mark.slow
def test_a_crash_prints_its_place_and_neither_locals_nor_its_message(empty: Dashboard) -> None:
    app = empty.app()
    kept: list[tuple[BaseException, tuple[str, ...]]] = []

    def keep(error: BaseException, on: Sequence[str]) -> str:
        kept.append((error, tuple(on)))
        return "It is kept."

    app.crashed = keep
    printed = io.StringIO()
    app.error_console = Console(file=printed, width=200)

    def broken() -> None:
        token = SENTINEL
        raise ValueError(f"refused {token}")

    async def run() -> None:
        async with app.run_test() as pilot:
            app.call_later(broken)
            await pilot.pause()

    with pytest.raises(ValueError, match="refused"):
        asyncio.run(run())
    app._print_error_renderables()
    assert printed.getvalue() == ""
    told = app.crash_words
    assert told.startswith("paytui stopped because of an internal error: ValueError")
    assert told.endswith("\nIt is kept.")
    assert SENTINEL not in told
    assert [type(error) for error, _ in kept] == [ValueError]
    assert kept[0][1] == ("OverviewPage",)
    assert app.return_code == 1


def test_r_has_everything_read_again(empty: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("r")
        assert ui.port.refreshes == 1

    empty.play(scenario)


@pytest.mark.slow
def test_help_names_every_key(empty: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("question_mark")
        await shows(pilot, "Everywhere")
        for words in ("Quit", "Half a page down", "Moving around", "rejected, failed, returned"):
            assert words in text(pilot)

    empty.play(scenario, size=(100, 120))
