"""Filters keep exactly the rows they describe; expected rows are picked by hand."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paytui.domain.models import (
    Account,
    AccountId,
    Kind,
    PayInAddress,
    PayInAddressId,
    Payment,
    PaymentId,
    State,
    Trade,
    TradeId,
)
from paytui.domain.money import CurrencyCode
from paytui.store.fields import fields_of, find_fields
from paytui.store.filter import (
    Filter,
    FilterError,
    TimeContext,
    completions,
    example,
    literal,
    parse_filter,
    parse_terms,
    unknown_word,
)
from paytui.store.search_text import named_fields
from paytui.store.store import Store
from tests.support.clock import NOON, ManualClock

AUD, USD = CurrencyCode("AUD"), CurrencyCode("USD")
ACME = AccountId("acc-7")

RENT = Payment(
    PaymentId("rent"),
    payment_type="payout",
    account_id=ACME,
    amount=Decimal(10_000),
    currency=AUD,
    status=State("released"),
    reference="Rent März",
    created_at=NOON - timedelta(hours=1),
)
SALARY = Payment(
    PaymentId("salary"),
    payment_type="payout",
    amount=Decimal("10000.01"),
    currency=USD,
    status=State("compliance_review"),
    reference="the-salary: 3",
    created_at=NOON - timedelta(minutes=59),
)
SWEEP = Payment(
    PaymentId("sweep"),
    payment_type="transfer",
    amount=Decimal("0.5"),
    currency=USD,
    status=State("completed"),
    end_to_end_id="E2E",
    created_at=NOON - timedelta(days=3),
)
BARE = Payment(PaymentId("bare"))
BOOK = (RENT, SALARY, SWEEP, BARE)


def a_filter(text: str, kind: Kind = Kind.PAYMENTS) -> Filter:
    return parse_filter(text, fields_of(kind), TimeContext(lambda: NOON))


def kept(text: str) -> list[str]:
    return [row.payment_transaction_id for row in BOOK if a_filter(text)(row)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["rent", "salary", "sweep", "bare"]),
        ("   ", ["rent", "salary", "sweep", "bare"]),
        ("marz", ["rent"]),
        ("RENT", ["rent"]),
        ("payout salary", ["salary"]),
        ('"rent m"', ["rent"]),
        ("-payout", ["sweep", "bare"]),
        ('"the-salary: 3"', ["salary"]),
        ("usd", ["salary", "sweep"]),
        ("compliance", ["salary"]),
        ("status:released", ["rent"]),
        ("status:comp", ["salary", "sweep"]),
        ("status:leased", []),
        ("status=comp", []),
        ('state:"compliance review"', ["salary"]),
        ("-status:released", ["salary", "sweep", "bare"]),
        ("status:released,complete", ["rent", "sweep"]),
        ("status=released,complete", ["rent"]),
        ("-status:released,completed,", ["salary", "bare"]),
        ("reference:Rent,salary", []),
        ("ccy:usd", ["salary", "sweep"]),
        ("CCY:usd status:completed", ["sweep"]),
        ("reference:salary", ["salary"]),
        ("reference=salary", []),
        ("10k", ["rent"]),
        ("10,000.00 marz", ["rent"]),
        ('"0.50"', ["sweep"]),
        ("-10k usd", ["salary", "sweep"]),
        ('-""""', ["rent", "salary", "sweep", "bare"]),
        ("amount>10k", ["salary"]),
        ("amount>=10k", ["rent", "salary"]),
        ("amount<10k", ["sweep"]),
        ("amount<=10,000", ["rent", "sweep"]),
        ("amount=10k", ["rent"]),
        ("amount:.5", ["sweep"]),
        ("-amount>10k", ["rent", "sweep", "bare"]),
        ("amount>-1", ["rent", "salary", "sweep"]),
        ("age<1h", ["salary"]),
        ("age<=1h", ["rent", "salary"]),
        ("age>2d", ["sweep"]),
        ("-age<1h", ["rent", "sweep", "bare"]),
        ("created:2026-03-02", ["rent", "salary"]),
        ("created<2026-03-02", ["sweep"]),
        ("created>2026-02-27", ["rent", "salary"]),
        ("created>2026-03-02T11:00Z", ["salary"]),
        ("created>=2026-03-02T22:00+11:00", ["rent", "salary"]),
        # NOON is on a Monday, SWEEP was made on the Friday before
        ("created:today", ["rent", "salary"]),
        ("created=Today", ["rent", "salary"]),
        ("created<today", ["sweep"]),
        ("created:yesterday", []),
        ("created:mon", ["rent", "salary"]),
        ("created:fri", ["sweep"]),
        ("created>=friday", ["rent", "salary", "sweep"]),
        ("created<tue", []),
        ("updated:today", []),
        (">2026-03-01", ["rent", "salary"]),
        ("<=yesterday", ["sweep"]),
        ("->2026-03-01", ["sweep", "bare"]),
        ("last 59min", ["salary"]),
        ("Last 1h payout", ["rent", "salary"]),
        ("-last 1h", ["sweep", "bare"]),
        ("last:3d", ["rent", "salary", "sweep"]),
        ("last 3 days", ["rent", "salary", "sweep"]),
        ("-last 1 hour", ["sweep", "bare"]),
        ("last 7", []),
        ("last", []),
        ("end_to_end:e2", ["sweep"]),
        ("end_to_end_id:e2e", ["sweep"]),
    ],
)
def test_a_filter_keeps_just_the_rows_that_it_describes(text: str, expected: list[str]) -> None:
    assert kept(text) == expected


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("status:bogus", "No such status: bogus. Known: completed, compliance_review, held, "),
        ("status:comp", ""),  # a beginning will do
        ("status:held", ""),  # no row has it, but one could
        ("-status:bogus", ""),  # which all rows satisfy
        ("bogus", ""),
        ("held today", "today was searched as text. The day: created:today."),
        ("ccy:chf", "No such ccy: chf. Known: AUD, USD."),
    ],
)
def test_a_word_that_nothing_has_is_told_with_those_that_there_are(text: str, told: str) -> None:
    fields, rows = fields_of(Kind.PAYMENTS), (RENT, SALARY, SWEEP)
    assert unknown_word(text, fields, rows, {"status": ("held",)}).startswith(told)
    assert bool(told) == bool(unknown_word(text, fields, rows, {"status": ("held",)}))


