"""Trades: one currency for another, into a wallet or to a recipient (service.md §2, §3)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from paytui.sandbox import context, ledger
from paytui.sandbox.body_validation import BodyReader
from paytui.sandbox.clock import iso
from paytui.sandbox.context import Bank, Call
from paytui.sandbox.database import insert
from paytui.sandbox.ledger import Posting, Pot, WalletAmount, balance, post
from paytui.sandbox.messages import JsonObject, conflict, invalid, one
from paytui.sandbox.service.rate_sheets import locked_rate
from paytui.sandbox.service.recipients import require_payable
from paytui.sandbox.service.resources import MagicReference, Resource, equal, require_status
from paytui.sandbox.service.wallets import WALLETS, require_account
from paytui.sandbox.webhooks import announce

TRADES = Resource(
    table="trades",
    key="tradeTransactionId",
    columns=(
        "tradeTransactionId",
        "accountId",
        "sellCurrency",
        "buyCurrency",
        "sellAmount",
        "buyAmount",
        "dealtSide",
        "rate",
        "rateSheetId",
        "sellWalletId",
        "buyWalletId",
        "recipientId",
        "paymentAddressId",
        "status",
        "reference",
        "createdAt",
        "exchangedAt",
    ),
    filters={
        **equal("accountId", "status"),
        "walletId": "(sellWalletId = :value OR buyWalletId = :value)",
    },
)


@dataclass(frozen=True, slots=True)
class Deal:
    """The amounts and rate of a trade; one amount is fixed, the other is derived.

    Attributes:
        dealt_side: `sell` or `buy`.
        dealt: the fixed amount, of that side.
        rate: bought units for one sold unit.
    """

    sell_currency: str
    buy_currency: str
    dealt_side: str
    dealt: Decimal
    rate: Decimal

    @property
    def exact_sell(self) -> Decimal:
        """The sold amount before rounding to minor units."""
        if self.dealt_side == "sell":
            return self.dealt
        return ledger.fine(ledger.divided(self.dealt, self.rate))

    @property
    def exact_buy(self) -> Decimal:
        """The bought amount before rounding to minor units."""
        if self.dealt_side == "buy":
            return self.dealt
        return ledger.fine(ledger.times(self.dealt, self.rate))

    @property
    def sell_amount(self) -> Decimal:
        return ledger.rounded(self.exact_sell, self.sell_currency)

    @property
    def buy_amount(self) -> Decimal:
        return ledger.rounded(self.exact_buy, self.buy_currency)


def book(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /tradess`: reserve the amount if it is funded, else wait for funds."""
    fields = BodyReader(call.body)
    sell, buy = fields.currency("sellCurrency"), fields.currency("buyCurrency")
    wallet_id, account_id = fields.text("sellWalletId"), fields.optional_text("accountId")
    reference, sheet_id = fields.optional_text("reference"), fields.optional_text("rateSheetId")
    destination = _destination(fields)
    side, dealt = _dealt(fields, sell, buy)
    fields.check()
    wallet = _check_wallets(bank, wallet_id, sell, buy, destination)
    require_account(wallet, account_id)
    rate = _rate(bank, call, sell, buy, sheet_id)
    deal = _require_worth(Deal(sell, buy, side, dealt, rate))
    trade_id = bank.new_id("trade")
    insert(bank.db, "trades", {
        "tradeTransactionId": trade_id,
        "accountId": str(wallet["accountId"]),
        "sellWalletId": wallet_id,
        **destination,
        **deal_columns(deal),
        "rateSheetId": sheet_id,
        "status": "awaiting_funds",
        "reference": reference,
        "createdAt": iso(call.now),
    })  # fmt: skip
    fund_waiting(bank, wallet_id, call.now)
    return one(TRADES.get(bank.db, trade_id))


def deal_columns(deal: Deal) -> dict[str, str | None]:
    """Return a deal as the columns of a trade."""
    return {
        "sellCurrency": deal.sell_currency,
        "buyCurrency": deal.buy_currency,
        "sellAmount": ledger.text(deal.sell_amount, deal.sell_currency),
        "buyAmount": ledger.text(deal.buy_amount, deal.buy_currency),
        "dealtSide": deal.dealt_side,
        "rate": format(deal.rate, "f"),
    }


def _destination(fields: BodyReader) -> dict[str, str | None]:
    """Return the destination: exactly one of a wallet and a recipient's payment address."""
    if not fields.has("recipientId") and not fields.has("paymentAddressId"):
        return {"buyWalletId": fields.text("buyWalletId")}
    if fields.has("buyWalletId"):
        fields.refuse("buyWalletId", "a trade goes into a wallet or to a recipient, not both")
    return {
        "recipientId": fields.text("recipientId"),
        "paymentAddressId": fields.text("paymentAddressId"),
    }


def _dealt(fields: BodyReader, sell: str, buy: str) -> tuple[str, Decimal]:
    """Return the side whose amount is fixed, and that amount."""
    if fields.has("sellAmount") == fields.has("buyAmount"):
        fields.refuse("sellAmount", "exactly one of sellAmount and buyAmount is required")
        return "sell", Decimal(0)
    if fields.has("sellAmount"):
        return "sell", fields.amount("sellAmount", sell)
    return "buy", fields.amount("buyAmount", buy)


