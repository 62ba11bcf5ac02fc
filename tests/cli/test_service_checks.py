"""Checks of a service after login and reads: its clock and its lists."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from paytui.api.resources import READS
from paytui.cli.commands.doctor import worst
from paytui.cli.service_checks import clock, reads, sign_in
from paytui.config.settings import Profile
from paytui.domain.models import Kind, Problem, Wallet, WalletId
from paytui.platform.clock import ServiceTime
from paytui.store.health import Link, LinkState
from paytui.store.store import Store
from tests.cli.findings import the, told
from tests.support.clock import NOON, ManualClock
from tests.tui.test_health import VITALS

FAILED = Problem("read payments", "503", remedy="Try again later.")


class TestTheClock:
    @pytest.mark.parametrize(
        ("ahead", "verdict", "words"),
        [
            (0, "ok", "matches the service's clock"),
            (3, "ok", "matches the service's clock"),
            (-90, "warning", "ahead of the service's"),
            (90, "warning", "behind the service's"),
        ],
    )
    def test_one_that_is_wrong_is_told_with_how_to_set_it(
        self, ahead: int, verdict: str, words: str
    ) -> None:
        host = ManualClock()
        time = ServiceTime(host)
        time.observe(NOON + timedelta(seconds=ahead), host.boot(), host.boot())
        finding = the(clock(time), "clock")
        assert finding.verdict.value == verdict
        assert words in finding.what
        assert ("NTP" in finding.remedy) == (verdict == "warning")

    def test_where_the_service_never_told_its_time_nothing_is_claimed(self) -> None:
        assert list(told(clock(ServiceTime(ManualClock())))) == [("clock", "not tried")]


class TestSignIn:
    def test_what_the_token_is_for_is_told(self) -> None:
        link = Link(LinkState.UP, services=("wallets", "trades"))
        profile = Profile(name="acme", base_url="https://api.acme.example", client_id="desk")
        vitals = replace(VITALS, sign_ins=1)
        finding = sign_in(profile, link, vitals)
        assert finding.what == "as desk, with a token for wallets, trades"


class TestReads:
    @pytest.fixture
    def store(self) -> Store:
        """All lists were read, and are empty."""
        store = Store()
        for kind in READS:
            store.set_feed(replace(store.feed(kind), as_of=NOON, read_at=1.0))
        return store

    def test_each_list_is_told_with_how_much_is_in_it(self, store: Store) -> None:
        finding = the(reads(store), "reads")
        assert finding.verdict.value == "ok"
        assert "0 payments" in finding.what
        assert "0 payment addresses" in finding.what

    def test_a_list_that_the_service_does_not_have_is_worth_knowing(self, store: Store) -> None:
        store.set_feed(replace(store.feed(Kind.TRADES), offered=False))
        missing, there = reads(store)
        assert missing.what == "the service has no list of trades"
        assert "paytui track" in missing.remedy
        assert "trades" not in there.what
        assert worst([missing, there]) == 0

    def test_what_is_tracked_instead_of_a_list_is_counted(self, store: Store) -> None:
        store.set_feed(replace(store.feed(Kind.WALLETS), offered=False, tracked=3))
        store.wallets.put([Wallet(WalletId("w1")), Wallet(WalletId("w2"))])
        missing, _ = reads(store)
        assert missing.what == "the service has no list of wallets (2 of 3 tracked shown)"

    def test_a_list_that_cannot_be_read_is_an_error(self, store: Store) -> None:
        store.set_feed(replace(store.feed(Kind.PAYMENTS), problem=FAILED))
        failed, there = reads(store)
        assert (failed.verdict.value, there.verdict.value) == ("error", "ok")
        assert "payments: Could not read payments: 503" in failed.what
        assert worst([failed, there]) == 5

    def test_of_a_service_that_lets_nobody_in_no_list_is_judged(self, store: Store) -> None:
        store.set_link(Link(LinkState.REFUSED, problem=FAILED))
        assert list(told(reads(store))) == [("reads", "not tried")]
