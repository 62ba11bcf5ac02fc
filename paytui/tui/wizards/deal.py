"""A trade that can be confirmed: all that is shown of it, and all that is asked of the service."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

from paytui.domain.models import RateSheet, Wallet
from paytui.domain.money import other_amount
from paytui.domain.requests import TradeRequest
from paytui.store.views.rates import rate_of
from paytui.tui.forms.amount import echo
from paytui.tui.wizards.trade_draft import Legs, Payee, Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """Two of them are equal only if a trader would see the same, and the same would be booked.

    Attributes:
        legs: without the balances of their wallets, which come and go.
        side: the one that `amount` is of, and that is fixed.
        quote: the sheet whose rate is locked; None for the service's rate at booking.
        reference: as it was typed, without the tag of an intent.
        extra: the service's own fields, by name, as they go out.
        indication: where no rate is locked, the last known one, by which the other amount is told.
    """

    legs: Legs
    side: Side
    amount: Decimal
    quote: RateSheet | None = None
    reference: str = ""
    extra: tuple[tuple[str, str], ...] = ()
    indication: Decimal | None = None

    @property
    def rate(self) -> Decimal | None:
        """The locked rate, or the last known one."""
        return self.indication if self.quote is None else rate_of(self.quote, self.legs.pair)

    @property
    def other_amount(self) -> Decimal | None:
        """About what the other side comes to."""
        fixed = self.legs.currency(self.side)
        return other_amount(self.legs.pair, fixed, self.amount, self.rate)

    @property
    def sold(self) -> Decimal | None:
        """Return the amount that leaves the wallet, perhaps estimated."""
        return self.amount if self.side is Side.SELL else self.other_amount

    @property
    def request(self) -> TradeRequest:
        """A request to the service, in canonical names."""
        target, sells = self.legs.target, self.side is Side.SELL
        payee = target if isinstance(target, Payee) else None
        return TradeRequest(
            account_id=self.legs.source.account_id,
            sell_currency=self.legs.pair.sell,
            buy_currency=self.legs.pair.buy,
            sell_wallet_id=self.legs.source.wallet_id,
            sell_amount=self.amount if sells else None,
            buy_amount=None if sells else self.amount,
            buy_wallet_id=target.wallet_id if isinstance(target, Wallet) else None,
            recipient_id=payee.recipient.recipient_id if payee else None,
            payment_address_id=payee.address.payment_address_id if payee else None,
            rate_sheet_id=self.quote.rate_sheet_id if self.quote else None,
            reference=self.reference or None,
            extra=dict(self.extra),
        )

    @property
    def title(self) -> str:
        """It in words: `Trade sells 250,000.00 AUD for USD`."""
        pair, fixed = self.legs.pair, echo(self.amount, self.legs.currency(self.side))
        if self.side is Side.SELL:
            return f"Trade sells {fixed} for {pair.buy}"
        return f"Trade buys {fixed} for {pair.sell}"


def settled(legs: Legs) -> Legs:
    """Legs without what changes as money moves."""
    target = legs.target
    return replace(
        legs,
        source=identity(legs.source),
        target=identity(target) if isinstance(target, Wallet) else target,
    )


def identity(wallet: Wallet) -> Wallet:
    """A wallet without what changes as money moves."""
    return replace(
        wallet,
        available_balance=None,
        reserved_balance=None,
        pending_balance=None,
        updated_at=None,
    )
