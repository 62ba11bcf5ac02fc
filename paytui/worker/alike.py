"""Whether an object of the service is such as a creation asked for, and where it is otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from paytui.domain.models import Recipient, Record
from paytui.domain.requests import (
    CorporateAccountRequest,
    CreationRequest,
    IndividualAccountRequest,
    PayInAddressRequest,
    PaymentAddressRequest,
    RecipientRequest,
    WalletRequest,
)

_KNOWN_BY: Mapping[type[CreationRequest], tuple[str, ...]] = {
    IndividualAccountRequest: ("email", "first_name", "last_name"),
    CorporateAccountRequest: ("company_name", "registration_number", "email"),
    WalletRequest: ("account_id", "currency", "wallet_name"),
    PayInAddressRequest: ("wallet_id", "pay_in_address_type"),
    RecipientRequest: ("account_id", "first_name", "last_name", "company_name"),
    PaymentAddressRequest: ("recipient_id", "currency", "account_number", "iban"),
}
"""By which of its fields, so far as they were filled in, each is known again."""


def is_alike(asked: CreationRequest, record: Record) -> bool:
    """Whether all that it is known by is so; what the service does not tell speaks against it."""
    wanted = {name: getattr(asked, name) for name in _KNOWN_BY[type(asked)]}
    filled_in = {name: value for name, value in wanted.items() if value}
    return bool(filled_in) and all(
        _is_same(name, getattr(record, name, None), value) for name, value in filled_in.items()
    )


def made_otherwise(asked: Iterable[tuple[str, str]], record: Record) -> Iterator[str]:
    """In words, where money would go elsewhere by what was made than by what was asked for.

    Args:
        asked: what was filled in, by canonical path.
        record: what the service says that it made.
    """
    for path, wanted in asked:
        told = _told_at(record, path)
        if told is not None and not _is_same(path, told, wanted) and not set(told) & _MASKS:
            name = path.rpartition(".")[2].replace("_", " ")
            yield f"The {name} that was made is {told}; {wanted} was asked for."


_COMPARED = frozenset(
    {"account_id", "currency", "wallet_id", "pay_in_address_type", "account_number", "iban"}
)
_MASKS = frozenset("*•…")
"""A service may not tell an account number whole."""


def _told_at(record: Record, path: str) -> str | None:
    """What an object says at the path of a request; None where it is not told, or not compared."""
    *outer, name = path.split(".")
    holder: object = record
    if outer:
        addresses = record.payment_addresses if isinstance(record, Recipient) else ()
        holder = addresses[0] if len(addresses) == 1 else None
    told = getattr(holder, name, None)
    return told if name in _COMPARED and isinstance(told, str) else None


def _is_same(name: str, told: object, wanted: str) -> bool:
    if name.endswith("_id"):
        return told == wanted
    return isinstance(told, str) and _plain(told) == _plain(wanted)


def _plain(text: str) -> str:
    """Without what a service may write otherwise: case, and spaces and dashes in numbers."""
    return "".join(filter(str.isalnum, text)).casefold()
