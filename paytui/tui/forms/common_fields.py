"""The fields that several forms share, and the fields that a dialect adds or requires."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from paytui.domain.dialect_features import DialectFeatures
from paytui.domain.models import Account, Kind, PhysicalAddress, Representative
from paytui.domain.money import CurrencyCode, format_amount, minor_units
from paytui.store.names import account_title
from paytui.tui.drafts import Draft
from paytui.tui.forms.schema import Check, Field, FieldKind, Finding, Form, Section
from paytui.tui.ticket.model import Option
from paytui.tui.ui_context import UiContext

# Parsing and checks of typed values: amounts, bank account numbers, names and countries.

MAX_DIGITS = 15  # Digits of an amount before the point; more is a key that was held down

_FIGURE = re.compile(r"(?P<whole>[0-9][0-9,_]*)?(?:\.(?P<fraction>[0-9]+))?(?P<scale>[kKmM]?)")
_WHOLE = re.compile(r"[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,3}(?:_[0-9]{3})+")
_MARKED = re.compile(r"[0-9.,_]+[kKmM]?")
_EXPONENT = re.compile(r"[0-9.,_]+[eE][+-]?[0-9]+")
_SCALES = {"": 0, "k": 3, "m": 6}


class AmountError(ValueError):
    """An invalid amount; the message says why, and how to write one."""


def parse_amount(text: str, currency: CurrencyCode) -> Decimal:
    """Parse an amount, with as many digits as the currency has (architecture.md).

    >>> parse_amount("1.5m", CurrencyCode("AUD"))
    Decimal('1500000.00')

    Raises:
        AmountError: the text is invalid or ambiguous.
    """
    typed = text.strip()
    figure = _FIGURE.fullmatch(typed)
    if figure is None or (figure["whole"] is None and figure["fraction"] is None):
        raise AmountError(_why_not(typed))
    whole, fraction = figure["whole"] or "0", figure["fraction"] or ""
    if not _WHOLE.fullmatch(whole):
        raise AmountError(_ambiguous(typed))
    whole, scale = whole.replace(",", "").replace("_", ""), _SCALES[figure["scale"].lower()]
    if len(whole.lstrip("0")) + scale > MAX_DIGITS:
        raise AmountError(f"An amount has at most {MAX_DIGITS} digits before the point.")
    digits = minor_units(currency)
    # Digits count as they were typed: 1.500 may well mean fifteen hundred.
    if len(fraction) > scale + digits:
        words = f"{digits or 'no'} digit{'' if digits == 1 else 's'} after the point."
        raise AmountError(f"{currency} has {words}")
    amount = Decimal(f"{whole}.{fraction or '0'}").scaleb(scale)
    if not amount:
        raise AmountError("The amount is zero.")
    return amount.quantize(Decimal(1).scaleb(-digits))


def echo(amount: Decimal, currency: CurrencyCode) -> str:
    """Format an amount in full with its currency: `1,500,000.00 AUD`."""
    return f"{format_amount(amount, currency)} {currency}"


def _ambiguous(typed: str) -> str:
    return f"{typed} is ambiguous. Write 1.5, or groups of three: 2,500,000."


def _why_not(typed: str) -> str:
    if not typed:
        return "Type an amount, such as 2,500.00, 1k or 1.5m."
    if typed[0] in "-−(":
        return "An amount cannot be negative."
    if _EXPONENT.fullmatch(typed):
        return f"{typed} has an exponent: write it out, or as 1k or 1.5m."
    if "," in typed and _MARKED.fullmatch(typed):
        return _ambiguous(typed)
    return f"{typed} is not an amount. Try 2500, 1k or 1.5m."


# Each finding about a bank number is a warning, since the service decides. No check is stricter
# than its standard. Numbers are checked as they are sent, without spaces.

_BSB = re.compile(r"[0-9]{6}")
_IBAN = re.compile(r"[A-Za-z]{2}[0-9]{2}[A-Za-z0-9]{11,30}")


def judge_iban(text: str) -> Finding | None:
    """Check an IBAN by ISO 13616: check digits, and the country's length and format."""
    from stdnum import iban  # an import that a first paint can do without
    from stdnum.exceptions import InvalidChecksum, InvalidComponent, ValidationError

    try:
        iban.validate(text, check_country=False)
    except InvalidChecksum:
        return _warning("Wrong check digits: the IBAN contains a typo.")
    except InvalidComponent:
        return _warning(f"No known IBAN begins with {text[:2]}.")
    except ValidationError:
        return _warning(f"Wrong length or form for an IBAN of {text[:2]}.")
    return None


