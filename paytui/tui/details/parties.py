"""The detail views of accounts, recipients and payment addresses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from paytui.config.keys import first_key
from paytui.domain.models import (
    Account,
    BankInformation,
    Kind,
    PaymentAddress,
    PhysicalAddress,
    Recipient,
    Wallet,
)
from paytui.domain.money import MISSING
from paytui.store.payees import addresses_of
from paytui.store.views import recipient_title
from paytui.tui.context import UiContext
from paytui.tui.details.fields import (
    Fact,
    Group,
    Ref,
    amount_words,
    fact,
    group,
    link_fact,
    links_group,
    related_list_fact,
    text_fact,
)
from paytui.tui.details.state_path import ACCOUNT, ADDRESSEE, states_group
from paytui.tui.format.cells import state_cell

_MEANINGS = {
    "pending_checks": "The operator checks the identity (KYC path); the outcome is seen here.",
    "registered": "Verified, or on the trusted path: it can hold wallets.",
    "rejected": "The identity checks were not passed.",
}

_CHECKS = {
    "pending_checks": "… pending with the operator",
    "registered": "✓ passed, or skipped on the trusted path",
    "rejected": "✗ not passed",
}
"""The result of the identity checks by state, the service's only hint of it (service.md §3)."""

_NOT_KEPT = "read again from the service each time, and not kept here"
"""The note on personal data that paytui does not store: data that is absent cannot leak."""


def account_groups(desk: UiContext, account: Account) -> list[Group]:
    raw = first_key(desk.settings.keys, "detail.raw")
    return [
        group(
            "Account",
            fact("Name", account.display_name),
            fact("Kind", account.kind),
            fact("State", account.status),
            *_meaning(account),
            fact("Account id", account.account_id),
        ),
        _belongings(desk, account),
        _states(desk, account),
        _wallets(desk, account),
        _recipients(desk, account),
        group(
            "Person",
            fact("First name", account.first_name),
            fact("Middle name", account.middle_name),
            fact("Last name", account.last_name),
            fact("Date of birth", account.birth_date),
        ),
        group(
            "Company",
            fact("Company name", account.company_name),
            fact("Trading name", account.trading_name),
            fact("Registration number", account.registration_number),
            fact("Registered in", account.registration_country),
        ),
        group(
            "Contact",
            fact("E-mail", account.email),
            fact("Phone", _joined(account.phone_country_code, account.phone)),
        ),
        _address(account.physical_address or PhysicalAddress()),
        group("Identification, representatives, trust", text_fact(f"Shown by {raw}", _NOT_KEPT)),
    ]


def _meaning(account: Account) -> Iterator[Fact]:
    """Yield the possible actions in its state (service.md §1 and §3), if that is known."""
    if account.status is not None and account.status.name in _MEANINGS:
        yield text_fact("Meaning", _MEANINGS[account.status.name])


def _states(desk: UiContext, account: Account) -> Group:
    """Return the account's path of states, and the result of its identity checks."""
    path = states_group(desk, ACCOUNT, Kind.ACCOUNTS, account, {"created": account.created_at})
    words = _CHECKS.get(account.status.name) if account.status is not None else None
    return replace(path, facts=(*path.facts, text_fact("identity checks", words or "not told")))


def _belongings(desk: UiContext, account: Account) -> Group:
    mine = Ref(Kind.ACCOUNTS, account.account_id)
    kinds = (Kind.WALLETS, Kind.RECIPIENTS, Kind.TRADES, Kind.PAYMENTS)
    return group("Related", *(related_list_fact(desk, kind, mine) for kind in kinds))


def _wallets(desk: UiContext, account: Account) -> Group:
    mine = [row for row in desk.store.wallets.rows() if row.account_id == account.account_id]
    return links_group("Wallets", mine, _wallet)


def _wallet(wallet: Wallet) -> Fact:
    """Return a link to a wallet with its available balance."""
    available = wallet.available_balance
    note = "" if available is None else f"{amount_words(available, wallet.currency)} available"
    name = wallet.wallet_name or wallet.wallet_id
    return text_fact(wallet.currency or MISSING, name, note, Ref(Kind.WALLETS, wallet.wallet_id))


