"""The event loop of a run, which knows the process of each task."""

from __future__ import annotations

import asyncio
import contextvars
import selectors
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import Executor
from typing import TypeAlias, TypeVar, TypeVarTuple, Unpack

from tests.support.clock import ManualClock
from tests.support.virtual import Skipping, VirtualLoop

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

Tasks: TypeAlias = "list[asyncio.Task[object]]"
Work: TypeAlias = "Coroutine[object, object, T] | Generator[object, None, T]"

OWNED: contextvars.ContextVar[Tasks | None] = contextvars.ContextVar("OWNED", default=None)
"""The tasks of the current process."""


class _Alone(Skipping):
    """Nothing comes from outside, and so nobody need ask the host for it."""

    def happened(self) -> list[tuple[selectors.SelectorKey, int]]:
        return []


class SimulationLoop(VirtualLoop):
    """Nothing runs beside it: what a seed does is the same each time."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__(clock, _Alone)

    def create_task(
        self,
        coro: Work[T],
        *,
        name: object = None,
        context: contextvars.Context | None = None,
    ) -> asyncio.Task[T]:
        task = super().create_task(coro, name=name, context=context)
        owned = OWNED.get() if context is None else context.get(OWNED)
        if owned is not None:
            owned.append(task)
        return task

    def run_in_executor(
        self,
        executor: Executor | None,  # noqa: ARG002 - the loop's interface
        func: Callable[[Unpack[Ts]], T],
        *args: *Ts,  # noqa: ARG002 - the loop's interface
    ) -> asyncio.Future[T]:
        raise AssertionError(f"{func} would run in a thread")
