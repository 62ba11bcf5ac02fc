"""Text in tones, cells of the models' values, and facts: labels with values and links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from textual.content import Content

from paytui.domain.intent import IntentId, IntentRow, Standing
from paytui.domain.models import AccountId, Kind, State, WalletId
from paytui.domain.money import MISSING, CurrencyCode, Pair, format_amount, plain, significant
from paytui.platform.clock import Zone
from paytui.store.screen_rows import EventRow, Trust
from paytui.tui.times import short_time


class Tone(StrEnum):
    """A meaning of text; the value names the theme's colour and the style `$name`.

    A tone never carries a meaning alone: words or signs say the same.
    """

    INK = "ink"
    MUTED = "muted"
    FAINT = "faint"
    ACCENT = "accent"  # Focus, and keys to press
    MONEY = "money"  # What moves money, and money under way
    UP = "up"
    DOWN = "down"  # Less than before; failed
    CLOSING = "closing"  # A warning
    EXPIRED = "expired"
    DOUBT = "doubt"


TINTED = "$tint-ink on $tint"  # The style of all text on a bar in the profile's colour


@dataclass(frozen=True, slots=True)
class Cell:
    """Text in one tone: plain characters, never markup.

    Attributes:
        strong: start and end of the characters that are bold.
        chosen: True to underline it, as one of two in a row that a key acts on.
    """

    text: str
    tone: Tone = Tone.INK
    strong: tuple[int, int] = (0, 0)
    chosen: bool = False


def toned(text: str, tone: Tone = Tone.INK, *, bold: bool = False) -> Content:
    """Return content in one tone; nothing in `text` is interpreted as markup."""
    return Content.styled(text, f"bold ${tone}" if bold else f"${tone}")


def text_of(cells: Iterable[Cell]) -> Content:
    return Content("\n").join([toned(cell.text, cell.tone) for cell in cells])


# Values

LONGEST_AMOUNT = 32
"""Maximum characters of an amount in a list, above the 15 grouped digits that are ever sent.
A nonsensical amount would otherwise take the room of the other columns."""

_TOO_LONG = Cell("too long, open it", Tone.CLOSING)  # A cut amount would read as another amount


def text_cell(text: str | None, tone: Tone = Tone.INK) -> Cell:
    return Cell(text, tone) if text else Cell(MISSING, Tone.FAINT)


def amount_cell(amount: Decimal | None, currency: CurrencyCode | None) -> Cell:
    """Return an amount, never cut; zero is faint."""
    if amount is None:
        return Cell(MISSING, Tone.FAINT)
    written = format_amount(amount, currency) if currency else plain(amount)
    if len(written) > LONGEST_AMOUNT:
        return _TOO_LONG
    return Cell(written, Tone.INK if amount else Tone.FAINT)


def time_cell(moment: datetime | None, zone: Zone) -> Cell:
    return Cell(short_time(moment, zone), Tone.MUTED if moment else Tone.FAINT)


@dataclass(frozen=True, slots=True)
class Mark:
    """A status sign, and the tone of the word after it. Each has one meaning everywhere."""

    sign: str
    tone: Tone = Tone.INK

    def cell(self, word: str) -> Cell:
        """Return a cell such as `✓ completed`."""
        return Cell(f"{self.sign} {word}", self.tone)


DONE = Mark("✓", Tone.MUTED)  # Finished as intended
GOING_ON = Mark("…")  # In progress
MOVING = Mark("…", Tone.MONEY)  # Money under way
CAREFUL = Mark("!", Tone.CLOSING)  # Needs attention
WRONG = Mark("✗", Tone.DOWN)  # Failed or impossible
UNKNOWN = Mark("?", Tone.DOUBT)  # Unknown meaning or outcome
ALARM = Mark("!!", Tone.DOWN)  # Contradicts the confirmed request


GOOD = frozenset({"active", "registered", "credited", "exchanged", "released", "completed"})
BAD = frozenset({"rejected", "failed", "returned", "cancelled"})
UNDER_WAY = frozenset({"created", "received", "awaiting_funds", "processing"})
STOPPED = frozenset({"suspended", "closed"})
REVIEW = "compliance_review"
_STATE_MARKS = ((GOOD, DONE), (BAD, WRONG), (UNDER_WAY, MOVING), ({*STOPPED, REVIEW}, CAREFUL))


def state_words(state: State) -> str:
    """Return `compliance review`; a state that the dialect does not list is unchanged."""
    return state.name.replace("_", " ") if state.known else state.name


def state_cell(state: State | None) -> Cell:
    """Return `✓ completed`, `✗ failed` or `… processing`; an unlisted state is unchanged."""
    if state is None:
        return Cell(MISSING, Tone.FAINT)
    known = next((mark for names, mark in _STATE_MARKS if state.name in names), GOING_ON)
    return (known if state.known else UNKNOWN).cell(state_words(state))


_INTENT_MARKS = {
    Standing.NOT_RECORDED: WRONG,
    Standing.RECORDED: CAREFUL,
    Standing.PROPOSED: CAREFUL,
    Standing.SENDING: MOVING,
    Standing.ACCEPTED: DONE,
    Standing.REFUSED: WRONG,
    Standing.NOT_EXECUTED: WRONG,
    Standing.IN_DOUBT: UNKNOWN,
    Standing.DONE: DONE,
    Standing.NOT_DONE: Mark("✗", Tone.MUTED),
}
_MANDATE_MARKS = {Standing.RECORDED: DONE, Standing.NOT_EXECUTED: Mark("·", Tone.FAINT)}


def standing_cell(row: IntentRow) -> Cell:
    """Return `? in doubt` or `✓ accepted`; `!! accepted, alert` if it has alerts."""
    marks = _INTENT_MARKS | _MANDATE_MARKS if row.is_mandate else _INTENT_MARKS
    mark = ALARM if row.alerts else marks[row.standing]
    words = row.standing_words
    return mark.cell(f"{words}, alert" if row.alerts else words)


_TRUST_MARKS = {
    Trust.VERIFIED: DONE,
    Trust.UNSIGNED: Mark("?"),
    Trust.FORGED: WRONG,
    Trust.TOO_OLD: CAREFUL,
    Trust.REPLAYED: CAREFUL,
    Trust.DUPLICATE: Mark("·", Tone.FAINT),
    Trust.UNREADABLE: CAREFUL,
}


def trust_cell(row: EventRow) -> Cell:
    """Return `✓ verified` or `✗ forged`; repeated events with a count: `✗ forged ×312`."""
    times = f" ×{row.times:,}" if row.times > 1 else ""
    return _TRUST_MARKS[row.trust].cell(f"{row.trust}{times}")


def distance_words(worst: Decimal, rate: Decimal, named: str) -> str:
    """Return `1.52 % below the locked rate`, of the lowest rate that a mandate allows."""
    share = 100 * (rate - worst) / rate
    if f"{abs(share):.2f}" == "0.00":
        return f"{'about' if share else 'equal to'} {named}"
    return f"{abs(share):.2f} % {'below' if share > 0 else 'above'} {named}"


def amount_words(amount: Decimal, currency: CurrencyCode | None) -> str:
    """Return an amount in full digits with its currency: `12,000.00 USD`."""
    written = format_amount(amount, currency) if currency else plain(amount)
    return f"{written} {currency or MISSING}"


def money_cell(amount: Decimal | None, currency: CurrencyCode | None) -> Cell:
    """Return an amount with its currency."""
    return text_cell(None if amount is None else amount_words(amount, currency))


_UNITS = ((10**9, "bn"), (10**6, "m"), (10**3, "k"))
_PLAIN_BELOW = 10_000


def rounded(amount: Decimal) -> str:
    """Return an amount to four digits: `36.64m`; below 10,000 in whole units."""
    size = abs(amount)
    for unit, letter in _UNITS:
        if size >= max(unit, _PLAIN_BELOW):
            digits = max(0, 3 - (size / unit).adjusted())
            return f"{amount / unit:.{digits}f}{letter}"
    return f"{amount:,.0f}"


def rate_words(pair: Pair, rate: Decimal) -> str:
    """Format a rate in the service's direction, with at least six significant digits."""
    return f"1 {pair.sell} = {significant(rate)} {pair.buy}"


ACCOUNT_TYPES = {"cacc": "current account", "svgs": "savings account", "oth": "other type"}
"""Meanings of the values of service.md §9 (ISO 20022, ExternalCashAccountType1Code)."""


def type_words(account_type: str) -> str:
    """Return an account type in words: `current account` for `cacc`."""
    return ACCOUNT_TYPES.get(account_type, account_type)


# Facts

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
    match value:
        case None:
            return Fact(label, Cell(MISSING, Tone.FAINT), None)
        case State():
            return Fact(label, state_cell(value), value.name)
        case bool():
            return text_fact(label, "yes" if value else "no")
        case date():
            return text_fact(label, value.isoformat())
        case Decimal():
            return text_fact(label, plain(value))
        case str():
            return text_fact(label, value)


def text_fact(label: str, text: str, note: str = "", link: Link | None = None) -> Fact:
    return Fact(label, Cell(text), text, note, link)


def amount_fact(label: str, amount: Decimal | None, currency: CurrencyCode | None) -> Fact:
    return fact(label, None if amount is None else amount_words(amount, currency))


def group(title: str, *facts: Fact) -> Group:
    return Group(title, facts)


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
