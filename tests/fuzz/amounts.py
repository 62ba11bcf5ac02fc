"""The amount field: an amount, exact in its digits, or an error."""

from __future__ import annotations

import re
from decimal import Decimal

from hypothesis import strategies as st

from paytui.domain.money import AmountError, CurrencyCode, parse_amount
from paytui.tui.format.cells import amount_words
from tests.fuzz.spoiling import spoilt
from tests.fuzz.target import Target

DIGITS = {"AUD": 2, "JPY": 0, "KWD": 3, "XYZ": 2}
"""Of ISO 4217; of a currency that there is not, two are assumed."""

SAMPLES = ("2,500,000.00", "1k", "1.5m", "1_000", "0.05", ".5", "1,5", "-3", "1e5", "12 000", "NaN")
_PLAIN = re.compile(r"[0-9]{1,15}(\.[0-9]+)?")


def target() -> Target:
    digits = st.integers(0, 10**9).map(str) | st.integers(0, 10**9).map("{:,}".format)
    tail = st.sampled_from(("", ".5", ".05", ".000", "k", "K", ".25m", "M", ",5", "e3", "%"))
    typed = st.one_of(
        st.builds("{}{}".format, digits, tail),
        st.text("0123456789.,_kKmM -+eE", max_size=24),
        spoilt(SAMPLES),
        st.text(max_size=30),
    )
    return Target(st.tuples(typed, st.sampled_from(sorted(DIGITS))), _check)


def _check(case: tuple[str, str]) -> bool:
    text, currency = case[0], CurrencyCode(case[1])
    try:
        amount = parse_amount(text, currency)
    except AmountError:
        return False
    assert amount.is_finite()
    assert 0 < amount < 10**15
    assert amount.as_tuple().exponent == -DIGITS[currency]
    shown = amount_words(amount, currency)
    assert parse_amount(shown.removesuffix(f" {currency}"), currency) == amount
    if _PLAIN.fullmatch(text.strip()):
        assert amount == Decimal(text.strip())
    return True
