"""Records survive encoding and decoding, whatever they hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paytui.domain.models import Account, AccountId, Kind
from paytui.platform.text import clean
from paytui.store.cache.records import codec_of


def named(name: str) -> Account:
    """An account that bears this name in six places."""
    return Account(
        AccountId("a1"),
        display_name=name,
        first_name=name,
        middle_name=name,
        last_name=name,
        company_name=name,
        trading_name=name,
    )


@pytest.mark.slow
@given(st.text().map(clean), st.integers(1, 2_000))
def test_whatever_is_written_can_be_read(text: str, times: int) -> None:
    codec, account = codec_of(Kind.ACCOUNTS), named(clean(text * times))
    if (written := codec.write(account)) is not None:
        assert codec.identifier(codec.read(written)) == "a1"


@pytest.mark.parametrize("sign", ['"', "\\", "a"])
@pytest.mark.parametrize("times", [2_000, 20_000])
def test_only_what_no_service_sends_is_too_long_to_be_kept(sign: str, times: int) -> None:
    """Two of the signs take two characters in JSON, and no text is longer than 2,000."""
    codec = codec_of(Kind.ACCOUNTS)
    written = codec.write(named(sign * times))
    assert (written is None) == (times > 2_000)
    if written is not None:
        codec.read(written)
