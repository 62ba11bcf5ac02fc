"""The command palette: the keys of the current screen, accounts and themes, by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from inspect import unwrap

from textual import work
from textual.app import App
from textual.binding import ActiveBinding
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.css.query import NoMatches
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widgets import Input

from paytui.config.keys import CATALOGUE, UNBOUND, first_key, shown_key
from paytui.platform.text import clean
from paytui.store.views import account_title
from paytui.tui import keys
from paytui.tui.app import PaytuiApp
from paytui.tui.screens.listing import ListPage
from paytui.tui.screens.payins import PayInAddressesPage, payin_addresses, payins
from paytui.tui.widgets.footer import is_refused


@dataclass(frozen=True, slots=True)
class ActiveKey:
    """An action of the current screen, and its keys.

    Attributes:
        keys: as shown to users, the first one first.
        does: a label of a word or two.
        node: the DOM node that carries out `action`.
        here: True if it belongs to this screen, False if it works everywhere.
        moves: True if it only moves the cursor or the view.
    """

    keys: tuple[str, ...]
    does: str
    action: str
    node: DOMNode
    here: bool
    moves: bool


def active_keys(screen: Screen[object]) -> list[ActiveKey]:
    """Return all actions that work now, each once; those of this screen first."""
    found: dict[tuple[str, str], ActiveKey] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        is_offered = active.enabled and not is_refused(screen, binding.action)
        if is_offered and binding.description and binding.key != UNBOUND:
            _add(found, active)
    return sorted(found.values(), key=lambda key: (not key.here, key.moves))


def _add(found: dict[tuple[str, str], ActiveKey], active: ActiveBinding) -> None:
    binding = active.binding
    which = (binding.id or binding.action, binding.action)
    name = shown_key(binding.key)
    if known := found.get(which):
        found[which] = replace(known, keys=(*known.keys, name))
        return
    found[which] = ActiveKey(
        (name,),
        binding.description,
        binding.action,
        active.node,
        here=not isinstance(active.node, App),
        moves=binding.id in keys.MOTIONS,
    )


Command = tuple[str, Callable[[], object]]

NEW: tuple[tuple[str, str, str], ...] = (
    ("accounts.new_individual", "accounts", "new_individual"),
    ("accounts.new_corporate", "accounts", "new_corporate"),
    ("wallets.new", "wallets", "new_wallet"),
    ("recipients.new", "recipients", "new_recipient"),
)
"""Actions that create an object: the key's id, the screen's mode, the action."""

LONGEST = 80
"""Maximum characters of an account's name: a longer one would hide the other hits."""

CONFIRM = "confirm"
"""The one action that the palette leaves out: its facts must be on view."""


_gather: Callable[[CommandPalette, str], Awaitable[None]] = unwrap(CommandPalette._gather_commands)  # noqa: SLF001 - it may not be called otherwise


class Palette(CommandPalette):
    """The palette, without a blinking cursor."""

    def on_mount(self) -> None:
        """Stop the blinking, which repaints twice a second."""
        for line in self.query(Input):  # none if the palette was closed meanwhile
            line.cursor_blink = False

    @work(exclusive=True, group=CommandPalette._GATHER_COMMANDS_GROUP)  # noqa: SLF001 - as Textual's
    async def _gather_commands(self, search_value: str) -> None:
        """Gather commands. Works around a crash of Textual when the palette is closed meanwhile."""
        with suppress(NoMatches):
            await _gather(self, search_value)


class Commands(Provider):
    """The commands of the palette. Names from outside are plain text, not markup."""

    async def discover(self) -> Hits:
        """Yield all commands but the accounts, of which there may be many."""
        for name, run in self._fixed():
            yield DiscoveryHit(Content(name), run, text=name)
        for name, run in await self._themes():
            yield DiscoveryHit(Content(name), run, text=name)

    async def search(self, query: str) -> Hits:
        """Yield the commands that match a query."""
        for hit in self._resembling(query, (*self._fixed(), *self._accounts())):
            yield hit
        for hit in self._resembling(query, await self._themes()):
            yield hit

    def _resembling(self, query: str, commands: Iterable[Command]) -> Iterator[Hit]:
        matcher = self.matcher(query)
        for name, run in commands:
            if (score := matcher.match(name)) > 0:
                yield Hit(score, Content(name), run, text=name)

    @property
    def _dashboard(self) -> PaytuiApp:
        assert isinstance(self.app, PaytuiApp)
        return self.app

    def _fixed(self) -> Iterator[Command]:
        app = self._dashboard
        for key in active_keys(self.screen):
            if not key.moves and key.action != CONFIRM:
                yield f"{key.does} ({key.keys[0]})", partial(app.run_action, key.action, key.node)
        yield from self._made_elsewhere()
        yield "Show Pay-ins", partial(self._beside_wallets, self._payins)
        yield "Show Pay-in addresses", partial(self._beside_wallets, self._payin_addresses)
        is_paused = app.desk.settings.polling.paused
        yield "Go on polling" if is_paused else "Pause polling", app.toggle_polling
        yield "All accounts", partial(app.show_account, None)

    async def _themes(self) -> list[Command]:
        """Return the themes. They come last: the folder of the user's own may be slow."""
        app = self._dashboard
        names = await app.theme_names()
        return [(f"Theme: {name}", partial(app.use_theme, name)) for name in names]

    def _made_elsewhere(self) -> Iterator[Command]:
        """Yield the commands that create objects from any screen."""
        if self._dashboard.desk.settings.profile.read_only:
            return
        keys = self._dashboard.desk.settings.keys
        here = {key.action for key in active_keys(self.screen)}
        for name, mode, action in NEW:
            if action not in here:
                words = f"{CATALOGUE[name].does} ({first_key(keys, name)} on {mode.title()})"
                yield words, partial(self._make_on, mode, action)
        if "new_payin_address" not in here:
            way = f"Choose the wallet, then {first_key(keys, 'wallets.payin_addresses')}"
            way += f" and {first_key(keys, 'payin_addresses.new')}."
            yield "New pay-in address (of a wallet)", partial(self._lead_to, "wallets", way)
        way = f"Open the recipient, then {first_key(keys, 'detail.add')} makes an address."
        yield "New payment address (of a recipient)", partial(self._lead_to, "recipients", way)

    async def _make_on(self, mode: str, action: str) -> None:
        """Run it over the open screens of that mode, so that no input is lost."""
        app = self._dashboard
        await app.switch_mode(mode)
        await app.run_action(action, app.screen_stack[0])

    async def _lead_to(self, mode: str, way: str) -> None:
        await self._dashboard.switch_mode(mode)
        self._dashboard.notify(way, markup=False)

    async def _beside_wallets(self, page: Callable[[], Screen[None]]) -> None:
        """Show a list without a number over the wallets that its rows belong to."""
        await self._dashboard.switch_mode("wallets")
        self._dashboard.push_screen(page())

    def _payins(self) -> Screen[None]:
        desk = self._dashboard.desk
        return ListPage(desk, payins(desk))

    def _payin_addresses(self) -> Screen[None]:
        desk = self._dashboard.desk
        return PayInAddressesPage(desk, payin_addresses(desk))

    def _accounts(self) -> Iterator[Command]:
        app = self._dashboard
        for account in app.desk.store.accounts.rows():
            yield (
                f"Account: {clean(account_title(account), LONGEST)}",
                partial(app.show_account, account.account_id),
            )
