"""The state machine of a trade, from the first step to the end of the intent.

Money moves only by `confirm()`: it makes exactly one intent, of the review that was shown, if the
current one is equal and its rate is still good.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TypeVar

from paytui.domain.bank_fingerprint import bank_fingerprint
from paytui.domain.intent import Intent, IntentRow, without_tag
from paytui.domain.models import Account, AccountId, Problem, RateSheet, Recipient, Trade, Wallet
from paytui.domain.money import CurrencyCode, Pair, plain
from paytui.platform.text import clean
from paytui.store.payees import addresses_of
from paytui.store.relations import account_of
from paytui.store.views.rates import last_known_rate
from paytui.tui.context import UiContext
from paytui.tui.guards.payee_warnings import ends_with
from paytui.tui.wizards.common_steps import CHANGED, WRONG_ENDING, TypedText
from paytui.tui.wizards.payment.machine import outcome_words
from paytui.tui.wizards.payment.options import wallet_trouble
from paytui.tui.wizards.payment.view import has_failed
from paytui.tui.wizards.protocol import StepView
from paytui.tui.wizards.rate_lock import RateLock, requote_key
from paytui.tui.wizards.service_fields import ServiceField, answers_before
from paytui.tui.wizards.trade.draft import (
    PARTIES,
    REQUEST,
    Deal,
    Legs,
    Obstacle,
    Pricing,
    Side,
    Step,
    TradeDraft,
    amount_of,
    checked_extra,
    legs_need_account_check,
    legs_of,
    legs_without_balances,
    lists_payees,
    paid_address,
    steps_of,
)
from paytui.tui.wizards.trade.options import with_choice
from paytui.tui.wizards.trade.review import TradeReview, review_of
from paytui.tui.wizards.trade.view import TradeState, view_of

_ASKED_AT = (
    ("sellwallet", Step.SELL),
    ("sellcurrency", Step.SELL),
    ("buywallet", Step.BUY),
    ("buycurrency", Step.BUY),
    ("recipient", Step.BUY),
    ("paymentaddress", Step.ADDRESS),
    ("paymentaddress", Step.BUY),
    ("amount", Step.AMOUNT),
    ("reference", Step.REFERENCE),
)
"""Parts of lower-case field names without underscores, and the step that asks for them."""


def refused_step(
    problem: Problem | None, asked: Sequence[Step | ServiceField]
) -> Step | ServiceField:
    """Return the step of the first field in a complaint; the rate step if there is none."""
    added = {one.field.key: one for one in asked if isinstance(one, ServiceField)}
    for field in problem.fields if problem else ():
        if field.field in added:
            return added[field.field]
        name = field.field.replace("_", "").lower()
        for part, step in _ASKED_AT:
            if part in name and step in asked:
                return step
    return Step.RATE


def refusal_words(row: IntentRow) -> str:
    """Return the outcome of an earlier attempt."""
    problem = row.problem
    if problem is None:
        return f"{outcome_words(row)}."
    fields = "; ".join(f"{one.field}: {one.message}" for one in problem.fields)
    said = fields or problem.said or problem.what
    return f"{outcome_words(row)}: {said}"


class TradeWizard:
    """One trade: every method but `view()` is an event."""

    def __init__(self, desk: UiContext, draft: TradeDraft) -> None:
        self._desk = desk
        self._draft = replace(draft, account_id=draft.account_id or _only_account(desk))
        self._trouble = ""
        self._typed = TypedText()
        self._lock: RateLock | None = None
        self._indication: Decimal | None = None
        self._intent: Intent | None = None
        self._intent_id = desk.maker.new_id()
        self._proven = ""
        self._step: Step | ServiceField = Step.ACCOUNT
        self._go_to(self._first_open())

    def view(self) -> StepView:
        """Return the current step, or the outcome of the confirmed intent."""
        legs = self._legs()
        scene = TradeState(
            draft=self._draft,
            step=self._step,
            steps=steps_of(self._desk, self._draft, legs, self._step),
            intent_id=self._intent_id,
            proven=self._proven,
            trouble=self._trouble,
            legs=legs if isinstance(legs, Legs) else None,
            lock=self._lock,
            deal=self._deal(),
            intent=self._intent,
        )
        return view_of(self._desk, scene)

    def chosen(self, key: str) -> None:
        """Answer with an option, or say why it cannot be chosen."""
        option = next((one for one in self.view().options if one.key == key), None)
        if option is None or option.why_not:
            self._trouble = f"{option.name}: {option.why_not}." if option else ""
            return
        self._draft = with_choice(self._desk.store, self._draft, self._step, key)
        self._go_on()

    def typed(self, text: str) -> None:
        """Take the text so far; only `go_on()` leaves the step."""
        self._trouble = ""
        if self._step is Step.AMOUNT:
            self._draft = replace(self._draft, amount=text)
        elif self._step is Step.REFERENCE:
            self._draft = replace(self._draft, reference=without_tag(clean(text)))
        elif isinstance(self._step, ServiceField):
            self._draft = with_choice(self._desk.store, self._draft, self._step, clean(text))
        elif self._step is Step.PROOF:
            self._typed = TypedText(text)
        elif deal := self._deal():
            self._typed = TypedText(text, self._review(deal))

    def go_on(self) -> None:
        """Go to the next step if the typed text is valid."""
        step = self._step
        if step is Step.PROOF:
            self._prove()
        elif isinstance(step, ServiceField):
            if step.name not in self._draft.extra:
                self.typed("")
            self._take()
        elif step in (Step.AMOUNT, Step.REFERENCE):
            self._take()

    def back(self) -> bool:
        """Go one step back with all answers; from the end only after a failure."""
        if self._intent is not None:
            return self._back_from_end()
        steps = self._steps
        place = steps.index(self._step)
        if place:
            self._go_to(steps[place - 1])
        return place > 0

    def act(self, action: str) -> None:
        """Fix the other side, or request a new rate."""
        if action == "side" and self._step is Step.AMOUNT:
            self._draft = replace(self._draft, side=self._draft.side.other)
        elif action == "requote" and self._lock and self._deals_in_rates:
            self._lock.ask()
            self._trouble = ""

    def confirm(self, shown: object) -> None:
        """Submit the review that was shown, once, if the current one is equal."""
        deal = self._deal()
        if self._intent is not None or self._step is not Step.CONFIRM or deal is None:
            return
        review = self._review(deal)
        if review != shown:
            self._trouble = CHANGED
        elif self._lock_has_ended(deal):
            self._trouble = (
                f"Its rate is no longer good: {requote_key(self._desk)} asks for a new one."
            )
        elif why_not := review.why_not(self._typed.while_shown(review)):
            self._trouble = why_not
        else:
            self._submit(deal)

    def tick(self) -> None:
        """Do nothing: the rate is checked whenever it is shown."""

    def store_changed(self) -> None:
        """Take a requested rate."""
        if self._lock is not None and self._lock.poll():
            self._trouble = ""

    def _submit(self, deal: Deal) -> None:
        self._intent = self._desk.maker.make(
            deal.request,
            title=deal.title,
            confirmed_at=self._desk.time.latest(),
            account_id=self._draft.account_id,
            quote=deal.quote,
            paid=paid_address(deal.legs),
            intent_id=self._intent_id,
        )
        self._desk.port.submit(self._intent)

    def _deal(self) -> Deal | None:
        """Return the deal to be confirmed; None while something is missing."""
        legs = self._legs()
        amount = legs if isinstance(legs, Obstacle) else amount_of(self._draft, legs)
        if isinstance(legs, Obstacle) or isinstance(amount, Obstacle):
            return None
        extra = checked_extra(self._desk.vocabulary, self._draft, legs)
        if isinstance(extra, Obstacle):
            return None
        draft, quote = self._draft, self._held(legs)
        if draft.pricing is Pricing.LOCKED and quote is None:
            return None
        return Deal(
            legs=legs_without_balances(legs),
            side=draft.side,
            amount=amount,
            quote=quote,
            reference=draft.reference if self._takes_reference else "",
            extra=extra,
            indication=None if quote else self._indication,
        )

    def _held(self, legs: Legs) -> RateSheet | None:
        """Return the held sheet if it prices these legs and a rate is to be locked."""
        lock = self._lock
        if self._draft.pricing is not Pricing.LOCKED or lock is None or lock.asking:
            return None
        return lock.sheet if lock.rate is not None and lock.pair == legs.pair else None

    def _lock_has_ended(self, deal: Deal) -> bool:
        return deal.quote is not None and not (self._lock and self._lock.is_good)

    @property
    def _deals_in_rates(self) -> bool:
        locked = self._draft.pricing is Pricing.LOCKED
        at = self._step is Step.RATE or (self._step is Step.CONFIRM and locked)
        return at and self._intent is None

    def _review(self, deal: Deal) -> TradeReview:
        return review_of(self._desk, deal, self._proven, self._intent_id)

    @property
    def _takes_reference(self) -> bool:
        return self._desk.vocabulary.takes(REQUEST, "reference")

    def _take(self) -> None:
        """Go on if the typed text is valid."""
        found = self._obstacle()
        if found is not None and (found.step == self._step or isinstance(self._legs(), Obstacle)):
            self._trouble = found.why
        else:
            self._go_on()

    def _go_on(self) -> None:
        """Go to the next step; `_go_to` inserts `PROOF` if it is needed."""
        steps = self._steps
        after = steps[steps.index(self._step) + 1]
        self._go_to(Step.RATE if after is Step.PROOF else after)

    def _go_to(self, step: Step | ServiceField) -> None:
        self._step, self._trouble, self._typed = step, "", TypedText()
        legs = self._legs()
        if step not in PARTIES and isinstance(legs, Obstacle):
            self._step, self._trouble = legs.step, legs.why
        elif isinstance(legs, Legs) and self._step in (Step.RATE, Step.CONFIRM):
            if legs_need_account_check(self._desk, legs, self._proven):
                self._step = Step.PROOF
            else:
                self._price(legs)

    def _prove(self) -> None:
        """Take the end of a new account's number, if it matches."""
        address = paid_address(self._legs())
        if address is None or not ends_with(address, self._typed.text):
            self._trouble = WRONG_ENDING
            return
        self._proven = bank_fingerprint(address)
        self._go_to(Step.RATE)

    def _price(self, legs: Legs) -> None:
        """Hold a rate of the pair, and note the last known one."""
        if self._lock is None or self._lock.pair != legs.pair:
            self._lock = RateLock(self._desk, legs.pair)
        self._indication = self._lock.rate or last_known_rate(self._desk.store, legs.pair)

    def _first_open(self) -> Step | ServiceField:
        """Return the first step without a valid answer."""
        if self._draft.account_id is None:
            return Step.ACCOUNT
        found = self._obstacle()
        return found.step if found is not None else Step.RATE

    def _obstacle(self) -> Obstacle | None:
        """Return the first missing or wrong answer; None if all are good."""
        legs = self._legs()
        if isinstance(legs, Obstacle):
            return legs
        for found in (
            amount_of(self._draft, legs),
            checked_extra(self._desk.vocabulary, self._draft, legs),
        ):
            if isinstance(found, Obstacle):
                return found
        return None

    def _back_from_end(self) -> bool:
        """Go to the refused step after a failure; else return False, to close the screen."""
        row = self._row
        if row is None or not has_failed(row):
            return False
        self._intent = None
        self._intent_id = self._desk.maker.new_id()
        self._go_to(refused_step(row.problem, self._steps))
        self._trouble = refusal_words(row)
        return True

    @property
    def _row(self) -> IntentRow | None:
        intent = self._intent
        return None if intent is None else self._desk.store.intents.get(intent.intent_id)

    @property
    def _steps(self) -> tuple[Step | ServiceField, ...]:
        return steps_of(self._desk, self._draft, self._legs(), self._step)

    def _legs(self) -> Legs | Obstacle:
        return legs_of(self._desk.store, self._draft)


