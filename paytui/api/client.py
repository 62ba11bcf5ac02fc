"""The client of the service. Every method raises `ApiError` (see `errors.py`) and nothing else."""

from __future__ import annotations

import random
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar
from uuid import UUID

from paytui.api.dialect import Dialect, Paging
from paytui.api.errors import ApiError, NoSuchRead, NotFound, NotOffered, NotSeen, NotSent, Refused
from paytui.api.http.request_sender import Sender, SignIn
from paytui.api.http.response import decoding, not_in_part
from paytui.api.http.tls import TlsPolicy
from paytui.api.http.token import Auth, TokenCell, TokenHealth
from paytui.api.http.transport import DIRECT, Http, Timeouts, Transport
from paytui.api.paging import (
    CachedPage,
    Fetch,
    IdSet,
    ListCache,
    Page,
    PagingHistory,
    first_query,
    read_pages,
)
from paytui.api.raw_reads import RawReader
from paytui.api.resources import READS, TRACKED, Operation, identifier_of
from paytui.api.wire.codec import Wire, create_operation, missing_services, operation_of
from paytui.api.wire.decode import Reader
from paytui.api.wire.envelope import ListPart
from paytui.domain import models
from paytui.domain.requests import RateSheetRequest
from paytui.platform.clock import Clock, ServiceTime, utc
from paytui.platform.processes import RunInThread, run_in_daemon_thread
from paytui.platform.secret import Secret

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Credentials:
    """The client id and the source of the secret, which may be slow."""

    client_id: str
    secret: Callable[[], Secret] = field(repr=False)


