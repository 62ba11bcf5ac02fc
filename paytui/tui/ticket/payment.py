"""The tickets of a payout and of a transfer."""

# ruff: noqa: ARG002 - a declaration need not use all that it is given

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from functools import partial

from paytui.config.settings import Profile
from paytui.domain import models
from paytui.domain.intent import without_tag
from paytui.domain.models import Kind, Payment, Recipient, Record, Wallet
from paytui.domain.money import CurrencyCode, plain
from paytui.domain.requests import PayoutRequest, TransferRequest
from paytui.store.names import recipient_title
from paytui.store.payees import addresses_of
from paytui.tui.details.common_facts import path_of_dialect
from paytui.tui.format.cells import state_cell
from paytui.tui.forms.common_fields import EXTRA, AmountError, echo, parse_amount
from paytui.tui.guards.send_permission import Demand, demand
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ticket import parties
from paytui.tui.ticket.model import (
    Checks,
    Field,
    Line,
    Obstacle,
    Option,
    Values,
    having,
    line,
)
from paytui.tui.ticket.money import (
    ACCOUNT,
    AMOUNT,
    ANY_WALLET,
    FROM,
    REFERENCE,
    MoneyOrder,
    MoneyTask,
    Review,
    answers_before,
    complaint,
    only_option,
    recent_first,
    unfit,
)
from paytui.tui.ticket.parties import Payee, Target
from paytui.tui.ui_context import UiContext

PAYEE, TO = "payee", "to"
"""The keys of the fields, beside those of `money.py`."""

AMOUNT_IN = "amount in"  # The key of the currency that an amount was typed in

_RECENT = 5  # Payees that are offered first


class PaymentKind(StrEnum):
    """The two kinds of payment (service.md §1)."""

    PAYOUT = "payout"
    TRANSFER = "transfer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order(MoneyOrder):
    """A payout or transfer that can be confirmed."""

    currency: CurrencyCode
    amount: Decimal

    @property
    def request(self) -> PayoutRequest | TransferRequest:
        if isinstance(self.target, models.Wallet):
            return TransferRequest(
                account_id=self.source.account_id,
                source_wallet_id=self.source.wallet_id,
                destination_wallet_id=self.target.wallet_id,
                amount=self.amount,
                currency=self.currency,
                reference=self.reference or None,
                extra=dict(self.extra),
            )
        return PayoutRequest(
            account_id=self.source.account_id,
            source_wallet_id=self.source.wallet_id,
            recipient_id=self.target.recipient.recipient_id,
            payment_address_id=self.target.address.payment_address_id,
            amount=self.amount,
            currency=self.currency,
            reference=self.reference or None,
            extra=dict(self.extra),
        )

    @property
    def title(self) -> str:
        amount = echo(self.amount, self.currency)
        if isinstance(self.target, models.Wallet):
            return f"Transfer {amount} to {self.target.wallet_name or self.target.wallet_id}"
        return f"Payout {amount} to {recipient_title(self.target.recipient)}"

    def demand(self, profile: Profile) -> Demand:
        return demand(profile, self.amount, self.currency, self.payee)


