"""The keys of the fields of tickets that move money.

Those of forms are the paths of their requests.
"""

from paytui.domain.money import Side

FROM, TO, ACCOUNT, AMOUNT, REFERENCE = "from", "to", "account", "amount", "reference"

AMOUNT_IN = "amount in"  # The currency that the amount of a payment was typed in

SELL, BUY = Side.SELL.value, Side.BUY.value
"""The currencies of a trade; a payment has none."""

SELL_AMOUNT, BUY_AMOUNT = Side.SELL.amount_field, Side.BUY.amount_field

RATE = "rate"

PROOF = "verify payee"  # The end of a new account's number
