"""Who is in the history: accounts with their wallets, and recipients with their addresses."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from random import Random

from paytui.sandbox.answer import JsonObject, dump
from paytui.sandbox.chance import Chance, happens
from paytui.sandbox.clock import iso
from paytui.sandbox.currencies import CURRENCIES
from paytui.sandbox.payins import TYPES, address_row
from paytui.sandbox.recipients import ACCOUNT_TYPES
from paytui.sandbox.seed.draft import Draft, Row
from paytui.sandbox.seed.names import Names
from paytui.sandbox.wallets import empty_balances

COMMON = ("USD", "AUD", "EUR")
OTHERS = tuple(code for code in CURRENCIES if code not in COMMON)

SMALL_SCALE = 200
FEWEST_ACCOUNTS = 6
PAYMENTS_PER_ACCOUNT = 150

NEWCOMERS_WAIT = 60.0
"""Seconds, at speed 1, until what is Pending at the start is Active."""


@dataclass(frozen=True, slots=True)
class Wallet:
    """A wallet of the history, as far as the later steps need it."""

    wallet_id: str
    account_id: str
    currency: str
    payin_address_id: str


@dataclass(frozen=True, slots=True)
class Address:
    """An Active payment address of an Active recipient."""

    recipient_id: str
    address_id: str


@dataclass(slots=True)
class Parties:
    """All who take part.

    Attributes:
        wallets: the Active ones.
        payable: account and currency → where it can pay to.
    """

    wallets: list[Wallet] = field(default_factory=list)
    payable: dict[tuple[str, str], list[Address]] = field(default_factory=dict)

    def payers(self) -> list[Wallet]:
        """The wallets that have somewhere to pay to: a recipient, or another wallet."""
        held = Counter(wallet.currency for wallet in self.wallets)
        return [
            wallet
            for wallet in self.wallets
            if held[wallet.currency] > 1 or (wallet.account_id, wallet.currency) in self.payable
        ]


@dataclass(frozen=True, slots=True)
class Span:
    """How long the history is: from a start until now."""

    start: datetime
    now: datetime


class Registrar:
    """Writes the parties into a draft, all from before the first payment."""

    def __init__(self, draft: Draft, chance: Chance, names: Names, span: Span) -> None:
        self._draft = draft
        self._chance = chance
        self._rng: Random = chance.draw("parties")
        self._names = names
        self._start = span.start
        self._now = span.now
        self._parties = Parties()

    def register(self, scale: int) -> Parties:
        """As many as fit so many payments."""
        extra = max(0, scale - SMALL_SCALE) // PAYMENTS_PER_ACCOUNT
        for number in range(min(FEWEST_ACCOUNTS, 1 + scale // 10) + extra):
            self._account(number)
        return self._parties

    def _account(self, number: int) -> None:
        account_id = self._draft.new_id("accounts")
        is_corporate = number % 2 == 0
        request = self._corporate() if is_corporate else self._individual()
        person = f"{request.get('firstName')} {request.get('lastName')}"
        self._draft.add("accounts", {
            "accountId": account_id,
            "kind": "corporate" if is_corporate else "individual",
            "status": "registered",
            "displayName": str(request["companyName"]) if is_corporate else person,
            "request": dump(request),
            "createdAt": iso(self._start),
        })  # fmt: skip
        currencies = [COMMON[number % len(COMMON)]]
        first = number * 5 // 2
        currencies += [OTHERS[(first + index) % len(OTHERS)] for index in range(2 + number % 2)]
        for currency in currencies:
            self._wallet(account_id, currency, "Active")
            self._recipient(account_id, currency)
        if number in UNUSUAL_WALLETS:
            self._wallet(account_id, currencies[0], UNUSUAL_WALLETS[number])

    def _wallet(self, account_id: str, currency: str, status: str) -> None:
        wallet_id = self._draft.new_id("wallets")
        self._draft.add("wallets", {
            "walletId": wallet_id,
            "accountId": account_id,
            "currency": currency,
            "walletName": self._names.wallet(currency),
            "walletDescription": self._names.reference() if happens(self._rng, 0.5) else None,
            "status": status,
            **empty_balances(currency),
            "createdAt": iso(self._start),
            "updatedAt": iso(self._now),
        })  # fmt: skip
        if status == "Pending":
            self._draft.later("wallet", wallet_id, self._now, NEWCOMERS_WAIT)
        if status != "Active":
            return
        kind = TYPES[happens(self._rng, 0.3)]
        address_id = self._draft.new_id("payin_addresses")
        row = address_row(self._chance, address_id, wallet_id, kind, iso(self._start))
        self._draft.add("payin_addresses", row)
        self._parties.wallets.append(Wallet(wallet_id, account_id, currency, address_id))

    def _recipient(self, account_id: str, currency: str) -> None:
        """One to five recipients that take a currency."""
        for _ in range(1 + self._rng.randrange(5)):
            recipient_id = self._draft.new_id("recipients")
            status = self._rng.choices(("Active", "Pending", "Rejected"), (94, 3, 3))[0]
            row = self._recipient_row(recipient_id, account_id, status)
            self._draft.add("recipients", row)
            if status == "Pending":
                self._draft.later("recipient", recipient_id, self._now, NEWCOMERS_WAIT)
            self._address(row, currency)

    def _recipient_row(self, recipient_id: str, account_id: str, status: str) -> Row:
        is_business = happens(self._rng, 0.6)
        first, last = (None, None) if is_business else self._names.person()
        return {
            "recipientId": recipient_id,
            "accountId": account_id,
            "recipientType": "business" if is_business else "individual",
            "firstName": first,
            "lastName": last,
            "companyName": self._names.business() if is_business else None,
            "email": f"accounts{self._rng.randrange(1000)}@example.com",
            "country": self._names.city()[3],
            "status": status,
            "createdAt": iso(self._start),
        }

    def _address(self, recipient: Row, currency: str) -> None:
        """Where a recipient takes a currency; it has the recipient's state."""
        recipient_id, status = str(recipient["recipientId"]), str(recipient["status"])
        address_id = self._draft.new_id("payment_addresses")
        city, region, postcode, country = self._names.city()
        bank: JsonObject = {
            "bankName": self._names.bank(),
            "bankAddressLine1": f"{self._rng.randrange(1, 400)} Quay Street",
            "locality": city,
            "region": region,
            "postalCode": postcode,
            "country": country,
        }
        self._draft.add("payment_addresses", {
            "paymentAddressId": address_id,
            "recipientId": recipient_id,
            "currency": currency,
            "country": country,
            "accountType": self._rng.choice(ACCOUNT_TYPES),
            "accountName": recipient["companyName"] or recipient["lastName"],
            "accountNumber": str(self._rng.randrange(10**7, 10**10)),
            "bic": f"SBOX{country}2XXXX"[:11],
            "routingCode": f"{self._rng.randrange(10**6):06}",
            "status": status,
            "bankInformation": dump(bank),
            "createdAt": iso(self._start),
        })  # fmt: skip
        if status == "Pending":
            self._draft.later("payment_address", address_id, self._now, NEWCOMERS_WAIT)
        if status == "Active":
            places = self._parties.payable.setdefault((str(recipient["accountId"]), currency), [])
            places.append(Address(recipient_id, address_id))

    def _individual(self) -> JsonObject:
        """Every field of api.md §2 that a person without a trust fills in."""
        first, last = self._names.person()
        city, region, postcode, country = self._names.city()
        return {
            "birthDate": f"{self._rng.randrange(1945, 2005)}-0{self._rng.randrange(1, 10)}-17",
            "email": f"person{self._rng.randrange(1000)}@example.com",
            "firstName": first,
            "lastName": last,
            "phoneCountryCode": "61",
            "phone": self._rng.randrange(400_000_000, 500_000_000),
            "physicalAddress": {
                "city": city,
                "country": country,
                "postcode": postcode,
                "state": region,
                "streetName": "Quay",
                "streetNumber": self._rng.randrange(1, 400),
                "streetType": "street",
            },
            "primaryIdentification": {
                "identityCountry": country,
                "identityNumber": str(self._rng.randrange(10**6, 10**8)),
                "identityType": "driver_license",
            },
            "termsAndConditionsAccepted": True,
            "individualIsActingAsTrustee": False,
        }

    def _corporate(self) -> JsonObject:
        city, region, postcode, country = self._names.city()
        first, last = self._names.person()
        return {
            "companyName": self._names.business(),
            "registrationNumber": str(self._rng.randrange(10**8, 10**9)),
            "registrationCountry": country,
            "email": f"treasury{self._rng.randrange(1000)}@example.com",
            "physicalAddress": {
                "addressLine1": f"{self._rng.randrange(1, 400)} Quay Street",
                "city": city,
                "country": country,
                "postcode": postcode,
                "state": region,
            },
            "authorisedRepresentatives": [
                {"firstName": first, "lastName": last, "role": "treasurer"}
            ],
            "termsAndConditionsAccepted": True,
        }


UNUSUAL_WALLETS = {1: "Pending", 3: "Suspended", 5: "Closed"}
"""Number of an account → the state of one more wallet that it has."""
