"""The tickets of a payout and of a transfer."""

# ruff: noqa: ARG002 - a declaration need not use all that it is given

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from functools import partial

from paytui.domain import models
from paytui.domain.intent import Intent, IntentId, IntentRow, without_tag
from paytui.domain.models import Kind, Payment, Record, Wallet
from paytui.domain.money import CurrencyCode, plain
from paytui.domain.requests import PayoutRequest, TransferRequest
from paytui.platform.text import clean
from paytui.store.names import account_name, recipient_title
from paytui.store.payees import addresses_of
from paytui.store.store import Store
from paytui.tui.details.common_facts import path_of_dialect
from paytui.tui.format.cells import state_cell
from paytui.tui.forms.common_fields import EXTRA, AmountError, echo, parse_amount
from paytui.tui.guards.send_permission import demand
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ticket import checks, parties
from paytui.tui.ticket.checks import Checks, Review, refusal_of
from paytui.tui.ticket.identifiers import identifier_hint
from paytui.tui.ticket.model import Field, Obstacle, Task, TicketView, Values, having
from paytui.tui.ticket.outcome import failed_row, outcome_view, outcome_words
from paytui.tui.ticket.parties import Payee, Target
from paytui.tui.ticket.parts import CONFIRM, MAX_VALUE_LENGTH, Line, Option, line
from paytui.tui.ui_context import UiContext

PAYEE, ACCOUNT, FROM, TO, AMOUNT, REFERENCE = (
    "payee",
    "account",
    "from",
    "to",
    "amount",
    "reference",
)
"""The keys of the fields."""

_FIELD_OF = {
    "source_wallet_id": FROM,
    "currency": FROM,
    "recipient_id": PAYEE,
    "payment_address_id": ACCOUNT,
    "destination_wallet_id": TO,
    "amount": AMOUNT,
    "reference": REFERENCE,
}
"""The field that holds a field of a request, by canonical name (service.md)."""

AMOUNT_HINT = "2,500.00, 1k or 1.5m"


class PaymentKind(StrEnum):
    """The two kinds of payment (service.md §1)."""

    PAYOUT = "payout"
    TRANSFER = "transfer"

    @property
    def request_name(self) -> str:
        """The dialect's name of its request."""
        return f"{self.value}_request"


@dataclass(frozen=True, slots=True)
class Order:
    """A payout or transfer that can be confirmed."""

    source: models.Wallet
    target: Target
    currency: CurrencyCode
    amount: Decimal
    reference: str
    extra: tuple[tuple[str, str], ...] = ()

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


