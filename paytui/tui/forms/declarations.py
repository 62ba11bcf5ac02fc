"""The forms of accounts, wallets, pay-in addresses, recipients and payment addresses.

Their fields are those of service.md §2. It shows none of a corporate account; those are assumed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from paytui.config.key_bindings import first_key
from paytui.domain import requests
from paytui.domain.models import AccountId, Kind, Recipient, State, Wallet
from paytui.store import payable
from paytui.store.names import account_name, account_title, recipient_title, wallet_label
from paytui.store.payable import mixed_words
from paytui.tui.confirmation import is_complete
from paytui.tui.details.objects import addresses_of_wallet
from paytui.tui.format.cells import ACCOUNT_TYPES, state_words, type_words
from paytui.tui.forms.form import Check, Field, FieldKind, Form, FormTask, Section, Submission
from paytui.tui.ticket import model
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ticket.model import Option, Values
from paytui.tui.ticket.task import failed_row
from paytui.tui.ui_context import UiContext

# Fields of several forms


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
    kind, others = FieldKind.COUNTRY, "is not a country code (ISO 3166)."
    return Field(key, label, kind, words, choices=country_choices, others=others)


def account_field(ui: UiContext, about: str, check: Check = lambda *_: "") -> Field:
    """Return a field of the known accounts, by name; two of one name show their identifiers."""
    table, is_listed = ui.store.accounts, ui.store.feed(Kind.ACCOUNTS).offered

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
        others="" if is_listed else "is not a known value. It is sent as typed.",
        check=check,
    )


def currency_field(ui: UiContext, about: str, *, required: bool = False) -> Field:
    """Return a currency field: it suggests the dialect's currencies and takes any other."""
    listed = tuple(Option(key=code, name=code) for code in ui.vocabulary.currencies)
    kind, others = FieldKind.CURRENCY, "is not a currency that the service is known to accept."
    return Field("currency", "Currency", kind, about, required, lambda: listed, others)


def paid_currency_field(ui: UiContext, payer: AccountId | None) -> Field:
    """Return the currency of a payee's account; `payer` is None if the form asks for it."""
    field = currency_field(ui, "Payouts to this account are in its currency.")

    def held(account: AccountId | None) -> set[str | None]:
        usable = payable.payers(ui.store, account or ui.scope)
        return {one.currency for one in usable} if is_complete(ui, Kind.WALLETS) else {None}

    def choices() -> tuple[Option, ...]:
        mine = held(payer)
        own = [one for one in field.choices() if not mine.isdisjoint({None, one.key})]
        return (
            *own,
            *(replace(one, facts="no wallet") for one in field.choices() if one not in own),
        )

    def check(code: str, values: Values) -> str:
        account = payer or AccountId(values.get("account_id", ""))
        words = f"{account_name(ui.store, account)} has no {code} wallet: only a trade can pay it."
        return words if held(account).isdisjoint({None, code}) else ""

    return replace(field, check=check, choices=choices)


def text_fields(*keys: str, check: Check = lambda *_: "") -> tuple[Field, ...]:
    """Return fields of text whose labels are their keys: `First name` for `first_name`."""
    return tuple(Field(key, key.replace("_", " ").capitalize(), check=check) for key in keys)


# Accounts

TRUSTEE = "individual_is_acting_as_trustee"


def _under(path: str, *fields: Field) -> tuple[Field, ...]:
    return tuple(replace(field, key=f"{path}.{field.key}") for field in fields)


_NAMES = text_fields("first_name", "middle_name", "last_name", check=judge_name)

