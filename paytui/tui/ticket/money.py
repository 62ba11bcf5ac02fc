"""The base of the tickets that move money: their order, fields, review and refusals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from paytui.config.spending_limits import day_limit, needs_approval
from paytui.domain import models
from paytui.domain.colleagues import OpenTicket
from paytui.domain.intent import Intent, IntentRow, intent_terms, without_tag
from paytui.domain.models import Kind, Recipient, Record, Wallet
from paytui.domain.money import AmountError, CurrencyCode, Money, Side, parse_amount
from paytui.domain.requests import MoneyRequest, missing_fields
from paytui.platform.text import clean
from paytui.store import payable
from paytui.store.names import account_name, recipient_title
from paytui.store.payable import ANY_ADDRESS, Payee, Target, addresses_of
from paytui.tui import confirmation
from paytui.tui.confirmation import Checks, Demand
from paytui.tui.format.cells import CAREFUL, WRONG, Cell, Tone, amount_words
from paytui.tui.forms import form as forms
from paytui.tui.forms.form import EXTRA
from paytui.tui.ticket import choices, model
from paytui.tui.ticket.choices import identifier_hint, only_option, payee_of
from paytui.tui.ticket.field_names import ACCOUNT, AMOUNT, FROM, REFERENCE, SELL, TO
from paytui.tui.ticket.model import Field, Line, Obstacle, Option, Values, having, line
from paytui.tui.ticket.task import Task, day_lines, day_words, reference_line
from paytui.tui.ui_context import UiContext

_FIELD_OF = {
    "sell_currency": SELL,
    "buy_currency": "buy",
    "currency": FROM,
    "source_wallet_id": FROM,
    "sell_wallet_id": FROM,
    "destination_wallet_id": TO,
    "buy_wallet_id": TO,
    "recipient_id": TO,
    "payment_address_id": ACCOUNT,
}
"""The fields of tickets by the canonical names of the requests' fields, if they are others."""

