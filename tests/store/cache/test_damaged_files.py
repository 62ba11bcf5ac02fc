"""A cache is used only if all of it is ours; otherwise a new one is made."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from paytui.domain.models import Kind, Wallet, WalletId
from paytui.store.cache.file import CacheUnusable, cache_path
from paytui.store.cache.write import CacheWriter
from paytui.store.store import Store
from tests.store.cache.conftest import CacheFile
from tests.support.spoilt_files import a_link, a_pipe, open_to_others

GOOD = [Wallet(WalletId(f"wal-{number}"), wallet_name="desk") for number in range(1_200)]


def known(store: Store) -> int:
    return sum(len(store.table(kind)) for kind in Kind)


def change(cache: CacheFile, sql: str, *values: object) -> None:
    connection = sqlite3.connect(cache.path)
    connection.execute(sql, values)
    connection.commit()
    connection.close()


# It comes last, after slices of good ones.
BODY = '["wal-0",null,"AUD","desk",null,["active",false,true,false],"1.00",null,null,null,null]'


@pytest.mark.parametrize(
    "body",
    [
        BODY.replace('"desk"', '"\\u001b[2Jdesk"'),
        BODY.replace('"desk"', '"\\u202edesk"'),
        BODY.replace('"desk"', "7"),
        BODY.replace('"desk"', '["desk"]'),
        BODY.replace('"desk"', f'"{"x" * 2_001}"'),
        BODY.replace('"1.00"', "1.00"),
        BODY.replace('"1.00"', '"NaN"'),
        BODY.replace('"1.00"', '"1e9999999"'),
        BODY.replace('"1.00"', f'"{"9" * 61}"'),
        BODY.replace('"wal-0"', '""'),
        BODY.replace('"wal-0"', "null"),
        BODY.replace("false,true,", "0,1,"),
        BODY.replace("null]", '"2026-03-01T00:00:00"]'),
        BODY.replace("null]", '"2026-03-01T00:00:00+02:00"]'),
        BODY.replace("null]", "null,null]"),
        "[" * 15_000,
        "[]",
        "{}",
        "",
        "x" * 70_000,
        7,
        b"\xff",
    ],
    ids=lambda body: str(body)[:60],
)
def test_one_record_that_we_would_not_have_written_is_enough(
    cache: CacheFile, body: object
) -> None:
    cache.left_with(*GOOD)
    change(cache, "UPDATE records SET body = ? WHERE id = 'wal-0'", body)
    store, recall = cache.recalled()
    assert recall.failed
    assert known(store) == 0
    assert not store.feed(Kind.WALLETS).cached


def test_the_record_that_these_are_made_of_is_a_good_one(cache: CacheFile) -> None:
    cache.left_with(*GOOD)
    change(cache, "UPDATE records SET body = ? WHERE id = 'wal-0'", BODY)
    assert known(cache.recalled()[0]) == len(GOOD)


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("UPDATE feeds SET as_of = ?", "yesterday"),
        ("UPDATE feeds SET read_at = ?", "2026-03-01T00:00:00"),
        ("UPDATE feeds SET total = ?", "many"),
        ("UPDATE feeds SET skipped = ?", "some"),
        ("UPDATE feeds SET cut = ?", "perhaps"),
        ("UPDATE feeds SET kind = ?", "passwords"),
        ("UPDATE format SET signature = ?", "of another paytui"),
        ("ALTER TABLE records RENAME TO others -- ?", None),
    ],
)
def test_nor_is_anything_else_of_it_guessed(cache: CacheFile, sql: str, value: object) -> None:
    cache.left_with(*GOOD)
    change(cache, sql.removesuffix(" -- ?"), *([] if value is None else [value]))
    store, recall = cache.recalled()
    assert recall.failed
    assert known(store) == 0


def cut_off(path: Path) -> None:
    os.truncate(path, 5_000)


def other_bytes(path: Path) -> None:
    path.write_bytes(b"not a database at all" * 500)


def folder_open_to_others(path: Path) -> None:
    path.parent.chmod(0o755)


@pytest.mark.parametrize(
    "spoil",
    [cut_off, other_bytes, open_to_others, folder_open_to_others, a_link, a_pipe, os.unlink],
)
def test_a_file_that_is_not_ours_alone_is_none(
    cache: CacheFile, spoil: Callable[[Path], None]
) -> None:
    cache.left_with(*GOOD)
    spoil(cache.path)
    store, recall = cache.recalled()
    assert recall.failed
    assert known(store) == 0


@pytest.mark.parametrize("spoil", [other_bytes, open_to_others, a_link])
def test_what_cannot_be_used_is_made_anew(cache: CacheFile, spoil: Callable[[Path], None]) -> None:
    cache.left_with(*GOOD)
    spoil(cache.path)
    CacheWriter(cache.path, anew=True).close()
    assert known(cache.recalled()[0]) == 0
    cache.left_with(GOOD[0])
    assert cache.recalled()[0].wallets.rows() == [GOOD[0]]


def test_folder_and_files_are_the_users_alone_from_the_first_moment(tmp_path: Path) -> None:
    path = tmp_path / "home" / "cache" / "paytui" / "x.cache.sqlite"
    before = os.umask(0)
    try:
        writer = CacheWriter(path)
        writer.keep(Kind.WALLETS, GOOD[:500], [])
        modes = {file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    finally:
        os.umask(before)
    writer.close()
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert modes == {0o600}


def test_one_process_writes_and_another_still_reads(cache: CacheFile) -> None:
    writer = CacheWriter(cache.path)
    with pytest.raises(CacheUnusable):
        CacheWriter(cache.path, anew=True)
    writer.keep(Kind.WALLETS, GOOD[:1], [])
    assert not cache.recalled()[1].failed
    writer.close()
    CacheWriter(cache.path).close()


def test_each_service_and_client_has_a_cache_of_its_own() -> None:
    paths = {cache_path(url, client) for url in ("https://a", "https://b") for client in "xy"}
    assert len(paths) == 4
    assert not any(word in str(path.name) for path in paths for word in ("https", "//"))
