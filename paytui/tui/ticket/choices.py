"""The wallets, recipients and accounts that tickets offer: their options, facts and identifiers.

An identifier is typed where there is nothing to choose from (service.md §4). The worker reads the
object or, if the service has no such read, adds it. It is then chosen like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from datetime import timedelta
from typing import Any, TypeVar

from paytui.api.resources import KIND_OF, identifier_of
from paytui.domain import models
from paytui.domain.intent import IntentRow
from paytui.domain.models import PaymentAddress, Record, Wallet
from paytui.domain.money import MISSING, CurrencyCode
from paytui.platform.text import clean, fold
from paytui.store import payable
from paytui.store.names import account_name, recipient_title
from paytui.store.payable import OTHER_ACCOUNT, PayeeStatus, addresses_of, is_of_another
from paytui.store.store import Store
from paytui.tui.format.cells import CAREFUL, amount_words, type_words
from paytui.tui.terminal.tty import loses_letters
from paytui.tui.ticket.model import Line, Option, line
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.feeds import feed_age, how_old, is_late, is_of_unknown_age

P = TypeVar("P", Wallet, payable.Payee, payable.Target)

_PAYEE = "\t"  # An identifier has no tab: see `read_identifier`

_HIDDEN = {PayeeStatus.NEW: "(new, unverified)", PayeeStatus.CHANGED: "(changed, unverified)"}
"""Shown in place of the number of an account that is to be checked."""


def payee_key(recipient_id: str) -> str:
    """Return the key of a recipient's option: a service may number wallets and recipients alike."""
    return f"{_PAYEE}{recipient_id}"


def payee_of(key: str | None) -> models.RecipientId | None:
    """Return the recipient of an option; None of a wallet's."""
    if key is None or not key.startswith(_PAYEE):
        return None
    return models.RecipientId(key.removeprefix(_PAYEE))


# The options


def wallets(
    store: Store,
    scope: models.AccountId | None,
    trouble: Callable[[Wallet], str],
    *,
    other: Wallet | None = None,
) -> tuple[Option, ...]:
    """Return the wallets of an account, or of all, but that of the other party.

    One of another account than that has to be moved to.
    """
    options = []
    for wallet in store.wallets.rows():
        is_other = other is not None and wallet.wallet_id == other.wallet_id
        if is_other or scope not in (None, wallet.account_id):
            continue
        amount = f"{wallet.currency or ''} balance not known".lstrip()
        if wallet.available_balance is not None:
            amount = amount_words(wallet.available_balance, wallet.currency)
        options.append(
            Option(
                key=wallet.wallet_id,
                name=wallet.wallet_name or wallet.wallet_id,
                facts=owner_words(store, wallet, other),
                amount=amount,
                why_not=trouble(wallet),
                asks=other is not None and is_of_another(wallet, other),
                keywords=wallet.account_id or "",
            )
        )
    return _by_name(options)


def recipients(
    ui: UiContext, trouble: Callable[[models.Recipient, Sequence[PaymentAddress]], str]
) -> tuple[Option, ...]:
    """Return the recipients, each with a remark if its name looks like another's.

    They are found by the currencies of their accounts, and by the numbers that may be shown.
    """
    rows, marks = ui.store.recipients.rows(), ui.likeness.marks()
    known = payable.addresses_by_recipient(ui.store, rows)
    options = []
    for one in rows:
        accounts = known[one.recipient_id]
        alike, name = ", ".join(marks.get(one.recipient_id, ())), recipient_title(one)
        currencies = ", ".join(dict.fromkeys(each.currency for each in accounts if each.currency))
        looks = alike and f"{CAREFUL.sign} {alike}"
        # In ASCII, different names may be shown alike.
        identifier = f"id {one.recipient_id}" if ui.in_ascii and loses_letters(name) else ""
        options.append(
            Option(
                key=payee_key(one.recipient_id),
                name=name,
                facts="  ".join(filter(None, (looks, currencies, one.country, identifier))),
                why_not=trouble(one, accounts),
                keywords=" ".join(_numbers(ui, each) for each in accounts),
            )
        )
    return _by_name(options)


def addresses(
    ui: UiContext, recipient: models.Recipient, trouble: Callable[[PaymentAddress], str]
) -> tuple[Option, ...]:
    options = []
    for address in addresses_of(ui.store, recipient):
        name, facts = address_words(ui, address)
        key, why_not, keywords = address.payment_address_id, trouble(address), _numbers(ui, address)
        options.append(Option(key=key, name=name, facts=facts, why_not=why_not, keywords=keywords))
    return _by_name(options)


def _numbers(ui: UiContext, address: PaymentAddress) -> str:
    """Return the numbers of an account without spaces; none if it is to be checked first."""
    if ui.acquaintances.of(address) in _HIDDEN:
        return ""
    numbers = (address.iban, address.account_number)
    return " ".join("".join(number.split()) for number in numbers if number)