_CONTACT = (  # A phone number is sent as typed.
    Field("email", "E-mail", FieldKind.EMAIL),
    Field("phone_country_code", "Phone country code", FieldKind.PHONE, "Example: +61."),
    Field("phone", "Phone", FieldKind.PHONE),
)
_ADDRESS = _under(  # The fields of an address (service.md §2); numbers are sent as typed.
    "physical_address",
    Field("address_line1", "Address line 1"),
    Field("address_line2", "Address line 2"),
    *text_fields("unit_number", "street_number", "street_name"),
    Field("street_type", "Street type", about="Examples: St, Rd, Ave."),
    *text_fields("city", "state", "postcode"),
    country_field("country"),
)
_ROLE = Field("role", "Role", about="Example: director.")
_TERMS = "Yes if the account holder accepted the terms and conditions."
_ACCEPTED = Field("terms_and_conditions_accepted", "Terms accepted", FieldKind.YES_NO, _TERMS)
_SECTIONS = (
    Section("Address", _ADDRESS),
    Section("Representative", (*_NAMES, _ROLE, *_CONTACT), "authorised_representatives"),
    Section("Terms and conditions", (_ACCEPTED,)),
)
"""The sections of every account."""


def individual_form(ui: UiContext) -> Form:
    """Return the form of an individual account: every field of service.md §2."""

    def days_ahead(text: str) -> int:
        return (datetime.fromisoformat(text).date() - ui.time.latest().date()).days

    def born(text: str, _: Values) -> str:
        return "This date is in the future." if days_ahead(text) > 0 else ""

    def expires(text: str, _: Values) -> str:
        return "Expired." if days_ahead(text) < 0 else ""

    def is_trustee(values: Values) -> bool:
        return values.get(TRUSTEE) == "true"

    moment, sent = FieldKind.DATE_TIME, "sent as 00:00 UTC."
    birth = Field("birth_date", "Date of birth", FieldKind.DATE, "Example: 1980-05-31.", check=born)
    born_at = replace(birth, kind=moment, about=f"Example: 1980-05-31, {sent}")
    identification = _under(
        "primary_identification",
        Field("identity_type", "Type", about="Example: driver_license."),
        Field("identity_number", "Number"),
        Field("identity_card_number", "Card number"),
        country_field("identity_country", about="Country of issue."),
        Field("identity_state", "State", about="State of issue."),
        Field("identity_expiry", "Expires", moment, f"Example: 2030-01-31, {sent}", check=expires),
    )
    about = "Yes if the person holds the account for a trust."
    trust = (
        Field(TRUSTEE, "Acts as trustee", FieldKind.YES_NO, about),
        Field("trust.name", "Name of the trust", check=judge_name, applies=is_trustee),
    )
    beneficiary = (*_NAMES, born_at, *_ADDRESS)
    address, representatives, terms = _SECTIONS
    return Form(
        key="individual_account",
        noun="Individual account",
        sections=(
            Section("Person", (*_NAMES, birth, *_CONTACT)),
            address,
            Section("Identification", identification),
            representatives,
            Section("Trust", trust),
            Section("Beneficiary", beneficiary, "trust.trust_beneficiaries", applies=is_trustee),
            terms,
        ),
        request=requests.IndividualAccountRequest,
    )


def corporate_form(_: UiContext) -> Form:
    """Return the form of a corporate account; a dialect adds the fields that its service wants."""
    company = (
        *text_fields("company_name", "trading_name", check=judge_name),
        *text_fields("registration_number"),
        country_field("registration_country", "Registered in"),
        *_CONTACT,
    )
    return Form(
        key="corporate_account",
        noun="Corporate account",
        sections=(Section("Company", company), *_SECTIONS),
        request=requests.CorporateAccountRequest,
    )


TYPE = "pay_in_address_type"
_TYPES = {"local": "by BSB and account number", "international": "by BIC and account number"}
"""Descriptions of the known types (service.md §2); a dialect may offer others."""


def wallet_form(ui: UiContext) -> Form:
    def registered(account_id: str, _: Values) -> str:
        account = ui.store.accounts.get(AccountId(account_id))
        state = _unless(account.status if account else None, "registered")
        return f"The account is in {state}: the service may refuse it a wallet." if state else ""

    about = "The customer account that owns the wallet."
    fields = (
        account_field(ui, about, check=registered),
        currency_field(ui, "A wallet holds one currency.", required=True),
        Field("wallet_name", "Name", about="Name shown in lists."),
        Field("wallet_description", "Description", about="Purpose of the wallet."),
    )
    return Form(
        key="wallet",
        noun="Wallet",
        sections=(Section("Details", fields),),
        request=requests.WalletRequest,
        object_name=lambda values: values.get("wallet_name") or values["currency"],
    )


