"""The draft of a trade, its legs, and the deal that can be confirmed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from functools import partial

from paytui.domain import models
from paytui.domain.money import CurrencyCode, Pair, other_amount
from paytui.domain.requests import TradeRequest
from paytui.store.figures import rate_of
from paytui.store.names import account_title, recipient_title
from paytui.store.payees import addresses_by_recipient
from paytui.store.store import Store
from paytui.tui.forms.common_fields import AmountError, echo, parse_amount
from paytui.tui.guards.payee_warnings import is_new_account
from paytui.tui.step_protocol import Option
from paytui.tui.ui_context import UiContext
from paytui.tui.wizards import parties
from paytui.tui.wizards.common_steps import ServiceField, extra_of, service_fields
from paytui.tui.wizards.parties import Payee, Target


def target_trouble(source: models.Wallet, wallet: models.Wallet) -> str:
    """Return the reason why a wallet cannot take the bought money; empty if it can."""
    if wallet.currency is not None and wallet.currency == source.currency:
        return f"same currency ({wallet.currency})"
    return parties.wallet_trouble(wallet)


def payee_trouble(
    source: models.Wallet, recipient: models.Recipient, address: models.PaymentAddress
) -> str:
    """Return the reason why an account cannot take the bought money; empty if it can."""
    if address.currency is not None and address.currency == source.currency:
        return f"same currency ({address.currency})"
    # The payout is made in the bought currency, not in the sold one.
    return parties.recipient_trouble(
        replace(source, currency=address.currency), recipient, [address]
    )


class Step(StrEnum):
    ACCOUNT = "account"
    SELL = "sell from"
    BUY = "buy into"
    ADDRESS = "account of the recipient"
    AMOUNT = "amount"
    REFERENCE = "reference"
    PROOF = "verify payee"
    RATE = "rate"
    CONFIRM = "confirm"


TradeStep = Step | ServiceField

PARTIES = (Step.ACCOUNT, Step.SELL, Step.BUY, Step.ADDRESS)  # The steps that choose the legs
REQUEST = "trade_request"  # The dialect's name of a trade's request

NO_REFERENCE = (
    "A trade that pays a recipient needs a reference: it tells the recipient the purpose."
)


class Side(StrEnum):
    SELL = "sell"
    BUY = "buy"

    @property
    def other(self) -> Side:
        return Side.BUY if self is Side.SELL else Side.SELL


class Pricing(StrEnum):
    LOCKED = "locked"
    REAL_TIME = "real-time"


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeDraft:
    """The answers so far, as typed, the reference without paytui's tag.

    Going back keeps the answers of later steps. `extra` are the service's own fields, by name.
    `wanted` is the pair that it started from, if several wallets fit.
    """

    account_id: models.AccountId | None = None
    sell_wallet_id: models.WalletId | None = None
    buy_wallet_id: models.WalletId | None = None
    recipient_id: models.RecipientId | None = None
    payment_address_id: models.PaymentAddressId | None = None
    amount: str = ""
    side: Side = Side.SELL
    reference: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)
    pricing: Pricing = Pricing.LOCKED
    wanted: Pair | None = None


def lists_payees(store: Store) -> bool:
    """Return True if the service lists recipients: then each of their accounts is an option.

    Else you choose a recipient first, perhaps by its identifier, and then one of its accounts.
    """
    return store.feed(models.Kind.RECIPIENTS).offered


@dataclass(frozen=True, slots=True)
class Legs:
    source: models.Wallet
    target: Target
    pair: Pair

    def currency(self, side: Side) -> CurrencyCode:
        return self.pair.sell if side is Side.SELL else self.pair.buy


@dataclass(frozen=True, slots=True)
class Obstacle:
    """The first step with a missing or wrong answer, and the complaint."""

    step: TradeStep
    why: str


def legs_of(store: Store, draft: TradeDraft) -> Legs | Obstacle:
    key = draft.sell_wallet_id
    source = parties.wallet_of(store, key)
    if source is None or source.currency is None:
        return _missing(Step.SELL, "the wallet to sell from", key)
    if trouble := parties.wallet_trouble(source):
        return Obstacle(Step.SELL, f"{source.wallet_name or source.wallet_id}: {trouble}.")
    target = (_wallet if draft.recipient_id is None else _payee)(store, draft, source)
    if isinstance(target, Obstacle):
        return target
    currency = target.address.currency if isinstance(target, Payee) else target.currency
    assert currency is not None  # see `_wallet` and `_payee`
    return Legs(source, target, Pair(source.currency, currency))


def amount_of(draft: TradeDraft, legs: Legs) -> Decimal | Obstacle:
    try:
        return parse_amount(draft.amount, legs.currency(draft.side))
    except AmountError as error:
        return Obstacle(Step.AMOUNT, str(error))


def _wallet(store: Store, draft: TradeDraft, source: models.Wallet) -> models.Wallet | Obstacle:
    target = parties.wallet_of(store, draft.buy_wallet_id)
    if target is None or target.currency is None:
        return _missing(Step.BUY, "the wallet to buy into", draft.buy_wallet_id)
    if trouble := target_trouble(source, target):
        return Obstacle(Step.BUY, f"{target.wallet_name or target.wallet_id}: {trouble}.")
    return target


def _payee(store: Store, draft: TradeDraft, source: models.Wallet) -> Payee | Obstacle:
    recipient = store.recipients.get(draft.recipient_id) if draft.recipient_id else None
    if recipient is None:
        return _missing(Step.BUY, "a recipient", draft.recipient_id)
    where = Step.BUY if lists_payees(store) else Step.ADDRESS
    address = parties.address_of(store, recipient.recipient_id, draft.payment_address_id)
    if address is None or address.currency is None:
        return _missing(where, "an account of the recipient", draft.payment_address_id)
    if trouble := payee_trouble(source, recipient, address):
        return Obstacle(where, f"{recipient_title(recipient)}: {trouble}.")
    return Payee(recipient, address)


def _missing(step: Step, what: str, key: str | None) -> Obstacle:
    return Obstacle(step, f"Choose {what}." if key is None else f"{key}: {parties.GONE}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """A trade that can be confirmed; equal deals look the same and book the same.

    Attributes:
        legs: without balances, which may change.
        side: the fixed side, of `amount`.
        quote: the sheet of the locked rate; None for the service's rate at booking.
        reference: as typed, without paytui's tag.
        extra: the service's own fields, by name, as they are sent.
        indication: without a locked rate, the last known one, to estimate the other amount.
    """

    legs: Legs
    side: Side
    amount: Decimal
    quote: models.RateSheet | None = None
    reference: str = ""
    extra: tuple[tuple[str, str], ...] = ()
    indication: Decimal | None = None

    @property
    def rate(self) -> Decimal | None:
        """The locked rate, or the last known one."""
        return self.indication if self.quote is None else rate_of(self.quote, self.legs.pair)

    @property
    def other_amount(self) -> Decimal | None:
        """The estimated amount of the other side."""
        fixed = self.legs.currency(self.side)
        return other_amount(self.legs.pair, fixed, self.amount, self.rate)

    @property
    def sold(self) -> Decimal | None:
        """The amount that leaves the wallet, perhaps estimated."""
        return self.amount if self.side is Side.SELL else self.other_amount

    @property
    def request(self) -> TradeRequest:
        target, sells = self.legs.target, self.side is Side.SELL
        payee = target if isinstance(target, Payee) else None
        return TradeRequest(
            account_id=self.legs.source.account_id,
            sell_currency=self.legs.pair.sell,
            buy_currency=self.legs.pair.buy,
            sell_wallet_id=self.legs.source.wallet_id,
            sell_amount=self.amount if sells else None,
            buy_amount=None if sells else self.amount,
            buy_wallet_id=target.wallet_id if isinstance(target, models.Wallet) else None,
            recipient_id=payee.recipient.recipient_id if payee else None,
            payment_address_id=payee.address.payment_address_id if payee else None,
            rate_sheet_id=self.quote.rate_sheet_id if self.quote else None,
            reference=self.reference or None,
            extra=dict(self.extra),
        )

    @property
    def title(self) -> str:
        """The title: `Trade sells 250,000.00 AUD for USD`."""
        pair, fixed = self.legs.pair, echo(self.amount, self.legs.currency(self.side))
        if self.side is Side.SELL:
            return f"Trade sells {fixed} for {pair.buy}"
        return f"Trade buys {fixed} for {pair.sell}"


def deal_of(ui: UiContext, draft: TradeDraft) -> Deal | Obstacle:
    """Return the deal of a draft without its rate, or the first obstacle to it."""
    legs = legs_of(ui.store, draft)
    if isinstance(legs, Obstacle):
        return legs
    amount = amount_of(draft, legs)
    if isinstance(amount, Obstacle):
        return amount
    takes_reference = ui.vocabulary.takes(REQUEST, "reference")
    if takes_reference:
        why = parties.reference_trouble(ui.vocabulary, REQUEST, draft.reference)
        if not draft.reference and isinstance(legs.target, Payee):
            why = why or NO_REFERENCE
        if why:
            return Obstacle(Step.REFERENCE, why)
    asked = service_fields(ui.vocabulary, REQUEST)
    for one in asked:
        if why := one.trouble(draft.extra):
            return Obstacle(one, why)
    target = legs.target
    if isinstance(target, models.Wallet):
        target = parties.without_balances(target)
    return Deal(
        legs=Legs(parties.without_balances(legs.source), target, legs.pair),
        side=draft.side,
        amount=amount,
        reference=draft.reference if takes_reference else "",
        extra=extra_of(asked, draft.extra),
    )


def steps_of(
    ui: UiContext, draft: TradeDraft, legs: Legs | Obstacle, at: TradeStep
) -> tuple[TradeStep, ...]:
    """Return the steps in order; `PROOF` only for a new or changed account."""
    is_payee = draft.recipient_id is not None and not lists_payees(ui.store)
    has_address = is_payee or at is Step.ADDRESS
    chosen = (step for step in PARTIES if step is not Step.ADDRESS or has_address)
    address = paid_address(legs)
    asked = at is Step.PROOF or (address is not None and is_new_account(ui, address))
    whose = (Step.PROOF,) if asked else ()
    reference = (Step.REFERENCE,) if ui.vocabulary.takes(REQUEST, "reference") else ()
    written = (*reference, *service_fields(ui.vocabulary, REQUEST))
    return (*chosen, Step.AMOUNT, *written, *whose, Step.RATE, Step.CONFIRM)


def paid_address(legs: Legs | Obstacle) -> models.PaymentAddress | None:
    """Return the recipient's account that is paid; None if a wallet is."""
    return parties.paid_account(legs.target) if isinstance(legs, Legs) else None


