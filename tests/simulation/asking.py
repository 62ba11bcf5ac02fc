"""Requests of traders: small amounts between the objects of the world."""

from __future__ import annotations

import random
from decimal import Decimal

from paytui.domain.models import RateSheet
from paytui.domain.money import CurrencyCode, Pair
from paytui.domain.requests import PayoutRequest, TradeRequest, TransferRequest
from tests.simulation.world import FUNDS, Purse, World

_CODES = [CurrencyCode(code) for code in FUNDS]


class Wishes:
    """Draws requests, each good as far as a careful trader can see."""

    def __init__(self, rng: random.Random, world: World) -> None:
        self._rng = rng
        self._world = world

    def payout(self) -> PayoutRequest:
        """To one of the payees."""
        payee = self._rng.choice(self._world.payees)
        return PayoutRequest(
            source_wallet_id=self._purse(payee.currency).wallet_id,
            recipient_id=payee.recipient_id,
            payment_address_id=payee.address_id,
            amount=self._amount(),
            currency=payee.currency,
            reference="INV 7",
        )

    def transfer(self) -> TransferRequest:
        """From one customer to the other."""
        code = self._rng.choice(_CODES)
        source, target = self._rng.sample(self._purses(code), 2)
        return TransferRequest(
            source_wallet_id=source.wallet_id,
            destination_wallet_id=target.wallet_id,
            amount=self._amount(),
            currency=code,
            reference="rent",
        )

    def pair(self) -> Pair:
        """Two currencies to trade."""
        return Pair(*self._rng.sample(_CODES, 2))

    def trade(self, pair: Pair, sheet: RateSheet | None) -> TradeRequest:
        """At a sheet's rate, or at whatever the rate is when it arrives."""
        sells = self._rng.random() < 0.7
        amount = self._amount() * 100
        return TradeRequest(
            sell_currency=pair.sell,
            buy_currency=pair.buy,
            sell_wallet_id=self._purse(pair.sell).wallet_id,
            sell_amount=amount if sells else None,
            buy_amount=None if sells else amount,
            buy_wallet_id=self._purse(pair.buy).wallet_id,
            rate_sheet_id=sheet.rate_sheet_id if sheet else None,
            reference="hedge",
        )

    def _amount(self) -> Decimal:
        """Whole, so that it is good in any currency; now and then more than a wallet holds."""
        return Decimal(200_000 if self._rng.random() < 0.05 else self._rng.randint(1, 50))

    def _purse(self, currency: CurrencyCode) -> Purse:
        return self._purses(currency)[0]

    def _purses(self, currency: CurrencyCode) -> list[Purse]:
        return [purse for purse in self._world.purses if purse.currency == currency]