_LONGEST_REFERENCE = 140  # Characters without the tag: the size of SWIFT field 70 (4 x 35)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A payment or trade that can be confirmed.

    Attributes:
        request: without paytui's tag.
        spent: the amount that leaves the source; None if it is not known.
        quote: the sheet of the locked rate; None for a payment, for the service's rate at booking,
            or while no locked rate is held.
    """

    source: Wallet
    target: Target
    request: MoneyRequest
    title: str
    spent: Money | None
    demand: Demand
    quote: models.RateSheet | None = None


SomeOrder = TypeVar("SomeOrder", bound=Order)


class MoneyTask(Task[SomeOrder]):
    """A ticket that moves money from a wallet to another one or to a recipient."""

    def __init__(self, ui: UiContext, key: str) -> None:
        super().__init__(ui)
        self.key, self.title = key, key.capitalize()
        self.request_name = f"{key}_request"  # In the dialect

    # The fields

    def _choice(
        self,
        values: Values,
        filled: Values,
        key: str,
        label: str,
        options: Callable[[Values, Values], tuple[Option, ...]],
        *named: Record,
        hint: str = "",
    ) -> Field:
        """Return a field of options, or of identifiers of what the service does not list."""
        names, (text, note) = payable.unlisted(self.ui.store, *named), self._chosen(filled, key)
        hint, offered = identifier_hint(names) or hint, partial(options, values, filled)
        return Field(
            key=key, label=label, text=text, note=note, hint=hint, options=offered, names=names
        )

    def _chosen(self, filled: Values, key: str) -> tuple[str, str]:
        """Return the name of what is chosen in a field, and facts about it."""
        if key == ACCOUNT:
            address = self.paid(filled)
            return choices.address_words(self.ui, address) if address else ("", "")
        if (wallet := self._wallet(filled, key)) is not None:
            payer = self._wallet(filled, FROM) if key == TO else None
            owner = choices.owner_words(self.ui.store, wallet, payer)
            note = f"{choices.balance_words(self.ui, wallet)}, {owner}"
            return wallet.wallet_name or wallet.wallet_id, note
        recipient = self._recipient(filled) if key == TO else None
        if recipient is None:
            return "", ""
        return recipient_title(recipient), ", ".join(self.ui.likeness.of(recipient))

    def _account_fields(
        self, values: Values, filled: Values, currency: CurrencyCode | None
    ) -> Iterator[Field]:
        """Yield the field of the account of a recipient; nothing if no recipient is paid."""
        if (recipient := self._recipient(filled)) is not None:
            own = replace(ANY_ADDRESS, recipient_id=recipient.recipient_id, currency=currency)
            yield self._choice(values, filled, ACCOUNT, "Bank account", self._accounts, own)

    def _amount_field(self, key: str, filled: Values, currency: CurrencyCode | None) -> Field:
        """Return the field of an amount, with its currency as note."""
        text, shown = filled.get(key, ""), ""
        if currency:
            with suppress(AmountError):
                shown = amount_words(parse_amount(text, currency), currency)
        return Field(
            key=key,
            label=key.replace("_", " ").capitalize(),
            text=text,
            note=currency or "",
            shown=shown,
            hint="e.g. 2,500.00, 1k or 1.5m",
            judged=partial(self._judged, filled),
        )

    def _judged(self, filled: Values) -> Iterator[Cell]:
        """Yield remarks on the amount; a text that is none is complained about as it is typed."""
        try:
            typed, spent, needs = self._amounts(filled)
        except Obstacle as found:
            if found.why and filled.get(found.field):
                yield Cell(found.why, Tone.CLOSING)
            return
        yield Cell(f"= {amount_words(typed.amount, typed.currency)}", Tone.MONEY)
        yield from self._shortfall(self._wallet(filled, FROM), spent)
        if needs.refusal:
            yield WRONG.cell(needs.refusal)

    def _amounts(self, filled: Values) -> tuple[Money, Money | None, Demand]:
        """Return the amount that was typed, the one that is spent if known, and what they need."""
        raise NotImplementedError

    def _shortfall(self, source: Wallet | None, spent: Money | None) -> Iterator[Cell]:
        """Yield a warning if the wallet is short; a pay-in may come first, so it is not barred."""
        if source is None or source.available_balance is None or spent is None:
            return
        if (lacks := spent.amount - source.available_balance) > 0:
            words = f"! exceeds available by {amount_words(lacks, spent.currency)}"
            yield Cell(f"{words}: the service may refuse it", Tone.CLOSING)

    def _written_fields(self, filled: Values) -> Iterator[Field]:
        """Yield the reference, and the fields that only this service has."""
        vocabulary, request = self.ui.vocabulary, self.request_name
        if vocabulary.takes(request, REFERENCE):
            hint = "required" if self._needs_reference(filled) else "optional"
            text = filled.get(REFERENCE, "")
            yield Field(key=REFERENCE, label="Reference", text=text, hint=hint)
        for one in self._added(filled):
            yield replace(one, hint=one.hint or "may be left empty", finding=None)

    def _added(self, filled: Values) -> tuple[forms.Field, ...]:
        """Return the fields that only this service has, with what they hold."""
        added = forms.added_fields(self.ui.vocabulary, self.request_name)
        return tuple(forms.Section("", added).placed(filled))

    def _written(self, filled: Values) -> tuple[str | None, dict[str, str]]:
        """Return the reference without paytui's tag, and the service's own fields, as sent."""
        reference = ""
        if self.ui.vocabulary.takes(self.request_name, REFERENCE):
            reference = filled.get(REFERENCE, "")
            _check_length(REFERENCE, reference, _LONGEST_REFERENCE)
            if not reference and (why := self._needs_reference(filled)):
                raise Obstacle(REFERENCE, why)
        extra = {}
        for one in self._added(filled):
            if one.key not in filled:
                raise Obstacle(one.key, "Fill in or leave empty.")
            _check_length(one.key, one.value, model.MAX_VALUE_LENGTH)
            if one.finding:
                raise Obstacle(one.key, one.finding.words)
            if one.value:
                extra[one.key.removeprefix(f"{EXTRA}.")] = one.value
        return reference or None, extra

    def _needs_reference(self, filled: Values) -> str:
        """Return why there has to be a reference; empty if it may be left out."""
        required = self.ui.vocabulary.required.get(self.request_name, ())
        return "The service requires a reference." if REFERENCE in required else ""

    def with_text(self, values: Values, key: str, text: str) -> Values:
        """Return the values with a text; a reference is without paytui's tag."""
        text = without_tag(clean(text)) if key == REFERENCE else clean(text)
        return super().with_text(values, key, text)

    # The parties that the values name

    def _wallet(self, values: Values, key: str) -> Wallet | None:
        return payable.wallet_of(self.ui.store, values.get(key))

    def _currency(self, values: Values, key: str) -> CurrencyCode | None:
        wallet = self._wallet(values, key)
        return wallet.currency if wallet else None

    def _party(self, filled: Values, key: str, trouble: Callable[[Wallet], str]) -> Wallet:
        """Return the wallet of a field; raise `Obstacle` if there is none or it has trouble."""
        wallet = self._wallet(filled, key)
        if wallet is None:
            raise missing(key, "a wallet", filled.get(key))
        if why_not := trouble(wallet):
            raise Obstacle(key, f"{wallet.wallet_name or wallet.wallet_id}: {why_not}.")
        return wallet

    def _is_left_behind(self, target: Wallet | None, was: Values, now: Values) -> bool:
        """Return True if a target is of the account whose wallet no longer pays."""
        before, payer = self._wallet(was, FROM), self._wallet(now, FROM)
        if target is None or before is None or payer is None:
            return False
        return payable.is_of_another(target, payer) and not payable.is_of_another(target, before)

    def _recipient(self, values: Values) -> Recipient | None:
        payee_id = payee_of(values.get(TO))
        return self.ui.store.recipients.get(payee_id) if payee_id else None

    def paid(self, filled: Values) -> models.PaymentAddress | None:
        return payable.address_of(self.ui.store, payee_of(filled.get(TO)), filled.get(ACCOUNT))

    def _payers(self, values: Values, filled: Values, key: str) -> list[Wallet]:
        """Return the wallets that may pay a recipient or account chosen at a field.

        Their currency is the one that arrives; None if it is open.
        """
        raise NotImplementedError

    def _accounts(self, values: Values, filled: Values) -> tuple[Option, ...]:
        """Return the accounts of the recipient; one in another currency than is paid is barred."""
        recipient, sold = self._recipient(filled), filled.get(SELL)
        if recipient is None:
            return ()
        payers = self._payers(values, filled, ACCOUNT)
        currencies = {wallet.currency for wallet in payers}
        currency = currencies.pop() if len(currencies) == 1 else None

        def trouble(address: models.PaymentAddress) -> str:
            wrong = payable.address_trouble(address, currency, sold=sold)
            return wrong or payable.payee_trouble(payers, recipient, (address,), sold=sold)

        return choices.addresses(self.ui, recipient, trouble)

    def _with_account(self, values: Values) -> Values:
        """Return the values with the account of the recipient, if only one fits."""
        if ACCOUNT in values:
            return values
        return having(values, **{ACCOUNT: only_option(self._accounts(values, values))})

    def _payee(self, filled: Values, payers: list[Wallet], currency: str | None) -> Payee:
        """Return the recipient, with the account that is paid in a currency."""
        recipient, address, sold = self._recipient(filled), self.paid(filled), filled.get(SELL)
        if recipient is None:
            raise missing(TO, "a recipient", payee_of(filled.get(TO)))
        known = addresses_of(self.ui.store, recipient)
        if trouble := payable.payee_trouble(payers, recipient, known, sold=sold):
            raise Obstacle(TO, f"{recipient_title(recipient)}: {trouble}.")
        if address is None:
            raise missing(ACCOUNT, "an account", filled.get(ACCOUNT))
        if trouble := payable.address_trouble(address, currency, sold=sold):
            raise Obstacle(ACCOUNT, f"This account: {trouble}.")
        return Payee(replace(recipient, payment_addresses=()), address)

    def told(self, filled: Values) -> OpenTicket:
        wallets = (self._wallet(filled, key) for key in (FROM, TO))
        ids = tuple(wallet.wallet_id for wallet in wallets if wallet)
        return OpenTicket(self.key, payee_of(filled.get(TO)), ids)

    # The review and the end

    def review(self, order: SomeOrder) -> Checks:
        ui, request, target = self.ui, order.request, order.target
        checks = Checks(demand=order.demand, barred="")
        if isinstance(target, Payee):
            payee, needs = (target.recipient, target.address), order.demand
            checks = confirmation.check_payee(ui, *payee, proven=self.proven, needs=needs)
        elif payable.is_of_another(target, order.source):
            owner = clean(account_name(ui.store, target.account_id), model.MAX_VALUE_LENGTH)
            checks = replace(checks, warnings=(f"The money goes to another account: {owner}.",))
        # The tag that paytui adds does not count as a reference: `request` is without it.
        required = ui.vocabulary.required.get(self.request_name, ())
        lacking = ", ".join(missing_fields(request, required)).replace("_", " ")
        return replace(
            checks,
            warnings=(
                *checks.warnings,
                *payable.unsure(order.source, target),
                *confirmation.service_warnings(ui, f"{self.noun.lower()}s"),
                *confirmation.duplicate_warnings(ui.store, request, ui.time.latest()),
            ),
            barred=confirmation.may_create(ui)
            or confirmation.not_yet_read(ui, Kind.WALLETS)
            or self._refusal(order)
            or checks.unread
            or (f"The service requires: {lacking}." if lacking else "")
            or checks.barred,
        )

    def _refusal(self, order: SomeOrder) -> str:
        """Return why an order cannot be sent that its parties do not bar; else empty."""
        return ""

    def agreed(self, order: SomeOrder, review: Checks) -> object:
        """Return all facts that the trader agrees to, without balances, which may change."""
        is_short, still = any(self._shortfall(order.source, order.spent)), choices.without_balances
        seen = replace(order, source=still(order.source), target=still(order.target))
        is_over = any(day_words(self._day_limit(order)))
        return (seen, self.intent_id, review.warnings, is_short, is_over, self._is_proposed(order))

    def effect(self, order: SomeOrder) -> str:
        return "propose" if self._is_proposed(order) else super().effect(order)

    def _is_proposed(self, order: SomeOrder) -> bool:
        """Return True if a colleague must approve it, so that it is not sent now."""
        return needs_approval(self.ui.store, intent_terms(order.request, order.quote))

    def review_lines(self, order: SomeOrder, review: Checks) -> Iterator[Line]:
        """Yield all facts to confirm, with the bank as the service lists it."""
        yield from self._order_lines(order, hidden=review.is_hidden)
        yield reference_line(self.ui.maker.as_sent(order.request, self.intent_id).reference)
        extra = {f"{EXTRA}.{name}": text for name, text in order.request.extra.items()}
        yield from (line(one.label, one.text) for one in self._added(extra) if one.text)
        yield from day_lines(self._day_limit(order))
        yield choices.service_line(self.ui)

    def _day_limit(self, order: SomeOrder) -> tuple[bool, str] | None:
        terms = intent_terms(order.request, order.quote)
        return day_limit(self.ui.store, terms, self.ui.time.latest())

    def _order_lines(self, order: SomeOrder, *, hidden: bool) -> Iterator[Line]:
        """Yield amounts and parties; without the account's number if that is `hidden`."""
        raise NotImplementedError

    def _wallet_line(self, label: str, wallet: Wallet, payer: Wallet | None = None) -> Line:
        owner = choices.owner_words(self.ui.store, wallet, payer)
        name = wallet.wallet_name or wallet.wallet_id
        return line(label, name, f"{owner}, {choices.balance_words(self.ui, wallet)}")

    def review_words(self, order: SomeOrder, review: Checks) -> Iterator[Cell]:
        if self._is_proposed(order):
            yield CAREFUL.cell("A colleague must approve it: this proposes it, and sends nothing.")
        yield from day_words(self._day_limit(order))
        yield from self._shortfall(order.source, order.spent)

    def _intent_of(self, order: SomeOrder) -> Intent:
        return self.ui.maker.make(
            order.request,
            title=order.title,
            confirmed_at=self.ui.time.latest(),
            account_id=order.source.account_id,
            quote=order.quote,
            paid=order.target.address if isinstance(order.target, Payee) else None,
            intent_id=self.intent_id,
        )

    def _refused(self, row: IntentRow, path: str) -> tuple[str, str]:
        sent = row.terms.reference or ""
        fixed = Side.SELL if row.terms.currency == row.terms.sell_currency else Side.BUY
        field_of = {**_FIELD_OF, AMOUNT: fixed.amount_field if row.terms.sell_currency else AMOUNT}
        key = field_of.get(path, path)
        if key != REFERENCE or not (added := len(sent) - len(without_tag(sent))):
            return key, ""
        tag = f"{added} of its {len(sent)} characters are the tag {row.intent_id}"
        return key, f" ({tag}: shorten the reference or set tag_reference = false)"


def code_of(values: Values, key: str) -> CurrencyCode | None:
    text = values.get(key)
    return CurrencyCode(text) if text else None


def missing(key: str, what: str, text: str | None) -> Obstacle:
    """Return the obstacle of a party that was not chosen, or is gone."""
    return Obstacle(key, f"{text}: the service no longer lists it." if text else f"Choose {what}.")


def _check_length(key: str, text: str, most: int) -> None:
    if (over := len(text) - most) > 0:
        raise Obstacle(key, f"{over} characters too long (at most {most}).")
