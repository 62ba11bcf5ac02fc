"""A hash that identifies a bank account without showing it.

Account numbers are short enough to be found by trial, so the hash is no secret; it only keeps them
out of plain text on disk.
"""

from __future__ import annotations

import hashlib
import json

from paytui.domain.models import PaymentAddress


def bank_fingerprint(address: PaymentAddress) -> str:
    """Return the hash of all fields by which a bank identifies an account and its owner."""
    identity = (
        address.currency,
        address.country,
        address.account_name,
        address.account_number,
        address.iban,
        address.bic,
        address.routing_code,
    )
    return hashlib.sha256(json.dumps(identity).encode()).hexdigest()