class PaymentTask(Task[Order]):
    """A payout to a recipient, or a transfer between wallets of one currency."""

    def __init__(self, ui: UiContext, kind: PaymentKind) -> None:
        super().__init__(ui)
        self.kind = kind
        self.key = kind.value
        self.title = kind.value.capitalize()
        self._intent: Intent | None = None

    # The fields

    def fields(self, values: Values, filled: Values) -> tuple[Field, ...]:
        source = self._wallet(filled, FROM)
        parts = [self._wallet_field(FROM, "From", source, partial(self._sources, values, filled))]
        if self.kind is PaymentKind.TRANSFER:
            target = self._wallet(filled, TO)
            parts.append(self._wallet_field(TO, "To", target, partial(self._targets, filled)))
        else:
            parts = [*self._payee_fields(values, filled), *parts]
        parts.append(
            Field(
                key=AMOUNT,
                label="Amount",
                text=filled.get(AMOUNT, ""),
                note=source.currency or "" if source else "",
                shown=amount_shown(filled.get(AMOUNT, ""), source.currency if source else None),
                hint=AMOUNT_HINT,
                judged=partial(self._judged, filled),
            )
        )
        return (*parts, *self._written(filled))

    def _payee_fields(self, values: Values, filled: Values) -> Iterator[Field]:
        recipient = self._recipient(filled)
        names = parties.unlisted(self.ui.store, models.Recipient(models.RecipientId("")))
        yield Field(
            key=PAYEE,
            label="To",
            text=recipient_title(recipient) if recipient else "",
            note=", ".join(self.ui.likeness.of(recipient)) if recipient else "",
            hint=identifier_hint(names) or "type a name",
            options=partial(self._payees, values),
            names=names,
        )
        if recipient is None:
            return
        address = self.paid(filled)
        source = self._wallet(values, FROM)
        template = models.PaymentAddress(
            models.PaymentAddressId(""),
            recipient_id=recipient.recipient_id,
            currency=source.currency if source else None,
        )
        names = parties.unlisted(self.ui.store, template)
        yield Field(
            key=ACCOUNT,
            label="Account",
            text=parties.address_title(self.ui, address) if address else "",
            note=parties.address_facts(self.ui, address) if address else "",
            hint=identifier_hint(names),
            options=partial(self._accounts, values, recipient),
            names=names,
        )

    def _wallet_field(
        self, key: str, label: str, wallet: Wallet | None, options: partial[tuple[Option, ...]]
    ) -> Field:
        owner = self.ui.scope if key == FROM else None
        names = parties.unlisted(self.ui.store, Wallet(models.WalletId(""), account_id=owner))
        note = ""
        if wallet is not None:
            owned_by = account_name(self.ui.store, wallet.account_id)
            note = f"{parties.balance_words(self.ui, wallet)}, {owned_by}"
        return Field(
            key=key,
            label=label,
            text=(wallet.wallet_name or wallet.wallet_id) if wallet else "",
            note=note,
            hint=identifier_hint(names),
            options=options,
            names=names,
        )

    def _written(self, filled: Values) -> Iterator[Field]:
        """Yield the reference, and the fields that only this service has."""
        request = self.kind.request_name
        if self.ui.vocabulary.takes(request, "reference"):
            required = "reference" in self.ui.vocabulary.required.get(request, ())
            yield reference_field(filled, required=required)
        yield from extra_fields(self.ui, request, filled)

    def _judged(self, filled: Values) -> Iterator[Cell]:
        source = self._wallet(filled, FROM)
        if source is None or source.currency is None or not filled.get(AMOUNT):
            return
        try:
            amount = parse_amount(filled[AMOUNT], source.currency)
        except AmountError as error:
            yield Cell(str(error), Tone.CLOSING)
            return
        yield Cell(f"= {echo(amount, source.currency)}", Tone.ACCENT)
        yield from parties.shortfall_warning(parties.short_by(source, amount), source.currency)
        yield from checks.complaint(self._limit(filled, amount, source.currency))

    # The options

    def _payees(self, values: Values) -> tuple[Option, ...]:
        """Return the recipients; once one is chosen, another may need another wallet."""
        source = self._wallet(values, FROM) if PAYEE not in values else None
        if source is not None:
            found = parties.recipients(self.ui.store, source, self.ui.likeness)
        else:
            found = parties.payable_recipients(self.ui)
        return recent_first(found, recent_payees(self.ui.store))

    def _accounts(self, values: Values, recipient: models.Recipient) -> tuple[Option, ...]:
        source = self._wallet(values, FROM) if ACCOUNT not in values else None
        if source is not None:
            return parties.addresses(self.ui, recipient, partial(parties.address_trouble, source))
        wallets = parties.usable_wallets(self.ui.store, self.ui.scope)

        def trouble(address: models.PaymentAddress) -> str:
            return parties.unpayable(self.ui.store, wallets, recipient, (address,))

        return parties.addresses(self.ui, recipient, trouble)

    def _sources(self, values: Values, filled: Values) -> tuple[Option, ...]:
        store, recipient = self.ui.store, self._recipient(filled)
        if self.kind is PaymentKind.TRANSFER:
            wallets = store.wallets.rows()
            others = parties.unlisted(store, Wallet(models.WalletId("")))
            usable = Counter(one.currency for one in wallets if not parties.wallet_trouble(one))

            def trouble(wallet: Wallet) -> str:
                is_only = usable[wallet.currency] <= 1 and not others
                none = f"no other {wallet.currency} wallet" if is_only else ""
                return parties.wallet_trouble(wallet) or none

        elif recipient is not None:
            known = addresses_of(store, recipient)
            chosen = parties.address_of(
                store, recipient.recipient_id, _address_id(values.get(ACCOUNT))
            )
            paid = known if chosen is None else (chosen,)

            def trouble(wallet: Wallet) -> str:
                return parties.wallet_trouble(wallet) or parties.recipient_trouble(
                    wallet, recipient, paid
                )

        else:
            trouble = parties.wallet_trouble
        return parties.sources(store, self.ui.scope, trouble)

    def _targets(self, filled: Values) -> tuple[Option, ...]:
        source = self._wallet(filled, FROM)
        if source is not None:
            return parties.destinations(self.ui.store, source)
        return parties.sources(self.ui.store, None)

    def filled(self, values: Values) -> Values:
        if self.kind is PaymentKind.TRANSFER:
            filled = self._with_only(values, FROM, self._sources(values, values))
            is_known = self._wallet(filled, FROM) is not None
            return self._with_only(filled, TO, self._targets(filled)) if is_known else filled
        recipient = self._recipient(values)
        if recipient is None:
            return self._with_only(values, FROM, self._sources(values, values))
        filled = self._with_only(values, ACCOUNT, self._accounts(values, recipient))
        return self._with_only(filled, FROM, self._sources(filled, filled))

    def _with_only(self, values: Values, key: str, options: Iterable[Option]) -> Values:
        """Return the values with the only candidate of a field; a choice stays."""
        if key in values:
            return values
        possible = [one.key for one in options if not one.why_not]
        return having(values, **{key: possible[0] if len(possible) == 1 else None})

    def with_choice(self, values: Values, key: str, choice: str) -> Values:
        """Return the values with an option chosen, and without those that it makes impossible."""
        changed = having(values, **{key: choice})
        if key == PAYEE:
            changed = having(changed, **{ACCOUNT: None})
        source, target = self._wallet(changed, FROM), self._wallet(changed, TO)
        if source is not None and target is not None and key == FROM:
            is_wrong = parties.destination_trouble(source, target) != ""
            changed = having(changed, **{TO: None}) if is_wrong else changed
        if source is not None and key in (PAYEE, ACCOUNT) and self._cannot_pay(source, changed):
            changed = having(changed, **{FROM: None})
        before = self._wallet(self.filled(values), FROM)
        after = self._wallet(self.filled(changed), FROM)
        is_other = before is not None and (after is None or after.currency != before.currency)
        return having(changed, **{AMOUNT: None}) if is_other else changed

    def _cannot_pay(self, source: Wallet, values: Values) -> bool:
        """Return True if a wallet cannot pay the chosen recipient, at the chosen account if any."""
        recipient, address = self._recipient(values), self.paid(values)
        if recipient is None:
            return False
        known = addresses_of(self.ui.store, recipient) if address is None else (address,)
        return parties.recipient_trouble(source, recipient, known) != ""

    def with_text(self, values: Values, key: str, text: str) -> Values:
        return having(values, **{key: written_text(key, text)})

    # The order and its review

    def order(self, filled: Values) -> Order | Obstacle:
        found = self._parties(filled)
        if isinstance(found, Obstacle):
            return found
        source, paid = found
        assert source.currency is not None  # see `wallet_trouble`
        try:
            amount = parse_amount(filled.get(AMOUNT, ""), source.currency)
        except AmountError as error:
            return Obstacle(AMOUNT, str(error))
        if refused := self._limit(filled, amount, source.currency):
            return Obstacle(AMOUNT, refused)
        request = self.kind.request_name
        takes_reference = self.ui.vocabulary.takes(request, "reference")
        reference = filled.get(REFERENCE, "") if takes_reference else ""
        if takes_reference and (
            why := parties.reference_trouble(self.ui.vocabulary, request, reference)
        ):
            return Obstacle(REFERENCE, why)
        extra = extra_values(self.ui, request, filled)
        if isinstance(extra, Obstacle):
            return extra
        return Order(source, paid, source.currency, amount, reference, extra)

    def _parties(self, filled: Values) -> tuple[Wallet, Target] | Obstacle:
        """Return the wallet that pays and the party that is paid."""
        payee = self._payee(filled) if self.kind is PaymentKind.PAYOUT else None
        if isinstance(payee, Obstacle):
            return payee
        source = self._wallet(filled, FROM)
        if source is None:
            return _missing(FROM, "wallet", filled)
        if trouble := parties.wallet_trouble(source):
            return Obstacle(FROM, f"{source.wallet_name or source.wallet_id}: {trouble}.")
        found = self._destination(filled, source) if payee is None else _payable(source, payee)
        return found if isinstance(found, Obstacle) else (source, found)

    def _destination(self, filled: Values, source: Wallet) -> Wallet | Obstacle:
        target = self._wallet(filled, TO)
        if target is None:
            return _missing(TO, "wallet", filled)
        if trouble := parties.destination_trouble(source, target):
            return Obstacle(TO, f"{target.wallet_name or target.wallet_id}: {trouble}.")
        return target

    def _payee(self, filled: Values) -> Payee | Obstacle:
        recipient = self._recipient(filled)
        if recipient is None:
            return _missing(PAYEE, "recipient", filled)
        address, source = self.paid(filled), self._wallet(filled, FROM)
        wallets = parties.usable_wallets(self.ui.store, self.ui.scope)
        known = addresses_of(self.ui.store, recipient)
        if source is not None:
            wallets = (*wallets, source)
        if trouble := parties.unpayable(self.ui.store, wallets, recipient, known):
            return Obstacle(PAYEE, f"{recipient_title(recipient)}: {trouble}.")
        return (
            _missing(ACCOUNT, "account", filled) if address is None else Payee(recipient, address)
        )

    def paid(self, filled: Values) -> models.PaymentAddress | None:
        recipient = self._recipient(filled)
        if recipient is None:
            return None
        address_id = _address_id(filled.get(ACCOUNT))
        return parties.address_of(self.ui.store, recipient.recipient_id, address_id)

    def _limit(self, filled: Values, amount: Decimal, currency: CurrencyCode) -> str:
        """Return the profile's refusal of this amount; empty if it allows it."""
        payee = self._recipient(filled)
        whom = payee.recipient_id if payee else None
        return refusal_of(demand(self.ui.settings.profile, amount, currency, whom))

    def review(self, order: Order, *, intent_id: IntentId, proven: str) -> Review[Order]:
        payee = order.target.recipient.recipient_id if isinstance(order.target, Payee) else None
        return checks.review_of(
            self.ui,
            order,
            order.request,
            demand(self.ui.settings.profile, order.amount, order.currency, payee),
            source=order.source,
            target=order.target,
            service="payments",
            intent_id=intent_id,
            proven=proven,
        )

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

    def review_lines(self, order: Order, review: Checks) -> Iterator[Line]:
        """Yield all facts to confirm, with the bank as the service lists it."""
        assert isinstance(review, Review)
        target = order.target
        yield Line("Amount", (Cell(echo(order.amount, order.currency), Tone.ACCENT),))
        yield self._wallet_line("From", order.source)
        if isinstance(target, Wallet):
            yield self._wallet_line("To", target)
            yield line("Wallet id", target.wallet_id)
        else:
            yield line("To", recipient_title(target.recipient))
            yield line("Recipient id", target.recipient.recipient_id)
            yield from parties.bank_lines(target.address, hidden=review.is_hidden)
        yield parties.reference_line(review.request.reference)
        yield from checks.extra_lines(self.ui.vocabulary, review.request)
        yield parties.service_line(self.ui)

    def _wallet_line(self, label: str, wallet: Wallet) -> Line:
        owner = account_name(self.ui.store, wallet.account_id)
        name = wallet.wallet_name or wallet.wallet_id
        return line(label, name, f"{owner}, {parties.balance_words(self.ui, wallet)}")

    def review_words(self, order: Order, review: Checks) -> Iterator[Cell]:
        short = parties.short_by(order.source, order.amount)
        yield from parties.shortfall_warning(short, order.currency)

    # The end

    def send(self, order: Order, intent_id: IntentId) -> None:
        self._intent = self.ui.maker.make(
            order.request,
            title=order.title,
            confirmed_at=self.ui.time.latest(),
            account_id=order.source.account_id,
            paid=parties.paid_account(order.target),
            intent_id=intent_id,
        )
        self.ui.port.submit(self._intent)

    def end(self) -> TicketView | None:
        if self._intent is None:
            return None
        return outcome_view(
            self.ui, self.title, self._intent, noun="Payment", became=self._payment_lines
        )

    def refusals(self) -> Mapping[str, str] | None:
        row = failed_row(self.ui, self._intent) if self._intent else None
        return None if row is None else refusals_by_field(row, _FIELD_OF)

    def restart(self) -> None:
        self._intent = None

    def _payment_lines(self, payment: Record | None) -> Iterator[Line]:
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

    def _wallet(self, values: Values, key: str) -> Wallet | None:
        text = values.get(key)
        return parties.wallet_of(self.ui.store, models.WalletId(text) if text else None)

    def _recipient(self, values: Values) -> models.Recipient | None:
        text = values.get(PAYEE)
        return self.ui.store.recipients.get(models.RecipientId(text)) if text else None