def _only_account(desk: UiContext) -> AccountId | None:
    """Return the scoped account, or the only one there is."""
    keys = desk.store.accounts.keys()
    return desk.scope or (next(iter(keys)) if len(keys) == 1 else None)


T = TypeVar("T")


def trade_from(desk: UiContext, subject: object) -> TradeWizard:
    """Return the wizard of a trade, filled in from the selected object."""
    return TradeWizard(desk, _draft(desk, subject))


def _draft(desk: UiContext, subject: object) -> TradeDraft:
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


def _of_pair(desk: UiContext, pair: Pair) -> TradeDraft:
    """Return a draft with the only wallets and account that fit a pair."""
    sellers = _wallets(desk, pair.sell)
    sold = _only(sellers)
    owner = _only({wallet.account_id for wallet in sellers})
    bought = _only(_wallets(desk, pair.buy))
    # The target defaults to the selling account; another one has to be chosen.
    stays = bought is not None and bought.account_id == owner
    return TradeDraft(
        account_id=owner,
        sell_wallet_id=sold.wallet_id if sold else None,
        buy_wallet_id=bought.wallet_id if bought and stays else None,
        wanted=pair,
    )


def _again(desk: UiContext, trade: Trade) -> TradeDraft:
    """Return the draft of a trade like an earlier one, at a new rate."""
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


def _for_recipient(desk: UiContext, recipient: Recipient) -> TradeDraft:
    address = _only(addresses_of(desk.store, recipient))
    is_chosen = address is not None or not lists_payees(desk.store)
    return TradeDraft(
        account_id=recipient.account_id,
        recipient_id=recipient.recipient_id if is_chosen else None,
        payment_address_id=address.payment_address_id if address else None,
    )


def _wallets(desk: UiContext, currency: CurrencyCode) -> list[Wallet]:
    return [
        wallet
        for wallet in desk.store.wallets.rows()
        if wallet.currency == currency
        and desk.scope in (None, wallet.account_id)
        and not wallet_trouble(wallet)
    ]


def _only(found: Iterable[T]) -> T | None:
    """Return the only item; None if there are none or several."""
    items = tuple(found)
    return items[0] if len(items) == 1 else None
