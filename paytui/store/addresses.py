"""Where a recipient can be paid, from all that is known of it."""

from __future__ import annotations

from paytui.api.models import PaymentAddress, Recipient
from paytui.store.store import Store


def addresses_of(store: Store, recipient: Recipient) -> tuple[PaymentAddress, ...]:
    """Those that came with the recipient, replaced by those that were read on their own."""
    known = {address.payment_address_id: address for address in recipient.payment_addresses}
    for address in store.payment_addresses.rows():
        if address.recipient_id == recipient.recipient_id:
            known[address.payment_address_id] = address
    return tuple(known.values())
