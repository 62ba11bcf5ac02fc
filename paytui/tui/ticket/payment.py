"""The tickets of a payout and of a transfer, and what they share with the ticket of a trade."""

# ruff: noqa: ARG002 - a declaration need not use all that it is given

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from functools import partial
from itertools import islice
from typing import TypeVar

from paytui.config.settings import Profile
from paytui.domain import models
from paytui.domain.intent import Intent, IntentId, IntentRow, without_tag
from paytui.domain.models import Kind, Payment, Recipient, Record, Wallet
from paytui.domain.money import CurrencyCode, plain
from paytui.domain.requests import MoneyRequest, PayoutRequest, TransferRequest
from paytui.platform.text import clean
from paytui.store.names import account_name, recipient_title
from paytui.store.payees import addresses_of
from paytui.store.store import Store
from paytui.tui.details.common_facts import path_of_dialect
from paytui.tui.format.cells import state_cell
from paytui.tui.forms.common_fields import EXTRA, AmountError, echo, parse_amount
from paytui.tui.guards.send_permission import Demand, demand
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ticket import checks, parties
from paytui.tui.ticket.checks import Review
from paytui.tui.ticket.identifiers import identifier_hint
from paytui.tui.ticket.model import (
    CONFIRM,
    MAX_VALUE_LENGTH,
    Checks,
    Field,
    Line,
    Obstacle,
    Option,
    Task,
    TicketView,
    Values,
    having,
    line,
    refusal_of,
)
from paytui.tui.ticket.outcome import failed_row, outcome_view, outcome_words
from paytui.tui.ticket.parties import Payee, Target
from paytui.tui.ui_context import UiContext

PAYEE, ACCOUNT, FROM, TO = "payee", "account", "from", "to"
AMOUNT, REFERENCE = "amount", "reference"
AMOUNT_IN = "amount in"  # The key of the currency that an amount was typed in
"""The keys of the fields."""

ANY_WALLET = Wallet(models.WalletId(""))
"""The template of a wallet that is named by its identifier."""

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

_AMOUNT_HINT = "2,500.00, 1k or 1.5m"
_RECENT = 5  # Payees that are offered first

Options = Callable[[], tuple[Option, ...]]


# What tickets of trades and payments share


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyOrder:
    """A payment or trade that can be confirmed.

    Attributes:
        quote: the sheet of the locked rate; None for a payment, for the service's rate at booking,
            or while no locked rate is held.
        reference: as typed, without paytui's tag.
        extra: the service's own fields, by name, as they are sent.
    """

    source: Wallet
    target: Target
    quote: models.RateSheet | None = None
    reference: str = ""
    extra: tuple[tuple[str, str], ...] = ()

    @property
    def payee(self) -> models.RecipientId | None:
        return self.target.recipient.recipient_id if isinstance(self.target, Payee) else None

    @property
    def request(self) -> MoneyRequest:
        raise NotImplementedError

    @property
    def title(self) -> str:
        raise NotImplementedError

    def demand(self, profile: Profile) -> Demand:
        """Return the confirmation that it needs."""
        raise NotImplementedError


Money = TypeVar("Money", bound=MoneyOrder)


