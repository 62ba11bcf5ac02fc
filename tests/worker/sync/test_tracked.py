"""A service without lists is read one by one, from known identifiers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from starlette.applications import Starlette

from paytui.api.dialect import load_dialect
from paytui.domain.intent import Action, IntentRow, IntentTerms, Standing
from paytui.domain.models import (
    AccountId,
    Kind,
    PaymentAddress,
    PaymentAddressId,
    RecipientId,
    State,
    Wallet,
    WalletId,
)
from paytui.domain.money import CurrencyCode
from paytui.sandbox.app import create_app
from paytui.sandbox.context import SandboxOptions
from tests.support.client import SECRET
from tests.support.clock import ManualClock
from tests.support.intents import intent_row
from tests.support.respelled.app import DIALECT, OtherService
from tests.support.respelled.rows import as_respelled
from tests.support.scripted import Reply, ScriptedService
from tests.worker.conftest import Run
from tests.worker.desk import Desk

PLAIN_404 = Reply(b"Not Found", 404)
SHAPED_404 = Reply({"error": {"code": "not_found", "message": "no such wallet"}}, 404)


def wallet(number: str) -> Reply:
    return Reply({"item": {"walletId": number, "currency": "AUD"}})


def desk_on(
    replies: dict[str, Reply | list[Reply]],
    clock: ManualClock | None = None,
    **tracked: Sequence[str],
) -> Desk:
    ids = {Kind(name): identifiers for name, identifiers in tracked.items()}
    return Desk(ScriptedService(replies), clock or ManualClock(), tracked=ids)


def asked(desk: Desk, path: str) -> int:
    return desk.network.counts[f"/v2/{path}"]


def test_known_wallets_are_read_one_by_one_and_their_lists_follow(run: Run) -> None:
    payins = Reply({"items": [{"payInTransactionId": "p1", "walletId": "w1"}], "total": 1})
    desk = desk_on({"/v2/wallets/w1": wallet("w1"), "/v2/payins": payins}, wallets=["w1"])
    run(desk.worker.sync_once())
    assert desk.store.wallets.keys() == {"w1"}
    assert desk.store.payins.keys() == {"p1"}
    feed = desk.store.feed(Kind.WALLETS)
    assert (feed.offered, feed.ok, feed.total, feed.tracked) == (False, True, 1, 1)
    assert desk.store.feed(Kind.PAYINS).ok


def test_a_payment_that_a_list_in_part_no_longer_shows_stays(run: Run) -> None:
    """Each read of one brings the newest; the list itself is not offered for a while."""
    first = Reply({"items": [{"paymentTransactionId": "p1"}], "total": 1})
    newest = Reply({"items": [{"paymentTransactionId": "p2"}], "hasMore": True})
    desk = desk_on({"/v2/payments": [PLAIN_404, first, PLAIN_404, newest]}, payments=["p1"])
    run(desk.worker.sync_once())
    assert desk.store.payments.keys() == {"p1"}
    run(desk.worker.sync_once())
    assert desk.store.payments.keys() == {"p1"}
    problem = desk.store.feed(Kind.PAYMENTS).problem
    assert problem is not None
    assert "not in the part of the list" in problem.what


@pytest.mark.parametrize("nothing", [PLAIN_404, SHAPED_404], ids=["plain", "shaped"])
def test_an_identifiers_404_concerns_that_identifier_alone(run: Run, nothing: Reply) -> None:
    replies: dict[str, Reply | list[Reply]] = {
        "/v2/wallets/w1": wallet("w1"),
        "/v2/wallets/w2": nothing,
        "/v2/wallets/w3": wallet("w3"),
    }
    desk = desk_on(replies, wallets=["w2", "w1", "w3"])
    run(desk.worker.sync_once())
    run(desk.worker.sync_once())
    assert desk.store.wallets.keys() == {"w1", "w3"}
    assert [asked(desk, f"wallets/w{n}") for n in (1, 2, 3)] == [2, 2, 2]
    feed = desk.store.feed(Kind.WALLETS)
    assert feed.problem is not None
    assert "w2" in feed.problem.attempted
    assert feed.as_of is not None
    assert feed.total == 3


def test_what_was_typed_of_an_object_without_a_read_is_corrected_by_typing(run: Run) -> None:
    desk = desk_on({}, payment_addresses=[])
    first = PaymentAddress(PaymentAddressId("a1"), RecipientId("r1"), CurrencyCode("USD"))
    second = replace(first, recipient_id=RecipientId("r2"), currency=CurrencyCode("EUR"))
    for typed in (first, second):
        desk.worker.add_object(typed)
        run(desk.worker.sync_once())
        [row] = desk.store.payment_addresses.rows()
        assert row.status is not None
        assert row.status.as_created
        assert (row.recipient_id, row.currency) == (typed.recipient_id, typed.currency)


def test_what_was_read_is_not_corrected_by_typing(run: Run) -> None:
    desk = desk_on({"/v2/wallets/w1": [wallet("w1"), PLAIN_404]}, wallets=[])
    for currency in ("USD", "EUR"):
        desk.worker.add_object(Wallet(WalletId("w1"), currency=CurrencyCode(currency)))
        if currency == "USD":
            run(desk.worker.sync_once())
    assert [row.currency for row in desk.store.wallets.rows()] == ["AUD"]


def test_wallets_of_which_none_was_found_were_never_read(run: Run) -> None:
    desk = desk_on({"/v2/wallets/w1": PLAIN_404, "/v2/wallets/w2": PLAIN_404}, wallets=["w1", "w2"])
    run(desk.worker.sync_once())
    feed = desk.store.feed(Kind.WALLETS)
    assert (feed.as_of, feed.tracked, feed.unread) == (None, 2, 2)
    assert not feed.ok


def test_an_identifiers_404_switches_no_list_off(run: Run, service: Starlette) -> None:
    desk = Desk(service, ManualClock(), tracked={Kind.WALLETS: ["nobody"]})
    run(desk.worker.sync_once())
    assert desk.all_ok()
    assert desk.store.feed(Kind.WALLETS).offered


def test_one_recipients_404_leaves_the_lists_of_the_others_on(run: Run) -> None:
    address = Reply({"items": [{"paymentAddressId": "a1"}], "total": 1})
    recipients = [{"recipientId": "r1"}, {"recipientId": "r2"}, {"recipientId": "r3"}]
    desk = desk_on(
        {
            "/v2/recipients": Reply({"items": recipients, "total": 3}),
            "/v2/recipients/r1/payment-addresses": address,
            "/v2/recipients/r2/payment-addresses": [Reply({"items": []}), PLAIN_404],
            "/v2/recipients/r3/payment-addresses": address,
        }
    )
    run(desk.worker.sync_once())
    run(desk.worker.sync_once())
    assert desk.store.feed(Kind.PAYMENT_ADDRESSES).offered
    assert asked(desk, "recipients/r3/payment-addresses") == 2


def test_what_is_listed_is_not_read_one_by_one(run: Run, service: Starlette) -> None:
    desk = Desk(service, ManualClock())
    run(desk.worker.sync_once())
    known = sorted(desk.store.wallets.keys())[:2]
    other = Desk(service, ManualClock(), tracked={Kind.WALLETS: known})
    run(other.worker.sync_once())
    assert not [path for path in other.network.requests if "/wallets/" in path]


def test_a_list_that_is_tried_again_in_vain_leaves_what_is_tracked(run: Run) -> None:
    """The list is asked for before the identifiers: in between, too, they are tracked."""
    desk = desk_on({"/v2/wallets/w1": wallet("w1")}, wallets=["w1"])
    tracked: list[int] = []
    run(desk.worker.sync_once())
    desk.store.subscribe(lambda: tracked.append(desk.store.feed(Kind.WALLETS).tracked))
    run(desk.worker.sync_once())
    assert set(tracked) <= {1}
    assert desk.store.feed(Kind.WALLETS).tracked == 1


def test_an_object_that_is_gone_goes_from_the_screen(run: Run) -> None:
    desk = desk_on({"/v2/wallets/w1": [wallet("w1"), SHAPED_404]}, wallets=["w1"])
    run(desk.worker.sync_once())
    assert desk.count(Kind.WALLETS) == 1
    run(desk.worker.sync_once())
    assert desk.count(Kind.WALLETS) == 0


def test_an_object_that_cannot_be_read_now_stays_and_grows_old(run: Run) -> None:
    desk = desk_on({"/v2/wallets/w1": [wallet("w1"), Reply(b"", 503)]}, wallets=["w1"])
    run(desk.worker.sync_once())
    read_at = desk.store.feed(Kind.WALLETS).read_at
    run(desk.worker.sync_once())
    feed = desk.store.feed(Kind.WALLETS)
    assert desk.count(Kind.WALLETS) == 1
    assert feed.read_at == read_at
    assert feed.problem is not None
    assert feed.problem.what == "HTTP 503"


def test_at_work_they_are_polled_at_the_interval_of_their_kind(
    run: Run, clock: ManualClock
) -> None:
    desk = desk_on({"/v2/wallets/w1": wallet("w1")}, clock, wallets=["w1"])

    async def work() -> None:
        async with desk.at_work():
            await desk.until(lambda: asked(desk, "wallets/w1") == 1)
            took = await desk.until(lambda: asked(desk, "wallets/w1") == 11)
            assert 45 <= took <= 55

    run(work())


def test_a_refresh_reads_them_at_once(run: Run, clock: ManualClock) -> None:
    desk = desk_on(
        {"/v2/accounts/a1": Reply({"item": {"accountId": "a1"}})}, clock, accounts=["a1"]
    )

    async def work() -> None:
        async with desk.at_work():
            await desk.until(lambda: asked(desk, "accounts/a1") == 1)
            desk.inbox.refresh()
            assert await desk.until(lambda: asked(desk, "accounts/a1") == 2) < 2

    run(work())


@pytest.mark.parametrize("nothing", [PLAIN_404, SHAPED_404], ids=["plain", "shaped"])
def test_what_was_created_here_is_not_gone_by_a_read_that_never_worked(
    run: Run, nothing: Reply
) -> None:
    """A gateway may answer in the error shape for a path that it does not have."""
    desk = desk_on({"/v2/wallets/w1": nothing, "/v2/wallets/w2": nothing}, wallets=["w1", "w2"])
    desk.store.intents.put([created_wallet("w1")])
    run(desk.worker.sync_once())
    [row] = [one for one in desk.store.wallets.rows() if one.wallet_id == "w1"]
    assert row.status == State("cannot be read", known=False, as_created=True)
    assert (row.account_id, row.currency) == ("acc-2", "USD")


def test_once_the_read_has_worked_a_404_says_that_it_is_gone(run: Run) -> None:
    replies: dict[str, Reply | list[Reply]] = {
        "/v2/wallets/w1": [wallet("w1"), SHAPED_404],
    }
    desk = desk_on(replies, wallets=["w1"])
    desk.store.intents.put([created_wallet("w1")])
    run(desk.worker.sync_once())
    run(desk.worker.sync_once())
    assert desk.store.wallets.rows() == []


def test_more_than_are_asked_for_stay_as_they_were_created(run: Run) -> None:
    desk = desk_on({}, wallets=["w1", "w2"])
    desk.store.intents.put([created_wallet("w1", 1), created_wallet("w2", 2)])
    run(desk.worker.sync_once())
    desk.tracked[Kind.WALLETS] = ("w2",)
    run(desk.worker.sync_once())
    assert desk.store.wallets.keys() == {"w1", "w2"}


def created_wallet(object_id: str, number: int = 1) -> IntentRow:
    terms = IntentTerms(account_id=AccountId("acc-2"), currency=CurrencyCode("USD"))
    return intent_row(
        number,
        Standing.ACCEPTED,
        action=Action.CREATE_WALLET,
        terms=terms,
        object_id=object_id,
    )


class TestNothingButWhatIsDocumented:
    """`paytui sandbox --documented-only`: the fourteen operations of service.md §4."""

    @pytest.fixture
    def books(self, run: Run, clock: ManualClock) -> Desk:
        whole = SandboxOptions(client_secret=SECRET, scale=40, speed=0)
        desk = Desk(create_app(whole, clock), clock)
        run(desk.worker.sync_once())
        return desk

    def desk(self, clock: ManualClock, **tracked: Sequence[str]) -> Desk:
        few = SandboxOptions(client_secret=SECRET, scale=40, speed=0, documented_only=True)
        ids = {Kind(name): identifiers for name, identifiers in tracked.items()}
        return Desk(create_app(few, clock), clock, tracked=ids)

    def test_payments_are_listed_and_nothing_else_is(self, run: Run, clock: ManualClock) -> None:
        desk = self.desk(clock)
        run(desk.worker.sync_once())
        assert desk.count(Kind.PAYMENTS) == 40
        offered = {kind for kind in Kind if desk.store.feed(kind).offered}
        assert offered == {Kind.PAYMENTS, Kind.RATE_SHEETS}

    def test_a_known_wallet_that_cannot_be_read_names_the_path_that_is_wanting(
        self, run: Run, clock: ManualClock, books: Desk
    ) -> None:
        desk = self.desk(clock, wallets=[min(books.store.wallets.keys())])
        run(desk.worker.sync_once())
        feed = desk.store.feed(Kind.WALLETS)
        assert (feed.as_of, feed.problem, feed.unread) == (None, None, 1)
        assert "seems to have no such read" in feed.remark
        assert "[paths] get_wallet" in feed.remark

    def test_a_known_recipient_brings_its_payment_addresses(
        self, run: Run, clock: ManualClock, books: Desk
    ) -> None:
        known = min(books.store.recipients.keys())
        desk = self.desk(clock, recipients=[known])
        run(desk.worker.sync_once())
        assert desk.store.recipients.keys() == {known}
        expected = {
            row for row in books.store.payment_addresses.rows() if row.recipient_id == known
        }
        assert set(desk.store.payment_addresses.rows()) == expected
        assert desk.store.feed(Kind.RECIPIENTS).problem is None

    @pytest.mark.covers("get-payment-address", alone=True)
    def test_a_known_payment_address_is_read_beside_those_of_known_recipients(
        self, run: Run, clock: ManualClock, books: Desk
    ) -> None:
        addresses = books.store.payment_addresses.rows()
        one = addresses[0]
        other = next(row for row in addresses if row.recipient_id != one.recipient_id)
        assert one.recipient_id is not None
        desk = self.desk(
            clock, recipients=[one.recipient_id], payment_addresses=[other.payment_address_id]
        )
        run(desk.worker.sync_once())
        assert {one, other} <= set(desk.store.payment_addresses.rows())


def test_what_the_other_service_does_not_list_is_read_from_known_identifiers(
    run: Run, desk: Desk, service: Starlette, clock: ManualClock
) -> None:
    run(desk.worker.sync_once())
    known = sorted(desk.store.trades.keys())[:3]
    dialect = load_dialect(DIALECT)
    other = Desk(OtherService(service).app(), clock, dialect=dialect, tracked={Kind.TRADES: known})
    run(other.worker.sync_once())
    expected = {
        as_respelled(row) for row in desk.store.trades.rows() if row.trade_transaction_id in known
    }
    assert set(other.rows(Kind.TRADES)) == expected
