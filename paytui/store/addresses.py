"""Where recipients can be paid, from all that is known of them."""

from __future__ import annotations

from collections.abc import Iterable

from paytui.domain.models import PaymentAddress, PaymentAddressId, Recipient, RecipientId
from paytui.store.store import Store

Addresses = dict[RecipientId, tuple[PaymentAddress, ...]]


def addresses_of(store: Store, recipient: Recipient) -> tuple[PaymentAddress, ...]:
    """Those that came with the recipient, replaced by those that were read on their own."""
    return addresses_by_recipient(store, [recipient])[recipient.recipient_id]


def addresses_by_recipient(store: Store, recipients: Iterable[Recipient]) -> Addresses:
    """The same for many, in one look at the table."""
    known: dict[RecipientId, dict[PaymentAddressId, PaymentAddress]] = {
        recipient.recipient_id: {
            address.payment_address_id: address for address in recipient.payment_addresses
        }
        for recipient in recipients
    }
    for address in store.payment_addresses.rows():
        if address.recipient_id in known:
            known[address.recipient_id][address.payment_address_id] = address
    return {recipient_id: tuple(found.values()) for recipient_id, found in known.items()}
