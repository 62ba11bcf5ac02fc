"""The detail views of wallets and pay-in addresses, with deposit details and movements."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from paytui.domain.models import Kind, PayInAddress, Wallet
from paytui.domain.money import MISSING
from paytui.store.views.movements import Movement, newest_movements
from paytui.tui.context import UiContext
from paytui.tui.details.fields import (
    MOST,
    Activity,
    Fact,
    Group,
    Ref,
    amount_fact,
    amount_words,
    fact,
    group,
    link_fact,
    many,
    related_list_fact,
    text_fact,
)
from paytui.tui.details.payments import newest_payins
from paytui.tui.details.state_path import PAYIN, WALLET, states_group
from paytui.tui.format.cells import state_cell, text_cell
from paytui.tui.format.ticket import grouped_bic, grouped_number, spell_out
from paytui.tui.format.times import short_time
from paytui.tui.theme.themes import Cell


def deposit_facts(desk: UiContext, address: PayInAddress) -> tuple[Fact, ...]:
    """Return the details that a payer needs.

    The account name is a setting: it is given at onboarding (service.md §2).
    """
    return (
        fact("Type", address.pay_in_address_type),
        _account_name(desk),
        fact("BSB", address.bsb),
        _in_groups("BIC", address.bic, grouped_bic),
        _in_groups("Account number", address.account_number, grouped_number),
        fact("Bank", address.bank_name),
        fact("Country", address.country),
        fact("NPP", address.npp_enabled),
    )


def read_aloud(address: PayInAddress) -> Group:
    """Return the numbers that the service sent, spelled letter by letter."""
    said = (
        ("BSB", address.bsb),
        ("BIC", address.bic and grouped_bic(address.bic)),
        ("Account number", address.account_number and grouped_number(address.account_number)),
    )
    return group("Read aloud", *(text_fact(label, spell_out(text)) for label, text in said if text))


def deposit_text(desk: UiContext, of: PayInAddress | Wallet) -> str:
    """Return the deposit details of an address, or of all addresses of a wallet, a line each."""
    addresses = [of] if isinstance(of, PayInAddress) else addresses_of_wallet(desk, of)
    return "\n\n".join("\n".join(_lines(desk, address)) for address in addresses)


def addresses_of_wallet(desk: UiContext, wallet: Wallet) -> list[PayInAddress]:
    rows = desk.store.payin_addresses.rows()
    return [address for address in rows if address.wallet_id == wallet.wallet_id]


def _lines(desk: UiContext, address: PayInAddress) -> Iterator[str]:
    for one in deposit_facts(desk, address):
        if one.plain is not None:
            yield f"{one.label}: {one.plain}"


def _account_name(desk: UiContext) -> Fact:
    name = desk.settings.profile.payin_account_name
    if name:
        return text_fact("Account name", name, "from your settings")
    return Fact("Account name", text_cell(None), None, "not set: payin_account_name")


def _in_groups(label: str, text: str | None, groups: Callable[[str], str]) -> Fact:
    """Return a number that is shown in groups and copied as the service sent it."""
    return Fact(label, text_cell(text and groups(text)), text)


_NBSP = "\N{NO-BREAK SPACE}"
"""The padding that aligns amounts: no line is broken there."""


def movements_group(desk: UiContext, wallet: Wallet) -> Group:
    """Return the newest transactions of a wallet, a line each, as links."""
    newest, count = newest_movements(desk.store, wallet.wallet_id, MOST)
    amounts = [_signed(movement) for movement in newest]
    width = max(map(len, amounts), default=0)
    lines = zip(newest, amounts, strict=True)
    facts = [_line(desk, movement, amount.rjust(width, _NBSP)) for movement, amount in lines]
    return Group(f"Activity ({many(count)})", (_all(wallet, count), *facts))


def _all(wallet: Wallet, count: int) -> Fact:
    """Return a link to the list, which can be filtered, sorted and exported."""
    return text_fact("Open as list", f"{count:,}", link=Activity(wallet.wallet_id))


def _line(desk: UiContext, movement: Movement, amount: str) -> Fact:
    """Return the amount and state of a movement, its other party and reference."""
    cell = Cell(f"{amount}  {state_cell(movement.status).text}")
    told = (movement.what, _ahead(movement), movement.reference)
    link = Ref(movement.kind, movement.key)
    note = ", ".join(part for part in told if part)
    return Fact(
        short_time(movement.at, desk.zone), cell, cell.text.lstrip(_NBSP), note, link, brief=True
    )


def _signed(movement: Movement) -> str:
    if movement.amount is None:
        return MISSING
    words = amount_words(movement.amount, movement.currency)
    return f"+{words}" if movement.amount > 0 else words


def _ahead(movement: Movement) -> str:
    """Return the remaining steps of a pay-in."""
    state = movement.status
    if movement.kind is not Kind.PAYINS or state is None:
        return ""
    ahead = " and ".join(name.replace("_", " ") for name in PAYIN.ahead(state.name))
    return f"then {ahead}" if ahead else ""


def wallet_groups(desk: UiContext, wallet: Wallet) -> list[Group]:
    return [
        _balances(wallet),
        group(
            "Wallet",
            fact("Name", wallet.wallet_name),
            fact("Description", wallet.wallet_description),
            fact("State", wallet.status),
            fact("Currency", wallet.currency),
            link_fact(desk, "Account", Kind.ACCOUNTS, wallet.account_id),
            fact("Wallet id", wallet.wallet_id),
            fact("Account id", wallet.account_id),
        ),
        states_group(
            desk,
            WALLET,
            Kind.WALLETS,
            wallet,
            {"created": wallet.created_at},
            updated=wallet.updated_at,
        ),
        _belongings(desk, wallet),
        *(_address(desk, address) for address in addresses_of_wallet(desk, wallet)),
        movements_group(desk, wallet),
    ]


def _belongings(desk: UiContext, wallet: Wallet) -> Group:
    mine = Ref(Kind.WALLETS, wallet.wallet_id)
    kinds = (Kind.PAYINS, Kind.PAYIN_ADDRESSES, Kind.TRADES, Kind.PAYMENTS)
    return group("Related", *(related_list_fact(desk, kind, mine) for kind in kinds))


def _balances(wallet: Wallet) -> Group:
    return group(
        "Balance",
        amount_fact("Available", wallet.available_balance, wallet.currency),
        amount_fact("Reserved", wallet.reserved_balance, wallet.currency),
        amount_fact("Pending", wallet.pending_balance, wallet.currency),
    )


def _address(desk: UiContext, address: PayInAddress) -> Group:
    key = address.pay_in_address_id
    return group(
        f"Pay-in address, {address.pay_in_address_type or 'type not sent'}",
        *deposit_facts(desk, address),
        text_fact("Address id", key, link=Ref(Kind.PAYIN_ADDRESSES, key)),
    )


def payin_address_groups(desk: UiContext, address: PayInAddress) -> list[Group]:
    key = address.pay_in_address_id
    return [
        group("Pay-in address", *deposit_facts(desk, address)),
        read_aloud(address),
        group("Belongs to", link_fact(desk, "Wallet", Kind.WALLETS, address.wallet_id)),
        newest_payins(desk, lambda payin: payin.pay_in_address_id == key),
        group(
            "Identifiers",
            fact("Pay-in address", address.pay_in_address_id),
            fact("Wallet", address.wallet_id),
        ),
    ]
