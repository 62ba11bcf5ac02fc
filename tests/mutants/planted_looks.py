"""Mistakes in what is painted on which terminal. Somebody could make each in good faith."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

MUTANTS = (
    Mutant(
        name="a theme whose misspelt keys are passed over",
        file="paytui/tui/themes.py",
        before="    _refuse_unknown(file)\n",
        after="",
        test="tests/tui/test_themes.py::test_a_broken_theme_names_its_file_and_entry",
    ),
    Mutant(
        name="a text of Textual's own that is too faint",
        file="paytui/tui/themes.py",
        before='"text-disabled": "faint"',
        after='"text-disabled": "line"',
        test="tests/tui/test_readable.py::test_every_word_can_be_read_on_what_it_stands_on",
    ),
    Mutant(
        name="a theme of the user's that goes before the shipped one of its name",
        file="paytui/config/theme_files.py",
        before='                raise ConfigError(own, "", message, "Name it otherwise.")\n',
        after="                return own\n",
        test="tests/tui/test_own_themes.py::test_the_name_of_a_shipped_one_is_refused",
    ),
    Mutant(
        name="a theme that is read once and for all",
        file="paytui/tui/theme_watch.py",
        before="        before, self._seen = self._seen, _stamp(self._file)\n",
        after="        before = self._seen\n",
        test="tests/tui/test_own_themes.py::test_what_is_saved_is_seen_at_once",
    ),
    Mutant(
        name="a theme that is put on what is on top alone",
        file="paytui/tui/app.py",
        before="for each in self.screen_stack)",
        after="for each in self.screen_stack[-1:])",
        test=(
            "tests/tui/test_own_themes.py::"
            "test_one_that_is_written_anew_below_another_screen_is_seen_once_that_is_left"
        ),
    ),
    Mutant(
        name="a look at a theme that another cuts short",
        file="paytui/tui/dressed_app.py",
        before=(
            "            self._is_looking = True\n"
            "            look: WorkType[None] = self._look\n"
            '            self.run_worker(look, group="theme")\n'
        ),
        after=(
            "            look: WorkType[None] = self._look\n"
            '            self.run_worker(look, group="theme", exclusive=True)\n'
        ),
        test=(
            "tests/tui/test_own_themes.py::"
            "test_a_look_that_comes_while_one_is_under_way_loses_nothing"
        ),
    ),
    Mutant(
        name="a NO_COLOR that counts though it is empty",
        file="paytui/tui/colours.py",
        before='environ.get("NO_COLOR") or',
        after='"NO_COLOR" in environ or',
        test=(
            "tests/tui/test_colours.py::"
            "test_no_color_goes_before_what_the_terminal_can_unless_it_is_empty"
        ),
    ),
    Mutant(
        name="a NO_COLOR that goes before what the configuration says",
        file="paytui/tui/dressed_app.py",
        before=(
            "        self._filters = "
            "[each for each in self._filters if isinstance(each, ANSIToTruecolor)]\n"
        ),
        after="",
        test="tests/tui/test_colours.py::test_no_color_is_ours_to_heed_where_colours_are_said",
    ),
    Mutant(
        name="true colours through a screen that has none",
        file="paytui/tui/colours.py",
        before=" and not within_screen",
        after="",
        test="tests/tui/test_colours.py::test_a_true_colour_does_not_pass_screen_but_tmux",
    ),
    Mutant(
        name="256 colours of which the first sixteen are anybody's",
        file="paytui/tui/plain_colours.py",
        before="_OF_CUBE = 16\n",
        after="_OF_CUBE = 0\n",
        test=(
            "tests/tui/test_colours.py::"
            "test_of_256_only_those_are_painted_that_look_alike_everywhere"
        ),
    ),
    Mutant(
        name="a theme of many colours on a terminal that has none",
        file="paytui/tui/dressing.py",
        before="    if scheme.needs > mode:\n",
        after="    if mode is ColourMode.SIXTEEN:\n",
        test="tests/tui/test_colours.py::test_without_colours_there_is_not_one_code_of_a_colour",
    ),
    Mutant(
        name="a row under the cursor that is patched with colours",
        file="paytui/tui/plain_colours.py",
        before="            ink = ink.without_color\n",
        after="            pass\n",
        test="tests/tui/test_colours.py::test_the_row_of_the_cursor_is_of_one_colour_on_sixteen",
    ),
    Mutant(
        name="a bar in whatever colour with white words",
        file="paytui/tui/tint.py",
        before="max(INKS, key=lambda ink: _contrast(ink, ground))",
        after="INKS[0]",
        test="tests/tui/test_tint.py::test_words_can_be_read_on_a_bar_of_any_colour",
    ),
    Mutant(
        name="a badge by whose colour alone real money is known",
        file="paytui/tui/widgets/status_bar.py",
        before='f" {name.upper()} LIVE ", "bold white on $live"',
        after='f" {name} test ", "bold white on $live"',
        test=(
            "tests/tui/test_accessibility.py::"
            "test_everything_else_that_can_be_so_or_so_is_told[profiles]"
        ),
    ),
    Mutant(
        name="a C locale that Python calls UTF-8",
        file="paytui/tui/characters.py",
        before='    names = ("LC_ALL", "LANG") if coerced else ("LC_ALL", "LC_CTYPE", "LANG")\n',
        after='    names = ("LC_ALL", "LC_CTYPE", "LANG")\n',
        test=(
            "tests/tui/test_characters.py::"
            "test_what_python_makes_of_the_c_locale_says_nothing_of_the_terminal"
        ),
    ),
    Mutant(
        name="a wide letter that takes one cell in ASCII",
        file="paytui/tui/characters.py",
        before="_UNKNOWN * cells",
        after="_UNKNOWN",
        test=(
            "tests/tui/test_characters.py::"
            "test_whatever_a_service_sends_takes_as_many_cells_as_before"
        ),
    ),
)
