"""The client of the service: one typed async method for each operation.

Every method raises `ApiError` (see `errors.py`) and nothing else. The `effect` of an error from a
`create_…` tells if the service may have executed it.
"""

from __future__ import annotations

import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar
from uuid import UUID

from paytui.api.dialect import Dialect
from paytui.api.dialect_survey import Sampler
from paytui.api.error_mapping import not_in_part, unreadable
from paytui.api.errors import ApiError, NoSuchRead, NotFound, NotOffered, NotSeen, NotSent, Refused
from paytui.api.http.executor import Executor, Operation, operation_of
from paytui.api.http.limits import RequestMetrics
from paytui.api.http.login import SignIn
from paytui.api.http.response import Answer
from paytui.api.http.tls import TlsPolicy
from paytui.api.http.token import Auth, TokenCell, TokenHealth
from paytui.api.http.transport import DIRECT, Http, Timeouts, Transport
from paytui.api.page_cache import ListCache
from paytui.api.pages import CachedPage, Listing, Page, gather, only_asked_for, read_pages
from paytui.api.raw_object import RawReader
from paytui.api.resources import READS, TRACKED
from paytui.api.sending import Sender, create_operation
from paytui.api.wire.codec import ListPart, Wire, missing_services
from paytui.api.wire.decode import write_time
from paytui.api.wire.paging_hints import PagingHistory
from paytui.api.zero_based_pages import PageZeroCheck
from paytui.domain import requests as ask
from paytui.domain.exact_json import CannotReadError
from paytui.domain.models import (
    Account,
    AccountId,
    IdempotencyKey,
    Kind,
    PayIn,
    PayInAddress,
    PayInId,
    Payment,
    PaymentAddress,
    PaymentAddressId,
    PaymentId,
    Problem,
    RateSheet,
    RateSheetId,
    Recipient,
    RecipientId,
    Record,
    Trade,
    TradeId,
    Wallet,
    WalletId,
)
from paytui.domain.money import Pair
from paytui.platform.clock import Clock, ServiceTime
from paytui.platform.secret import Secret

T = TypeVar("T")


class ClientBase:
    """The generic part of the client: operations by name, and decoded responses.

    Args:
        executor: sends the operations.
        wire: encodes and decodes objects.
        dialect: the service's spelling.
        clock: bounds the time of a list's read.
        rng: for idempotency keys.
    """

    def __init__(
        self, executor: Executor, wire: Wire, dialect: Dialect, clock: Clock, rng: random.Random
    ) -> None:
        self._executor = executor
        self._wire = wire
        self._dialect = dialect
        self._clock = clock
        self._rng = rng
        self._history = PagingHistory()
        self._page_zero = PageZeroCheck(dialect.paging, clock)

    async def _list(
        self, name: str, cls: type[T], cache: ListCache | None = None, /, **given: str | None
    ) -> Listing[T]:
        pages = self._pages(name, cls, given, cache or ListCache())
        listing = gather([page async for page in pages])
        return only_asked_for(listing, given)

    def _pages(
        self, name: str, cls: type[T], given: Mapping[str, str | None], cache: ListCache
    ) -> AsyncGenerator[Page[T], None]:
        operation = operation_of(self._dialect, name, given)

        async def fetch(paging: dict[str, str]) -> ListPart | CachedPage:
            etag = cache.etag(paging)
            answer = await self._executor.call(replace(operation, paging=paging, etag=etag))
            cache.note_age(answer)
            if (cached := cache.same(paging, answer)) is not None:
                return cached
            try:
                return await self._wire.listed_in_turns(answer)
            except CannotReadError as error:
                raise self._unreadable(answer, operation, error) from None

        reader = self._wire.reader(cls)
        paging = self._dialect.paging.of(name)
        pages = read_pages(
            fetch,
            reader,
            paging,
            self._clock,
            cache,
            history=self._history,
            waited=self._executor.waited,
        )
        if cache.since is not None or paging.style == "none":
            return pages
        return self._page_zero.with_check(name, pages, fetch, reader)

    async def _get(
        self, name: str, cls: type[T], cache: ListCache | None = None, /, **identifiers: str
    ) -> T:
        operation = Operation(name, identifiers=identifiers)
        answer = await self._executor.call(operation)
        if cache is not None:
            cache.note_age(answer)
        return self._object(answer, operation, cls)

    async def _sheet(self, operation: Operation, asked: Collection[Pair] | None) -> RateSheet:
        answer = await self._executor.call(operation)
        return self._read(
            answer,
            operation,
            lambda: self._wire.rate_sheet(answer.body, answer.sent - answer.age, asked),
        )

    async def _create(self, name: str, cls: type[T], request: object, key: IdempotencyKey) -> T:
        operation = replace(create_operation(name, request, key, self._wire), urgent=True)
        return self._object(await self._executor.call(operation), operation, cls)

    def _fresh_key(self) -> IdempotencyKey:
        return IdempotencyKey(str(UUID(int=self._rng.getrandbits(128), version=4)))

    def _object(self, answer: Answer, operation: Operation, cls: type[T]) -> T:
        return self._read(answer, operation, lambda: self._wire.one(answer.body, cls))

    def _read(self, answer: Answer, operation: Operation, read: Callable[[], T]) -> T:
        try:
            return read()
        except CannotReadError as error:
            raise self._unreadable(answer, operation, error) from None

    def _unreadable(self, answer: Answer, operation: Operation, why: CannotReadError) -> ApiError:
        return unreadable(answer, operation.attempted, str(why), self._dialect)


