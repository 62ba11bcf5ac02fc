"""The trading day, floors, reporting currency and alerts of a configuration."""

from __future__ import annotations

from datetime import time
from decimal import Decimal

import pytest

from tests.config.loader import MINIMAL, SENTINEL, Loader


class TestOverview:
    def test_a_day_begins_at_midnight_utc_where_nothing_else_is_said(self, load: Loader) -> None:
        assert str(load(MINIMAL).overview.day_starts) == "00:00 UTC"

    def test_a_day_begins_at_a_time_of_a_zone(self, load: Loader) -> None:
        day = load(f'{MINIMAL}[overview]\nday_starts = "07:00 Australia/Sydney"\n')
        assert day.overview.day_starts.at == time(7)
        assert str(day.overview.day_starts) == "07:00 Australia/Sydney"

    @pytest.mark.parametrize(
        ("written", "message"),
        [
            ("7:00 Australia/Sydney", "must be a time of day and a time zone"),
            ("24:00 UTC", "must be a time of day and a time zone"),
            ("07:00", "must be a time of day and a time zone"),
            (f"07:00 {SENTINEL}", "names no time zone that this machine knows"),
            ("07:00 ../../etc/passwd", "names no time zone that this machine knows"),
            ("07:00 Australia", "names no time zone that this machine knows"),
        ],
    )
    def test_a_day_that_begins_at_no_time_is_refused(
        self, load: Loader, written: str, message: str
    ) -> None:
        error = load.refusal(f'{MINIMAL}[overview]\nday_starts = "{written}"\n')
        assert (error.key, error.line, error.message) == ("overview.day_starts", 5, message)
        assert "07:00 Australia/Sydney" in error.remedy

    def test_a_reporting_currency_is_taken_in_capitals(self, load: Loader) -> None:
        settings = load(f'{MINIMAL}[overview]\nreporting_currency = "aud"\n')
        assert settings.overview.reporting_currency == "AUD"
        assert load(MINIMAL).overview.reporting_currency is None


class TestFloors:
    def test_a_floor_is_of_a_currency_or_of_a_wallet(self, load: Loader) -> None:
        settings = load(f'{MINIMAL}[floors]\naud = "10000"\nwal-77 = "2500.50"\n')
        assert settings.floors == {"AUD": Decimal(10000), "wal-77": Decimal("2500.50")}

    def test_a_floor_that_is_no_amount_is_refused_with_its_place(self, load: Loader) -> None:
        error = load.refusal(f'{MINIMAL}[floors]\nAUD = "a lot"\n')
        assert (error.key, error.line) == ("floors.AUD", 5)
        assert error.message == "must be an amount in digits"


class TestAlerts:
    def test_alerts_are_read_once_each_and_nobody_is_told_but_on_screen(self, load: Loader) -> None:
        when = '["aud/usd BID above 0.660", "AUD/USD bid above 0.660", "EUR/AUD mid below 1.6"]'
        alerts = load(f"{MINIMAL}[alerts]\nwhen = {when}\n").alerts
        assert [str(alert) for alert in alerts.when] == [
            "AUD/USD bid above 0.660",
            "EUR/AUD mid below 1.6",
        ]
        assert alerts.notify == "off"

    @pytest.mark.parametrize(
        ("written", "message"),
        [
            ("AUD/USD above 0.66", "must be four words"),
            (f"{SENTINEL} bid above 0.66", "names no pair of two currencies in word 1"),
            ("AUD/AUD bid above 0.66", "names no pair of two currencies in word 1"),
            ("AUD/USD bit above 0.66", "names no price in word 2"),
            ("AUD/USD bid over 0.66", "names no direction in word 3"),
            ("AUD/USD bid above 0", "names no rate above 0 in word 4"),
            ("AUD/USD bid above 0,66", "names no rate above 0 in word 4"),
            ("AUD/USD bid above nan", "names no rate above 0 in word 4"),
        ],
    )
    def test_what_is_no_alert_is_refused_with_its_place_and_word(
        self, load: Loader, written: str, message: str
    ) -> None:
        when = f'["AUD/USD bid above 0.66", "{written}"]'
        error = load.refusal(f"{MINIMAL}[alerts]\nwhen = {when}\n")
        assert (error.key, error.line, error.message) == ("alerts.when.1", 5, message)

    def test_an_unknown_way_to_tell_is_refused(self, load: Loader) -> None:
        error = load.refusal(f'{MINIMAL}[alerts]\nnotify = "{SENTINEL}"\n')
        assert error.key == "alerts.notify"
        assert error.message == "must be 'bell', 'osc9', 'osc777' or 'off'"