class PaymentTask(MoneyTask[Order]):
    """A payout to a recipient, or a transfer between wallets of one currency."""

    noun = "Payment"
    service = "payments"

    def __init__(self, ui: UiContext, kind: PaymentKind) -> None:
        super().__init__(ui)
        self.kind = kind
        self.key = kind.value
        self.title = kind.value.capitalize()
        self.request_name = f"{kind.value}_request"

    # The fields

    def fields(self, values: Values, filled: Values) -> tuple[Field, ...]:
        source, found = self._wallet(filled, FROM), []
        recipient, address = self._recipient(filled), self.paid(filled)
        if self.kind is PaymentKind.PAYOUT:
            text = recipient_title(recipient) if recipient else ""
            marks = ", ".join(self.ui.likeness.of(recipient)) if recipient else ""
            named, payees = Recipient(models.RecipientId("")), partial(self._payees, values)
            hint = "type a name"
            found = [self._choice(PAYEE, "To", payees, named, text=text, note=marks, hint=hint)]
        if self.kind is PaymentKind.PAYOUT and recipient is not None:
            payer, accounts = self._wallet(values, FROM), partial(self._accounts, values, recipient)
            title = parties.address_title(self.ui, address) if address else ""
            facts = parties.address_facts(self.ui, address) if address else ""
            currency = payer.currency if payer else None
            found.append(self._account_field(recipient, currency, accounts, title, facts))
        sources, targets = partial(self._sources, values), partial(self._targets, filled)
        found.append(self._wallet_field(FROM, "From", source, sources, self.ui.scope))
        if self.kind is PaymentKind.TRANSFER:
            target = self._wallet(filled, TO)
            found.append(self._wallet_field(TO, "To", target, targets, payer=source))
        code = filled.get(AMOUNT_IN) or (source.currency if source else None)
        meant = CurrencyCode(code) if code else None
        found.append(self._amount_field(AMOUNT, "Amount", filled, meant))
        return (*found, *self._written_fields(filled))

    def _judged(self, filled: Values) -> Iterator[Cell]:
        source = self._wallet(filled, FROM)
        if source is None or source.currency is None or not filled.get(AMOUNT):
            return
        amount = self._amount(filled, source.currency)
        if isinstance(amount, Obstacle):
            yield Cell(amount.why, Tone.CLOSING)
            return
        yield Cell(f"= {echo(amount, source.currency)}", Tone.ACCENT)
        yield from parties.shortfall_warning(parties.short_by(source, amount), source.currency)
        yield from complaint(self._limit(filled, amount, source.currency))

    # The options

    def _payees(self, values: Values) -> tuple[Option, ...]:
        """Return the recipients; once one is chosen, another may need another wallet."""
        source = self._wallet(values, FROM) if PAYEE not in values else None
        trouble = parties.unpayable(self.ui)
        if source is not None:
            trouble = partial(parties.recipient_trouble, source)
        found = parties.recipients(self.ui, trouble)
        return recent_first(self.ui.store, found, lambda row: row.terms.recipient_id, _RECENT)

    def _accounts(self, values: Values, recipient: Recipient) -> tuple[Option, ...]:
        source = self._wallet(values, FROM) if ACCOUNT not in values else None
        if source is not None:
            return parties.addresses(self.ui, recipient, partial(parties.address_trouble, source))
        trouble = parties.unpayable(self.ui)
        return parties.addresses(self.ui, recipient, lambda one: trouble(recipient, (one,)))

    def _sources(self, values: Values) -> tuple[Option, ...]:
        store, cannot_pay = self.ui.store, self._payer_trouble(values)
        able = (one for one in store.wallets.rows() if not parties.wallet_trouble(one))
        usable = Counter(one.currency for one in able)
        is_listed = not parties.unlisted(store, ANY_WALLET)

        def trouble(wallet: Wallet) -> str:
            if found := parties.wallet_trouble(wallet) or cannot_pay(wallet):
                return found
            is_only = usable[wallet.currency] <= 1 and is_listed
            is_moved = self.kind is PaymentKind.TRANSFER
            return f"no other {wallet.currency} wallet" if is_moved and is_only else ""

        return parties.sources(store, self.ui.scope, trouble)

    def _payer_trouble(self, values: Values) -> Callable[[Wallet], str]:
        """Return what tells why a wallet cannot pay the chosen recipient, at any chosen account."""
        recipient, address = self._recipient(values), self.paid(values)
        if recipient is None or self.kind is PaymentKind.TRANSFER:
            return lambda _: ""
        known = (address,) if address else addresses_of(self.ui.store, recipient)
        return lambda wallet: parties.recipient_trouble(wallet, recipient, known)

    def _targets(self, filled: Values) -> tuple[Option, ...]:
        """Return the wallets that a transfer can go to, of any account (service.md §1)."""
        source, trouble = self._wallet(filled, FROM), parties.wallet_trouble
        if source is not None:
            trouble = partial(parties.destination_trouble, source)
        return parties.sources(self.ui.store, None, trouble, payer=source)

    # What follows from the values

    def filled(self, values: Values) -> Values:
        recipient, is_transfer = self._recipient(values), self.kind is PaymentKind.TRANSFER
        if recipient is not None and ACCOUNT not in values and not is_transfer:
            account = only_option(self._accounts(values, recipient))
            values = having(values, **{ACCOUNT: account})
        if FROM not in values:
            values = having(values, **{FROM: only_option(self._sources(values))})
        if is_transfer and TO not in values and self._wallet(values, FROM) is not None:
            values = having(values, **{TO: only_option(self._targets(values))})
        return values

    def with_text(self, values: Values, key: str, text: str) -> Values:
        """Return the values with a text; an amount is meant in the currency of that moment."""
        if key != AMOUNT:
            return super().with_text(values, key, text)
        source = self._wallet(self.filled(values), FROM)
        currency = source.currency if source and text else None
        return having(values, **{AMOUNT: text, AMOUNT_IN: currency})

    def with_choice(self, values: Values, key: str, choice: str) -> Values:
        """Return the values with an option chosen, and without those that it makes impossible."""
        changed = having(values, **{key: choice})
        if key == PAYEE:
            changed = having(changed, **{ACCOUNT: None})
        source, target = self._wallet(changed, FROM), self._wallet(changed, TO)
        if key == FROM and source and target and parties.destination_trouble(source, target):
            changed = having(changed, **{TO: None})
        if source is not None and key in (PAYEE, ACCOUNT) and self._payer_trouble(changed)(source):
            changed = having(changed, **{FROM: None})
        before = self._wallet(self.filled(values), FROM)
        after = self._wallet(self.filled(changed), FROM)
        meant = changed.get(AMOUNT_IN) or (before.currency if before else None)
        if after is None:
            is_other = before is not None
        elif meant is None:
            is_other = FROM in values  # An amount in the unknown currency of a wallet that is gone
        else:
            is_other = after.currency != meant
        return having(changed, **{AMOUNT: None, AMOUNT_IN: None}) if is_other else changed

    def paid(self, filled: Values) -> models.PaymentAddress | None:
        account = models.PaymentAddressId(filled.get(ACCOUNT, ""))
        return parties.address_of(self.ui.store, self._payee_id(filled), account)

    def _recipient(self, values: Values) -> Recipient | None:
        text = values.get(PAYEE)
        return self.ui.store.recipients.get(models.RecipientId(text)) if text else None

    # The order and its review

    def order(self, filled: Values) -> Order | Obstacle:
        found = self._parties(filled)
        if isinstance(found, Obstacle):
            return found
        source, target = found
        assert source.currency is not None  # see `wallet_trouble`
        amount = self._amount(filled, source.currency)
        if isinstance(amount, Obstacle):
            return amount
        if refused := self._limit(filled, amount, source.currency):
            return Obstacle(AMOUNT, refused)
        written = self._written(filled)
        if isinstance(written, Obstacle):
            return written
        reference, extra = written
        return Order(
            source=source,
            target=target,
            currency=source.currency,
            amount=amount,
            reference=reference,
            extra=extra,
        )

    def _parties(self, filled: Values) -> tuple[Wallet, Target] | Obstacle:
        """Return the wallet that pays and the party that is paid."""
        source = self._wallet(filled, FROM)
        is_payout = self.kind is PaymentKind.PAYOUT
        target = self._payee(filled, source) if is_payout else self._wallet(filled, TO)
        if isinstance(target, Obstacle):
            return target
        if source is None:
            return _missing(FROM, "a wallet", filled)
        if wrong := unfit(FROM, source, parties.wallet_trouble(source)):
            return wrong
        if target is None:
            return _missing(TO, "a wallet", filled)
        if isinstance(target, Wallet):
            wrong = unfit(TO, target, parties.destination_trouble(source, target))
        elif trouble := parties.address_trouble(source, target.address):
            wrong = Obstacle(ACCOUNT, f"This account: {trouble}.")
        else:
            trouble = parties.recipient_trouble(source, target.recipient, (target.address,))
            wrong = unfit(FROM, source, trouble)
        return wrong or (source, target)

    def _payee(self, filled: Values, source: Wallet | None) -> Payee | Obstacle:
        recipient, address = self._recipient(filled), self.paid(filled)
        if recipient is None:
            return _missing(PAYEE, "a recipient", filled)
        known = addresses_of(self.ui.store, recipient)
        if trouble := parties.unpayable(self.ui, source)(recipient, known):
            return Obstacle(PAYEE, f"{recipient_title(recipient)}: {trouble}.")
        return Payee(recipient, address) if address else _missing(ACCOUNT, "an account", filled)

    def _amount(self, filled: Values, currency: CurrencyCode) -> Decimal | Obstacle:
        """Return the amount to pay in this currency; an amount of another one is an obstacle."""
        if (meant := filled.get(AMOUNT_IN, currency)) != currency:
            return Obstacle(AMOUNT, f"This amount is in {meant}: type it in {currency}.")
        try:
            return parse_amount(filled.get(AMOUNT, ""), currency)
        except AmountError as error:
            return Obstacle(AMOUNT, str(error))

    def _limit(self, filled: Values, amount: Decimal, currency: CurrencyCode) -> str:
        """Return the profile's refusal of this amount; empty if it allows it."""
        whom = self._payee_id(filled)
        return demand(self.ui.settings.profile, amount, currency, whom).refusal

    def agreed(self, order: Order, review: Checks) -> object:
        """Return all facts that the trader agrees to, without balances, which may change."""
        assert isinstance(review, Review)
        target = order.target
        if isinstance(target, Wallet):
            goes_to: object = parties.without_balances(target)
        else:
            goes_to = (replace(target.recipient, payment_addresses=()), target.address)
        figures = (order.amount, order.currency, review.request.reference, order.extra)
        lacks = parties.short_by(order.source, order.amount) is not None
        source = parties.without_balances(order.source)
        return (source, goes_to, figures, review.demand, review.warnings, lacks)

    def _order_lines(self, order: Order, *, hidden: bool) -> Iterator[Line]:
        target = order.target
        yield Line("Amount", (Cell(echo(order.amount, order.currency), Tone.ACCENT),))
        yield self._wallet_line("From", order.source)
        if isinstance(target, Wallet):
            yield self._wallet_line("To", target, order.source)
            yield line("Wallet id", target.wallet_id)
        else:
            yield line("To", recipient_title(target.recipient))
            yield line("Recipient id", target.recipient.recipient_id)
            yield from parties.bank_lines(target.address, hidden=hidden)

    def _wallet_line(self, label: str, wallet: Wallet, payer: Wallet | None = None) -> Line:
        owner = parties.owner_words(self.ui.store, wallet, payer)
        name = wallet.wallet_name or wallet.wallet_id
        return line(label, name, f"{owner}, {parties.balance_words(self.ui, wallet)}")

    def review_words(self, order: Order, review: Checks) -> Iterator[Cell]:
        short = parties.short_by(order.source, order.amount)
        yield from parties.shortfall_warning(short, order.currency)

    # The end

    def _field_of(self, order: Order) -> Mapping[str, str]:
        return {
            "source_wallet_id": FROM,
            "currency": FROM,
            "recipient_id": PAYEE,
            "payment_address_id": ACCOUNT,
            "destination_wallet_id": TO,
            "amount": AMOUNT,
            "reference": REFERENCE,
        }

    def _became_lines(self, became: Record | None) -> Iterator[Line]:
        payment = became
        if not isinstance(payment, Payment) or payment.status is None:
            yield line("Payment status", "not read yet")
            return
        yield Line("Payment status", (state_cell(payment.status),))
        if ahead := path_of_dialect(self.ui, Kind.PAYMENTS).ahead(payment.status.name):
            yield line("Next", ", ".join(ahead).replace("_", " "), tone=Tone.MUTED)
        if payment.failure_reason:
            yield line("Failure reason", payment.failure_reason)
        if payment.end_to_end_id:
            yield line("End-to-end", payment.end_to_end_id, tone=Tone.ACCENT)
        elif not payment.status.final:
            yield line("End-to-end", "assigned on release", tone=Tone.MUTED)