def test_a_word_is_looked_for_in_names_that_stand_in_other_tables() -> None:
    store = Store()
    wanted = parse_filter("zürich", named_fields(store, Kind.PAYMENTS), TimeContext(lambda: NOON))
    assert not wanted(RENT)
    store.accounts.put([Account(ACME, display_name="Zurich Trading")])
    assert wanted(RENT)
    assert not wanted(SWEEP)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("amount", "amount>=10000"),
        ("status", "status:released"),
        ("created", "created:2026-03-02"),
        ("reference", 'reference:"Rent März"'),
        ("end-to-end-id", "end-to-end-id:E2E"),
        ("updated", "updated:2026-03-02"),  # no row has it: today
        ("failure", "failure:…"),
    ],
)
def test_an_example_of_a_field_is_the_value_of_a_row(name: str, expected: str) -> None:
    meant = find_fields(name, fields_of(Kind.PAYMENTS))
    assert example(name, meant, BOOK, TimeContext(lambda: NOON)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("st", ["status:"]),
        ("rent -St", ["rent -status:"]),
        ("re", ["reference:", "recipient-id:"]),
        ("status:co", ["status:completed", "status:compliance_review"]),
        ("-status=comp", ["-status=completed", "-status=compliance_review"]),
        ("status:x,rel", ["status:x,released"]),
        ("status:h", ["status:held"]),  # no row has it, but one could
        ("ccy:", ["ccy:AUD", "ccy:USD"]),
        ("ccy:u", ["ccy:USD"]),
        ("status:on", ['status:"on hold"']),
        ("created:tod", ["created:today"]),
        ("reference:r", []),
        ("colour:r", []),
        ('"st', []),
        ("amount>1", []),
    ],
)
def test_a_word_is_completed_to_a_name_or_a_code(text: str, expected: list[str]) -> None:
    names = ["created", "status", "reference", "ccy", "recipient-id"]
    known, words = fields_of(Kind.PAYMENTS), {"status": ("held", "completed", "on hold")}
    assert completions(text, names, known, BOOK, words) == expected


