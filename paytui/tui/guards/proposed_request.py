"""The review of a request that a colleague proposes: its values, beside the terms it claims."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from paytui.domain.exact_json import Json, NotJson, parse_verbatim
from paytui.domain.intent import IntentTerms
from paytui.platform.text import clean


def values_of(body: bytes) -> Iterator[tuple[str, str]]:
    """Yield each value of a body in JSON with its path, as in `amount.value`."""
    if body:
        yield from _values("", parse_verbatim(body))


def _values(path: str, value: Json) -> Iterator[tuple[str, str]]:
    match value:
        case dict():
            for name, each in value.items():
                yield from _values(f"{path}.{clean(name)}".lstrip("."), each)
        case list():
            for place, each in enumerate(value):
                yield from _values(f"{path}.{place}", each)
        case None:
            yield path, "null"
        case _:
            yield path, clean(str(value))


def unlike(terms: IntentTerms, body: bytes) -> str:
    """Return in what a body lacks the terms that it is shown with; empty if in nothing."""
    try:
        values = [text for _, text in values_of(body)]
    except NotJson as error:
        return f"The request cannot be read: {error}."
    named = {
        "the currency": terms.currency,
        "the wallet": terms.source_wallet_id,
        "the wallet that it goes to": terms.destination_wallet_id,
        "the recipient's account": terms.payment_address_id,
        "the reference": terms.reference,
    }
    lacks = [what for what, said in named.items() if said and clean(said) not in values]
    if not any(_number(text) == terms.amount for text in values):
        lacks.insert(0, "the amount")
    return f"The request is not what it says: it lacks {', '.join(lacks)}." if lacks else ""


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None
