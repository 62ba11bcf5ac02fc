"""A deal ticket: a trade or a payment as plain text for an e-mail or a file.

A ticket contains only booked data, in UTC, with the time of the read.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise

from paytui.domain.models import Kind, Payment, Trade, WalletId
from paytui.domain.money import MISSING, inverse, plain
from paytui.store.names import account_name, account_of, recipient_name, wallet_label
from paytui.tui.format.cells import money_cell, state_cell
from paytui.tui.times import full_time
from paytui.tui.ui_context import UiContext

LABEL = 14  # Characters for a label and the gap after it

Line = tuple[str, str]


def ticket(ui: UiContext, record: object) -> str | None:
    match record:
        case Trade():
            return _written(ui, Kind.TRADES, _trade(ui, record))
        case Payment():
            return _written(ui, Kind.PAYMENTS, _payment(ui, record))
        case _:
            return None


def _written(ui: UiContext, kind: Kind, lines: Iterator[Line]) -> str:
    profile = ui.settings.profile
    money = "LIVE" if profile.live else "test"
    read = ui.store.feed(kind).as_of
    every = [("Service", f"{profile.host}, profile {profile.name} ({money})"), *lines]
    every.append(("As read", _time(read)))
    return "".join(f"{label:<{LABEL}}{value}\n" for label, value in every)


def _trade(ui: UiContext, trade: Trade) -> Iterator[Line]:
    yield "Trade", trade.trade_transaction_id
    yield "Sold", money_cell(trade.sell_amount, trade.sell_currency).text
    yield "Bought", money_cell(trade.buy_amount, trade.buy_currency).text
    rates = (words or MISSING for words in rate_words(trade))
    yield from zip(("Rate", "Inverse"), rates, strict=True)
    yield "Fixed side", trade.dealt_side or MISSING
    yield "Status", state_cell(trade.status).text
    yield from _parties(ui, trade, trade.sell_wallet_id, trade.buy_wallet_id)
    yield "Rate sheet", trade.rate_sheet_id or MISSING
    yield "Created", _time(trade.created_at)
    yield "Exchanged", _time(trade.exchanged_at)


def _payment(ui: UiContext, payment: Payment) -> Iterator[Line]:
    yield "Payment", payment.payment_transaction_id
    yield "Type", payment.payment_type or MISSING
    yield "Amount", money_cell(payment.amount, payment.currency).text
    yield "Status", state_cell(payment.status).text
    if payment.failure_reason:
        yield "Reason", payment.failure_reason
    yield from _parties(ui, payment, payment.source_wallet_id, payment.destination_wallet_id)
    yield "End-to-end id", payment.end_to_end_id or MISSING
    yield "Created", _time(payment.created_at)
    yield "Changed", _time(payment.updated_at)


def _parties(
    ui: UiContext, record: Trade | Payment, source: WalletId | None, target: WalletId | None
) -> Iterator[Line]:
    """Yield whose money goes where, and the reference."""
    account, recipient = account_of(ui.store, record), record.recipient_id
    yield "Account", _named(account_name(ui.store, account), account)
    yield "From wallet", _named(wallet_label(ui.store, source), source)
    if recipient is None:
        yield "To wallet", _named(wallet_label(ui.store, target), target)
    else:
        yield "To recipient", _named(recipient_name(ui.store, recipient), recipient)
        yield "To address", record.payment_address_id or MISSING
    yield "Reference", record.reference or MISSING


def _named(name: str, key: str | None) -> str:
    """Return a name and its id; just one if they are the same."""
    return name if key in (None, name) else f"{name} ({key})"


def _time(moment: datetime | None) -> str:
    return full_time(moment, UTC)


# The spelling alphabet of ITU and ICAO.
_LETTERS = (
    "Alfa Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November Oscar "
    "Papa Quebec Romeo Sierra Tango Uniform Victor Whiskey X-ray Yankee Zulu"
)
_FIGURES = "zero one two three four five six seven eight nine"
_SAID = {
    **{word[0]: word for word in _LETTERS.split()},
    **{str(figure): word for figure, word in enumerate(_FIGURES.split())},
}

_BIC = (0, 4, 6, 8, 11)  # The places in ISO 9362: institution, country, location, branch, end


def grouped_number(number: str) -> str:
    """Return an account number in groups of three, or of four if that divides evenly.

    >>> grouped_number("123456789"), grouped_number("12345678")
    ('123 456 789', '1234 5678')
    """
    if not number.isalnum():
        return number  # it is grouped already
    size = 4 if len(number) % 4 == 0 else 3
    return " ".join(number[at : at + size] for at in range(0, len(number), size))


def grouped_bic(bic: str) -> str:
    """Return a BIC in its parts: `SBOX AU 2S XXX`."""
    if not bic.isalnum():
        return bic
    return " ".join(filter(None, (bic[start:end] for start, end in pairwise((*_BIC, len(bic))))))


def spell_out(grouped: str) -> str:
    """Spell each character, with commas between groups: `one two three, four five six`."""
    groups = grouped.replace("-", " ").split()
    return ", ".join(" ".join(_SAID.get(sign.upper(), sign) for sign in one) for one in groups)


def rate_words(trade: Trade) -> tuple[str | None, str | None]:
    """Return the booked rate in full digits, and its inverse; None if there is none."""
    if trade.rate is None:
        return None, None
    if not (trade.sell_currency and trade.buy_currency):
        return plain(trade.rate), None
    turned = inverse(trade.rate)
    back = None if turned is None else f"1 {trade.buy_currency} = {plain(turned)}"
    return (
        f"1 {trade.sell_currency} = {plain(trade.rate)} {trade.buy_currency}",
        back and f"{back} {trade.sell_currency}",
    )
