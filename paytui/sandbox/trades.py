"""Trades, and the rate sheets that lock their rates (service.md §2, §3, §8)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from paytui.sandbox import forms, ledger, resources
from paytui.sandbox.context import Bank, Call, iso
from paytui.sandbox.http_messages import Json, JsonObject, conflict, dump, invalid, one, unknown
from paytui.sandbox.ledger import Posting, Pot, WalletAmount, balance
from paytui.sandbox.resources import COMPLIANCE, Lifecycle


def create_rate_sheet(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /rate-sheets`: a rate for each pair, or the reason why there is none."""
    rates: list[Json] = []
    unavailable: list[Json] = []
    for asked in forms.RateSheet.of(call.body).currency_pairs:
        sell, buy = asked.sell_currency, asked.buy_currency
        pair: JsonObject = {"sellCurrency": sell, "buyCurrency": buy}
        reason = bank.market.unavailable(sell, buy)
        if reason is None:
            rates.append({**pair, "rate": format(bank.market.rate(sell, buy, call.now), "f")})
        else:
            unavailable.append({**pair, "reason": reason})
    sheet_id = resources.SHEETS.create(bank, call.now, {
        "clientId": call.client_id,
        "expiresAt": iso(call.now + timedelta(seconds=bank.options.sheet_lifetime)),
        "rates": dump(rates),
        "unavailable": dump(unavailable),
    })  # fmt: skip
    return one(resources.SHEETS.get(bank.db, sheet_id))


def locked_rate(bank: Bank, call: Call, sheet_id: str, sell: str, buy: str) -> Decimal:
    """Return the rate of a pair on a sheet, valid strictly before the sheet's end.

    Raise 404 for an unknown sheet, 409 for an expired one, 400 for one without the pair.
    """
    query = "SELECT expiresAt, rates FROM rate_sheets WHERE rateSheetId = ? AND clientId = ?"
    row = bank.db.execute(query, (sheet_id, call.client_id)).fetchone()
    if row is None:
        raise unknown("rateSheetId", sheet_id)
    if row["expiresAt"] <= iso(call.now):
        message = f"the rate sheet expired at {row['expiresAt']}"
        raise conflict("rate_sheet_expired", message, "rateSheetId")
    for line in json.loads(row["rates"]):
        if (line["sellCurrency"], line["buyCurrency"]) == (sell, buy):
            return Decimal(line["rate"])
    raise invalid("rateSheetId", f"the sheet has no rate for {sell} to {buy}")


@dataclass(frozen=True, slots=True)
class Deal:
    """The amounts and rate (bought units for one sold unit) of a trade.

    The amount of the dealt side, `sell` or `buy`, is fixed; the other is derived.
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
        return ledger.divided(self.dealt, self.rate)

    @property
    def exact_buy(self) -> Decimal:
        """The bought amount before rounding to minor units."""
        if self.dealt_side == "buy":
            return self.dealt
        return ledger.times(self.dealt, self.rate)

    @property
    def sell_amount(self) -> Decimal:
        return ledger.rounded(self.exact_sell, self.sell_currency)

    @property
    def buy_amount(self) -> Decimal:
        return ledger.rounded(self.exact_buy, self.buy_currency)


def book_trade(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /tradess`: reserve the amount if it is funded, else wait for funds."""
    asked = forms.Trade.of(call.body)
    sell, buy = asked.sell_currency, asked.buy_currency
    destination = _destination(asked)
    side, dealt = _dealt(asked)
    wallet = _check_wallets(bank, asked, destination)
    resources.require_account(wallet, asked.account_id)
    if asked.rate_sheet_id is not None:
        rate = locked_rate(bank, call, asked.rate_sheet_id, sell, buy)
    elif reason := bank.market.unavailable(sell, buy):
        raise conflict("rate_unavailable", reason, "buyCurrency")
    else:
        rate = bank.market.rate(sell, buy, call.now)
    deal = _require_worth(Deal(sell, buy, side, dealt, rate))
    trade_id = TRADE_STATES.create(bank, call.now, {
        "accountId": str(wallet["accountId"]),
        "sellWalletId": asked.sell_wallet_id,
        **destination,
        **deal_columns(deal),
        "rateSheetId": asked.rate_sheet_id,
        "status": "awaiting_funds",
        "reference": asked.reference,
    })  # fmt: skip
    fund_waiting(bank, asked.sell_wallet_id, call.now)
    return one(resources.TRADES.get(bank.db, trade_id))


