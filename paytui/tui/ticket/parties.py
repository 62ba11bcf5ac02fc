"""The wallets, recipients and addresses that a ticket offers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from functools import partial

from paytui.api.resources import KIND_OF
from paytui.domain import models
from paytui.domain.dialect_features import DialectFeatures
from paytui.domain.intent import tags_of
from paytui.domain.money import MISSING, CurrencyCode
from paytui.platform.text import clean
from paytui.store.lookalike_payees import LookalikeWarnings
from paytui.store.names import account_name, recipient_title
from paytui.store.payees import PayeeStatus, addresses_by_recipient, addresses_of
from paytui.store.store import Store
from paytui.tui.format.cells import CAREFUL, amount_words
from paytui.tui.format.feeds import feed_age, how_old, is_late, is_of_unknown_age
from paytui.tui.forms.common_fields import echo, type_words
from paytui.tui.terminal.tty import loses_letters
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ticket.model import Line, Option, line
from paytui.tui.ui_context import UiContext


@dataclass(frozen=True, slots=True)
class Payee:
    recipient: models.Recipient
    address: models.PaymentAddress


Target = models.Wallet | Payee  # A party that is paid
_LONGEST = 60  # Characters of a name in a warning

GONE = "the service no longer lists it"
OTHER_ACCOUNT = "other account"
REMOVED_TYPE = "electronic_deposit"  # Removed by the January update (service.md §9)

_HIDDEN = {PayeeStatus.NEW: "new account", PayeeStatus.CHANGED: "changed account"}
"""Shown in place of the number of an account that is to be checked."""


def wallet_of(store: Store, wallet_id: models.WalletId | None) -> models.Wallet | None:
    """Return a wallet by its identifier, if that is given and known."""
    return store.wallets.get(wallet_id) if wallet_id else None


def address_of(
    store: Store,
    recipient_id: models.RecipientId | None,
    address_id: models.PaymentAddressId | None,
) -> models.PaymentAddress | None:
    """Return an account of a recipient if the service lists it now."""
    recipient = store.recipients.get(recipient_id) if recipient_id else None
    known = addresses_of(store, recipient) if recipient else ()
    return next((one for one in known if one.payment_address_id == address_id), None)


def sources(
    store: Store,
    scope: models.AccountId | None,
    trouble: Callable[[models.Wallet], str] | None = None,
) -> tuple[Option, ...]:
    """Return the wallets to pay from; only those of the scoped account, if any.

    `trouble` returns why a wallet cannot pay, by default only because of the wallet.
    """
    why_not = trouble or wallet_trouble
    wallets = (wallet for wallet in store.wallets.rows() if scope in (None, wallet.account_id))
    return _sorted(wallet_option(store, wallet, why_not(wallet)) for wallet in wallets)


def usable_wallets(store: Store, scope: models.AccountId | None) -> tuple[models.Wallet, ...]:
    """Return a wallet for each account and currency that can be paid from."""
    found: dict[tuple[object, object], models.Wallet] = {}
    for wallet in store.wallets.rows():
        if scope in (None, wallet.account_id) and not wallet_trouble(wallet):
            found.setdefault((wallet.account_id, wallet.currency), wallet)
    return tuple(found.values())


def destinations(store: Store, source: models.Wallet) -> tuple[Option, ...]:
    """Return the wallets that a transfer can go to, of any account (service.md §1)."""
    others = (row for row in store.wallets.rows() if row.wallet_id != source.wallet_id)
    return _sorted(
        wallet_option(store, wallet, destination_trouble(source, wallet)) for wallet in others
    )


def recipients(
    store: Store, source: models.Wallet, likeness: LookalikeWarnings
) -> tuple[Option, ...]:
    """Return the recipients, with the reason why this wallet cannot pay one."""
    return _recipients(store, likeness, partial(recipient_trouble, source))


def payable_recipients(ui: UiContext) -> tuple[Option, ...]:
    """Return the recipients, with the reason why no wallet can pay one."""
    wallets = usable_wallets(ui.store, ui.scope)
    return _recipients(ui.store, ui.likeness, partial(unpayable, ui.store, wallets))


def _recipients(
    store: Store,
    likeness: LookalikeWarnings,
    trouble: Callable[[models.Recipient, Sequence[models.PaymentAddress]], str],
) -> tuple[Option, ...]:
    """Return the recipients, with remarks on names that look alike."""
    rows, marks = store.recipients.rows(), likeness.marks()
    known = addresses_by_recipient(store, rows)
    options = []
    for one in rows:
        alike = ", ".join(marks.get(one.recipient_id, ()))
        facts = (alike and f"{CAREFUL.sign} {alike}", distinguishing_id(one), one.country)
        options.append(
            Option(
                key=one.recipient_id,
                name=recipient_title(one),
                facts="  ".join(filter(None, facts)),
                why_not=trouble(one, known[one.recipient_id]),
            )
        )
    return _sorted(options)


def unpayable(
    store: Store,
    wallets: Sequence[models.Wallet],
    recipient: models.Recipient,
    known: Sequence[models.PaymentAddress],
) -> str:
    """Return the reason why none of the wallets can pay a recipient; empty if one can.

    If the service does not list wallets, one of any currency may be named by its identifier.
    """
    nameless = models.Wallet(models.WalletId(""))
    if unlisted(store, nameless):
        others = (replace(nameless, currency=address.currency) for address in known)
        wallets = (*wallets, nameless, *others)
    troubles = [recipient_trouble(wallet, recipient, known) for wallet in wallets]
    if "" in troubles:
        return ""
    if trouble := _not_active(recipient.status):
        return trouble
    own = [one for one in troubles if one != OTHER_ACCOUNT]
    if not own:
        return OTHER_ACCOUNT if troubles else "no wallet"
    of_address = [one for one in own if one.startswith("address ")]
    if of_address or not known:
        return of_address[0] if of_address else "no bank details"
    currencies = dict.fromkeys(one.currency for one in known if one.currency)
    return f"no {' or '.join(currencies)} wallet"


def addresses(
    ui: UiContext, recipient: models.Recipient, trouble: Callable[[models.PaymentAddress], str]
) -> tuple[Option, ...]:
    return _sorted(
        Option(
            key=address.payment_address_id,
            name=address_title(ui, address),
            facts=address_facts(ui, address),
            why_not=trouble(address),
        )
        for address in addresses_of(ui.store, recipient)
    )


def wallet_option(store: Store, wallet: models.Wallet, why_not: str) -> Option:
    """Return a wallet as an option, with its owner and balance."""
    amount = f"{wallet.currency or ''} balance not known".lstrip()
    if wallet.available_balance is not None:
        amount = amount_words(wallet.available_balance, wallet.currency)
    return Option(
        key=wallet.wallet_id,
        name=wallet.wallet_name or wallet.wallet_id,
        facts=account_name(store, wallet.account_id),
        amount=amount,
        why_not=why_not,
    )


def other_owner_words(store: Store, wallet: models.Wallet) -> str:
    return f"other account: {account_name(store, wallet.account_id)}"


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


def distinguishing_id(recipient: models.Recipient) -> str:
    """Return the identifier if a terminal without UTF-8 cannot show the name; else empty."""
    return recipient.recipient_id if loses_letters(recipient_title(recipient)) else ""


def wallet_trouble(wallet: models.Wallet) -> str:
    """Return the reason why a wallet cannot pay or be paid; empty if it can."""
    return "currency not known" if wallet.currency is None else _not_active(wallet.status)


def destination_trouble(source: models.Wallet, wallet: models.Wallet) -> str:
    """Return the reason why a transfer cannot go to a wallet; empty if it can."""
    if wallet.wallet_id == source.wallet_id:
        return "same wallet"
    if wallet.currency is not None and wallet.currency != source.currency:
        return f"wrong currency ({wallet.currency})"
    return wallet_trouble(wallet)


def recipient_trouble(
    source: models.Wallet, recipient: models.Recipient, known: Sequence[models.PaymentAddress]
) -> str:
    """Return the reason why a recipient cannot be paid from a wallet; empty if it can."""
    owners = {recipient.account_id, source.account_id} - {None}
    if len(owners) > 1:
        return OTHER_ACCOUNT
    if trouble := _not_active(recipient.status):
        return trouble
    if not known and recipient.status is not None and recipient.status.as_created:
        return ""  # the ticket asks for its address
    in_currency = [address for address in known if address.currency == source.currency]
    if not in_currency:
        return f"no {source.currency} bank details"
    troubles = [address_trouble(source, address) for address in in_currency]
    return "" if "" in troubles else f"address {troubles[0]}"


def address_trouble(source: models.Wallet, address: models.PaymentAddress) -> str:
    """Return the reason why an address cannot be paid from a wallet; empty if it can."""
    if address.currency is None:
        return "currency not known"
    if address.currency != source.currency:
        return f"wrong currency ({address.currency})"
    if (address.account_type or "").lower() == REMOVED_TYPE:
        return f"type {REMOVED_TYPE} no longer accepted"
    return _not_active(address.status)


def unlisted(store: Store, *named: models.Record) -> tuple[models.Record, ...]:
    """Return the objects of kinds that the service does not list."""
    return tuple(one for one in named if not store.feed(KIND_OF[type(one)]).offered)


def unsure(source: models.Wallet, target: Target) -> tuple[str, ...]:
    """Return a warning about the parties of unknown status, if there are any."""
    told: list[tuple[models.Wallet | models.Recipient | models.PaymentAddress, str]] = [
        (one, f"wallet {one.wallet_name or one.wallet_id}")
        for one in (source, target)
        if isinstance(one, models.Wallet)
    ]
    if isinstance(target, Payee):
        told.append((target.recipient, f"recipient {recipient_title(target.recipient)}"))
        told.append((target.address, "its payment address"))
    unknown = (name for one, name in told if one.status is None or one.status.as_created)
    names = ", ".join(clean(name, _LONGEST) for name in unknown)
    return (f"Not known to be active: {names}. The service may refuse this.",) if names else ()


def paid_account(target: Target) -> models.PaymentAddress | None:
    """Return the recipient's account that is paid; None if a wallet is."""
    return None if isinstance(target, models.Wallet) else target.address