# What tickets of trades and payments share


def written_text(key: str, text: str) -> str:
    """Return a typed text as it is kept: a reference is without paytui's tag."""
    return without_tag(clean(text)) if key == REFERENCE else text if key == AMOUNT else clean(text)


def amount_shown(text: str, code: str | None) -> str:
    """Return a typed amount in full, with its currency; empty if it is none."""
    currency = CurrencyCode(code or "")
    try:
        return echo(parse_amount(text, currency), currency) if code else ""
    except AmountError:
        return ""


def reference_field(filled: Values, *, required: bool) -> Field:
    return Field(
        key=REFERENCE,
        label="Reference",
        text=filled.get(REFERENCE, ""),
        hint="required" if required else "optional",
    )


def extra_fields(ui: UiContext, request: str, filled: Values) -> Iterator[Field]:
    """Yield the fields that a service adds to a request."""
    answers = _answers(filled)
    for one in checks.service_fields(ui.vocabulary, request):
        key, entry, text = one.field.key, one.entry(answers), answers.get(one.name, "")
        if entry is not None:
            yield Field(key=key, label=entry.label, text=text, hint=entry.hint)
            continue
        chosen = next((each.name for each in one.options() if each.key == text), text)
        label = clean(one.field.label, MAX_VALUE_LENGTH)
        yield Field(key=key, label=label, text=chosen, options=one.options)


