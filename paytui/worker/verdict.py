"""The meaning of each failure for money (design.md, "Money moves exactly once").

What one attempt may have done by itself is said by `ApiError.effect`, failure by failure. This adds
what an intent's earlier attempts make of it: "insufficient funds" may be our own first attempt.
"""

from __future__ import annotations

from paytui.api.errors import ApiError, Effect
from paytui.outbox.entry import EventKind

_FIRST = {
    Effect.NONE: EventKind.NOT_EXECUTED,
    Effect.REFUSED: EventKind.REFUSED,
    Effect.UNKNOWN: EventKind.IN_DOUBT,
}


def verdict(error: ApiError, *, first: bool) -> EventKind:
    """Return the event that a failed attempt causes.

    | The attempt                                              | as the first | later    |
    |----------------------------------------------------------|--------------|----------|
    | nothing written: no connection, DNS, TLS, no token       | not executed | in doubt |
    | time-out, cut, 5xx, 408, 499, 3xx, unreadable 2xx        | in doubt     | in doubt |
    | any 4xx that is not in the service's error shape         | in doubt     | in doubt |
    | any 4xx that speaks of the idempotency key               | in doubt     | in doubt |
    | 409 that says when to come back: the key is at work      | in doubt     | in doubt |
    | 401 with a code for the token, that cannot be renewed    | not executed | in doubt |
    | 429 in the service's error shape                         | not executed | in doubt |
    | any other 4xx in the service's error shape               | refused      | in doubt |
    | the same, marked as an answer given before               | refused      | refused  |

    Args:
        error: how the attempt failed.
        first: whether no earlier attempt of the same intent may have arrived.
    """
    if first:
        return _FIRST[error.effect]
    told_before = error.effect is Effect.REFUSED and error.replayed
    return EventKind.REFUSED if told_before else EventKind.IN_DOUBT