def _unless(state: State | None, name: str) -> str:
    """Return the words of a state that is known now and another than expected; else empty."""
    is_fit = state is None or state.as_created or state.name == name
    return "" if state is None or is_fit else state_words(state)


def payin_address_form(ui: UiContext, wallet: Wallet) -> Form:

    def owner() -> tuple[Option, ...]:
        """Return the wallet, with a remark unless it is Active, as a pay-in needs."""
        now = ui.store.wallets.get(wallet.wallet_id) or wallet
        whose = [wallet.currency, "of", account_name(ui.store, wallet.account_id)]
        state = _unless(now.status, "active")
        facts = " ".join(filter(None, whose)) + f", {state}: cannot receive money" * bool(state)
        name = wallet.wallet_name or wallet.wallet_id
        return (Option(key=wallet.wallet_id, name=name, facts=facts),)

    def types() -> tuple[Option, ...]:
        """Return the types; a wallet has at most one address of each (service.md §2)."""
        taken = {}
        for one in addresses_of_wallet(ui, wallet):
            number = " ".join(filter(None, [one.bsb or one.bic, one.account_number]))
            why_not = f"this wallet already has {number or one.pay_in_address_id}"
            taken[one.pay_in_address_type] = why_not
        return tuple(
            Option(key=one, name=one, facts=_TYPES.get(one, ""), why_not=taken.get(one, ""))
            for one in ui.vocabulary.values.get(TYPE, tuple(_TYPES))
        )

    choice, about = FieldKind.CHOICE, "Each pay-in address is unique to its wallet."
    fields = (
        Field("wallet_id", "Wallet", choice, about, required=True, choices=owner),
        Field(TYPE, "Type", choice, "How senders pay in.", required=True, choices=types),
    )
    return Form(
        key="payin_address",
        noun="Pay-in address",
        sections=(Section("Details", fields),),
        request=requests.PayInAddressRequest,
        object_name=lambda values: f"{values[TYPE]} of {wallet_label(ui.store, wallet.wallet_id)}",
    )


# Recipients

ACCOUNT_TYPE = "account_type"
RECIPIENT_TYPE = "recipient_type"


def payment_address_form(ui: UiContext, recipient: Recipient) -> Form:
    name, choice = recipient_title(recipient), FieldKind.CHOICE
    one = Option(key=recipient.recipient_id, name=name, facts=recipient.country or "")
    about = "Owner of the account."
    owner = Field("recipient_id", "Recipient", choice, about, required=True, choices=lambda: (one,))

    def named(values: Values) -> str:
        number = values.get("iban") or values.get("account_number")
        return " ".join(filter(None, [values.get("currency"), number, "of", name]))

    return Form(
        key="payment_address",
        noun="Payment address",
        sections=(Section("Account", (owner, *address_fields(ui, recipient))),),
        request=requests.PaymentAddressRequest,
        object_name=named,
    )


