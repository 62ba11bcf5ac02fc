"""The last known balances in plain lines: owner, age and complete amounts only."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from paytui.config.settings import Profile
from paytui.domain.models import Kind, Problem
from paytui.domain.money import CurrencyCode
from paytui.store.health import Feed
from paytui.store.store import Store
from paytui.tui.terminal.splash import Line, cached_balance_lines, fresh_balance_lines
from tests.support.clock import NOON, ManualClock
from tests.tui.book import JPY, USD, wallet

LIVE = Profile(name="acme", base_url="https://api.acme.example", client_id="desk", live=True)
THREE_HOURS = 10_800


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def store(clock: ManualClock) -> Store:
    """A store from another run at noon, three hours ago."""
    store = Store()
    store.wallets.recall(
        [
            wallet(1, "AUD desk", "1204330.15"),
            wallet(2, "AUD payroll", "70000"),
            wallet(3, "JPY desk", "45120900", currency=JPY),
            wallet(4, "USD desk", "88210.4", currency=USD),
        ]
    )
    read_at = clock.boot() - THREE_HOURS
    store.set_feed(Feed(Kind.WALLETS, as_of=NOON, read_at=read_at, total=4, cached=True))
    return store


def shown(
    store: Store, clock: ManualClock, size: tuple[int, int] = (80, 24), profile: Profile = LIVE
) -> list[str]:
    return text(cached_balance_lines(store, profile, clock, size))


def text(lines: list[Line]) -> list[str]:
    return ["".join(words for _, words in line).rstrip() for line in lines]


def test_balances_are_added_up_under_whose_they_are_and_when_that_was(
    store: Store, clock: ManualClock
) -> None:
    assert shown(store, clock) == [
        " ACME LIVE   api.acme.example  all accounts",
        " LAST KNOWN 2026-03-02 12:00:00 UTC, 3 h ago · starting…",
        "",
        " Balances of 4 wallets",
        " Ccy     Available  Reserved  Pending",
        " AUD  1,274,330.15      0.00     0.00",
        " JPY    45,120,900         0        0",
        " USD     88,210.40      0.00     0.00",
    ]


def test_a_profile_on_which_no_money_moves_says_so(store: Store, clock: ManualClock) -> None:
    profile = replace(LIVE, live=False, read_only=True)
    assert shown(store, clock, profile=profile)[0].startswith(" acme test read-only ")


def test_that_money_is_real_never_gives_way_to_a_long_name(
    store: Store, clock: ManualClock
) -> None:
    whose = shown(store, clock, (60, 24), replace(LIVE, name="a" * 200))[0]
    assert whose.startswith(f" {'A' * 29}… LIVE ")
    assert len(whose) <= 60


def test_nothing_says_anything_by_colour(store: Store, clock: ManualClock) -> None:
    looks = {
        look for line in cached_balance_lines(store, LIVE, clock, (80, 24)) for look, _ in line
    }
    assert looks == {"0", "1", "2", "1;7"}  # plain, bold, faint, reversed


def test_by_a_clock_that_was_set_back_nobody_knows_how_old_it_is(
    store: Store, clock: ManualClock
) -> None:
    store.set_feed(replace(store.feed(Kind.WALLETS), read_at=None))
    assert "UTC, in the future? ·" in shown(store, clock)[1]


def test_what_was_read_by_this_run_is_not_called_last_known(
    store: Store, clock: ManualClock
) -> None:
    store.set_feed(replace(store.feed(Kind.WALLETS), cached=False))
    assert shown(store, clock) == []


def test_where_nothing_was_known_nothing_is_shown(clock: ManualClock) -> None:
    assert shown(Store(), clock) == []


@pytest.mark.parametrize("size", [(0, 0), (59, 24), (80, 7)])
def test_a_terminal_with_less_room_stays_as_it_is(
    store: Store, clock: ManualClock, size: tuple[int, int]
) -> None:
    assert shown(store, clock, size) == []


def test_a_column_gives_way_before_an_amount_does(store: Store, clock: ManualClock) -> None:
    huge = Decimal("123456789012345678901234567.89")
    store.wallets.recall(
        [
            replace(
                wallet(5, "USD", "0", currency=USD), available_balance=huge, reserved_balance=huge
            )
        ]
    )
    heading, *_, usd = shown(store, clock, (60, 24))[4:]
    assert heading.split() == ["Ccy", "Available"]
    assert usd.split() == ["USD", "123,456,789,012,345,678,901,322,778.29"]


def test_an_amount_that_has_no_room_is_left_out_and_counted(
    store: Store, clock: ManualClock
) -> None:
    huge = replace(wallet(5, "USD", "0", currency=USD), available_balance=Decimal(10) ** 50)
    store.wallets.recall([huge])
    *rows, last = shown(store, clock, (60, 24))[5:]
    assert [row.split()[0] for row in rows] == ["AUD", "JPY"]
    assert last == " and 1 more currency"


def test_a_sum_that_lacks_a_balance_is_left_out_and_counted(
    store: Store, clock: ManualClock
) -> None:
    untold = replace(wallet(5, "USD", "0", currency=USD), available_balance=None)
    store.wallets.recall([untold])
    *rows, last = shown(store, clock)[5:]
    assert [row.split()[0] for row in rows] == ["AUD", "JPY"]
    assert last == " and 1 more currency"


def test_what_the_terminal_has_no_lines_for_is_counted(store: Store, clock: ManualClock) -> None:
    codes = [CurrencyCode(f"X{letter}Z") for letter in "ABCDEFGHIJ"]
    store.wallets.recall(
        [wallet(10 + place, "desk", "1", currency=code) for place, code in enumerate(codes)]
    )
    lines = shown(store, clock, (80, 12))
    assert len(lines) == 12
    assert lines[-1] == " and 7 more currencies"
    assert len(shown(store, clock, (80, 18))) == 18  # four above, headings, and all thirteen


@pytest.mark.parametrize(
    ("total", "tracked", "words"),
    [
        (2_300, 0, " Balances of 4 of 2,300 wallets"),
        (None, 0, " Balances of 4 wallets"),
        (None, 4, " Balances of 4 tracked wallets"),
    ],
)
def test_it_says_what_was_added_up(
    store: Store, clock: ManualClock, total: int | None, tracked: int, words: str
) -> None:
    feed = replace(store.feed(Kind.WALLETS), total=total, tracked=tracked, offered=not tracked)
    store.set_feed(feed)
    assert shown(store, clock)[3] == words


@pytest.mark.parametrize(
    ("lacks", "words", "cached"),
    [
        ({"skipped": 3}, " Balances of 4 wallets; 3 could not be read", False),
        ({"cut": True}, " Balances of 4 wallets; some may be missing", True),
        (
            {"problem": Problem("read wallets", "503")},
            " Balances of 4 wallets; some may be missing",
            True,
        ),
        ({"cut": True, "total": 9}, " Balances of 4 of 9 wallets; some may be missing", False),
    ],
)
def test_it_says_that_the_sums_lack_something(
    store: Store, clock: ManualClock, lacks: dict[str, Any], words: str, *, cached: bool
) -> None:
    if not cached:
        store.wallets.put(store.wallets.rows())
    store.set_feed(replace(store.feed(Kind.WALLETS), cached=cached, **lacks))
    lines = shown(store, clock) if cached else text(fresh_balance_lines(store, LIVE, (80, 24)))
    assert lines[3] == words


def test_names_of_wide_characters_keep_columns_in_line(store: Store, clock: ManualClock) -> None:
    store.wallets.recall([wallet(5, "desk", "7", currency=CurrencyCode("東京"))])
    lines = shown(store, clock)[4:]
    assert lines[0].startswith(" Ccy      Available")
    assert lines[-1].startswith(" 東京          7.00")


def test_the_age_is_reckoned_anew_at_each_look(store: Store, clock: ManualClock) -> None:
    clock.advance(timedelta(hours=1).total_seconds())
    assert "4 h ago" in shown(store, clock)[1]


# Where nothing was known


def test_before_anything_is_read_it_says_that_nothing_is_known() -> None:
    assert text(fresh_balance_lines(Store(), LIVE, (80, 24))) == [
        " ACME LIVE   api.acme.example  all accounts",
        " No balances are known yet · starting…",
    ]
    assert fresh_balance_lines(Store(), LIVE, (59, 24)) == []


def test_what_was_read_is_told_with_the_time_and_not_called_last_known(store: Store) -> None:
    store.wallets.put(store.wallets.rows())
    store.set_feed(replace(store.feed(Kind.WALLETS), cached=False))
    _, when, _, *balances = text(fresh_balance_lines(store, LIVE, (80, 24)))
    assert when == " READ 2026-03-02 12:00:00 UTC · starting…"
    assert balances[2] == " AUD  1,274,330.15      0.00     0.00"


def test_what_another_run_knew_is_not_told_as_read(store: Store) -> None:
    assert " No balances are known yet · starting…" in text(
        fresh_balance_lines(store, LIVE, (80, 24))
    )
