"""The other service's names: documented fields and their new places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Names = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Spelling:
    """The spelling of one object; fields and words that are not listed stay as they are.

    Attributes:
        names: documented field to the path here.
        states: documented state to the word here.
        inner: documented field to the spelling of the objects in it.
    """

    names: Names
    states: Names = field(default_factory=dict)
    inner: Mapping[str, Spelling] = field(default_factory=dict)


TWENTY_DIGITS = frozenset(
    {"amount", "availableBalance", "reservedBalance", "pendingBalance", "sellAmount", "buyAmount",
     "rate"}
)  # fmt: skip
"""Documented fields that are JSON numbers of twenty digits here."""

UNLISTED = {"processing": "BATCHED_OVERNIGHT", "Suspended": "Under a lien"}
"""States for which this service has words that no dialect knows."""

PERSON = {"email": "contact.mail", "phone": "contact.phone", "phoneCountryCode": "contact.prefix"}

CUSTOMER = Spelling(
    {
        "accountId": "ref", "kind": "sort", "status": "phase", "displayName": "label",
        "createdAt": "since", "companyName": "firm.name", "firstName": "given",
        "lastName": "family", "physicalAddress": "home", **PERSON,
    },
    {"registered": "IN GOOD STANDING", "pending_checks": "ON HOLD", "rejected": "DECLINED"},
)  # fmt: skip
BALANCE = Spelling(
    {
        "walletId": "no", "accountId": "holder.ref", "currency": "unit", "walletName": "label",
        "walletDescription": "memo", "status": "phase", "availableBalance": "funds.free",
        "reservedBalance": "funds.held", "pendingBalance": "funds.coming", "createdAt": "since",
        "updatedAt": "touched",
    },
    {"Active": "OPEN", "Pending": "OPENING", "Closed": "SHUT", **UNLISTED},
)  # fmt: skip
DEPOSIT = Spelling(
    {
        "payInTransactionId": "no", "walletId": "into.no", "payInAddressId": "via",
        "amount": "sum", "currency": "unit", "status": "phase", "senderName": "from",
        "reference": "memo", "createdAt": "since", "creditedAt": "landed",
    },
    {"received": "SEEN", "compliance_review": "HELD", "credited": "LANDED", "rejected": "BOUNCED"},
)  # fmt: skip
DEAL = Spelling(
    {
        "tradeTransactionId": "no", "accountId": "holder.ref", "sellCurrency": "give.unit",
        "sellAmount": "give.sum", "sellWalletId": "give.no", "buyCurrency": "get.unit",
        "buyAmount": "get.sum", "buyWalletId": "get.no", "dealtSide": "fixed", "rate": "price",
        "rateSheetId": "quote", "status": "phase", "reference": "memo", "createdAt": "since",
        "exchangedAt": "done",
    },
    {"exchanged": "DONE", "awaiting_funds": "UNFUNDED", "compliance_review": "HELD"},
)  # fmt: skip
PAYEE_ACCOUNT = Spelling(
    {
        "paymentAddressId": "no", "recipientId": "payee", "currency": "unit", "country": "land",
        "accountType": "style", "accountName": "label", "accountNumber": "digits",
        "routingCode": "route", "status": "phase", "bankInformation": "bank",
    },
    {"Active": "USABLE", "Pending": "CHECKING", "Rejected": "REFUSED"},
    {"bankInformation": Spelling({"bankName": "title", "postalCode": "zip"})},
)  # fmt: skip
PAYEE = Spelling(
    {
        "recipientId": "no", "accountId": "holder.ref", "recipientType": "sort",
        "companyName": "firm.name", "firstName": "given", "lastName": "family",
        "email": "contact.mail", "country": "land", "status": "phase",
        "paymentAddresses": "bank_accounts",
    },
    {"Active": "USABLE", "Pending": "CHECKING", "Rejected": "REFUSED"},
    {"paymentAddresses": PAYEE_ACCOUNT},
)  # fmt: skip
MOVEMENT = Spelling(
    {
        "paymentTransactionId": "no", "paymentType": "sort", "accountId": "holder.ref",
        "sourceWalletId": "out.no", "destinationWalletId": "in.no", "recipientId": "in.payee",
        "paymentAddressId": "in.account", "amount": "sum", "currency": "unit", "status": "phase",
        "reference": "memo", "endToEndId": "trace.e2e", "createdAt": "since",
        "updatedAt": "touched", "failureReason": "why",
    },
    {"created": "NEW", "compliance_review": "HELD", "released": "SENT", "completed": "ARRIVED",
     **UNLISTED},
)  # fmt: skip
PAIR = Spelling({"sellCurrency": "give", "buyCurrency": "get", "rate": "price", "reason": "why"})
QUOTE = Spelling(
    {
        "rateSheetId": "no", "createdAt": "since", "expiresAt": "lapses", "rates": "lines",
        "unavailable": "not_priced",
    },
    inner={"rates": PAIR, "unavailable": PAIR},
)  # fmt: skip
DEPOSIT_ACCOUNT = Spelling(
    {"payInAddressId": "no", "walletId": "into.no", "payInAddressType": "style", "bsb": "branch"}
)

QUOTE_WANTED = Spelling({"currencyPairs": "want"}, inner={"currencyPairs": PAIR})
PAYEE_WANTED = Spelling(
    {**PAYEE.names, "paymentAddresses": "bank_accounts"},
    inner={"paymentAddresses": PAYEE_ACCOUNT},
)