def _recipients(desk: UiContext, account: Account) -> Group:
    mine = [row for row in desk.store.recipients.rows() if row.account_id == account.account_id]
    return links_group("Recipients", mine, _recipient)


def _recipient(recipient: Recipient) -> Fact:
    link = Ref(Kind.RECIPIENTS, recipient.recipient_id)
    return text_fact(
        recipient.recipient_type or "recipient",
        recipient_title(recipient),
        state_cell(recipient.status).text,
        link,
    )


def _address(address: PhysicalAddress) -> Group:
    return group(
        "Address",
        fact("Line 1", address.address_line1),
        fact("Line 2", address.address_line2),
        fact("Unit", address.unit_number),
        fact("Street", _joined(address.street_number, address.street_name, address.street_type)),
        fact("City", address.city),
        fact("State", address.state),
        fact("Postcode", address.postcode),
        fact("Country", address.country),
    )


def _joined(*parts: str | None) -> str | None:
    return " ".join(part for part in parts if part) or None


def payment_address_groups(desk: UiContext, address: PaymentAddress) -> list[Group]:
    return [
        group(
            "Payment address",
            fact("Currency", address.currency),
            *account_facts(address),
        ),
        group("Belongs to", link_fact(desk, "Recipient", Kind.RECIPIENTS, address.recipient_id)),
        states_group(desk, ADDRESSEE, Kind.PAYMENT_ADDRESSES, address),
        group(
            "Identifiers",
            fact("Payment address", address.payment_address_id),
            fact("Recipient", address.recipient_id),
        ),
    ]


def account_facts(address: PaymentAddress) -> tuple[Fact, ...]:
    """Return the facts of the account and its bank (service.md §2, `bankInformation`)."""
    bank = address.bank_information or BankInformation()
    return (
        fact("State", address.status),
        fact("Account name", address.account_name),
        fact("Account number", address.account_number),
        fact("IBAN", address.iban),
        fact("BIC", address.bic),
        fact("Routing code", address.routing_code),
        fact("Account type", address.account_type),
        fact("Country", address.country),
        fact("Bank", bank.bank_name),
        fact("Bank address 1", bank.bank_address_line1),
        fact("Bank address 2", bank.bank_address_line2),
        fact("Bank locality", bank.locality),
        fact("Bank region", bank.region),
        fact("Bank postcode", bank.postal_code),
        fact("Bank country", bank.country),
    )


def recipient_groups(desk: UiContext, recipient: Recipient) -> list[Group]:
    """Return the facts of a recipient and of every account at which it can be paid."""
    return [
        group(
            "Recipient",
            fact("Type", recipient.recipient_type),
            fact("Company name", recipient.company_name),
            fact("First name", recipient.first_name),
            fact("Last name", recipient.last_name),
            *_beware(desk, recipient),
            fact("State", recipient.status),
            fact("E-mail", recipient.email),
            fact("Country", recipient.country),
            link_fact(desk, "Account", Kind.ACCOUNTS, recipient.account_id),
            fact("Recipient id", recipient.recipient_id),
            fact("Account id", recipient.account_id),
        ),
        states_group(desk, ADDRESSEE, Kind.RECIPIENTS, recipient),
        *(_payment_address(desk, address) for address in addresses_of(desk.store, recipient)),
    ]


def _beware(desk: UiContext, recipient: Recipient) -> Iterator[Fact]:
    if marks := desk.likeness.of(recipient):
        yield text_fact("Beware", f"its name {' and '.join(marks)}")


def _payment_address(desk: UiContext, address: PaymentAddress) -> Group:
    title = f"Payment address, {address.currency or 'currency not sent'}"
    key = address.payment_address_id
    read = desk.store.payment_addresses.get(key) is not None
    link = Ref(Kind.PAYMENT_ADDRESSES, key) if read else None
    return group(title, *account_facts(address), text_fact("Address id", key, link=link))
