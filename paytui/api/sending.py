"""Sending what a person confirmed: a request becomes letters, a letter gets a receipt."""

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

# Operations that create something: a request becomes the body that goes out.


@dataclass(frozen=True, slots=True)
class CreateOperation:
    """What an operation takes, and what it makes of that."""

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
"""By the name of the operation in the dialect's `[paths]`."""


def create_operation(name: str, request: object, key: IdempotencyKey, wire: Wire) -> Operation:
    """The operation that puts a request of `requests.py` to the service.

    Raises:
        NotSent: it lacks what the service needs.
    """
    operation = Operation(name, identifiers=in_path(request), key=key)
    try:
        return replace(operation, body=wire.request(request))
    except BadRequest as error:
        problem = Problem(operation.attempted, "the request is not complete", said=str(error))
        raise NotSent(problem, written=False) from None


@dataclass(frozen=True, slots=True)
class SendResult:
    """The service's word that it did what a letter asked.

    Attributes:
        record: the object as it then stood.
        replayed: whether the service marked this as an answer that it gave before.
    """

    record: Record
    status: int
    replayed: bool


class Sender:
    """Writes letters and sends them. What `send` raises tells what became of one letter alone."""

    def __init__(self, executor: Executor, wire: Wire, dialect: Dialect) -> None:
        self._executor = executor
        self._wire = wire
        self._dialect = dialect

    def prepare(
        self, operation: str, request: object, key: IdempotencyKey
    ) -> tuple[PreparedRequest, ...]:
        """Return a request as it goes out, once for each spelling of its path.

        Raises:
            NotSent: it lacks what the service needs.
            NotOffered: the service has no such operation.
        """
        return self._executor.prepare(create_operation(operation, request, key, self._wire), key)

    def asked(self, operation: str, body: bytes) -> Request | None:
        """The request that a body was written from, but for what stands in its path.

        None where this dialect does not read it: it was written in another.
        """
        try:
            return self._wire.asked(body, CREATE_OPERATIONS[operation].request)
        except CannotReadError:
            return None

    async def likeliest(
        self, letters: Sequence[PreparedRequest], operation: str
    ) -> PreparedRequest:
        """See `Caller.likeliest`."""
        return await self._executor.likeliest(operation, letters)

    async def send(self, prepared: PreparedRequest, operation: str, hooks: SendHooks) -> SendResult:
        """Send a letter once, or twice where the service itself refuses the token at first.

        Args:
            letter: what goes out.
            operation: what it asks for, by its name in the dialect.
            passage: follows it.

        Raises:
            ApiError: there is no receipt; `effect` says what this letter may have done, and its
                problem names fields as we do.
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