def options_of(ui: UiContext, draft: TradeDraft, step: TradeStep) -> tuple[Option, ...]:
    if isinstance(step, ServiceField):
        return step.options()
    store = ui.store
    source = parties.wallet_of(store, draft.sell_wallet_id)
    match step:
        case Step.ACCOUNT:
            return accounts(store)
        case Step.SELL:
            return sources(store, draft.account_id)
        case Step.BUY if source:
            return targets(ui, source)
        case Step.ADDRESS if source and draft.recipient_id:
            recipient = store.recipients.get(draft.recipient_id)
            return _accounts_of(ui, source, recipient) if recipient else ()
        case _:
            return ()


def identifier_templates(
    store: Store, draft: TradeDraft, step: TradeStep
) -> tuple[models.Record, ...]:
    address = models.PaymentAddress(models.PaymentAddressId(""), recipient_id=draft.recipient_id)
    named: dict[TradeStep, tuple[models.Record, ...]] = {
        Step.ACCOUNT: (models.Account(models.AccountId("")),),
        Step.SELL: (models.Wallet(models.WalletId(""), account_id=draft.account_id),),
        Step.BUY: (models.Wallet(models.WalletId("")), models.Recipient(models.RecipientId(""))),
        Step.ADDRESS: (address,),
    }
    return parties.unlisted(store, *named.get(step, ()))


