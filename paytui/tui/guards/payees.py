"""An account that is paid for the first time, or is not what it was: one more confirmation.

What is typed is how the account ends, as its owner has told: who was sent other details by somebody
else finds out before money goes there.
"""

from __future__ import annotations

from paytui.domain.bank_fingerprint import bank_hash
from paytui.domain.models import PaymentAddress
from paytui.store.payees import Acquaintance
from paytui.tui.context import Desk

DIGITS = 4
"""How many characters of the account's number are typed."""


def is_unproven(desk: Desk, address: PaymentAddress, proven: str | None) -> bool:
    """Whether an account is still to be confirmed.

    Args:
        desk: what is known.
        address: the account as the service tells it now.
        proven: the hash of the one that was confirmed; None or empty: none was.
    """
    return proven != bank_hash(address) and is_strange(desk, address)


def is_strange(desk: Desk, address: PaymentAddress) -> bool:
    """Whether an account is new here, or has changed since it was paid."""
    return desk.acquaintances.of(address) is not Acquaintance.KNOWN


def ends_so(address: PaymentAddress, typed: str) -> bool:
    """Whether an account ends as somebody was told that it does."""
    return _characters(typed)[-DIGITS:] in endings(address) and len(_characters(typed)) <= DIGITS


def endings(address: PaymentAddress) -> tuple[str, ...]:
    """How the account's number, or its IBAN, ends; where it has neither, its identifier."""
    numbers = [_characters(one) for one in (address.account_number, address.iban) if one]
    known = [number for number in numbers if number]
    return tuple(number[-DIGITS:] for number in known or [_characters(address.payment_address_id)])


def _characters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).upper()
