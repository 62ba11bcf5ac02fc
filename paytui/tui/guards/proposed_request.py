"""The review of a request that a colleague proposes: its values, beside the terms it claims."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation

from paytui.domain.intent import IntentRow
from paytui.platform.text import clean
from paytui.store.mandates import mandate_of

LONGEST = 10_000  # The most characters that a person reviews; a request has some hundred


def values_of(body: str) -> Sequence[tuple[str, str]]:
    """Return each value of a request with its path, as in `amount.value`.

    Empty if it cannot be reviewed: it is too long, no JSON, or names a value twice.
    """
    if len(body) > LONGEST:
        return ()
    try:
        found = json.loads(body, object_pairs_hook=_once, parse_float=str, parse_int=str)
        return tuple(_values("", found))
    except (ValueError, RecursionError):
        return ()


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name occurs twice")  # readers differ in which of them counts
    return found


def _values(path: str, value: object) -> Iterator[tuple[str, str]]:
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


def unlike(row: IntentRow, body: str) -> str:
    """Return in what a proposed request or mandate is not the one shown; empty if in nothing."""
    if row.is_mandate:
        mandate = mandate_of(row)
        is_other = mandate is None or mandate.body.decode() != body
        return "The request is not the mandate that it says." if is_other else ""
    terms = row.terms
    values = [text for _, text in values_of(body)]
    if not values:
        return "The request cannot be reviewed."
    named = {
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
