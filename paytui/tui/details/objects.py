"""Titles and facts of every kind of object that has a detail view."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from rich.cells import cell_len

from paytui.config.key_bindings import first_key
from paytui.domain import models
from paytui.domain.intent import IntentTerms
from paytui.domain.models import Account, Kind, PayInAddress, Payment, Wallet
from paytui.domain.money import EXACT, MISSING
from paytui.store.movements import KINDS, movements, newest_of
from paytui.store.names import Related, account_of, recipient_title
from paytui.store.needs_attention import awaits_funds
from paytui.store.payable import BY_OUR_RECORD, addresses_of
from paytui.store.screen_rows import Movement
from paytui.tui.details.common_facts import (
    MOST,
    PATHS,
    link_fact,
    links_group,
    many,
    related_list_fact,
    states_group,
)
from paytui.tui.format.cells import (
    GOOD,
    Activity,
    Cell,
    Fact,
    Group,
    Ref,
    Tone,
    amount_fact,
    amount_words,
    fact,
    group,
    state_cell,
    text_cell,
    text_fact,
)
from paytui.tui.format.ticket import grouped_bic, grouped_number, rate_words, spell_out
from paytui.tui.times import short_time
from paytui.tui.ui_context import UiContext

# The detail views of payments, trades and pay-ins.


def payment_groups(ui: UiContext, payment: Payment) -> list[Group]:
    return [
        group(
            "Payment",
            amount_fact("Amount", payment.amount, payment.currency),
            fact("Type", payment.payment_type),
            fact("Status", payment.status),
            fact("Failure reason", payment.failure_reason),
            fact("Reference", payment.reference),
            fact("End-to-end id", payment.end_to_end_id),
        ),
        states_group(ui, payment, {"created": payment.created_at}, updated=payment.updated_at),
        group("From and to", *_parties(ui, payment)),
        group(
            "Identifiers",
            fact("Payment", payment.payment_transaction_id),
            fact("Account", payment.account_id),
            fact("Source wallet", payment.source_wallet_id),
            fact("Destination wallet", payment.destination_wallet_id),
            fact("Recipient", payment.recipient_id),
            fact("Payment address", payment.payment_address_id),
        ),
    ]


def _parties(ui: UiContext, payment: Payment) -> list[Fact]:
    terms = ui.own_record.of(Kind.PAYMENTS, payment.payment_transaction_id) or IntentTerms()
    key = payment.payment_address_id or terms.payment_address_id
    address = key and ui.store.payment_addresses.get(key)

    def party(label: str, kind: Kind, told: str | None, confirmed: str | None) -> Fact:
        """Return a link to a party: as the service tells it, else as confirmed here."""
        found = link_fact(ui, label, kind, told or confirmed)
        return replace(found, note=BY_OUR_RECORD) if confirmed and not told else found

    return [
        link_fact(ui, "Account", Kind.ACCOUNTS, account_of(ui.store, payment)),
        party("From wallet", Kind.WALLETS, payment.source_wallet_id, terms.source_wallet_id),
        party(
            "To wallet", Kind.WALLETS, payment.destination_wallet_id, terms.destination_wallet_id
        ),
        party("To recipient", Kind.RECIPIENTS, payment.recipient_id, terms.recipient_id),
        party(
            "Payment address",
            Kind.PAYMENT_ADDRESSES,
            payment.payment_address_id,
            terms.payment_address_id,
        ),
        fact("Bank", address.bic or address.routing_code if address else None),
    ]


def trade_groups(ui: UiContext, trade: models.Trade) -> list[Group]:
    rates = zip(("Rate", "Inverse"), rate_words(trade), strict=True)
    return [
        group(
            "Trade",
            amount_fact("Sold", trade.sell_amount, trade.sell_currency),
            amount_fact("Bought", trade.buy_amount, trade.buy_currency),
            fact("Fixed side", trade.dealt_side),
            *(fact(label, rate) for label, rate in rates),
            fact("Status", trade.status),
            *_to_fund(ui, trade),
            fact("Reference", trade.reference),
        ),
        states_group(ui, trade, {"created": trade.created_at, "exchanged": trade.exchanged_at}),
        group(
            "From and to",
            link_fact(ui, "Account", Kind.ACCOUNTS, account_of(ui.store, trade)),
            link_fact(ui, "From wallet", Kind.WALLETS, trade.sell_wallet_id),
            link_fact(ui, "To wallet", Kind.WALLETS, trade.buy_wallet_id),
            link_fact(ui, "To recipient", Kind.RECIPIENTS, trade.recipient_id),
            link_fact(ui, "Payment address", Kind.PAYMENT_ADDRESSES, trade.payment_address_id),
        ),
        group(
            "Identifiers",
            fact("Trade", trade.trade_transaction_id),
            fact("Account", trade.account_id),
            fact("Rate sheet", trade.rate_sheet_id),
            fact("Source wallet", trade.sell_wallet_id),
            fact("Destination wallet", trade.buy_wallet_id),
            fact("Recipient", trade.recipient_id),
            fact("Payment address", trade.payment_address_id),
        ),
    ]


def _to_fund(ui: UiContext, trade: models.Trade) -> Iterator[Fact]:
    """Yield the amount that a trade which awaits funds lacks in its wallet."""
    wallet = ui.store.wallets.get(trade.sell_wallet_id) if trade.sell_wallet_id else None
    available = wallet.available_balance if wallet and awaits_funds(trade) else None
    if available is not None and trade.sell_amount is not None and trade.sell_amount > available:
        lacking = EXACT.subtract(trade.sell_amount, available)
        told = f"for this trade alone; available {amount_words(available, trade.sell_currency)}"
        found = amount_fact("To fund", lacking, trade.sell_currency)
        yield replace(found, note=told)


def payin_groups(ui: UiContext, payin: models.PayIn) -> list[Group]:
    return [
        group(
            "Pay-in",
            amount_fact("Amount", payin.amount, payin.currency),
            fact("Status", payin.status),
            fact("Sender", payin.sender_name),
            fact("Reference", payin.reference),
            link_fact(ui, "Into wallet", Kind.WALLETS, payin.wallet_id),
            link_fact(ui, "Pay-in address", Kind.PAYIN_ADDRESSES, payin.pay_in_address_id),
        ),
        states_group(ui, payin, {"received": payin.created_at, "credited": payin.credited_at}),
        group(
            "Identifiers",
            fact("Pay-in", payin.pay_in_transaction_id),
            fact("Wallet", payin.wallet_id),
            fact("Pay-in address", payin.pay_in_address_id),
        ),
    ]


def _payin_line(ui: UiContext, payin: models.PayIn) -> Fact:
    amount = MISSING if payin.amount is None else amount_words(payin.amount, payin.currency)
    told = (amount, state_cell(payin.status).text, payin.sender_name, payin.reference)
    words = "  ".join(filter(None, told))
    link = Ref(Kind.PAYINS, payin.pay_in_transaction_id)
    return text_fact(short_time(payin.created_at, ui.zone), words, link=link)


# The detail views of wallets and pay-in addresses, with deposit details and movements.


def deposit_facts(ui: UiContext, address: PayInAddress) -> tuple[Fact, ...]:
    """Return the details that a payer needs.

    The account name is a setting: it is given at onboarding (service.md §2).
    """
    name = ui.settings.profile.payin_account_name
    return (
        fact("Type", address.pay_in_address_type),
        text_fact("Account name", name, "from your settings")
        if name
        else Fact("Account name", text_cell(None), None, "not set: payin_account_name"),
        fact("BSB", address.bsb),
        _in_groups("BIC", address.bic, grouped_bic),
        _in_groups("Account number", address.account_number, grouped_number),
        fact("Bank", address.bank_name),
        fact("Country", address.country),
        fact("NPP", address.npp_enabled),
    )


def deposit_text(ui: UiContext, of: PayInAddress | Wallet) -> str:
    """Return the deposit details of an address, or of all addresses of a wallet, a line each."""
    addresses = [of] if isinstance(of, PayInAddress) else addresses_of_wallet(ui, of)
    told = [
        [one for one in deposit_facts(ui, address) if one.plain is not None]
        for address in addresses
    ]
    return "\n\n".join("\n".join(f"{one.label}: {one.plain}" for one in facts) for facts in told)


def addresses_of_wallet(ui: UiContext, wallet: Wallet) -> list[PayInAddress]:
    rows = ui.store.payin_addresses.rows()
    return [address for address in rows if address.wallet_id == wallet.wallet_id]


def _in_groups(label: str, text: str | None, groups: Callable[[str], str]) -> Fact:
    """Return a number that is shown in groups and copied as the service sent it."""
    return Fact(label, text_cell(text and groups(text)), text)


_NBSP = "\N{NO-BREAK SPACE}"  # The padding that aligns amounts: no line is broken there


def movements_group(ui: UiContext, wallet: Wallet, related: Mapping[Kind, Related]) -> Group:
    rows, count = newest_of({kind: related[kind] for kind in KINDS})
    newest = movements(ui.store, wallet.wallet_id, rows[:MOST])
    amounts = [_signed(movement) for movement in newest]
    states = [state_cell(movement.status).text for movement in newest]
    widths = [max(map(len, texts), default=0) for texts in (amounts, states)]
    values = [
        f"{amount:{_NBSP}>{widths[0]}}  {state:{_NBSP}<{widths[1]}}"
        for amount, state in zip(amounts, states, strict=True)
    ]
    facts = (_movement_line(ui, *line) for line in zip(newest, values, strict=True))
    everything = text_fact("Open as list", f"{count:,}", link=Activity(wallet.wallet_id))
    return group(f"Activity ({many(count)})", everything, *facts)


def _movement_line(ui: UiContext, movement: Movement, value: str) -> Fact:
    cell = Cell(value, Tone.FAINT if movement.came_to_nothing else Tone.INK)
    note = ", ".join(filter(None, (movement.what, _ahead(movement), movement.reference)))
    link, at = Ref(movement.kind, movement.key), short_time(movement.at, ui.zone)
    return Fact(at, cell, value.strip(_NBSP), note, link, brief=True)


def _signed(movement: Movement) -> str:
    if movement.amount is None:
        return MISSING
    words = amount_words(movement.amount, movement.currency)
    return f"+{words}" if movement.amount > 0 else words


def _ahead(movement: Movement) -> str:
    state = movement.status
    if movement.kind is not Kind.PAYINS or state is None:
        return ""
    ahead = " and ".join(name.replace("_", " ") for name in PATHS[Kind.PAYINS].ahead(state.name))
    return f"then {ahead}" if ahead else ""


def wallet_groups(ui: UiContext, wallet: Wallet, related: Mapping[Kind, Related]) -> list[Group]:
    return [
        group(
            "Balance",
            amount_fact("Available", wallet.available_balance, wallet.currency),
            amount_fact("Reserved", wallet.reserved_balance, wallet.currency),
            amount_fact("Pending", wallet.pending_balance, wallet.currency),
        ),
        group(
            "Wallet",
            fact("Name", wallet.wallet_name),
            fact("Description", wallet.wallet_description),
            fact("Status", wallet.status),
            fact("Currency", wallet.currency),
            link_fact(ui, "Account", Kind.ACCOUNTS, wallet.account_id),
            fact("Wallet id", wallet.wallet_id),
            fact("Account id", wallet.account_id),
        ),
        states_group(ui, wallet, {"created": wallet.created_at}, updated=wallet.updated_at),
        _related(ui, Ref(Kind.WALLETS, wallet.wallet_id), related),
        *(_payin_address(ui, address) for address in addresses_of_wallet(ui, wallet)),
        movements_group(ui, wallet, related),
    ]


def _related(ui: UiContext, of: Ref, related: Mapping[Kind, Related]) -> Group:
    facts = (related_list_fact(ui, kind, of, found) for kind, found in related.items())
    return group("Related", *facts)


def _payin_address(ui: UiContext, address: PayInAddress) -> Group:
    title, key = address.pay_in_address_type or "type not sent", address.pay_in_address_id
    link = text_fact("Address id", key, link=Ref(Kind.PAYIN_ADDRESSES, key))
    return group(f"Pay-in address, {title}", *deposit_facts(ui, address), link)


def payin_address_groups(
    ui: UiContext, address: PayInAddress, related: Mapping[Kind, Related]
) -> list[Group]:
    numbers = (
        ("BSB", address.bsb),
        ("BIC", address.bic and grouped_bic(address.bic)),
        ("Account number", address.account_number and grouped_number(address.account_number)),
    )
    spelled = (text_fact(label, spell_out(text)) for label, text in numbers if text)
    return [
        group("Pay-in address", *deposit_facts(ui, address)),
        group("Spelled out", *spelled),
        group("Owner", link_fact(ui, "Wallet", Kind.WALLETS, address.wallet_id)),
        links_group("Pay-ins", related[Kind.PAYINS], lambda payin: _payin_line(ui, payin)),
        group(
            "Identifiers",
            fact("Pay-in address", address.pay_in_address_id),
            fact("Wallet", address.wallet_id),
        ),
    ]


# The detail views of accounts, recipients and payment addresses.

_MEANINGS = {
    "pending_checks": "Identity checks (KYC) are pending with the operator.",
    "registered": "Verified or trusted: can hold wallets.",
    "rejected": "Identity checks failed.",
}
"""The possible actions by state (service.md §1 and §3)."""

_CHECKS = {
    "pending_checks": "… pending with the operator",
    "registered": "✓ passed, or not required",
    "rejected": "✗ not passed",
}
"""The result of the identity checks by state, the service's only hint of it (service.md §3)."""

