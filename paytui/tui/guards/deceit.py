"""Names by which money could go to somebody else than is meant: said before it is confirmed."""

from __future__ import annotations

from collections.abc import Iterator

from paytui.api.models import PaymentAddress, Recipient
from paytui.store.likeness import mixed_words
from paytui.store.views import recipient_title
from paytui.tui.desk import Desk


def deceit(desk: Desk, recipient: Recipient, address: PaymentAddress) -> Iterator[str]:
    """In words, where a payee's name looks like another's or mixes alphabets."""
    if marks := desk.likeness.of(recipient):
        yield f"{recipient_title(recipient)} {' and '.join(marks)}: make sure whom you pay."
    account_name = address.account_name or ""
    if account_name != recipient_title(recipient) and (words := mixed_words(account_name)):
        yield f"The account name {account_name} {words}: make sure whom you pay."
