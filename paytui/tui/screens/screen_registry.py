"""All screens by number and by link, and the forms for new objects.

Each is imported when it is first shown: the first paint must not wait for the others.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from textual.app import App

from paytui.api.resources import identifier_of
from paytui.domain.intent import IntentId
from paytui.domain.models import AccountId, Kind, Recipient, Wallet
from paytui.platform.processes import run_in_daemon_thread
from paytui.store.names import belongs_to
from paytui.store.needs_attention import Attention, AttentionTarget
from paytui.tui.confirmation import may_create, not_offered
from paytui.tui.format.cells import Activity, FilteredList, IntentRef, Link, Ref, RelatedList
from paytui.tui.ui_context import UiContext

if TYPE_CHECKING:
    from paytui.tui.base_screens import BaseScreen, MainPage
    from paytui.tui.screens.listing import ListSpec

T = TypeVar("T")


async def import_page(name: str) -> None:
    """Import a screen by mode or module, beside the loop, where it would take up to 50 ms."""
    module = f"paytui.tui.screens.{'transactions' if name in ('trades', 'payments') else name}"
    if module not in sys.modules:
        await run_in_daemon_thread(lambda: import_module(module))


def numbered_page(ui: UiContext, mode: str) -> MainPage:
    """Return a numbered screen; each is built once, and then kept."""
    match mode:
        case "overview":
            from paytui.tui.screens.overview import OverviewPage

            return OverviewPage(ui)
        case "rates":
            from paytui.tui.screens.rates import RatesPage

            return RatesPage(ui)
        case "activity":
            from paytui.tui.screens.activity import ActivityPage

            return ActivityPage(ui)
        case _:
            return list_page(ui, Kind(mode))


def list_page(ui: UiContext, kind: Kind, those: RelatedList | None = None) -> MainPage:
    """Return the list of a kind: of all, or of a related kind, such as an account's payments.

    The latter ignores the account in scope: its title names the owner.
    """

    def page(
        made: Callable[[UiContext, ListSpec[Any, Any]], MainPage], listing: ListSpec[Any, Any]
    ) -> MainPage:
        return made(ui, listing if those is None else _only(ui, listing, those))

    match kind:
        case Kind.ACCOUNTS:
            from paytui.tui.screens.accounts import AccountsPage, accounts

            return page(AccountsPage, accounts(ui))
        case Kind.WALLETS:
            from paytui.tui.screens.wallets import WalletsPage, wallets

            return page(WalletsPage, wallets(ui))
        case Kind.RECIPIENTS:
            from paytui.tui.screens.recipients import RecipientsPage, recipients

            return page(RecipientsPage, recipients(ui))
        case Kind.PAYIN_ADDRESSES:
            from paytui.tui.screens.transactions import PayInAddressesPage, payin_addresses

            return page(PayInAddressesPage, payin_addresses(ui))
        case _:
            from paytui.tui.screens.transactions import LONG_LISTS, LongListPage

            return page(LongListPage, LONG_LISTS[kind](ui))


_MODES = MappingProxyType({Kind.RATE_SHEETS: "rates", Kind.PAYMENT_ADDRESSES: "recipients"})
"""The numbered screens of kinds that have none of their own name."""


def open_link(app: App[T], ui: UiContext, link: Link | Attention) -> None:
    """Open the screen of an object or a list, or where an attention item is dealt with."""
    from paytui.tui.screens.activity import IntentScreen
    from paytui.tui.screens.detail import DetailScreen
    from paytui.tui.screens.wallets import MovementsPage

    match link:
        case Attention(place=AttentionTarget.LIST, kind=Kind.PAYINS | Kind.PAYIN_ADDRESSES as kind):
            app.push_screen(list_page(ui, kind))
        case Attention(place=AttentionTarget.LIST):
            app.switch_mode(_MODES.get(link.kind, link.kind.value))
        case Attention(place=AttentionTarget.INTENT) | IntentRef():
            app.push_screen(IntentScreen(ui, IntentId(link.key)))
        case Attention():
            app.push_screen(DetailScreen(ui, Ref(link.kind, link.key)))
        case Ref():
            app.push_screen(DetailScreen(ui, link))
        case Activity():
            app.push_screen(MovementsPage(ui, link.wallet_id))
        case FilteredList():
            ui.scope = link.scope
            app.call_later(_show_filtered, app, ui, link)
        case RelatedList():
            app.push_screen(list_page(ui, link.kind, link))


async def _show_filtered(app: App[T], ui: UiContext, link: FilteredList) -> None:
    from paytui.tui.screens.listing import ListPage

    if link.kind is Kind.PAYINS:  # they have no number: over the screen in view
        await app.push_screen(list_page(ui, link.kind))
    else:
        mode = link.kind.value if isinstance(link.kind, Kind) else "activity"
        await app.run_action(f"mode('{mode}')", app)
    if isinstance(app.screen, ListPage):
        app.screen.show_filter(link.filter)


def _only(ui: UiContext, listing: ListSpec[Any, Any], those: RelatedList) -> ListSpec[Any, Any]:
    from paytui.tui.details.common_facts import name_of

    return replace(
        listing,
        of=(those.of.kind, those.of.key),
        only=belongs_to(ui.store, those.of.kind, those.of.key, those.kind),
        owner=lambda _: ui.scope,
        within=name_of(ui, those.of),
    )


def create(
    screen: BaseScreen,
    operation: str,
    *owner: Wallet | Recipient,
    account_id: AccountId | None = None,
) -> None:
    """Open the form of an operation for an object of this owner or account, unless it is barred."""
    if why_not := not_offered(screen.ui, operation) or may_create(screen.ui):
        screen.notify(why_not)
        return
    from paytui.tui.forms.declarations import FORMS, form_ticket
    from paytui.tui.ticket.screen import TicketScreen

    context = identifier_of(*owner) if owner else account_id or ""
    start = {"account_id": account_id} if account_id else {}
    ticket = form_ticket(screen.ui, FORMS[operation](screen.ui, *owner), context, start)
    screen.app.push_screen(TicketScreen(screen.ui, ticket))
