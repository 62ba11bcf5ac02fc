"""Processes of one user on one host share one token."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from paytui.api.errors import TokenLost
from paytui.api.http.token_file import SharedTokenCell, TokenFile
from paytui.platform.files import owner_key, take_lock
from tests.api.desk import Desk, Service
from tests.support.clock import ManualClock
from tests.support.virtual import VirtualLoop

OWNER = owner_key("https://api.example.com", "acme-desk")
Run = Callable[[Coroutine[object, object, None]], None]


class Neighbours:
    """Programs that share a file, on one service."""

    def __init__(self, clock: ManualClock, path: Path) -> None:
        self.clock = clock
        self.path = path
        self.service = Service(clock)
        self._count = 0

    def program(self, boot_id: str = "boot-1", *, patient: bool = True) -> Desk:
        self._count += 1
        file = TokenFile(self.path, OWNER, boot_id, self.clock)
        cell = SharedTokenCell(file, self.clock)
        return Desk(self.clock, self._count, service=self.service, cell=cell, patient=patient)


@pytest.fixture
def neighbours(clock: ManualClock, tmp_path: Path) -> Neighbours:
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    return Neighbours(clock, folder / "token")


@pytest.fixture
def run(clock: ManualClock) -> Iterator[Run]:
    loop = VirtualLoop(clock)
    yield loop.run_until_complete
    loop.close()


def test_the_second_program_takes_the_token_of_the_first(run: Run, neighbours: Neighbours) -> None:
    async def scene() -> None:
        assert await neighbours.program().token() == "token-1"
        assert await neighbours.program().token() == "token-1"

    run(scene())
    assert neighbours.service.asked == 1


def test_programs_that_start_together_ask_once(run: Run, neighbours: Neighbours) -> None:
    async def scene() -> None:
        programs = [neighbours.program() for _ in range(8)]
        tokens = await asyncio.gather(*(program.token() for program in programs))
        assert set(tokens) == {"token-1"}

    run(scene())
    assert neighbours.service.asked == 1


def test_an_hour_of_three_programs_takes_the_tokens_of_one_and_loses_none(
    run: Run, neighbours: Neighbours
) -> None:
    """A token lives 300 s and is renewed 45 to 75 s before: 14 to 16 in 3600 s, plus the first."""
    programs = [neighbours.program() for _ in range(3)]
    used: list[set[str]] = []

    async def scene() -> None:
        for _ in range(720):
            used.append({await program.token() for program in programs})
            await asyncio.sleep(5)

    run(scene())
    assert 14 <= neighbours.service.asked <= 17
    # The one who renews may not be the first to ask: then its neighbours differ for one round.
    assert all(len(tokens) <= 2 for tokens in used)
    assert not any(program.auth.health.contested for program in programs)


def test_a_token_that_a_neighbour_renewed_was_lost_to_nobody_else(
    run: Run, neighbours: Neighbours
) -> None:
    """Three 401 in five minutes would otherwise raise the warning, and each cost 30 to 60 s."""
    first, second = neighbours.program(), neighbours.program()

    async def scene() -> None:
        for number in range(1, 5):
            await first.token()
            async with second.auth.lease(post=False, urgent=False) as old:
                await asyncio.sleep(280)
                assert await first.token() == f"token-{number + 1}"
            second.auth.rejected(old, gone=False)
            assert await second.token() == f"token-{number + 1}"
            assert not second.auth.health.contested

    run(scene())


def test_a_401_while_a_neighbour_renews_waits_for_the_new_token(
    run: Run, neighbours: Neighbours
) -> None:
    """Between the service's answer and the file there is a moment in which nobody knows it.

    It is no loss to a rival: two real ones after it are not yet the three that are warned of.
    """
    first, second = neighbours.program(), neighbours.program()

    async def scene() -> None:
        await first.token()
        for _ in range(2):
            await second.token()
        async with second.auth.lease(post=False, urgent=False) as old:
            await asyncio.sleep(280)
            neighbours.service.takes = 2.0
            renewed = asyncio.create_task(first.token())
            await asyncio.sleep(1)
        second.auth.rejected(old, gone=False)
        assert await second.token() == await renewed == "token-2"
        neighbours.service.takes = 0.0
        for _ in range(2):
            await asyncio.sleep(30)
            await second.lose()

    run(scene())
    assert not second.auth.health.contested


def test_a_neighbour_that_is_stopped_in_the_middle_does_not_stop_us(
    run: Run, neighbours: Neighbours
) -> None:
    async def scene() -> None:
        began = neighbours.clock.boot()
        with os.fdopen(take_lock(Path(f"{neighbours.path}.lock"))):
            assert await neighbours.program().token() == "token-1"
        assert 30 <= neighbours.clock.boot() - began <= 60

    run(scene())


def test_after_a_rival_took_it_one_neighbour_asks_for_all(run: Run, neighbours: Neighbours) -> None:
    programs = [neighbours.program() for _ in range(4)]

    async def poll(program: Desk) -> float:
        began = neighbours.clock.boot()
        while True:
            with suppress(TokenLost):
                assert await program.token() == "token-2"
                return neighbours.clock.boot() - began
            await asyncio.sleep(1)

    async def scene() -> None:
        for program in programs:
            await program.token()
        await asyncio.sleep(5)
        for program in programs:
            await program.lose()
        waited = await asyncio.gather(*(poll(program) for program in programs))
        assert all(30 <= seconds <= 61 for seconds in waited)

    run(scene())
    assert neighbours.service.asked == 2


def test_a_token_that_was_dead_when_we_began_is_replaced_at_once(
    run: Run, neighbours: Neighbours
) -> None:
    async def scene() -> None:
        await neighbours.program().token()
        await asyncio.sleep(60)
        late = neighbours.program()
        await late.lose()
        assert await late.token() == "token-2"
        assert not late.auth.health.contested

    run(scene())


def test_an_answer_that_anybody_gets_does_not_prove_the_token(
    run: Run, neighbours: Neighbours
) -> None:
    async def scene() -> None:
        await neighbours.program().token()
        late = neighbours.program()
        for _ in range(3):
            await late.ask_in_vain()
        await late.lose()
        assert await late.token() == "token-2"
        assert not late.auth.health.contested

    run(scene())


def test_a_token_that_was_rejected_is_left_to_nobody(run: Run, neighbours: Neighbours) -> None:
    """Who starts then asks for a new one, and who found out takes that over at once."""
    first = neighbours.program()

    async def scene() -> None:
        await first.token()
        await asyncio.sleep(5)
        await first.lose()
        assert not neighbours.path.exists()
        assert await neighbours.program().token() == "token-2"
        assert await first.token() == "token-2"

    run(scene())
    assert neighbours.service.asked == 2


def test_a_newer_token_stays_where_an_old_one_is_rejected(run: Run, neighbours: Neighbours) -> None:
    first, second = neighbours.program(), neighbours.program()

    async def scene() -> None:
        await first.token()
        async with first.auth.lease(post=False, urgent=False) as old:
            await asyncio.sleep(301)
            assert await second.token() == "token-2"
        first.auth.rejected(old, gone=False)
        assert neighbours.path.exists()
        assert await neighbours.program().token() == "token-2"

    run(scene())


def test_a_command_asks_for_a_new_token_at_once_however_it_lost_one(
    run: Run, neighbours: Neighbours
) -> None:
    command = neighbours.program(patient=False)

    async def scene() -> None:
        for number in range(1, 7):
            assert await command.token() == f"token-{number}"
            await command.lose()
        with pytest.raises(TokenLost, match="token after token"):
            await command.token()

    run(scene())
    assert neighbours.service.asked == 6


def test_a_token_found_is_as_old_as_it_is(run: Run, neighbours: Neighbours) -> None:
    """However wrong the clock of the host is: 80 s are left, and then 20, where a POST needs 30."""

    async def scene() -> None:
        await neighbours.program().token()
        await asyncio.sleep(220)
        neighbours.clock.set_wall(neighbours.clock.now().replace(hour=3))
        late = neighbours.program()
        assert await late.token() == "token-1"
        remaining = late.auth.health.remaining
        assert remaining is not None
        assert 78 <= remaining.total_seconds() <= 80
        await asyncio.sleep(60)
        assert await late.token(post=True) == "token-2"

    run(scene())


def test_after_a_restart_of_the_host_a_new_token_is_asked_for(
    run: Run, neighbours: Neighbours
) -> None:
    async def scene() -> None:
        await neighbours.program().token()
        assert await neighbours.program(boot_id="boot-2").token() == "token-2"

    run(scene())


def test_a_damaged_file_is_told_and_mended_by_the_next_token(
    run: Run, neighbours: Neighbours
) -> None:
    neighbours.path.write_text("nonsense")
    neighbours.path.chmod(0o600)
    program = neighbours.program()

    async def scene() -> None:
        await program.token()
        assert await neighbours.program().token() == "token-1"

    run(scene())
    assert program.auth.health.unshared is None


def test_where_nothing_can_be_shared_there_is_a_token_all_the_same_and_a_reason(
    run: Run, neighbours: Neighbours
) -> None:
    neighbours.path.parent.chmod(0o777)
    program = neighbours.program()

    async def scene() -> None:
        assert await program.token() == "token-1"
        assert await program.token() == "token-1"

    run(scene())
    assert program.auth.health.unshared is not None
    assert "anyone can write" in program.auth.health.unshared
    assert str(neighbours.path) in program.auth.health.unshared
    assert not list(neighbours.path.parent.iterdir())
