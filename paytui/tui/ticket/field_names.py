"""The names of the fields of tickets that move money; a template has most of them too.

Those of forms are the paths of their requests.
"""

from paytui.domain.money import Side

FROM, TO, ACCOUNT = "from_wallet", "to", "payment_address"

AMOUNT, REFERENCE = "amount", "reference"

AMOUNT_IN = "currency"  # The one that the amount of a payment was typed in

SELL, BUY = Side.SELL.value, Side.BUY.value
"""The currencies of a trade; a payment has none."""

SELL_AMOUNT, BUY_AMOUNT = Side.SELL.amount_field, Side.BUY.amount_field

PROOF = "verify payee"  # The end of a new account's number