def _missing(key: str, what: str, filled: Values) -> Obstacle:
    text = filled.get(key)
    return Obstacle(key, f"{text}: {parties.GONE}." if text else f"Choose {what}.")


# What a ticket begins with


def payout_values(subject: object) -> Values:
    paid: dict[str, str | None] = {}
    match subject:
        case Recipient():
            paid = {PAYEE: subject.recipient_id}
        case models.PaymentAddress() | Payment() if subject.recipient_id:
            paid = {PAYEE: subject.recipient_id, ACCOUNT: subject.payment_address_id}
    return having(_from_wallet(subject), **paid)


def transfer_values(subject: object) -> Values:
    to = subject.destination_wallet_id if isinstance(subject, Payment) else None
    return having(_from_wallet(subject), **{TO: to})


def repeated_values(ui: UiContext, payment: Payment) -> Values:
    """Return the values of a new payment like an earlier one, without its tag.

    An amount without a currency is in that of its wallet; if the wallet is gone, it is left out.
    """
    source = parties.wallet_of(ui.store, payment.source_wallet_id)
    currency = payment.currency or (source.currency if source else None)
    amount = plain(payment.amount) if payment.amount is not None and currency else None
    fixed = {
        FROM: payment.source_wallet_id,
        PAYEE: payment.recipient_id,
        ACCOUNT: payment.payment_address_id,
        TO: payment.destination_wallet_id,
        AMOUNT: amount,
        AMOUNT_IN: currency if amount else None,
        REFERENCE: without_tag(payment.reference),
    }
    answers = answers_before(ui.store, payment.payment_transaction_id)
    return having({f"{EXTRA}.{name}": text for name, text in answers.items()}, **fixed)


def _from_wallet(subject: object) -> Values:
    found = None
    match subject:
        case Wallet() if parties.wallet_trouble(subject):
            pass  # The cursor is on a suspended one because it needs attention.
        case Wallet() | models.PayIn():
            found = subject.wallet_id
        case models.Trade():
            found = subject.buy_wallet_id
        case Payment():
            found = subject.source_wallet_id
    return having({}, **{FROM: found})
