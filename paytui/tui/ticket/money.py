"""The base of the tickets that move money: their order, fields, review and refusals."""

# ruff: noqa: ARG002 - a declaration need not use all that it is given

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from paytui.config.settings import Profile
from paytui.domain import models
from paytui.domain.intent import Intent, IntentId, IntentRow, without_tag
from paytui.domain.models import Kind, Recipient, Record, Wallet
from paytui.domain.money import CurrencyCode
from paytui.domain.requests import MoneyRequest, missing_fields
from paytui.platform.text import clean
from paytui.store.store import Store
from paytui.tui.format.cells import WRONG
from paytui.tui.forms import schema
from paytui.tui.forms.common_fields import EXTRA, AmountError, added_fields, echo, parse_amount
from paytui.tui.guards import payee_warnings, send_permission
from paytui.tui.guards.send_permission import Demand
from paytui.tui.theme.tones import Cell
from paytui.tui.ticket import parties
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
)
from paytui.tui.ticket.outcome import failed_row, outcome_view, outcome_words, reference_line
from paytui.tui.ticket.parties import Payee, Target
from paytui.tui.ticket.picker import identifier_hint

ACCOUNT, FROM, AMOUNT, REFERENCE = "account", "from", "amount", "reference"
"""The keys of the fields that several tickets have."""

ANY_WALLET = Wallet(models.WalletId(""))
"""The template of a wallet that is named by its identifier."""

_LONGEST_REFERENCE = 140  # Characters without the tag: the size of SWIFT field 70 (4 x 35)

Options = Callable[[], tuple[Option, ...]]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Review(Checks):
    """The checks of a payment or trade; its `request` is as sent, with the tag in its reference."""

    request: MoneyRequest


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
        hint = identifier_hint(names) or hint
        return Field(
            key=key, label=label, text=text, note=note, hint=hint, options=options, names=names
        )

    def _wallet_field(
        self,
        key: str,
        label: str,
        wallet: Wallet | None,
        options: Options,
        owner: models.AccountId | None = None,
        *,
        payer: Wallet | None = None,
    ) -> Field:
        """Return the field of a wallet; one whose identifier is typed is its `owner`'s."""
        named, text, note = replace(ANY_WALLET, account_id=owner), "", ""
        if wallet is not None:
            text = wallet.wallet_name or wallet.wallet_id
            whose = parties.owner_words(self.ui.store, wallet, payer)
            note = f"{parties.balance_words(self.ui, wallet)}, {whose}"
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
        self, key: str, label: str, filled: Values, currency: CurrencyCode | None, note: str = ""
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
            hint="e.g. 2,500.00, 1k or 1.5m",
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
        for one in added_fields(vocabulary, request):
            yield service_field(one, filled)

    def _written(self, filled: Values) -> tuple[str, tuple[tuple[str, str], ...]] | Obstacle:
        """Return the reference and the service's own fields as sent, or the first obstacle."""
        vocabulary, request, reference = self.ui.vocabulary, self.request_name, ""
        if vocabulary.takes(request, REFERENCE):
            reference = filled.get(REFERENCE, "")  # without paytui's tag
            if (over := len(reference) - _LONGEST_REFERENCE) > 0:
                why = f"{over} characters too long (at most {_LONGEST_REFERENCE})."
                return Obstacle(REFERENCE, why)
            if not reference and REFERENCE in vocabulary.required.get(request, ()):
                return Obstacle(REFERENCE, "The service requires a reference.")
            if not reference and (lacks := self._lacks_purpose(filled)):
                return Obstacle(REFERENCE, lacks)
        extra = []
        for one in added_fields(vocabulary, request):
            if why := service_trouble(one, filled):
                return Obstacle(one.key, why)
            if text := schema.wire_value(one, filled[one.key]):
                extra.append((one.key.removeprefix(f"{EXTRA}."), text))
        return reference, tuple(extra)

    def _lacks_purpose(self, filled: Values) -> str:
        """Return why a reference is needed that the service does not require; else empty."""
        return ""

    def with_text(self, values: Values, key: str, text: str) -> Values:
        """Return the values with a text; a reference is without paytui's tag."""
        return having(
            values, **{key: without_tag(clean(text)) if key == REFERENCE else clean(text)}
        )

    # What the values name

    def _wallet(self, values: Values, key: str) -> Wallet | None:
        return parties.wallet_of(self.ui.store, models.WalletId(values.get(key, "")))

    def _recipient(self, values: Values) -> Recipient | None:
        raise NotImplementedError

    def _payee_id(self, values: Values) -> models.RecipientId | None:
        recipient = self._recipient(values)
        return recipient.recipient_id if recipient else None

    # The review and the end

    def review(self, order: Money, *, intent_id: IntentId, proven: str) -> Review:
        ui, request, target = self.ui, order.request, order.target
        names: tuple[str, ...] = ()
        unread, is_unproven = "", False
        if isinstance(target, Payee):
            payee, address = target.recipient, target.address
            names = tuple(payee_warnings.name_warnings(ui, payee, address))
            unread = send_permission.accounts_not_read(ui, payee, address) or ""
            is_unproven = payee_warnings.needs_account_check(ui, address, proven)
        # The tag that paytui adds does not count as a reference: `request` is without it.
        required = ui.vocabulary.required.get(self.request_name, ())
        missing = ", ".join(missing_fields(request, required)).replace("_", " ")
        scopes = send_permission.service_warnings(ui, self.service)
        duplicates = payee_warnings.duplicate_warnings(ui.store, request, ui.time.latest())
        return Review(
            request=ui.maker.as_sent(request, intent_id),
            demand=order.demand(ui.settings.profile),
            name_warnings=names,
            unsure=(*parties.unsure(order.source, target), *scopes),
            duplicate_warnings=duplicates,
            unread=unread,
            is_hidden=is_unproven,
            barred=send_permission.may_create(ui)
            or send_permission.not_yet_read(ui, Kind.WALLETS)
            or self._refusal(order)
            or unread
            or (f"The service requires: {missing}." if missing else "")
            or (payee_warnings.UNPROVEN if is_unproven else ""),
        )

    def _refusal(self, order: Money) -> str:
        """Return why an order cannot be sent that its parties do not bar; else empty."""
        return ""

    def review_lines(self, order: Money, review: Checks) -> Iterator[Line]:
        """Yield all facts to confirm, with the bank as the service lists it."""
        assert isinstance(review, Review)
        yield from self._order_lines(order, hidden=review.is_hidden)
        yield reference_line(review.request.reference)
        for one in added_fields(self.ui.vocabulary, self.request_name):
            if text := review.request.extra.get(one.key.removeprefix(f"{EXTRA}.")):
                choice = schema.named_choice(schema.choices_of(one), text)
                name = choice.name if choice else text
                yield line(clean(one.label, MAX_VALUE_LENGTH), name)
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
        became = self._became_lines
        return outcome_view(self.ui, self._sent[1], noun=self.noun, became=became)

    def _became_lines(self, became: Record | None) -> Iterator[Line]:
        """Yield the payment or trade that was created."""
        raise NotImplementedError

    def refusals(self) -> Mapping[str, str] | None:
        if self._sent is None or (row := failed_row(self.ui, self._sent[1])) is None:
            return None
        if row.problem is None:
            return {CONFIRM: f"{outcome_words(row)}."}
        sent, of_tag = row.terms.reference or "", ""
        if added := len(sent) - len(without_tag(sent)):
            of_tag = (
                f" ({added} of its {len(sent)} characters are the tag {row.intent_id}: shorten "
                "the reference or set tag_reference = false)"
            )
        field_of, said = self._field_of(self._sent[0]), dict[str, list[str]]()
        for one in row.problem.fields:
            name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", one.field.rpartition(".")[2]).lower()
            key = one.field if one.field.startswith(EXTRA) else field_of.get(name, CONFIRM)
            words = f"{one.field}: {one.message}{of_tag if key == REFERENCE else ''}"
            said.setdefault(key, []).append(words)
        if not said:
            said[CONFIRM] = [row.problem.said or row.problem.what]
        return {key: f"{outcome_words(row)}: {'; '.join(words)}" for key, words in said.items()}

    def _field_of(self, order: Money) -> Mapping[str, str]:
        """Return the fields of the ticket by the canonical names of the request's fields."""
        raise NotImplementedError

    def restart(self) -> None:
        self._sent = None


