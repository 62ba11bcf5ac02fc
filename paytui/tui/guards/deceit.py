"""Names by which money could go to somebody else than is meant: said before it is confirmed."""

from __future__ import annotations

from collections.abc import Iterator

from paytui.domain.models import PaymentAddress, Recipient
from paytui.platform.text import clean
from paytui.store.lookalikes import mixed_words
from paytui.store.views import recipient_title
from paytui.tui.context import Desk

_LONGEST = 60
"""Characters of a name; the facts have more of it."""


def deceit(desk: Desk, recipient: Recipient, address: PaymentAddress) -> Iterator[str]:
    """In words, where a payee's name looks like another's or mixes alphabets."""
    name, account_name = recipient_title(recipient), address.account_name or ""
    if marks := desk.likeness.of(recipient):
        yield f"{clean(name, _LONGEST)} {' and '.join(marks)}: make sure whom you pay."
    if account_name != name and (words := mixed_words(account_name)):
        yield f"The account name {clean(account_name, _LONGEST)} {words}: make sure whom you pay."