async def _at_once(read: Callable[[], Secret]) -> Secret:
    return read()


@dataclass(frozen=True, slots=True)
class Credentials:
    """The client id and the source of the secret, which is read when it is needed.

    Attributes:
        secret: reads the secret. Raises SecretError.
        ask: calls `secret`, outside the event loop if that is slow.
    """

    client_id: str
    secret: Callable[[], Secret] = field(repr=False)
    ask: Callable[[Callable[[], Secret]], Awaitable[Secret]] = field(default=_at_once, repr=False)


class Client(ClientBase):
    """A client of one service in its dialect.

    Args:
        base_url: the service's URL, without the dialect's prefix.
        credentials: the API account.
        dialect: the service's spelling.
        service_time: learns the service's clock from every response.
        rng: for jitter and for the keys of rate sheets.
        cell: the place of the token; by default this client's memory.
        transport: replaces the network.
        timeouts: the limits of each request.
        tls_policy: the TLS settings.
        patient: see `Auth`.

    Raises:
        ValueError: the base URL is not allowed; the message says why.
        OSError, KeyIsLocked: a file of the TLS policy cannot be used.
    """

    def __init__(
        self,
        base_url: str,
        credentials: Credentials,
        dialect: Dialect,
        service_time: ServiceTime,
        rng: random.Random,
        *,
        cell: TokenCell | None = None,
        transport: Transport | None = None,
        timeouts: Timeouts | None = None,
        tls_policy: TlsPolicy = DIRECT,
        patient: bool = True,
    ) -> None:
        self._http = Http(base_url, service_time, transport, timeouts or Timeouts(), tls_policy)
        wire = Wire(dialect)
        self._auth = Auth(
            post_auth=SignIn(credentials.client_id, self._http, wire, dialect),
            secret=lambda: credentials.ask(credentials.secret),
            service_time=service_time,
            rng=rng,
            lifetime=dialect.token_lifetime,
            cell=cell or TokenCell(),
            patient=patient,
        )
        executor = Executor(self._http, self._auth, dialect)
        super().__init__(executor, wire, dialect, service_time.clock, rng)

    async def aclose(self) -> None:
        """Close all connections."""
        await self._auth.aclose()
        await self._http.aclose()

    # Signing in (service.md §5)

    async def sign_in(self) -> bool:
        """Obtain a token: the cheapest check of the credentials.

        Returns:
            True if the service was asked; False if another process shares its token.
        """
        async with self._auth.lease(post=False, urgent=False):
            return not self._auth.inherited

    def try_again(self) -> None:
        """Request a token again after a refusal: the user says that the secret is right now."""
        self._auth.try_again()

    @property
    def host_news(self) -> str:
        """Return the changes of the host since it was last used; "" = none."""
        return self._http.tls_policy.verifier.news

    @property
    def token_health(self) -> TokenHealth:
        """Return the health of the token."""
        auth = self._auth
        return TokenHealth(
            auth.remaining,
            auth.contested,
            auth.stopped,
            auth.services,
            auth.unshared,
            missing_services(auth.services, self._dialect),
        )

    @property
    def metrics(self) -> RequestMetrics:
        """Return the request metrics."""
        return self._http.metrics

    @property
    def samples(self) -> Sampler:
        """Return a reader of unparsed responses."""
        return Sampler(self._executor, self._wire, self._dialect, self._fresh_key)

    @property
    def raw(self) -> RawReader:
        """Return a reader of single objects as the service sends them."""
        return RawReader(self._executor, self._wire, self._dialect, self._clock)

    @property
    def sender(self) -> Sender:
        """Return the sender of confirmed requests."""
        return Sender(self._executor, self._wire, self._dialect)

    # Lists

    def pages(
        self, kind: Kind, parent: str | None = None, cache: ListCache | None = None
    ) -> AsyncGenerator[Page[Record], None]:
        """Read a kind's list page by page.

        Args:
            kind: the kind.
            parent: the identifier of the parent, for kinds with `READS[kind].parent`.
            cache: the cache of the same list, or of its changes since a time.
        """
        read, cache = READS[kind], cache or ListCache()
        since = None if cache.since is None else write_time(cache.since)
        given = {read.parameter: parent, "updated_since": since}
        return self._pages(read.operation, read.record, given, cache)

    def tells_changes(self, kind: Kind) -> bool:
        """Return True if a kind's list can be limited to changes, by the dialect."""
        return READS[kind].operation in self._dialect.tell_changes

    @property
    def lists_newest_first(self) -> bool | None:
        """Return True if lists begin with the newest object; None if the dialect does not say."""
        order = self._dialect.paging.order
        return None if not order else order == "newest_first"

    async def list_accounts(self) -> Listing[Account]:
        """List all customer accounts."""
        return await self._list("list_accounts", Account)

    async def list_wallets(self, account_id: AccountId | None = None) -> Listing[Wallet]:
        """List all wallets, or those of one account."""
        return await self._list("list_wallets", Wallet, account_id=account_id)

    async def list_payin_addresses(self, wallet_id: WalletId) -> Listing[PayInAddress]:
        """List the pay-in addresses of a wallet."""
        return await self._list("list_payin_addresses", PayInAddress, wallet_id=wallet_id)

    async def list_payins(self, wallet_id: WalletId) -> Listing[PayIn]:
        """List the deposits into a wallet."""
        return await self._list("list_payins", PayIn, wallet_id=wallet_id)

    async def list_trades(self) -> Listing[Trade]:
        """List all trades."""
        return await self._list("list_trades", Trade)

    async def list_recipients(self, account_id: AccountId | None = None) -> Listing[Recipient]:
        """List all recipients, or those of one account."""
        return await self._list("list_recipients", Recipient, account_id=account_id)

    async def list_payment_addresses(self, recipient_id: RecipientId) -> Listing[PaymentAddress]:
        """List the payment addresses of a recipient."""
        return await self._list("list_payment_addresses", PaymentAddress, recipient_id=recipient_id)

    async def list_payments(
        self,
        *,
        account_id: AccountId | None = None,
        wallet_id: WalletId | None = None,
        status: str | None = None,
        payment_transaction_id: PaymentId | None = None,
    ) -> Listing[Payment]:
        """List all payments, or those that match; `status` is the service's own word."""
        return await self._list(
            "list_payments",
            Payment,
            account_id=account_id,
            wallet_id=wallet_id,
            status=status,
            payment_transaction_id=payment_transaction_id,
        )

    # Single objects

    async def get(self, kind: Kind, identifier: str, cache: ListCache | None = None) -> Record:
        """Read one object of a kind of `resources.TRACKED`.

        Afterwards the age of a `cache`, which nothing else may use, is that of the object.
        """
        match kind:
            case Kind.PAYMENTS:
                return await self.get_payment(PaymentId(identifier), cache)
            case Kind.RECIPIENTS:
                return await self._recipient_or_its_addresses(RecipientId(identifier), cache)
        read = READS[kind]
        return await self._get(read.get, read.record, cache, **{read.identifier: identifier})

    async def _recipient_or_its_addresses(
        self, recipient_id: RecipientId, cache: ListCache | None
    ) -> Recipient:
        """Read a recipient; only its addresses if nothing else can be read (service.md §4)."""
        try:
            return await self._get("get_recipient", Recipient, cache, recipient_id=recipient_id)
        except (NotFound, NotOffered) as error:
            try:
                addresses = await self._list(
                    "list_payment_addresses", PaymentAddress, cache, recipient_id=recipient_id
                )
            except (NotFound, NotOffered) as other:
                says_more = isinstance(other, NotFound) and not isinstance(other, NoSuchRead)
                raise (other if says_more else error) from None
            return Recipient(recipient_id, payment_addresses=addresses.records)

    async def get_account(self, account_id: AccountId) -> Account:
        return await self._get("get_account", Account, account_id=account_id)

    async def get_wallet(self, wallet_id: WalletId) -> Wallet:
        return await self._get("get_wallet", Wallet, wallet_id=wallet_id)

    async def get_payin(self, pay_in_transaction_id: PayInId) -> PayIn:
        """Read one deposit."""
        return await self._get("get_payin", PayIn, pay_in_transaction_id=pay_in_transaction_id)

    async def get_trade(self, trade_transaction_id: TradeId) -> Trade:
        return await self._get("get_trade", Trade, trade_transaction_id=trade_transaction_id)

    async def get_recipient(self, recipient_id: RecipientId) -> Recipient:
        return await self._get("get_recipient", Recipient, recipient_id=recipient_id)

    async def get_payment_address(self, payment_address_id: PaymentAddressId) -> PaymentAddress:
        return await self._get(
            "get_payment_address", PaymentAddress, payment_address_id=payment_address_id
        )

    async def get_payment(
        self, payment_transaction_id: PaymentId, cache: ListCache | None = None
    ) -> Payment:
        """Read one payment, through the list unless the dialect has a path (service.md §4)."""
        given = {"payment_transaction_id": payment_transaction_id}
        if self._dialect.paths["get_payment"]:
            return await self._get("get_payment", Payment, cache, **given)
        listing = await self._list("list_payments", Payment, cache, **given)
        for payment in listing.records:
            if payment.payment_transaction_id == payment_transaction_id:
                return payment
        attempted = f"read payment {payment_transaction_id}"
        if not listing.is_sure:
            raise not_in_part(attempted, listing.cut or listing.remark)
        raise NotFound(Problem(attempted, "it is not in the list", remedy="Check the identifier."))

    async def get_rate_sheet(self, rate_sheet_id: RateSheetId) -> RateSheet:
        """Read a rate sheet; `sent_at` is that of this read, so only `expires_at` bounds it."""
        operation = Operation("get_rate_sheet", identifiers={"rate_sheet_id": rate_sheet_id})
        return await self._sheet(operation, None)

    # Creating

    async def create_individual_account(
        self, request: ask.IndividualAccountRequest, key: IdempotencyKey
    ) -> Account:
        """Create an individual's account."""
        return await self._create("create_individual_account", Account, request, key)

    async def create_corporate_account(
        self, request: ask.CorporateAccountRequest, key: IdempotencyKey
    ) -> Account:
        """Create a company's account."""
        return await self._create("create_corporate_account", Account, request, key)

    async def create_wallet(self, request: ask.WalletRequest, key: IdempotencyKey) -> Wallet:
        """Create a wallet."""
        return await self._create("create_wallet", Wallet, request, key)

    async def create_payin_address(
        self, request: ask.PayInAddressRequest, key: IdempotencyKey
    ) -> PayInAddress:
        """Create a pay-in address."""
        return await self._create("create_payin_address", PayInAddress, request, key)

    async def create_rate_sheet(self, request: ask.RateSheetRequest) -> RateSheet:
        """Lock rates, under a new key each time: no intent is behind it (service.md)."""
        operation = create_operation("create_rate_sheet", request, self._fresh_key(), self._wire)
        return await self._sheet(operation, request.currency_pairs)

    async def book_trade(self, request: ask.TradeRequest, key: IdempotencyKey) -> Trade:
        """Book a trade."""
        return await self._create("book_trade", Trade, request, key)

    async def create_recipient(
        self, request: ask.RecipientRequest, key: IdempotencyKey
    ) -> Recipient:
        """Create a recipient with its payment addresses."""
        return await self._create("create_recipient", Recipient, request, key)

    async def add_payment_address(
        self, recipient_id: RecipientId, request: ask.PaymentAddressRequest, key: IdempotencyKey
    ) -> PaymentAddress:
        """Add a payment address to a recipient."""
        addressed = replace(request, recipient_id=recipient_id)
        return await self._create("add_payment_address", PaymentAddress, addressed, key)

    async def create_transfer(self, request: ask.TransferRequest, key: IdempotencyKey) -> Payment:
        """Move money between two wallets."""
        return await self._create("create_transfer", Payment, request, key)

    async def create_payout(self, request: ask.PayoutRequest, key: IdempotencyKey) -> Payment:
        """Pay a recipient."""
        return await self._create("create_payout", Payment, request, key)


async def identify_kind(client: Client, identifier: str) -> Kind | None:
    """Return the first kind of which the service has an object with an identifier, if any.

    Raises:
        ApiError: a read failed.
    """
    nothing_known = Recipient(RecipientId(identifier))
    for kind in TRACKED:
        try:
            record = await client.get(kind, identifier)
        except (Refused, NotOffered, NotSent, NotSeen):
            continue
        # A service may answer any recipient's identifier with an empty list of addresses.
        if record != nothing_known:
            return kind
    return None