def recent_first(
    store: Store,
    options: Iterable[Option],
    key_of: Callable[[IntentRow], str | None],
    limit: int | None = None,
) -> tuple[Option, ...]:
    """Return the options with those of the last intents confirmed here first, latest first."""
    rows = sorted(store.intents.rows(), key=lambda row: row.confirmed_at, reverse=True)
    recent = list(dict.fromkeys(key for row in rows if (key := key_of(row))))[:limit]
    places = {key: place for place, key in enumerate(recent)}
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
    """Return the key of the only option that can be chosen, unless it has to be moved to."""
    possible = [one for one in options if not one.why_not]
    return possible[0].key if len(possible) == 1 and not possible[0].asks else None


def unfit(key: str, wallet: Wallet, trouble: str) -> Obstacle | None:
    """Return the obstacle of a wallet with this trouble; None without one."""
    name = wallet.wallet_name or wallet.wallet_id
    return Obstacle(key, f"{name}: {trouble}.") if trouble else None


def complaint(words: str) -> Iterator[Cell]:
    """Yield the complaint about an answer, if there is one."""
    if words:
        yield WRONG.cell(words)


# The fields of a request that only one service has; a dialect declares them in `[extra.<request>]`


def service_field(declared: schema.Field, filled: Values) -> Field:
    """Return such a field as a field of a ticket."""
    key, label = declared.key, clean(declared.label, MAX_VALUE_LENGTH)
    text, choices = filled.get(key, ""), schema.choices_of(declared)
    if not choices:
        hint = "required" if declared.required else "may be left empty"
        return Field(key=key, label=label, text=text, hint=hint)
    if not declared.required:
        choices = (*choices, Option(key="", name="leave empty"))
    chosen = next((one.name for one in choices if one.key == text), text)
    return Field(key=key, label=label, text=chosen, options=lambda: choices)


def service_trouble(declared: schema.Field, filled: Values) -> str:
    """Return the complaint about the answer to such a field; empty if it is good."""
    if declared.key not in filled:
        return "Fill in or leave empty."
    text = schema.wire_value(declared, filled[declared.key])
    if (over := len(text) - MAX_VALUE_LENGTH) > 0:
        return f"{over} characters too long (at most {MAX_VALUE_LENGTH})."
    found = schema.finding(declared, text)
    return found.words if found else ""


def answers_before(store: Store, object_id: str) -> Mapping[str, str]:
    """Return these fields of the intent that created a trade or payment, by name."""
    start = f"{EXTRA}."
    return {
        path.removeprefix(start): text
        for row in store.intents.rows()
        if row.object_id == object_id and row.action.moves_money
        for path, text in row.terms.asked
        if path.startswith(start)
    }