def deal_columns(deal: Deal) -> dict[str, str | None]:
    return {
        "sellCurrency": deal.sell_currency,
        "buyCurrency": deal.buy_currency,
        "sellAmount": ledger.text(deal.sell_amount, deal.sell_currency),
        "buyAmount": ledger.text(deal.buy_amount, deal.buy_currency),
        "dealtSide": deal.dealt_side,
        "rate": format(deal.rate, "f"),
    }


def _destination(asked: forms.Trade) -> dict[str, str | None]:
    """Return the destination: exactly one of a wallet and a recipient's payment address."""
    if asked.recipient_id is None and asked.payment_address_id is None:
        asked.require("buy_wallet_id")
        return {"buyWalletId": asked.buy_wallet_id}
    if asked.buy_wallet_id is not None:
        raise invalid("buyWalletId", "a trade goes into a wallet or to a recipient, not both")
    asked.require("recipient_id", "payment_address_id")
    return {"recipientId": asked.recipient_id, "paymentAddressId": asked.payment_address_id}


def _dealt(asked: forms.Trade) -> tuple[str, Decimal]:
    sold, bought = asked.sell_amount, asked.buy_amount
    if sold is not None and bought is None:
        forms.require_fitting("sellAmount", sold, asked.sell_currency)
        return "sell", sold
    if bought is not None and sold is None:
        forms.require_fitting("buyAmount", bought, asked.buy_currency)
        return "buy", bought
    raise invalid("sellAmount", "exactly one of sellAmount and buyAmount is required")


def _check_wallets(
    bank: Bank, asked: forms.Trade, destination: dict[str, str | None]
) -> JsonObject:
    """Check both ends of the trade; return the wallet that is sold from."""
    sell, buy = asked.sell_currency, asked.buy_currency
    if sell == buy:
        raise invalid("buyCurrency", "must differ from sellCurrency")
    wallet = _wallet(bank, "sellWalletId", asked.sell_wallet_id, sell)
    target = destination.get("buyWalletId")
    if target is not None:
        _wallet(bank, "buyWalletId", target, buy)
    else:
        recipient_id, address_id = destination["recipientId"], destination["paymentAddressId"]
        resources.require_payable(bank.db, str(recipient_id), str(address_id), buy)
    return wallet


def _wallet(bank: Bank, name: str, wallet_id: str, currency: str) -> JsonObject:
    wallet = resources.WALLETS.get(bank.db, wallet_id)
    resources.require_status(wallet, "Active", name)
    if wallet["currency"] != currency:
        raise invalid(name, f"must be a wallet in {currency}")
    return wallet


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
            TRADE_STATES.enter(bank, trade_id, "compliance_review", now)


def moves(trade: Mapping[str, object], status: str) -> Posting:
    """Return the posting of a trade that enters a state."""
    told = {name: str(value) for name, value in trade.items() if value is not None}
    sold = WalletAmount(told["sellWalletId"], told["sellCurrency"], Decimal(told["sellAmount"]))
    match status:
        case "compliance_review":
            return ledger.posting(sold, ledger.RESERVE)
        case "exchanged":
            side, rate = told["dealtSide"], Decimal(told["rate"])
            dealt = Decimal(told[f"{side}Amount"])
            deal = Deal(sold.currency, told["buyCurrency"], side, dealt, rate)
            return exchange(deal, sold.wallet_id, told.get("buyWalletId"))
        case "rejected" | "failed" if told["status"] != "awaiting_funds":
            return ledger.posting(sold, ledger.GIVE_BACK)
    return ()


TRADE_STATES = Lifecycle(
    resources.TRADES,
    {
        "awaiting_funds": ("compliance_review", "rejected", "failed"),
        "compliance_review": ("exchanged", "rejected", "failed"),
    },
    {"compliance_review": COMPLIANCE},
    moves,
)


def exchange(deal: Deal, sell_wallet: str, buy_wallet: str | None) -> Posting:
    """Return the posting of an exchange; rounding differences go to the rounding account."""
    sold = WalletAmount(sell_wallet, deal.sell_currency, deal.sell_amount)
    bought = WalletAmount(buy_wallet or "", deal.buy_currency, deal.buy_amount)
    pot = Pot.AVAILABLE if buy_wallet else Pot.BANK
    return (
        sold.out_of(Pot.RESERVED),
        *ledger.exchanged(sold.currency, sold.amount, deal.exact_sell),
        bought.into(pot),
        *ledger.exchanged(bought.currency, -bought.amount, -deal.exact_buy),
    )
