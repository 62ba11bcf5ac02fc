"""The fields of a creation, in words."""

from __future__ import annotations

from collections.abc import Iterator

from paytui.domain.intent import IntentRow

UNSEEN = "personal data, which is not kept here once it is settled"
"""In the place of what is asked for an account."""

_PARENTS = frozenset({"account_id", "wallet_id", "recipient_id"})
_ONE_OF = {
    "payment addresses": "payment address",
    "authorised representatives": "representative",
    "trust beneficiaries": "beneficiary",
}
_INITIALS = frozenset({"iban", "bic", "bsb"})


def path_words(path: str) -> str:
    """`payment_addresses.0.iban` as `payment address 1, IBAN`, `extra.purpose` as `purpose`."""
    parts: list[str] = []
    for name in path.removeprefix("extra.").split("."):
        if name.isdecimal() and parts:
            parts[-1] = f"{_ONE_OF.get(parts[-1], parts[-1])} {int(name) + 1}"
        else:
            parts.append(name.upper() if name in _INITIALS else name.replace("_", " "))
    return ", ".join(parts)


def asked_words(row: IntentRow) -> Iterator[tuple[str, str]]:
    """Yield the filled-in fields, label and text, without the owner."""
    if row.action.is_personal:
        yield "Filled in", UNSEEN
    for path, text in row.terms.asked:
        if path not in _PARENTS:
            words = path_words(path)
            yield words[:1].upper() + words[1:], text
