"""Rows of all kinds in one set of columns, as the search shows them."""

from __future__ import annotations

from collections.abc import Collection
from decimal import Decimal

from paytui.domain.intent import IntentRow
from paytui.domain.models import Account, Kind, PayIn, Payment, Recipient, Trade, Wallet
from paytui.domain.money import MISSING, CurrencyCode
from paytui.store.filter import read_number
from paytui.store.find import KindSearch, Row, Sought, intent_title
from paytui.store.names import (
    account_name,
    account_title,
    recipient_name,
    recipient_title,
    wallet_label,
)
from paytui.tui.format.cells import amount_words, standing_cell, state_cell, text_cell, time_cell
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ui_context import UiContext

Cells = tuple[Cell, Cell, Cell, Cell, Cell]
"""Time, amount, name, status, and a note: the reference, or what the row belongs to."""

_BLANK = Cell("")


def found_cells(ui: UiContext, row: Row, search: KindSearch, sought: Sought) -> Cells:
    """Return the cells of a row; the note says what it was found by, if no other cell does."""
    numbers = {read_number(word) for word in sought.text.split()} - {None}
    match row:
        case IntentRow():
            cells = _intent(ui, row)
        case Payment() | Trade() | PayIn():
            cells = _transaction(ui, row, numbers)
        case _:
            cells = _named(ui, row)
    reason = search.reason(row, sought, "\n".join(cell.text for cell in cells))
    return (*cells[:-1], Cell(reason, Tone.MUTED)) if reason else cells


def _intent(ui: UiContext, row: IntentRow) -> Cells:
    return (
        time_cell(row.confirmed_at, ui.zone),
        _amount(row.terms.amount, row.terms.currency),
        Cell(intent_title(row)),
        standing_cell(row),
        Cell(row.intent_id, Tone.MUTED),
    )


def _transaction(
    ui: UiContext, row: Payment | Trade | PayIn, numbers: Collection[Decimal | None]
) -> Cells:
    match row:
        case Payment():
            amount, name = _amount(row.amount, row.currency), _payee(ui, row)
        case Trade():
            amount = _amount(row.sell_amount, row.sell_currency)
            if row.buy_amount in numbers and row.sell_amount not in numbers:
                amount = _amount(row.buy_amount, row.buy_currency)
            name = f"{row.sell_currency or MISSING} > {row.buy_currency or MISSING}"
        case PayIn():
            amount = _amount(row.amount, row.currency)
            name = row.sender_name or wallet_label(ui.store, row.wallet_id)
    created, reference = time_cell(row.created_at, ui.zone), text_cell(row.reference, Tone.MUTED)
    return created, amount, text_cell(name), state_cell(row.status), reference


def _named(ui: UiContext, row: Recipient | Wallet | Account) -> Cells:
    match row:
        case Recipient():
            amount, name, of = _BLANK, recipient_title(row), account_name(ui.store, row.account_id)
        case Wallet():
            amount = _amount(row.available_balance, row.currency)
            name, of = row.wallet_name or row.wallet_id, account_name(ui.store, row.account_id)
        case Account():
            amount, name, of = _BLANK, account_title(row), row.kind or MISSING
    return _BLANK, amount, Cell(name), state_cell(row.status), Cell(of, Tone.MUTED)


def _amount(amount: Decimal | None, currency: CurrencyCode | None) -> Cell:
    return text_cell(None if amount is None else amount_words(amount, currency))


def _payee(ui: UiContext, row: Payment) -> str | None:
    """Return the name of what a payment goes to; if the service does not say, by our record."""
    own = ui.own_record.of(Kind.PAYMENTS, row.payment_transaction_id)
    told = row if row.recipient_id or row.destination_wallet_id else own
    if told is None:
        return None
    if told.recipient_id:
        return recipient_name(ui.store, told.recipient_id)
    return wallet_label(ui.store, told.destination_wallet_id)