class MoneyTask(Task[Money]):
    """A ticket that moves money from a wallet to another one or to a recipient.

    Attributes:
        noun: of what it creates.
        service: the scope of the token that it needs.
        request_name: the dialect's name of its request.
    """

    noun: str
    service: str
    request_name: str
    _sent: tuple[Money, Intent] | None = None

    # The fields

    def _choice(
        self,
        key: str,
        label: str,
        options: Options,
        *named: Record,
        text: str = "",
        note: str = "",
        hint: str = "",
    ) -> Field:
        """Return a field of options, or of identifiers of what the service does not list."""
        names = parties.unlisted(self.ui.store, *named)
        return Field(
            key=key,
            label=label,
            text=text,
            note=note,
            hint=identifier_hint(names) or hint,
            options=options,
            names=names,
        )

    def _wallet_field(
        self,
        key: str,
        label: str,
        wallet: Wallet | None,
        options: Options,
        owner: models.AccountId | None = None,
    ) -> Field:
        """Return the field of a wallet; one whose identifier is typed is its `owner`'s."""
        named, text, note = replace(ANY_WALLET, account_id=owner), "", ""
        if wallet is not None:
            text = wallet.wallet_name or wallet.wallet_id
            owned_by = account_name(self.ui.store, wallet.account_id)
            note = f"{parties.balance_words(self.ui, wallet)}, {owned_by}"
        return self._choice(key, label, options, named, text=text, note=note)

    def _account_field(
        self,
        recipient: Recipient,
        currency: str | None,
        options: Options,
        text: str,
        note: str = "",
    ) -> Field:
        named = models.PaymentAddress(
            models.PaymentAddressId(""),
            recipient_id=recipient.recipient_id,
            currency=CurrencyCode(currency) if currency else None,
        )
        return self._choice(ACCOUNT, "Account", options, named, text=text, note=note)

    def _amount_field(
        self,
        key: str,
        label: str,
        filled: Values,
        currency: CurrencyCode | None,
        note: str = "",
    ) -> Field:
        """Return the field of an amount, with its currency as note if there is no other."""
        text, shown = filled.get(key, ""), ""
        if currency:
            with suppress(AmountError):
                shown = echo(parse_amount(text, currency), currency)
        return Field(
            key=key,
            label=label,
            text=text,
            note=note or currency or "",
            shown=shown,
            hint=_AMOUNT_HINT,
            judged=partial(self._judged, filled),
        )

    def _judged(self, filled: Values) -> Iterator[Cell]:
        """Yield remarks on the amount; a text that is none is complained about as it is typed."""
        raise NotImplementedError

    def _written_fields(self, filled: Values) -> Iterator[Field]:
        """Yield the reference, and the fields that only this service has."""
        vocabulary, request = self.ui.vocabulary, self.request_name
        if vocabulary.takes(request, REFERENCE):
            is_required = REFERENCE in vocabulary.required.get(request, ())
            hint = "required" if is_required or self._lacks_purpose(filled) else "optional"
            text = filled.get(REFERENCE, "")
            yield Field(key=REFERENCE, label="Reference", text=text, hint=hint)
        answers = _answers(filled)
        for one in checks.service_fields(vocabulary, request):
            key, entry, text = one.field.key, one.entry(answers), answers.get(one.name, "")
            if entry is not None:
                yield Field(key=key, label=entry.label, text=text, hint=entry.hint)
                continue
            chosen = next((each.name for each in one.options() if each.key == text), text)
            label = clean(one.field.label, MAX_VALUE_LENGTH)
            yield Field(key=key, label=label, text=chosen, options=one.options)

    def _written(self, filled: Values) -> tuple[str, tuple[tuple[str, str], ...]] | Obstacle:
        """Return the reference and the service's own fields as sent, or the first obstacle."""
        vocabulary, request, reference = self.ui.vocabulary, self.request_name, ""
        if vocabulary.takes(request, REFERENCE):
            reference = filled.get(REFERENCE, "")
            lacks = "" if reference else self._lacks_purpose(filled)
            if why := parties.reference_trouble(vocabulary, request, reference) or lacks:
                return Obstacle(REFERENCE, why)
        asked, answers = checks.service_fields(vocabulary, request), _answers(filled)
        for one in asked:
            if why := one.trouble(answers):
                return Obstacle(one.field.key, why)
        return reference, checks.extra_of(asked, answers)

    def _lacks_purpose(self, filled: Values) -> str:
        """Return why a reference is needed that the service does not require; else empty."""
        return ""

    def with_text(self, values: Values, key: str, text: str) -> Values:
        """Return the values with a text; a reference is without paytui's tag."""
        if key == REFERENCE:
            return having(values, **{key: without_tag(clean(text))})
        return having(values, **{key: text if key == AMOUNT else clean(text)})

    # What the values name

    def _wallet(self, values: Values, key: str) -> Wallet | None:
        text = values.get(key)
        return parties.wallet_of(self.ui.store, models.WalletId(text) if text else None)

    def _recipient(self, values: Values) -> Recipient | None:
        raise NotImplementedError

    def _payee_id(self, values: Values) -> models.RecipientId | None:
        recipient = self._recipient(values)
        return recipient.recipient_id if recipient else None

    # The review and the end

    def review(self, order: Money, *, intent_id: IntentId, proven: str) -> Review[Money]:
        return checks.review_of(
            self.ui,
            order,
            order.request,
            order.demand(self.ui.settings.profile),
            source=order.source,
            target=order.target,
            service=self.service,
            intent_id=intent_id,
            proven=proven,
            refusal=self._refusal(order),
        )

    def _refusal(self, order: Money) -> str:
        """Return why an order cannot be sent that its parties do not bar; else empty."""
        return ""

    def review_lines(self, order: Money, review: Checks) -> Iterator[Line]:
        """Yield all facts to confirm, with the bank as the service lists it."""
        assert isinstance(review, Review)
        yield from self._order_lines(order, hidden=review.is_hidden)
        yield parties.reference_line(review.request.reference)
        yield from checks.extra_lines(self.ui.vocabulary, review.request)
        yield parties.service_line(self.ui)

    def _order_lines(self, order: Money, *, hidden: bool) -> Iterator[Line]:
        """Yield amounts and parties; without the account's number if that is `hidden`."""
        raise NotImplementedError

    def send(self, order: Money, intent_id: IntentId) -> None:
        intent = self.ui.maker.make(
            order.request,
            title=order.title,
            confirmed_at=self.ui.time.latest(),
            account_id=order.source.account_id,
            quote=order.quote,
            paid=parties.paid_account(order.target),
            intent_id=intent_id,
        )
        self._sent = order, intent
        self.ui.port.submit(intent)

    def end(self) -> TicketView | None:
        if self._sent is None:
            return None
        _, intent = self._sent
        return outcome_view(self.ui, self.title, intent, noun=self.noun, became=self._became_lines)

    def _became_lines(self, became: Record | None) -> Iterator[Line]:
        """Yield the payment or trade that was created."""
        raise NotImplementedError

    def refusals(self) -> Mapping[str, str] | None:
        row = failed_row(self.ui, self._sent[1]) if self._sent else None
        if row is None or self._sent is None:
            return None
        if row.problem is None:
            return {CONFIRM: f"{outcome_words(row)}."}
        field_of, said = self._field_of(self._sent[0]), dict[str, list[str]]()
        for one in row.problem.fields:
            name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", one.field.rpartition(".")[2]).lower()
            key = one.field if one.field.startswith(EXTRA) else field_of.get(name, CONFIRM)
            words = f"{one.field}: {one.message}"
            said.setdefault(key, []).append(words + _of_the_tag(row) * (key == REFERENCE))
        if not said:
            said[CONFIRM] = [row.problem.said or row.problem.what]
        return {key: f"{outcome_words(row)}: {'; '.join(words)}" for key, words in said.items()}

    def _field_of(self, order: Money) -> Mapping[str, str]:
        """Return the fields of the ticket by the names of the request's fields."""
        raise NotImplementedError

    def restart(self) -> None:
        self._sent = None


