"""The command palette: the keys of the current screen, accounts and themes, by name."""

from __future__ import annotations

from asyncio import wait_for
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.widgets import Input

from paytui.config.key_bindings import CATALOGUE, first_key
from paytui.config.validation import ConfigError
from paytui.domain.models import Kind, Payment, Trade
from paytui.platform.processes import run_in_daemon_thread
from paytui.platform.text import clean
from paytui.store.names import account_title
from paytui.tui.app_dialogs import active_keys
from paytui.tui.base_screens import BaseScreen
from paytui.tui.format.cells import Tone, toned
from paytui.tui.screens.screen_registry import list_page
from paytui.tui.textual_internals import ClosablePalette

if TYPE_CHECKING:
    from paytui.config.templates import Templates
    from paytui.tui.app import PaytuiApp

Command = tuple[str, Callable[[], object]]
Unsure = tuple[str, str, Callable[[], object]]  # With the reason why it cannot be used, if any

NEW = ("accounts.new_individual", "accounts.new_corporate", "wallets.new", "recipients.new")
"""The ids of keys that create an object; each begins with the mode of its screen."""

VERBS = {"payout": "Pay", "transfer": "Transfer", "trade": "Trade"}
"""The verbs in the titles of templates, by kind."""

READ_TIMEOUT = 2.0  # Seconds to wait for the templates: a home on a network may hang
LONGEST = 80  # Maximum characters of an account's name: a longer one would hide the other hits
CONFIRM = "confirm"  # The one action that the palette leaves out: its facts must be on view


class Palette(ClosablePalette):
    """The palette, without a blinking cursor."""

    def on_mount(self) -> None:
        for line in self.query(Input):  # none if the palette was closed meanwhile
            line.cursor_blink = False


class Commands(Provider):
    """The commands of the palette. Names from outside are plain text, not markup."""

    _found: Templates | None = None  # The templates, once they are read

    async def discover(self) -> Hits:
        """Yield all commands but the accounts, of which there may be many."""
        async for name, why_not, run in self._commands(self._fixed()):
            yield DiscoveryHit(_shown(name, why_not), run, text=name)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        first = chain(self._fixed(), self._accounts())
        async for name, why_not, run in self._commands(first):
            if (score := matcher.match(name)) > 0:
                # What cannot be opened comes after all else.
                yield Hit(score / 1_000 if why_not else score, _shown(name, why_not), run, name)

    async def _commands(self, first: Iterable[Command]) -> AsyncIterator[Unsure]:
        """Yield commands, then templates and themes: the folder of the user's own may be slow."""
        for name, run in first:
            yield name, "", run
        for template in await self._templates():
            yield template
        for name in await self._dashboard.theming.names():
            yield f"Theme: {name}", "", partial(self._dashboard.use_theme, name)

    @property
    def _dashboard(self) -> PaytuiApp:
        return cast("PaytuiApp", self.app)

    def _fixed(self) -> Iterator[Command]:
        app = self._dashboard
        for key in active_keys(self.screen):
            if not key.moves and key.action != CONFIRM:
                yield f"{key.does} ({key.keys[0]})", partial(app.run_action, key.action, key.node)
        if isinstance(app.subject, Payment | Trade) and not app.ui.settings.profile.read_only:
            yield "Save as template", app.save_as_template
        if app.ui.store.desk is not None:
            yield "Who is here", app.show_colleagues
        yield from self._made_elsewhere()
        yield "Show Pay-ins", partial(self._beside_wallets, Kind.PAYINS)
        yield "Show Pay-in addresses", partial(self._beside_wallets, Kind.PAYIN_ADDRESSES)
        is_paused = app.ui.settings.polling.paused
        yield "Resume polling" if is_paused else "Pause polling", app.toggle_polling
        yield "All accounts", partial(app.show_account, None)

    async def _templates(self) -> list[Unsure]:
        """Return each template, why it cannot be opened, and what opens it or tells why not."""
        from paytui.config.templates import Templates, folder_of, read_templates

        screen, folder = self.screen, folder_of(self._dashboard.ui.settings)
        is_refused = isinstance(screen, BaseScreen) and screen.refuses("payout")
        if folder is None or is_refused:
            return []
        if self._found is None:
            try:
                reading = run_in_daemon_thread(partial(read_templates, folder))
                self._found = await wait_for(reading, READ_TIMEOUT)
            except TimeoutError:
                remedy = "Check the disk or network that it is on."
                error = ConfigError(folder, "", "cannot be read in time", remedy)
                self._found = Templates(errors=[error])
        return [*_offered(self._dashboard, self._found)]

    def _made_elsewhere(self) -> Iterator[Command]:
        if self._dashboard.ui.settings.profile.read_only:
            return
        keys = self._dashboard.ui.settings.keys
        here = {key.action for key in active_keys(self.screen)}
        for name in NEW:
            mode, key = name.partition(".")[0], CATALOGUE[name]
            if key.action not in here:
                words = f"{key.does} ({first_key(keys, name)} on {mode.title()})"
                yield words, partial(self._make_on, mode, key.action)
        if "new_payin_address" not in here:
            way = f"Choose the wallet, then {first_key(keys, 'wallets.payin_addresses')}"
            way += f" and {first_key(keys, 'payin_addresses.new')}."
            yield "New pay-in address (of a wallet)", partial(self._lead_to, "wallets", way)
        way = f"Open the recipient, then press {first_key(keys, 'detail.add')}."
        yield "New payment address (of a recipient)", partial(self._lead_to, "recipients", way)

    async def _make_on(self, mode: str, action: str) -> None:
        """Run it over the open screens of that mode, so that no input is lost."""
        app = self._dashboard
        await app.switch_mode(mode)
        await app.run_action(action, app.screen_stack[0])

    async def _lead_to(self, mode: str, way: str) -> None:
        await self._dashboard.switch_mode(mode)
        self._dashboard.notify(way)

    async def _beside_wallets(self, kind: Kind) -> None:
        """Show a list without a number over the wallets that its rows belong to."""
        await self._dashboard.switch_mode("wallets")
        self._dashboard.push_screen(list_page(self._dashboard.ui, kind))

    def _accounts(self) -> Iterator[Command]:
        app = self._dashboard
        for account in app.ui.store.accounts.rows():
            name = clean(account_title(account), LONGEST)
            yield f"Account: {name}", partial(app.show_account, account.account_id)


def _shown(name: str, why_not: str) -> Content:
    """Return a command's name, dimmed with the reason if it cannot be used."""
    words = f"{name} · {clean(why_not, LONGEST)}"
    return toned(words, Tone.FAINT) if why_not else Content(name)


def _offered(app: PaytuiApp, found: Templates) -> Iterator[Unsure]:
    """Yield the title of each template, and what opens it.

    Those that cannot be opened come last, with the reason in a few words, and what tells it: of
    other profiles, and files with a mistake.
    """
    warn, ours = partial(app.notify, severity="warning"), app.ui.settings.profile.name
    others = []
    for one in found.by_file.values():
        title = f"{VERBS[one.kind]}: {one.name}"
        if one.profile == ours:
            yield title, "", partial(app.open_template, one)
        else:
            message = f"{title} belongs to the profile {one.profile}; this is {ours}."
            others.append((title, f"of profile {one.profile}", partial(warn, message)))
    yield from others
    for error in found.errors:
        name = clean(error.file.name if error.file else "", LONGEST)
        why_not = ": ".join(filter(None, (error.key, error.message)))
        yield f"Template {name}", why_not, partial(warn, clean(str(error)))
