"""The participants of the history: accounts with wallets, recipients with addresses."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import count
from random import Random
from typing import get_args

from paytui.sandbox import ledger
from paytui.sandbox.accounts import empty_balances
from paytui.sandbox.context import Bank, happens, insert, iso
from paytui.sandbox.forms import AccountType, PayInAddressType
from paytui.sandbox.http_messages import JsonObject, dump
from paytui.sandbox.payments import payin_address_row
from paytui.sandbox.resources import (
    ACCOUNTS,
    PAYIN_ADDRESSES,
    PAYMENT_ADDRESSES,
    RECIPIENTS,
    WALLETS,
    Resource,
)

Row = dict[str, str | None]


class Draft:
    """The rows and ledger lines of the history; it writes balances at the end."""

    def __init__(self, bank: Bank) -> None:
        self.bank = bank
        self._balances: defaultdict[tuple[str, ledger.Pot], Decimal] = defaultdict(Decimal)
        self._numbers = count()

    def new_id(self, resource: Resource) -> str:
        return self.bank.chance.uuid("history", resource.table, next(self._numbers))

    def create(self, resource: Resource, at: str, row: Row, changed: str) -> str:
        """Add an object with a new identifier, and return that."""
        key = self.new_id(resource)
        marks = resource.marks(key, str(row["status"]), changed)
        insert(self.bank.db, resource.table, {resource.key: key, **row, **marks, "createdAt": at})
        return key

    def post(self, lines: Sequence[tuple[str, ledger.Entry, str]]) -> None:
        """Add ledger lines (subject, entry, time), and keep the balances of wallets."""
        ledger.write_entries(self.bank.db, lines)
        for _, entry, _ in lines:
            if entry.wallet_id is not None:
                pot = (entry.wallet_id, entry.pot)
                self._balances[pot] = ledger.EXACT.add(self._balances[pot], entry.amount)

    def available(self, wallet_id: str) -> Decimal:
        return self._balances[wallet_id, ledger.Pot.AVAILABLE]

    def later(self, kind: str, subject: str, now: datetime, seconds: float) -> None:
        """Schedule a step of the lifecycle in `seconds` (at speed 1) from now."""
        if self.bank.options.speed:
            at = now + timedelta(seconds=seconds / self.bank.options.speed)
            insert(self.bank.db, "due", {"at": iso(at), "kind": kind, "subject": subject})

    def write_balances(self) -> None:
        for (wallet_id, pot), amount in self._balances.items():
            column = ledger.BALANCE_COLUMN[pot]
            query = f"UPDATE wallets SET {column} = ? WHERE walletId = ?"  # noqa: S608 - our own names
            self.bank.db.execute(query, (format(amount, "f"), wallet_id))


GIVEN = (
    "Amelia", "Bram", "Chidi", "Dagny", "Elif", "Farid", "Greta", "Hana", "Ines", "Jonas", "Kavya",
    "Liesel", "Mateo", "Nadia", "Oskar", "Priya", "Quentin", "Rosa", "Sven", "Tamsin", "Umar",
    "Vera", "Wiremu", "Xenia", "Yusuf", "Zofia",
)  # fmt: skip

FAMILY = (
    "Abernethy", "Brightwater", "Cavanagh", "Dunmore", "Eskildsen", "Farrowby", "Grünewald",
    "Hollister", "Ibarrola", "Jankowiak", "Kirkbride", "Lindqvist", "Mbekwe", "Nørregård",
    "Okonjima", "Pellicano", "Quigley-Roth", "Rangihuna", "Sørbakken", "Tanahara", "Ulvestad",
    "Vandersloot", "Wexcombe", "Yıldırak", "Zielonka",
)  # fmt: skip

TRADE = (
    "Kestrel Lane", "Bluegum", "Northwharf", "Saltmarsh", "Copperfern", "Tidewrack", "Hollowbrook",
    "Juniper & Rye", "Lanternfish", "Millrace", "Peppercorn Hill", "Quarryside", "Redthorn",
    "Stillwater", "Underbridge", "Wattlebird",
)  # fmt: skip

LINE = (
    "Freight", "Imports", "Ceramics", "Software", "Timber", "Foods", "Textiles", "Instruments",
    "Marine Supply", "Printing",
)  # fmt: skip

FORM = ("Pty Ltd", "Ltd", "GmbH", "B.V.", "AB", "LLC", "S.à r.l.", "K.K.")

LONG_NAME = (
    "Consolidated Intercontinental Warehousing, Reinsurance, Chartering and General Mercantile "
    "Undertakings of the Greater Southern Archipelago (Incorporating the Former Eastern Branch)"
)

LONG_REFERENCE = (
    "see attached; as discussed on the telephone; please quote the number of the order, of the "
    "delivery note and of the invoice in all correspondence: {number}"
)

AWKWARD_NAMES = (
    "山野井貿易有限公司",
    "みなと雪灯り商会株式会社",
    "شركة نجمة الواحة للتجارة",
    "בית המלאכה של הגבעה בע״מ",
    "ร้านบัวแก้วริมน้ำ",
    "Zoë N\u0303un\u0303ez\u0301 A\u030angstro\u0308mme",
    "Z\u0351\u036b\u0343a\u0316\u0317\u0318l\u0330\u0331g\u0334\u0335o\u0336\u0337 Imports",
    "[bold]Bold & Sons[/bold]",
    "Half [/x] Open",
    "[@click=app.quit]Press Here[/]",
    "Tab\tand\nNewline Traders",
    "\x1b[31mRed Ink\x1b[0m Holdings",
    "\x1b]0;another title\x07Window & Co",
    "Right\u202eot tfeL Ltd",
    "👩\u200d👩\u200d👧\u200d👦 Family Bakery 🥐",
    "Zero\u200bWidth\u200bSpaces",
    "O'Semicolon; DROP -- & <b>Bros</b>",
    LONG_NAME,
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
)

REFERENCES = (
    "Invoice {number}", "INV-{number}", "PO {number} balance", "Rent", "Salary", "Deposit {number}",
    "Freight {number}", "Refund {number}", "Consulting, part {number}", "Samples",
)  # fmt: skip

AWKWARD_REFERENCES = (
    "発注 {number} の支払い",
    "فاتورة رقم {number}",
    "חשבונית {number}",
    "ใบแจ้งหนี้ {number}",
    "[red]urgent[/red] {number}",
    "[/x]",
    "\x1b[2Jcleared {number}",
    "naïve cafe\u0301 🧾 {number}",
    LONG_REFERENCE,
)

WALLET_NAMES = ("desk", "operating", "suppliers", "payroll", "reserve", "clients")

CITIES = (
    ("Sydney", "NSW", "2000", "AU"), ("Wellington", "WGN", "6011", "NZ"),
    ("Rotterdam", "ZH", "3011", "NL"), ("Leeds", "WYK", "LS1 4AP", "GB"),
    ("Gdynia", "PM", "81-300", "PL"), ("Osaka", "27", "530-0001", "JP"),
    ("Oakland", "CA", "94607", "US"), ("Durban", "KZN", "4001", "ZA"),
)  # fmt: skip

BANKS = (
    "Harbour & Hinterland Bank", "First Lighthouse Savings", "Bank of the Seven Bridges",
    "Handelsbank Nordwind", "Banque des Trois Ponts",
)  # fmt: skip

AWKWARD_EVERY = 5
AWKWARD_REFERENCES_SHARE = 0.06


class NameGenerator:
    """A random generator of realistic names and references.

    If `awkward`, every fifth name is hard to display: invented ones with markup, escape sequences,
    right-to-left scripts, combining marks or great length.
    """

    def __init__(self, rng: Random, *, awkward: bool) -> None:
        self._rng = rng
        self._is_awkward = awkward
        self._turns = count(rng.randrange(AWKWARD_EVERY * len(AWKWARD_NAMES)))

    def person(self) -> tuple[str, str]:
        return self._rng.choice(GIVEN), self._awkward() or self._rng.choice(FAMILY)

    def business(self) -> str:
        pick = self._rng.choice
        return self._awkward() or f"{pick(TRADE)} {pick(LINE)} {pick(FORM)}"

    def anyone(self) -> str:
        return self.business() if happens(self._rng, 0.5) else " ".join(self.person())

    def reference(self) -> str:
        is_awkward = self._is_awkward and happens(self._rng, AWKWARD_REFERENCES_SHARE)
        pattern = self._rng.choice(AWKWARD_REFERENCES if is_awkward else REFERENCES)
        return pattern.format(number=self._rng.randrange(1000, 99999))

    def _awkward(self) -> str | None:
        """Return the next awkward name, if it is its turn."""
        if not self._is_awkward:
            return None
        round_, place = divmod(next(self._turns), AWKWARD_EVERY)
        return None if place else AWKWARD_NAMES[round_ % len(AWKWARD_NAMES)]

    def wallet(self, currency: str) -> str:
        return f"{currency} {self._rng.choice(WALLET_NAMES)}"

    def city(self) -> tuple[str, str, str, str]:
        return self._rng.choice(CITIES)

    def bank(self) -> str:
        return self._rng.choice(BANKS)


COMMON = ("USD", "AUD", "EUR")
OTHERS = tuple(code for code in ledger.CURRENCIES if code not in COMMON)

SMALL_SCALE = 200
FEWEST_ACCOUNTS = 6
PAYMENTS_PER_ACCOUNT = 150

NEWCOMERS_WAIT = 60.0
"""Seconds, at speed 1, until objects that are Pending at the start become Active."""


@dataclass(frozen=True, slots=True)
class Wallet:
    wallet_id: str
    account_id: str
    currency: str
    payin_address_id: str


class Participants:
    """The participants of the history, all created before the first payment.

    `wallets` are the Active ones; `payable` the Active addresses, as identifiers of recipient and
    address, by account and currency.
    """

    def __init__(self, draft: Draft, names: NameGenerator, start: datetime, now: datetime) -> None:
        self.wallets: list[Wallet] = []
        self.payable: defaultdict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
        self._draft = draft
        self._rng: Random = draft.bank.chance.draw("parties")
        self._names = names
        self._start = start
        self._now = now

    def payers(self) -> list[Wallet]:
        """Return the wallets that can pay a recipient or another wallet."""
        held = Counter(wallet.currency for wallet in self.wallets)
        return [
            wallet
            for wallet in self.wallets
            if held[wallet.currency] > 1 or (wallet.account_id, wallet.currency) in self.payable
        ]

    def register(self, scale: int) -> None:
        """Write as many participants as suit the number of payments."""
        extra = max(0, scale - SMALL_SCALE) // PAYMENTS_PER_ACCOUNT
        for number in range(min(FEWEST_ACCOUNTS, 1 + scale // 10) + extra):
            self._account(number)

    def _account(self, number: int) -> None:
        is_corporate = number % 2 == 0
        request = self._corporate() if is_corporate else self._individual()
        person = f"{request.get('firstName')} {request.get('lastName')}"
        account_id = self._create(ACCOUNTS, {
            "kind": "corporate" if is_corporate else "individual",
            "status": "registered",
            "displayName": str(request["companyName"]) if is_corporate else person,
            "request": dump(request),
        })  # fmt: skip
        currencies = [COMMON[number % len(COMMON)]]
        first = number * 5 // 2
        currencies += [OTHERS[(first + index) % len(OTHERS)] for index in range(2 + number % 2)]
        for currency in currencies:
            self._wallet(account_id, currency, "Active")
            self._recipient(account_id, currency)
        if number in UNUSUAL_WALLETS:
            self._wallet(account_id, currencies[0], UNUSUAL_WALLETS[number])

    def _create(self, resource: Resource, row: Row) -> str:
        """Write an object of the start; if it is Pending it becomes Active soon."""
        key = self._draft.create(resource, iso(self._start), row, iso(self._now))
        if row["status"] == "Pending":
            self._draft.later(resource.noun, key, self._now, NEWCOMERS_WAIT)
        return key

    def _wallet(self, account_id: str, currency: str, status: str) -> None:
        wallet_id = self._create(WALLETS, {
            "accountId": account_id,
            "currency": currency,
            "walletName": self._names.wallet(currency),
            "walletDescription": self._names.reference() if happens(self._rng, 0.5) else None,
            "status": status,
            **empty_balances(currency),
        })  # fmt: skip
        if status != "Active":
            return
        kind = get_args(PayInAddressType)[happens(self._rng, 0.3)]
        address_id = self._draft.new_id(PAYIN_ADDRESSES)
        row = payin_address_row(
            self._draft.bank.chance, address_id, wallet_id, kind, iso(self._start)
        )
        insert(self._draft.bank.db, PAYIN_ADDRESSES.table, row)
        self.wallets.append(Wallet(wallet_id, account_id, currency, address_id))

    def _recipient(self, account_id: str, currency: str) -> None:
        """Write one to five recipients that accept a currency."""
        for _ in range(1 + self._rng.randrange(5)):
            status = self._rng.choices(("Active", "Pending", "Rejected"), (94, 3, 3))[0]
            row = self._recipient_row(account_id, status)
            recipient_id = self._create(RECIPIENTS, row)
            self._address(recipient_id, row, currency)

    def _recipient_row(self, account_id: str, status: str) -> Row:
        is_business = happens(self._rng, 0.6)
        first, last = (None, None) if is_business else self._names.person()
        return {
            "accountId": account_id,
            "recipientType": "business" if is_business else "individual",
            "firstName": first,
            "lastName": last,
            "companyName": self._names.business() if is_business else None,
            "email": f"accounts{self._rng.randrange(1000)}@example.com",
            "country": self._names.city()[3],
            "status": status,
        }

    def _address(self, recipient_id: str, recipient: Row, currency: str) -> None:
        """Write a recipient's address for a currency, in the recipient's state."""
        status = str(recipient["status"])
        city, region, postcode, country = self._names.city()
        bank: JsonObject = {
            "bankName": self._names.bank(),
            "bankAddressLine1": f"{self._rng.randrange(1, 400)} Quay Street",
            "locality": city,
            "region": region,
            "postalCode": postcode,
            "country": country,
        }
        address_id = self._create(PAYMENT_ADDRESSES, {
            "recipientId": recipient_id,
            "currency": currency,
            "country": country,
            "accountType": self._rng.choice(get_args(AccountType)),
            "accountName": recipient["companyName"] or recipient["lastName"],
            "accountNumber": str(self._rng.randrange(10**7, 10**10)),
            "bic": f"SBOX{country}2XXXX"[:11],
            "routingCode": f"{self._rng.randrange(10**6):06}",
            "status": status,
            "bankInformation": dump(bank),
        })  # fmt: skip
        if status == "Active":
            place = str(recipient["accountId"]), currency
            self.payable[place].append((recipient_id, address_id))

    def _individual(self) -> JsonObject:
        """Return all fields of service.md §2 for a person without a trust."""
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
"""The state of an additional wallet, by number of the account."""
