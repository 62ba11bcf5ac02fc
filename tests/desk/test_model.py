"""Stories of a desk in memory; `python -m tests.desk.model 5000` plays more, and longer ones."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from paytui.api.errors import NotSent
from paytui.domain.intent import Decision, Standing, Verdict
from paytui.outbox.entry import EventKind
from paytui.outbox.shared_log import HandedIn
from paytui.worker.intents.journal import stands
from paytui.worker.intents.submit import Attempt, Withdrawn
from tests.desk.model import LONG, PREPARED, SHORT, Story, first_broken
from tests.desk.modelled_limits import Row
from tests.desk.modelled_seat import Seat, done
from tests.outbox.made import entry, event

INTENT = entry(1).intent_id


def test_whatever_fails_nothing_is_paid_twice_and_everybody_sees_what_is_in_doubt() -> None:
    assert first_broken(range(150), SHORT) == (-1, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bug", "start"),
    [
        *(("index", 0), ("timeline", 0), ("self", 0), ("bound", 0)),
        *(("bytes", 60), ("cancel", 60), ("late", 120), ("keep", 120)),
    ],
)
def test_a_bug_is_found(bug: str, start: int) -> None:
    assert first_broken(range(start, start + 100), LONG, frozenset({bug}))[0] >= 0


def _recorded(handed_in: Sequence[str] = ()) -> Seat:
    """Return a seat with an intent that nobody has sent; the log has rows of it."""
    story = Story(1)
    seat = story.seats["anna"]
    seat.journal.record(entry(1))
    for local, kind in enumerate(handed_in):
        departure = 1 if kind == "sending" else None
        row = HandedIn(INTENT, local, kind, "{}", departure)
        story.server.rows.append(Row(row, story.disks["anna"].identity, "anna"))
    return seat


def test_an_intent_does_not_depart_while_the_desk_is_held() -> None:
    seat = _recorded()
    seat.journal.hold("It is held.")  # after a screen has let it pass
    with pytest.raises(NotSent, match="It is held"):
        done(seat.link.depart(INTENT))


def test_an_intent_that_must_be_approved_again_is_not_in_doubt() -> None:
    seat = _recorded()
    seat.journal.note(INTENT, event(EventKind.PARTLY_APPROVED))  # after a person has sent it
    attempt = Attempt(
        seat.journal, INTENT, PREPARED, lambda: None, seat.time, depart=seat.link.depart
    )
    with pytest.raises(Withdrawn):
        done(attempt.before_send())
    recorded = seat.journal.get(INTENT)
    assert recorded is not None
    assert stands(recorded) is Standing.PROPOSED


def test_an_intent_that_another_program_has_sent_may_have_been_executed() -> None:
    seat = _recorded(("recorded", "sending", "in doubt"))
    with pytest.raises(NotSent, match="another dashboard has sent it") as caught:
        done(seat.link.depart(INTENT))
    assert caught.value.written


def test_a_decision_that_cannot_be_kept_is_not_shown_before_it_is() -> None:
    story = Story(1)
    anna, bob, carol = (story.seats[name] for name in ("anna", "bob", "carol"))
    anna.journal.record(entry(1))
    for seat in (anna, bob):
        done(seat.link.take_turn())
    story.clock.advance(31)
    bob.link.decide(Decision(intent_id=INTENT, verdict=Verdict.DONE))
    done(bob.link.take_turn())
    for is_full, shown in ((True, None), (False, Standing.DONE)):
        story.disks["carol"].is_full = is_full
        done(carol.link.take_turn())
        row = carol.store.intents.get(INTENT)
        assert (row and row.standing) is shown
        assert bool(carol.journal.held) == is_full