def _by_name(options: Iterable[Option]) -> tuple[Option, ...]:
    """Sort options by name: possible ones first, those of other accounts last."""

    def place(one: Option) -> tuple[object, ...]:
        is_barred = one.why_not != ""
        return one.why_not == OTHER_ACCOUNT, is_barred, one.asks, one.name.casefold(), one.key

    return tuple(sorted(options, key=place))


# Their facts, in words


def owner_words(store: Store, wallet: Wallet, payer: Wallet | None) -> str:
    """Return the account of a wallet, marked if it is known to be another than the payer's."""
    is_other = payer is not None and is_of_another(wallet, payer)
    name = account_name(store, wallet.account_id)
    return f"{CAREFUL.sign} {name}, other account" if is_other else name


def balance_words(ui: UiContext, wallet: Wallet) -> str:
    """Return a wallet's balance, with its age in minutes if wallets are late."""
    if wallet.available_balance is None:
        return "balance not known"
    words = f"{amount_words(wallet.available_balance, wallet.currency)} available"
    feed = ui.store.feed(models.Kind.WALLETS)
    is_young = feed_age(ui, feed) < timedelta(minutes=1) and not is_of_unknown_age(feed)
    is_old = is_late(ui, models.Kind.WALLETS) and not is_young
    return f"{words}, {how_old(ui, feed)}" if is_old else words


def address_words(ui: UiContext, address: PaymentAddress) -> tuple[str, str]:
    """Return the number and currency of an account, and its name and bank.

    Of one that is to be checked first, only the currency, the bank and its country.
    """
    bank = address.bank_information or models.BankInformation()
    if number := _HIDDEN.get(ui.acquaintances.of(address)):
        facts = ", ".join(filter(None, (bank.bank_name, bank.country or address.country)))
    else:
        number = address.iban or address.account_number or address.payment_address_id
        named = bank.bank_name or address.bic or address.routing_code or ""
        facts = f"{address.account_name or ''}  {named}".strip()
    return f"{number} {address.currency or ''}".rstrip(), facts


def service_line(ui: UiContext) -> Line:
    profile = ui.settings.profile
    return line("Service", profile.host, f"{profile.name}{', LIVE: real money' * profile.live}")


def bank_lines(address: PaymentAddress, *, hidden: bool) -> Iterator[Line]:
    """Yield the account and its bank, as far as sent; without the number if that is `hidden`."""
    bank = address.bank_information or models.BankInformation()
    if hidden:
        yield line("Bank account", "hidden until you type its last 4")
        yield line("Bank", bank.bank_name or MISSING, bank.country or address.country or "")
        return
    yield line("Account name", address.account_name or MISSING)
    numbers = [number for number in (address.iban, address.account_number) if number]
    kind = type_words(address.account_type or "")
    yield line("Bank account", ", ".join(numbers) or MISSING, kind)
    codes = (("BIC", address.bic), ("routing", address.routing_code))
    if told := [f"{name} {code}" for name, code in codes if code]:
        yield line("Bank code", ", ".join(told))
    street = (bank.bank_address_line1, bank.bank_address_line2)
    town = (bank.postal_code, bank.locality, bank.region, bank.country or address.country)
    yield line("Bank", bank.bank_name or MISSING, ", ".join(part for part in town if part))
    if address_text := ", ".join(part for part in street if part):
        yield line("Bank address", address_text)


def without_balances(party: P) -> P:
    """Return a party; a wallet without its balances and the time of its last change."""
    if not isinstance(party, Wallet):
        return party
    return replace(
        party, available_balance=None, reserved_balance=None, pending_balance=None, updated_at=None
    )


# Narrowing

MIN_IDENTIFIER = 4
"""Characters from which on a text may be part of an identifier or keyword, not on screen."""

RECENT = 5  # Options that are offered first, as they were chosen last

PART, NONE = 3, 4  # The ranks of an option that has the typed words as parts of its own, or not

FUZZY = 80  # The score from 0 to 100 from which on a text counts as misspelt


def narrowed(options: Iterable[Option], text: str, *, free: bool = False) -> tuple[Option, ...]:
    """Return the options that match a text, the best first.

    An option matches if each typed word is part of it: of its name, currency, account number or
    identifier. A name that begins with the text comes before one that has it elsewhere. Only if
    none matches, misspelt ones are found. Among equals, those that cannot be chosen come last: a
    payee that cannot be paid does not give way to another that happens to match as well. A `free`
    field may hold another text: then an option matches only if its words begin with those typed.
    """
    rows, typed = tuple(options), " ".join(fold(text).split())
    if not typed:
        return tuple(sorted(rows, key=lambda one: one.why_not != ""))
    ranks = {one.key: _rank(one, typed) for one in rows}
    found = [one for one in rows if ranks[one.key] < (PART if free else NONE)]
    if not found and not free:
        return _misspelt(rows, typed)
    return tuple(sorted(found, key=lambda one: (ranks[one.key], one.why_not != "", one.asks)))