def extra_values(
    ui: UiContext, request: str, filled: Values
) -> tuple[tuple[str, str], ...] | Obstacle:
    """Return these fields as they are sent, by name, or the first obstacle."""
    asked, answers = checks.service_fields(ui.vocabulary, request), _answers(filled)
    for one in asked:
        if why := one.trouble(answers):
            return Obstacle(one.field.key, why)
    return checks.extra_of(asked, answers)


def _answers(filled: Values) -> Values:
    start = f"{EXTRA}."
    return {key.removeprefix(start): filled[key] for key in filled if key.startswith(start)}


def recent_payees(store: Store) -> tuple[str, ...]:
    """Return the recipients of the last payouts that were confirmed here, the latest first."""
    rows = sorted(store.intents.rows(), key=lambda row: row.confirmed_at, reverse=True)
    found = (row.terms.recipient_id for row in rows)
    return tuple(dict.fromkeys(one for one in found if one))[:RECENT]


RECENT = 5  # Payees and pairs that are offered first


def recent_first(options: Iterable[Option], recent: tuple[str, ...]) -> tuple[Option, ...]:
    """Return the options with those of the keys in `recent` first, in that order."""
    places = {key: place for place, key in enumerate(recent)}
    return tuple(sorted(options, key=lambda one: places.get(one.key, len(places))))