_NOT_KEPT = "read from the service each time, not stored"
"""The note on personal data that paytui does not store: data that is absent cannot leak."""


def account_groups(ui: UiContext, account: Account, related: Mapping[Kind, Related]) -> list[Group]:
    raw = first_key(ui.settings.keys, "detail.raw")
    state = account.status.name if account.status else ""
    path = states_group(ui, account, {"created": account.created_at})
    checks = _CHECKS.get(state, "not sent")
    return [
        group(
            "Account",
            fact("Name", account.display_name),
            fact("Type", account.kind),
            fact("Status", account.status),
            *((text_fact("Meaning", _MEANINGS[state]),) if state in _MEANINGS else ()),
            fact("Account id", account.account_id),
        ),
        _related(ui, Ref(Kind.ACCOUNTS, account.account_id), related),
        replace(path, facts=(*path.facts, text_fact("identity checks", checks))),
        _wallets(related[Kind.WALLETS]),
        links_group("Recipients", related[Kind.RECIPIENTS], _recipient),
        *_known(
            group(
                "Person",
                fact("First name", account.first_name),
                fact("Middle name", account.middle_name),
                fact("Last name", account.last_name),
                fact("Date of birth", account.birth_date),
            ),
            group(
                "Company",
                fact("Company name", account.company_name),
                fact("Trading name", account.trading_name),
                fact("Registration number", account.registration_number),
                fact("Registered in", account.registration_country),
            ),
        ),
        group(
            "Contact",
            fact("E-mail", account.email),
            fact("Phone", _joined(account.phone_country_code, account.phone)),
        ),
        _physical_address(account.physical_address or models.PhysicalAddress()),
        group("Identification, representatives, trust", text_fact(f"Shown by {raw}", _NOT_KEPT)),
    ]