def choice_at(store: Store, draft: TradeDraft, step: TradeStep) -> str | None:
    if isinstance(step, ServiceField):
        return step.text(draft.extra) or None
    payee = draft.payment_address_id if lists_payees(store) else draft.recipient_id
    payee_key = _payee_key(store, payee) if payee else None
    return {
        Step.ACCOUNT: draft.account_id,
        Step.SELL: draft.sell_wallet_id,
        Step.BUY: payee_key or draft.buy_wallet_id,
        Step.ADDRESS: draft.payment_address_id,
    }.get(step)


def with_choice(store: Store, draft: TradeDraft, step: TradeStep, key: str) -> TradeDraft:
    match step:
        case ServiceField():
            return replace(draft, extra={**draft.extra, step.name: key})
        case Step.ACCOUNT:
            return replace(draft, account_id=models.AccountId(key))
        case Step.SELL:
            return replace(draft, sell_wallet_id=models.WalletId(key))
        case Step.RATE:
            return replace(draft, pricing=Pricing(key))
        case Step.ADDRESS:
            return replace(draft, payment_address_id=models.PaymentAddressId(key))
        case _:
            return _with_target(store, draft, key)


def _with_target(store: Store, draft: TradeDraft, key: str) -> TradeDraft:
    draft = replace(draft, buy_wallet_id=None, recipient_id=None, payment_address_id=None)
    if store.wallets.get(models.WalletId(key)) is not None:
        return replace(draft, buy_wallet_id=models.WalletId(key))
    key = key.removeprefix(_PAYEE)
    if not lists_payees(store):
        return replace(draft, recipient_id=models.RecipientId(key))
    known = addresses_by_recipient(store, store.recipients.rows())
    for recipient_id, found in known.items():
        if any(address.payment_address_id == key for address in found):
            address_id = models.PaymentAddressId(key)
            return replace(draft, recipient_id=recipient_id, payment_address_id=address_id)
    return draft


