"""Every key, with an id by which a configuration can name it."""

from __future__ import annotations

from textual.binding import Binding, BindingType

APP: list[BindingType] = [
    Binding("1", "mode('overview')", "Overview", id="screen.overview", show=False),
    Binding("2", "mode('accounts')", "Accounts", id="screen.accounts", show=False),
    Binding("3", "mode('wallets')", "Wallets", id="screen.wallets", show=False),
    Binding("4", "mode('rates')", "Rates", id="screen.rates", show=False),
    Binding("5", "mode('trades')", "Trades", id="screen.trades", show=False),
    Binding("6", "mode('payments')", "Payments", id="screen.payments", show=False),
    Binding("7", "mode('recipients')", "Recipients", id="screen.recipients", show=False),
    Binding("8", "mode('activity')", "Activity", id="screen.activity", show=False),
    Binding("a", "accounts", "Account", id="app.accounts"),
    Binding("t", "trade", "Trade", id="app.trade", show=False),
    Binding("p", "payout", "Payout", id="app.payout", show=False),
    Binding("x", "transfer", "Transfer", id="app.transfer", show=False),
    Binding("P", "repeat", "Repeat the payment", id="app.repeat", show=False),
    Binding("z", "zone", "UTC or local time", id="app.zone", show=False),
    Binding("T", "ticket", "Copy the deal ticket", id="app.ticket", show=False),
    Binding("comma", "settings", "Settings", id="app.settings", show=False, key_display=","),
    Binding("r", "refresh", "Refresh", id="app.refresh"),
    Binding("question_mark,f1", "help", "Help", id="app.help", key_display="?"),
    Binding("ctrl+p,colon", "command_palette", "Commands", id="app.commands", show=False),
    Binding("q,ctrl+c", "quit", "Quit", id="app.quit"),
]

MOVES: list[BindingType] = [
    Binding("down,j", "move(1)", "Down", id="list.down", show=False),
    Binding("up,k", "move(-1)", "Up", id="list.up", show=False),
    Binding("pagedown", "page(2)", "Page down", id="list.page_down", show=False),
    Binding("pageup", "page(-2)", "Page up", id="list.page_up", show=False),
    Binding("ctrl+d", "page(1)", "Half a page down", id="list.half_down", show=False),
    Binding("ctrl+u", "page(-1)", "Half a page up", id="list.half_up", show=False),
    Binding("home,g", "first", "First row", id="list.first", show=False),
    Binding("end,G", "last", "Last row", id="list.last", show=False),
]

LEDGER: list[BindingType] = [
    Binding("enter", "open", "Open", id="list.open", key_display="⏎"),
    *MOVES,
    Binding("s", "sort_next", "Sort", id="list.sort"),
    Binding("S", "sort_turn", "Turn the order", id="list.sort_turn", show=False),
]

CHOICES: list[BindingType] = [
    Binding("enter", "open", "Choose", id="wizard.choose", key_display="⏎"),
    *MOVES,
]

LIST: list[BindingType] = [
    Binding("slash", "filter", "Filter", id="list.filter", key_display="/"),
    Binding("escape", "unfilter", "All rows, or back", id="list.unfilter", show=False),
    Binding("e", "export", "Export", id="list.export"),
    Binding("o", "order", "Order", id="list.order"),
    Binding("v", "views", "View", id="list.views", show=False),
    Binding("y", "copy", "Copy the identifier", id="list.copy", show=False),
]

ACCOUNTS: list[BindingType] = [
    Binding("n", "new_individual", "New individual", id="accounts.new_individual"),
    Binding("N", "new_corporate", "New corporate", id="accounts.new_corporate"),
]

WALLETS: list[BindingType] = [
    Binding("n", "new_wallet", "New wallet", id="wallets.new"),
    Binding("m", "movements", "Activity", id="wallets.movements"),
    Binding("i", "payins", "Pay-ins", id="wallets.payins"),
    Binding("d", "payin_addresses", "Deposit to", id="wallets.payin_addresses"),
]

RECIPIENTS: list[BindingType] = [
    Binding("n", "new_recipient", "New recipient", id="recipients.new"),
]

PAYIN_ADDRESSES: list[BindingType] = [
    Binding("n", "new_payin_address", "New address", id="payin_addresses.new"),
]

DEPOSIT: list[BindingType] = [
    Binding("c", "copy_deposit", "Copy deposit details", id="deposit.copy"),
]

FILTER: list[BindingType] = [
    Binding("enter,down", "screen.leave_filter", "Keep", id="filter.keep", key_display="⏎"),
    Binding("escape", "screen.unfilter", "All rows", id="filter.clear", key_display="esc"),
]

BACK: list[BindingType] = [
    Binding("escape,backspace", "back", "Back", id="screen.back", key_display="esc"),
]

DETAIL: list[BindingType] = [
    *BACK,
    Binding("y", "copy", "Copy", id="detail.copy"),
    Binding("Y", "copy_key", "Copy the identifier", id="detail.copy_key", show=False),
    Binding("v", "show_value", "Show the value alone", id="detail.value", show=False),
]

OBJECT: list[BindingType] = [
    Binding("n", "add", "Add to it", id="detail.add"),
    Binding("R", "raw", "Raw", id="detail.raw"),
]

