"""An account is known if it was paid from here unchanged, or received money before."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paytui.domain.intent import Action, IntentRow, Standing
from paytui.domain.models import (
    Payment,
    PaymentAddress,
    PaymentAddressId,
    PaymentId,
    RecipientId,
    State,
    Trade,
    TradeId,
    bank_fingerprint,
)
from paytui.store.payable import PayeeHistory, PayeeStatus
from paytui.store.store import Store
from tests.support.intents import intent_row

ADDRESS = PaymentAddress(
    PaymentAddressId("adr-1"),
    recipient_id=RecipientId("rec-1"),
    account_name="Globex",
    account_number="123456",
    bic="FNBAUS33",
)
ELSEWHERE = replace(ADDRESS, account_number="999999")


ARRIVED = Payment(
    PaymentId("pay-1"), payment_address_id=ADDRESS.payment_address_id, status=State("released")
)


def payout(
    number: int, standing: Standing, seen: PaymentAddress | None, *, hours_ago: int = 0
) -> IntentRow:
    """A payout that was confirmed when the account looked so."""
    row = intent_row(number, standing, minutes_ago=60 * hours_ago)
    paid_at = None if seen is None else bank_fingerprint(seen)
    terms = replace(row.terms, paid_at=paid_at)
    return replace(row, terms=terms, object_id=f"became-{number}")


def known(*rows: IntentRow, released: str = "", of: PaymentAddress = ADDRESS) -> PayeeStatus:
    """Return the status of the payee while the objects of the rows are in progress."""
    store = Store()
    store.intents.put(list(rows))
    became = [PaymentId(row.object_id) for row in rows if row.object_id]
    store.payments.put([Payment(one, status=State("processing")) for one in became])
    if released:
        store.payments.put([replace(ARRIVED, status=State(released))])
    return PayeeHistory(store).of(of)


def test_an_account_that_nothing_went_to_is_new() -> None:
    assert known() is PayeeStatus.NEW


@pytest.mark.parametrize("standing", list(Standing))
def test_a_payout_from_here_makes_it_known_once_it_is_accepted_or_found_done(
    standing: Standing,
) -> None:
    went_out = standing in (Standing.ACCEPTED, Standing.DONE)
    expected = PayeeStatus.KNOWN if went_out else PayeeStatus.NEW
    assert known(payout(1, standing, ADDRESS)) is expected


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("released", PayeeStatus.KNOWN),
        ("completed", PayeeStatus.KNOWN),
        ("processing", PayeeStatus.NEW),
        ("rejected", PayeeStatus.NEW),
        ("returned", PayeeStatus.NEW),
    ],
)
def test_a_payment_of_anybody_makes_it_known_once_it_has_arrived(
    state: str, expected: PayeeStatus
) -> None:
    assert known(released=state) is expected


@pytest.mark.parametrize("released", ["", "completed"])
def test_what_went_to_another_account_does_not_make_it_known(released: str) -> None:
    another = replace(ELSEWHERE, payment_address_id=PaymentAddressId("adr-2"))
    paid = payout(1, Standing.ACCEPTED, ADDRESS)
    assert known(paid, released=released, of=another) is PayeeStatus.NEW


def test_one_whose_details_are_not_those_that_were_paid_has_changed() -> None:
    assert known(payout(1, Standing.ACCEPTED, ADDRESS), of=ELSEWHERE) is PayeeStatus.CHANGED
    paid = payout(1, Standing.ACCEPTED, ADDRESS)
    assert known(paid, released="completed", of=ELSEWHERE) is PayeeStatus.CHANGED


@pytest.mark.parametrize(
    "field", ["account_number", "iban", "bic", "routing_code", "account_name", "country"]
)
def test_any_of_what_a_bank_goes_by_is_a_change(field: str) -> None:
    changed = replace(ADDRESS, **{field: "other"})  # type: ignore[arg-type]  # named as the fields are
    assert known(payout(1, Standing.ACCEPTED, ADDRESS), of=changed) is PayeeStatus.CHANGED


def test_the_newest_that_went_out_tells_what_it_was() -> None:
    before = payout(1, Standing.ACCEPTED, ADDRESS, hours_ago=2)
    since = payout(2, Standing.ACCEPTED, ELSEWHERE, hours_ago=1)
    assert known(since, before, of=ELSEWHERE) is PayeeStatus.KNOWN
    assert known(since, before) is PayeeStatus.CHANGED


def test_a_payout_of_a_time_when_nobody_looked_makes_it_known_only_once_it_has_arrived() -> None:
    blind = payout(1, Standing.ACCEPTED, None)
    assert known(blind) is PayeeStatus.NEW
    assert known(blind, released="completed") is PayeeStatus.KNOWN


@pytest.mark.parametrize(
    ("action", "standing", "state", "expected"),
    [
        (Action.CREATE_PAYOUT, Standing.ACCEPTED, "rejected", PayeeStatus.NEW),
        (Action.CREATE_PAYOUT, Standing.ACCEPTED, "cancelled", PayeeStatus.NEW),
        (Action.CREATE_PAYOUT, Standing.ACCEPTED, "failed", PayeeStatus.NEW),
        (Action.CREATE_PAYOUT, Standing.ACCEPTED, "returned", PayeeStatus.NEW),
        (Action.CREATE_PAYOUT, Standing.ACCEPTED, "processing", PayeeStatus.KNOWN),
        (Action.CREATE_PAYOUT, Standing.DONE, "rejected", PayeeStatus.NEW),
        (Action.CREATE_PAYOUT, Standing.DONE, "completed", PayeeStatus.KNOWN),
        (Action.BOOK_TRADE, Standing.ACCEPTED, "rejected", PayeeStatus.NEW),
        (Action.BOOK_TRADE, Standing.ACCEPTED, "completed", PayeeStatus.KNOWN),
    ],
)
def test_a_payout_or_a_trade_from_here_that_came_to_nothing_does_not_make_it_known(
    action: Action, standing: Standing, state: str, expected: PayeeStatus
) -> None:
    store = Store()
    store.intents.put([replace(payout(1, standing, ADDRESS), action=action, object_id="9")])
    store.payments.put([Payment(PaymentId("9"), status=State(state))])
    store.trades.put([Trade(TradeId("9"), status=State(state))])
    assert PayeeHistory(store).of(ADDRESS) is expected


def test_a_payment_is_not_taken_for_the_trade_of_its_identifier() -> None:
    store = Store()
    store.intents.put(
        [replace(payout(1, Standing.ACCEPTED, ADDRESS), action=Action.BOOK_TRADE, object_id="9")]
    )
    store.trades.put([Trade(TradeId("9"), status=State("failed"))])
    store.payments.put([Payment(PaymentId("9"), status=State("completed"))])
    assert PayeeHistory(store).of(ADDRESS) is PayeeStatus.NEW


@pytest.mark.parametrize(
    ("standing", "became"),
    [(Standing.ACCEPTED, "9"), (Standing.ACCEPTED, None), (Standing.DONE, None)],
)
def test_a_payout_of_which_nobody_sees_what_came_does_not_make_it_known(
    standing: Standing, became: str | None
) -> None:
    store = Store()
    store.intents.put([replace(payout(1, standing, ADDRESS), object_id=became)])
    assert PayeeHistory(store).of(ADDRESS) is PayeeStatus.NEW
    store.payments.put([Payment(PaymentId("9"))])
    assert PayeeHistory(store).of(ADDRESS) is PayeeStatus.NEW, "its state is not told"


@pytest.mark.parametrize("action", [Action.CREATE_PAYOUT, Action.BOOK_TRADE])
def test_nor_does_one_in_a_state_that_nobody_understands(action: Action) -> None:
    store, bounced = Store(), State("bounced", final=False, known=False)
    row = replace(payout(1, Standing.ACCEPTED, ADDRESS), action=action, object_id="9")
    store.intents.put([row])
    store.payments.put([Payment(PaymentId("9"), status=bounced)])
    store.trades.put([Trade(TradeId("9"), status=bounced)])
    assert PayeeHistory(store).of(ADDRESS) is PayeeStatus.NEW


def test_nor_does_one_that_failed_and_was_put_out_of_the_store_since() -> None:
    store = Store()
    store.intents.put([replace(payout(1, Standing.ACCEPTED, ADDRESS), object_id="9")])
    store.payments.put([Payment(PaymentId("9"), status=State("failed"))])
    store.payments.remove([PaymentId("9")])
    assert PayeeHistory(store).of(ADDRESS) is PayeeStatus.NEW


def test_but_what_it_paid_is_compared_all_the_same() -> None:
    store = Store()
    store.intents.put([payout(1, Standing.ACCEPTED, ADDRESS)])
    assert PayeeHistory(store).of(ELSEWHERE) is PayeeStatus.CHANGED
    store.payments.put([ARRIVED])
    assert PayeeHistory(store).of(ELSEWHERE) is PayeeStatus.CHANGED
    assert PayeeHistory(store).of(ADDRESS) is PayeeStatus.KNOWN


def test_details_that_only_such_a_payout_had_are_not_proven_by_an_older_one_that_stayed() -> None:
    store = Store()
    stayed = payout(1, Standing.ACCEPTED, ADDRESS, hours_ago=2)
    unseen = payout(2, Standing.ACCEPTED, ELSEWHERE, hours_ago=1)
    store.intents.put([stayed, unseen])
    store.payments.put([Payment(PaymentId("became-1"), status=State("completed"))])
    assert PayeeHistory(store).of(ELSEWHERE) is PayeeStatus.CHANGED


def test_what_was_paid_before_one_that_failed_tells_what_it_was() -> None:
    store = Store()
    before = payout(1, Standing.ACCEPTED, ADDRESS, hours_ago=2)
    failed = replace(payout(2, Standing.ACCEPTED, ELSEWHERE), object_id="pay-9")
    store.intents.put([before, failed])
    store.payments.put([Payment(PaymentId("became-1"), status=State("completed"))])
    store.payments.put([Payment(PaymentId("pay-9"), status=State("failed"))])
    assert PayeeHistory(store).of(ADDRESS) is PayeeStatus.KNOWN
    assert PayeeHistory(store).of(ELSEWHERE) is PayeeStatus.CHANGED


def test_a_payment_that_arrives_later_is_taken_in() -> None:
    store = Store()
    acquaintances = PayeeHistory(store)
    assert acquaintances.of(ADDRESS) is PayeeStatus.NEW
    store.payments.put([ARRIVED])
    assert acquaintances.of(ADDRESS) is PayeeStatus.KNOWN


def test_one_whose_money_came_back_is_new_again_unless_another_payment_stayed() -> None:
    store = Store()
    acquaintances = PayeeHistory(store)
    another = replace(ARRIVED, payment_transaction_id=PaymentId("pay-2"))
    store.payments.put([ARRIVED, another])
    assert acquaintances.of(ADDRESS) is PayeeStatus.KNOWN
    store.payments.put([replace(ARRIVED, status=State("completed"))])
    store.payments.put([replace(ARRIVED, status=State("returned"))])
    assert acquaintances.of(ADDRESS) is PayeeStatus.KNOWN
    store.payments.put([replace(another, status=State("returned"))])
    assert acquaintances.of(ADDRESS) is PayeeStatus.NEW


def test_what_the_store_no_longer_holds_is_known_no_more_as_after_a_restart() -> None:
    store = Store()
    acquaintances = PayeeHistory(store)
    store.payments.put([ARRIVED])
    assert acquaintances.of(ADDRESS) is PayeeStatus.KNOWN
    store.payments.remove([ARRIVED.payment_transaction_id])
    assert acquaintances.of(ADDRESS) is PayeeStatus.NEW


def test_one_that_has_changed_since_a_payout_that_came_back_has_changed() -> None:
    store = Store()
    store.intents.put([replace(payout(1, Standing.ACCEPTED, ADDRESS), object_id="pay-9")])
    came_back = Payment(PaymentId("pay-9"), status=State("returned"))
    store.payments.put([came_back, ARRIVED])
    assert PayeeHistory(store).of(ADDRESS) is PayeeStatus.KNOWN
    assert PayeeHistory(store).of(ELSEWHERE) is PayeeStatus.CHANGED