def test_either_currency_of_a_trade_will_do() -> None:
    trade = Trade(TradeId("t"), sell_currency=AUD, buy_currency=USD)
    assert a_filter("ccy:usd", Kind.TRADES)(trade)
    assert a_filter("sell_currency:aud", Kind.TRADES)(trade)
    assert not a_filter("sell_currency:usd", Kind.TRADES)(trade)


def test_a_flag_is_yes_or_no_and_unknown_is_neither() -> None:
    yes = PayInAddress(PayInAddressId("y"), npp_enabled=True)
    no = PayInAddress(PayInAddressId("n"), npp_enabled=False)
    unknown = PayInAddress(PayInAddressId("u"))
    for text, expected in (("npp_enabled:yes", [yes]), ("npp_enabled=False", [no])):
        wanted = a_filter(text, Kind.PAYIN_ADDRESSES)
        assert [row for row in (yes, no, unknown) if wanted(row)] == expected


def test_a_day_is_one_of_the_zone_that_is_looked_at() -> None:
    """20:00 UTC is 06:00 of the next day in Brisbane."""
    late = Payment(PaymentId("late"), created_at=datetime(2026, 3, 1, 20, tzinfo=UTC))
    brisbane = TimeContext(lambda: NOON, timezone(timedelta(hours=10), "AEST"))
    for text, there, in_utc in (
        ("created:2026-03-02", True, False),
        ("created:2026-03-01", False, True),
        ("created>2026-03-02T05:59", True, False),
        ("created<2026-03-02T05:59", False, True),
        ("created<2026-03-02T05:59Z", True, True),
    ):
        assert parse_filter(text, fields_of(Kind.PAYMENTS), brisbane)(late) is there
        assert a_filter(text)(late) is in_utc
    with pytest.raises(FilterError, match=r"e\.g\. 2026-03-02 or today"):
        parse_filter("created:someday", fields_of(Kind.PAYMENTS), brisbane)


def test_today_ends_at_midnight_of_the_zone_that_is_looked_at() -> None:
    """13:00 UTC is midnight in Sydney in March."""
    clock = ManualClock()
    clock.advance((datetime(2026, 3, 3, 12, 59, 59, tzinfo=UTC) - clock.now()).total_seconds())
    when = TimeContext(clock.now, ZoneInfo("Australia/Sydney"))
    today, yesterday, tuesday = (
        parse_filter(f"created:{day}", fields_of(Kind.PAYMENTS), when)
        for day in ("today", "yesterday", "tue")
    )
    row = Payment(PaymentId("p"), created_at=clock.now())
    assert (today(row), yesterday(row), tuesday(row)) == (True, False, True)
    assert today.ages
    clock.advance(1)
    assert (today(row), yesterday(row), tuesday(row)) == (False, True, True)


