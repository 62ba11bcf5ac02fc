"""The values that a ticket begins with: of an object or a template; and templates of tickets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from paytui.api.resources import identifier_of
from paytui.config.templates import Kind, Template, parse_name
from paytui.domain import models
from paytui.domain.intent import without_tag
from paytui.domain.models import Payment, RecipientId, Trade, Wallet
from paytui.domain.money import CurrencyCode, Pair, Side, plain
from paytui.platform.text import clean
from paytui.store import payable
from paytui.store.names import recipient_title
from paytui.tui.forms.form import EXTRA
from paytui.tui.ticket.choices import only_one, payee_key, payee_of
from paytui.tui.ticket.field_names import ACCOUNT, AMOUNT, AMOUNT_IN, BUY, FROM, REFERENCE, SELL, TO
from paytui.tui.ticket.model import MAX_VALUE_LENGTH, Values, below, having
from paytui.tui.ui_context import UiContext

_FORMATS = {"{month}": "%B", "{year}": "%Y", "{day}": "%d", "{date}": "%Y-%m-%d"}
"""The placeholders of a reference, by which the day is written."""

_PLACEHOLDER = re.compile(r"\{[^{}]*\}")

_KEPT = (FROM, ACCOUNT, SELL, BUY, REFERENCE)
"""The entries of a template that are values of a ticket under the same keys."""


def template_of(ui: UiContext, kind: Kind, name: str, filled: Values) -> Template:
    """Return the template of a filled ticket.

    Raises:
        InvalidValue: the name cannot be used.
    """
    payee = payee_of(filled.get(TO))
    target = None if payee else filled.get(TO)
    source, to = (payable.wallet_of(ui.store, key) for key in (filled.get(FROM), target))
    currency = filled.get(AMOUNT_IN) or (source.currency if source else None)
    side = next((one for one in Side if filled.get(one.amount_field)), None)
    amount = clean(filled.get(side.amount_field if side else AMOUNT, "")).strip()
    recipient = ui.store.recipients.get(RecipientId(payee or ""))
    kept: dict[str, Any] = {key: filled.get(key) or None for key in _KEPT}
    return Template(
        name=parse_name(name),
        profile=ui.settings.profile.name,
        kind=kind,
        recipient=payee or None,
        recipient_name=_name(recipient_title(recipient) if recipient else None),
        from_wallet_name=_name(source.wallet_name if source else None),
        to_wallet=target or None,
        to_wallet_name=_name(to.wallet_name if to else None),
        side=side.value if side else None,
        amount=amount or None,
        currency=CurrencyCode(currency) if currency and amount and not side else None,
        extra=below(filled, EXTRA),
        **kept,
    )


def _name(text: str | None) -> str | None:
    return clean(text or "", MAX_VALUE_LENGTH).strip() or None


def values_of(ui: UiContext, template: Template) -> Values:
    """Return the values of a new ticket, on the present day of the display."""
    kept = {key: getattr(template, key) for key in (*_KEPT, AMOUNT_IN)}
    kept |= {f"{EXTRA}.{name}": text for name, text in template.extra.items()}
    kept[TO] = payee_key(template.recipient) if template.recipient else template.to_wallet
    kept[REFERENCE] = dated(ui, template.reference)
    return _values(ui, kept, _side_of(template), template.amount)


def _side_of(template: Template) -> Side | None:
    return Side(template.side or Side.SELL) if template.kind == "trade" else None


def values_about(ui: UiContext, kind: Kind, subject: object) -> Values:
    """Return the values of a new ticket about the object under the cursor."""
    found: dict[str, str | None] = {}
    is_trade, is_transfer = kind == "trade", kind == "transfer"
    match subject:
        case Wallet() if not payable.wallet_trouble(subject):  # else it is there to be attended to
            found = {FROM: subject.wallet_id}
        case models.Recipient() if not is_transfer:
            found = {TO: payee_key(subject.recipient_id)}
        case models.PaymentAddress(recipient_id=str(payee)) if not is_transfer:
            found = {TO: payee_key(payee), ACCOUNT: subject.payment_address_id}
        case models.Account(account_id=key) if is_trade:
            own = (one for one in ui.store.wallets.rows() if one.account_id == key)
            found = {FROM: only_one(one.wallet_id for one in own)}
        case Pair(sold, bought) | Trade(sell_currency=sold, buy_currency=bought) if is_trade:
            found = {SELL: sold, BUY: bought}
        case str(currency) if is_trade:  # of a balance
            found = {SELL: currency}
        case models.PayIn(wallet_id=key) | Trade(buy_wallet_id=key) if not is_trade:
            found = {FROM: key}
        case Payment(recipient_id=payee) if not is_trade:
            found = {FROM: subject.source_wallet_id, TO: subject.destination_wallet_id}
            if not is_transfer:
                found[TO] = payee_key(payee) if payee else None
                found[ACCOUNT] = subject.payment_address_id
    return having({}, **found)


def values_to_fund(subject: object) -> Values:
    """Return the values of a ticket into a wallet, or into the one that a trade sells from."""
    match subject:
        case Wallet(wallet_id=key) | Trade(sell_wallet_id=key):
            return having({}, **{TO: key})
    return {}


def repeated(ui: UiContext, record: Payment | Trade) -> Values:
    """Return the values of a new payment or trade like an earlier one."""
    created = (row for row in ui.store.intents.rows() if row.object_id == identifier_of(record))
    asked = (pair for row in created if row.action.moves_money for pair in row.terms.asked)
    kept: dict[str, str | None] = {
        ACCOUNT: record.payment_address_id,
        REFERENCE: record.reference,
        **{path: text for path, text in asked if path.startswith(f"{EXTRA}.")},
    }
    payee = payee_key(record.recipient_id) if record.recipient_id else None
    if isinstance(record, Payment):
        kept |= {FROM: record.source_wallet_id, TO: record.destination_wallet_id or payee}
        kept[AMOUNT_IN] = record.currency
        side, amount = None, record.amount
    else:
        kept |= {FROM: record.sell_wallet_id, TO: payee or record.buy_wallet_id}
        kept |= {SELL: record.sell_currency, BUY: record.buy_currency}
        side = Side.BUY if record.dealt_side == Side.BUY else Side.SELL
        amount = record.buy_amount if side is Side.BUY else record.sell_amount
    return _values(ui, kept, side, None if amount is None else plain(amount))


def _values(
    ui: UiContext, kept: Mapping[str, str | None], side: Side | None, amount: str | None
) -> Values:
    """Return the values of a new ticket, without an earlier tag.

    An amount is left out if its currency is not known: it might be taken for another one's.
    """
    values = having(kept, **{REFERENCE: without_tag(kept[REFERENCE]) or None})
    currency_key, key = (side, side.amount_field) if side else (AMOUNT_IN, AMOUNT)
    wallet = payable.wallet_of(ui.store, values.get(TO if side is Side.BUY else FROM))
    currency = values.get(currency_key) or (wallet.currency if wallet else None)
    if amount is None or currency is None:
        return having(values, **{AMOUNT_IN: None})
    return having(values, **{currency_key: currency, key: amount})


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
    currency = values_of(ui, template).get(_side_of(template) or AMOUNT_IN)
    if template.amount and not currency:
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
    source = (template.from_wallet, template.from_wallet_name)
    for wallet_id, name in (source, (template.to_wallet, template.to_wallet_name)):
        if wallet_id and payable.wallet_of(ui.store, wallet_id) is None:
            yield wallet_id, name
    payee, account = RecipientId(template.recipient or ""), template.payment_address
    if payee and ui.store.recipients.get(payee) is None:
        yield payee, template.recipient_name
    elif account and payable.address_of(ui.store, payee, account) is None:
        yield account, f"the account of {template.recipient_name or payee}"
