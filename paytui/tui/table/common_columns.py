"""Columns that several lists have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import TypedDict, TypeVar, Unpack

from paytui.domain.intent import IntentTerms
from paytui.domain.models import AccountId, RecipientId, State, WalletId
from paytui.domain.money import CurrencyCode
from paytui.platform.text import fold
from paytui.store.names import account_name, recipient_name, wallet_label
from paytui.store.payable import BY_OUR_RECORD
from paytui.tui.format.cells import Cell, Tone, amount_cell, state_cell, text_cell, time_cell
from paytui.tui.table.columns import Column, SortKey, figure_column
from paytui.tui.ui_context import UiContext

R = TypeVar("R")

SIGN = 2  # Cells of the sign before a status, and of the blank after it
LONGEST_STATE = 40  # Cells; an unlisted state may be any text


class Options(TypedDict, total=False):
    """The settings of a `Column` in which one list differs from others."""

    width: int
    most: int
    gives_way: int
    spare: bool
    config_id: str


def time_column(
    ui: UiContext, title: str, moment: Callable[[R], datetime | None], **options: Unpack[Options]
) -> Column[R]:
    column = Column(
        title=title,
        cell=lambda row: time_cell(moment(row), ui.zone),
        width=12,
        gives_way=1,
        key=moment,
    )
    return replace(column, **options)


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

    def cell(row: R) -> Cell:
        return amount_cell(amount(row), currency(row))

    def with_currency(row: R) -> Cell:
        code = currency(row)
        return Cell(f"{cell(row).text} {code}", cell(row).tone) if code else cell(row)

    key = amount_key(amount, currency)
    column = figure_column(title, cell, width=width, gives_way=gives_way, key=key)
    return replace(column, beside=beside, alone=with_currency)


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
    return replace(word_column("Ccy", currency, width=3), whole=True)


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
    tone: Tone = Tone.INK,
    **options: Unpack[Options],
) -> Column[R]:
    """Return a column of text, sorted case-insensitively."""
    column: Column[R] = Column(
        title=title,
        cell=lambda row: text_cell(text(row), tone),
        width=12,
        grows=True,
        most=30,
        key=lambda row: fold(text(row) or "") or None,
    )
    return replace(column, **options)


def word_column(
    title: str, word: Callable[[R], str | None], **options: Unpack[Options]
) -> Column[R]:
    """Return a column of one of few words, such as a type."""
    column = Column(
        title=title, cell=lambda row: text_cell(word(row), Tone.MUTED), width=10, key=word
    )
    return replace(column, **options)


def id_column(title: str, identifier: Callable[[R], str | None]) -> Column[R]:
    return text_column(title, identifier, Tone.FAINT, most=40, gives_way=10, spare=True)


def account_column(
    ui: UiContext, account_id: Callable[[R], AccountId | None], **options: Unpack[Options]
) -> Column[R]:
    def name(row: R) -> str | None:
        return account_name(ui.store, key) if (key := account_id(row)) else None

    return replace(text_column("Account", name, Tone.MUTED, most=40), **options)


def wallet_column(
    ui: UiContext,
    title: str,
    wallet_id: Callable[[R], WalletId | None],
    tone: Tone = Tone.MUTED,
    **options: Unpack[Options],
) -> Column[R]:
    def name(row: R) -> str | None:
        return wallet_label(ui.store, key) if (key := wallet_id(row)) else None

    return replace(text_column(title, name, tone, most=32), **options)


def destination_column(
    ui: UiContext,
    recipient_id: Callable[[R], RecipientId | None],
    wallet_id: Callable[[R], WalletId | None],
    own: Callable[[R], IntentTerms | None] = lambda _: None,
    **options: Unpack[Options],
) -> Column[R]:
    """Return a column of recipient names, or else wallet names.

    If the service returns neither, `own` gives our record of the confirmed request, marked as such.
    """

    def name(row: R) -> str | None:
        recipient, wallet, terms = recipient_id(row), wallet_id(row), None
        if recipient is None and wallet is None and (terms := own(row)) is not None:
            recipient, wallet = terms.recipient_id, terms.destination_wallet_id
        if recipient is None and wallet is None:
            return None
        named = recipient_name(ui.store, recipient) if recipient else wallet_label(ui.store, wallet)
        return f"{named} ({BY_OUR_RECORD})" if terms else named

    return replace(text_column("To", name, most=40), **options)
