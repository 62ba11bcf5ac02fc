"""The checks before a confirmation: account, limits, duplicates, and a service's own fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from paytui.domain.dialect_features import DialectFeatures
from paytui.domain.intent import IntentId, request_name
from paytui.domain.models import Kind, PaymentAddress, Wallet, bank_fingerprint
from paytui.domain.requests import MoneyRequest, missing_fields
from paytui.platform.text import clean
from paytui.store.payees import PayeeStatus
from paytui.store.store import Store
from paytui.tui.format.cells import CAREFUL, WRONG
from paytui.tui.forms import schema
from paytui.tui.forms.common_fields import EXTRA, added_fields
from paytui.tui.forms.schema import Field, choices_of, named_choice
from paytui.tui.guards import payee_warnings, send_permission
from paytui.tui.guards.payee_warnings import DIGITS
from paytui.tui.guards.send_permission import Demand
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ticket.model import MAX_VALUE_LENGTH, Checks, Entry, Line, Option, line
from paytui.tui.ticket.parties import Payee, Target, unsure
from paytui.tui.ui_context import UiContext

T = TypeVar("T")

WRONG_ENDING = "Those digits do not match this account. Check with the payee."
UNPROVEN = "New or changed account: go back and type its last four characters."

_MEANS = {
    PayeeStatus.NEW: "First payment to this account, as far as paytui knows.",
    PayeeStatus.CHANGED: "Bank details changed since the last payment.",
}


def proof_entry(address: PaymentAddress) -> Entry:
    """Return the entry for the end of the account's number, which is hidden meanwhile."""
    has_number = address.account_number or address.iban
    what = "account number" if has_number else f"identifier, {address.payment_address_id}"
    return Entry(f"Last {DIGITS} of its {what}", pasted=False)


def proof_words(ui: UiContext, address: PaymentAddress) -> tuple[Cell, ...]:
    """Return the reason for the account check, and whom to ask."""
    means = _MEANS.get(ui.acquaintances.of(address), "This account was verified meanwhile.")
    call = (
        "Call the payee on a number that you already had, and type the last four characters they "
        "read out. Do not copy them from an e-mail."
    )
    return CAREFUL.cell(means), Cell(call, Tone.MUTED)


def fingerprint_if_proven(address: PaymentAddress | None, typed: str) -> str:
    """Return the fingerprint of an account whose number ends as typed; else empty."""
    if address is None or not payee_warnings.ends_with(address, typed):
        return ""
    return bank_fingerprint(address)


def complaint(words: str) -> Iterator[Cell]:
    """Yield the complaint about an answer, if there is one."""
    if words:
        yield WRONG.cell(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Review(Checks, Generic[T]):
    """An order to confirm, as it is sent: `request` has the tag in its reference."""

    order: T
    request: MoneyRequest


def review_of(
    ui: UiContext,
    order: T,
    request: MoneyRequest,
    demand: Demand,
    *,
    source: Wallet,
    target: Target,
    service: str,
    intent_id: IntentId,
    proven: str,
    refusal: str = "",
) -> Review[T]:
    """Review an order now; `proven` is the fingerprint of the account that was checked, if any."""
    names: tuple[str, ...] = ()
    unread, is_unproven = "", False
    if isinstance(target, Payee):
        payee, address = target.recipient, target.address
        names = tuple(payee_warnings.name_warnings(ui, payee, address))
        unread = send_permission.accounts_not_read(ui, payee, address) or ""
        is_unproven = payee_warnings.needs_account_check(ui, address, proven)
    return Review(
        order=order,
        request=ui.maker.as_sent(request, intent_id),
        demand=demand,
        name_warnings=names,
        unsure=(*unsure(source, target), *send_permission.service_warnings(ui, service)),
        duplicate_warnings=payee_warnings.duplicate_warnings(ui.store, request, ui.time.latest()),
        unread=unread,
        is_hidden=is_unproven,
        barred=send_permission.may_create(ui)
        or send_permission.not_yet_read(ui, Kind.WALLETS)
        or refusal
        or unread
        or required_trouble(ui.vocabulary, request)
        or (UNPROVEN if is_unproven else ""),
    )


Answers = Mapping[str, str]  # Typed texts by field name; a missing field was not asked yet


@dataclass(frozen=True, slots=True)
class ServiceField:
    """A field of a request that only one service has, checked like a field of a form.

    A dialect declares it in `[extra.<request>]`.
    """

    field: Field

    @property
    def name(self) -> str:
        return self.field.key.removeprefix(f"{EXTRA}.")

    def text(self, answers: Answers) -> str:
        return schema.wire_value(self.field, answers.get(self.name, ""))

    def trouble(self, answers: Answers) -> str:
        if self.name not in answers:
            return "Fill in or leave empty."
        text = self.text(answers)
        if (over := len(text) - MAX_VALUE_LENGTH) > 0:
            return f"{over} characters too long (at most {MAX_VALUE_LENGTH})."
        found = schema.finding(self.field, text)
        return found.words if found else ""

    def entry(self, answers: Answers) -> Entry | None:
        """Return the input; None if the field has choices."""
        if choices_of(self.field):
            return None
        hint = "required" if self.field.required else "may be left empty"
        return Entry(clean(self.field.label, MAX_VALUE_LENGTH), answers.get(self.name, ""), hint)

    def options(self) -> tuple[Option, ...]:
        offered = choices_of(self.field)
        if not offered or self.field.required:
            return offered
        return (*offered, Option(key="", name="leave empty"))


def service_fields(vocabulary: DialectFeatures, request: str) -> tuple[ServiceField, ...]:
    """Return the questions that a service adds to a request, such as `payout_request`."""
    return tuple(ServiceField(one) for one in added_fields(vocabulary, request))


def extra_of(asked: Sequence[ServiceField], answers: Answers) -> tuple[tuple[str, str], ...]:
    """Return the values to send, by name, without empty ones."""
    told = ((one.name, one.text(answers)) for one in asked)
    return tuple((name, text) for name, text in told if text)


def extra_lines(vocabulary: DialectFeatures, request: MoneyRequest) -> Iterator[Line]:
    """Yield the lines that show these fields of a request."""
    for one in service_fields(vocabulary, request_name(request)):
        if text := request.extra.get(one.name):
            choice = named_choice(choices_of(one.field), text)
            yield line(clean(one.field.label, MAX_VALUE_LENGTH), choice.name if choice else text)


def required_trouble(vocabulary: DialectFeatures, request: MoneyRequest) -> str:
    """Return a complaint about missing required fields; empty if there are none.

    The tag that paytui adds does not count as a reference: `request` is without it.
    """
    names = missing_fields(request, vocabulary.required.get(request_name(request), ()))
    words = ", ".join(name.replace("_", " ") for name in names)
    return f"The service requires: {words}." if words else ""


def answers_before(store: Store, object_id: str) -> Answers:
    """Return the added fields of the intent that created a trade or payment."""
    start = f"{EXTRA}."
    return {
        path.removeprefix(start): text
        for row in store.intents.rows()
        if row.object_id == object_id and row.action.moves_money
        for path, text in row.terms.asked
        if path.startswith(start)
    }
