"""The checks of bank numbers.

Each finding is a warning, since the service decides. No check is stricter than its standard.
Numbers are checked as they are sent, without spaces; `beside` are the texts of the same address by
field.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_HOMES = {"AUD": "AU", "USD": "US"}
"""The likely country of an account by currency, if no country is given."""


def judge_iban(text: str, _: Mapping[str, str]) -> str:
    """Check an IBAN by ISO 13616: check digits, and the country's length and format."""
    from stdnum import iban  # an import that a first paint can do without
    from stdnum.exceptions import InvalidChecksum, InvalidComponent, ValidationError

    try:
        iban.validate(text, check_country=False)
    except InvalidChecksum:
        return "Wrong check digits: the IBAN contains a typo."
    except InvalidComponent:
        return f"No known IBAN begins with {text[:2]}."
    except ValidationError:
        return f"Wrong length or form for an IBAN of {text[:2]}."
    return ""


def judge_account_number(text: str, beside: Mapping[str, str]) -> str:
    """Warn of an IBAN in the field for account numbers."""
    return "" if judge_iban(text, beside) else "This is an IBAN. Enter it in the IBAN field."


def judge_bic(text: str, _: Mapping[str, str]) -> str:
    """Check a BIC by ISO 9362: 8 or 11 characters, the fifth and sixth a country."""
    from stdnum import bic

    return "" if bic.is_valid(text) else "Write a BIC as FNBAUS33 or FNBAUS33XXX."


def judge_routing_code(text: str, beside: Mapping[str, str]) -> str:
    """Check the code of an Australian or American bank; a BSB may have hyphens."""
    from stdnum.us import rtn

    home = beside.get("country") or _HOMES.get(beside.get("currency", ""))
    if home == "AU" and not re.fullmatch("[0-9]{6}", text.replace("-", "")):
        return "A BSB has six digits, as in 062-000."
    if home == "US" and not rtn.is_valid(text):
        return "An ABA routing number has nine digits; the last is a check digit."
    return ""
