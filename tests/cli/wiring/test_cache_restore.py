"""A start restores only data of the same client of the same service."""

from __future__ import annotations

from pathlib import Path

import pytest

from paytui.cli.wiring.dashboard import restore_cache
from paytui.config.settings import CacheSettings, Profile, Settings
from paytui.domain.models import Kind
from paytui.store.cache.file import cache_path
from paytui.store.cache.write import CacheWriter
from paytui.store.health import Feed
from paytui.store.store import Store
from tests.support.clock import ManualClock
from tests.tui.book import wallet

SERVICE = "https://api.acme.example"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(autouse=True)
def left(tmp_path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache that a run of the client `desk` left."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    writer = CacheWriter(cache_path(SERVICE, "desk"))
    writer.keep(Kind.WALLETS, [wallet(1, "AUD desk", "1204330.15")], [])
    now = clock.now()
    writer.note(Feed(Kind.WALLETS, as_of=now, read_at=clock.boot(), total=1), now)
    writer.close()


def settings(*, client_id: str = "desk", service: str = SERVICE, enabled: bool = True) -> Settings:
    profile = Profile(name="acme", base_url=service, client_id=client_id)
    return Settings(profile=profile, cache=CacheSettings(enabled=enabled))


def known(store: Store) -> list[str]:
    return [row.wallet_id for row in store.wallets.rows()]


def test_what_the_same_client_knew_is_back_at_once(clock: ManualClock) -> None:
    store = Store()
    recall = restore_cache(settings(), store, clock)
    assert recall is not None
    assert recall.has_wallets
    assert known(store) == ["wal-1"]


@pytest.mark.parametrize(
    "other", [settings(client_id="other"), settings(service="https://demo.acme.example")]
)
def test_what_another_client_or_one_of_another_service_knew_is_not(
    other: Settings, clock: ManualClock
) -> None:
    store = Store()
    recall = restore_cache(other, store, clock)
    assert recall is not None
    assert not recall.has_wallets
    assert known(store) == []


def test_where_nothing_is_to_be_kept_nothing_is_brought_back(clock: ManualClock) -> None:
    store = Store()
    assert restore_cache(settings(enabled=False), store, clock) is None
    assert known(store) == []
