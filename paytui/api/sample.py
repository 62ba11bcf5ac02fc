"""Records as a service sends them, not yet read: for those who check a dialect against it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from paytui.api.answer import Answer
from paytui.api.caller import Caller, Operation, operation_of
from paytui.api.creation import creation
from paytui.api.dialect import Dialect
from paytui.api.envelope import Slice
from paytui.api.errors import ApiError
from paytui.api.failures import unreadable
from paytui.api.kinds import READS
from paytui.api.paging import first_query
from paytui.api.wire import Wire
from paytui.domain.exact_json import CannotReadError
from paytui.domain.models import IdempotencyKey, Kind
from paytui.domain.requests import RateSheetRequest


class Sampler:
    """Asks for single answers. Every method raises `ApiError`.

    Args:
        fresh_key: makes the key of a rate sheet.
    """

    def __init__(
        self,
        caller: Caller,
        wire: Wire,
        dialect: Dialect,
        fresh_key: Callable[[], IdempotencyKey],
    ) -> None:
        self._caller = caller
        self._wire = wire
        self._dialect = dialect
        self._fresh_key = fresh_key

    async def listed(
        self,
        kind: Kind,
        parent: str | None = None,
        asked: Mapping[str, str] | None = None,
        since: str | None = None,
    ) -> Slice:
        """One answer to a read of a kind's list: the first, unless other paging is asked for.

        With `since`, of what changed then or later.
        """
        read = READS[kind]
        given = {read.parameter: parent} if parent is not None else {}
        if since is not None:
            given["updated_since"] = since
        operation = operation_of(self._dialect, read.operation, given)
        paging = first_query(self._dialect.paging.of(read.operation)) if asked is None else asked
        answer = await self._caller.call(replace(operation, paging=paging))
        try:
            return self._wire.listed(answer)
        except CannotReadError as error:
            raise self._unreadable(answer, operation, error) from None

    async def fetched(self, kind: Kind, identifier: str) -> Slice:
        """The record of one object of a kind of `kinds.TRACKED`."""
        read = READS[kind]
        # A payment is fetched through the list (api.md §4), unless the dialect names a path.
        is_listed = read.is_filtered and not self._dialect.paths[read.get]
        name = read.operation if is_listed else read.get
        operation = operation_of(self._dialect, name, {read.identifier: identifier})
        answer = await self._caller.call(operation)
        if not is_listed:
            return self._one(answer, operation)
        try:
            return self._wire.listed(answer)
        except CannotReadError as error:
            raise self._unreadable(answer, operation, error) from None

    async def locked(self, request: RateSheetRequest) -> Slice:
        """A new rate sheet. None is there to be read; one more is no intention (contract.md)."""
        operation = creation("create_rate_sheet", request, self._fresh_key(), self._wire)
        return self._one(await self._caller.call(operation), operation)

    def _one(self, answer: Answer, operation: Operation) -> Slice:
        try:
            return Slice([self._wire.raw(answer.body)])
        except CannotReadError as error:
            raise self._unreadable(answer, operation, error) from None

    def _unreadable(self, answer: Answer, operation: Operation, error: Exception) -> ApiError:
        return unreadable(answer, operation.attempted, str(error), self._dialect)
