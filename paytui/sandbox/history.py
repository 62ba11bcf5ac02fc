"""The history before the sandbox was started, and the simulated activity after it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import cycle
from random import Random

from paytui.sandbox import context, forms, ledger, payments, trades
from paytui.sandbox.context import Bank, Call, happens, iso, savepoint
from paytui.sandbox.http_messages import ApiError, JsonObject
from paytui.sandbox.ledger import CURRENCIES, UNITS, rounded, text
from paytui.sandbox.participants import Draft, NameGenerator, Participants, Row, Wallet
from paytui.sandbox.resources import Lifecycle

MOST_TO_CATCH_UP = timedelta(hours=1)  # Longer pauses (at speed 1) are not caught up

NOBODY = "traffic"

OF_OTHERS = "createdAt < (SELECT epoch FROM clock)"
"""The condition for wallets of the history; later ones are the caller's own."""


def happen(bank: Bank, kind: str, at: datetime) -> None:
    """Run one action, if it is possible, and schedule the next of its kind."""
    if (bank.clock.now() - at) * bank.options.speed > MOST_TO_CATCH_UP:
        at = bank.clock.now()
    rng, (act, seconds) = bank.chance.draw("traffic", kind, iso(at)), TRAFFIC[kind]
    try:
        with savepoint(bank.db):
            act(bank, rng, at)
    except ApiError:
        pass  # the wallet holds too little, or its market is closed
    context.later(bank, "traffic", kind, at, seconds)


def _pay_in(bank: Bank, rng: Random, at: datetime) -> None:
    wallet_id, currency, available = _wallet(bank, rng)
    names = NameGenerator(rng, awkward=bank.options.awkward)
    amount = _part(rng, available, currency)
    sent = forms.BankTransfer.of({
        "walletId": wallet_id,
        "amount": amount,
        "senderName": names.anyone(),
        "reference": names.reference(),
    })  # fmt: skip
    payments.receive_payin(bank, sent, at)


def _payout(bank: Bank, rng: Random, at: datetime) -> None:
    wallet_id, currency, available = _wallet(bank, rng)
    query = (
        "SELECT recipientId, paymentAddressId FROM payment_addresses JOIN recipients"
        " USING (recipientId) JOIN wallets USING (accountId) WHERE walletId = ?"
        " AND payment_addresses.currency = ? ORDER BY payment_addresses.seq"
    )
    places = bank.db.execute(query, (wallet_id, currency)).fetchall()
    if places:
        recipient_id, address_id = rng.choice(places)
        payments.create_payout(bank, _call(bank, rng, at, {
            "sourceWalletId": wallet_id,
            "recipientId": recipient_id,
            "paymentAddressId": address_id,
            "amount": text(_part(rng, available, currency), currency),
        }))  # fmt: skip


def _transfer(bank: Bank, rng: Random, at: datetime) -> None:
    wallet_id, currency, available = _wallet(bank, rng)
    chosen = f"{OF_OTHERS} AND currency = ? AND walletId != ? ORDER BY seq LIMIT 50"
    query = f"SELECT walletId FROM wallets WHERE {chosen}"  # noqa: S608 - our own words
    others = bank.db.execute(query, (currency, wallet_id)).fetchall()
    if others:
        payments.create_transfer(bank, _call(bank, rng, at, {
            "sourceWalletId": wallet_id,
            "destinationWalletId": rng.choice(others)[0],
            "amount": text(_part(rng, available, currency), currency),
        }))  # fmt: skip


def _trade(bank: Bank, rng: Random, at: datetime) -> None:
    sell_id, sell, available = _wallet(bank, rng)
    buy_id, buy, _ = _wallet(bank, rng)
    trades.book_trade(bank, _call(bank, rng, at, {
        "sellCurrency": sell,
        "buyCurrency": buy,
        "sellAmount": text(_part(rng, available, sell), sell),
        "sellWalletId": sell_id,
        "buyWalletId": buy_id,
    }))  # fmt: skip


TRAFFIC: dict[str, tuple[Callable[[Bank, Random, datetime], None], float]] = {
    "payin": (_pay_in, 12.0),
    "payout": (_payout, 25.0),
    "transfer": (_transfer, 45.0),
    "trade": (_trade, 50.0),
}
"""Actions, and the mean seconds between two of a kind at speed 1, plus or minus a half."""


def _wallet(bank: Bank, rng: Random) -> tuple[str, str, Decimal]:
    """Return a wallet of the history: identifier, currency and available balance."""
    wallets = f"FROM wallets WHERE {OF_OTHERS}"
    (count,) = bank.db.execute(f"SELECT count(*) {wallets}").fetchone()
    query = f"SELECT walletId, currency, availableBalance {wallets} LIMIT 1 OFFSET ?"
    wallet_id, currency, available = bank.db.execute(query, (rng.randrange(count),)).fetchone()
    return wallet_id, currency, Decimal(available)


