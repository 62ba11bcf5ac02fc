"""A desk that creates accounts, wallets, addresses and recipients."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from datetime import date
from itertools import count

from paytui.domain.intent import Action, Intent
from paytui.domain.mandate import Mandate
from paytui.domain.models import Identification, Kind, PhysicalAddress, RecipientId
from paytui.domain.money import CurrencyCode
from paytui.domain.requests import (
    CorporateAccountRequest,
    IndividualAccountRequest,
    PayInAddressRequest,
    PaymentAddressRequest,
    RecipientRequest,
    Request,
    WalletRequest,
)
from tests.worker.dealing import Dealing

AUD = CurrencyCode("AUD")
PERSON = IndividualAccountRequest(
    first_name="Zoraida",
    last_name="Quellmark",
    email="zoraida@quellmark.example",
    phone="0491570156",
    birth_date=date(1987, 6, 5),
    physical_address=PhysicalAddress(city="Quellburg", country="AU"),
    primary_identification=Identification(identity_number="QX-99-ZORA"),
    terms_and_conditions_accepted=True,
)
"""Nothing of this may be kept once the account is there."""

FAULTS: Mapping[Action, str] = {Action.CREATE_PAYMENT_ADDRESS: "create_payment_address"}
"""Operations that the sandbox calls otherwise than our dialect."""

EVERYTHING = tuple(action.value for action in Action if not action.moves_money)


class Creating(Dealing):
    """Confirms creations; each is told from the others by a number."""

    def creation(self, action: str) -> Intent:
        """Return the intent of a trader: one of `EVERYTHING`."""
        made: Mapping[str, Callable[[], Request]] = {
            Action.CREATE_INDIVIDUAL_ACCOUNT: self._individual,
            Action.CREATE_CORPORATE_ACCOUNT: self._company,
            Action.CREATE_WALLET: self._wallet,
            Action.CREATE_PAYIN_ADDRESS: self._payin_address,
            Action.CREATE_RECIPIENT: self._recipient,
            Action.CREATE_PAYMENT_ADDRESS: self._payment_address,
        }
        return self.confirmed(made[action]())

    def confirmed(self, request: Request | Mandate) -> Intent:
        """A person confirms it now."""
        now = self.service_time.latest()
        return self.maker.make(request, title="Something new", confirmed_at=now)

    async def spoil(self, action: str, kind: str, times: int = 1) -> None:
        """Have the next calls of what an action needs go wrong."""
        await self.fault(FAULTS.get(Action(action), action), kind, times)

    async def there(self, intent: Intent) -> list[str]:
        """Identifiers of all objects of its kind at the service, past the store."""
        kind, terms = intent.action.becomes, intent.terms
        parent = {
            Kind.PAYIN_ADDRESSES: terms.destination_wallet_id,
            Kind.PAYMENT_ADDRESSES: terms.recipient_id,
        }.get(kind)
        pages = self.client.pages(kind, parent)
        return [next(iter(asdict(row).values())) async for page in pages for row in page.records]

    # What is asked for

    _numbers = count(1)

    def _individual(self) -> Request:
        return replace(PERSON, email=f"zoraida{next(self._numbers)}@quellmark.example")

    def _company(self) -> Request:
        return CorporateAccountRequest(
            company_name=f"Quellmark {next(self._numbers)} Pty Ltd",
            registration_number="QX-99-ZORA",
            email="zoraida@quellmark.example",
            terms_and_conditions_accepted=True,
        )

    def _wallet(self) -> Request:
        account = self.store.accounts.rows()[0]
        return WalletRequest(
            account_id=account.account_id,
            currency=AUD,
            wallet_name=f"AUD desk {next(self._numbers)}",
        )

    def _payin_address(self) -> Request:
        taken = {
            (row.wallet_id, row.pay_in_address_type) for row in self.store.payin_addresses.rows()
        }
        wallet = next(
            row for row in self.store.wallets.rows() if (row.wallet_id, "local") not in taken
        )
        return PayInAddressRequest(wallet_id=wallet.wallet_id, pay_in_address_type="local")

    def _recipient(self) -> Request:
        account = self.store.accounts.rows()[0]
        return RecipientRequest(
            account_id=account.account_id,
            recipient_type="business",
            company_name=f"Bolt {next(self._numbers)} GmbH",
            payment_addresses=(self._bank_account(),),
        )

    def _payment_address(self) -> Request:
        address = self._bank_account()
        return PaymentAddressRequest(
            recipient_id=self._payee(),
            account_type=address.account_type,
            currency=address.currency,
            account_number=address.account_number,
        )

    def _bank_account(self) -> PaymentAddressRequest:
        return PaymentAddressRequest(
            account_type="cacc", currency=AUD, account_number=f"{next(self._numbers):08}"
        )

    def _payee(self) -> RecipientId:
        return self.store.recipients.rows()[0].recipient_id
