"""The wallets, recipients and accounts that a ticket offers, and their facts in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TypeVar

from paytui.domain import models
from paytui.domain.money import MISSING
from paytui.store.names import account_name, recipient_title
from paytui.store.payable import OTHER_ACCOUNT, Payee, Target, is_of_another
from paytui.store.payees import PayeeStatus, addresses_by_recipient, addresses_of
from paytui.store.store import Store
from paytui.tui.format.cells import CAREFUL, amount_words, type_words
from paytui.tui.format.feeds import feed_age, how_old, is_late, is_of_unknown_age
from paytui.tui.terminal.tty import loses_letters
from paytui.tui.ticket.model import Line, Option, line
from paytui.tui.ui_context import UiContext

PayeeTrouble = Callable[[models.Recipient, Sequence[models.PaymentAddress]], str]
"""Returns the reason why a recipient cannot be paid at any of these accounts, else empty."""

P = TypeVar("P", models.Wallet, Payee, Target)

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
    trouble: Callable[[models.Wallet], str],
    *,
    other: models.Wallet | None = None,
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


def recipients(ui: UiContext, trouble: PayeeTrouble) -> tuple[Option, ...]:
    """Return the recipients, each with a remark if its name looks like another's.

    They are found by the currencies of their accounts, and by the numbers that may be shown.
    """
    rows, marks = ui.store.recipients.rows(), ui.likeness.marks()
    known = addresses_by_recipient(ui.store, rows)
    options = []
    for one in rows:
        accounts = known[one.recipient_id]
        alike = ", ".join(marks.get(one.recipient_id, ()))
        currencies = ", ".join(dict.fromkeys(each.currency for each in accounts if each.currency))
        looks = alike and f"{CAREFUL.sign} {alike}"
        # A terminal without UTF-8 may show different names alike.
        identifier = one.recipient_id if loses_letters(recipient_title(one)) else ""
        options.append(
            Option(
                key=payee_key(one.recipient_id),
                name=recipient_title(one),
                facts="  ".join(filter(None, (currencies, one.country, looks, identifier))),
                why_not=trouble(one, accounts),
                keywords=" ".join(_numbers(ui, each) for each in accounts),
            )
        )
    return _by_name(options)


def addresses(
    ui: UiContext, recipient: models.Recipient, trouble: Callable[[models.PaymentAddress], str]
) -> tuple[Option, ...]:
    return _by_name(
        Option(
            key=address.payment_address_id,
            name=address_title(ui, address),
            facts=address_facts(ui, address),
            why_not=trouble(address),
            keywords=_numbers(ui, address),
        )
        for address in addresses_of(ui.store, recipient)
    )


def _numbers(ui: UiContext, address: models.PaymentAddress) -> str:
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


def owner_words(store: Store, wallet: models.Wallet, payer: models.Wallet | None) -> str:
    """Return the account of a wallet, marked if it is known to be another than the payer's."""
    is_other = payer is not None and is_of_another(wallet, payer)
    name = account_name(store, wallet.account_id)
    return f"{CAREFUL.sign} {name}, other account" if is_other else name


def balance_words(ui: UiContext, wallet: models.Wallet) -> str:
    """Return a wallet's balance, with its age in minutes if wallets are late."""
    if wallet.available_balance is None:
        return "balance not known"
    words = f"{amount_words(wallet.available_balance, wallet.currency)} available"
    feed = ui.store.feed(models.Kind.WALLETS)
    is_young = feed_age(ui, feed) < timedelta(minutes=1) and not is_of_unknown_age(feed)
    is_old = is_late(ui, models.Kind.WALLETS) and not is_young
    return f"{words}, {how_old(ui, feed)}" if is_old else words


def address_title(ui: UiContext, address: models.PaymentAddress) -> str:
    """Return the number, unless it is to be checked first, and the currency."""
    number = address.iban or address.account_number or address.payment_address_id
    shown = _HIDDEN.get(ui.acquaintances.of(address), number)
    return f"{shown} {address.currency or ''}".rstrip()


def address_facts(ui: UiContext, address: models.PaymentAddress) -> str:
    """Return the name and bank; if it is to be checked first, only bank and country."""
    bank = address.bank_information or models.BankInformation()
    if ui.acquaintances.of(address) in _HIDDEN:
        return ", ".join(filter(None, (bank.bank_name, bank.country or address.country)))
    named = bank.bank_name or address.bic or address.routing_code or ""
    return f"{address.account_name or ''}  {named}".strip()


def service_line(ui: UiContext) -> Line:
    """Return the line of the service, and whether money is real there."""
    profile = ui.settings.profile
    return line("Service", profile.host, f"{profile.name}{', LIVE: real money' * profile.live}")


def bank_lines(address: models.PaymentAddress, *, hidden: bool) -> Iterator[Line]:
    """Yield the account and its bank, as far as sent; without the number if that is `hidden`."""
    bank = address.bank_information or models.BankInformation()
    if hidden:
        yield line("Bank account", "hidden until you type its last 4")
        yield line("Bank", bank.bank_name or MISSING, bank.country or address.country or "")
        return
    yield line("Account name", address.account_name or MISSING)
    numbers = [number for number in (address.iban, address.account_number) if number]
    yield line(
        "Bank account", ", ".join(numbers) or MISSING, type_words(address.account_type or "")
    )
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
    if not isinstance(party, models.Wallet):
        return party
    return replace(
        party, available_balance=None, reserved_balance=None, pending_balance=None, updated_at=None
    )
