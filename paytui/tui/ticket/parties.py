"""The wallets, recipients and accounts that a ticket offers, and why one cannot be chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from paytui.api.resources import KIND_OF
from paytui.domain import models
from paytui.domain.money import MISSING
from paytui.platform.text import clean
from paytui.store.names import account_name, recipient_title
from paytui.store.payees import PayeeStatus, addresses_by_recipient, addresses_of
from paytui.store.store import Store
from paytui.tui.format.cells import CAREFUL, amount_words
from paytui.tui.format.feeds import feed_age, how_old, is_late, is_of_unknown_age
from paytui.tui.forms.common_fields import type_words
from paytui.tui.terminal.tty import loses_letters
from paytui.tui.ticket.model import Line, Option, line
from paytui.tui.ui_context import UiContext


@dataclass(frozen=True, slots=True)
class Payee:
    recipient: models.Recipient
    address: models.PaymentAddress


Target = models.Wallet | Payee  # A party that is paid
PayeeTrouble = Callable[[models.Recipient, Sequence[models.PaymentAddress]], str]
"""Returns the reason why a recipient cannot be paid at any of these accounts, else empty."""

ANY_WALLET = models.Wallet(models.WalletId(""))
"""A wallet that can be named by its identifier: of any account, in any currency."""

GONE = "the service no longer lists it"
OTHER_ACCOUNT = "other account"

_HIDDEN = {PayeeStatus.NEW: "(new, unverified)", PayeeStatus.CHANGED: "(changed, unverified)"}
"""Shown in place of the number of an account that is to be checked."""


def wallet_of(store: Store, wallet_id: str | None) -> models.Wallet | None:
    """Return a wallet by its identifier, if that is given and known."""
    return store.wallets.get(models.WalletId(wallet_id)) if wallet_id else None


def address_of(
    store: Store, recipient_id: models.RecipientId | None, address_id: str | None
) -> models.PaymentAddress | None:
    """Return an account of a recipient if the service lists it now."""
    recipient = store.recipients.get(recipient_id) if recipient_id else None
    known = addresses_of(store, recipient) if recipient else ()
    return next((one for one in known if one.payment_address_id == address_id), None)


def unlisted(store: Store, *named: models.Record) -> tuple[models.Record, ...]:
    """Return the objects of kinds that the service does not list."""
    return tuple(one for one in named if not store.feed(KIND_OF[type(one)]).offered)


# The options


def wallets(
    store: Store,
    scope: models.AccountId | None,
    trouble: Callable[[models.Wallet], str],
    *,
    payer: models.Wallet | None = None,
) -> tuple[Option, ...]:
    """Return the wallets of an account, or of all, but the payer's.

    One of another account than the payer's has to be moved to.
    """
    options = []
    for wallet in store.wallets.rows():
        is_payer = payer is not None and wallet.wallet_id == payer.wallet_id
        if is_payer or scope not in (None, wallet.account_id):
            continue
        amount = f"{wallet.currency or ''} balance not known".lstrip()
        if wallet.available_balance is not None:
            amount = amount_words(wallet.available_balance, wallet.currency)
        options.append(
            Option(
                key=wallet.wallet_id,
                name=wallet.wallet_name or wallet.wallet_id,
                facts=owner_words(store, wallet, payer),
                amount=amount,
                why_not=trouble(wallet),
                asks=payer is not None and is_of_another(wallet, payer),
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
                key=one.recipient_id,
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


# Why one of them cannot pay or be paid. A `currency` of None is not chosen yet; in a trade, what is
# `sold` cannot be bought.


def wallet_trouble(
    wallet: models.Wallet, currency: str | None = None, *, sold: str | None = None
) -> str:
    """Return the reason why a wallet cannot pay or be paid; empty if it can."""
    return _currency_trouble(wallet.currency, currency, sold) or _not_active(wallet.status)


def address_trouble(
    address: models.PaymentAddress, currency: str | None, *, sold: str | None = None
) -> str:
    """Return the reason why an account cannot be paid; empty if it can."""
    if trouble := _currency_trouble(address.currency, currency, sold):
        return trouble
    if (address.account_type or "").lower() == "electronic_deposit":  # service.md §9
        return "type electronic_deposit no longer accepted"
    return _not_active(address.status)


def _currency_trouble(known: str | None, wanted: str | None, sold: str | None) -> str:
    if known is None:
        return "currency not known"
    if known == sold:
        return f"same currency ({known})"
    return f"wrong currency ({known})" if wanted not in (None, known) else ""


def _not_active(state: models.State | None) -> str:
    """Return a status that is not Active (service.md §3); else empty. See `unsure`."""
    if state is None or state.as_created or state.name == "active":
        return ""
    return state.name.replace("_", " ")


def payers(ui: UiContext, currency: str | None = None) -> list[models.Wallet]:
    """Return a usable wallet of each account and currency.

    If the service does not list wallets, one of any currency may be named by its identifier.
    """
    usable: dict[tuple[object, object], models.Wallet] = {}
    for wallet in ui.store.wallets.rows():
        if ui.scope in (None, wallet.account_id) and not wallet_trouble(wallet, currency):
            usable.setdefault((wallet.account_id, wallet.currency), wallet)
    nameless = [ANY_WALLET] if unlisted(ui.store, ANY_WALLET) else []
    return [*usable.values(), *nameless]


def payee_trouble(
    payers: Sequence[models.Wallet],
    recipient: models.Recipient,
    known: Sequence[models.PaymentAddress],
    *,
    sold: str | None = None,
) -> str:
    """Return why none of these wallets can pay a recipient at any of these accounts, else empty."""
    if trouble := _not_active(recipient.status):
        return trouble
    able = [one for one in payers if not is_of_another(recipient, one)]
    if not able:
        return OTHER_ACCOUNT if payers else "no wallet"
    if not known:
        is_created = recipient.status is not None and recipient.status.as_created
        return "" if is_created else "no bank details"  # the ticket asks for its address
    currencies = {wallet.currency for wallet in able}
    fit = [one for one in known if one.currency in currencies or None in currencies]
    if fit:
        troubles = [address_trouble(one, None, sold=sold) for one in fit]
        return "" if "" in troubles else f"address {troubles[0]}"
    if len(currencies) == 1:
        return f"no {able[0].currency} bank details"
    return f"no {' or '.join(dict.fromkeys(one.currency for one in known if one.currency))} wallet"


def unsure(source: models.Wallet, target: Target) -> tuple[str, ...]:
    """Return a warning about the parties of unknown status, if there are any."""
    told = [(source.status, f"wallet {source.wallet_name or source.wallet_id}")]
    if isinstance(target, models.Wallet):
        told.append((target.status, f"wallet {target.wallet_name or target.wallet_id}"))
    else:
        told.append((target.recipient.status, f"recipient {recipient_title(target.recipient)}"))
        told.append((target.address.status, "its payment address"))
    unknown = (name for status, name in told if status is None or status.as_created)
    names = ", ".join(clean(name, 60) for name in unknown)
    return (f"Not known to be active: {names}. The service may refuse this.",) if names else ()


# Their facts, in words


def owner_words(store: Store, wallet: models.Wallet, payer: models.Wallet | None) -> str:
    """Return the account of a wallet, marked if it is known to be another than the payer's."""
    is_other = payer is not None and is_of_another(wallet, payer)
    name = account_name(store, wallet.account_id)
    return f"{CAREFUL.sign} {name}, other account" if is_other else name


def is_of_another(party: models.Wallet | models.Recipient, payer: models.Wallet) -> bool:
    """Return True if a party is known to belong to another account than the payer."""
    return None not in (party.account_id, payer.account_id) and party.account_id != payer.account_id


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


def without_balances(wallet: models.Wallet) -> models.Wallet:
    """Return a wallet without its balances and the time of its last change."""
    return replace(
        wallet, available_balance=None, reserved_balance=None, pending_balance=None, updated_at=None
    )
