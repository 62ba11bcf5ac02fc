"""The options of a trade wizard; impossible ones have a reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from paytui.domain.models import (
    Account,
    AccountId,
    Kind,
    PaymentAddress,
    PaymentAddressId,
    Recipient,
    RecipientId,
    Record,
    Wallet,
    WalletId,
)
from paytui.domain.money import CurrencyCode
from paytui.store.payees import addresses_by_recipient
from paytui.store.store import Store
from paytui.store.views import account_title, recipient_title
from paytui.tui.context import UiContext
from paytui.tui.wizards.payment.options import (
    address_facts,
    address_title,
    addresses,
    distinguishing_id,
    other_owner_words,
    unlisted,
    wallet_of,
    wallet_option,
    wallet_trouble,
)
from paytui.tui.wizards.protocol import Option
from paytui.tui.wizards.service_fields import ServiceField
from paytui.tui.wizards.trade.draft import (
    Pricing,
    Step,
    TradeDraft,
    lists_payees,
    payee_trouble,
    target_trouble,
)


def options_of(desk: UiContext, draft: TradeDraft, step: Step | ServiceField) -> tuple[Option, ...]:
    """Return the options of a step; empty if something is typed."""
    if isinstance(step, ServiceField):
        return step.options()
    store = desk.store
    source = wallet_of(store, draft.sell_wallet_id)
    match step:
        case Step.ACCOUNT:
            return accounts(store)
        case Step.SELL:
            return sources(store, draft.account_id)
        case Step.BUY if source:
            return targets(desk, source)
        case Step.ADDRESS if source and draft.recipient_id:
            recipient = store.recipients.get(draft.recipient_id)
            return _accounts_of(desk, source, recipient) if recipient else ()
        case _:
            return ()


def identifier_templates(
    store: Store, draft: TradeDraft, step: Step | ServiceField
) -> tuple[Record, ...]:
    """Return templates of the objects whose identifier may be typed at a step."""
    address = PaymentAddress(PaymentAddressId(""), recipient_id=draft.recipient_id)
    named: dict[Step | ServiceField, tuple[Record, ...]] = {
        Step.ACCOUNT: (Account(AccountId("")),),
        Step.SELL: (Wallet(WalletId(""), account_id=draft.account_id),),
        Step.BUY: (Wallet(WalletId("")), Recipient(RecipientId(""))),
        Step.ADDRESS: (address,),
    }
    return unlisted(store, *named.get(step, ()))


def choice_at(store: Store, draft: TradeDraft, step: Step | ServiceField) -> str | None:
    """Return the chosen key of a step."""
    if isinstance(step, ServiceField):
        return step.text(draft.extra) or None
    payee = draft.payment_address_id if lists_payees(store) else draft.recipient_id
    return {
        Step.ACCOUNT: draft.account_id,
        Step.SELL: draft.sell_wallet_id,
        Step.BUY: payee or draft.buy_wallet_id,
        Step.ADDRESS: draft.payment_address_id,
    }.get(step)


def with_choice(store: Store, draft: TradeDraft, step: Step | ServiceField, key: str) -> TradeDraft:
    """Return the draft with the answer of a step."""
    match step:
        case ServiceField():
            return replace(draft, extra={**draft.extra, step.name: key})
        case Step.ACCOUNT:
            return replace(draft, account_id=AccountId(key))
        case Step.SELL:
            return replace(draft, sell_wallet_id=WalletId(key))
        case Step.RATE:
            return replace(draft, pricing=Pricing(key))
        case Step.ADDRESS:
            return replace(draft, payment_address_id=PaymentAddressId(key))
        case _:
            return _with_target(store, draft, key)


def _with_target(store: Store, draft: TradeDraft, key: str) -> TradeDraft:
    draft = replace(draft, buy_wallet_id=None, recipient_id=None, payment_address_id=None)
    if store.wallets.get(WalletId(key)) is not None:
        return replace(draft, buy_wallet_id=WalletId(key))
    if not lists_payees(store):
        return replace(draft, recipient_id=RecipientId(key))
    known = addresses_by_recipient(store, store.recipients.rows())
    for recipient_id, found in known.items():
        if any(address.payment_address_id == key for address in found):
            address_id = PaymentAddressId(key)
            return replace(draft, recipient_id=recipient_id, payment_address_id=address_id)
    return draft


def accounts(store: Store) -> tuple[Option, ...]:
    """Return the accounts; those without a wallet cannot sell."""
    owners = {wallet.account_id for wallet in store.wallets.rows()}
    listed = store.feed(Kind.WALLETS).offered
    return _sorted(
        Option(
            key=account.account_id,
            name=account_title(account),
            facts=account.kind or "",
            why_not="" if account.account_id in owners or not listed else "no wallet",
        )
        for account in store.accounts.rows()
    )


def sources(store: Store, account_id: AccountId | None) -> tuple[Option, ...]:
    return _sorted(
        wallet_option(store, wallet, wallet_trouble(wallet))
        for wallet in store.wallets.rows()
        if wallet.account_id == account_id
    )


def targets(desk: UiContext, source: Wallet) -> tuple[Option, ...]:
    """Return the targets of a trade: wallets of any account, and recipients (service.md §1)."""
    store = desk.store
    wallets = [one for one in store.wallets.rows() if one.wallet_id != source.wallet_id]
    own = [one for one in wallets if one.account_id == source.account_id]
    others = [one for one in wallets if one.account_id != source.account_id]
    # Wallets of the selling account come first, those of other accounts last.
    options = (
        *_sorted(wallet_option(store, one, target_trouble(source, one)) for one in own),
        *_sorted((_accounts if lists_payees(store) else _payees)(desk, source)),
        *_sorted(_of_another(store, source, one) for one in others),
    )
    return tuple(sorted(options, key=lambda option: option.why_not != ""))


def _of_another(store: Store, source: Wallet, wallet: Wallet) -> Option:
    option = wallet_option(store, wallet, target_trouble(source, wallet))
    return replace(option, facts=other_owner_words(store, wallet))


def _payees(desk: UiContext, source: Wallet) -> Iterator[Option]:
    """Yield recipients whose account is chosen next."""
    for recipient in desk.store.recipients.rows():
        troubles = [one.why_not for one in _accounts_of(desk, source, recipient)]
        yield Option(
            key=recipient.recipient_id,
            name=recipient_title(recipient),
            facts=f"recipient {distinguishing_id(recipient)}".rstrip(),
            why_not=troubles[0] if troubles and all(troubles) else "",
        )


def _accounts_of(desk: UiContext, source: Wallet, recipient: Recipient) -> tuple[Option, ...]:
    return addresses(desk, recipient, partial(payee_trouble, source, recipient))


def _accounts(desk: UiContext, source: Wallet) -> Iterator[Option]:
    """Yield the accounts of all recipients."""
    rows = desk.store.recipients.rows()
    known = addresses_by_recipient(desk.store, rows)
    for recipient in rows:
        kind = f"recipient {distinguishing_id(recipient)}".rstrip()
        for address in known[recipient.recipient_id]:
            about = (kind, address_title(desk, address), address_facts(desk, address))
            yield Option(
                key=address.payment_address_id,
                name=recipient_title(recipient),
                facts="  ".join(filter(None, about)),
                why_not=payee_trouble(source, recipient, address),
            )


def _sorted(options: Iterable[Option]) -> tuple[Option, ...]:
    """Sort the options: possible ones first, then by name."""
    return tuple(
        sorted(
            options, key=lambda option: (option.why_not != "", option.name.casefold(), option.key)
        )
    )


def pair_hint(store: Store, draft: TradeDraft, step: Step | ServiceField) -> str:
    """Return a hint about the wanted pair at a step; empty if there is none."""
    pair = draft.wanted
    if pair is None or (step is Step.BUY and _sold(store, draft) != pair.sell):
        return ""
    if isinstance(step, ServiceField):
        return ""
    what = {
        Step.ACCOUNT: f"the account that sells {pair.sell}",
        Step.SELL: f"the wallet that sells {pair.sell}",
        Step.BUY: f"where the {pair.buy} goes",
    }.get(step)
    return f"{pair.sell} > {pair.buy}: choose {what}." if what else ""


def suggested_option(
    store: Store, draft: TradeDraft, step: Step | ServiceField, options: tuple[Option, ...]
) -> str | None:
    """Return the option under the cursor: the chosen one, else the first that fits."""
    fitting = _fitting(store, draft, step, options)
    return choice_at(store, draft, step) or next(fitting, None)


def _fitting(
    store: Store, draft: TradeDraft, step: Step | ServiceField, options: tuple[Option, ...]
) -> Iterator[str]:
    if not pair_hint(store, draft, step) or draft.wanted is None:
        return
    pair, offered = draft.wanted, [one.key for one in options if not one.why_not]
    if step is Step.ACCOUNT:
        owners = {wallet.account_id for wallet in _in(store, pair.sell)}
        yield from (key for key in offered if AccountId(key) in owners)
        return
    currency = pair.sell if step is Step.SELL else pair.buy
    wallets = {wallet.wallet_id: wallet for wallet in _in(store, currency)}
    found = [wallets[WalletId(key)] for key in offered if WalletId(key) in wallets]
    # Only wallets of the selling account are suggested.
    yield from (one.wallet_id for one in found if one.account_id == draft.account_id)


def _in(store: Store, currency: CurrencyCode) -> Iterator[Wallet]:
    return (wallet for wallet in store.wallets.rows() if wallet.currency == currency)


def _sold(store: Store, draft: TradeDraft) -> CurrencyCode | None:
    source = wallet_of(store, draft.sell_wallet_id)
    return source.currency if source else None