INTENT: list[BindingType] = [
    Binding("d", "decide", "Decide", id="intent.decide"),
]

ACTIVITY: list[BindingType] = [
    Binding("w", "events", "Webhooks", id="activity.events"),
]

WIZARD: list[BindingType] = [
    Binding("escape", "back", "Back", id="wizard.back", key_display="esc"),
    Binding("enter", "go_on", "Next", id="wizard.go_on", key_display="⏎"),
    Binding("enter", "confirm", "Confirm", id="wizard.confirm", key_display="⏎"),
    Binding("o", "open", "Open it", id="wizard.open"),
    Binding("pagedown,ctrl+d", "look(1)", "More below", id="wizard.down", show=False),
    Binding("pageup,ctrl+u", "look(-1)", "More above", id="wizard.up", show=False),
    Binding("tab", "act('side')", "The other side", id="wizard.side", priority=True),
    Binding("r,f5", "act('requote')", "New rate", id="wizard.requote", priority=True),
    Binding("ctrl+c", "app.quit", "Quit", id="wizard.quit", show=False),
]

WIZARD_LINE: list[BindingType] = [
    Binding("enter", "screen.go_on", "Next", id="wizard.go_on", key_display="⏎"),
    Binding("enter", "screen.confirm", "Confirm", id="wizard.confirm", key_display="⏎"),
]
"""What `WIZARD` has for enter, behind what is typed before it."""

FORM_LINE: list[BindingType] = [
    Binding("enter", "screen.enter", "Next", id="form.enter", key_display="⏎"),
]

FORM: list[BindingType] = [
    Binding("escape", "back", "Back", id="form.back", key_display="esc"),
    Binding("enter", "enter", "Next", id="form.enter", key_display="⏎"),
    Binding("f2", "review", "Review", id="form.review"),
    Binding("tab", "go(1)", "Next field", id="form.next", show=False),
    Binding("shift+tab", "go(-1)", "Field before", id="form.before", show=False),
    Binding("down", "move(1)", "Down", id="form.down", show=False),
    Binding("up", "move(-1)", "Up", id="form.up", show=False),
    Binding("pagedown", "turn(1)", "Next section", id="form.page_down", key_display="pgdn"),
    Binding("pageup", "turn(-1)", "Section before", id="form.page_up", show=False),
    Binding("ctrl+n", "add", "Add one", id="form.add"),
    Binding("ctrl+r", "remove", "Remove it", id="form.remove"),
    Binding("ctrl+l", "clear", "Begin anew", id="form.clear", show=False),
    Binding("ctrl+c", "app.quit", "Quit", id="form.quit", show=False),
]

DIALOG: list[BindingType] = [
    *BACK,
    Binding("ctrl+c", "app.quit", "Quit", id="dialog.quit", show=False),
]

ORDER: list[BindingType] = [
    Binding("space", "add", "Sort by it, or turn it", id="order.add"),
    Binding("backspace,delete", "remove", "Not by it", id="order.remove"),
]

VIEWS: list[BindingType] = [
    Binding("n", "save", "Name what is on view", id="views.save"),
    Binding("d,delete", "forget", "Forget it", id="views.forget"),
]

LEAVE: list[BindingType] = [
    Binding("q", "app.quit", "Quit all the same", id="leave.quit"),
]

SETTINGS: list[BindingType] = [
    Binding("u,delete", "take_back", "As your file says", id="settings.take_back"),
]

SHEET: list[BindingType] = [
    Binding("enter", "open", "Open", id="sheet.open", key_display="⏎"),
    Binding("down,j", "move(1)", "Down", id="sheet.down", show=False),
    Binding("up,k", "move(-1)", "Up", id="sheet.up", show=False),
    Binding("left,h,right,l", "cross", "The other column", id="sheet.cross", show=False),
    Binding("pagedown,ctrl+d", "page(1)", "Page down", id="sheet.page_down", show=False),
    Binding("pageup,ctrl+u", "page(-1)", "Page up", id="sheet.page_up", show=False),
    Binding("home,g", "first", "Top", id="sheet.top", show=False),
    Binding("end,G", "last", "Bottom", id="sheet.bottom", show=False),
]

TEXT: list[BindingType] = [
    Binding("down,j", "scroll_down", "Down", id="text.down", show=False),
    Binding("up,k", "scroll_up", "Up", id="text.up", show=False),
    Binding("pagedown,ctrl+d", "page_down", "Page down", id="text.page_down", show=False),
    Binding("pageup,ctrl+u", "page_up", "Page up", id="text.page_up", show=False),
    Binding("home,g", "scroll_home", "Top", id="text.top", show=False),
    Binding("end,G", "scroll_end", "Bottom", id="text.bottom", show=False),
]

FRAME: list[BindingType] = [
    Binding("tab", "app.focus_next", "Next panel", id="screen.next", show=False),
    Binding("shift+tab", "app.focus_previous", "Panel before", id="screen.previous", show=False),
    Binding("ctrl+c", "screen.copy_text", "Copy what is selected", id="screen.copy", show=False),
]

MOTIONS: frozenset[str | None] = frozenset(
    binding.id
    for binding in (*MOVES, *SHEET[1:], *TEXT, *FRAME[:2])
    if isinstance(binding, Binding)
)
"""The ids of what moves a cursor or a view, and changes nothing."""