def _known(*groups: Group) -> tuple[Group, ...]:
    """Return the groups with a value; all of them if none has one."""
    found = tuple(one for one in groups if any(fact.plain for fact in one.facts))
    return found or groups


def _wallets(related: Related) -> Group:
    """Return links to wallets with what they have available, the amounts below each other."""
    rows = [row for row in related.newest[:MOST] if isinstance(row, Wallet)]
    names = [row.wallet_name or row.wallet_id for row in rows]
    amounts = [
        "" if row.available_balance is None else amount_words(row.available_balance, row.currency)
        for row in rows
    ]
    widths = [max(map(cell_len, texts), default=0) for texts in (names, amounts)]
    facts = [
        Fact(
            row.currency or MISSING,
            Cell(f"{name}{_NBSP * (widths[0] - cell_len(name))}  {amount:{_NBSP}>{widths[1]}}"),
            name,
            link=Ref(Kind.WALLETS, row.wallet_id),
        )
        for row, name, amount in zip(rows, names, amounts, strict=True)
    ]
    return group(f"Wallets, available ({many(related.total)})", *facts)


def _recipient(recipient: models.Recipient) -> Fact:
    """Return a link to a recipient, with its status unless it can be paid."""
    state = recipient.status
    note = "" if state is not None and state.name in GOOD else state_cell(state).text
    link = Ref(Kind.RECIPIENTS, recipient.recipient_id)
    label = recipient.recipient_type or "recipient"
    return text_fact(label, recipient_title(recipient), note, link)


