"""Mistakes with money that somebody could make in good faith: a simulation must find each."""

from __future__ import annotations

from tests.mutants.mutant import Bug

BUGS = (
    Bug(
        name="a fresh key on retry",
        file="paytui/worker/submit.py",
        before="        key=entry.key,\n",
        after='        key=type(entry.key)(__import__("uuid").uuid4()),\n',
    ),
    Bug(
        name="recorded after it was sent",
        file="paytui/worker/submit.py",
        before="            self._journal.record(entry)\n",
        after=(
            "            from paytui.api.caller import UNATTENDED\n"
            "            operation = entry.action.value\n"
            "            receipt = await self._sender.send(letters[0], operation, UNATTENDED)\n"
            "            self._journal.record(entry)\n"
            "            self._answered(entry, receipt)\n"
            "            return\n"
        ),
    ),
    Bug(
        name="a time-out read as a failure",
        file="paytui/api/transport.py",
        before="failure = _timed_out(call, written=not unsent)",
        after="failure = _timed_out(call, written=False)",
    ),
    Bug(
        name="no check of the rate's expiry when it is sent",
        file="paytui/worker/quote_check.py",
        before="if left <= QUOTE_MARGIN:",
        after="if False:",
    ),
    Bug(
        name="an owner's lock that is ignored",
        file="paytui/outbox/owner.py",
        before=(
            "        if not self._taken(self._lock):\n"
            "            raise OwnedElsewhere(_owned(self._path))\n"
        ),
        after="        self._taken(self._lock)\n",
    ),
    Bug(
        name="a 5xx read as a refusal",
        file="paytui/api/failures.py",
        before="return errors.ServiceFailed, _ASK_AGAIN",
        after="return errors.Refused, _ASK_AGAIN",
    ),
    Bug(
        name="a 4xx on a second attempt read as a refusal",
        file="paytui/worker/verdict.py",
        before="error.effect is Effect.REFUSED and error.replayed",
        after="error.effect is Effect.REFUSED",
    ),
    Bug(
        name="repeated where the service is not replay-safe",
        file="paytui/worker/drafting.py",
        before="return action.value in self.idempotency.replay_safe",
        after="return True",
    ),
    Bug(
        name="an outbox's row that is lost: that it was sent",
        file="paytui/worker/departure.py",
        before="        self._journal.add(self._intent_id, sending)\n",
        after="",
    ),
    Bug(
        name="an outbox's row that is lost: the newest intent",
        file="paytui/outbox/reading.py",
        before="for row in entries]\n    recorded",
        after="for row in entries[:-1]]\n    recorded",
    ),
)
