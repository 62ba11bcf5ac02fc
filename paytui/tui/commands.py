"""The command palette: screens, accounts and themes by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input

from paytui.store.views import account_title
from paytui.tui.app import PaytuiApp
from paytui.tui.screens.listing import ListPage
from paytui.tui.screens.payin_addresses import payin_addresses
from paytui.tui.screens.payins import payins
from paytui.tui.widgets.tabs import SCREENS

Command = tuple[str, Callable[[], object]]


class Palette(CommandPalette):
    """The palette, without a blinking cursor."""

    def on_mount(self) -> None:
        """Stop the blink: it would repaint twice a second for nothing."""
        self.query_one(Input).cursor_blink = False


class Commands(Provider):
    """What can be done by name. Names from outside are shown as they are, never interpreted."""

    async def discover(self) -> Hits:
        """Everything but single accounts, of which there may be many."""
        for name, run in self._fixed():
            yield DiscoveryHit(Content(name), run, text=name)

    async def search(self, query: str) -> Hits:
        """Whatever resembles the query."""
        matcher = self.matcher(query)
        for name, run in (*self._fixed(), *self._accounts()):
            if (score := matcher.match(name)) > 0:
                yield Hit(score, Content(name), run, text=name)

    @property
    def _dashboard(self) -> PaytuiApp:
        assert isinstance(self.app, PaytuiApp)
        return self.app

    def _fixed(self) -> Iterator[Command]:
        app = self._dashboard
        for key, mode, name in SCREENS:
            yield f"Show {name} ({key})", partial(app.action_mode, mode)
        yield "Show Pay-ins", partial(self._beside_wallets, self._payins)
        yield "Show Pay-in addresses", partial(self._beside_wallets, self._payin_addresses)
        yield "Trade (t)", app.action_trade
        yield "Payout (p)", app.action_payout
        yield "Transfer (x)", app.action_transfer
        yield "Repeat the payment under the cursor (P)", app.action_repeat
        yield "Refresh everything (r)", app.action_refresh
        yield "Copy the deal ticket (T)", app.action_ticket
        yield "UTC or local time (z)", app.action_zone
        yield "Choose an account (a)", app.action_accounts
        yield "All accounts", partial(app.look_at, None)
        for theme in app.theme_names:
            yield f"Theme: {theme}", partial(app.use_theme, theme)
        yield "Help (?)", app.action_help
        yield "Quit (q)", app.exit

    async def _beside_wallets(self, page: Callable[[], Screen[None]]) -> None:
        """Show a list that has no number over the wallets that its rows belong to."""
        await self._dashboard.switch_mode("wallets")
        self._dashboard.push_screen(page())

    def _payins(self) -> Screen[None]:
        desk = self._dashboard.desk
        return ListPage(desk, payins(desk))

    def _payin_addresses(self) -> Screen[None]:
        desk = self._dashboard.desk
        return ListPage(desk, payin_addresses(desk))

    def _accounts(self) -> Iterator[Command]:
        app = self._dashboard
        for account in app.desk.store.accounts.rows():
            yield f"Account: {account_title(account)}", partial(app.look_at, account.account_id)