def _not_active(state: models.State | None) -> str:
    """Return a status that is not Active (service.md §3); else empty. See `unsure`."""
    if state is None or state.as_created or state.name == "active":
        return ""
    return state.name.replace("_", " ")


def by_name(options: Iterable[Option]) -> tuple[Option, ...]:
    """Sort the options by name, possible ones first."""
    return tuple(sorted(options, key=lambda one: (one.why_not != "", one.name.casefold(), one.key)))


def _sorted(options: Iterable[Option]) -> tuple[Option, ...]:
    """Sort the options by name: possible ones first, those of other accounts last."""
    return tuple(sorted(by_name(options), key=lambda one: one.why_not == OTHER_ACCOUNT))


def short_by(wallet: models.Wallet, amount: Decimal) -> Decimal | None:
    """Return the amount that a wallet lacks; None if it lacks nothing, or is unknown."""
    available = wallet.available_balance
    return amount - available if available is not None and available < amount else None


def reference_line(reference: str | None) -> Line:
    """Return a reference as it is sent, with paytui's tag."""
    note = "tag added by paytui" if tags_of(reference) else ""
    return line("Reference", reference or "none", note)


def service_line(ui: UiContext) -> Line:
    """Return the line of the service, and whether money is real there."""
    profile = ui.settings.profile
    return line("Sent to", profile.host, f"{profile.name}{', LIVE: real money' * profile.live}")