_PAYEE = "payee "


def _payee_key(store: Store, identifier: str) -> str:
    """Return the key of a payee's option: a service may number wallets and payees alike."""
    is_wallet_too = store.wallets.get(models.WalletId(identifier)) is not None
    return f"{_PAYEE}{identifier}" if is_wallet_too else identifier


def accounts(store: Store) -> tuple[Option, ...]:
    """Return the accounts; those without a wallet cannot sell."""
    owners = {wallet.account_id for wallet in store.wallets.rows()}
    listed = store.feed(models.Kind.WALLETS).offered
    return parties.by_name(
        Option(
            key=account.account_id,
            name=account_title(account),
            facts=account.kind or "",
            why_not="" if account.account_id in owners or not listed else "no wallet",
        )
        for account in store.accounts.rows()
    )


def sources(store: Store, account_id: models.AccountId | None) -> tuple[Option, ...]:
    return parties.by_name(
        parties.wallet_option(store, wallet, parties.wallet_trouble(wallet))
        for wallet in store.wallets.rows()
        if wallet.account_id == account_id
    )


def targets(ui: UiContext, source: models.Wallet) -> tuple[Option, ...]:
    """Return the targets of a trade: wallets of any account, and recipients (service.md §1)."""
    store = ui.store
    own, others = [], []
    for wallet in store.wallets.rows():
        option = parties.wallet_option(store, wallet, target_trouble(source, wallet))
        if wallet.account_id != source.account_id:
            others.append(replace(option, facts=parties.other_owner_words(store, wallet)))
        elif wallet.wallet_id != source.wallet_id:
            own.append(option)
    # Wallets of the selling account come first, those of other accounts last.
    options = (
        *parties.by_name(own),
        *parties.by_name((_accounts if lists_payees(store) else _payees)(ui, source)),
        *parties.by_name(others),
    )
    return tuple(sorted(options, key=lambda option: option.why_not != ""))


