"""The options of a payment wizard; impossible ones have a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from paytui.api.resources import KIND_OF
from paytui.domain.models import (
    AccountId,
    BankInformation,
    PaymentAddress,
    PaymentAddressId,
    Recipient,
    RecipientId,
    Record,
    State,
    Wallet,
    WalletId,
)
from paytui.domain.money import CurrencyCode
from paytui.platform.text import clean
from paytui.store.lookalikes import LookalikeWarnings
from paytui.store.payees import PayeeStatus, addresses_by_recipient, addresses_of
from paytui.store.store import Store
from paytui.store.views import account_name, recipient_title
from paytui.tui.context import UiContext
from paytui.tui.details.fields import amount_words
from paytui.tui.format.cells import CAREFUL
from paytui.tui.terminal.tty import loses_letters
from paytui.tui.wizards.protocol import Option

Party = Wallet | Recipient | PaymentAddress
"""An object that has to be Active before money moves."""

_LONGEST = 60
"""Characters of a name in a warning."""

GONE = "the service no longer lists it"
OTHER_ACCOUNT = "other account"
REMOVED_TYPE = "electronic_deposit"
"""An account type that the January update removed (service.md §9)."""

_HIDDEN = {PayeeStatus.NEW: "new account", PayeeStatus.CHANGED: "changed account"}
"""Shown in place of the number of an account that is to be checked."""


def wallet_of(store: Store, wallet_id: WalletId | None) -> Wallet | None:
    """Return a wallet by its identifier, if that is given and known."""
    return store.wallets.get(wallet_id) if wallet_id else None


def address_of(
    store: Store, recipient_id: RecipientId | None, address_id: PaymentAddressId | None
) -> PaymentAddress | None:
    """Return an account of a recipient as the service lists it now; None if it does not."""
    recipient = store.recipients.get(recipient_id) if recipient_id else None
    known = addresses_of(store, recipient) if recipient else ()
    return next((one for one in known if one.payment_address_id == address_id), None)


def sources(store: Store, scope: AccountId | None) -> tuple[Option, ...]:
    """Return the wallets to pay from; only those of the scoped account, if any."""
    wallets = (wallet for wallet in store.wallets.rows() if scope in (None, wallet.account_id))
    return _sorted(wallet_option(store, wallet, wallet_trouble(wallet)) for wallet in wallets)


def destinations(store: Store, source: Wallet) -> tuple[Option, ...]:
    """Return the wallets that a transfer can go to, of any account (service.md §1)."""
    others = (row for row in store.wallets.rows() if row.wallet_id != source.wallet_id)
    return _sorted(
        wallet_option(store, wallet, destination_trouble(source, wallet)) for wallet in others
    )


def recipients(store: Store, source: Wallet, likeness: LookalikeWarnings) -> tuple[Option, ...]:
    """Return the recipients, with remarks on names that look alike."""
    rows, marks = store.recipients.rows(), likeness.marks()
    known = addresses_by_recipient(store, rows)
    return _sorted(
        Option(
            key=recipient.recipient_id,
            name=recipient_title(recipient),
            facts=_about(recipient, marks.get(recipient.recipient_id, ())),
            why_not=recipient_trouble(source, recipient, known[recipient.recipient_id]),
        )
        for recipient in rows
    )


def addresses(
    desk: UiContext, recipient: Recipient, trouble: Callable[[PaymentAddress], str]
) -> tuple[Option, ...]:
    """Return the accounts of a recipient; `trouble` returns the reason against one, or empty."""
    return _sorted(
        Option(
            key=address.payment_address_id,
            name=address_title(desk, address),
            facts=address_facts(desk, address),
            why_not=trouble(address),
        )
        for address in addresses_of(desk.store, recipient)
    )


def wallet_option(store: Store, wallet: Wallet, why_not: str) -> Option:
    """Return a wallet as an option, with its owner and balance."""
    return Option(
        key=wallet.wallet_id,
        name=wallet.wallet_name or wallet.wallet_id,
        facts=account_name(store, wallet.account_id),
        amount=_available(wallet),
        why_not=why_not,
    )


def other_owner_words(store: Store, wallet: Wallet) -> str:
    """Return the owner of a wallet of another account."""
    return f"other account: {account_name(store, wallet.account_id)}"


def address_title(desk: UiContext, address: PaymentAddress) -> str:
    """Return the number, unless it is to be checked first, and the currency."""
    number = address.iban or address.account_number or address.payment_address_id
    shown = _HIDDEN.get(desk.acquaintances.of(address), number)
    return f"{shown} {address.currency or ''}".rstrip()


def address_facts(desk: UiContext, address: PaymentAddress) -> str:
    """Return the name and bank; if it is to be checked first, only bank and country."""
    bank = address.bank_information or BankInformation()
    if desk.acquaintances.of(address) in _HIDDEN:
        return ", ".join(filter(None, (bank.bank_name, bank.country or address.country)))
    named = bank.bank_name or address.bic or address.routing_code or ""
    return f"{address.account_name or ''}  {named}".strip()


def distinguishing_id(recipient: Recipient) -> str:
    """Return the identifier if a terminal without UTF-8 cannot show the name; else empty."""
    return recipient.recipient_id if loses_letters(recipient_title(recipient)) else ""


def wallet_trouble(wallet: Wallet) -> str:
    """Return the reason why a wallet cannot pay or be paid; empty if it can."""
    if wallet.currency is None:
        return "its currency is not known"
    return _not_active(wallet.status)


def destination_trouble(source: Wallet, wallet: Wallet) -> str:
    """Return the reason why a transfer cannot go to a wallet; empty if it can."""
    if wallet.wallet_id == source.wallet_id:
        return "it is where the money comes from"
    if wallet.currency is not None and wallet.currency != source.currency:
        return f"in {wallet.currency}"
    return wallet_trouble(wallet)


def recipient_trouble(source: Wallet, recipient: Recipient, known: Sequence[PaymentAddress]) -> str:
    """Return the reason why a recipient cannot be paid from a wallet; empty if it can."""
    owners = {recipient.account_id, source.account_id} - {None}
    if len(owners) > 1:
        return OTHER_ACCOUNT
    if trouble := _not_active(recipient.status):
        return trouble
    if not known and recipient.status is not None and recipient.status.as_created:
        return ""  # the wizard asks for its address
    in_currency = [address for address in known if address.currency == source.currency]
    if not in_currency:
        return f"no {source.currency} bank details"
    troubles = [address_trouble(source, address) for address in in_currency]
    return "" if "" in troubles else f"address {troubles[0]}"


def address_trouble(source: Wallet, address: PaymentAddress) -> str:
    """Return the reason why an address cannot be paid from a wallet; empty if it can."""
    if address.currency is None:
        return "its currency is not known"
    if address.currency != source.currency:
        return f"in {address.currency}"
    if (address.account_type or "").lower() == REMOVED_TYPE:
        return f"type {REMOVED_TYPE}, which is no longer taken"
    return _not_active(address.status)


def unlisted(store: Store, *named: Record) -> tuple[Record, ...]:
    """Return the objects of kinds that the service does not list."""
    return tuple(one for one in named if not store.feed(KIND_OF[type(one)]).offered)


def unsure(*parties: Party) -> tuple[str, ...]:
    """Return a warning that names the parties of unknown status, if there are any."""
    unknown = (one for one in parties if one.status is None or one.status.as_created)
    names = ", ".join(clean(_party_name(one), _LONGEST) for one in unknown)
    return (f"Not known to be active: {names}. The service may refuse this.",) if names else ()


def _party_name(party: Party) -> str:
    match party:
        case Wallet():
            return f"wallet {party.wallet_name or party.wallet_id}"
        case Recipient():
            return f"recipient {recipient_title(party)}"
        case PaymentAddress():
            return "its payment address"


def _about(recipient: Recipient, marks: Sequence[str]) -> str:
    warning = f"{CAREFUL.sign} {', '.join(marks)}" if marks else ""
    return "  ".join(filter(None, (warning, distinguishing_id(recipient), recipient.country)))


def _not_active(state: State | None) -> str:
    """Return a status that is not Active, as money needs it to be (service.md §3); else empty.

    If the status is unknown, the service decides; see `unsure`.
    """
    if state is None or state.as_created or state.name == "active":
        return ""
    return state.name.replace("_", " ")


def _available(wallet: Wallet) -> str:
    if wallet.available_balance is None:
        return f"{wallet.currency or CurrencyCode('')} balance not known".lstrip()
    return amount_words(wallet.available_balance, wallet.currency)


def _sorted(options: Iterable[Option]) -> tuple[Option, ...]:
    """Sort the options by name: possible ones first, those of other accounts last."""
    return tuple(sorted(options, key=lambda one: (_rank(one), one.name.casefold(), one.key)))


def _rank(option: Option) -> int:
    return 2 if option.why_not == OTHER_ACCOUNT else bool(option.why_not)
