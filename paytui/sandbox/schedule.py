"""What is to happen by itself, and when: a table instead of timers."""

from __future__ import annotations

from datetime import datetime, timedelta

from paytui.sandbox.bank import Bank
from paytui.sandbox.clock import iso

# Seconds at speed 1, give or take a half.
ACTIVATION = 3.0
IDENTITY_CHECKS = 10.0
COMPLIANCE = 6.0
PAY_IN_RECEIPT = 3.0
PAYMENT_CHECK = 2.0
PROCESSING = 6.0
COMPLETION = 20.0
RETURN = 60.0


def later(bank: Bank, kind: str, subject: str, now: datetime, seconds: float) -> None:
    """Note that something is due about so many seconds (at speed 1) from now.

    The kind says what is to be done (`lifecycle` knows how), the subject to which object.
    """
    if not bank.options.speed:
        return
    spread = 1 + bank.chance.noise("delay", kind, subject, iso(now)) / 2
    at = now + timedelta(seconds=seconds * spread / bank.options.speed)
    row = (iso(at), kind, subject)
    bank.db.execute("INSERT INTO due (at, kind, subject) VALUES (?, ?, ?)", row)
