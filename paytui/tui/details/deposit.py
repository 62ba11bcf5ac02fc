"""What somebody needs who sends money to a wallet: to be read, read aloud, or copied whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from paytui.domain.models import PayInAddress, Wallet
from paytui.tui.context import Desk
from paytui.tui.details.facts import Fact, Group, fact, group, text_fact
from paytui.tui.format.cells import text_cell
from paytui.tui.format.ticket import grouped_bic, grouped_number, spelled


def deposit_facts(desk: Desk, address: PayInAddress) -> tuple[Fact, ...]:
    """What a deposit needs; the account name is given at onboarding (api.md §2): a setting."""
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
    """Its numbers, letter by letter; those that the service sent."""
    said = (
        ("BSB", address.bsb),
        ("BIC", address.bic and grouped_bic(address.bic)),
        ("Account number", address.account_number and grouped_number(address.account_number)),
    )
    return group("Read aloud", *(text_fact(label, spelled(text)) for label, text in said if text))


def deposit_text(desk: Desk, of: PayInAddress | Wallet) -> str:
    """All that a deposit needs, a line each, of one address or of all of a wallet."""
    addresses = [of] if isinstance(of, PayInAddress) else addresses_of_wallet(desk, of)
    return "\n\n".join("\n".join(_lines(desk, address)) for address in addresses)


def addresses_of_wallet(desk: Desk, wallet: Wallet) -> list[PayInAddress]:
    """The pay-in addresses that a wallet has."""
    rows = desk.store.payin_addresses.rows()
    return [address for address in rows if address.wallet_id == wallet.wallet_id]


def _lines(desk: Desk, address: PayInAddress) -> Iterator[str]:
    for one in deposit_facts(desk, address):
        if one.plain is not None:
            yield f"{one.label}: {one.plain}"


def _account_name(desk: Desk) -> Fact:
    name = desk.settings.profile.payin_account_name
    if name:
        return text_fact("Account name", name, "from your settings")
    return Fact("Account name", text_cell(None), None, "not set: payin_account_name")


def _in_groups(label: str, text: str | None, groups: Callable[[str], str]) -> Fact:
    """Easier to read in groups; copied as it came."""
    return Fact(label, text_cell(text and groups(text)), text)
