"""Facts of an object: labels with values and links to other objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from paytui.domain.intent import IntentId, IntentRow
from paytui.domain.models import AccountId, Kind, State, WalletId
from paytui.domain.money import MISSING, CurrencyCode, plain
from paytui.tui.format.cells import amount_words, state_cell
from paytui.tui.theme.tones import Cell, Tone

Value = str | bool | date | State | Decimal | None  # The types of a field's value


@dataclass(frozen=True, slots=True)
class Ref:
    """An object: its kind and its identifier."""

    kind: Kind
    key: str


@dataclass(frozen=True, slots=True)
class RelatedList:
    """The objects of one kind that belong to another object, such as an account's payments."""

    kind: Kind
    of: Ref


@dataclass(frozen=True, slots=True)
class Activity:
    """The movements of a wallet."""

    wallet_id: WalletId


@dataclass(frozen=True, slots=True)
class IntentRef:
    """An intent, by its identifier."""

    key: IntentId


@dataclass(frozen=True, slots=True)
class FilteredList:
    """The list screen of a kind, or of intents, under a filter.

    Attributes:
        scope: the account to show; None: all.
    """

    kind: Kind | type[IntentRow]
    filter: str
    scope: AccountId | None


Link = Ref | RelatedList | Activity | IntentRef | FilteredList
"""The target of a link: an object or a list."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of a detail view; `—` if the service sent no value.

    Attributes:
        value: the text on screen.
        plain: the text to copy, without signs; None if the service sent nothing.
        note: words after the value; not copied.
        link: the target that this line opens.
        brief: True if the note is cut to one line: beside the value, or in a narrow column below.
    """

    label: str
    value: Cell
    plain: str | None
    note: str = ""
    link: Link | None = None
    brief: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """A title with the facts under it."""

    title: str
    facts: tuple[Fact, ...]


def fact(label: str, value: Value) -> Fact:
    if value is None:
        return Fact(label, Cell(MISSING, Tone.FAINT), None)
    if isinstance(value, State):
        return Fact(label, state_cell(value), value.name)
    return text_fact(label, _written(value))


def text_fact(label: str, text: str, note: str = "", link: Link | None = None) -> Fact:
    return Fact(label, Cell(text), text, note, link)


def amount_fact(label: str, amount: Decimal | None, currency: CurrencyCode | None) -> Fact:
    if amount is None:
        return fact(label, None)
    return text_fact(label, amount_words(amount, currency))


def group(title: str, *facts: Fact) -> Group:
    return Group(title, facts)


def _written(value: str | bool | date | Decimal) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case date():
            return value.isoformat()
        case Decimal():
            return plain(value)
        case _:
            return value


UNSEEN = "personal data, not kept after settlement"
"""Replaces the fields of a request for an account."""

_PARENTS = frozenset({"account_id", "wallet_id", "recipient_id"})
_ONE_OF = {
    "payment addresses": "payment address",
    "authorised representatives": "representative",
    "trust beneficiaries": "beneficiary",
}
_INITIALS = frozenset({"iban", "bic", "bsb"})


def path_words(path: str) -> str:
    """Return a field path in words: `payment_addresses.0.iban` is `payment address 1, IBAN`.

    A field of the dialect such as `extra.purpose` is `purpose`.
    """
    parts: list[str] = []
    for name in path.removeprefix("extra.").split("."):
        if name.isdecimal() and parts:
            parts[-1] = f"{_ONE_OF.get(parts[-1], parts[-1])} {int(name) + 1}"
        else:
            parts.append(name.upper() if name in _INITIALS else name.replace("_", " "))
    return ", ".join(parts)


def request_words(row: IntentRow) -> Iterator[tuple[str, str]]:
    """Yield label and text of each filled-in field, without the parent's id."""
    if row.action.is_personal:
        yield "Filled in", UNSEEN
    for path, text in row.terms.asked:
        if path not in _PARENTS:
            words = path_words(path)
            yield words[:1].upper() + words[1:], text
