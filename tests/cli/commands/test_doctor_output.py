"""The outcome of a doctor run: the worst of its results."""

from __future__ import annotations

import json

from paytui.cli.commands.doctor import as_json, summary, text_lines, worst
from paytui.cli.common import ExitCode, error, fine, not_tried, note, warning

GOOD = [fine("DNS", "it has an address"), note("terminal", "there is none")]
POOR = warning("clock", "a minute behind", "Set it.")
AWAY = error("TLS", "no connection", "Check the network.", ExitCode.UNREACHABLE)
REFUSED = error("sign in", "401", "Check the secret.", ExitCode.REFUSED)


def test_where_nothing_is_worse_than_a_note_all_is_well() -> None:
    assert worst(GOOD) == 0
    assert summary(GOOD) == "All good."


def test_a_warning_is_told_from_both() -> None:
    assert worst([*GOOD, POOR]) == 7
    assert summary([POOR, *GOOD]) == "1 warning."


def test_an_error_goes_before_warnings_and_the_first_before_the_others() -> None:
    assert worst([POOR, AWAY, *not_tried(["sign in"], "a connection"), REFUSED]) == 4
    assert worst([REFUSED, AWAY]) == 3
    assert summary([AWAY, POOR, REFUSED]) == "2 errors, 1 warning."


def test_what_to_do_stands_under_what_is_wrong() -> None:
    first, second = text_lines(AWAY, None).splitlines()
    assert first.split() == ["error", "TLS", "no", "connection"]
    assert second.strip() == "Check the network."
    assert second.index("Check") == first.index("no connection")
    assert "\n" not in text_lines(GOOD[0], None)


def test_on_a_narrow_terminal_words_stay_under_words() -> None:
    long = error("TLS", "no connection " * 6, "Run: chmod go-w /a/very/long/path", REFUSED.code)
    lines = text_lines(long, 80).splitlines()
    column = lines[0].index("no connection")
    assert len(lines) > 2
    assert all(len(line) <= 80 for line in lines)
    assert {line[:column].strip() for line in lines[1:]} == {""}
    assert lines[-1].strip() == "Run: chmod go-w /a/very/long/path"


def test_a_program_gets_one_object() -> None:
    told = json.loads(as_json([GOOD[0], AWAY]))
    assert told == {
        "exit_code": 4,
        "findings": [
            {"name": "DNS", "verdict": "ok", "what": "it has an address", "remedy": None},
            {
                "name": "TLS",
                "verdict": "error",
                "what": "no connection",
                "remedy": "Check the network.",
            },
        ],
    }
