"""Sending of confirmed requests: prepare the exact bytes, send them, read the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from paytui.api.dialect import Dialect
from paytui.api.error_mapping import unreadable
from paytui.api.errors import ApiError, NotSent
from paytui.api.http.executor import Executor, Operation, SendHooks
from paytui.api.http.response import is_replay
from paytui.api.wire.codec import Wire
from paytui.api.wire.encode import BadRequest
from paytui.domain import models, requests
from paytui.domain.exact_json import CannotReadError
from paytui.domain.models import IdempotencyKey, Problem, Record
from paytui.domain.requests import PreparedRequest, Request, in_path


@dataclass(frozen=True, slots=True)
class CreateOperation:
    """The request that an operation takes and the object that it creates."""

    request: type[Request]
    record: type[Record]


CREATE_OPERATIONS: Mapping[str, CreateOperation] = {
    "create_individual_account": CreateOperation(requests.IndividualAccountRequest, models.Account),
    "create_corporate_account": CreateOperation(requests.CorporateAccountRequest, models.Account),
    "create_wallet": CreateOperation(requests.WalletRequest, models.Wallet),
    "create_payin_address": CreateOperation(requests.PayInAddressRequest, models.PayInAddress),
    "book_trade": CreateOperation(requests.TradeRequest, models.Trade),
    "create_recipient": CreateOperation(requests.RecipientRequest, models.Recipient),
    "add_payment_address": CreateOperation(requests.PaymentAddressRequest, models.PaymentAddress),
    "create_transfer": CreateOperation(requests.TransferRequest, models.Payment),
    "create_payout": CreateOperation(requests.PayoutRequest, models.Payment),
}
"""Operations that create something, by their name in the dialect's `[paths]`."""


def create_operation(name: str, request: object, key: IdempotencyKey, wire: Wire) -> Operation:
    """Return the operation that sends a request.

    Raises:
        NotSent: the request lacks a field that the service needs.
    """
    operation = Operation(name, identifiers=in_path(request), key=key)
    try:
        return replace(operation, body=wire.request(request))
    except BadRequest as error:
        problem = Problem(operation.attempted, "the request is not complete", said=str(error))
        raise NotSent(problem, written=False) from None


@dataclass(frozen=True, slots=True)
class SendResult:
    """The service's confirmation that it executed a request.

    Attributes:
        record: the object as the response shows it.
        replayed: True if the service marked the response as a repeat of an earlier one.
    """

    record: Record
    status: int
    replayed: bool


class Sender:
    """A sender of requests. An error of `send` concerns that one attempt alone."""

    def __init__(self, executor: Executor, wire: Wire, dialect: Dialect) -> None:
        self._executor = executor
        self._wire = wire
        self._dialect = dialect

    def prepare(
        self, operation: str, request: object, key: IdempotencyKey
    ) -> tuple[PreparedRequest, ...]:
        """Return the exact request, once for each spelling of its path.

        Raises:
            NotSent: it lacks a field that the service needs.
            NotOffered: the service has no such operation.
        """
        return self._executor.prepare(create_operation(operation, request, key, self._wire), key)

    def asked(self, operation: str, body: bytes) -> Request | None:
        """Return the request that a body was written from, without the fields in its path.

        None if the body was written in another dialect.
        """
        try:
            return self._wire.asked(body, CREATE_OPERATIONS[operation].request)
        except CannotReadError:
            return None

    async def likeliest(
        self, candidates: Sequence[PreparedRequest], operation: str
    ) -> PreparedRequest:
        """See `Executor.likeliest`."""
        return await self._executor.likeliest(operation, candidates)

    async def send(self, prepared: PreparedRequest, operation: str, hooks: SendHooks) -> SendResult:
        """Send a request, and once more if the service itself refuses the token.

        Args:
            prepared: the exact request.
            operation: its name in the dialect.
            hooks: called around the sending.

        Raises:
            ApiError: nothing was confirmed. `effect` says what the attempt may have done; the
                problem names fields by their canonical names.
        """
        creates = CREATE_OPERATIONS[operation]
        try:
            answer = await self._executor.send(operation, prepared, hooks)
        except ApiError as error:
            fields = self._wire.field_names.in_ours(error.problem.fields, creates.request)
            error.problem = replace(error.problem, fields=fields)
            raise
        try:
            record = self._wire.one(answer.body, creates.record)
        except CannotReadError as error:
            raise unreadable(answer, prepared.attempted, str(error), self._dialect) from None
        return SendResult(record, answer.status, is_replay(answer, self._dialect))
