"""Mistakes with money that somebody could make in good faith: a simulation must find each."""

from __future__ import annotations

from tests.mutants.bug import Bug

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
            "            self._outcomes.answered(entry, receipt)\n"
            "            return\n"
        ),
    ),
    Bug(
        name="a time-out read as a failure",
        file="paytui/api/transport.py",
        before="failure = _timed_out(call, written=not (unsent or departure.in_tunnel))",
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
    Bug(
        name="a match without a look at what is claimed",
        file="paytui/worker/resolve.py",
        before="        is_it = claimed_by == entry.intent_id and could_be",
        after="        is_it = could_be",
    ),
    Bug(
        name="candidates that another intent became",
        file="paytui/worker/resolve.py",
        before="candidates = tuple(sorted((tagged.keys() | others) - claims.keys()))",
        after="candidates = tuple(sorted(tagged.keys() | others))",
    ),
    Bug(
        name="a match without the send window",
        file="paytui/worker/lookalikes.py",
        before="        and is_in_its_time(recorded, record.created_at, tagged=tagged)\n",
        after="",
    ),
    Bug(
        name="candidates that carry another's identifier",
        file="paytui/worker/lookalikes.py",
        before="        and (tagged or not tags_of(record.reference))\n",
        after="",
    ),
    Bug(
        name="the first of several tagged objects",
        file="paytui/worker/resolve.py",
        before=(
            "        if len(tagged) != 1:\n"
            "            return None\n"
            "        [(identifier, record)] = tagged.items()\n"
        ),
        after=(
            "        if not tagged:\n"
            "            return None\n"
            "        identifier, record = next(iter(tagged.items()))\n"
        ),
    ),
    Bug(
        name="what was booked is not compared with what was confirmed",
        file="paytui/worker/booked.py",
        before="if ours is not None and theirs is not None and ours != theirs",
        after="if False",
    ),
    Bug(
        name="what a list tells late is not compared with what was confirmed",
        file="paytui/worker/alarms.py",
        before="            for words in differences(recorded.entry.terms, record):\n",
        after="            for words in ():\n",
    ),
    Bug(
        name="alarms that are never raised",
        file="paytui/worker/alarms.py",
        before="            self._journal.note(recorded.entry.intent_id, alert)\n",
        after="            pass\n",
    ),
    Bug(
        name="a key in flight read as a refusal",
        file="paytui/api/failures.py",
        before="    return any(word.casefold() in told for word in words)",
        after="    return False",
    ),
    Bug(
        name="a gateway's refusal that is believed",
        file="paytui/api/failures.py",
        before="return _is_own(said) and not is_at_work",
        after="return not is_at_work",
    ),
    Bug(
        name="a 401 of a gateway after which it is sent again",
        file="paytui/api/caller.py",
        before="call.work is not Work.SEND or token_is_refused(answer, self._dialect)",
        after="True",
    ),
    Bug(
        name="a failed write of the departure that is ignored",
        file="paytui/worker/departure.py",
        before="        self._journal.add(self._intent_id, sending)\n",
        after=(
            "        try:\n"
            "            self._journal.add(self._intent_id, sending)\n"
            "        except Exception:\n"
            "            pass\n"
        ),
    ),
    Bug(
        name="a repeat without a look before it",
        file="paytui/worker/resolve.py",
        before="        if not self._has_looked(recorded, since):\n            return\n",
        after="",
    ),
    Bug(
        name="a rate that is not looked at once the connection stands",
        file="paytui/worker/departure.py",
        before="        self._journal.check_ours()\n        self._last_look()\n",
        after="        self._journal.check_ours()\n",
    ),
    Bug(
        name="an owner that does not look at its lock",
        file="paytui/outbox/owned.py",
        before="        self._owner.check()\n",
        after="        pass\n",
    ),
    Bug(
        name="a commit that a loss of power takes back",
        file="paytui/outbox/opening.py",
        before="PRAGMA synchronous = EXTRA",
        after="PRAGMA synchronous = NORMAL",
    ),
    Bug(
        name="sent again as another client",
        file="paytui/worker/drafting.py",
        before="        ours = (self.profile, self.base_url, self.client_id)\n",
        after="        ours = (self.profile, self.base_url, entry.client_id)\n",
    ),
)
