"""The declaration of a form: sections of fields, which one screen shows.

A form names its fields by the canonical paths of the request that it makes (`api.requests`), so
that what the service says of a field finds its way back to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import StrEnum

from paytui.domain.requests import Request
from paytui.tui.forms.draft import Draft


class FieldKind(StrEnum):
    """The type of a field: its input and its checks."""

    TEXT = "text"
    NUMBER = "number"
    LONG_DIGITS = "long digits"
    """An account number and the like: spaces in it are for reading alone, and are not sent."""
    CODE = "code"
    """The same, and its letters go out as capitals: an IBAN, a BIC."""
    DATE = "date"
    DATE_TIME = "date and time"
    EMAIL = "e-mail"
    PHONE = "phone"
    COUNTRY = "country"
    CURRENCY = "currency"
    CHOICE = "choice"
    """One of `Field.choices` and nothing else."""
    YES_NO = "yes or no"
    """Held as `true` or `false`; never preset."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A complaint about a field.

    Attributes:
        overridable: whether it is a warning: it is asked about once, and then goes out as it is.
    """

    words: str
    overridable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One thing that a field can hold.

    Attributes:
        key: what the request carries.
        words: what a person calls it.
        about: what tells it from others of the name.
        why_not: why it cannot be chosen; empty where it can.
        names: what it is called when it is typed whole, in small letters.
        sought: in what it is looked for, in small letters.
    """

    key: str
    words: str
    about: str = ""
    why_not: str = ""
    names: tuple[str, str] = dataclass_field(init=False, repr=False, compare=False)
    sought: str = dataclass_field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        names = (self.key.casefold(), self.words.casefold())
        # There may be thousands of accounts to look through at each key.
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "sought", " ".join((*names, self.about.casefold())))


Check = Callable[[str, Draft], Finding | None]
"""What is the matter with a text as it goes out, in the draft around it."""


def _always(_: Draft) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One thing to fill in.

    Attributes:
        key: the canonical path in the request: `physical_address.city`; in a repeated section, the
            path inside a part.
        help: one line, at most 76 cells: what it is for, or how it is written.
        required: whether nothing goes out without it.
        choices: what a `CHOICE` can be; of a `CURRENCY` or `COUNTRY`, what is suggested.
        others: whether a `CHOICE` may hold an identifier that is not among its choices, after a
            warning.
        check: judges what is not empty, beyond what its kind says of it: the text as it goes out,
            and the draft around it.
        shown: whether it is there at all; what it holds is kept, and not sent, while it is not.

    In a repeated section the draft that `check` and `shown` are given is that of their own part,
    with paths inside it.
    """

    key: str
    label: str
    kind: FieldKind = FieldKind.TEXT
    help: str = ""
    required: bool = False
    choices: Callable[[], tuple[Choice, ...]] = tuple
    others: Callable[[], bool] = lambda: False
    check: Check | None = None
    shown: Callable[[Draft], bool] = _always


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Fields that are on view together.

    Attributes:
        key: of a repeated one, the canonical path of its parts: `authorised_representatives`.
        title: of the section, or of one of its parts: `Representative`.
        repeated: whether there are as many as one adds.
        least: parts that a repeated one always has.
    """

    key: str
    title: str
    fields: tuple[Field, ...]
    repeated: bool = False
    least: int = 0
    shown: Callable[[Draft], bool] = _always


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """Everything that one request asks for.

    Attributes:
        key: what drafts are kept by: `wallet`.
        title: of the screen: `New wallet`.
        noun: what comes of it: `Wallet`.
        asks: the request's name in the dialect, for what that requires and adds: `wallet_request`.
        request: makes the request of a draft without errors, which holds what is shown alone, each
            value as it goes out.
        named: what comes of it, in a person's words; no personal data of an account.
    """

    key: str
    title: str
    noun: str
    asks: str
    sections: tuple[Section, ...]
    request: Callable[[Draft], Request]
    named: Callable[[Draft], str]
