"""What happened before the sandbox was started: days of payments, trades and pay-ins."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from decimal import Decimal
from random import Random

from paytui.sandbox import traffic
from paytui.sandbox.amounts import rounded, unit
from paytui.sandbox.bank import Bank
from paytui.sandbox.chance import happens
from paytui.sandbox.currencies import CURRENCIES
from paytui.sandbox.seed.draft import Draft
from paytui.sandbox.seed.events import Events, Notice, moment_of
from paytui.sandbox.seed.names import Names
from paytui.sandbox.seed.parties import Parties, Registrar, Wallet

LENGTH = timedelta(days=10)
OPEN_SPAN = timedelta(seconds=40)
"""What is still open began in so short a time before the start."""

FEWEST_OPEN = 12
OPEN_SHARE = 50
TRADES_PER_PAYMENT = 0.25
PAYINS_PER_PAYMENT = 0.3


def write_history(bank: Bank, now: datetime) -> None:
    """Fill an empty database with what happened before: `scale` payments, and what fits them."""
    draft = Draft(bank)
    start = now - LENGTH
    parties = Registrar(draft, bank.chance, start, now).register(bank.options.scale)
    Historian(bank, draft, parties, now).tell(bank.options.scale)
    draft.write()
    bank.db.execute("UPDATE counter SET value = 1")
    traffic.begin(bank, now)


class Historian:
    """Writes events into a draft in the order of time."""

    def __init__(self, bank: Bank, draft: Draft, parties: Parties, now: datetime) -> None:
        self._rng: Random = bank.chance.draw("history")
        self._names = Names(self._rng)
        self._events = Events(bank, draft, parties, self._rng)
        self._parties = parties
        self._payers = parties.payers()
        self._draft = draft
        self._now = now

    def tell(self, scale: int) -> None:
        """An opening pay-in for each wallet, then all kinds of events, the last ones still open."""
        for wallet in self._parties.wallets:
            opening = self._worth(wallet.currency, 6.0, 6.8)
            self._events.opening(wallet, opening, self._now - LENGTH)
        kinds = self._kinds(scale)
        open_count = min(len(kinds) // 2, FEWEST_OPEN + len(kinds) // OPEN_SHARE)
        closed = len(kinds) - open_count
        for index, kind in enumerate(kinds[:closed]):
            at = self._now - LENGTH + (LENGTH - OPEN_SPAN * 2) * ((index + 1) / (closed + 1))
            self._tell_one(kind, at, is_open=False)
        for index, kind in enumerate(kinds[closed:]):
            at = self._now - OPEN_SPAN * (1 - index / open_count)
            self._tell_one(kind, at, is_open=True)

    def _kinds(self, scale: int) -> list[str]:
        kinds = ["payment"] * scale
        kinds += ["trade"] * math.ceil(scale * TRADES_PER_PAYMENT)
        kinds += ["payin"] * math.ceil(scale * PAYINS_PER_PAYMENT)
        self._rng.shuffle(kinds)
        return kinds

    def _tell_one(self, kind: str, at: datetime, *, is_open: bool) -> None:
        wallet = self._rng.choice(self._payers if kind == "payment" else self._parties.wallets)
        moment = moment_of(at, self._now, is_open=is_open)
        reference = self._names.reference() if happens(self._rng, 0.8) else None
        if kind == "payin":
            notice = Notice(self._names.anyone(), reference)
            self._events.payin(wallet, self._worth(wallet.currency, 2.0, 5.3), moment, notice)
            return
        amount = self._affordable(wallet)
        if kind == "payment":
            self._events.payment(wallet, amount, moment, reference)
        else:
            self._events.trade(wallet, amount, moment, reference)

    def _affordable(self, wallet: Wallet) -> Decimal:
        """Something that leaves the wallet most of what it holds."""
        most = rounded(self._draft.available(wallet.wallet_id) / 20, wallet.currency)
        return max(unit(wallet.currency), min(self._worth(wallet.currency, 1.7, 5.3), most))

    def _worth(self, currency: str, low: float, high: float) -> Decimal:
        """An amount worth 10^low to 10^high dollars, as often as not a round one."""
        dollars = 10 ** self._rng.uniform(low, high)
        amount = dollars / CURRENCIES[currency].dollars
        if happens(self._rng, 0.5):
            amount = float(f"{amount:.1e}")
        return max(unit(currency), rounded(Decimal(f"{amount:.4f}"), currency))
