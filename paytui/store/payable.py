"""The wallets that can pay, and the wallets, recipients and accounts that can be paid.

A reason why one cannot is in a few words, such as `wrong currency (EUR)`; it is empty if one can.
A `currency` of None is not chosen yet. In a trade, what is `sold` cannot be bought.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from paytui.api.resources import KIND_OF
from paytui.domain import models
from paytui.platform.text import clean
from paytui.store.names import recipient_title
from paytui.store.payees import addresses_by_recipient, addresses_of
from paytui.store.store import Store


@dataclass(frozen=True, slots=True)
class Payee:
    recipient: models.Recipient
    address: models.PaymentAddress


Target = models.Wallet | Payee  # A party that is paid

ANY_WALLET = models.Wallet(models.WalletId(""))
"""A wallet that can be named by its identifier: of any account, in any currency."""

OTHER_ACCOUNT = "other account"


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


def is_of_another(party: models.Wallet | models.Recipient, payer: models.Wallet) -> bool:
    """Return True if a party is known to belong to another account than the payer."""
    return None not in (party.account_id, payer.account_id) and party.account_id != payer.account_id


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


def payers(
    store: Store, scope: models.AccountId | None, currency: str | None = None
) -> list[models.Wallet]:
    """Return a usable wallet of each currency and account, or of the one in scope.

    If the service does not list wallets, one of any currency may be named by its identifier.
    """
    usable: dict[tuple[object, object], models.Wallet] = {}
    for wallet in store.wallets.rows():
        if scope in (None, wallet.account_id) and not wallet_trouble(wallet, currency):
            usable.setdefault((wallet.account_id, wallet.currency), wallet)
    nameless = [ANY_WALLET] if unlisted(store, ANY_WALLET) else []
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


def payee_currencies(
    store: Store, payers: Sequence[models.Wallet], known: Container[str]
) -> dict[str, str]:
    """Return the currencies of recipients' accounts, each with the reason why none can be paid.

    Those that are `known` to be usable anyway are left out.
    """
    found: dict[str, str] = {}
    rows = store.recipients.rows()
    accounts = addresses_by_recipient(store, rows)
    for recipient, address in ((row, one) for row in rows for one in accounts[row.recipient_id]):
        code = address.currency
        if code is None or code in known or found.get(code) == "":
            continue
        trouble = payee_trouble(payers, recipient, (address,))
        if code not in found or not trouble:
            found[code] = trouble
    return found


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