def _part(rng: Random, available: Decimal, currency: str) -> Decimal:
    return rounded(available * rng.randrange(1, 300) / 10000, currency)


def _call(bank: Bank, rng: Random, at: datetime, body: JsonObject) -> Call:
    reference = NameGenerator(rng, awkward=bank.options.awkward).reference()
    return Call(NOBODY, at, {}, {}, {**body, "reference": reference})


# Relative frequencies of outcomes; objects left in compliance_review are held there.
HELD = {"compliance_review": 1}
ENDS = {
    "payment": {"completed": 92, "rejected": 2, "failed": 2, "returned": 2, "cancelled": 1, **HELD},
    "trade": {"exchanged": 95, "rejected": 2, "failed": 2, **HELD},
    "payin": {"credited": 97, "rejected": 2, **HELD},
}
OPEN = {
    "payment": ("created", "compliance_review", "processing", "released"),
    "trade": ("compliance_review", "awaiting_funds"),
    "payin": ("received", "compliance_review"),
}

DURATION = timedelta(seconds=40)
NEXT_STEP_WITHIN = 20.0

LENGTH = timedelta(days=10)
OPEN_SPAN = timedelta(seconds=40)  # Open objects began within this time before the start

FEWEST_OPEN = 6
OPEN_SHARE = 50
SHARES = {"payment": 1.0, "trade": 0.15, "payin": 0.2}
"""The number of objects of each kind for one payment."""


def write_history(bank: Bank, now: datetime) -> None:
    """Fill an empty database with `scale` payments and matching trades and pay-ins."""
    HistoryWriter(bank, now).write(bank.options.scale)
    bank.db.execute("UPDATE counter SET value = 1")
    for kind, (_, seconds) in TRAFFIC.items():
        context.later(bank, "traffic", kind, now, seconds)


@dataclass(frozen=True, slots=True)
class Timestamps:
    """The times of an object's beginning and last change; open objects are still under way."""

    at: datetime
    is_open: bool
    began: str
    ended: str