def _physical_address(address: models.PhysicalAddress) -> Group:
    return group(
        "Address",
        fact("Line 1", address.address_line1),
        fact("Line 2", address.address_line2),
        fact("Unit", address.unit_number),
        fact("Street", _joined(address.street_number, address.street_name, address.street_type)),
        fact("City", address.city),
        fact("State", address.state),
        fact("Postcode", address.postcode),
        fact("Country", address.country),
    )


def _joined(*parts: str | None) -> str | None:
    return " ".join(part for part in parts if part) or None


def payment_address_groups(ui: UiContext, address: models.PaymentAddress) -> list[Group]:
    return [
        group("Payment address", fact("Currency", address.currency), *account_facts(address)),
        group("Owner", link_fact(ui, "Recipient", Kind.RECIPIENTS, address.recipient_id)),
        states_group(ui, address, {}),
        group(
            "Identifiers",
            fact("Payment address", address.payment_address_id),
            fact("Recipient", address.recipient_id),
        ),
    ]


def account_facts(address: models.PaymentAddress) -> tuple[Fact, ...]:
    """Return the facts of the account and its bank (service.md §2, `bankInformation`)."""
    bank = address.bank_information or models.BankInformation()
    return (
        fact("Status", address.status),
        fact("Account name", address.account_name),
        fact("Account number", address.account_number),
        fact("IBAN", address.iban),
        fact("BIC", address.bic),
        fact("Routing code", address.routing_code),
        fact("Account type", address.account_type),
        fact("Country", address.country),
        fact("Bank", bank.bank_name),
        fact("Bank address 1", bank.bank_address_line1),
        fact("Bank address 2", bank.bank_address_line2),
        fact("Bank locality", bank.locality),
        fact("Bank region", bank.region),
        fact("Bank postcode", bank.postal_code),
        fact("Bank country", bank.country),
    )


