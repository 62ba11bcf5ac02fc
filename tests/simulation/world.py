"""The customers at the start of every run: created once a process, copied for each seed."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from paytui.domain.models import AccountId, PaymentAddressId, RecipientId, WalletId
from paytui.domain.money import CurrencyCode
from paytui.sandbox.app import app_of, open_bank
from paytui.sandbox.context import SandboxOptions
from tests.support.clock import ManualClock
from tests.support.plain import SECRET, Customer, PlainService

FUNDS = {"AUD": "100000.00", "USD": "100000.00", "JPY": "100000"}


@dataclass(frozen=True, slots=True)
class Purse:
    """A wallet of the desk."""

    wallet_id: WalletId
    account_id: AccountId
    currency: CurrencyCode


@dataclass(frozen=True, slots=True)
class Payee:
    """A recipient with an address."""

    recipient_id: RecipientId
    address_id: PaymentAddressId
    currency: CurrencyCode


@dataclass(frozen=True, slots=True)
class World:
    """The customers of a run.

    Attributes:
        database: of a sandbox in which they are all Active and funded.
        now: its time.
    """

    database: sqlite3.Connection
    now: datetime
    purses: tuple[Purse, ...]
    payees: tuple[Payee, ...]


@cache
def world() -> World:
    """Two customers with three wallets each, and two payees."""
    clock = ManualClock()
    bank = open_bank(SandboxOptions(client_secret=SECRET, scale=0), clock)
    app = app_of(bank)
    service = PlainService(app, clock)
    service.sign_in()
    customers = (Customer(service), Customer(service))
    purses = [
        Purse(WalletId(customer.funded(code, amount)), account_id, CurrencyCode(code))
        for customer in customers
        for account_id in [AccountId(customer.account_id)]
        for code, amount in FUNDS.items()
    ]
    payees = []
    for code in ("AUD", "USD"):
        recipient_id, address_id = customers[0].recipient(code)
        address = PaymentAddressId(address_id)
        payees.append(Payee(RecipientId(recipient_id), address, CurrencyCode(code)))
    kept = sqlite3.connect(":memory:", isolation_level=None)
    bank.db.backup(kept)
    return World(kept, clock.now(), tuple(purses), tuple(payees))