def refusals_by_field(row: IntentRow, field_of: Mapping[str, str]) -> Mapping[str, str]:
    """Return the service's complaints by field of a ticket, under `CONFIRM` for all others."""
    problem = row.problem
    if problem is None:
        return {CONFIRM: f"{outcome_words(row)}."}
    said: dict[str, list[str]] = {}
    for one in problem.fields:
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", one.field.rpartition(".")[2]).lower()
        key = one.field if one.field.startswith(EXTRA) else field_of.get(name, CONFIRM)
        words = f"{one.field}: {one.message}"
        said.setdefault(key, []).append(words + _of_the_tag(row) * (key == REFERENCE))
    if not said:
        said[CONFIRM] = [problem.said or problem.what]
    return {key: f"{outcome_words(row)}: {'; '.join(words)}" for key, words in said.items()}


def _of_the_tag(row: IntentRow) -> str:
    """Return a remark on the tag in a reference that the service refused."""
    sent = row.terms.reference or ""
    added = len(sent) - len(without_tag(sent))
    if not added:
        return ""
    return (
        f" ({added} of its {len(sent)} characters are the tag {row.intent_id}: shorten the "
        "reference or set tag_reference = false)"
    )


def _payable(source: Wallet, payee: Payee) -> Payee | Obstacle:
    if trouble := parties.address_trouble(source, payee.address):
        return Obstacle(ACCOUNT, f"This account: {trouble}.")
    if trouble := parties.recipient_trouble(source, payee.recipient, (payee.address,)):
        return Obstacle(FROM, f"{source.wallet_name or source.wallet_id}: {trouble}.")
    return payee