class Client:
    """A client of one service in its dialect.

    Args:
        base_url: the service's URL, without the dialect's prefix.
        service_time: learns the service's clock from every response.
        rng: for jitter and the keys of rate sheets.
        cell: the place of the token; by default this client's memory.
        transport: replaces the network.
        patient: see `Auth`.
        in_thread: runs what takes long beside the loop.

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
        in_thread: RunInThread = run_in_daemon_thread,
    ) -> None:
        self._http = Http(base_url, service_time, transport, timeouts or Timeouts(), tls_policy)
        self._wire = Wire(dialect)
        self._dialect = dialect
        self._clock = service_time.clock
        self._rng = rng
        self._in_thread = in_thread
        self._auth = Auth(
            post_auth=SignIn(credentials.client_id, self._http, self._wire, dialect),
            secret=partial(in_thread, credentials.secret),
            service_time=service_time,
            rng=rng,
            lifetime=dialect.token_lifetime,
            cell=cell or TokenCell(),
            patient=patient,
        )
        self.sender = Sender(self._http, self._auth, dialect, self._wire)
        self.raw = RawReader(self.sender.call, self._wire, dialect, self._clock)
        self.metrics = self._http.metrics
        self.sheet_lifetime = dialect.rate_sheet_lifetime
        self.stay_connected = self._http.stay_connected
        self.try_again = self._auth.try_again
        self._history = PagingHistory()
        self._page_zero = PageZeroCheck(dialect.paging, service_time.clock)

    async def aclose(self) -> None:
        await self._auth.aclose()
        await self._http.aclose()

    # Signing in (service.md §5)

    async def sign_in(self) -> bool:
        """Check the credentials in the cheapest way: obtain a token.

        Return True if the service was asked; False if another process shares its token.
        """
        async with self._auth.lease(post=False, urgent=False):
            return not self._auth.inherited

    @property
    def host_news(self) -> str:
        """Return the changes of the host since it was last used; "" = none."""
        verifier = self._http.tls_policy.verifier
        return verifier.news if verifier else ""

    @property
    def token_health(self) -> TokenHealth:
        health = self._auth.health
        missing = missing_services(health.services, self._dialect)
        return replace(health, missing_services=missing)

    # Lists

    def pages(
        self, kind: models.Kind, parent: str | None = None, cache: ListCache | None = None
    ) -> AsyncGenerator[Page[models.Record], None]:
        """Read a kind's list page by page, for a kind with `READS[kind].parent` that of a parent.

        `cache` is the cache of the same list, or of its changes since a time.
        """
        read, cache = READS[kind], cache or ListCache()
        since = None if cache.since is None else utc(cache.since)
        given = {read.parameter: parent, "updated_since": since}
        return self._pages(read.operation, read.record, given, cache)

    def tells_changes(self, kind: models.Kind) -> bool:
        """Return True if a kind's list can be limited to changes, by the dialect."""
        return READS[kind].operation in self._dialect.tell_changes

    @property
    def lists_newest_first(self) -> bool | None:
        """Return True if lists begin with the newest object; None if the dialect does not say."""
        order = self._dialect.paging.order
        return None if not order else order == "newest_first"

    # Single objects

    async def get(
        self, kind: models.Kind, identifier: str, cache: ListCache | None = None
    ) -> models.Record:
        """Read one object of a kind of `resources.TRACKED`.

        Afterwards the age of a `cache`, which nothing else may use, is that of the object.
        """
        if kind is models.Kind.RECIPIENTS:
            return await self._recipient_or_its_addresses(models.RecipientId(identifier), cache)
        read, given = READS[kind], {READS[kind].identifier: identifier}
        if not read.is_filtered or self._dialect.paths[read.get]:
            return await self._get(read.get, read.record, cache, **given)
        listing = await self._list(read.operation, read.record, cache, **given)
        for record in listing.records:
            if identifier_of(record) == identifier:
                return record
        attempted = Operation(read.get, given).attempted
        if not listing.is_sure:
            raise not_in_part(attempted, listing.cut or listing.remark)
        raise NotFound(
            models.Problem(attempted, "it is not in the list", remedy="Check the identifier.")
        )

    async def _recipient_or_its_addresses(
        self, recipient_id: models.RecipientId, cache: ListCache | None
    ) -> models.Recipient:
        """Read a recipient; only its addresses if nothing else can be read (service.md §4)."""
        try:
            return await self._get(
                "get_recipient", models.Recipient, cache, recipient_id=recipient_id
            )
        except (NotFound, NotOffered) as error:
            try:
                addresses = await self._list(
                    "list_payment_addresses",
                    models.PaymentAddress,
                    cache,
                    recipient_id=recipient_id,
                )
            except (NotFound, NotOffered) as other:
                says_more = isinstance(other, NotFound) and not isinstance(other, NoSuchRead)
                raise (other if says_more else error) from None
            return models.Recipient(recipient_id, payment_addresses=addresses.records)

    # Rate sheets

    async def create_rate_sheet(self, request: RateSheetRequest) -> models.RateSheet:
        """Lock rates, under a new key each time: no intent is behind it (service.md)."""
        operation = self._locking(request)
        answer = await self.sender.call(operation)
        with decoding(answer, operation.attempted, self._dialect):
            sent = answer.sent - answer.age
            return self._wire.rate_sheet(answer.body, sent, request.currency_pairs)

    async def sample_rate_sheet(self, request: RateSheetRequest) -> ListPart:
        """Lock rates, which is harmless, but do not decode them."""
        return await self.raw.single(self._locking(request))

    def _locking(self, request: RateSheetRequest) -> Operation:
        key = models.IdempotencyKey(str(UUID(int=self._rng.getrandbits(128), version=4)))
        return create_operation("create_rate_sheet", request, key, self._wire)

    # Reads of any kind

    async def _list(
        self, name: str, cls: type[T], cache: ListCache | None = None, /, **given: str | None
    ) -> Page[T]:
        """Return the last page of a list, with all records that do not contradict `given`.

        A service may ignore its parameters.
        """
        wanted = {field: value for field, value in given.items() if value}.items()
        records: list[T] = []
        async for page in self._pages(name, cls, given, cache or ListCache()):
            records += (
                record
                for record in page.records
                if all(getattr(record, field, None) in (None, value) for field, value in wanted)
            )
        return replace(page, records=tuple(records))

    def _pages(
        self, name: str, cls: type[T], given: Mapping[str, str | None], cache: ListCache
    ) -> AsyncGenerator[Page[T], None]:
        operation = operation_of(self._dialect, name, given)

        async def fetch(paging: dict[str, str]) -> ListPart | CachedPage:
            etag = cache.etag(paging)
            answer = await self.sender.call(replace(operation, paging=paging, etag=etag))
            cache.note_age(answer)
            if (cached := cache.same(paging, answer)) is not None:
                return cached
            with decoding(answer, operation.attempted, self._dialect):
                return await self._wire.listed_in_thread(answer, self._in_thread)

        reader = self._wire.readers.of(cls)
        paging = self._dialect.paging.of(name)
        pages = read_pages(
            fetch,
            reader,
            paging,
            self._clock,
            cache,
            history=self._history,
            waited=self.sender.waited,
        )
        if cache.since is not None or paging.style == "none":
            return pages
        return self._page_zero.with_check(name, pages, fetch, reader)

    async def _get(
        self, name: str, cls: type[T], cache: ListCache | None = None, /, **identifiers: str
    ) -> T:
        operation = Operation(name, identifiers=identifiers)
        answer = await self.sender.call(operation)
        if cache is not None:
            cache.note_age(answer)
        with decoding(answer, operation.attempted, self._dialect):
            return self._wire.one(answer.body, cls)


