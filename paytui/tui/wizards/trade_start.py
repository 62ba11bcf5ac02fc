"""The trade wizard, with what was under the cursor filled in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from paytui.domain.intent import without_tag
from paytui.domain.models import Account, Recipient, Trade, Wallet
from paytui.domain.money import CurrencyCode, Pair, plain
from paytui.store.payees import addresses_of
from paytui.store.relations import account_of
from paytui.tui.context import Desk
from paytui.tui.wizards.payment_options import wallet_trouble
from paytui.tui.wizards.service_fields import answers_before
from paytui.tui.wizards.trade_draft import Side, TradeDraft, lists_payees
from paytui.tui.wizards.trade_machine import TradeMachine

T = TypeVar("T")


def trade_from(desk: Desk, subject: object) -> TradeMachine:
    """A wizard that starts with a wallet, pair, trade, recipient or account; or with nothing."""
    return TradeMachine(desk, _draft(desk, subject))


def _draft(desk: Desk, subject: object) -> TradeDraft:
    match subject:
        case Wallet():
            return TradeDraft(account_id=subject.account_id, sell_wallet_id=subject.wallet_id)
        case Pair():
            return _of_pair(desk, subject)
        case Trade():
            return _again(desk, subject)
        case Recipient():
            return _for_recipient(desk, subject)
        case Account():
            return TradeDraft(account_id=subject.account_id)
        case _:
            return TradeDraft()


def _of_pair(desk: Desk, pair: Pair) -> TradeDraft:
    """Filled in where there is just one wallet, or account, that can be meant."""
    sellers = _wallets(desk, pair.sell)
    sold = _only(sellers)
    owner = _only({wallet.account_id for wallet in sellers})
    bought = _only(_wallets(desk, pair.buy))
    # What is bought stays with who sells: the wallet of another account has to be chosen.
    stays = bought is not None and bought.account_id == owner
    return TradeDraft(
        account_id=owner,
        sell_wallet_id=sold.wallet_id if sold else None,
        buy_wallet_id=bought.wallet_id if bought and stays else None,
        wanted=pair,
    )


def _again(desk: Desk, trade: Trade) -> TradeDraft:
    """The same again, as far as the service tells; its rate is a new one."""
    buys = trade.dealt_side == Side.BUY
    amount = trade.buy_amount if buys else trade.sell_amount
    return TradeDraft(
        account_id=account_of(desk.store, trade),
        sell_wallet_id=trade.sell_wallet_id,
        buy_wallet_id=trade.buy_wallet_id,
        recipient_id=trade.recipient_id,
        payment_address_id=trade.payment_address_id,
        amount="" if amount is None else plain(amount),
        side=Side.BUY if buys else Side.SELL,
        reference=without_tag(trade.reference),
        extra=answers_before(desk.store, trade.trade_transaction_id),
    )


def _for_recipient(desk: Desk, recipient: Recipient) -> TradeDraft:
    address = _only(addresses_of(desk.store, recipient))
    is_chosen = address is not None or not lists_payees(desk.store)
    return TradeDraft(
        account_id=recipient.account_id,
        recipient_id=recipient.recipient_id if is_chosen else None,
        payment_address_id=address.payment_address_id if address else None,
    )


def _wallets(desk: Desk, currency: CurrencyCode) -> list[Wallet]:
    return [
        wallet
        for wallet in desk.store.wallets.rows()
        if wallet.currency == currency
        and desk.scope in (None, wallet.account_id)
        and not wallet_trouble(wallet)
    ]


def _only(found: Iterable[T]) -> T | None:
    """The one that there is; None where there are none, or several to choose from."""
    items = tuple(found)
    return items[0] if len(items) == 1 else None