def balance_words(ui: UiContext, wallet: models.Wallet) -> str:
    """Return a wallet's balance, with its age in minutes if wallets are late."""
    if wallet.available_balance is None:
        return "balance not known"
    words = f"{amount_words(wallet.available_balance, wallet.currency)} available"
    feed = ui.store.feed(models.Kind.WALLETS)
    is_young = feed_age(ui, feed) < timedelta(minutes=1) and not is_of_unknown_age(feed)
    is_old = is_late(ui, models.Kind.WALLETS) and not is_young
    return f"{words}, {how_old(ui, feed)}" if is_old else words


def shortfall_warning(short_by: Decimal | None, currency: CurrencyCode) -> Iterator[Cell]:
    """Yield a warning if the wallet is short; a pay-in may come first, so it is not barred."""
    if short_by is not None:
        lacks = f"! exceeds available by {echo(short_by, currency)}: the service may reject it"
        yield Cell(lacks, Tone.CLOSING)


def bank_lines(address: models.PaymentAddress, *, hidden: bool) -> Iterator[Line]:
    """Yield the account and its bank, as far as sent; without the number if that is `hidden`."""
    bank = address.bank_information or models.BankInformation()
    if hidden:
        yield line("Account", "hidden until you type its last 4")
        yield line("Bank", bank.bank_name or MISSING, bank.country or address.country or "")
        return
    yield line("Account name", address.account_name or MISSING)
    numbers = [number for number in (address.iban, address.account_number) if number]
    yield line("Account", ", ".join(numbers) or MISSING, type_words(address.account_type or ""))
    codes = (("BIC", address.bic), ("routing", address.routing_code))
    if told := [f"{name} {code}" for name, code in codes if code]:
        yield line("Bank code", ", ".join(told))
    street = (bank.bank_address_line1, bank.bank_address_line2)
    town = (bank.postal_code, bank.locality, bank.region, bank.country or address.country)
    yield line("Bank", bank.bank_name or MISSING, ", ".join(part for part in town if part))
    if address_text := ", ".join(part for part in street if part):
        yield line("Bank address", address_text)


LONGEST_REFERENCE = 140  # Characters without the tag: the size of SWIFT field 70 (4 x 35)


def reference_trouble(vocabulary: DialectFeatures, request: str, reference: str) -> str:
    """Return a complaint about a reference; empty if it is good. Our tag does not count."""
    if (over := len(reference) - LONGEST_REFERENCE) > 0:
        return f"{over} characters too long (at most {LONGEST_REFERENCE})."
    if not reference and "reference" in vocabulary.required.get(request, ()):
        return "The service requires a reference."
    return ""


def without_balances(wallet: models.Wallet) -> models.Wallet:
    """Return a wallet without its balances and the time of its last change."""
    return replace(
        wallet, available_balance=None, reserved_balance=None, pending_balance=None, updated_at=None
    )