async def identify_kind(client: Client, identifier: str) -> models.Kind | None:
    """Return the first kind of which the service has an object with an identifier, if any."""
    nothing_known = models.Recipient(models.RecipientId(identifier))
    for kind in TRACKED:
        try:
            record = await client.get(kind, identifier)
        except (Refused, NotOffered, NotSent, NotSeen):
            continue
        # A service may answer any recipient's identifier with an empty list of addresses.
        if record != nothing_known:
            return kind
    return None


AGAIN = 300.0  # Seconds between two checks of an empty list


class PageZeroCheck:
    """A check of page 0, once a run for each list of a service.

    Lists with a total need no check: missing records show in their count. An empty list is also
    requested without paging.
    """

    def __init__(self, paging: Paging, clock: Clock) -> None:
        self._paging = paging
        self._clock = clock
        self._found: dict[str, bool] = {}
        self._bare: dict[str, bool] = {}
        self._asked: dict[tuple[str, str], float] = {}

    async def with_check(
        self, operation: str, pages: AsyncGenerator[Page[T], None], fetch: Fetch, reader: Reader[T]
    ) -> AsyncGenerator[Page[T], None]:
        """Yield the pages of a list. Mark the last as cut if page 0 has other records.

        Likewise if the list is empty, but not without paging.
        """
        seen = IdSet()
        is_empty, is_told = True, False
        async with aclosing(pages):
            async for page in pages:
                is_empty &= not (page.records or page.known or page.skipped)
                is_untold = page.last and page.complete and page.total is None
                is_told |= page.total is not None
                if not is_told and self._is_to_be_asked(operation):
                    seen.add((*map(reader.identity, page.records), *page.known))
                    if is_untold:
                        await self._ask(operation, seen, fetch, reader)
                cut = ""
                if is_untold and is_empty and not self._found.get(operation):
                    await self._ask_bare(operation, fetch)
                    if self._bare.get(operation):
                        named = "&".join(map("=".join, first_query(self._paging).items()))
                        cut = f"with {named} the list is empty, without it it is not; see [paging]"
                elif page.last and not page.cut and self._found.get(operation):
                    name = self._paging.page
                    cut = f"{name}=0 brings records that {name}=1 does not; set [paging] first = 0"
                yield replace(page, complete=False, cut=cut, remark="") if cut else page

    def _is_recent(self, operation: str, way: str) -> bool:
        asked = self._asked.get((operation, way))
        return asked is not None and self._clock.boot() - asked < AGAIN

    def _is_to_be_asked(self, operation: str) -> bool:
        if self._paging.style != "page" or self._paging.first != 1 or not self._paging.page:
            return False
        return operation not in self._found and not self._is_recent(operation, "page 0")

    async def _ask(self, operation: str, seen: IdSet, fetch: Fetch, reader: Reader[T]) -> None:
        self._asked[operation, "page 0"] = self._clock.boot()
        try:
            part = await fetch(first_query(replace(self._paging, first=0)))
        except ApiError:
            self._found[operation] = False
            return
        held = [] if isinstance(part, CachedPage) else reader.identities(part.items)
        # If page 0 is another name of page 1, its few new records were created since.
        if seen or held:
            self._found[operation] = 2 * sum(seen.add(held)) > len(held)

    async def _ask_bare(self, operation: str, fetch: Fetch) -> None:
        if not first_query(self._paging) or self._is_recent(operation, "no page"):
            return
        self._asked[operation, "no page"] = self._clock.boot()
        try:
            part = await fetch({})
        except ApiError:
            return
        self._bare[operation] = bool(part.ids if isinstance(part, CachedPage) else part.items)