def judge_bic(text: str) -> Finding | None:
    """Check a BIC by ISO 9362: 8 or 11 characters, the fifth and sixth a country."""
    from stdnum import bic

    return None if bic.is_valid(text) else _warning("Write a BIC as FNBAUS33 or FNBAUS33XXX.")


def judge_bsb(text: str) -> Finding | None:
    """Check an Australian bank-state-branch code; hyphens are ignored."""
    is_bsb = _BSB.fullmatch(text.replace("-", ""))
    return None if is_bsb else _warning("A BSB has six digits, as in 062-000.")


def judge_aba(text: str) -> Finding | None:
    from stdnum.us import rtn

    words = "An ABA routing number has nine digits; the last is a check digit."
    return None if rtn.is_valid(text) else _warning(words)


def judge_account_number(text: str) -> Finding | None:
    """Warn of an IBAN in the field for account numbers."""
    is_iban = _IBAN.fullmatch(text) and judge_iban(text) is None
    return _warning("This is an IBAN. Enter it in the IBAN field.") if is_iban else None


def _warning(words: str) -> Finding:
    return Finding(words, overridable=True)


_ALIKE = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC")
"""Scripts with letters that look alike."""


def judge_name(text: str, _: Draft) -> Finding | None:
    """Warn of a word that mixes scripts, such as `Аcme` with a Cyrillic `А` (Unicode TR 39)."""
    for word in text.split():
        scripts = ((letter, unicodedata.name(letter, "").partition(" ")[0]) for letter in word)
        alike = [one for one in scripts if one[0].isalpha() and one[1] in _ALIKE]
        ranked = Counter(script for _, script in alike).most_common()
        if len(ranked) > 1:
            odd, script = next(one for one in alike if one[1] == ranked[-1][0])
            words = f"“{odd}” in {word} is {script.title()}, among {ranked[0][0].title()} letters."
            return _warning(words)
    return None


_NO_COUNTRIES = "AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ"
"""Two-letter codes in CLDR that are not countries of ISO 3166."""


@lru_cache(maxsize=1)
def country_choices() -> tuple[Option, ...]:
    """Return all countries of ISO 3166, by their English names in CLDR."""
    from babel import Locale  # an import that a first paint can do without

    named = Locale("en").territories.items()
    # Numeric codes are regions.
    codes = [each for each in named if each[0].isalpha() and each[0] not in _NO_COUNTRIES.split()]
    choices = (Option(key=code, name=name, facts=code) for code, name in codes)
    return tuple(sorted(choices, key=lambda choice: choice.name))


def country_field(key: str, label: str = "Country", *, about: str = "") -> Field:
    words = f"{about} Type a name or two-letter code.".lstrip()
    return Field(key, label, FieldKind.COUNTRY, words, choices=country_choices)


class _Accounts:
    """The known accounts as choices, sorted by name.

    Rebuilt only when an account has changed, because they are read on each key.
    """

    def __init__(self, ui: UiContext) -> None:
        self._table = ui.store.accounts
        self._version = -1
        self._choices: tuple[Option, ...] = ()

    def __call__(self) -> tuple[Option, ...]:
        if self._version != self._table.version:
            self._version = self._table.version
            rows = sorted(self._table.rows(), key=lambda row: account_title(row).casefold())
            names = Counter(map(account_title, rows))
            self._choices = tuple(_account(row, names[account_title(row)] > 1) for row in rows)
        return self._choices


def account_field(ui: UiContext, *, help: str, check: Check | None = None) -> Field:  # noqa: A002
    return Field(
        "account_id",
        "Account",
        FieldKind.CHOICE,
        help=help,
        required=True,
        choices=_Accounts(ui),
        allows_others=lambda: not ui.store.feed(Kind.ACCOUNTS).offered,
        check=check,
    )


def currency_field(ui: UiContext, *, help: str, required: bool = False) -> Field:  # noqa: A002
    """Return a currency field: it suggests the dialect's currencies and takes any other."""
    listed = tuple(Option(key=code, name=code) for code in ui.vocabulary.currencies)
    return Field("currency", "Currency", FieldKind.CURRENCY, help, required, lambda: listed)


def _account(account: Account, shares_name: bool) -> Option:
    """Return an account as a choice, with its identifier if another account has the same name."""
    state = account.status.name.replace("_", " ") if account.status else ""
    number = account.account_id if shares_name else ""
    facts = ", ".join(filter(None, [account.kind, state, number]))
    return Option(key=account.account_id, name=account_title(account), facts=facts)


REPRESENTATIVES = "authorised_representatives"
TERMS = "terms_and_conditions_accepted"


