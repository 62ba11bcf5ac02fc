from __future__ import annotations

from dataclasses import replace

from paytui.domain.models import PaymentAddress, PaymentAddressId, Recipient, RecipientId, State
from paytui.store.payable import addresses_of
from paytui.store.store import Store

ACME = RecipientId("rec-1")
CAME_ALONG = PaymentAddress(PaymentAddressId("adr-1"), recipient_id=ACME, status=State("pending"))
ON_ITS_OWN = PaymentAddress(PaymentAddressId("adr-2"), recipient_id=ACME, status=State("active"))
RECIPIENT = Recipient(ACME, payment_addresses=(CAME_ALONG,))


def test_addresses_that_came_with_the_recipient_and_those_read_later_are_all_its_own() -> None:
    store = Store()
    store.payment_addresses.put([ON_ITS_OWN])
    assert addresses_of(store, RECIPIENT) == (CAME_ALONG, ON_ITS_OWN)


def test_an_address_that_was_read_on_its_own_is_newer_than_the_one_that_came_along() -> None:
    store = Store()
    newer = replace(CAME_ALONG, status=State("active"))
    store.payment_addresses.put([newer])
    assert addresses_of(store, RECIPIENT) == (newer,)


def test_anothers_address_is_not_among_them() -> None:
    store = Store()
    store.payment_addresses.put([replace(ON_ITS_OWN, recipient_id=RecipientId("rec-2"))])
    assert addresses_of(store, RECIPIENT) == (CAME_ALONG,)
