"""The action of each key in the catalogue, and whether the footer shows it."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from paytui.config.keys import CATALOGUE


def _bind(name: str, action: str, *, show: bool = True) -> Binding:
    key = CATALOGUE[name]
    return Binding(key.keys, action, key.does, id=name, show=show)


CREATES = frozenset(
    {
        *("trade", "payout", "transfer", "repeat", "add"),
        *("new_individual", "new_corporate", "new_wallet", "new_recipient", "new_payin_address"),
    }
)
"""Actions that a read-only profile refuses, and that no screen offers there."""

APP: list[BindingType] = [
    _bind("screen.overview", "mode('overview')", show=False),
    _bind("screen.accounts", "mode('accounts')", show=False),
    _bind("screen.wallets", "mode('wallets')", show=False),
    _bind("screen.rates", "mode('rates')", show=False),
    _bind("screen.trades", "mode('trades')", show=False),
    _bind("screen.payments", "mode('payments')", show=False),
    _bind("screen.recipients", "mode('recipients')", show=False),
    _bind("screen.activity", "mode('activity')", show=False),
    _bind("app.accounts", "accounts"),
    _bind("app.trade", "trade", show=False),
    _bind("app.payout", "payout", show=False),
    _bind("app.transfer", "transfer", show=False),
    _bind("app.repeat", "repeat", show=False),
    _bind("app.zone", "zone", show=False),
    _bind("app.ticket", "ticket", show=False),
    _bind("app.settings", "settings", show=False),
    _bind("app.health", "health", show=False),
    _bind("app.refresh", "refresh"),
    _bind("app.unlock", "unlock", show=False),
    _bind("app.help", "help"),
    _bind("app.commands", "command_palette", show=False),
    _bind("app.suspend", "suspend_process", show=False),
    _bind("app.quit", "quit"),
]

MOVES: list[BindingType] = [
    _bind("list.down", "move(1)", show=False),
    _bind("list.up", "move(-1)", show=False),
    _bind("list.page_down", "page(2)", show=False),
    _bind("list.page_up", "page(-2)", show=False),
    _bind("list.half_down", "page(1)", show=False),
    _bind("list.half_up", "page(-1)", show=False),
    _bind("list.first", "first", show=False),
    _bind("list.last", "last", show=False),
]

DATA_LIST: list[BindingType] = [
    _bind("list.open", "open"),
    *MOVES,
    _bind("list.sort", "sort_next"),
    _bind("list.sort_turn", "sort_turn", show=False),
]

CHOICES: list[BindingType] = [
    _bind("wizard.choose", "open"),
    *MOVES,
]

LIST: list[BindingType] = [
    _bind("list.filter", "filter"),
    _bind("list.unfilter", "unfilter", show=False),
    _bind("list.export", "export"),
    _bind("list.order", "order"),
    _bind("list.views", "views", show=False),
    _bind("list.copy", "copy", show=False),
]

ACCOUNTS: list[BindingType] = [
    _bind("accounts.new_individual", "new_individual"),
    _bind("accounts.new_corporate", "new_corporate"),
]

WALLETS: list[BindingType] = [
    _bind("wallets.new", "new_wallet"),
    _bind("wallets.movements", "movements"),
    _bind("wallets.payins", "payins"),
    _bind("wallets.payin_addresses", "payin_addresses"),
]

RECIPIENTS: list[BindingType] = [
    _bind("recipients.new", "new_recipient"),
]

PAYIN_ADDRESSES: list[BindingType] = [
    _bind("payin_addresses.new", "new_payin_address"),
]

DEPOSIT: list[BindingType] = [
    _bind("deposit.copy", "copy_deposit"),
]

FILTER: list[BindingType] = [
    _bind("filter.keep", "screen.leave_filter"),
    _bind("filter.clear", "screen.unfilter"),
]

BACK: list[BindingType] = [
    _bind("screen.back", "back"),
]

DETAIL: list[BindingType] = [
    *BACK,
    _bind("detail.copy", "copy"),
    _bind("detail.copy_key", "copy_key", show=False),
    _bind("detail.value", "show_value", show=False),
]

OBJECT: list[BindingType] = [
    _bind("detail.add", "add"),
    _bind("detail.raw", "raw"),
]

INTENT: list[BindingType] = [
    _bind("intent.decide", "decide"),
]

ACTIVITY: list[BindingType] = [
    _bind("activity.events", "events"),
]

WIZARD: list[BindingType] = [
    _bind("wizard.back", "back"),
    _bind("wizard.go_on", "go_on"),
    _bind("wizard.confirm", "confirm"),
    _bind("wizard.open", "open"),
    _bind("wizard.down", "look(1)", show=False),
    _bind("wizard.up", "look(-1)", show=False),
    _bind("wizard.side", "act('side')"),
    _bind("wizard.requote", "act('requote')"),
    _bind("wizard.identifier", "act('identifier')"),
    _bind("wizard.quit", "app.quit", show=False),
]

WIZARD_LINE: list[BindingType] = [
    _bind("wizard.go_on", "screen.go_on"),
    _bind("wizard.confirm", "screen.confirm"),
]
"""The enter keys of `WIZARD`, for a text field: they run after the text typed before them."""

FORM_LINE: list[BindingType] = [
    _bind("form.enter", "screen.enter"),
]

FORM: list[BindingType] = [
    _bind("form.back", "back"),
    _bind("form.enter", "enter"),
    _bind("form.review", "review"),
    _bind("form.next", "go(1)", show=False),
    _bind("form.before", "go(-1)", show=False),
    _bind("form.down", "move(1)", show=False),
    _bind("form.up", "move(-1)", show=False),
    _bind("form.page_down", "turn(1)"),
    _bind("form.page_up", "turn(-1)", show=False),
    _bind("form.add", "add"),
    _bind("form.remove", "remove"),
    _bind("form.clear", "clear", show=False),
    _bind("form.quit", "app.quit", show=False),
]

DIALOG: list[BindingType] = [
    *BACK,
    _bind("dialog.quit", "app.quit", show=False),
]

ORDER: list[BindingType] = [
    _bind("order.add", "add"),
    _bind("order.remove", "remove"),
]

VIEWS: list[BindingType] = [
    _bind("views.save", "save"),
    _bind("views.forget", "forget"),
]

LEAVE: list[BindingType] = [
    _bind("leave.quit", "app.quit"),
]

SETTINGS: list[BindingType] = [
    _bind("settings.take_back", "take_back"),
]

DETAIL_VIEW: list[BindingType] = [
    _bind("sheet.open", "open"),
    _bind("sheet.down", "move(1)", show=False),
    _bind("sheet.up", "move(-1)", show=False),
    _bind("sheet.cross", "cross", show=False),
    _bind("sheet.page_down", "page(1)", show=False),
    _bind("sheet.page_up", "page(-1)", show=False),
    _bind("sheet.top", "first", show=False),
    _bind("sheet.bottom", "last", show=False),
]

TEXT: list[BindingType] = [
    _bind("text.down", "scroll_down", show=False),
    _bind("text.up", "scroll_up", show=False),
    _bind("text.page_down", "page_down", show=False),
    _bind("text.page_up", "page_up", show=False),
    _bind("text.top", "scroll_home", show=False),
    _bind("text.bottom", "scroll_end", show=False),
]

FRAME: list[BindingType] = [
    _bind("screen.next", "app.focus_next", show=False),
    _bind("screen.previous", "app.focus_previous", show=False),
    _bind("screen.copy", "screen.copy_text", show=False),
]

MOTIONS: frozenset[str | None] = frozenset(
    binding.id
    for binding in (*MOVES, *DETAIL_VIEW[1:], *TEXT, *FRAME[:2])
    if isinstance(binding, Binding)
)
"""Ids of keys that only move a cursor or the view."""