def _rank(option: Option, typed: str) -> int:
    """Return the quality of a match, 0 for the best."""
    name, text = fold(option.name), f"{option.name} {option.facts} {option.amount}"
    if len(typed) >= MIN_IDENTIFIER:
        text += f" {option.key} {option.keywords}"
    text = fold(text)
    if typed in option.keywords.split():
        return 0
    if not all(word in text for word in typed.split()):
        return NONE
    if typed in (name, fold(option.key).strip()):
        return 0
    if name.startswith(typed):
        return 1
    spaced = f" {text}"
    return 2 if all(f" {word}" in spaced for word in typed.split()) else PART


def _misspelt(options: tuple[Option, ...], typed: str) -> tuple[Option, ...]:
    from rapidfuzz import fuzz, process  # Most texts match as they are typed.

    def likeness(text: str, name: str, **_: object) -> float:
        """Compare a text with a part of a name; with all of one that is shorter."""
        return (fuzz.partial_ratio if len(name) >= len(text) else fuzz.ratio)(text, name)

    names = [fold(option.name) for option in options]
    found = process.extract(typed, names, scorer=likeness, score_cutoff=FUZZY, limit=len(names))
    found.sort(key=lambda match: (-match[1], options[match[2]].why_not != ""))
    return tuple(options[place] for *_, place in found)


def recent_first(
    store: Store, options: Iterable[Option], key_of: Callable[[IntentRow], str | None]
) -> tuple[Option, ...]:
    """Return the options with those of the last intents confirmed here first, latest first."""
    ours = (row for row in store.intents.rows() if not row.is_colleagues)
    rows = sorted(ours, key=lambda row: row.confirmed_at, reverse=True)
    recent = list(dict.fromkeys(key for row in rows if (key := key_of(row))))[:RECENT]
    places = {key: place for place, key in enumerate(recent)}
    return tuple(sorted(options, key=lambda one: places.get(one.key, len(places))))


def only_option(options: Iterable[Option]) -> str | None:
    """Return the key of the only option that can be chosen, unless it has to be moved to."""
    possible = [one for one in options if not one.why_not]
    return possible[0].key if len(possible) == 1 and not possible[0].asks else None


# Identifiers


def named_object(ui: UiContext, names: tuple[Record, ...], text: str) -> Record | str:
    """Return the object that a text names, or what the text lacks.

    `names` are templates of the objects that it may be. A wallet or payment address of unknown
    currency is named with it: `123 USD`.
    """
    identifier, _, currency = clean(text).strip().partition(" ")
    currency = currency.strip().upper()
    if not identifier or not re.fullmatch("([A-Z]{3})?", currency):
        return f"Type {identifier_hint(names)}."
    known = [(one, ui.store.table(KIND_OF[type(one)]).get(identifier)) for one in names]
    fits = [one for one in known if _lacks_currency(one[0]) == bool(currency)]
    template, there = (*(one for one in known if one[1] is not None), *fits, *known)[0]
    given: dict[str, Any] = {fields(template)[0].name: identifier}
    if _lacks_currency(template):
        told = _currency_of(there)
        if told is None and not currency:
            return f"Type its currency too: {identifier} USD."
        if told and currency not in ("", told) and not _was_typed(ui, there):
            return f"{identifier} is in {told}, not {currency}."
        given["currency"] = currency or told
    return replace(template, **given)


def is_there(ui: UiContext, awaited: Record) -> bool:
    """Return True if the worker has the object as it was typed."""
    row = ui.store.table(KIND_OF[type(awaited)]).get(identifier_of(awaited))
    if _was_typed(ui, row) and _currency_of(row) != _currency_of(awaited):
        return False  # the worker has yet to replace what was typed before
    return row is not None


def identifier_hint(names: tuple[Record, ...]) -> str:
    """Return what is typed to name an object; empty if the field takes no identifier."""
    nouns = [(KIND_OF[type(one)].noun_of_one, _lacks_currency(one)) for one in names]
    return ", or ".join(f"{noun} id{' and its currency' * lacks}" for noun, lacks in nouns)


def _was_typed(ui: UiContext, row: Record | None) -> bool:
    """Return True if no more is known of an object than was typed; it can be corrected."""
    if not isinstance(row, Wallet | PaymentAddress) or row.status is None:
        return False
    created_here = ui.own_record.of(KIND_OF[type(row)], identifier_of(row)) is not None
    return row.status.as_created and not created_here


def _currency_of(record: Record | None) -> CurrencyCode | None:
    return record.currency if isinstance(record, Wallet | PaymentAddress) else None


def _lacks_currency(named: Record) -> bool:
    return isinstance(named, Wallet | PaymentAddress) and named.currency is None


def only_one(found: Iterable[str | None]) -> str | None:
    values = {one for one in found if one is not None}
    return values.pop() if len(values) == 1 else None
