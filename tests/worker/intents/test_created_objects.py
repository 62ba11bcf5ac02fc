"""Objects are created once; their fate is found by the request."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from socket import AF_UNIX, SOCK_DGRAM, socket

import pytest
from starlette.applications import Starlette

from paytui.domain.intent import Action, Intent, IntentRow, Standing, Verdict
from paytui.domain.mandate import Mandate
from paytui.domain.models import IdempotencyKey, Kind, PaymentAddressId
from paytui.domain.requests import (
    IndividualAccountRequest,
    PaymentAddressRequest,
    RecipientRequest,
    Request,
    WalletRequest,
)
from paytui.outbox.syslog import Syslog
from paytui.sandbox.app import create_app
from paytui.sandbox.context import SandboxOptions
from tests.support.client import SECRET
from tests.support.clock import ManualClock
from tests.worker.conftest import Run
from tests.worker.creating import EVERYTHING, PERSON, Creating
from tests.worker.desk import INTERVALS


@pytest.fixture
def desk(service: Starlette, clock: ManualClock, path: Path) -> Creating:
    return Creating(service, clock, path)


@pytest.mark.slow
@pytest.mark.parametrize("what", EVERYTHING)
def test_it_is_made_once_and_shown_at_once(desk: Creating, run: Run, what: str) -> None:
    async def scenario() -> None:
        async with desk.open():
            intent = desk.creation(what)
            before = await desk.there(intent)
            desk.submit(intent)
            row = await desk.stands(intent, Standing.ACCEPTED, within=5)
            [made] = set(await desk.there(intent)) - set(before)
            assert row.object_id == made
            assert desk.store.table(intent.action.becomes).get(made) is not None
            assert not row.alerts
            kind = intent.action.becomes
            await desk.wait(INTERVALS[kind] + 10)  # it has been read again since
            assert desk.store.table(intent.action.becomes).get(made) is not None

    run(scenario())


async def is_made_once(desk: Creating, what: str, fault: str, *, attempts: int) -> None:
    """Assert that it is created once, whatever fails at the first attempt."""
    async with desk.open():
        intent = desk.creation(what)
        before = await desk.there(intent)
        await desk.spoil(what, fault)
        desk.submit(intent)
        row = await desk.stands(intent, Standing.ACCEPTED, within=60)
        [made] = set(await desk.there(intent)) - set(before)
        assert (row.object_id, row.attempts) == (made, attempts)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "fault"),
    [
        *((what, "commit-then-cut") for what in EVERYTHING),
        ("create_wallet", "commit-then-500"),
        ("create_wallet", "malformed"),
    ],
)
def test_what_was_made_is_found_by_what_was_asked_for(
    desk: Creating, run: Run, what: str, fault: str
) -> None:
    run(is_made_once(desk, what, fault, attempts=1))


@pytest.mark.slow
@pytest.mark.parametrize("what", EVERYTHING)
def test_what_was_not_made_stays_in_doubt(desk: Creating, run: Run, what: str) -> None:
    async def scenario() -> None:
        async with desk.open():
            intent = desk.creation(what)
            before = await desk.there(intent)
            await desk.spoil(what, "cut")
            desk.submit(intent)
            await desk.stands(intent, Standing.IN_DOUBT)
            await desk.wait(700)
            row = shown(desk, intent)
            assert (row.standing, row.attempts, row.candidates) == (Standing.IN_DOUBT, 1, ())
            assert await desk.there(intent) == before

    run(scenario())


@pytest.mark.parametrize("what", ["create_individual_account", "add_payment_address"])
def test_a_service_that_answers_keys_is_asked_again_with_the_same_one(
    service: Starlette, clock: ManualClock, path: Path, run: Run, what: str
) -> None:
    desk = Creating(service, clock, path, replay_safe=True)
    run(is_made_once(desk, what, "cut", attempts=2))


@pytest.mark.parametrize("what", EVERYTHING)
def test_a_refusal_tells_which_field_is_at_fault_in_our_words(
    desk: Creating, run: Run, what: str
) -> None:
    wrong = {
        Action.CREATE_INDIVIDUAL_ACCOUNT: ("first_name", ""),
        Action.CREATE_CORPORATE_ACCOUNT: ("company_name", ""),
        Action.CREATE_WALLET: ("currency", "XQX"),
        Action.CREATE_PAYIN_ADDRESS: ("pay_in_address_type", "pigeon"),
        Action.CREATE_RECIPIENT: ("recipient_type", "ghost"),
        Action.CREATE_PAYMENT_ADDRESS: ("account_type", "shoe"),
    }

    async def scenario() -> None:
        async with desk.open():
            name, value = wrong[Action(what)]
            asked = replace(desk.creation(what).request, **{name: value})  # type: ignore[arg-type]
            intent = desk.confirmed(asked)
            before = await desk.there(intent)
            desk.submit(intent)
            row = await desk.stands(intent, Standing.REFUSED)
            assert row.problem is not None
            assert row.problem.fields[0].field == name
            assert await desk.there(intent) == before

    run(scenario())


def test_a_field_of_a_part_is_told_by_its_place_in_the_request(desk: Creating, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            asked = desk.creation("create_recipient").request
            assert isinstance(asked, RecipientRequest)
            [good] = asked.payment_addresses
            bad = replace(good, account_type="shoe")
            intent = desk.confirmed(replace(asked, payment_addresses=(good, bad)))
            desk.submit(intent)
            row = await desk.stands(intent, Standing.REFUSED)
            assert row.problem is not None
            paths = [one.field for one in row.problem.fields]
            assert paths == ["payment_addresses.1.account_type"]

    run(scenario())


def test_two_of_the_same_that_are_in_doubt_are_for_a_person(desk: Creating, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            first = desk.creation("create_wallet")
            second = desk.confirmed(first.request)
            before = await desk.there(first)
            await desk.spoil("create_wallet", "cut")
            desk.submit(first)
            await desk.stands(first, Standing.IN_DOUBT)
            await desk.spoil("create_wallet", "commit-then-cut")
            desk.submit(second)
            await desk.stands(second, Standing.IN_DOUBT)
            await desk.wait(120)
            [made] = set(await desk.there(first)) - set(before)
            for intent in (first, second):
                row = shown(desk, intent)
                assert (row.standing, row.candidates) == (Standing.IN_DOUBT, (made,))
            desk.decide(second, Verdict.DONE, made)
            await desk.stands(second, Standing.DONE)
            await desk.wait(10)
            assert shown(desk, first).candidates == ()  # it is another's by now

    run(scenario())


def test_what_was_there_before_is_not_what_a_creation_became(desk: Creating, run: Run) -> None:
    """Of an address no service tells when it was made."""

    async def scenario() -> None:
        async with desk.open():
            request = desk.creation("add_payment_address").request
            made = await made_by_hand(desk, request)
            await desk.until(lambda: desk.store.payment_addresses.get(made) is not None)
            again = desk.confirmed(request)
            await desk.spoil("add_payment_address", "cut")
            desk.submit(again)
            await desk.stands(again, Standing.IN_DOUBT)
            await desk.wait(60)
            assert shown(desk, again).candidates == ()

    run(scenario())


def test_an_account_opened_elsewhere_seconds_before_is_not_what_a_creation_became(
    desk: Creating, run: Run
) -> None:
    async def scenario() -> None:
        await desk.worker.sync_once()
        request = desk.creation("create_individual_account").request
        assert isinstance(request, IndividualAccountRequest)
        async with desk.at_work():
            made = await desk.client.create_individual_account(
                request, IdempotencyKey("3f1d6a52-9d0e-4c0b-8a55-0c1f5d1f7a10")
            )
            await desk.wait(6)
            assert desk.store.accounts.get(made.account_id) is not None
            again = desk.confirmed(request)
            await desk.spoil("create_individual_account", "cut")
            desk.submit(again)
            await desk.stands(again, Standing.IN_DOUBT)
            await desk.wait(60)
            row = shown(desk, again)
            assert (row.standing, row.candidates) == (Standing.IN_DOUBT, ())

    run(scenario())


def test_where_it_is_not_known_what_was_there_a_person_judges(desk: Creating, run: Run) -> None:
    async def scenario() -> None:
        await desk.worker.sync_once()
        intent = desk.creation("add_payment_address")
        await desk.spoil("add_payment_address", "commit-then-cut")
        async with desk.at_work():
            await desk.wait(1)  # after the first round, which tells the health of the list anew
            feed = desk.store.feed(Kind.PAYMENT_ADDRESSES)
            desk.store.set_feed(replace(feed, as_of=None))
            desk.submit(intent)
            row = await desk.stands(intent, Standing.IN_DOUBT)
            await desk.until(lambda: bool(shown(desk, intent).candidates), within=60)
            await desk.wait(60)
            row = shown(desk, intent)
            assert row.standing is Standing.IN_DOUBT
            assert set(row.candidates) < set(await desk.there(intent))

    run(scenario())


@pytest.mark.slow
def test_a_wallet_of_the_same_name_from_yesterday_is_another(
    desk: Creating, clock: ManualClock, run: Run
) -> None:
    async def scenario() -> None:
        async with desk.open():
            first = desk.creation("create_wallet")
            desk.submit(first)
            await desk.stands(first, Standing.ACCEPTED)
        clock.advance(86_400)
        async with desk.open():
            again = desk.confirmed(first.request)
            await desk.spoil("create_wallet", "cut")
            desk.submit(again)
            await desk.stands(again, Standing.IN_DOUBT)
            await desk.wait(60)
            assert shown(desk, again).candidates == ()

    run(scenario())


def test_what_ended_with_the_process_is_found_by_the_next(
    desk: Creating, service: Starlette, clock: ManualClock, path: Path, run: Run
) -> None:
    async def scenario() -> None:
        await desk.worker.sync_once()
        intent = desk.creation("create_wallet")
        before = await desk.there(intent)
        await desk.spoil("create_wallet", "delay", times=1)
        async with desk.at_work():
            desk.submit(intent)
            await desk.stands(intent, Standing.SENDING, within=1)
        await desk.worker.aclose()
        after = Creating(service, clock, path)
        await after.worker.sync_once()
        async with after.at_work():
            made = set(await after.there(intent)) - set(before)
            standing = Standing.ACCEPTED if made else Standing.IN_DOUBT
            row = await after.stands(intent, standing, within=60)
            assert row.attempts == 1
            assert {row.object_id} - {None} == made

    run(scenario())


def test_a_service_without_lists_leaves_it_to_a_person(
    clock: ManualClock, path: Path, run: Run
) -> None:
    options = SandboxOptions(client_secret=SECRET, scale=40, speed=0, documented_only=True)
    desk = Creating(create_app(options, clock), clock, path)

    async def scenario() -> None:
        async with desk.open():
            account = desk.creation("create_individual_account")
            desk.submit(account)
            owner = (await desk.stands(account, Standing.ACCEPTED)).object_id
            wanted = WalletRequest(account_id=owner, currency="AUD")  # type: ignore[arg-type]
            wallet = desk.confirmed(wanted)
            await desk.spoil("create_wallet", "commit-then-cut")
            desk.submit(wallet)
            await desk.stands(wallet, Standing.IN_DOUBT)
            await desk.wait(60)
            desk.decide(wallet, Verdict.DONE, "wal-said-by-phone")
            row = await desk.stands(wallet, Standing.DONE)
            assert row.object_id == "wal-said-by-phone"

    run(scenario())


async def made_by_hand(desk: Creating, request: Request | Mandate) -> PaymentAddressId:
    """Somebody else adds a payment address."""
    assert isinstance(request, PaymentAddressRequest)
    assert request.recipient_id is not None
    key = IdempotencyKey("3f1d6a52-9d0e-4c0b-8a55-0c1f5d1f7a10")
    made = await desk.client.add_payment_address(request.recipient_id, request, key)
    return made.payment_address_id


def shown(desk: Creating, intent: Intent) -> IntentRow:
    row = desk.row(intent)
    assert row is not None
    return row


SENTINELS = (b"oraida", b"uellmark", b"0491570156", b"1987-06-05", b"uellburg", b"ZORA")
ACCOUNTS = ("create_individual_account", "create_corporate_account")


def persons_in(path: Path) -> list[bytes]:
    """Return the personal data in the files beside an outbox."""
    content = b"".join(each.read_bytes() for each in path.parent.iterdir() if each.is_file())
    return [sentinel for sentinel in SENTINELS if sentinel in content]


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["", "commit-then-cut"])
@pytest.mark.parametrize("what", ACCOUNTS)
def test_nothing_of_a_person_is_kept_once_the_account_is_there(
    desk: Creating, path: Path, run: Run, what: str, fault: str
) -> None:
    async def scenario() -> None:
        async with desk.open():
            intent = desk.creation(what)
            if fault:
                await desk.spoil(what, fault)
            desk.submit(intent)
            if fault:
                await desk.stands(intent, Standing.IN_DOUBT)
                assert persons_in(path)  # it may have to go out again
            await desk.stands(intent, Standing.ACCEPTED)
            assert persons_in(path) == []

    run(scenario())


def test_what_a_service_says_of_a_person_is_shown_and_not_kept(
    desk: Creating, path: Path, run: Run
) -> None:
    async def scenario() -> None:
        async with desk.open():
            intent = desk.confirmed(replace(PERSON, first_name="", email="Zoraida" * 80))
            desk.submit(intent)
            row = await desk.stands(intent, Standing.REFUSED)
            assert row.problem is not None
            assert row.problem.said
            assert row.problem.fields
            assert persons_in(path) == []
        [kept] = desk.outbox.read()
        assert kept.events[-1].problem is not None
        assert (kept.events[-1].problem.said, kept.events[-1].problem.fields) == ("", ())
        assert kept.events[-1].problem.what == "HTTP 400"

    run(scenario())


def test_no_line_of_the_hosts_log_names_a_person(
    service: Starlette, clock: ManualClock, path: Path, run: Run
) -> None:
    with tempfile.TemporaryDirectory() as short, socket(AF_UNIX, SOCK_DGRAM) as log:
        place = Path(short) / "log"
        log.bind(str(place))
        log.setblocking(False)
        desk = Creating(service, clock, path, log=Syslog(place))

        async def scenario() -> None:
            async with desk.open():
                intent = desk.creation("create_individual_account")
                await desk.spoil("create_individual_account", "commit-then-cut")
                desk.submit(intent)
                await desk.stands(intent, Standing.ACCEPTED)
            await desk.worker.aclose()

        run(scenario())
        lines = [log.recv(65_536) for _ in range(4)]
    assert all(b"action=create_individual_account" in line for line in lines)
    assert not [each for each in SENTINELS if each in b"".join(lines)]


def test_money_that_would_go_elsewhere_than_was_asked_for_is_an_alarm(
    desk: Creating, run: Run
) -> None:
    async def scenario() -> None:
        async with desk.open():
            intent = desk.creation("create_recipient")
            terms = replace(intent.terms, asked=(("payment_addresses.0.account_number", "99 99"),))
            desk.submit(replace(intent, terms=terms))
            row = await desk.stands(intent, Standing.ACCEPTED)
            assert [each for each in row.alerts if "99 99 was asked for" in each]

    run(scenario())
