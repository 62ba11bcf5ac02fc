"""The values of a ticket from a template, and a template from the values of a ticket."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from paytui.config.settings import Profile
from paytui.config.templates import Kind, Template, Templates, parse_name
from paytui.domain.intent import without_tag
from paytui.domain.models import PaymentAddressId, Recipient, RecipientId, Wallet, WalletId
from paytui.domain.money import CurrencyCode
from paytui.platform.text import clean
from paytui.store.names import recipient_title
from paytui.tui.forms.common_fields import EXTRA, AmountError, parse_amount
from paytui.tui.ticket import parties
from paytui.tui.ticket.deal import Side
from paytui.tui.ticket.model import MAX_VALUE_LENGTH, Task, Values, having
from paytui.tui.ticket.money import ACCOUNT, AMOUNT, FROM, REFERENCE
from paytui.tui.ticket.parties import Payee
from paytui.tui.ticket.payment import AMOUNT_IN, PAYEE, TO
from paytui.tui.ticket.trade import BUY, INTO, SELL, TradeTask, payee_values
from paytui.tui.ui_context import UiContext

_VERBS: Mapping[Kind, str] = {"payout": "Pay", "transfer": "Transfer", "trade": "Trade"}

_FORMATS = {"{month}": "%B", "{year}": "%Y", "{day}": "%d", "{date}": "%Y-%m-%d"}
"""The placeholders of a reference, by which the day is written."""

_PLACEHOLDER = re.compile(r"\{[^{}]*\}")


def offered(profile: Profile, found: Templates) -> Iterator[tuple[str, str, Template | str]]:
    """Yield the title of each template, and the template to open.

    Those that cannot be opened come last, with the reason in a few words and as a message: of
    other profiles, and files with a mistake.
    """
    others = []
    for one in found.by_file.values():
        title = f"{_VERBS[one.kind]}: {one.name}"
        if one.profile == profile.name:
            yield title, "", one
        else:
            message = f"{title} belongs to the profile {one.profile}; this is {profile.name}."
            others.append((title, f"of profile {one.profile}", message))
    yield from others
    for error in found.errors:
        name = clean(error.file.name if error.file else "", MAX_VALUE_LENGTH)
        why_not = ": ".join(filter(None, (error.key, error.message)))
        yield f"Template {name}", clean(why_not, MAX_VALUE_LENGTH), clean(str(error))


def kind_of(task: Task[Any]) -> Kind | None:
    """Return the kind of a ticket's templates; None if it has none."""
    return next((kind for kind in _VERBS if kind == task.key), None)


def template_of(ui: UiContext, kind: Kind, name: str, filled: Values) -> Template:
    """Return the template of a filled ticket.

    Raises:
        InvalidValue: the name cannot be used.
    """
    target, payee, account = filled.get(TO), filled.get(PAYEE), filled.get(ACCOUNT)
    source = parties.wallet_of(ui.store, WalletId(filled.get(FROM, "")))
    currency = filled.get(AMOUNT_IN) or (source.currency if source else None)
    side, key = None, AMOUNT
    if kind == "trade":
        target, payee, account = _traded_to(ui, filled)
        side = next((one for one in Side if filled.get(one.amount_field)), None)
        key, currency = side.amount_field if side else AMOUNT, None
    amount = clean(filled.get(key, "")).strip()
    recipient = ui.store.recipients.get(RecipientId(payee or ""))
    title = clean(recipient_title(recipient), MAX_VALUE_LENGTH) if recipient else None
    start = f"{EXTRA}."
    return Template(
        name=parse_name(name),
        profile=ui.settings.profile.name,
        kind=kind,
        recipient=payee or None,
        recipient_name=title,
        payment_address=account or None,
        from_wallet=filled.get(FROM) or None,
        from_wallet_name=_wallet_name(ui, filled.get(FROM)),
        to_wallet=target or None,
        to_wallet_name=_wallet_name(ui, target),
        sell=_currency(filled.get(SELL)),
        buy=_currency(filled.get(BUY)),
        side=side.value if side else None,
        amount=amount or None,
        currency=_currency(currency) if amount else None,
        reference=filled.get(REFERENCE) or None,
        extra={key.removeprefix(start): filled[key] for key in filled if key.startswith(start)},
    )


def _traded_to(ui: UiContext, filled: Values) -> tuple[str | None, str | None, str | None]:
    """Return the wallet, or the recipient and its account, that a trade buys for."""
    match TradeTask(ui).target(filled):
        case Wallet(wallet_id=wallet_id):
            return wallet_id, None, None
        case Payee(recipient, address):
            return None, recipient.recipient_id, address.payment_address_id
        case Recipient(recipient_id=recipient_id):
            return None, recipient_id, None
    return None, None, None