def _answers(filled: Values) -> Values:
    start = f"{EXTRA}."
    return {key.removeprefix(start): filled[key] for key in filled if key.startswith(start)}


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


def recent_first(
    store: Store,
    options: Iterable[Option],
    key_of: Callable[[IntentRow], str | None],
    limit: int | None = None,
) -> tuple[Option, ...]:
    """Return the options with those of the last intents confirmed here first, latest first."""
    rows = sorted(store.intents.rows(), key=lambda row: row.confirmed_at, reverse=True)
    recent = dict.fromkeys(key for row in rows if (key := key_of(row)))
    places = {key: place for place, key in enumerate(islice(recent, limit))}
    return tuple(sorted(options, key=lambda one: places.get(one.key, len(places))))


def only(found: Iterable[str | None]) -> str | None:
    """Return the only value of those found; None for none or several."""
    first: str | None = None
    for one in found:
        if one is not None and first not in (None, one):
            return None
        first = one or first
    return first


def only_option(options: Iterable[Option]) -> str | None:
    """Return the key of the only option that can be chosen."""
    return only(one.key for one in options if not one.why_not)


def unfit(key: str, wallet: Wallet, trouble: str) -> Obstacle | None:
    """Return the obstacle of a wallet with this trouble; None without one."""
    return (
        Obstacle(key, f"{wallet.wallet_name or wallet.wallet_id}: {trouble}.") if trouble else None
    )


