"""Names, references and descriptions: lifelike, and some of them hard to show.

The awkward ones are data that a careless screen would break on: markup, actions, escape sequences,
scripts that run from right to left, marks that combine, and no end of letters. All are invented.
"""

from __future__ import annotations

from itertools import count
from random import Random

from paytui.sandbox.chance import happens

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


class Names:
    """Draws names; every fifth is awkward, and all of these come in turn."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._turns = count(rng.randrange(AWKWARD_EVERY * len(AWKWARD_NAMES)))

    def person(self) -> tuple[str, str]:
        """A first and a last name."""
        return self._rng.choice(GIVEN), self._awkward() or self._rng.choice(FAMILY)

    def business(self) -> str:
        pick = self._rng.choice
        return self._awkward() or f"{pick(TRADE)} {pick(LINE)} {pick(FORM)}"

    def anyone(self) -> str:
        """Somebody who sends money."""
        return self.business() if happens(self._rng, 0.5) else " ".join(self.person())

    def reference(self) -> str:
        is_awkward = happens(self._rng, AWKWARD_REFERENCES_SHARE)
        pattern = self._rng.choice(AWKWARD_REFERENCES if is_awkward else REFERENCES)
        return pattern.format(number=self._rng.randrange(1000, 99999))

    def _awkward(self) -> str | None:
        """The next awkward name, if it is its turn."""
        round_, place = divmod(next(self._turns), AWKWARD_EVERY)
        return None if place else AWKWARD_NAMES[round_ % len(AWKWARD_NAMES)]

    def wallet(self, currency: str) -> str:
        return f"{currency} {self._rng.choice(WALLET_NAMES)}"

    def city(self) -> tuple[str, str, str, str]:
        """City, region, postal code, country."""
        return self._rng.choice(CITIES)

    def bank(self) -> str:
        return self._rng.choice(BANKS)
