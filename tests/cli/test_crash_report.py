"""A crash report holds enough to find the mistake and no business data."""

from __future__ import annotations

import re
import stat
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from paytui.platform.crash import ReportWriter, crash_message
from paytui.platform.files import NotPrivate, check_private
from tests.support.clock import NOON, ManualClock
from tests.support.commands import Paytui

SENTINEL = "s3nt1nel-hunter2"
ENVIRON = {
    "TERM": "xterm-256color",
    "LANG": "en_AU.UTF-8",
    "SSH_CONNECTION": f"192.0.2.1 50000 {SENTINEL} 22",
    "TMUX": f"/tmp/{SENTINEL}",  # noqa: S108
    "PAYTUI_CLIENT_SECRET": SENTINEL,
    "USER": SENTINEL,
}
HAPPENED = ("link up", "payments failed")


def broken(number: int = 3) -> None:
    token = SENTINEL
    raise ValueError(f"refused {token} {number}")


def raised() -> Exception:
    """An error whose words and variables are secret, after another of the same kind."""
    with pytest.raises(KeyError) as caught:
        fail_again()
    return caught.value


def fail_again() -> None:
    try:
        broken()
    except ValueError as error:
        raise KeyError(SENTINEL) from error


def reporter(folder: Path, environ: dict[str, str] | None = None) -> ReportWriter:
    return ReportWriter(folder, environ or ENVIRON, ManualClock(), HAPPENED)


def report_in(folder: Path) -> Path:
    (found,) = folder.glob("crash-*.txt")
    return found


def text_of(error: BaseException, folder: Path, on: Sequence[str] = ("Payments",)) -> str:
    reporter(folder)(error, on)
    return report_in(folder).read_text(encoding="utf-8")


def test_it_says_what_ran_where_and_what_was_on(tmp_path: Path) -> None:
    told = text_of(raised(), tmp_path / "state", ["Overview", "TicketScreen"])
    assert re.search(r"^paytui 0\.1\.0, a crash at 2026-03-02 12:00:00 UTC$", told, re.MULTILINE)
    assert re.search(r"^Python 3\.\d+\.\d+, Textual 8\.2\.8$", told, re.MULTILINE)
    assert "TERM=xterm-256color" in told
    assert "LANG=en_AU.UTF-8" in told
    assert "SSH_CONNECTION set" in told
    assert "TMUX set" in told
    assert "On: Overview, TicketScreen\n" in told


def test_it_names_errors_and_places_and_the_first_cause_first(tmp_path: Path) -> None:
    told = text_of(raised(), tmp_path / "state")
    found = re.findall(r"^(builtins\.\w+)|^  (\S+\.py):\d+ in (\w+)$", told, re.MULTILINE)
    assert [kind or name for kind, _, name in found] == [
        *("builtins.ValueError", "fail_again", "broken"),
        *("builtins.KeyError", "raised", "fail_again"),
    ]
    assert {file for _, file, _ in found if file} == {"test_crash_report.py"}


def test_a_long_chain_of_errors_is_cut_at_its_beginning(tmp_path: Path) -> None:
    error: Exception = KeyError()
    for _ in range(5_000):
        after = ValueError()
        after.__context__, error = error, after
    assert text_of(error, tmp_path / "state").count("builtins.") == 30


def test_an_error_that_was_taken_out_of_its_group_is_told_once_and_so_is_the_group(
    tmp_path: Path,
) -> None:
    with pytest.raises(LookupError) as caught:
        raise_the_first()
    told = text_of(caught.value, tmp_path / "state")
    assert re.findall(r"^builtins\.(\w+)$", told, re.MULTILINE) == ["ExceptionGroup", "LookupError"]


def raise_the_first() -> None:
    try:
        raise ExceptionGroup("of one", [LookupError()])
    except ExceptionGroup as group:
        raise group.exceptions[0]  # noqa: B904 - it is this that is tested


def test_of_groups_within_groups_no_more_is_told_than_of_a_chain(tmp_path: Path) -> None:
    error: Exception = ValueError()
    for _ in range(6):
        error = ExceptionGroup("", [error, ValueError(), KeyError()])
    for _ in range(5_000):
        error = ExceptionGroup("", [error])
    assert text_of(error, tmp_path / "state").count("builtins.") == 30


