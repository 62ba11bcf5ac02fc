"""Values of a file have their types; all mistakes are reported with their places."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest

from paytui.config.settings import ConfigFile
from paytui.config.validation import InvalidTree, validate
from paytui.domain.money import CurrencyCode, Pair

ACME: dict[str, object] = {"base_url": "https://a.example", "client_id": "acme"}


def told(tree: dict[str, object]) -> list[tuple[str, str]]:
    with pytest.raises(InvalidTree) as refused:
        validate(ConfigFile, tree)
    return [(".".join(one.key), one.message) for one in refused.value.mistakes]


def test_what_is_left_out_is_as_it_is_declared() -> None:
    file = validate(ConfigFile, {})
    assert (file.profiles, file.default_profile) == ({}, None)
    assert (file.polling.wallets, file.display.theme) == (timedelta(seconds=5), "dark")


def test_what_is_written_is_there_as_it_is_meant() -> None:
    file = validate(
        ConfigFile,
        {
            "profiles": {"acme": {**ACME, "live": False, "confirm_above": {"aud": "100.50"}}},
            "polling": {"wallets": "5m", "requests_per_minute": 60},
            "rates": {"watch": ["aud/usd"]},
            "alerts": {"notify": "bell"},
            "keys": {"list": {"sort": ["f6"]}},
        },
    )
    acme = file.profiles["acme"]
    assert (acme.live, acme.confirm_above) == (False, {"AUD": Decimal("100.50")})
    assert (file.polling.wallets, file.polling.requests_per_minute) == (timedelta(minutes=5), 60)
    aud_usd = Pair(CurrencyCode("AUD"), CurrencyCode("USD"))
    assert (file.rates.watch, file.alerts.notify) == ((aud_usd,), "bell")
    assert file.keys == {"list": {"sort": ["f6"]}}


def test_every_mistake_is_told_where_it_stands() -> None:
    profile = {"client_id": "acme", "secret_command": ["echo", "", 3]}
    assert sorted(
        told(
            {
                "profiles": {"acme": profile, "a b": ACME},
                "webhooks": {"port": 65_536, "prot": 1},
                "floors": {"AUD": "1", "": "1"},
                "alerts": {"notify": "bel"},
                "columns": {"trades": ["sold", "sould"]},
            }
        )
    ) == [
        ("alerts.notify", "must be 'bell', 'osc9', 'osc777' or 'off'"),
        ("columns.trades", "names no column of this list in place 2"),
        ("floors.", "must not be empty"),
        ("profiles.a b", "is not a name for a profile"),
        ("profiles.acme.base_url", "is missing"),
        ("profiles.acme.secret_command.1", "must not be empty"),
        ("profiles.acme.secret_command.2", "must be text in quotes"),
        ("webhooks.port", "must be a whole number from 1 to 65535"),
        ("webhooks.prot", "is not a key that paytui knows"),
    ]


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ({"display": 3}, "must be a table"),
        ({"profiles": ["acme"]}, "must be a table"),
        ({"rates": {"watch": "AUD/USD"}}, "must be a list"),
        ({"rates": {"watch": [True]}}, "must be text in quotes"),
        ({"default_profile": 3}, "must be text in quotes"),
        ({"webhooks": {"port": True}}, "must be a whole number from 1 to 65535"),
        ({"webhooks": {"port": 8787.0}}, "must be a whole number from 1 to 65535"),
        ({"webhooks": {"port": 0}}, "must be a whole number from 1 to 65535"),
        ({"webhooks": {"enabled": 1}}, "must be true or false"),
        ({"display": {"heartbeat": "of"}}, 'must be true or false, or "on" or "off"'),
        ({"floors": {"AUD": 0.5}}, "must be an amount in digits"),
        ({"polling": {"wallets": False}}, "must be a duration of more than 0 s and at most 24 h"),
    ],
)
def test_nothing_is_taken_for_what_it_is_not(tree: dict[str, object], message: str) -> None:
    assert [words for _, words in told(tree)] == [message]
