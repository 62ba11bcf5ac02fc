"""The lines of a payment wizard."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal

from paytui.domain.intent import tags_of
from paytui.domain.models import BankInformation, Kind, PaymentAddress, Recipient, Wallet
from paytui.domain.money import MISSING, CurrencyCode
from paytui.store.payees import addresses_of
from paytui.store.views import account_name, recipient_title
from paytui.tui.context import Desk
from paytui.tui.details.fields import amount_words
from paytui.tui.format.feeds import feed_age, how_old, is_late, is_of_unknown_age
from paytui.tui.forms.amount import echo
from paytui.tui.forms.payment_address import type_words
from paytui.tui.theme.themes import Cell, Tone
from paytui.tui.wizards.payment_options import address_facts, address_title
from paytui.tui.wizards.payment_order import Order, PaymentDraft, PayoutOrder, Step
from paytui.tui.wizards.payment_review import Review
from paytui.tui.wizards.service_fields import ServiceField, extra_lines
from paytui.tui.wizards.step import Line, line

HIDDEN = "hidden until you type its last 4"
"""Shown in place of the number of an account that is to be proven."""


def answers(desk: Desk, draft: PaymentDraft, step: Step | ServiceField) -> Iterator[Line]:
    """Yield what the other questions are answered with, before the one on view or after it."""
    source = desk.store.wallets.get(draft.wallet_id) if draft.wallet_id else None
    if source is not None and step is not Step.WALLET:
        yield wallet_line(desk, "From", source)
    recipient = desk.store.recipients.get(draft.recipient_id) if draft.recipient_id else None
    if recipient is not None and step is not Step.RECIPIENT:
        yield line("To", recipient_title(recipient), ", ".join(desk.likeness.of(recipient)))
        yield from _chosen_account(desk, draft, recipient)
    to = draft.destination_wallet_id
    destination = desk.store.wallets.get(to) if to else None
    if destination is not None and step is not Step.DESTINATION:
        yield wallet_line(desk, "To", destination)


def _chosen_account(desk: Desk, draft: PaymentDraft, recipient: Recipient) -> Iterator[Line]:
    for address in addresses_of(desk.store, recipient):
        if address.payment_address_id == draft.payment_address_id:
            yield line("Account", address_title(desk, address), address_facts(desk, address))


def order_lines(desk: Desk, review: Review) -> Iterator[Line]:
    """Everything that is confirmed, with the bank as the service tells it."""
    order = review.order
    yield Line("Amount", (Cell(echo(order.amount, order.currency), Tone.ACCENT),))
    yield wallet_line(desk, "From", order.source)
    yield from _goes_to(desk, order, hidden=review.is_hidden)
    yield reference_line(review.request.reference)
    yield from extra_lines(desk.vocabulary, review.request)
    yield sent_to(desk)


def reference_line(reference: str | None) -> Line:
    """Return a reference as it is sent, with paytui's tag."""
    note = "tag added by paytui" if tags_of(reference) else ""
    return line("Reference", reference or "none", note)


def sent_to(desk: Desk) -> Line:
    """Return the line of the service, and whether money is real there."""
    profile = desk.settings.profile
    return line("Sent to", profile.host, f"{profile.name}{', LIVE: real money' * profile.live}")


def wallet_line(desk: Desk, label: str, wallet: Wallet) -> Line:
    """A wallet, whose it is and what it holds."""
    owner = account_name(desk.store, wallet.account_id)
    name = wallet.wallet_name or wallet.wallet_id
    return line(label, name, f"{owner}, {balance_words(desk, wallet)}")


def balance_words(desk: Desk, wallet: Wallet) -> str:
    """Return a wallet's balance, with its age in minutes if wallets are late."""
    if wallet.available_balance is None:
        return "balance not known"
    words = f"{amount_words(wallet.available_balance, wallet.currency)} available"
    feed = desk.store.feed(Kind.WALLETS)
    is_young = feed_age(desk, feed) < timedelta(minutes=1) and not is_of_unknown_age(feed)
    is_old = is_late(desk, Kind.WALLETS) and not is_young
    return f"{words}, {how_old(desk, feed)}" if is_old else words


def short_words(short_by: Decimal | None, currency: CurrencyCode) -> Iterator[Cell]:
    """Yield a warning if the wallet is short; a pay-in may come first, so it is not barred."""
    if short_by is not None:
        lacks = f"! short by {echo(short_by, currency)}: the service may refuse it"
        yield Cell(lacks, Tone.CLOSING)


def _goes_to(desk: Desk, order: Order, *, hidden: bool) -> Iterator[Line]:
    if isinstance(order, PayoutOrder):
        yield line("To", recipient_title(order.recipient))
        yield line("Recipient id", order.recipient.recipient_id)
        yield from bank_lines(order.address, hidden=hidden)
    else:
        yield wallet_line(desk, "To", order.destination)
        yield line("Wallet id", order.destination.wallet_id)


def bank_lines(address: PaymentAddress, *, hidden: bool) -> Iterator[Line]:
    """The account that is paid and its bank; only what the service sent takes a line.

    Args:
        address: the account.
        hidden: whether its end is still to be typed, so that nothing may tell it.
    """
    if hidden:
        bank = address.bank_information or BankInformation()
        yield line("Account", HIDDEN)
        yield line("Bank", bank.bank_name or MISSING, bank.country or address.country or "")
        return
    yield line("Account name", address.account_name or MISSING)
    numbers = [number for number in (address.iban, address.account_number) if number]
    yield line("Account", ", ".join(numbers) or MISSING, type_words(address.account_type or ""))
    codes = (("BIC", address.bic), ("routing", address.routing_code))
    if told := [f"{name} {code}" for name, code in codes if code]:
        yield line("Bank code", ", ".join(told))
    yield from _bank(address)


def _bank(address: PaymentAddress) -> Iterator[Line]:
    bank = address.bank_information or BankInformation()
    street = (bank.bank_address_line1, bank.bank_address_line2)
    town = (bank.postal_code, bank.locality, bank.region, bank.country or address.country)
    yield line("Bank", bank.bank_name or MISSING, ", ".join(part for part in town if part))
    if told := ", ".join(part for part in street if part):
        yield line("Bank address", told)