def recipient_groups(
    ui: UiContext, recipient: models.Recipient, related: Mapping[Kind, Related]
) -> list[Group]:
    """Return the facts of a recipient and of every account at which it can be paid."""
    marks = ui.likeness.of(recipient)
    names = _known(
        group("", fact("Company name", recipient.company_name)),
        group("", fact("First name", recipient.first_name), fact("Last name", recipient.last_name)),
    )
    return [
        group(
            "Recipient",
            fact("Type", recipient.recipient_type),
            *(name for names_of_kind in names for name in names_of_kind.facts),
            *((text_fact("Warning", f"name {' and '.join(marks)}"),) if marks else ()),
            fact("Status", recipient.status),
            fact("E-mail", recipient.email),
            fact("Country", recipient.country),
            link_fact(ui, "Account", Kind.ACCOUNTS, recipient.account_id),
            fact("Recipient id", recipient.recipient_id),
            fact("Account id", recipient.account_id),
        ),
        _related(ui, Ref(Kind.RECIPIENTS, recipient.recipient_id), related),
        states_group(ui, recipient, {}),
        *(_payment_address(ui, address) for address in addresses_of(ui.store, recipient)),
    ]


def _payment_address(ui: UiContext, address: models.PaymentAddress) -> Group:
    title = f"Payment address, {address.currency or 'currency not sent'}"
    key = address.payment_address_id
    read = ui.store.payment_addresses.get(key) is not None
    link = Ref(Kind.PAYMENT_ADDRESSES, key) if read else None
    return group(title, *account_facts(address), text_fact("Address id", key, link=link))


RELATED: Mapping[Kind, tuple[Kind, ...]] = {
    Kind.ACCOUNTS: (Kind.WALLETS, Kind.RECIPIENTS, Kind.TRADES, Kind.PAYMENTS),
    Kind.WALLETS: (Kind.PAYINS, Kind.PAYIN_ADDRESSES, Kind.TRADES, Kind.PAYMENTS),
    Kind.PAYIN_ADDRESSES: (Kind.PAYINS,),
    Kind.RECIPIENTS: (Kind.PAYMENTS, Kind.TRADES),
}
"""The kinds of objects whose rows are counted and linked in the detail view of a kind."""


def groups_of(ui: UiContext, row: models.Record, related: Mapping[Kind, Related]) -> list[Group]:
    """Return the facts of an object; `related` has the kinds that `RELATED` names for it."""
    match row:
        case Account():
            groups = account_groups(ui, row, related)
        case Wallet():
            groups = wallet_groups(ui, row, related)
        case PayInAddress():
            groups = payin_address_groups(ui, row, related)
        case models.PayIn():
            groups = payin_groups(ui, row)
        case models.Trade():
            groups = trade_groups(ui, row)
        case models.Recipient():
            groups = recipient_groups(ui, row, related)
        case models.PaymentAddress():
            groups = payment_address_groups(ui, row)
        case Payment():
            groups = payment_groups(ui, row)
    return groups
