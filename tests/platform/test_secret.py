"""Sources of a client secret, which is shown nowhere."""

from __future__ import annotations

import os
import pickle
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from paytui.cli.wiring.secrets import find_source
from paytui.config.settings import Profile
from paytui.platform.secret import (
    Secret,
    SecretCommand,
    SecretError,
    SecretFile,
    SecretPrompt,
    SecretSource,
    SecretVariable,
)
from tests.support.deadline import eventually
from tests.support.processes import is_running

SENTINEL = "s3nt1nel-hunter2"


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", code)


@pytest.fixture
def secret_file(tmp_path: Path) -> Path:
    path = tmp_path / "acme.secret"
    path.write_text(f"{SENTINEL}\nsecond line\n")
    path.chmod(0o600)
    return path


def refuse_to_ask(question: str) -> str:
    raise AssertionError(f"asked {question!r}")


ACME = Profile(
    name="acme", base_url="https://api.example.com", client_id="acme-desk", file=Path("c.toml")
)


def source(
    *,
    name: str = "acme",
    command: tuple[str, ...] = (),
    file: Path | None = None,
    environ: dict[str, str] | None = None,
) -> SecretSource:
    profile = replace(ACME, name=name, secret_command=command, secret_file=file)
    return find_source(profile, environ or {}, refuse_to_ask)


def test_a_secret_shows_a_mask_and_cannot_be_pickled() -> None:
    secret = Secret(SENTINEL)

    assert SENTINEL not in f"{secret} {secret!r} {[secret]}"
    assert secret.reveal() == SENTINEL
    with pytest.raises(TypeError):
        pickle.dumps(secret)


class TestOrder:
    def test_the_command_goes_before_everything(self, secret_file: Path) -> None:
        environ = {"PAYTUI_CLIENT_SECRET": "no"}
        found = source(command=("pass", "show"), file=secret_file, environ=environ)
        assert found.origin == "secret_command (pass)"

    def test_the_file_goes_before_the_environment(self, secret_file: Path) -> None:
        found = source(file=secret_file, environ={"PAYTUI_CLIENT_SECRET": "no"})
        assert found.origin == f"secret_file ({secret_file})"

    def test_the_variable_of_the_profile_goes_before_the_general_one(self) -> None:
        environ = {"PAYTUI_CLIENT_SECRET": "no", "PAYTUI_ACME_2_CLIENT_SECRET": SENTINEL}
        found = source(name="acme-2", environ=environ)
        assert found.origin == "environment PAYTUI_ACME_2_CLIENT_SECRET"
        assert found.read().reveal() == SENTINEL

    def test_the_environment_goes_before_the_prompt(self) -> None:
        found = source(environ={"PAYTUI_CLIENT_SECRET": SENTINEL})
        assert found.origin == "environment PAYTUI_CLIENT_SECRET"
        assert found.read().reveal() == SENTINEL

    def test_an_empty_variable_is_no_source(self) -> None:
        assert source(environ={"PAYTUI_CLIENT_SECRET": ""}).origin == "prompt"

    def test_without_any_source_and_terminal_the_error_names_the_ways_out(self) -> None:
        with pytest.raises(SecretError) as caught:
            find_source(ACME, {}, None)
        assert "c.toml: profiles.acme.secret_command: is missing" in str(caught.value)
        assert "secret_command" in caught.value.remedy
        assert "PAYTUI_ACME_CLIENT_SECRET" in caught.value.remedy

    def test_a_failure_names_the_entry_that_it_comes_from(self, tmp_path: Path) -> None:
        with pytest.raises(SecretError, match=r"^c\.toml: profiles\.acme\.secret_file \(.*gone\)"):
            source(file=tmp_path / "gone").read()
        with pytest.raises(
            SecretError, match=r"^c\.toml: profiles\.acme\.secret_command \(no-such"
        ):
            source(command=("no-such-program",)).read()
        with pytest.raises(SecretError, match=r"^c\.toml: profiles\.acme\.secret_command \(true\)"):
            source(command=("true",)).read()

    def test_no_source_shows_the_secret_in_its_origin_or_repr(self, secret_file: Path) -> None:
        for found in (
            SecretCommand(python(f"print('{SENTINEL}')")),
            SecretFile(secret_file),
            SecretVariable("PAYTUI_CLIENT_SECRET", {"PAYTUI_CLIENT_SECRET": SENTINEL}),
        ):
            assert found.read().reveal() == SENTINEL
            assert SENTINEL not in found.origin
        variable = SecretVariable("PAYTUI_CLIENT_SECRET", {"PAYTUI_CLIENT_SECRET": SENTINEL})
        assert SENTINEL not in repr(variable)