def test_a_place_of_ours_is_told_within_the_package(tmp_path: Path) -> None:
    with pytest.raises(NotPrivate) as caught:
        check_private(tmp_path.stat(), tmp_path, -1)
    told = text_of(caught.value, tmp_path / "state")
    assert re.search(r"^  paytui/platform/files\.py:\d+ in check_private$", told, re.MULTILINE)
    words = crash_message(caught.value, "")
    assert re.search(r": NotPrivate at paytui/platform/files\.py:\d+ in check_private\.\n", words)


def test_of_a_group_each_error_is_named(tmp_path: Path) -> None:
    told = text_of(ExceptionGroup(SENTINEL, [raised(), OSError(SENTINEL)]), tmp_path / "state")
    for kind in ("ValueError", "KeyError", "OSError", "ExceptionGroup"):
        assert f"builtins.{kind}\n" in told
    assert SENTINEL not in told


def test_it_names_what_happened_before(tmp_path: Path) -> None:
    assert told_after(text_of(raised(), tmp_path / "state"), "Previous events") == list(HAPPENED)


def told_after(text: str, words: str) -> list[str]:
    lines = text.splitlines()
    at = next(n for n, line in enumerate(lines) if words in line)
    return [line.strip() for line in lines[at + 1 :]]


def test_it_holds_no_message_no_variable_no_line_of_source_and_no_value(tmp_path: Path) -> None:
    told = text_of(raised(), tmp_path / "state")
    assert SENTINEL not in told
    assert "raise " not in told
    assert "192.0.2.1" not in told
    assert str(Path(__file__).parent) not in told


@pytest.mark.parametrize("odd", [f"x{SENTINEL} y", "../../etc", "A" * 99])
def test_what_is_no_name_of_a_terminal_or_language_is_not_repeated(
    tmp_path: Path, odd: str
) -> None:
    reporter(tmp_path / "state", {"TERM": odd, "LANG": odd})(raised(), [])
    told = report_in(tmp_path / "state").read_text(encoding="utf-8")
    assert odd not in told
    assert "TERM=(something else), LANG=(something else)" in told


def test_file_and_folder_are_the_users_alone_whatever_the_umask(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    text_of(raised(), folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(report_in(folder).stat().st_mode) == 0o600
    assert list(folder.iterdir()) == [report_in(folder)]


def test_where_the_report_is_is_told(tmp_path: Path) -> None:
    said = reporter(tmp_path / "state")(raised(), [])
    assert said.endswith(f"no payments: {report_in(tmp_path / 'state')}")


def test_a_folder_that_others_can_read_is_not_written_to(tmp_path: Path) -> None:
    shared = tmp_path / "state"
    shared.mkdir()
    shared.chmod(0o755)
    said = reporter(shared)(raised(), [])
    assert said == f"No crash report could be saved: {shared} can be read by others (mode 0755)."
    assert not list(shared.iterdir())


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = reporter(tmp_path / "file" / "state")(raised(), [])
    assert "No crash report could be saved: " in said


def test_the_ten_newest_are_kept(tmp_path: Path) -> None:
    clock = ManualClock()
    keep = ReportWriter(tmp_path / "state", ENVIRON, clock, ())
    for _ in range(13):
        clock.advance(60)
        keep(raised(), [])
    names = sorted(path.name for path in (tmp_path / "state").iterdir())
    assert len(names) == 10
    newest = NOON + timedelta(minutes=13)
    assert names[-1] == f"crash-{newest:%Y%m%dT%H%M%S%fZ}.txt"


BROKEN = """
import sys
from paytui.cli import main
from paytui.cli.commands import config
from paytui.config import load

def config_path(*_):
    token = {secret!r}
    raise LookupError(token)

load.config_path = config_path
sys.argv = ["paytui", "keys"]
main.main()
"""


def test_a_command_that_crashes_says_so_in_one_message_and_keeps_a_report(paytui: Paytui) -> None:
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-c", BROKEN.format(secret=SENTINEL)],
        env=paytui.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("paytui stopped because of an internal error: LookupError")
    assert "Traceback" not in done.stderr
    report = report_in(paytui.home / ".local" / "state" / "paytui")
    assert str(report) in done.stderr
    assert SENTINEL not in done.stderr + report.read_text(encoding="utf-8")
