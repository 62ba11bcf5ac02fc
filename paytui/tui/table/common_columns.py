"""Columns that several lists have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import TypeVar

from paytui.domain.intent import IntentTerms
from paytui.domain.models import AccountId, RecipientId, State, WalletId
from paytui.domain.money import CurrencyCode
from paytui.platform.text import fold
from paytui.store.names import account_name, recipient_name, wallet_label
from paytui.store.payable import BY_OUR_RECORD
from paytui.tui.format.cells import Cell, Tone, amount_cell, state_cell, text_cell, time_cell
from paytui.tui.table.columns import Column, SortKey, StandaloneCell
from paytui.tui.ui_context import UiContext

R = TypeVar("R")

SIGN = 2  # Cells of the sign before a status, and of the blank after it
LONGEST_STATE = 40  # Cells; an unlisted state may be any text


def time_column(
    ui: UiContext, title: str, moment: Callable[[R], datetime | None], *, gives_way: int = 1
) -> Column[R]:
    return Column(
        title=title,
        cell=lambda row: time_cell(moment(row), ui.zone),
        width=12,
        gives_way=gives_way,
        key=moment,
    )


def amount_column(
    title: str,
    amount: Callable[[R], Decimal | None],
    currency: Callable[[R], CurrencyCode | None],
    *,
    width: int = 9,
    gives_way: int = 0,
    beside: str = "ccy",
) -> Column[R]:
    """Return a column of amounts, never cut, sorted within each currency.

    An amount includes its currency if the column `beside` is hidden.
    """

    def with_currency(row: R) -> Cell:
        cell, code = amount_cell(amount(row), currency(row)), currency(row)
        return Cell(f"{cell.text} {code}", cell.tone) if code else cell

    return Column(
        title=title,
        cell=lambda row: amount_cell(amount(row), currency(row)),
        width=width,
        whole=True,
        right=True,
        gives_way=gives_way,
        key=amount_key(amount, currency),
        alone=StandaloneCell(beside, with_currency),
    )


def amount_key(
    amount: Callable[[R], Decimal | None], currency: Callable[[R], CurrencyCode | None]
) -> SortKey[R]:
    """Return a sort key by currency, then amount: amounts of two currencies do not compare."""

    def key(row: R) -> tuple[str, bool, Decimal]:
        found = amount(row)
        return currency(row) or "", found is not None, found or Decimal(0)

    return key


def balance_columns(
    currency: Callable[[R], CurrencyCode | None],
    *,
    available: Callable[[R], Decimal | None],
    reserved: Callable[[R], Decimal | None],
    pending: Callable[[R], Decimal | None],
    gives_way: int,
) -> tuple[Column[R], ...]:
    """Return the columns of balances; in narrow lists the last is dropped first."""
    return (
        amount_column("Available", available, currency),
        amount_column("Reserved", reserved, currency, width=8, gives_way=gives_way),
        amount_column("Pending", pending, currency, width=7, gives_way=gives_way + 1),
    )


def currency_column(currency: Callable[[R], CurrencyCode | None]) -> Column[R]:
    return Column(
        title="Ccy",
        cell=lambda row: text_cell(currency(row), Tone.MUTED),
        width=3,
        whole=True,
        key=currency,
    )


def state_column(state: Callable[[R], State | None], *, gives_way: int = 0) -> Column[R]:
    return Column(
        title="Status",
        config_id="state",
        cell=lambda row: state_cell(state(row)),
        width=8,
        whole=True,
        indent=SIGN,
        gives_way=gives_way,
        key=lambda row: found.name if (found := state(row)) else None,
    )


def progress_column(state: Callable[[R], State | None]) -> Column[R]:
    """Return a column of states, cut before amounts are: `! compliance…`.

    No state decides which columns fit, so scrolling neither brings nor drops one.
    """
    column = state_column(state)
    return replace(column, width=13, whole=False, grows=True, grows_first=True, most=LONGEST_STATE)


def text_column(
    title: str,
    text: Callable[[R], str | None],
    *,
    width: int = 12,
    most: int = 30,
    gives_way: int = 0,
    tone: Tone = Tone.INK,
) -> Column[R]:
    """Return a column of text, sorted case-insensitively."""

    def key(row: R) -> str | None:
        return fold(text(row) or "") or None

    return Column(
        title=title,
        cell=lambda row: text_cell(text(row), tone),
        width=width,
        grows=True,
        most=most,
        gives_way=gives_way,
        key=key,
    )


def word_column(
    title: str, word: Callable[[R], str | None], *, width: int = 10, gives_way: int
) -> Column[R]:
    """Return a column of one of few words, such as a type."""
    return Column(
        title=title,
        cell=lambda row: text_cell(word(row), Tone.MUTED),
        width=width,
        gives_way=gives_way,
        key=word,
    )


def id_column(title: str, identifier: Callable[[R], str | None]) -> Column[R]:
    return spare(text_column(title, identifier, most=40, gives_way=10, tone=Tone.FAINT))


def spare(column: Column[R]) -> Column[R]:
    """Return the column as one that appears only if no other lacks room."""
    return replace(column, spare=True)


def account_column(
    ui: UiContext,
    account_id: Callable[[R], AccountId | None],
    *,
    gives_way: int = 8,
) -> Column[R]:
    return text_column(
        "Account",
        lambda row: account_name(ui.store, key) if (key := account_id(row)) else None,
        most=40,
        gives_way=gives_way,
        tone=Tone.MUTED,
    )


def wallet_column(
    ui: UiContext,
    title: str,
    wallet_id: Callable[[R], WalletId | None],
    *,
    width: int = 12,
    most: int = 32,
    gives_way: int = 0,
    tone: Tone = Tone.MUTED,
) -> Column[R]:
    return text_column(
        title,
        lambda row: wallet_label(ui.store, key) if (key := wallet_id(row)) else None,
        width=width,
        most=most,
        gives_way=gives_way,
        tone=tone,
    )


def destination_column(
    ui: UiContext,
    recipient_id: Callable[[R], RecipientId | None],
    wallet_id: Callable[[R], WalletId | None],
    own: Callable[[R], IntentTerms | None] = lambda _: None,
    *,
    width: int = 12,
    gives_way: int = 0,
) -> Column[R]:
    """Return a column of recipient names, or else wallet names.

    If the service returns neither, `own` gives our record of the confirmed request, marked as such.
    """
    store = ui.store

    def name(row: R) -> str | None:
        recipient, wallet, is_ours = goes_to(row)
        if recipient is None and wallet is None:
            return None
        named = recipient_name(store, recipient) if recipient else wallet_label(store, wallet)
        return f"{named} ({BY_OUR_RECORD})" if is_ours else named

    def goes_to(row: R) -> tuple[RecipientId | None, WalletId | None, bool]:
        recipient, wallet = recipient_id(row), wallet_id(row)
        if recipient is None and wallet is None and (terms := own(row)) is not None:
            return terms.recipient_id, terms.destination_wallet_id, True
        return recipient, wallet, False

    return text_column("To", name, width=width, most=40, gives_way=gives_way)