def test_today_is_longer_where_clocks_are_set_back() -> None:
    """Sydney sets its clocks back an hour on 2026-04-05, from UTC+11 to UTC+10."""
    evening = datetime(2026, 4, 5, 13, 30, tzinfo=UTC)  # 23:30
    when = TimeContext(lambda: evening, ZoneInfo("Australia/Sydney"))
    before, after = (
        Payment(PaymentId("p"), created_at=datetime(2026, 4, 4, hour, minute, tzinfo=UTC))
        for hour, minute in ((12, 59), (13, 0))  # 23:59 and 0:00
    )
    for text, expected in (
        ("created:today", [False, True]),
        ("created:yesterday", [True, False]),
        ("created:sun", [False, True]),
        ("created:sat", [True, False]),
        ("last 24h", [False, False]),
    ):
        wanted = parse_filter(text, fields_of(Kind.PAYMENTS), when)
        assert [wanted(before), wanted(after)] == expected, text


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Moves this machine into a zone."""

    def move(zone: str) -> None:
        monkeypatch.setenv("TZ", zone)
        time.tzset()

    yield move
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("Africa/Cairo", "2026-04-24"),
        ("America/Santiago", "2026-09-06"),
        ("America/Havana", "2026-03-08"),
        ("Asia/Beirut", "2026-03-29"),
        ("Europe/London", "2026-03-29"),
    ],
)
def test_a_day_that_has_no_midnight_is_that_day(
    here: Callable[[str], None], zone: str, day: str
) -> None:
    """Clocks go on in the night before it, in all but London at midnight."""
    here(zone)
    noon = datetime.fromisoformat(f"{day}T12:00").replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    rows = [
        Payment(PaymentId(str(days)), created_at=noon + timedelta(days=days)) for days in (-1, 0, 1)
    ]
    for zone_of_days in (None, ZoneInfo(zone)):
        when = TimeContext(lambda: NOON, zone_of_days)
        for text, expected in ((":", ["0"]), ("<", ["-1"]), (">=", ["0", "1"])):
            wanted = parse_filter(f"created{text}{day}", fields_of(Kind.PAYMENTS), when)
            assert [row.payment_transaction_id for row in rows if wanted(row)] == expected


@pytest.mark.parametrize("text", ["\u0301", "reference:\u0301", '"\u0301\u0300"'])
def test_accents_alone_are_nothing_to_look_for(text: str) -> None:
    with pytest.raises(FilterError, match="Nothing to search for"):
        a_filter(text)


@pytest.mark.parametrize(
    "moment", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)]
)
@pytest.mark.parametrize("hours", [-12, 14])
def test_the_first_and_the_last_moment_there_are_break_no_filter(
    moment: datetime, hours: int
) -> None:
    row = Payment(PaymentId("edge"), created_at=moment)
    when = TimeContext(lambda: NOON, timezone(timedelta(hours=hours)))
    assert not parse_filter("created:2026-03-02", fields_of(Kind.PAYMENTS), when)(row)


def test_a_birthday_is_a_day_without_a_zone() -> None:
    ada = Account(ACME, birth_date=datetime(1990, 5, 17, tzinfo=UTC).date())
    for text, expected in (
        ("birth_date:1990-05-17", True),
        ("birth_date<1990-05-17", False),
        ("birth_date<1990-05-17T00:01Z", True),
    ):
        assert a_filter(text, Kind.ACCOUNTS)(ada) is expected


def test_an_age_goes_on_while_the_filter_is_kept() -> None:
    clock = ManualClock()
    young = parse_filter("age<1h", fields_of(Kind.PAYMENTS), TimeContext(clock.now))
    assert young(SALARY)
    clock.advance(61)
    assert not young(SALARY)
    assert young.ages
    assert not a_filter("amount>1k").ages


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rent stauts:released", 'Unknown field "stauts". Did you mean status?'),
        ("colour:red", 'Unknown field "colour". Quote it to search for it.'),
        ("amount>lots", '"amount" needs a number, e.g. 10k or 2,500,000.'),
        ("amount>1,5", '"amount" needs a number, e.g. 10k or 2,500,000.'),
        ("age<1", '"age" needs a duration, e.g. 30m or 7d.'),
        ("age<99999999d", '"age" needs a duration, e.g. 30m or 7d.'),
        ("last:week", '"last" needs a duration, e.g. 30m or 7d.'),
        ("age:1h", '"age" needs < or >, e.g. age<1h.'),
        ("-age=2d", '"age" needs < or >, e.g. age<1h.'),
        ("created>someday", '"created" needs a date, e.g. 2026-03-02 or today, or: last 7d.'),
        (">10k", '"created" needs a date, e.g. 2026-03-02 or today, or: last 7d.'),
        ("rent >", '"created" needs a value.'),
        ("status:,", "Nothing to search for. Add letters."),
        ("reference>a", '"reference" is text: compare it with : or =.'),
        ("rent  status:", '"status" needs a value.'),
        ('say "rent', 'A quote is not closed. End it with ".'),
        ('status:"rel', 'A quote is not closed. End it with ".'),
        ("rent -", 'Nothing to search for. Write a word, or put - in quotes: "-".'),
        ('""', 'Nothing to search for. Write a word, or put - in quotes: "-".'),
    ],
)
def test_a_filter_that_cannot_be_understood_says_why_and_what_to_write(
    text: str, message: str
) -> None:
    with pytest.raises(FilterError) as refused:
        a_filter(text)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    "text", ["x" * 99 + ":1", "payment_transaction_id>1", "payment_transaction_i:1", "->", '"a']
)
def test_a_message_fits_into_a_title_of_80_cells(text: str) -> None:
    with pytest.raises(FilterError) as refused:
        a_filter(text)
    assert len(f" Not applied: {refused.value}") < 80


def test_a_flag_and_an_age_say_what_they_need() -> None:
    with pytest.raises(FilterError, match=r'^"npp_enabled" is yes or no'):
        a_filter("npp_enabled:maybe", Kind.PAYIN_ADDRESSES)
    with pytest.raises(FilterError, match='Unknown field "age"'):
        a_filter("age<1h", Kind.PAYIN_ADDRESSES)


# For any rows and any filter


names = st.text(min_size=1, max_size=8)
payments = st.builds(
    Payment,
    payment_transaction_id=names.map(PaymentId),
    account_id=st.none() | names.map(AccountId),
    amount=st.none() | st.decimals(allow_nan=False, allow_infinity=False),
    currency=st.none() | st.sampled_from([AUD, USD]),
    status=st.none() | st.builds(State, names),
    reference=st.none() | names,
    created_at=st.none() | st.datetimes(timezones=st.just(UTC)),
)
terms = st.sampled_from(
    ["a", "payout", "ccy:aud", "status:r", "amount>10k", "amount=0", "age<1h", "created>2026-01-01"]
)


@pytest.mark.slow
@given(st.lists(payments), terms)
def test_a_condition_and_its_negation_share_out_all_rows(rows: list[Payment], term: str) -> None:
    those, others = a_filter(term), a_filter(f"-{term}")
    assert [row for row in rows if those(row) == others(row)] == []


@pytest.mark.slow
@given(st.lists(payments), terms, terms)
def test_two_conditions_keep_what_each_of_them_keeps(
    rows: list[Payment], one: str, other: str
) -> None:
    both = [row for row in rows if a_filter(f"{one} {other}")(row)]
    assert both == [row for row in rows if a_filter(one)(row) and a_filter(other)(row)]


@given(payments)
def test_a_row_is_found_by_every_text_that_is_in_it(row: Payment) -> None:
    for text in (row.payment_transaction_id, row.reference, row.account_id):
        if text and text.strip():
            doubled = text.replace('"', '""')
            assert a_filter(f'"{doubled}"')(row)


WORDS = st.text(alphabet='ab:<>=-" 1k,._…\0\ud800é', max_size=30)


@given(WORDS)
def test_a_literal_is_a_filter_of_the_words_that_were_typed(text: str) -> None:
    terms = parse_terms(literal(text))
    words = [word for word in text.replace("\ud800", "?").split() if word.strip("_")]
    assert [term.value for term in terms] == list(dict.fromkeys(words))
    assert not any(term.field or term.negated for term in terms)


@given(st.text(alphabet='ab:<>=-" 1k.\t_é', max_size=30), payments)
def test_whatever_is_typed_is_a_filter_or_is_refused_in_words(text: str, row: Payment) -> None:
    try:
        wanted = a_filter(text)
    except FilterError:
        return
    assert wanted(row) in (True, False)
