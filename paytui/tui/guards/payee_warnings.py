"""Guards of a payment: look-alike names, new or changed accounts, and duplicates."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from paytui.api.resources import identifier_of
from paytui.domain.bank_numbers import judge_iban
from paytui.domain.intent import IntentRow, IntentTerms, Standing, intent_terms, standing_words
from paytui.domain.models import Kind, Payment, PaymentAddress, Recipient, Trade, bank_fingerprint
from paytui.domain.requests import MoneyRequest
from paytui.platform.text import clean
from paytui.store.lookalike_payees import mixed_words
from paytui.store.names import recipient_title
from paytui.store.payees import PayeeStatus
from paytui.store.store import Store
from paytui.tui.format.cells import CAREFUL, amount_words, state_words
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ui_context import UiContext

_LONGEST = 60  # Characters of a name in a warning; the detail view shows more


def name_warnings(ui: UiContext, recipient: Recipient, address: PaymentAddress) -> Iterator[str]:
    """Yield a warning if a payee's name looks like another's or mixes alphabets, or the account's
    IBAN has a mistake.
    """
    name, account_name = recipient_title(recipient), address.account_name or ""
    if marks := ui.likeness.of(recipient):
        yield f"{clean(name, _LONGEST)} {' and '.join(marks)}: verify the payee."
    if account_name != name and (words := mixed_words(account_name)):
        yield f"The account name {clean(account_name, _LONGEST)} {words}: verify the payee."
    if address.iban and (words := judge_iban("".join(address.iban.split()), {})):
        yield f"IBAN: {words} Verify it with the payee."


DIGITS = 4  # Characters of the account number to be typed

NO_ENDING = f"Type the last {DIGITS} characters first."
WRONG_ENDING = "These characters do not match this account. Ask the payee again."
UNPROVEN = "New or changed account: go back and type its last four characters."

_MEANS = {
    PayeeStatus.NEW: "First payment to this account, as far as paytui knows.",
    PayeeStatus.CHANGED: "Bank details changed since the last payment.",
}


def needs_account_check(ui: UiContext, address: PaymentAddress, proven: str | None) -> bool:
    """Return True if the trader still has to type the end of an account's number.

    The payee told the trader those characters. If a fraudster sent other details, the trader finds
    out before money goes there. `proven` is the fingerprint of the account that was confirmed,
    if any.
    """
    return proven != bank_fingerprint(address) and is_new_account(ui, address)


def is_new_account(ui: UiContext, address: PaymentAddress) -> bool:
    """Return True if an account is new here, or has changed since it was paid."""
    return ui.acquaintances.of(address) is not PayeeStatus.KNOWN


def proof_hint(address: PaymentAddress) -> str:
    """Return what is to be typed of an account, whose number is hidden meanwhile."""
    has_number = address.account_number or address.iban
    what = "account number" if has_number else f"identifier, {address.payment_address_id}"
    return f"last {DIGITS} of its {what}"


def proof_words(ui: UiContext, address: PaymentAddress) -> tuple[Cell, ...]:
    """Return the reason for the account check, and whom to ask."""
    means = _MEANS.get(ui.acquaintances.of(address), "This account was verified meanwhile.")
    call = (
        "Call the payee on a number that you already had, and type the last four characters they "
        "read out. Do not copy them from an e-mail."
    )
    return CAREFUL.cell(means), Cell(call, Tone.MUTED)


def fingerprint_if_proven(address: PaymentAddress | None, typed: str) -> str:
    """Return the fingerprint of an account whose number ends as typed; else empty."""
    return bank_fingerprint(address) if address and ends_with(address, typed) else ""


def ends_with(address: PaymentAddress, typed: str) -> bool:
    """Return True if the account number or the IBAN ends as typed; without both, the identifier."""
    numbers = [_characters(one) for one in (address.account_number, address.iban) if one]
    known = [number for number in numbers if number] or [_characters(address.payment_address_id)]
    return _characters(typed) in [number[-DIGITS:] for number in known]


def _characters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).upper()


RECENT = timedelta(hours=24)
"""Age up to which an equal payment is worth a warning (architecture.md)."""

_OPEN = {
    Standing.RECORDED: "Not sent yet",
    Standing.PROPOSED: "Proposed",
    Standing.SENDING: "Being sent",
    Standing.IN_DOUBT: "In doubt",
}
"""The states in which an intent may still debit a wallet, in words."""

_MAY_MOVE_IT = (*_OPEN, Standing.ACCEPTED, Standing.DONE)


def duplicate_warnings(store: Store, request: MoneyRequest, now: datetime) -> tuple[str, ...]:
    """Return warnings of an equal request within a day, and of open ones from the wallet.

    Warnings are named in the confirmation; they never refuse it.
    """
    return _like(store, store.intents.rows(), intent_terms(request, None), now)


def duplicate_warnings_of(store: Store, row: IntentRow, now: datetime) -> tuple[str, ...]:
    """Return the same warnings for a recorded intent that is about to be sent."""
    others = [other for other in store.intents.rows() if other.intent_id != row.intent_id]
    return _like(store, others, row.terms, now)


def _like(
    store: Store, rows: list[IntentRow], terms: IntentTerms, now: datetime
) -> tuple[str, ...]:
    ours = {row.object_id for row in rows if row.object_id and not row.booked_otherwise}
    return (
        *_open(rows, terms),
        *_same_intents(rows, terms, now),
        *_same_objects(store, terms, now, ours),
    )


def _open(rows: list[IntentRow], terms: IntentTerms) -> Iterator[str]:
    source = terms.source_wallet_id
    for row in rows if source is not None else ():
        if (words := _OPEN.get(row.standing)) and row.terms.source_wallet_id == source:
            yield f"{words} since {_clock(row.since)}, from the same wallet: {row.title}{_by(row)}."


def _same_intents(rows: list[IntentRow], terms: IntentTerms, now: datetime) -> Iterator[str]:
    for row in rows:
        recent = now - row.confirmed_at <= RECENT
        if recent and row.standing in _MAY_MOVE_IT and _figures(row.terms) == _figures(terms):
            status = standing_words(row.standing)
            confirmed = f"confirmed at {_clock(row.confirmed_at)} ({status}){_by(row)}"
            yield f"Possible duplicate: {confirmed}."


def _same_objects(store: Store, terms: IntentTerms, now: datetime, ours: set[str]) -> Iterator[str]:
    """Yield the payments to the same account, or trades from the same wallet, of this amount."""
    figures = (terms.amount, terms.currency)
    found: list[tuple[Payment | Trade, str]] = []
    if terms.sell_currency is not None:
        yield from _not_looked_at(store, Kind.TRADES, now)
        pair = (terms.sell_currency, terms.buy_currency, terms.source_wallet_id)
        for trade in store.trades.rows():
            sold, bought = (
                (trade.sell_amount, trade.sell_currency),
                (trade.buy_amount, trade.buy_currency),
            )
            is_same = (sold[1], bought[1], trade.sell_wallet_id) == pair
            if is_same and figures in (sold, bought):
                done = f"sold for {bought[1]}" if figures == sold else f"bought for {sold[1]}"
                found.append((trade, done))
    elif terms.payment_address_id is not None:
        yield from _not_looked_at(store, Kind.PAYMENTS, now)
        for payment in store.payments.rows():
            is_same = payment.payment_address_id == terms.payment_address_id
            if is_same and figures == (payment.amount, payment.currency):
                found.append((payment, "sent to this account"))
    for row, done in found:
        is_recent = row.created_at is not None and now - row.created_at <= RECENT
        if is_recent and identifier_of(row) not in ours:
            assert row.created_at is not None
            assert terms.amount is not None
            assert terms.currency is not None
            amount = amount_words(terms.amount, terms.currency)
            status = f" ({state_words(row.status)})" if row.status else ""
            yield f"Possible duplicate: {amount} {done} at {_clock(row.created_at)}{status}."


def _not_looked_at(store: Store, kind: Kind, now: datetime) -> Iterator[str]:
    """Yield the periods of the last day whose rows are not in memory."""
    retention = store.retention(kind)
    since = None if retention is None else retention.since
    if since is not None and now - since < RECENT:
        yield f"Not checked: {kind} before {_clock(since)} (not in memory)."
    feed = store.feed(kind)
    if feed.cached and feed.as_of is not None:
        yield f"Not checked: {kind} since {_clock(feed.as_of)} (not read yet)."


def _by(row: IntentRow) -> str:
    """Name the colleague who confirmed an intent."""
    return f" by {row.user} on {row.host}" if row.is_colleagues else ""


def _figures(terms: IntentTerms) -> tuple[object, ...]:
    return (
        terms.amount,
        terms.currency,
        terms.payment_address_id or terms.destination_wallet_id,
        terms.sell_currency,
        terms.buy_currency,
    )


def _clock(moment: datetime) -> str:
    return f"{moment:%H:%M:%S} UTC"
