"""The path of states of each kind of object (contract.md, "States"), in canonical names."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from paytui.domain.models import State


@dataclass(frozen=True, slots=True)
class Journey:
    """The states that an object goes through when all is well, and where else it may end.

    Attributes:
        path: in order.
        skipped: those of the path that an object may never have been in although it is past them.
        ends: where an object may go instead, from wherever it is.
        after: what may follow a certain state of the path beside that.
    """

    path: tuple[str, ...]
    skipped: frozenset[str] = frozenset()
    ends: tuple[str, ...] = ()
    after: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def states(self) -> frozenset[str]:
        """All states that there are."""
        branches = (state for states in self.after.values() for state in states)
        return frozenset((*self.path, *self.ends, *branches))

    def within(self, known: Collection[str]) -> Journey:
        """The same without the states that a service has no word for; nothing known leaves all."""
        if not known:
            return self
        return replace(
            self,
            path=tuple(name for name in self.path if name in known),
            ends=tuple(name for name in self.ends if name in known),
            after={
                name: tuple(one for one in states if one in known)
                for name, states in self.after.items()
                if name in known
            },
        )

    def passed(self, state: str) -> tuple[str, ...]:
        """The states that lead to this one; nobody knows that an object was in each of them."""
        if state in self.path:
            before = self.path[: self.path.index(state)]
        elif anchor := self._anchor(state):
            before = self.path[: self.path.index(anchor) + 1]
        else:  # ended, from wherever it was
            before = self.path[:1]
        return tuple(name for name in before if name not in self.skipped)

    def ahead(self, state: str) -> tuple[str, ...]:
        """The states that the path goes on with."""
        return self.path[self.path.index(state) + 1 :] if state in self.path else ()

    def aside(self, state: State) -> tuple[str, ...]:
        """The states that may come and are not ahead on the path."""
        anchor = self._anchor(state.name)
        back = () if anchor is None or state.final else (anchor,)
        ends = () if state.final or state.name in self.ends else self.ends
        return (*back, *self.after.get(state.name, ()), *ends)

    def _anchor(self, state: str) -> str | None:
        return next((name for name, states in self.after.items() if state in states), None)


# The trusted path registers an account at once, and what is created Active was never pending.
ACCOUNT = Journey(("pending_checks", "registered"), frozenset({"pending_checks"}), ("rejected",))
WALLET = Journey(
    ("pending", "active"), frozenset({"pending"}), ("closed",), {"active": ("suspended",)}
)
ADDRESSEE = Journey(("pending", "active"), frozenset({"pending"}), ("rejected",))
PAYIN = Journey(("received", "compliance_review", "credited"), ends=("rejected",))
# A trade that is funded when it is booked need not wait for funds.
TRADE = Journey(
    ("awaiting_funds", "compliance_review", "exchanged"),
    frozenset({"awaiting_funds"}),
    ("rejected", "failed"),
)
PAYMENT = Journey(
    ("created", "compliance_review", "processing", "released", "completed"),
    ends=("rejected", "cancelled", "failed"),
    after={"completed": ("returned",)},
)
