"""The history before the sandbox was started: days of payments, trades and pay-ins."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import cycle
from random import Random

from paytui.sandbox import ledger
from paytui.sandbox.clock import happens, iso
from paytui.sandbox.context import Bank
from paytui.sandbox.ledger import CURRENCIES, WalletAmount, rounded, text, unit
from paytui.sandbox.seed import activity
from paytui.sandbox.seed.accounts import (
    BatchWriter,
    NameGenerator,
    Participants,
    ParticipantWriter,
    Row,
    Span,
    Wallet,
)
from paytui.sandbox.service import payments, trades

# Relative frequencies of outcomes; objects left in compliance_review are held there.
HELD = {"compliance_review": 1}
PAYMENT_ENDS = {
    "completed": 92,
    "rejected": 2,
    "failed": 2,
    "returned": 2,
    "cancelled": 1,
    **HELD,
}
TRADE_ENDS = {"exchanged": 95, "rejected": 2, "failed": 2, **HELD}
PAYIN_ENDS = {"credited": 97, "rejected": 2, **HELD}

OPEN_PAYMENTS = ("created", "compliance_review", "processing", "released")
OPEN_TRADES = ("compliance_review", "awaiting_funds")
OPEN_PAYINS = ("received", "compliance_review")

DURATION = timedelta(seconds=40)
NEXT_STEP_WITHIN = 20.0


@dataclass(frozen=True, slots=True)
class Timestamps:
    """The times of an object's beginning and last change; open objects are still under way."""

    at: datetime
    now: datetime
    is_open: bool
    began: str
    ended: str


def timestamps_of(at: datetime, now: datetime, *, is_open: bool) -> Timestamps:
    """Return the times of an object that began at a given time."""
    return Timestamps(at, now, is_open, iso(at), iso(min(at + DURATION, now)))


@dataclass(frozen=True, slots=True)
class PayInNotice:
    """The sender and the text of a pay-in."""

    sender: str
    reference: str | None