def _missing(key: str, what: str, filled: Values) -> Obstacle:
    text = filled.get(key)
    article = "an" if what[0] in "aeiou" else "a"
    return Obstacle(key, f"{text}: {parties.GONE}." if text else f"Choose {article} {what}.")


def _address_id(text: str | None) -> models.PaymentAddressId | None:
    return models.PaymentAddressId(text) if text else None


# What a ticket begins with


def payout_values(subject: object) -> Values:
    match subject:
        case models.Recipient():
            return {PAYEE: subject.recipient_id}
        case models.PaymentAddress() | Payment() if subject.recipient_id:
            paid = {PAYEE: subject.recipient_id, ACCOUNT: subject.payment_address_id}
            return having(_from_wallet(subject), **paid)
        case _:
            return _from_wallet(subject)


def transfer_values(subject: object) -> Values:
    if isinstance(subject, Payment):
        return having(_from_wallet(subject), **{TO: subject.destination_wallet_id})
    return _from_wallet(subject)


def repeated_values(ui: UiContext, payment: Payment) -> Values:
    """Return the values of a new payment like an earlier one, without its tag."""
    fixed = {
        FROM: payment.source_wallet_id,
        PAYEE: payment.recipient_id,
        ACCOUNT: payment.payment_address_id,
        TO: payment.destination_wallet_id,
        AMOUNT: None if payment.amount is None else plain(payment.amount),
        REFERENCE: without_tag(payment.reference),
    }
    answers = checks.answers_before(ui.store, payment.payment_transaction_id)
    return having({f"{EXTRA}.{name}": text for name, text in answers.items()}, **fixed)


def _from_wallet(subject: object) -> Values:
    match subject:
        case Wallet() if parties.wallet_trouble(subject):
            found = None  # The cursor is on a suspended one because it needs attention.
        case Wallet() | models.PayIn():
            found = subject.wallet_id
        case models.Trade():
            found = subject.buy_wallet_id
        case Payment():
            found = subject.source_wallet_id
        case _:
            found = None
    return {FROM: found} if found else {}