def address_fields(ui: UiContext, owner: Recipient | None = None) -> tuple[Field, ...]:
    """Return the fields of a payment address; which are required depends on the country.

    The name is that of the `owner` until it is edited; None: of the form's recipient.
    """

    def holder(values: Values) -> str:
        return recipient_title(owner) if owner else _recipient_named(values)

    offered = ui.vocabulary.values.get(ACCOUNT_TYPE, tuple(ACCOUNT_TYPES))
    known = [one for one in offered if one not in ui.vocabulary.refused.get(ACCOUNT_TYPE, {})]
    types = tuple(Option(key=one, name=type_words(one)) for one in known)
    digits, code = FieldKind.LONG_DIGITS, FieldKind.CODE
    name = "As registered with the bank."
    about = "Only if there is no IBAN. Spaces are removed."
    iban = "International account number. Spaces are removed."
    routing = "BSB in Australia, ABA routing number in the United States."
    bic = "Bank identifier (SWIFT code). Example: FNBAUS33."
    return (
        paid_currency_field(ui, owner.account_id if owner else None),
        country_field("country", about="Country of the account."),
        Field(ACCOUNT_TYPE, "Account type", FieldKind.CHOICE, required=True, choices=lambda: types),
        Field("account_name", "Account name", about=name, check=judge_name, default=holder),
        Field("iban", "IBAN", code, iban, check=requests.judge_iban),
        Field(
            "account_number", "Account number", digits, about, check=requests.judge_account_number
        ),
        Field("bic", "BIC", code, bic, check=requests.judge_bic),
        Field("routing_code", "Routing code", digits, routing, check=requests.judge_routing_code),
    )


def _recipient_named(values: Values) -> str:
    """Return what `recipient_title` will show. Names of another type are kept, but not sent."""
    kind, company = values.get(RECIPIENT_TYPE), values.get("company_name")
    is_business = kind == "business" or (company and kind != "individual")
    names = ("company_name",) if is_business else ("first_name", "last_name")
    return " ".join(filter(None, map(values.get, names)))


def recipient_form(ui: UiContext) -> Form:
    """Return the form of a recipient; of the names, only those of its type are shown."""

    def unless(kind: str) -> Callable[[Values], bool]:
        return lambda values: values.get(RECIPIENT_TYPE) != kind

    offered = ui.vocabulary.values.get(RECIPIENT_TYPE, ("individual", "business"))
    types = tuple(Option(key=one, name=one) for one in offered)
    about = "Individuals need a first and a last name, businesses a company name."
    identity = (
        account_field(ui, "The customer account that pays this recipient."),
        Field(RECIPIENT_TYPE, "Type", FieldKind.CHOICE, about, choices=lambda: types),
        Field("first_name", "First name", check=judge_name, applies=unless("business")),
        Field("last_name", "Last name", check=judge_name, applies=unless("business")),
        Field("company_name", "Company name", check=judge_name, applies=unless("individual")),
        Field("email", "E-mail", FieldKind.EMAIL),
        country_field("country", about="Country of residence or registration."),
    )
    path, request = "payment_addresses", "payment_address_request"
    addresses = Section("Payment address", address_fields(ui), path, request, min_parts=1)
    return Form(
        key="recipient",
        noun="Recipient",
        sections=(Section("Identity", identity), addresses),
        request=requests.RecipientRequest,
        object_name=_recipient_named,
    )


FORMS: Mapping[str, Callable[..., Form]] = {
    "create_individual_account": individual_form,
    "create_corporate_account": corporate_form,
    "create_wallet": wallet_form,
    "create_payin_address": payin_address_form,
    "create_recipient": recipient_form,
    "add_payment_address": payment_address_form,
}
"""By operation, the function that returns its form; some take the owner of the new object too."""


def form_ticket(
    ui: UiContext, form: Form, context: str = "", start: model.Values = model.NO_VALUES
) -> Ticket[Submission]:
    """Return the ticket of a form, with what was filled in before unless it was sent.

    A request that failed after the form was left comes back with the service's complaints.
    """
    kept = ui.drafts.get((form.key, context))
    row = ui.store.intents.get(kept.intent_id) if kept and kept.intent_id else None
    failed = failed_row(ui, row) if row else None
    values, note, at = start, "", ""
    if kept and (kept.intent_id is None or failed):
        values, at = kept.values, form.sections[0].fields[0].key
        over = first_key(ui.settings.keys, "ticket.clear")
        note = f"Restored draft, not sent. {over} starts over."
    elif kept and (row is None or row.standing.open):
        name = row.title if row else kept.intent_id
        note = f"{name} is still open: see Activity (8). Sending this creates another one."
    ticket = Ticket(FormTask(ui, form, context, start, failed), values, note, at)
    if failed:
        ticket.go_on()
    return ticket
