"""A changed or new host behind a profile is reported before it is used."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from paytui.api.http.tls import Certificate
from paytui.cli.wiring.known_hosts import (
    MAX_REMEMBERED,
    HostMoved,
    KnownHost,
    known_host,
    verify_host,
)
from paytui.config.settings import Profile
from paytui.config.validation import ConfigError

ACME, ELSEWHERE = "https://api.acme.example", "https://api.acme-pay.example"
ENDS = datetime(2027, 2, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user who has met nobody yet."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "config.toml"
    file.touch()
    return file


def profile_at(base_url: str, config: Path, name: str = "acme") -> Profile:
    return Profile(name=name, base_url=base_url, client_id="desk", file=config)


def accepting(base_url: str, config: Path) -> Profile:
    """The same for a start at which somebody has said that whoever is there is right."""
    return replace(profile_at(base_url, config), accepts_new_host=True)


def certificate(digit: str, issuer: str = "Acme Trust", *, keys: str = "") -> Certificate:
    """A certificate, and a digit for each key of its authorities; by default the issuer's own."""
    return Certificate(digit * 64, issuer, ENDS, tuple(each * 64 for each in keys or issuer[0]))


class Memory:
    """The remembered host of a profile, and the messages about it."""

    def __init__(self, profile: Profile) -> None:
        self.told: list[str] = []
        found = known_host(profile, self.told.append)
        assert found is not None
        self.host: KnownHost = found


@pytest.fixture
def memory(config: Path) -> Memory:
    profile = profile_at(ACME, config)
    verify_host(profile)
    return Memory(profile)