class TestCommand:
    def test_its_first_line_is_the_secret(self) -> None:
        command = SecretCommand(python(f"print('{SENTINEL}'); print('more')"))
        assert command.read().reveal() == SENTINEL

    def test_it_is_asked_again_each_time_so_that_a_rotated_secret_is_found(
        self, tmp_path: Path
    ) -> None:
        file = tmp_path / "now"
        command = SecretCommand(python(f"print(open({str(file)!r}).read())"))
        file.write_text("old")
        assert command.read().reveal() == "old"
        file.write_text("new")
        assert command.read().reveal() == "new"

    @pytest.mark.parametrize(
        ("argv", "reveals"),
        [
            (("sh", "-c", f"echo {SENTINEL}"), True),
            (("env", "echo", SENTINEL), True),
            (("busybox", "printf", "%s", SENTINEL), True),
            (("echo", SENTINEL), True),
            (("pass", "show", "paytui/acme"), False),
        ],
    )
    def test_a_secret_among_its_arguments_is_given_away_whatever_program_it_is(
        self, argv: tuple[str, ...], reveals: bool
    ) -> None:
        assert SecretCommand(argv).reveals(Secret(SENTINEL)) is reveals

    def test_no_shell_reads_its_arguments(self, tmp_path: Path) -> None:
        spoiled = tmp_path / "spoiled"
        command = SecretCommand(("echo", f"$(touch {spoiled})", ";", "touch", str(spoiled)))
        assert command.read().reveal() == f"$(touch {spoiled}) ; touch {spoiled}"
        assert not spoiled.exists()

    def test_one_that_hangs_is_ended_with_what_it_started(self, tmp_path: Path) -> None:
        pid_file = tmp_path / "pid"
        code = f"sleep 600 & echo $! > {pid_file}; wait"
        with pytest.raises(SecretError, match=r"did not finish within 2 s"):
            SecretCommand(("sh", "-c", code), timeout=2).read()
        child = int(pid_file.read_text())
        eventually(lambda: not is_running(child))

    def test_a_failure_is_told_without_what_it_printed(
        self, capfd: pytest.CaptureFixture[str]
    ) -> None:
        code = f"import sys; print('{SENTINEL}'); sys.exit('{SENTINEL}')"
        with pytest.raises(SecretError, match="ended with exit status 1") as caught:
            SecretCommand(python(code)).read()
        printed = capfd.readouterr()
        assert SENTINEL not in f"{caught.value}{printed.out}{printed.err}"

    def test_a_program_that_is_not_there_is_named(self) -> None:
        with pytest.raises(SecretError, match=r"secret_command \(no-such-program\): cannot be run"):
            SecretCommand(("no-such-program", SENTINEL)).read()

    def test_it_cannot_read_the_keys_meant_for_us(self) -> None:
        command = SecretCommand(python("import sys; print('read:' + sys.stdin.read())"))
        assert command.read().reveal() == "read:"

    @pytest.mark.parametrize("code", ["pass", "print()", "print('  ')"])
    def test_one_that_prints_nothing_is_refused(self, code: str) -> None:
        with pytest.raises(SecretError, match="holds no secret in its first line"):
            SecretCommand(python(code)).read()

    def test_bytes_that_are_no_text_are_refused(self) -> None:
        code = "import sys; sys.stdout.buffer.write(b'\\xff\\xfe')"
        with pytest.raises(SecretError, match="is not UTF-8 text"):
            SecretCommand(python(code)).read()


class TestFile:
    def test_its_first_line_is_the_secret(self, secret_file: Path) -> None:
        assert SecretFile(secret_file).read().reveal() == SENTINEL

    def test_a_line_end_of_another_system_is_no_part_of_it(self, secret_file: Path) -> None:
        secret_file.write_bytes(f"{SENTINEL}\r\n".encode())
        assert SecretFile(secret_file).read().reveal() == SENTINEL

    def test_mode_0400_is_as_good(self, secret_file: Path) -> None:
        secret_file.chmod(0o400)
        assert SecretFile(secret_file).read().reveal() == SENTINEL

    @pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o610, 0o777])
    def test_one_that_others_can_reach_is_refused_with_the_remedy(
        self, secret_file: Path, mode: int
    ) -> None:
        secret_file.chmod(mode)
        with pytest.raises(SecretError) as caught:
            SecretFile(secret_file).read()
        assert f"mode 0{mode:o}" in caught.value.message
        assert caught.value.remedy == f"Run: chmod 600 {secret_file}"
        assert SENTINEL not in str(caught.value)

    def test_one_of_another_user_is_refused(
        self, secret_file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        somebody_else = secret_file.stat().st_uid + 1
        monkeypatch.setattr("os.geteuid", lambda: somebody_else)
        with pytest.raises(SecretError, match="belongs to another user"):
            SecretFile(secret_file).read()

    def test_a_symbolic_link_is_not_followed(self, secret_file: Path) -> None:
        link = secret_file.with_name("link")
        link.symlink_to(secret_file)
        with pytest.raises(SecretError, match="is a symbolic link"):
            SecretFile(link).read()

    def test_a_pipe_is_refused_at_once(self, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe, 0o600)
        with pytest.raises(SecretError, match="is not a regular file"):
            SecretFile(pipe).read()

    def test_a_folder_is_refused(self, tmp_path: Path) -> None:
        folder = tmp_path / "folder"
        folder.mkdir(mode=0o700)
        with pytest.raises(SecretError, match="is not a regular file"):
            SecretFile(folder).read()

    def test_one_that_is_missing_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(SecretError, match=r"nowhere\): cannot be read: No such file"):
            SecretFile(tmp_path / "nowhere").read()

    def test_one_that_is_endless_is_refused(self, secret_file: Path) -> None:
        secret_file.write_text("x" * 5000)
        with pytest.raises(SecretError, match="is longer than 4096 bytes"):
            SecretFile(secret_file).read()


class TestPrompt:
    def test_it_asks_once_and_remembers(self) -> None:
        questions: list[str] = []

        def ask(question: str) -> str:
            questions.append(question)
            return SENTINEL

        found = find_source(ACME, {}, ask)
        assert [found.read().reveal(), found.read().reveal()] == [SENTINEL, SENTINEL]
        assert questions == ["Client secret of acme: "]

    def test_an_empty_answer_is_refused(self) -> None:
        with pytest.raises(SecretError, match="holds no secret"):
            SecretPrompt("?", lambda _: "").read()
