"""What happens in a story of a modelled desk, what people are told of it, and what must hold."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from decimal import Decimal

from paytui.domain.intent import Action, IntentId, Standing
from paytui.domain.money import CurrencyCode
from paytui.outbox.entry import Entry, RecordedIntent
from paytui.outbox.shared_log import RECORDED
from paytui.worker.intents.journal import stands
from tests.desk.modelled_limits import Limits
from tests.desk.modelled_log import Server
from tests.desk.modelled_seat import Seat

AUD, USD = CurrencyCode("AUD"), CurrencyCode("USD")
UP_TO, WORST = Decimal(100), Decimal("0.66")  # Of each mandate
ABOVE = {AUD: Decimal(25), USD: Decimal(2_000)}
_UNSENT = (Standing.NOT_EXECUTED, Standing.RECORDED, Standing.PROPOSED)


class Broken(AssertionError):
    """A story in which something happened that must not."""


class Truth:
    """What happened, by intent.

    Attributes:
        arrived, allowed: the number of times at the service, and that a person said so.
        decided, undone: the seats that were told its end, and that it cannot arrive.
        makers: the seats that confirmed it.
        approved: the traders who approved its very bytes, and until when that holds.
        left: the intents that departed.
        given_back: departures that may use nothing of a mandate any more.
        traders: the traders of the seats.
    """

    def __init__(self, traders: dict[str, str]) -> None:
        self.traders = traders
        self.arrived: Counter[IntentId] = Counter()
        self.allowed: Counter[IntentId] = Counter()
        self.decided: dict[IntentId, set[str]] = defaultdict(set)
        self.undone: dict[IntentId, set[str]] = defaultdict(set)
        self.intents: dict[IntentId, Entry] = {}
        self.makers: dict[IntentId, str] = {}
        self.approved: dict[IntentId, dict[str, float]] = defaultdict(dict)
        self.left: set[IntentId] = set()
        self.given_back: set[IntentId] = set()

    def arrives(self, intent: IntentId) -> None:
        self.arrived[intent] += 1
        if self.undone[intent]:
            raise Broken(
                f"{intent} arrives although {self.undone[intent]} were told that it cannot"
            )

    def hear(self, seat: Seat) -> None:
        """Note what a person at a seat is shown of decisions."""
        for row in seat.store.intents.rows():
            if row.standing in (Standing.DONE, Standing.NOT_DONE):
                self.decided[row.intent_id].add(seat.name)
            if row.standing is Standing.NOT_DONE:
                self.undone[row.intent_id].add(seat.name)

    def check(self) -> None:
        """Nothing arrives more often than a person said so, or exceeds its mandate."""
        for intent, times in self.arrived.items():
            if times > self.allowed[intent]:
                raise Broken(f"{intent} arrived {times} times")
        used = Counter[IntentId | None]()
        for terms in (self.intents[each].terms for each in self.left - self.given_back):
            used[terms.mandate_id] += int(terms.amount or 0)
        for mandate, amount in used.items():
            if mandate is not None and amount > UP_TO:
                raise Broken(f"{amount} left within {mandate}")

    def check_departure(self, seat: Seat, intent: IntentId, server: Server) -> None:
        """What is above the limit leaves by enough approvals that hold, of its maker's colleagues.

        A trade leaves within what those of its mandate say, if nobody was told that it has ended.
        """
        entry = self.intents[intent]
        terms, is_first = entry.terms, intent not in self.left
        self.left.add(intent)
        if self.decided[intent]:
            raise Broken(f"{intent} leaves although {self.decided[intent]} were told its end")
        if entry.action is Action.MANDATE:
            raise Broken(f"{intent} is a mandate, and leaves")
        assert terms.currency is not None
        if not is_first or (terms.amount or 0) <= ABOVE[terms.currency]:
            return
        named, now = terms.mandate_id or intent, seat.time.clock.boot()
        until = self.approved[named].values()
        if not Limits(server.rows).is_enough(sum(end > now for end in until)):
            raise Broken(f"{intent} leaves, and {named} is approved until {[*until]}, now {now}")
        maker = self.makers[named]
        if self.traders[maker] != seat.trader:
            raise Broken(f"{intent} of {seat.trader} leaves within the mandate of {maker}")
        if named != intent and (terms.rate or 0) < WORST:
            raise Broken(f"{intent} leaves at {terms.rate}")
        if told := self.undone[named] - {maker}:
            raise Broken(f"{intent} leaves, and {told} were told that {named} has ended")

    def compare(self, recorded: RecordedIntent, server: Server, seats: Iterable[Seat]) -> None:
        """The log has all rows, an executed intent is not called unsent, and all see the same."""
        intent = recorded.entry.intent_id
        kinds = [RECORDED, *(event.kind for event in recorded.events)]
        logged = [row.handed_in for row in server.of(intent) if not row.is_decision]
        if [each.kind for each in logged] != kinds:
            raise Broken(f"{intent} has {len(kinds)} rows, and the log {len(logged)}")
        stood = stands(recorded)
        if self.arrived[intent] and stood in _UNSENT:
            raise Broken(f"{intent} arrived and is {stood}")
        if self.decided.get(intent) and stood.open:
            raise Broken(f"{intent} was decided, and its outbox does not know")
        for seat in seats:
            row = seat.store.intents.get(intent)
            if row is None or row.standing is not stood:
                raise Broken(f"{seat.name} sees {intent} as {row and row.standing}, not {stood}")