class HistoryWriter:
    """A writer of a chronological history of all participants."""

    def __init__(self, bank: Bank, now: datetime) -> None:
        self._bank = bank
        self._now = now
        self._start = now - LENGTH
        self._draft = Draft(bank)
        self._names = NameGenerator(bank.chance.draw("names"), awkward=bank.options.awkward)
        self._parties = Participants(self._draft, self._names, self._start, now)
        self._rng: Random = bank.chance.draw("history")
        self._under_way = {kind: cycle(states) for kind, states in OPEN.items()}

    def write(self, scale: int) -> None:
        """Add an opening pay-in for each wallet, then all kinds of events, the last ones open."""
        self._parties.register(scale)
        self._by_currency: dict[str, list[Wallet]] = {}
        for wallet in self._parties.wallets:
            self._by_currency.setdefault(wallet.currency, []).append(wallet)
        self._payers = self._parties.payers()
        opening = self._times(self._start, is_open=False)
        by, reference = "Opening Balances Ltd", "Opening balance"
        told: Row = {"status": "credited", "senderName": by, "reference": reference}
        for wallet in self._parties.wallets:
            amount = self._worth(wallet.currency, 6.0, 6.8)
            self._pay_in(wallet, amount, opening, told)
        counts = {kind: math.ceil(scale * share) for kind, share in SHARES.items()}
        opened = {
            kind: min(many // 2, FEWEST_OPEN + many // OPEN_SHARE) for kind, many in counts.items()
        }
        closed = {kind: many - opened[kind] for kind, many in counts.items()}
        end = self._now - OPEN_SPAN
        self._write_all(closed, self._start, end, is_open=False)
        self._write_all(opened, end, self._now, is_open=True)
        self._draft.write_balances()

    def _write_all(
        self, counts: dict[str, int], start: datetime, end: datetime, *, is_open: bool
    ) -> None:
        """Add events in random order, at even intervals."""
        kinds = [kind for kind, many in counts.items() for _ in range(many)]
        self._rng.shuffle(kinds)
        for index, kind in enumerate(kinds, start=1):
            at = start + (end - start) * (index / (len(kinds) + 1))
            self._write_one(kind, self._times(at, is_open=is_open))

    def _times(self, at: datetime, *, is_open: bool) -> Timestamps:
        return Timestamps(at, is_open, iso(at), iso(min(at + DURATION, self._now)))

    def _write_one(self, kind: str, times: Timestamps) -> None:
        wallet = self._rng.choice(self._payers if kind == "payment" else self._parties.wallets)
        reference = self._names.reference() if happens(self._rng, 0.8) else None
        if kind == "payin":
            sender, amount = self._names.anyone(), self._worth(wallet.currency, 2.0, 5.3)
            status = self._status(kind, times)
            told = {"status": status, "senderName": sender, "reference": reference}
            self._pay_in(wallet, amount, times, told)
            return
        most = rounded(self._draft.available(wallet.wallet_id) / 20, wallet.currency)
        amount = max(UNITS[wallet.currency], min(self._worth(wallet.currency, 1.7, 5.3), most))
        if kind == "payment":
            self._pay(wallet, amount, times, reference)
        else:
            self._sell(wallet, amount, times, reference)

    def _pay_in(self, wallet: Wallet, amount: Decimal, times: Timestamps, told: Row) -> None:
        """Add a pay-in; `told` is its status, sender and reference."""
        row = {
            "walletId": wallet.wallet_id,
            "payInAddressId": wallet.payin_address_id,
            "amount": text(amount, wallet.currency),
            "currency": wallet.currency,
            **told,
        }
        self._add(payments.PAYIN_STATES, row, times, "received")

    def _pay(
        self, wallet: Wallet, amount: Decimal, times: Timestamps, reference: str | None
    ) -> None:
        """Add a transfer or a payout with a random outcome."""
        status = self._status("payment", times)
        row = {
            "accountId": wallet.account_id,
            "sourceWalletId": wallet.wallet_id,
            **self._payee(wallet, status),
            "amount": text(amount, wallet.currency),
            "currency": wallet.currency,
            "status": status,
            "reference": reference,
        }
        released = ("released",) if status in {"completed", "returned"} else ()
        self._add(payments.PAYMENT_STATES, row, times, "created", *released)

    def _payee(self, wallet: Wallet, status: str) -> Row:
        """Return another wallet of the currency, or a recipient of the account."""
        others = self._by_currency[wallet.currency]
        places = self._parties.payable.get((wallet.account_id, wallet.currency), [])
        is_transfer = not places or (happens(self._rng, 0.3) and status != "returned")
        if is_transfer and len(others) > 1:
            other = self._rng.choice([one for one in others[:50] if one is not wallet])
            return {"paymentType": "transfer", "destinationWalletId": other.wallet_id}
        recipient_id, address_id = self._rng.choice(places)
        place = {"recipientId": recipient_id, "paymentAddressId": address_id}
        return {"paymentType": "payout", **place}

    def _sell(
        self, wallet: Wallet, amount: Decimal, times: Timestamps, reference: str | None
    ) -> None:
        """Add a sale of a wallet's currency with a random outcome."""
        target = wallet
        while self._bank.market.unavailable(wallet.currency, target.currency) is not None:
            target = self._rng.choice(self._parties.wallets)
        status = self._status("trade", times)
        if status == "awaiting_funds":
            amount += self._draft.available(wallet.wallet_id)
        rate = self._bank.market.rate(wallet.currency, target.currency, times.at)
        deal = trades.Deal(wallet.currency, target.currency, "sell", amount, rate)
        row = {
            "accountId": wallet.account_id,
            **trades.deal_columns(deal),
            "sellWalletId": wallet.wallet_id,
            "buyWalletId": target.wallet_id,
            "status": status,
            "reference": reference,
        }
        passed = () if status == "awaiting_funds" else ("compliance_review",)
        self._add(trades.TRADE_STATES, row, times, *passed)

    def _status(self, kind: str, times: Timestamps) -> str:
        if times.is_open:
            return next(self._under_way[kind])
        ends = ENDS[kind]
        return self._rng.choices(list(ends), list(ends.values()))[0]

    def _add(self, states: Lifecycle, row: Row, times: Timestamps, *passed: str) -> None:
        """Add an object with the postings of the states that it passed, and of its own."""
        subject = self._draft.create(states.resource, times.began, row, times.ended)
        lines: list[tuple[str, ledger.Entry, str]] = []
        for status in dict.fromkeys((*passed, str(row["status"]))):
            at = times.ended if lines else times.began
            lines += ((subject, entry, at) for entry in states.moves(row, status))
        self._draft.post(lines)
        if times.is_open and row["status"] in states.stays:
            seconds = self._rng.uniform(1.0, NEXT_STEP_WITHIN)
            self._draft.later(states.resource.noun, subject, self._now, seconds)

    def _worth(self, currency: str, low: float, high: float) -> Decimal:
        """Return an amount worth 10^low to 10^high dollars, round in half of the cases."""
        dollars = 10 ** self._rng.uniform(low, high)
        amount = dollars / CURRENCIES[currency].dollars
        if happens(self._rng, 0.5):
            amount = float(f"{amount:.1e}")
        return max(UNITS[currency], rounded(Decimal(f"{amount:.4f}"), currency))
