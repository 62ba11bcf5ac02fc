"""The columns that each list can show, by the ids that a configuration names them by.

Screens declare what they show; a test holds their ids and these to each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

COLUMNS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "accounts": (
            *("account", "kind", "state", "created", "account-id"),
            *("e-mail", "company", "trading-name", "registration", "country"),
        ),
        "wallets": (
            *("wallet", "account", "ccy", "available", "reserved", "pending", "state"),
            *("description", "updated", "created", "wallet-id", "account-id"),
        ),
        "payins": (
            *("created", "amount", "ccy", "sender", "reference", "state", "into", "credited"),
            *("account", "pay-in-id", "wallet-id", "address-id"),
        ),
        "payin_addresses": (
            *("wallet", "bsb", "bic", "account-number", "type", "bank", "country"),
            *("account", "npp", "address-id", "wallet-id"),
        ),
        "trades": (
            *("created", "sold", "pair", "bought", "rate", "state", "account", "reference"),
            *("from", "to", "exchanged", "dealt", "trade-id", "account-id", "rate-sheet-id"),
            *("sell-wallet-id", "buy-wallet-id", "recipient-id", "address-id"),
        ),
        "recipients": (
            *("recipient", "type", "country", "state", "account", "e-mail"),
            *("currencies", "recipient-id", "account-id"),
        ),
        "payments": (
            *("created", "type", "amount", "ccy", "from", "to", "state", "reference"),
            *("end-to-end-id", "account", "updated", "failure", "payment-id", "account-id"),
            *("source-id", "destination-id", "recipient-id", "address-id"),
        ),
        "intents": (
            *("confirmed", "stands", "what", "amount", "became", "intent", "by"),
            *("since", "account", "from", "reference", "host", "account-id"),
        ),
    }
)
"""Those that a list shows of itself first, in its order; then the others."""