def _payees(ui: UiContext, source: models.Wallet) -> Iterator[Option]:
    for recipient in ui.store.recipients.rows():
        troubles = [one.why_not for one in _accounts_of(ui, source, recipient)]
        yield Option(
            key=_payee_key(ui.store, recipient.recipient_id),
            name=recipient_title(recipient),
            facts=f"recipient {parties.distinguishing_id(recipient)}".rstrip(),
            why_not=troubles[0] if troubles and all(troubles) else "",
        )


def _accounts_of(
    ui: UiContext, source: models.Wallet, recipient: models.Recipient
) -> tuple[Option, ...]:
    return parties.addresses(ui, recipient, partial(payee_trouble, source, recipient))


def _accounts(ui: UiContext, source: models.Wallet) -> Iterator[Option]:
    rows = ui.store.recipients.rows()
    known = addresses_by_recipient(ui.store, rows)
    for recipient in rows:
        kind = f"recipient {parties.distinguishing_id(recipient)}".rstrip()
        for address in known[recipient.recipient_id]:
            about = (
                kind,
                parties.address_title(ui, address),
                parties.address_facts(ui, address),
            )
            yield Option(
                key=_payee_key(ui.store, address.payment_address_id),
                name=recipient_title(recipient),
                facts="  ".join(filter(None, about)),
                why_not=payee_trouble(source, recipient, address),
            )


def pair_hint(store: Store, draft: TradeDraft, step: TradeStep) -> str:
    """Return a hint about the wanted pair at a step; empty if there is none."""
    pair = draft.wanted
    if pair is None or (step is Step.BUY and _sold(store, draft) != pair.sell):
        return ""
    if isinstance(step, ServiceField):
        return ""
    what = {
        Step.ACCOUNT: f"the account to sell {pair.sell} from",
        Step.SELL: f"the wallet to sell {pair.sell} from",
        Step.BUY: f"the wallet or recipient for the {pair.buy}",
    }.get(step)
    return f"{pair.sell} > {pair.buy}: choose {what}." if what else ""


def suggested_option(
    store: Store, draft: TradeDraft, step: TradeStep, options: tuple[Option, ...]
) -> str | None:
    """Return the option under the cursor: the chosen one, else the first that fits."""
    fitting = _fitting(store, draft, step, options)
    return choice_at(store, draft, step) or next(fitting, None)


def _fitting(
    store: Store, draft: TradeDraft, step: TradeStep, options: tuple[Option, ...]
) -> Iterator[str]:
    if not pair_hint(store, draft, step) or draft.wanted is None:
        return
    pair, offered = draft.wanted, [one.key for one in options if not one.why_not]
    if step is Step.ACCOUNT:
        owners = {wallet.account_id for wallet in _in(store, pair.sell)}
        yield from (key for key in offered if models.AccountId(key) in owners)
        return
    currency = pair.sell if step is Step.SELL else pair.buy
    wallets = {wallet.wallet_id: wallet for wallet in _in(store, currency)}
    found = [wallets[models.WalletId(key)] for key in offered if models.WalletId(key) in wallets]
    # Only wallets of the selling account are suggested.
    yield from (one.wallet_id for one in found if one.account_id == draft.account_id)


def _in(store: Store, currency: CurrencyCode) -> Iterator[models.Wallet]:
    return (wallet for wallet in store.wallets.rows() if wallet.currency == currency)


def _sold(store: Store, draft: TradeDraft) -> CurrencyCode | None:
    source = parties.wallet_of(store, draft.sell_wallet_id)
    return source.currency if source else None
