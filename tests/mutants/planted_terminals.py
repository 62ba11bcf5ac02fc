"""Mistakes in how terminals are treated and crashes are told. Somebody could make each."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

REPORT = "tests/cli/test_crash_report.py"

MUTANTS = (
    Mutant(
        name="a mouse that is captured over SSH",
        file="paytui/config/settings.py",
        before='return direct if self.mouse == "auto" else self.mouse == "on"',
        after='return self.mouse != "off"',
        test="tests/config/test_mouse.py::test_it_is_ours_where_it_is_wanted",
    ),
    Mutant(
        name="a link that is not noticed",
        file="paytui/surroundings.py",
        before='ssh=bool(environ.get("SSH_CONNECTION")),',
        after='ssh=bool(environ.get("SSH_TTY")),',
        test="tests/test_surroundings.py::test_a_link_and_a_window_are_known_by_what_they_set",
    ),
    Mutant(
        name="keys of Textual's parser, which finds some in a paste",
        file="paytui/tui/keyboard.py",
        before='        if bracket:\n            self._pasted = ""\n',
        after="        yield from self._parser.feed(BRACKETED_PASTE_START) if bracket else ()\n",
        test="tests/tui/test_keyboard.py::test_whatever_is_pasted_is_text_however_it_comes",
    ),
    Mutant(
        name="a clipboard that ends its own paste, and has keys behind that",
        file="paytui/tui/keyboard.py",
        before="self._pasted, self._has_ended = None, True",
        after="self._pasted, self._has_ended = None, False",
        test="tests/tui/test_keyboard.py::test_an_end_bracket_in_what_is_pasted_frees_no_key",
    ),
    Mutant(
        name="a report with the message of the error",
        file="paytui/crash.py",
        before='    return f"{kind.__module__}.{kind.__qualname__}", places\n',
        after='    return f"{kind.__module__}.{kind.__qualname__}: {error}", places\n',
        test=f"{REPORT}::test_it_holds_no_message_no_variable_no_line_of_source_and_no_value",
    ),
    Mutant(
        name="a report that others on the machine can read",
        file="paytui/cli/crash_report.py",
        before='write_private(path, "\\n".join((*self._lines(error, on), "")))',
        after=(
            "self._folder.mkdir(mode=0o700); "
            'path.write_text("\\n".join((*self._lines(error, on), "")))'
        ),
        test=f"{REPORT}::test_file_and_folder_are_the_users_alone_whatever_the_umask",
    ),
    Mutant(
        name="a ctrl+c that is lost where one types",
        file="paytui/tui/widgets/typed_line.py",
        before=(
            "            if await self.app.run_action(found.binding.action, found.node):\n"
            "                event.stop()\n"
        ),
        after=(
            "            event.stop()\n"
            "            await self.app.run_action(found.binding.action, found.node)\n"
        ),
        test="tests/tui/wizards/test_many_keys_at_once.py::test_ctrl_c_quits_where_one_types",
    ),
    Mutant(
        name="a key that suspends though nobody asked for it",
        file="paytui/config/keys.py",
        before='Key(UNBOUND, "Suspend")',
        after='Key("ctrl+z", "Suspend")',
        test="tests/config/test_own_keys.py::test_nothing_suspends_unless_it_is_asked_for",
    ),
    Mutant(
        name="a byte that is no letter and ends the dashboard",
        file="paytui/tui/keyboard.py",
        before='getincrementaldecoder("utf-8")("replace")',
        after='getincrementaldecoder("utf-8")()',
        test=(
            "tests/tui/test_keyboard.py::test_bytes_that_are_no_utf8_are_a_sign_and_reading_goes_on"
        ),
    ),
)