class EventWriter:
    """A writer of single events to a draft."""

    def __init__(self, bank: Bank, draft: BatchWriter, parties: Participants, rng: Random) -> None:
        self._bank = bank
        self._draft = draft
        self._parties = parties
        self._rng = rng
        self._open_payments = cycle(OPEN_PAYMENTS)
        self._open_trades = cycle(OPEN_TRADES)
        self._open_payins = cycle(OPEN_PAYINS)
        self._by_currency: dict[str, list[Wallet]] = {}
        for wallet in parties.wallets:
            self._by_currency.setdefault(wallet.currency, []).append(wallet)

    def opening(self, wallet: Wallet, amount: Decimal, at: datetime) -> None:
        """Add the first pay-in of a wallet."""
        notice = PayInNotice("Opening Balances Ltd", "Opening balance")
        moment = timestamps_of(at, at + DURATION, is_open=False)
        self._payin(wallet, amount, moment, "credited", notice)

    def payin(
        self, wallet: Wallet, amount: Decimal, moment: Timestamps, notice: PayInNotice
    ) -> None:
        """Add a pay-in with a random outcome."""
        status = self._status(moment, self._open_payins, PAYIN_ENDS)
        self._payin(wallet, amount, moment, status, notice)

    def payment(
        self, wallet: Wallet, amount: Decimal, moment: Timestamps, reference: str | None
    ) -> None:
        """Add a transfer or a payout with a random outcome."""
        status = self._status(moment, self._open_payments, PAYMENT_ENDS)
        payment_id = self._draft.new_id("payments")
        was_released = status in {"released", "completed", "returned"}
        row: Row = {
            "paymentTransactionId": payment_id,
            "accountId": wallet.account_id,
            "sourceWalletId": wallet.wallet_id,
            **self._payee(wallet, status),
            "amount": text(amount, wallet.currency),
            "currency": wallet.currency,
            "status": status,
            "reference": reference,
            "endToEndId": payments.end_to_end_id(payment_id) if was_released else None,
            "createdAt": moment.began,
            "updatedAt": moment.ended,
            "failureReason": payments.REASONS.get(status),
        }
        self._draft.add("payments", row)
        paid = WalletAmount(wallet.wallet_id, wallet.currency, amount)
        self._draft.post(ledger.reserve(paid), payment_id, moment.began)
        self._move_payment(row, moment)

    def _move_payment(self, row: Row, moment: Timestamps) -> None:
        status, payment_id = str(row["status"]), str(row["paymentTransactionId"])
        if status in {"completed", "returned"}:
            self._draft.post(payments.moves(row, "released"), payment_id, moment.ended)
        self._draft.post(payments.moves(row, status), payment_id, moment.ended)
        self._go_on("payment", payment_id, moment)

    def trade(
        self, wallet: Wallet, amount: Decimal, moment: Timestamps, reference: str | None
    ) -> None:
        """Add a sale of a wallet's currency with a random outcome."""
        target = self._trade_target(wallet)
        status = self._status(moment, self._open_trades, TRADE_ENDS)
        if status == "awaiting_funds":
            amount += self._draft.available(wallet.wallet_id)
        rate = self._bank.market.rate(wallet.currency, target.currency, moment.at)
        deal = trades.Deal(wallet.currency, target.currency, "sell", amount, rate)
        trade_id = self._draft.new_id("trades")
        self._draft.add("trades", {
            "tradeTransactionId": trade_id,
            "accountId": wallet.account_id,
            **trades.deal_columns(deal),
            "sellWalletId": wallet.wallet_id,
            "buyWalletId": target.wallet_id,
            "status": status,
            "reference": reference,
            "createdAt": moment.began,
            "exchangedAt": moment.ended if status == "exchanged" else None,
        })  # fmt: skip
        sold = WalletAmount(wallet.wallet_id, wallet.currency, deal.sell_amount)
        if status != "awaiting_funds":
            self._draft.post(ledger.reserve(sold), trade_id, moment.began)
            self._go_on("trade", trade_id, moment)
        if status == "exchanged":
            posting = trades.exchange(deal, wallet.wallet_id, target.wallet_id)
            self._draft.post(posting, trade_id, moment.ended)
        elif status in {"rejected", "failed"}:
            self._draft.post(ledger.give_back(sold), trade_id, moment.ended)

    def _payin(
        self, wallet: Wallet, amount: Decimal, moment: Timestamps, status: str, notice: PayInNotice
    ) -> None:
        payin_id = self._draft.new_id("payins")
        self._draft.add("payins", {
            "payInTransactionId": payin_id,
            "walletId": wallet.wallet_id,
            "payInAddressId": wallet.payin_address_id,
            "amount": text(amount, wallet.currency),
            "currency": wallet.currency,
            "status": status,
            "senderName": notice.sender,
            "reference": notice.reference,
            "createdAt": moment.began,
            "creditedAt": moment.ended if status == "credited" else None,
        })  # fmt: skip
        paid = WalletAmount(wallet.wallet_id, wallet.currency, amount)
        self._draft.post(ledger.arrive(paid), payin_id, moment.began)
        if status == "credited":
            self._draft.post(ledger.credit(paid), payin_id, moment.ended)
        elif status == "rejected":
            self._draft.post(ledger.send_back(paid), payin_id, moment.ended)
        self._go_on("payin", payin_id, moment)

    def _status(self, moment: Timestamps, under_way: Iterator[str], ends: dict[str, int]) -> str:
        """Return the state of an open object, or a final state."""
        if moment.is_open:
            return next(under_way)
        return self._rng.choices(list(ends), list(ends.values()))[0]

    def _go_on(self, kind: str, subject: str, moment: Timestamps) -> None:
        if moment.is_open:
            seconds = self._rng.uniform(1.0, NEXT_STEP_WITHIN)
            self._draft.later(kind, subject, moment.now, seconds)

    def _payee(self, wallet: Wallet, status: str) -> Row:
        """Return another wallet of the currency, or a recipient of the account."""
        others = self._by_currency[wallet.currency]
        places = self._parties.payable.get((wallet.account_id, wallet.currency), [])
        is_transfer = not places or (happens(self._rng, 0.3) and status != "returned")
        if is_transfer and len(others) > 1:
            other = self._rng.choice([one for one in others[:50] if one is not wallet])
            return {**NOWHERE, "paymentType": "transfer", "destinationWalletId": other.wallet_id}
        place = self._rng.choice(places)
        return {
            **NOWHERE,
            "paymentType": "payout",
            "recipientId": place.recipient_id,
            "paymentAddressId": place.address_id,
        }

    def _trade_target(self, wallet: Wallet) -> Wallet:
        """Return a wallet of another currency that the market quotes against this one's."""
        while True:
            target = self._rng.choice(self._parties.wallets)
            if self._bank.market.unavailable(wallet.currency, target.currency) is None:
                return target


