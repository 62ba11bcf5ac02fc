"""The checks before a confirmation: the payee's account, and a service's own fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from paytui.domain.dialect_features import DialectFeatures
from paytui.domain.intent import request_name
from paytui.domain.models import PaymentAddress, bank_fingerprint
from paytui.domain.requests import MoneyRequest
from paytui.platform.text import clean
from paytui.store.payees import PayeeStatus
from paytui.store.store import Store
from paytui.tui.format.cells import CAREFUL, WRONG
from paytui.tui.forms import schema
from paytui.tui.forms.common_fields import EXTRA, added_fields
from paytui.tui.guards import payee_warnings
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ticket.model import (
    MAX_VALUE_LENGTH,
    Checks,
    Entry,
    Field,
    Line,
    Option,
    Values,
    line,
)
from paytui.tui.ui_context import UiContext

WRONG_ENDING = "Those digits do not match this account. Check with the payee."
UNPROVEN = "New or changed account: go back and type its last four characters."

_MEANS = {
    PayeeStatus.NEW: "First payment to this account, as far as paytui knows.",
    PayeeStatus.CHANGED: "Bank details changed since the last payment.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Review(Checks):
    """The checks of a payment or trade; its `request` is as sent, with the tag in its reference."""

    request: MoneyRequest


def proof_entry(address: PaymentAddress) -> Entry:
    """Return the entry for the end of the account's number, which is hidden meanwhile."""
    has_number = address.account_number or address.iban
    what = "account number" if has_number else f"identifier, {address.payment_address_id}"
    return Entry(f"Last {payee_warnings.DIGITS} of its {what}", pasted=False)


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


def extra_lines(vocabulary: DialectFeatures, request: MoneyRequest) -> Iterator[Line]:
    """Yield the lines that show these fields of a request."""
    for one in added_fields(vocabulary, request_name(request)):
        if text := request.extra.get(one.key.removeprefix(f"{EXTRA}.")):
            choice = schema.named_choice(schema.choices_of(one), text)
            yield line(clean(one.label, MAX_VALUE_LENGTH), choice.name if choice else text)


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
