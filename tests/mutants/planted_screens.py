"""Mistakes in what screens and forms say. Somebody could make each in good faith."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

MUTANTS = (
    Mutant(
        name="a countdown that counts its ticks",
        file="paytui/tui/widgets/countdown_cell.py",
        before="        shown = Content() if left is None else _content(left)\n",
        after=(
            "        if left is not None:\n"
            "            self._counted = getattr(self, '_counted', left + timedelta(seconds=1))\n"
            "            self._counted -= timedelta(seconds=1)\n"
            "        shown = Content() if left is None else _content(self._counted)\n"
        ),
        test="tests/tui/test_rates.py::test_a_host_clock_that_is_wrong_does_not_prolong_a_sheet",
    ),
    Mutant(
        name="a timeline that claims what a rejected payment has been through",
        file="paytui/tui/details/journeys.py",
        before="            before = self.path[:1]\n",
        after="            before = self.path\n",
        test="tests/tui/test_timeline.py::test_a_rejected_payment_claims_nothing_of_where_it_was",
    ),
    Mutant(
        name="a cursor that stays at its place and not on its fact",
        file="paytui/tui/widgets/fact_sheet.py",
        before="            self._cursor = self._found_again(before)\n",
        after="            self._cursor = min(self._cursor, len(self._facts) - 1)\n",
        test="tests/tui/test_links.py::test_the_cursor_stays_on_its_line_while_lines_come_in_above",
    ),
    Mutant(
        name="an alert that is judged by a sheet that has ended",
        file="paytui/tui/alerts.py",
        before=" or sheet_left(self._time, sheet) <= timedelta(0)",
        after="",
        test="tests/tui/test_alerts.py::test_a_sheet_that_has_ended_is_not_judged_by",
    ),
    Mutant(
        name="an alert that fires again while a rate stays about its level",
        file="paytui/tui/alerts.py",
        before="beyond < -BACK_BY",
        after="beyond <= 0",
        test=(
            "tests/tui/test_alerts.py::"
            "test_a_rate_that_stays_about_its_level_is_no_news_until_it_has_come_back"
        ),
    ),
    Mutant(
        name="a day that does not end while nothing else changes",
        file="paytui/tui/panels/today.py",
        before="            self.call_later(self.pull)\n",
        after="            pass\n",
        test=(
            "tests/tui/panels/test_today.py::"
            "test_a_new_day_begins_with_nothing_although_nothing_else_changed"
        ),
    ),
    Mutant(
        name="terms that nobody accepted",
        file="paytui/tui/forms/individual.py",
        before="=yes_or_no(draft, TERMS)",
        after="=yes_or_no(draft, TERMS) is not False",
        test=(
            "tests/tui/forms/test_account_requests.py::test_nothing_that_was_not_filled_in_is_asked"
        ),
    ),
    Mutant(
        name="a trust that goes out for who is no trustee",
        file="paytui/tui/forms/individual.py",
        before="return yes_or_no(draft, TRUSTEE) is True",
        after="return True",
        test=(
            "tests/tui/forms/test_account_requests.py::"
            "test_what_was_filled_in_of_a_trust_stays_here_for_who_is_no_trustee"
        ),
    ),
    Mutant(
        name="an account number that is copied with the spaces that it is read by",
        file="paytui/tui/details/deposit.py",
        before="groups(text)), text)",
        after="groups(text)), text and groups(text))",
        test=(
            "tests/tui/test_deposits.py::"
            "test_numbers_are_shown_in_groups_and_spelled_and_copied_as_they_came"
        ),
    ),
    Mutant(
        name="a toast whose time may be over before it begins",
        file="paytui/tui/toasting_app.py",
        before="return max(self._left, SHORTEST)",
        after="return self._left",
        test=(
            "tests/tui/test_toasting_app.py::"
            "test_one_whose_time_is_over_before_it_is_shown_ends_and_nothing_hangs"
        ),
    ),
    Mutant(
        name="a toast that goes by a clock that is set",
        file="paytui/tui/toasting_app.py",
        before=(
            "        self.raised_at = self.clock.monotonic()\n\n"
            "    @property\n"
            "    def _left(self) -> float:\n"
            "        return self.raised_at + self.timeout - self.clock.monotonic()\n"
        ),
        after=(
            "        self.raised_at = self.clock.now().timestamp()\n\n"
            "    @property\n"
            "    def _left(self) -> float:\n"
            "        return self.raised_at + self.timeout - self.clock.now().timestamp()\n"
        ),
        test=(
            "tests/tui/test_toasting_app.py::"
            "test_one_is_shown_though_the_host_is_set_just_before[forward]"
        ),
    ),
    Mutant(
        name="a screen that is painted a while after it is ready",
        file="paytui/tui/app.py",
        before="        self.paint_switched()\n",
        after="",
        test="tests/tui/test_switching_app.py::test_a_number_waits_for_nothing_but_its_screen",
    ),
    Mutant(
        name="a cursor that makes all cells on view anew",
        file="paytui/tui/widgets/ledger.py",
        before="        if self._move_on():\n            self.settle_cursor()",
        after="        if self._move_on():\n            self.settle()",
        test="tests/tui/test_repaint.py::test_a_cursor_that_moves_in_view_makes_no_cell_anew",
    ),
    Mutant(
        name="a line whose neighbours are rendered with it",
        file="paytui/tui/compositor.py",
        before="rows = Region(0, crop.y, self.size.width, crop.height)",
        after="rows = self.size.region",
        test=(
            "tests/tui/test_compositor.py::"
            "test_a_key_renders_no_widget_but_those_whose_lines_change"
        ),
    ),
    Mutant(
        name="a part that is painted before all of it is",
        file="paytui/tui/screens/frame.py",
        before="self._is_painted_whole_next = self._repaint_required",
        after="self._is_painted_whole_next = False",
        test=(
            "tests/tui/test_switching_app.py::"
            "test_what_is_laid_out_and_painted_whole_is_not_painted_in_part_before"
        ),
    ),
)