NOWHERE: Row = {"destinationWalletId": None, "recipientId": None, "paymentAddressId": None}


LENGTH = timedelta(days=10)
OPEN_SPAN = timedelta(seconds=40)
"""Open objects began within this time before the start."""

FEWEST_OPEN = 6
OPEN_SHARE = 50
TRADES_PER_PAYMENT = 0.15
PAYINS_PER_PAYMENT = 0.2


def write_history(bank: Bank, now: datetime) -> None:
    """Fill an empty database with `scale` payments and matching trades and pay-ins."""
    draft = BatchWriter(bank)
    start = now - LENGTH
    names = NameGenerator(bank.chance.draw("names"), awkward=bank.options.awkward)
    parties = ParticipantWriter(draft, bank.chance, names, Span(start, now)).register(
        bank.options.scale
    )
    HistoryWriter(bank, draft, parties, names, now).tell(bank.options.scale)
    draft.write()
    bank.db.execute("UPDATE counter SET value = 1")
    activity.begin(bank, now)


class HistoryWriter:
    """A writer of a chronological history."""

    def __init__(
        self,
        bank: Bank,
        draft: BatchWriter,
        parties: Participants,
        names: NameGenerator,
        now: datetime,
    ) -> None:
        self._rng: Random = bank.chance.draw("history")
        self._names = names
        self._events = EventWriter(bank, draft, parties, self._rng)
        self._parties = parties
        self._payers = parties.payers()
        self._draft = draft
        self._now = now

    def tell(self, scale: int) -> None:
        """Add an opening pay-in for each wallet, then all kinds of events, the last ones open."""
        for wallet in self._parties.wallets:
            opening = self._worth(wallet.currency, 6.0, 6.8)
            self._events.opening(wallet, opening, self._now - LENGTH)
        counts = {
            "payment": scale,
            "trade": math.ceil(scale * TRADES_PER_PAYMENT),
            "payin": math.ceil(scale * PAYINS_PER_PAYMENT),
        }
        opened = {
            kind: min(many // 2, FEWEST_OPEN + many // OPEN_SHARE) for kind, many in counts.items()
        }
        closed = {kind: many - opened[kind] for kind, many in counts.items()}
        start, end = self._now - LENGTH, self._now - OPEN_SPAN
        self._tell_all(self._shuffled(closed), start, end, is_open=False)
        self._tell_all(self._shuffled(opened), end, self._now, is_open=True)

    def _tell_all(self, kinds: list[str], start: datetime, end: datetime, *, is_open: bool) -> None:
        """Add events at even intervals."""
        for index, kind in enumerate(kinds, start=1):
            at = start + (end - start) * (index / (len(kinds) + 1))
            self._tell_one(kind, at, is_open=is_open)

    def _shuffled(self, counts: dict[str, int]) -> list[str]:
        kinds = [kind for kind, many in counts.items() for _ in range(many)]
        self._rng.shuffle(kinds)
        return kinds

    def _tell_one(self, kind: str, at: datetime, *, is_open: bool) -> None:
        wallet = self._rng.choice(self._payers if kind == "payment" else self._parties.wallets)
        moment = timestamps_of(at, self._now, is_open=is_open)
        reference = self._names.reference() if happens(self._rng, 0.8) else None
        if kind == "payin":
            notice = PayInNotice(self._names.anyone(), reference)
            self._events.payin(wallet, self._worth(wallet.currency, 2.0, 5.3), moment, notice)
            return
        amount = self._affordable(wallet)
        if kind == "payment":
            self._events.payment(wallet, amount, moment, reference)
        else:
            self._events.trade(wallet, amount, moment, reference)

    def _affordable(self, wallet: Wallet) -> Decimal:
        """Return an amount that leaves the wallet most of its balance."""
        most = rounded(self._draft.available(wallet.wallet_id) / 20, wallet.currency)
        return max(unit(wallet.currency), min(self._worth(wallet.currency, 1.7, 5.3), most))

    def _worth(self, currency: str, low: float, high: float) -> Decimal:
        """Return an amount worth 10^low to 10^high dollars, round in half of the cases."""
        dollars = 10 ** self._rng.uniform(low, high)
        amount = dollars / CURRENCIES[currency].dollars
        if happens(self._rng, 0.5):
            amount = float(f"{amount:.1e}")
        return max(unit(currency), rounded(Decimal(f"{amount:.4f}"), currency))
