"""What all tests share."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from tests.support.seat import Seat

# How fast a machine is says nothing about whether the code is right. The same examples each time:
# whoever changes a line is told of what this line did. New ones are looked for with
# `--hypothesis-profile=deep`.
settings.register_profile("paytui", deadline=None, derandomize=True)
settings.register_profile("deep", deadline=None, max_examples=2_000)
settings.load_profile("paytui")

# What a shell starts in its background ignores ctrl+c, and so does whatever that starts in turn:
# tests that interrupt a command would wait for it for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def runtime_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tokens and what is known are never shared with the user's own processes."""
    folder = tmp_path_factory.mktemp("runtime")
    folder.chmod(0o700)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(folder))
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        yield


@pytest.fixture
def seat() -> Iterator[Seat]:
    """At the other side of a terminal."""
    from tests.support.seat import Seat

    seat = Seat()
    yield seat
    seat.close()
