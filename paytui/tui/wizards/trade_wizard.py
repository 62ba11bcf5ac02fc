"""The state machine of a trade, from the first step to the end of the intent.

Money moves only by `confirm()`: it makes exactly one intent, of the review that was shown, if the
current one is equal and its rate is still good.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TypeVar

from paytui.domain.intent import Intent, IntentRow, without_tag
from paytui.domain.models import (
    Account,
    Problem,
    Recipient,
    Trade,
    Wallet,
)
from paytui.domain.money import CurrencyCode, Pair, plain
from paytui.platform.text import clean
from paytui.store.figures import last_known_rate
from paytui.store.names import account_of
from paytui.store.payees import addresses_of
from paytui.tui.guards.payee_warnings import needs_account_check
from paytui.tui.step_protocol import StepView, Wizard
from paytui.tui.ui_context import UiContext
from paytui.tui.wizards import common_steps, trade_draft
from paytui.tui.wizards.outcome import failed_row, outcome_words
from paytui.tui.wizards.parties import wallet_trouble
from paytui.tui.wizards.rate_lock import RateLock, requote_key
from paytui.tui.wizards.trade_view import TradeState, review_of, view_of

_ASKED_AT = (
    ("sellwallet", trade_draft.Step.SELL),
    ("sellcurrency", trade_draft.Step.SELL),
    ("buywallet", trade_draft.Step.BUY),
    ("buycurrency", trade_draft.Step.BUY),
    ("recipient", trade_draft.Step.BUY),
    ("paymentaddress", trade_draft.Step.ADDRESS),
    ("paymentaddress", trade_draft.Step.BUY),
    ("amount", trade_draft.Step.AMOUNT),
    ("reference", trade_draft.Step.REFERENCE),
)
"""Parts of lower-case field names without underscores, and the step that asks for them."""


def refused_step(
    problem: Problem | None, asked: Sequence[trade_draft.TradeStep]
) -> trade_draft.TradeStep:
    """Return the step of the first field in a complaint; the rate step if there is none."""
    added = {one.field.key: one for one in asked if isinstance(one, common_steps.ServiceField)}
    for field in problem.fields if problem else ():
        if field.field in added:
            return added[field.field]
        name = field.field.replace("_", "").lower()
        for part, step in _ASKED_AT:
            if part in name and step in asked:
                return step
    return trade_draft.Step.RATE


def refusal_words(row: IntentRow) -> str:
    """Return the outcome of an earlier attempt."""
    problem = row.problem
    if problem is None:
        return f"{outcome_words(row)}."
    fields = "; ".join(f"{one.field}: {one.message}" for one in problem.fields)
    said = fields or problem.said or problem.what
    return f"{outcome_words(row)}: {said}"


class TradeWizard(Wizard):
    """One trade: every method but `view()` is an event."""

    def __init__(self, ui: UiContext, draft: trade_draft.TradeDraft) -> None:
        self._ui = ui
        only = _only(ui.store.accounts.keys())
        self._draft = replace(draft, account_id=draft.account_id or ui.scope or only)
        self._trouble = ""
        self._typed = common_steps.TypedText()
        self._lock: RateLock | None = None
        self._indication: Decimal | None = None
        self._intent: Intent | None = None
        self._intent_id = ui.maker.new_id()
        self._proven = ""
        self._step: trade_draft.TradeStep = trade_draft.Step.ACCOUNT
        found = self._obstacle()
        first = trade_draft.Step.RATE if found is None else found.step
        self._go_to(trade_draft.Step.ACCOUNT if self._draft.account_id is None else first)

    def view(self) -> StepView:
        legs = self._legs()
        scene = TradeState(
            draft=self._draft,
            step=self._step,
            steps=trade_draft.steps_of(self._ui, self._draft, legs, self._step),
            intent_id=self._intent_id,
            proven=self._proven,
            trouble=self._trouble,
            legs=legs if isinstance(legs, trade_draft.Legs) else None,
            lock=self._lock,
            deal=self._deal(),
            intent=self._intent,
        )
        return view_of(self._ui, scene)

    def chosen(self, key: str) -> None:
        option = next((one for one in self.view().options if one.key == key), None)
        if option is None or option.why_not:
            self._trouble = f"{option.name}: {option.why_not}." if option else ""
            return
        self._draft = trade_draft.with_choice(self._ui.store, self._draft, self._step, key)
        self._go_on()

    def typed(self, text: str) -> None:
        self._trouble = ""
        if self._step is trade_draft.Step.AMOUNT:
            self._draft = replace(self._draft, amount=text)
        elif self._step is trade_draft.Step.REFERENCE:
            self._draft = replace(self._draft, reference=without_tag(clean(text)))
        elif isinstance(self._step, common_steps.ServiceField):
            self._draft = trade_draft.with_choice(
                self._ui.store, self._draft, self._step, clean(text)
            )
        elif self._step is trade_draft.Step.PROOF:
            self._typed = common_steps.TypedText(text)
        elif deal := self._deal():
            self._typed = common_steps.TypedText(text, self._review(deal))

    def go_on(self) -> None:
        step = self._step
        if step is trade_draft.Step.PROOF:
            self._prove()
        elif isinstance(step, common_steps.ServiceField):
            if step.name not in self._draft.extra:
                self.typed("")
            self._take()
        elif step in (trade_draft.Step.AMOUNT, trade_draft.Step.REFERENCE):
            self._take()

    def back(self) -> bool:
        """Go one step back with all answers; from the end only after a failure."""
        if self._intent is not None:
            return self._back_from_end(self._intent)
        steps = self._steps
        place = steps.index(self._step)
        if place:
            self._go_to(steps[place - 1])
        return place > 0

    def act(self, action: str) -> None:
        """Fix the other side, or request a new rate."""
        if action == "side" and self._step is trade_draft.Step.AMOUNT:
            self._draft = replace(self._draft, side=self._draft.side.other)
        elif action == "requote" and self._lock and self._intent is None:
            is_locked = self._draft.pricing is trade_draft.Pricing.LOCKED
            if self._step is trade_draft.Step.RATE or (
                self._step is trade_draft.Step.CONFIRM and is_locked
            ):
                self._lock.ask()
                self._trouble = ""

    def confirm(self, shown: object) -> None:
        """Submit the review that was shown, once, if the current one is equal."""
        deal = self._deal()
        if self._intent is not None or self._step is not trade_draft.Step.CONFIRM or deal is None:
            return
        review = self._review(deal)
        if review != shown:
            self._trouble = common_steps.CHANGED
        elif deal.quote is not None and not (self._lock and self._lock.is_good):
            self._trouble = f"The rate has expired: press {requote_key(self._ui)} for a new one."
        elif why_not := review.why_not(self._typed.while_shown(review)):
            self._trouble = why_not
        else:
            self._submit(deal)

    def store_changed(self) -> None:
        if self._lock is not None and self._lock.poll():
            self._trouble = ""

    def _submit(self, deal: trade_draft.Deal) -> None:
        self._intent = self._ui.maker.make(
            deal.request,
            title=deal.title,
            confirmed_at=self._ui.time.latest(),
            account_id=self._draft.account_id,
            quote=deal.quote,
            paid=trade_draft.paid_address(deal.legs),
            intent_id=self._intent_id,
        )
        self._ui.port.submit(self._intent)

    def _deal(self) -> trade_draft.Deal | None:
        deal, lock, quote = trade_draft.deal_of(self._ui, self._draft), self._lock, None
        if isinstance(deal, trade_draft.Obstacle):
            return None
        if self._draft.pricing is trade_draft.Pricing.LOCKED:
            is_held = lock is not None and not lock.asking and lock.rate is not None
            quote = lock.sheet if lock and is_held and lock.pair == deal.legs.pair else None
            if quote is None:
                return None
        return replace(deal, quote=quote, indication=None if quote else self._indication)

    def _review(self, deal: trade_draft.Deal) -> common_steps.Review[trade_draft.Deal]:
        return review_of(self._ui, deal, self._proven, self._intent_id)

    def _take(self) -> None:
        found = self._obstacle()
        if found is not None and (
            found.step == self._step or isinstance(self._legs(), trade_draft.Obstacle)
        ):
            self._trouble = found.why
        else:
            self._go_on()

    def _go_on(self) -> None:
        """Go to the next step; `_go_to` inserts `PROOF` if it is needed."""
        steps = self._steps
        after = steps[steps.index(self._step) + 1]
        self._go_to(trade_draft.Step.RATE if after is trade_draft.Step.PROOF else after)

    def _go_to(self, step: trade_draft.TradeStep) -> None:
        self._step, self._trouble, self._typed = step, "", common_steps.TypedText()
        legs = self._legs()
        if step not in trade_draft.PARTIES and isinstance(legs, trade_draft.Obstacle):
            self._step, self._trouble = legs.step, legs.why
        elif isinstance(legs, trade_draft.Legs) and self._step in (
            trade_draft.Step.RATE,
            trade_draft.Step.CONFIRM,
        ):
            address = trade_draft.paid_address(legs)
            if address is not None and needs_account_check(self._ui, address, self._proven):
                self._step = trade_draft.Step.PROOF
                return
            if self._lock is None or self._lock.pair != legs.pair:
                self._lock = RateLock(self._ui, legs.pair)
            self._indication = self._lock.rate or last_known_rate(self._ui.store, legs.pair)

    def _prove(self) -> None:
        if proven := common_steps.fingerprint_if_proven(
            trade_draft.paid_address(self._legs()), self._typed.text
        ):
            self._proven = proven
            self._go_to(trade_draft.Step.RATE)
        else:
            self._trouble = common_steps.WRONG_ENDING

    def _obstacle(self) -> trade_draft.Obstacle | None:
        found = trade_draft.deal_of(self._ui, self._draft)
        return found if isinstance(found, trade_draft.Obstacle) else None

    def _back_from_end(self, intent: Intent) -> bool:
        """Go to the refused step after a failure; else return False, to close the screen."""
        row = failed_row(self._ui, intent)
        if row is None:
            return False
        self._intent = None
        self._intent_id = self._ui.maker.new_id()
        self._go_to(refused_step(row.problem, self._steps))
        self._trouble = refusal_words(row)
        return True

    @property
    def _steps(self) -> tuple[trade_draft.TradeStep, ...]:
        return trade_draft.steps_of(self._ui, self._draft, self._legs(), self._step)

    def _legs(self) -> trade_draft.Legs | trade_draft.Obstacle:
        return trade_draft.legs_of(self._ui.store, self._draft)


T = TypeVar("T")


def trade_from(ui: UiContext, subject: object) -> TradeWizard:
    return TradeWizard(ui, _draft(ui, subject))


def _draft(ui: UiContext, subject: object) -> trade_draft.TradeDraft:
    match subject:
        case Wallet():
            return trade_draft.TradeDraft(
                account_id=subject.account_id, sell_wallet_id=subject.wallet_id
            )
        case Pair():
            return _of_pair(ui, subject)
        case Trade():
            return _again(ui, subject)
        case Recipient():
            address = _only(addresses_of(ui.store, subject))
            is_chosen = address is not None or not trade_draft.lists_payees(ui.store)
            return trade_draft.TradeDraft(
                account_id=subject.account_id,
                recipient_id=subject.recipient_id if is_chosen else None,
                payment_address_id=address.payment_address_id if address else None,
            )
        case Account():
            return trade_draft.TradeDraft(account_id=subject.account_id)
        case _:
            return trade_draft.TradeDraft()


def _of_pair(ui: UiContext, pair: Pair) -> trade_draft.TradeDraft:
    """Return a draft with the only wallets and account that fit a pair."""
    sellers = _wallets(ui, pair.sell)
    sold = _only(sellers)
    owner = _only({wallet.account_id for wallet in sellers})
    bought = _only(_wallets(ui, pair.buy))
    # The target defaults to the selling account; another one has to be chosen.
    stays = bought is not None and bought.account_id == owner
    return trade_draft.TradeDraft(
        account_id=owner,
        sell_wallet_id=sold.wallet_id if sold else None,
        buy_wallet_id=bought.wallet_id if bought and stays else None,
        wanted=pair,
    )


def _again(ui: UiContext, trade: Trade) -> trade_draft.TradeDraft:
    """Return the draft of a trade like an earlier one, at a new rate."""
    buys = trade.dealt_side == trade_draft.Side.BUY
    amount = trade.buy_amount if buys else trade.sell_amount
    return trade_draft.TradeDraft(
        account_id=account_of(ui.store, trade),
        sell_wallet_id=trade.sell_wallet_id,
        buy_wallet_id=trade.buy_wallet_id,
        recipient_id=trade.recipient_id,
        payment_address_id=trade.payment_address_id,
        amount="" if amount is None else plain(amount),
        side=trade_draft.Side.BUY if buys else trade_draft.Side.SELL,
        reference=without_tag(trade.reference),
        extra=common_steps.answers_before(ui.store, trade.trade_transaction_id),
    )


def _wallets(ui: UiContext, currency: CurrencyCode) -> list[Wallet]:
    return [
        wallet
        for wallet in ui.store.wallets.rows()
        if wallet.currency == currency
        and ui.scope in (None, wallet.account_id)
        and not wallet_trouble(wallet)
    ]


def _only(found: Iterable[T]) -> T | None:
    items = tuple(found)
    return items[0] if len(items) == 1 else None