def _wallet_name(ui: UiContext, wallet_id: str | None) -> str | None:
    found = parties.wallet_of(ui.store, WalletId(wallet_id or ""))
    name = clean(found.wallet_name or "", MAX_VALUE_LENGTH).strip() if found else ""
    return name or None


def _currency(code: str | None) -> CurrencyCode | None:
    return CurrencyCode(code) if code else None


def values_of(ui: UiContext, template: Template) -> Values:
    """Return the values of a new ticket, on the present day of the display.

    An amount is left out if its currency is not known: it might be taken for another one's.
    """
    values: Values = {f"{EXTRA}.{name}": text for name, text in template.extra.items()}
    payee, account = template.recipient, template.payment_address
    currency = _amount_in(ui, template)
    amount = template.amount if currency else None
    reference = without_tag(dated(ui, template.reference)) or None
    values = having(values, **{FROM: template.from_wallet, REFERENCE: reference})
    if template.kind != "trade":
        values = having(values, **{PAYEE: payee, ACCOUNT: account, TO: template.to_wallet})
        return having(values, **{AMOUNT: amount, AMOUNT_IN: currency if amount else None})
    side = Side(template.side or Side.SELL)
    paid = payee_values(ui, payee, account) if payee else {INTO: template.to_wallet}
    values = having(values, **paid, **{SELL: template.sell, BUY: template.buy})
    return having(values, **{side: currency, side.amount_field: amount}) if amount else values


def _amount_in(ui: UiContext, template: Template) -> str | None:
    """Return the currency of the amount: as written, else that of its wallet; None if unknown."""
    is_bought = template.side == "buy"
    written = template.currency or (template.buy if is_bought else template.sell)
    wallet_id = template.to_wallet if is_bought else template.from_wallet
    wallet = parties.wallet_of(ui.store, WalletId(wallet_id or ""))
    return written or (wallet.currency if wallet else None)


def dated(ui: UiContext, reference: str | None) -> str | None:
    """Return a reference with the placeholders of a date filled in; others stay."""
    now = ui.time.latest().astimezone(ui.zone)

    def written(found: re.Match[str]) -> str:
        return now.strftime(_FORMATS.get(found[0], "")) or found[0]

    return reference and _PLACEHOLDER.sub(written, reference)


def complaints(ui: UiContext, template: Template) -> Iterator[str]:
    """Yield what of a template cannot be used, and what to do about it."""
    for identifier, name in _gone(ui, template):
        words = clean(f"{name} ({identifier})" if name else identifier, MAX_VALUE_LENGTH)
        yield f"{template.name}: {words} is not listed. Choose another."
    if template.amount and (currency := _amount_in(ui, template)):
        try:
            parse_amount(template.amount, CurrencyCode(currency))
        except AmountError as error:
            yield f"{template.name}: wrong amount: {clean(str(error), MAX_VALUE_LENGTH)}"
    elif template.amount:
        key = template.side or "sell" if template.kind == "trade" else "currency"
        words = f"left out, since its currency is not known. Type it, or add `{key}` to the file."
        yield f"{template.name}: the amount {clean(template.amount, MAX_VALUE_LENGTH)} is {words}"
    for one in dict.fromkeys(_PLACEHOLDER.findall(template.reference or "")):
        if one not in _FORMATS:
            known = f"Known: {', '.join(_FORMATS)}."
            yield f"{template.name}: {one} in the reference stays as it is. Correct it. {known}"
    asked = [one.key for one in ui.vocabulary.added.get(f"{template.kind}_request", ())]
    for name in template.extra:
        if name not in asked:
            words = f"the service asks for no {name}: it is not sent. Remove it from [extra]."
            yield f"{template.name}: {words}"


def _gone(ui: UiContext, template: Template) -> Iterator[tuple[str, str | None]]:
    """Yield the identifier and name of each object that is not listed."""
    source = (template.from_wallet, template.from_wallet_name)
    for wallet_id, name in (source, (template.to_wallet, template.to_wallet_name)):
        if wallet_id and parties.wallet_of(ui.store, WalletId(wallet_id)) is None:
            yield wallet_id, name
    payee, account = RecipientId(template.recipient or ""), template.payment_address
    if payee and ui.store.recipients.get(payee) is None:
        yield payee, template.recipient_name
    elif account and parties.address_of(ui.store, payee, PaymentAddressId(account)) is None:
        yield account, f"the account of {template.recipient_name or payee}"
