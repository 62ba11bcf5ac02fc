"""Operations that create something: a request becomes the body that goes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from paytui.api.caller import Operation
from paytui.api.errors import NotSent
from paytui.api.wire import Wire
from paytui.api.writing import BadRequest
from paytui.domain import models, requests
from paytui.domain.models import IdempotencyKey, Problem, Record
from paytui.domain.requests import Request, in_path


@dataclass(frozen=True, slots=True)
class Creates:
    """What an operation takes, and what it makes of that."""

    request: type[Request]
    record: type[Record]


CREATES: Mapping[str, Creates] = {
    "create_individual_account": Creates(requests.IndividualAccountRequest, models.Account),
    "create_corporate_account": Creates(requests.CorporateAccountRequest, models.Account),
    "create_wallet": Creates(requests.WalletRequest, models.Wallet),
    "create_payin_address": Creates(requests.PayInAddressRequest, models.PayInAddress),
    "book_trade": Creates(requests.TradeRequest, models.Trade),
    "create_recipient": Creates(requests.RecipientRequest, models.Recipient),
    "add_payment_address": Creates(requests.PaymentAddressRequest, models.PaymentAddress),
    "create_transfer": Creates(requests.TransferRequest, models.Payment),
    "create_payout": Creates(requests.PayoutRequest, models.Payment),
}
"""By the name of the operation in the dialect's `[paths]`."""


def creation(name: str, request: object, key: IdempotencyKey, wire: Wire) -> Operation:
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
