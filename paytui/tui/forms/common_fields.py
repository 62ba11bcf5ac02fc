"""The fields that several forms share, and the fields that a dialect adds or requires."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache

from paytui.domain.dialect_features import DialectFeatures
from paytui.domain.models import Kind
from paytui.store.lookalike_payees import mixed_words
from paytui.store.names import account_title
from paytui.tui.format.cells import state_words
from paytui.tui.forms.schema import Check, Field, FieldKind, Form, Section
from paytui.tui.ticket.model import Option, Values
from paytui.tui.ui_context import UiContext


def judge_name(text: str, _: Values) -> str:
    """Warn of a word that mixes scripts, such as `Аcme` with a Cyrillic `А` (Unicode TR 39)."""
    judged = ((word, mixed_words(word)) for word in text.split())
    return next((f"{word} {words}." for word, words in judged if words), "")


_NO_COUNTRIES = "AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ"
"""Two-letter codes in CLDR that are not countries of ISO 3166."""


@lru_cache(maxsize=1)
def country_choices() -> tuple[Option, ...]:
    """Return all countries of ISO 3166, by their English names in CLDR."""
    from babel import Locale  # an import that a first paint can do without

    countries = (
        Option(key=code, name=name, facts=code, keywords="uk" if code == "GB" else "")
        for code, name in Locale("en").territories.items()
        if code.isalpha() and code not in _NO_COUNTRIES.split()  # numeric codes are regions
    )
    return tuple(sorted(countries, key=lambda country: country.name))


def country_field(key: str, label: str = "Country", *, about: str = "") -> Field:
    words = f"{about} Type a name or two-letter code.".lstrip()
    return Field(key, label, FieldKind.COUNTRY, words, choices=country_choices)


def account_field(ui: UiContext, about: str, check: Check = lambda *_: "") -> Field:
    """Return a field of the known accounts, by name; two of one name show their identifiers."""
    table = ui.store.accounts

    @lru_cache(maxsize=1)  # options are read on each key
    def options(_version: int) -> tuple[Option, ...]:
        rows = sorted(table.rows(), key=lambda row: account_title(row).casefold())
        names = Counter(map(account_title, rows))
        found = []
        for row in rows:
            key, name = row.account_id, account_title(row)
            state = state_words(row.status) if row.status else ""
            facts = filter(None, [row.kind, state, key if names[name] > 1 else ""])
            found.append(Option(key=key, name=name, facts=", ".join(facts)))
        return tuple(found)

    return Field(
        "account_id",
        "Account",
        FieldKind.CHOICE,
        about,
        required=True,
        choices=lambda: options(table.version),
        allows_others=lambda: not ui.store.feed(Kind.ACCOUNTS).offered,
        check=check,
    )


def currency_field(ui: UiContext, about: str, *, required: bool = False) -> Field:
    """Return a currency field: it suggests the dialect's currencies and takes any other."""
    listed = tuple(Option(key=code, name=code) for code in ui.vocabulary.currencies)
    return Field("currency", "Currency", FieldKind.CURRENCY, about, required, lambda: listed)


def text_fields(*keys: str, check: Check = lambda *_: "") -> tuple[Field, ...]:
    """Return fields of text whose labels are their keys: `First name` for `first_name`."""
    return tuple(Field(key, key.replace("_", " ").capitalize(), check=check) for key in keys)


EXTRA = "extra"  # The path of the fields that only this service has


def with_dialect_fields(form: Form, vocabulary: DialectFeatures) -> Form:
    """Return a form as the dialect declares its request; added fields come last.

    It has the fields that the service takes. Of a required object, the first one is required.
    """
    whole, sections = f"{form.key}_request", []
    for section in form.sections:
        request = section.request if section.path else whole
        unmarked, fields = set(vocabulary.required.get(request, ())), []
        for field in section.fields:
            name = field.key.partition(".")[0]
            if field.required or vocabulary.takes(request, name):
                is_required = field.required or not unmarked.isdisjoint({field.key, name})
                fields.append(replace(field, required=is_required))
                unmarked -= {field.key, name}
        fields += added_fields(vocabulary, section.request)
        is_required = section.path in vocabulary.required.get(whole, ())
        least = max(section.min_parts, int(is_required))
        sections.append(replace(section, fields=tuple(fields), min_parts=least))
    if added := added_fields(vocabulary, whole):
        sections.append(Section("Other fields of this service", added))
    return replace(form, sections=tuple(sections))


def added_fields(vocabulary: DialectFeatures, request: str) -> tuple[Field, ...]:
    required = vocabulary.required.get(request, ())
    return tuple(
        Field(f"{EXTRA}.{one.key}", one.label, FieldKind(one.kind), required=one.key in required)
        for one in vocabulary.added.get(request, ())
    )