def _check_wallets(
    bank: Bank, wallet_id: str, sell: str, buy: str, destination: dict[str, str | None]
) -> JsonObject:
    """Check both ends of the trade; return the wallet that is sold from."""
    if sell == buy:
        raise invalid("buyCurrency", "must differ from sellCurrency")
    wallet = _wallet(bank, "sellWalletId", wallet_id, sell)
    target = destination.get("buyWalletId")
    if target is not None:
        _wallet(bank, "buyWalletId", target, buy)
    else:
        recipient_id, address_id = destination["recipientId"], destination["paymentAddressId"]
        require_payable(bank.db, str(recipient_id), str(address_id), buy)
    return wallet


def _wallet(bank: Bank, name: str, wallet_id: str, currency: str) -> JsonObject:
    wallet = WALLETS.get(bank.db, wallet_id)
    require_status(wallet, "Active", name)
    if wallet["currency"] != currency:
        raise invalid(name, f"must be a wallet in {currency}")
    return wallet


def _rate(bank: Bank, call: Call, sell: str, buy: str, sheet_id: str | None) -> Decimal:
    if sheet_id is not None:
        return locked_rate(bank, call, sheet_id, sell, buy)
    reason = bank.market.unavailable(sell, buy)
    if reason is not None:
        raise conflict("rate_unavailable", reason, "buyCurrency")
    return bank.market.rate(sell, buy, call.now)


def _require_worth(deal: Deal) -> Deal:
    """Raise if the derived side is zero or exceeds the ledger's limit."""
    name = "sellAmount" if deal.dealt_side == "sell" else "buyAmount"
    if not deal.sell_amount or not deal.buy_amount:
        raise invalid(name, "the other side of the trade rounds to zero")
    largest = max(deal.sell_amount.adjusted(), deal.buy_amount.adjusted())
    if largest >= ledger.WHOLE_DIGITS:
        raise invalid(name, "the other side of the trade is too large")
    return deal


def fund_waiting(bank: Bank, wallet_id: str, now: datetime) -> None:
    """Reserve funds for the trades of a wallet that wait for them, oldest first."""
    waiting = bank.db.execute(
        "SELECT tradeTransactionId, sellAmount FROM trades"
        " WHERE sellWalletId = ? AND status = 'awaiting_funds' ORDER BY seq",
        (wallet_id,),
    ).fetchall()
    for trade_id, amount in waiting:
        if balance(bank.db, wallet_id, Pot.AVAILABLE) >= Decimal(amount):
            enter(bank, trade_id, "compliance_review", now)


def progress(bank: Bank, trade_id: str, at: datetime) -> str | None:
    """Move a trade out of compliance; return the wallet whose available balance rose."""
    magic = MagicReference(str(TRADES.get(bank.db, trade_id).get("reference", "")))
    status = magic.after_compliance("failed" if magic.fails_at_bank else "exchanged")
    return None if status is None else enter(bank, trade_id, status, at)


def enter(bank: Bank, trade_id: str, status: str, at: datetime) -> str | None:
    """Move a trade to a state, with its money.

    Returns:
        The wallet whose available balance rose, if one did.

    Raises:
        ApiError: 422 if the wallet does not hold the amount to reserve.
    """
    query = "SELECT * FROM trades WHERE tradeTransactionId = ?"
    row = bank.db.execute(query, (trade_id,)).fetchone()
    sold = WalletAmount(row["sellWalletId"], row["sellCurrency"], Decimal(row["sellAmount"]))
    buy_wallet: str | None = row["buyWalletId"]
    is_funded = row["status"] != "awaiting_funds"
    mark(bank, trade_id, status, at)
    match status:
        case "compliance_review":
            post(bank.db, ledger.reserve(sold), trade_id, iso(at))
            context.later(bank, "trade", trade_id, at, context.COMPLIANCE)
        case "exchanged":
            posting = exchange(_deal_of(row["dealtSide"], dict(row)), sold.wallet_id, buy_wallet)
            post(bank.db, posting, trade_id, iso(at))
            announce(bank, "trade.exchanged", TRADES, trade_id, at)
            return buy_wallet
        case "rejected" | "failed" if is_funded:
            post(bank.db, ledger.give_back(sold), trade_id, iso(at))
            return sold.wallet_id
    return None


def exchange(deal: Deal, sell_wallet: str, buy_wallet: str | None) -> Posting:
    """Return the posting of an exchange; rounding differences go to the rounding account."""
    sold = ledger.sell(
        WalletAmount(sell_wallet, deal.sell_currency, deal.sell_amount), deal.exact_sell
    )
    if buy_wallet is None:
        bought = ledger.buy_for_recipient(deal.buy_currency, deal.buy_amount, deal.exact_buy)
        return (*sold, *bought)
    return (
        *sold,
        *ledger.buy(WalletAmount(buy_wallet, deal.buy_currency, deal.buy_amount), deal.exact_buy),
    )


def _deal_of(side: str, row: dict[str, str]) -> Deal:
    return Deal(
        row["sellCurrency"],
        row["buyCurrency"],
        side,
        Decimal(row[f"{side}Amount"]),
        Decimal(row["rate"]),
    )


def mark(bank: Bank, trade_id: str, status: str, at: datetime) -> None:
    """Write the state of a trade without moving money."""
    exchanged_at = iso(at) if status == "exchanged" else None
    query = "UPDATE trades SET status = ?, exchangedAt = ? WHERE tradeTransactionId = ?"
    bank.db.execute(query, (status, exchanged_at, trade_id))
