"""Numbers of bank accounts, by the standards that fix how they are written.

Each finding is a warning: it is the service that decides, and no check here is stricter than its
standard. Numbers come as they go out, without spaces.
"""

from __future__ import annotations

import re

from paytui.tui.forms.declare import Finding

_BSB = re.compile(r"[0-9]{6}")
_IBAN = re.compile(r"[A-Za-z]{2}[0-9]{2}[A-Za-z0-9]{11,30}")


def judge_iban(text: str) -> Finding | None:
    """ISO 13616: check digits, and the length and shape that a country registered."""
    from stdnum import iban  # an import that a first paint can do without
    from stdnum.exceptions import InvalidChecksum, InvalidComponent, ValidationError

    try:
        iban.validate(text, check_country=False)
    except InvalidChecksum:
        return _warning("The check digits of this IBAN do not fit: something in it is mistyped.")
    except InvalidComponent:
        return _warning(f"No country is known to have IBANs that begin with {text[:2]}.")
    except ValidationError:
        return _warning(f"An IBAN of {text[:2]} is not written like this.")
    return None


def judge_bic(text: str) -> Finding | None:
    """ISO 9362: eight or eleven letters and digits, the fifth and sixth a country."""
    from stdnum import bic

    return None if bic.is_valid(text) else _warning("A BIC is written as FNBAUS33 or FNBAUS33XXX.")


def judge_bsb(text: str) -> Finding | None:
    """The bank-state-branch code of Australia, with hyphens wherever one likes them."""
    return (
        None
        if _BSB.fullmatch(text.replace("-", ""))
        else _warning("A BSB has six digits, as in 062-000.")
    )


def judge_aba(text: str) -> Finding | None:
    """The routing transit number of the American Bankers Association."""
    from stdnum.us import rtn

    if rtn.is_valid(text):
        return None
    return _warning("An ABA routing number has nine digits, of which the last fits the others.")


def judge_account_number(text: str) -> Finding | None:
    """An account number that is an IBAN is in the wrong field."""
    if _IBAN.fullmatch(text) and judge_iban(text) is None:
        return _warning("This is an IBAN, which has a field of its own.")
    return None


def _warning(words: str) -> Finding:
    return Finding(words, overridable=True)