def name_fields() -> tuple[Field, ...]:
    return (
        Field("first_name", "First name", check=judge_name),
        Field("middle_name", "Middle name", check=judge_name),
        Field("last_name", "Last name", check=judge_name),
    )


def contact_fields() -> tuple[Field, ...]:
    """Return the fields for e-mail and phone; a phone number is sent as typed."""
    return (
        Field("email", "E-mail", FieldKind.EMAIL),
        Field("phone_country_code", "Phone country code", FieldKind.PHONE, help="Example: +61."),
        Field("phone", "Phone", FieldKind.PHONE),
    )


def representatives_section() -> Section:
    role = Field("role", "Role", help="Example: director.")
    return Section(
        REPRESENTATIVES, "Representative", (*name_fields(), role, *contact_fields()), repeated=True
    )


def terms_section() -> Section:
    about = "Yes if the account holder accepted the terms and conditions."
    field = Field(TERMS, "Terms accepted", FieldKind.YES_NO, about)
    return Section("terms", "Terms and conditions", (field,))


def yes_or_no(draft: Draft, path: str) -> bool | None:
    return {"true": True, "false": False}.get(draft[path])


ADDRESS = "physical_address"  # The path of the address in requests and their parts


def address_fields() -> tuple[Field, ...]:
    """Return the ten fields of an address (service.md §2); numbers are sent as typed."""
    return fields_under(
        ADDRESS,
        Field("address_line1", "Address line 1"),
        Field("address_line2", "Address line 2"),
        Field("unit_number", "Unit number"),
        Field("street_number", "Street number"),
        Field("street_name", "Street name"),
        Field("street_type", "Street type", help="Examples: St, Rd, Ave."),
        Field("city", "City"),
        Field("state", "State"),
        Field("postcode", "Postcode"),
        country_field("country"),
    )


def address_of(draft: Draft) -> PhysicalAddress | None:
    filled = draft.under(ADDRESS)
    return PhysicalAddress(**filled) if filled else None


def account_values(draft: Draft) -> dict[str, Any]:
    """Return the values of the fields that all requests for an account have, and all texts."""
    people = (part.values for part in draft.each_part(REPRESENTATIVES))
    return draft.texts() | {
        ADDRESS: address_of(draft),
        REPRESENTATIVES: tuple(Representative(**values) for values in people if values),
        TERMS: yes_or_no(draft, TERMS),
    }


def fields_under(path: str, *fields: Field) -> tuple[Field, ...]:
    return tuple(replace(field, key=f"{path}.{field.key}") for field in fields)


EXTRA = "extra"  # The section of fields that only this service has

_KINDS = {"text": FieldKind.TEXT, "number": FieldKind.NUMBER, "boolean": FieldKind.YES_NO}


def with_dialect_fields(form: Form, vocabulary: DialectFeatures) -> Form:
    """Return a form as the dialect declares its request; added fields come last."""
    request, sections = form.request_name, []
    for section in form.sections:
        if section.repeated:
            is_needed = section.key in vocabulary.required.get(request, ())
            changed = replace(section, min_parts=max(section.min_parts, int(is_needed)))
        else:
            fields = with_required(section.fields, vocabulary, request)
            changed = replace(section, fields=fields)
        sections.append(changed)
    if added := added_fields(vocabulary, request):
        sections.append(Section(EXTRA, "Other fields of this service", added))
    return replace(form, sections=tuple(sections))


def added_fields(vocabulary: DialectFeatures, request: str) -> tuple[Field, ...]:
    required = vocabulary.required.get(request, ())
    return tuple(
        Field(f"{EXTRA}.{one.key}", one.label, _KINDS[one.kind], required=one.key in required)
        for one in vocabulary.added.get(request, ())
    )


def with_required(
    fields: Iterable[Field], vocabulary: DialectFeatures, request: str
) -> tuple[Field, ...]:
    """Return the fields that the service takes, with the required ones marked.

    Of a required object, the first field is marked.
    """
    open_names, found = set(vocabulary.required.get(request, ())), []
    for field in fields:
        if not field.required and not vocabulary.takes(request, field.key.partition(".")[0]):
            continue
        name = field.key if field.key in open_names else field.key.partition(".")[0]
        found.append(replace(field, required=field.required or name in open_names))
        open_names.discard(name)
    return tuple(found)


ACCOUNT_TYPES: Mapping[str, str] = MappingProxyType(
    {"cacc": "current account", "svgs": "savings account", "oth": "other account"}
)
"""Meanings of the values of service.md §9 (ISO 20022, ExternalCashAccountType1Code)."""


def type_words(account_type: str) -> str:
    """Return an account type in words: `current account` for `cacc`."""
    return ACCOUNT_TYPES.get(account_type, account_type)