class TestWhereAProfileLeads:
    def test_it_may_lead_where_it_led(self, config: Path) -> None:
        verify_host(profile_at(ACME, config))
        verify_host(profile_at(ACME, config))

    def test_elsewhere_it_is_refused_with_both_addresses_and_how_to_accept(
        self, config: Path
    ) -> None:
        verify_host(profile_at(ACME, config))
        with pytest.raises(HostMoved) as caught:
            verify_host(profile_at(ELSEWHERE, config))
        said = caught.value.format_message()
        assert f"used {ACME} before" in said
        assert f"its URL is now {ELSEWHERE}." in said
        assert "--accept-new-host" in said
        assert caught.value.exit_code == 6

    def test_and_refused_again_until_somebody_says_that_it_may(self, config: Path) -> None:
        verify_host(profile_at(ACME, config))
        for _ in range(2):
            with pytest.raises(HostMoved):
                verify_host(profile_at(ELSEWHERE, config))
        verify_host(accepting(ELSEWHERE, config))
        verify_host(profile_at(ELSEWHERE, config))

    @pytest.mark.parametrize("answer", [True, False])
    def test_at_a_terminal_it_is_asked(self, config: Path, answer: bool) -> None:
        asked: list[str] = []

        def ask(question: str) -> bool:
            asked.append(question)
            return answer

        verify_host(profile_at(ACME, config), ask=ask)
        assert asked == []
        if answer:
            verify_host(profile_at(ELSEWHERE, config), ask=ask)
        else:
            with pytest.raises(HostMoved):
                verify_host(profile_at(ELSEWHERE, config), ask=ask)
        if answer:
            verify_host(profile_at(ELSEWHERE, config), ask=ask)
        (question,) = asked
        assert ACME in question
        assert ELSEWHERE in question

    def test_from_one_sandbox_to_the_next_it_is_only_told(
        self, config: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for port in (8080, 8081):
            verify_host(replace(profile_at(f"http://127.0.0.1:{port}", config), live=False))
        assert "http://127.0.0.1:8080" in capsys.readouterr().err

    def test_where_real_money_moves_it_is_asked_on_this_machine_too(self, config: Path) -> None:
        verify_host(profile_at("http://127.0.0.1:8080", config))
        with pytest.raises(HostMoved):
            verify_host(profile_at("http://127.0.0.1:8081", config))

    @pytest.mark.parametrize(
        ("before", "now"),
        [
            ("http://127.0.0.1:8080", ACME),
            (ACME, "http://127.0.0.1:8080"),
            ("http://127.0.0.1:8080", "https://127.0.0.1:8443"),  # a tunnel to anywhere
            ("http://127.0.0.1:8080", "http://192.0.2.1:8080"),
        ],
    )
    def test_between_a_sandbox_and_a_service_it_is_asked(
        self, config: Path, before: str, now: str
    ) -> None:
        verify_host(replace(profile_at(before, config), live=False))
        with pytest.raises(HostMoved):
            verify_host(replace(profile_at(now, config), live=False))

    def test_what_connections_need_and_is_not_there_is_told_before_anything_else(
        self, config: Path
    ) -> None:
        verify_host(profile_at(ACME, config))
        profile = profile_at(ELSEWHERE, config)
        with pytest.raises(ConfigError, match="ca_file"):
            verify_host(replace(profile, ca_file=config.parent / "none.pem"))

    def test_profiles_of_other_names_and_other_files_are_others(
        self, config: Path, tmp_path: Path
    ) -> None:
        verify_host(profile_at(ACME, config))
        verify_host(profile_at(ELSEWHERE, config, name="other"))
        other = tmp_path / "other.toml"
        other.touch()
        verify_host(profile_at(ELSEWHERE, other))

    def test_a_profile_that_stands_in_no_file_leaves_nothing_behind(self, state: Path) -> None:
        verify_host(Profile(name="demo", base_url="http://127.0.0.1:1", client_id="demo"))
        assert not state.exists()


class TestWhatProvesTheHost:
    def test_the_first_is_taken_as_it_is(self, memory: Memory) -> None:
        assert memory.host.meet(certificate("a")) is None
        assert (memory.told, memory.host.news) == ([], "")

    def test_the_same_again_is_not_worth_a_word(self, memory: Memory) -> None:
        memory.host.meet(certificate("a"))
        memory.host.meet(certificate("a"))
        assert memory.told == []

    def test_a_new_one_of_the_same_authority_is_taken_and_told(self, memory: Memory) -> None:
        memory.host.meet(certificate("a"))
        assert memory.host.meet(certificate("b")) is None
        (said,) = memory.told
        assert said == memory.host.news
        assert "api.acme.example" in said
        assert "Acme Trust" in said
        assert "b" * 64 in said
        assert "2027-02-01" in said

    def test_one_of_another_authority_is_sent_nothing(self, memory: Memory) -> None:
        memory.host.meet(certificate("a"))
        for _ in range(2):
            objection = memory.host.meet(certificate("b", "Evil Trust"))
            assert objection is not None
            assert "Evil Trust, and was by Acme Trust" in objection.what
            assert "--accept-new-host" in objection.remedy

    def test_one_of_a_namesake_with_another_key_is_sent_nothing(
        self, memory: Memory, config: Path
    ) -> None:
        memory.host.meet(certificate("a", keys="1"))
        for host in (memory.host, Memory(profile_at(ACME, config)).host):
            objection = host.meet(certificate("b", keys="2"))
            assert objection is not None
            assert "another certificate authority named Acme Trust" in objection.what
            assert "--accept-new-host" in objection.remedy
            assert host.meet(certificate("c", keys="1")) is None

    def test_a_key_is_known_under_its_own_name_alone(self, memory: Memory, config: Path) -> None:
        memory.host.meet(certificate("a", keys="1"))
        pinned = replace(profile_at(ACME, config), certificate_sha256=("b" * 64,))
        later = Memory(pinned)
        assert later.host.meet(certificate("b", "Better Trust", keys="2")) is None
        assert later.host.meet(certificate("c", "Better Trust", keys="1")) is not None

    @pytest.mark.parametrize("keys", ["29", "18", "312"])
    def test_one_key_that_is_known_is_enough(self, memory: Memory, keys: str) -> None:
        """A root vouches for several keys, and several roots for one."""
        memory.host.meet(certificate("a", keys="19"))
        assert memory.host.meet(certificate("b", keys=keys)) is None

    @pytest.mark.usefixtures("memory")
    def test_the_key_of_the_root_stays_known_however_many_are_below_it(self, config: Path) -> None:
        for number in range(MAX_REMEMBERED * 2):
            digit = "0123456789abcdef"[number]
            later = Memory(profile_at(ACME, config)).host
            assert later.meet(certificate(digit, keys=f"{digit}R")) is None

    def test_one_that_is_pinned_is_taken_whoever_vouches_for_it_and_told(
        self, memory: Memory, config: Path
    ) -> None:
        memory.host.meet(certificate("a"))
        pinned = replace(profile_at(ACME, config), certificate_sha256=("b" * 64,))
        later = Memory(pinned)
        assert later.host.meet(certificate("b", "Better Trust")) is None
        assert "Better Trust" in later.host.news

    def test_and_is_taken_in_a_dashboard_that_runs_once_somebody_says_that_it_is_right(
        self, memory: Memory, config: Path
    ) -> None:
        memory.host.meet(certificate("a"))
        assert memory.host.meet(certificate("b", "Better Trust")) is not None
        accepts = accepting(ACME, config)
        verify_host(accepts)
        assert Memory(accepts).host.meet(certificate("b", "Better Trust")) is None
        assert memory.host.meet(certificate("b", "Better Trust")) is None

    def test_who_accepts_it_and_reaches_nobody_lets_nobody_else_into_one_that_runs(
        self, memory: Memory, config: Path
    ) -> None:
        memory.host.meet(certificate("a"))
        verify_host(accepting(ACME, config))
        objection = memory.host.meet(certificate("b", "Evil Trust"))
        assert objection is not None
        assert "was by Acme Trust" in objection.what
        assert memory.host.meet(certificate("c")) is None

    def test_nor_into_a_later_start_that_accepts_nobody(self, memory: Memory, config: Path) -> None:
        memory.host.meet(certificate("a"))
        verify_host(accepting(ACME, config))
        later = Memory(profile_at(ACME, config)).host
        objection = later.meet(certificate("b", "Evil Trust"))
        assert objection is not None
        assert "was by Acme Trust" in objection.what
        assert later.meet(certificate("c")) is None

    def test_who_was_accepted_is_the_one_that_later_starts_go_by(
        self, memory: Memory, config: Path
    ) -> None:
        memory.host.meet(certificate("a"))
        accepts = Memory(accepting(ACME, config)).host
        assert accepts.meet(certificate("b", "Better Trust")) is None
        for host in (accepts, Memory(profile_at(ACME, config)).host):
            assert host.meet(certificate("c", "Better Trust")) is None
            objection = host.meet(certificate("d"))
            assert objection is not None
            assert "by Acme Trust, and was by Better Trust" in objection.what

    def test_a_dashboard_goes_on_although_its_profile_is_led_elsewhere_meanwhile(
        self, memory: Memory, config: Path
    ) -> None:
        memory.host.meet(certificate("a"))
        verify_host(accepting(ELSEWHERE, config))
        assert memory.host.meet(certificate("a")) is None
        assert memory.host.meet(certificate("b")) is None
        assert len(memory.told) == 1
        assert memory.host.meet(certificate("c", "Evil Trust")) is not None
        verify_host(profile_at(ELSEWHERE, config))

    def test_nor_is_who_vouches_for_that_other_place_let_into_one_that_runs(
        self, memory: Memory, config: Path
    ) -> None:
        memory.host.meet(certificate("a"))
        verify_host(accepting(ELSEWHERE, config))
        Memory(profile_at(ELSEWHERE, config)).host.meet(certificate("b", "Evil Trust"))
        assert memory.host.meet(certificate("b", "Evil Trust")) is not None
        assert memory.host.meet(certificate("c")) is None

    def test_one_that_runs_knows_it_although_its_memory_is_gone(self, memory: Memory) -> None:
        memory.host.meet(certificate("a"))
        memory.host.path.unlink()
        assert memory.host.meet(certificate("b", "Evil Trust")) is not None
        assert memory.host.meet(certificate("c")) is None

    def test_several_in_turn_are_told_once_each(self, memory: Memory) -> None:
        for digit in "abcabcabc":
            memory.host.meet(certificate(digit))
        assert len(memory.told) == 2

    def test_what_is_remembered_does_not_grow_without_end(self, memory: Memory) -> None:
        for number in range(MAX_REMEMBERED * 3):
            memory.host.meet(certificate(f"{number:x}"[-1]))
        assert memory.host.path.stat().st_size < 2_000

    def test_it_is_remembered_from_one_run_to_the_next(self, memory: Memory, config: Path) -> None:
        memory.host.meet(certificate("a"))
        later = Memory(profile_at(ACME, config))
        later.host.meet(certificate("b"))
        assert len(later.told) == 1

    @pytest.mark.usefixtures("memory")
    def test_where_the_profile_leads_elsewhere_and_nobody_was_asked_nothing_is_sent(
        self, config: Path
    ) -> None:
        moved = Memory(profile_at(ELSEWHERE, config))
        objection = moved.host.meet(certificate("a"))
        assert objection is not None
        assert ACME in objection.what


class TestTheMemoryItself:
    def test_it_is_the_users_alone(self, memory: Memory) -> None:
        assert memory.host.path.stat().st_mode & 0o777 == 0o600
        assert memory.host.path.parent.stat().st_mode & 0o777 == 0o700

    @pytest.mark.parametrize(
        "damage",
        [
            "",
            "[]",
            "\xff",
            '{"base_url": 3, "certificates": [], "keys": {}}',
            f'{{"base_url": "{ACME}", "certificates": []}}',
            f'{{"base_url": "{ACME}", "certificates": "a", "keys": {{}}}}',
            f'{{"base_url": "{ACME}", "certificates": [], "keys": []}}',
            f'{{"base_url": "{ACME}", "certificates": [], "keys": {{"A": "1"}}}}',
        ],
    )
    def test_damage_is_told_with_what_to_do(
        self, memory: Memory, config: Path, damage: str
    ) -> None:
        memory.host.path.write_text(damage, encoding="latin-1")
        with pytest.raises(ConfigError, match=r"is damaged\. Check base_url"):
            verify_host(profile_at(ACME, config))
        assert memory.host.meet(certificate("a")) is not None

    def test_what_others_can_write_is_not_believed(self, memory: Memory, config: Path) -> None:
        memory.host.path.chmod(0o666)
        with pytest.raises(ConfigError, match="chmod 600"):
            verify_host(profile_at(ACME, config))

    def test_nor_is_what_a_link_leads_to(
        self, memory: Memory, config: Path, tmp_path: Path
    ) -> None:
        memory.host.path.rename(tmp_path / "elsewhere")
        memory.host.path.symlink_to(tmp_path / "elsewhere")
        with pytest.raises(ConfigError, match="cannot be read"):
            verify_host(profile_at(ACME, config))

    def test_where_nothing_can_be_kept_that_is_told_and_no_more(
        self, config: Path, state: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        state.touch()
        verify_host(profile_at(ACME, config))
        assert "cannot be saved" in capsys.readouterr().err
