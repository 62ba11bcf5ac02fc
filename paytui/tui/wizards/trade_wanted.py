"""The pair that a trade starts from: what of it is still to be chosen, and what fits."""

from __future__ import annotations

from collections.abc import Iterator

from paytui.domain.models import AccountId, Wallet, WalletId
from paytui.domain.money import CurrencyCode
from paytui.store.store import Store
from paytui.tui.wizards.service_fields import ServiceField
from paytui.tui.wizards.step import Option
from paytui.tui.wizards.trade_draft import Step, TradeDraft
from paytui.tui.wizards.trade_options import choice_at


def wanted_words(store: Store, draft: TradeDraft, step: Step | ServiceField) -> str:
    """Return a hint about the wanted pair at a step; empty if there is none."""
    pair = draft.wanted
    if pair is None or (step is Step.BUY and _sold(store, draft) != pair.sell):
        return ""
    if isinstance(step, ServiceField):
        return ""
    what = {
        Step.ACCOUNT: f"the account that sells {pair.sell}",
        Step.SELL: f"the wallet that sells {pair.sell}",
        Step.BUY: f"where the {pair.buy} goes",
    }.get(step)
    return f"{pair.sell} > {pair.buy}: choose {what}." if what else ""


def suggested(
    store: Store, draft: TradeDraft, step: Step | ServiceField, options: tuple[Option, ...]
) -> str | None:
    """Return the option under the cursor: the chosen one, else the first that fits."""
    fitting = _fitting(store, draft, step, options)
    return choice_at(store, draft, step) or next(fitting, None)


def _fitting(
    store: Store, draft: TradeDraft, step: Step | ServiceField, options: tuple[Option, ...]
) -> Iterator[str]:
    if not wanted_words(store, draft, step) or draft.wanted is None:
        return
    pair, offered = draft.wanted, [one.key for one in options if not one.why_not]
    if step is Step.ACCOUNT:
        owners = {wallet.account_id for wallet in _in(store, pair.sell)}
        yield from (key for key in offered if AccountId(key) in owners)
        return
    currency = pair.sell if step is Step.SELL else pair.buy
    wallets = {wallet.wallet_id: wallet for wallet in _in(store, currency)}
    found = [wallets[WalletId(key)] for key in offered if WalletId(key) in wallets]
    # What is bought stays with who sells, unless a trader goes down to where it does not.
    yield from (one.wallet_id for one in found if one.account_id == draft.account_id)


def _in(store: Store, currency: CurrencyCode) -> Iterator[Wallet]:
    return (wallet for wallet in store.wallets.rows() if wallet.currency == currency)


def _sold(store: Store, draft: TradeDraft) -> CurrencyCode | None:
    source = store.wallets.get(draft.sell_wallet_id) if draft.sell_wallet_id else None
    return source.currency if source else None