# Payouts and transfers


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
        source, currency = self._wallet(filled, FROM), self._currency(filled)
        sources = partial(self._sources, values)
        parts = [self._wallet_field(FROM, "From", source, sources, self.ui.scope)]
        if self.kind is PaymentKind.TRANSFER:
            target = self._wallet(filled, TO)
            parts.append(self._wallet_field(TO, "To", target, partial(self._targets, filled)))
        else:
            parts = [*self._payee_fields(values, filled), *parts]
        parts.append(self._amount_field(AMOUNT, "Amount", filled, currency))
        return (*parts, *self._written_fields(filled))

    def _payee_fields(self, values: Values, filled: Values) -> Iterator[Field]:
        recipient, address = self._recipient(filled), self.paid(filled)
        yield self._choice(
            PAYEE,
            "To",
            partial(self._payees, values),
            Recipient(models.RecipientId("")),
            text=recipient_title(recipient) if recipient else "",
            note=", ".join(self.ui.likeness.of(recipient)) if recipient else "",
            hint="type a name",
        )
        if recipient is not None:
            yield self._account_field(
                recipient,
                self._currency(values),
                partial(self._accounts, values, recipient),
                parties.address_title(self.ui, address) if address else "",
                parties.address_facts(self.ui, address) if address else "",
            )

    def _currency(self, values: Values) -> CurrencyCode | None:
        source = self._wallet(values, FROM)
        return source.currency if source else None

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
        return recent_first(self.ui.store, found, lambda row: row.terms.recipient_id, _RECENT)

    def _accounts(self, values: Values, recipient: Recipient) -> tuple[Option, ...]:
        source = self._wallet(values, FROM) if ACCOUNT not in values else None
        wallets = parties.usable_wallets(self.ui.store, self.ui.scope)

        def trouble(address: models.PaymentAddress) -> str:
            if source is not None:
                return parties.address_trouble(source, address)
            return parties.unpayable(self.ui.store, wallets, recipient, (address,))

        return parties.addresses(self.ui, recipient, trouble)

    def _sources(self, values: Values) -> tuple[Option, ...]:
        store, cannot_pay = self.ui.store, self._payer_trouble(values)
        wallets, others = store.wallets.rows(), parties.unlisted(store, ANY_WALLET)
        usable = Counter(one.currency for one in wallets if not parties.wallet_trouble(one))

        def trouble(wallet: Wallet) -> str:
            if found := parties.wallet_trouble(wallet) or cannot_pay(wallet):
                return found
            is_only = usable[wallet.currency] <= 1 and not others
            is_moved = self.kind is PaymentKind.TRANSFER
            return f"no other {wallet.currency} wallet" if is_moved and is_only else ""

        return parties.sources(store, self.ui.scope, trouble)

    def _payer_trouble(self, values: Values) -> Callable[[Wallet], str]:
        """Return what tells why a wallet cannot pay the chosen recipient, at any chosen account."""
        recipient = self._recipient(values) if self.kind is PaymentKind.PAYOUT else None
        address = self.paid(values)
        of_all = addresses_of(self.ui.store, recipient) if recipient and not address else ()
        known = (address,) if address else of_all

        def trouble(wallet: Wallet) -> str:
            return parties.recipient_trouble(wallet, recipient, known) if recipient else ""

        return trouble

    def _targets(self, filled: Values) -> tuple[Option, ...]:
        source = self._wallet(filled, FROM)
        store = self.ui.store
        return parties.destinations(store, source) if source else parties.sources(store, None)

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
        changed = super().with_text(values, key, text)
        if key != AMOUNT:
            return changed
        source = self._wallet(self.filled(values), FROM)
        return having(changed, **{AMOUNT_IN: source.currency if source and text else None})

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
        is_other = before is not None and (after is None or after.currency != before.currency)
        meant = changed.get(AMOUNT_IN)
        is_other = is_other or bool(meant and after and after.currency != meant)
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
        try:
            amount = parse_amount(filled.get(AMOUNT, ""), source.currency)
        except AmountError as error:
            return Obstacle(AMOUNT, str(error))
        if filled.get(AMOUNT_IN, source.currency) != source.currency:
            words = f"This amount was typed in {filled[AMOUNT_IN]}: type it in {source.currency}."
            return Obstacle(AMOUNT, words)
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
        payee = self._payee(filled) if self.kind is PaymentKind.PAYOUT else None
        if isinstance(payee, Obstacle):
            return payee
        source, target = self._wallet(filled, FROM), payee or self._wallet(filled, TO)
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

    def _payee(self, filled: Values) -> Payee | Obstacle:
        recipient = self._recipient(filled)
        if recipient is None:
            return _missing(PAYEE, "a recipient", filled)
        address, source = self.paid(filled), self._wallet(filled, FROM)
        wallets = parties.usable_wallets(self.ui.store, self.ui.scope)
        wallets = wallets if source is None else (*wallets, source)
        known = addresses_of(self.ui.store, recipient)
        if trouble := parties.unpayable(self.ui.store, wallets, recipient, known):
            return Obstacle(PAYEE, f"{recipient_title(recipient)}: {trouble}.")
        return Payee(recipient, address) if address else _missing(ACCOUNT, "an account", filled)

    def _limit(self, filled: Values, amount: Decimal, currency: CurrencyCode) -> str:
        """Return the profile's refusal of this amount; empty if it allows it."""
        whom = self._payee_id(filled)
        return refusal_of(demand(self.ui.settings.profile, amount, currency, whom))

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
            yield self._wallet_line("To", target)
            yield line("Wallet id", target.wallet_id)
        else:
            yield line("To", recipient_title(target.recipient))
            yield line("Recipient id", target.recipient.recipient_id)
            yield from parties.bank_lines(target.address, hidden=hidden)

    def _wallet_line(self, label: str, wallet: Wallet) -> Line:
        owner = account_name(self.ui.store, wallet.account_id)
        name = wallet.wallet_name or wallet.wallet_id
        return line(label, name, f"{owner}, {parties.balance_words(self.ui, wallet)}")

    def review_words(self, order: Order, review: Checks) -> Iterator[Cell]:
        short = parties.short_by(order.source, order.amount)
        yield from parties.shortfall_warning(short, order.currency)

    # The end

    def _field_of(self, order: Order) -> Mapping[str, str]:
        return _FIELD_OF

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
        AMOUNT_IN: None if payment.amount is None else payment.currency,
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
