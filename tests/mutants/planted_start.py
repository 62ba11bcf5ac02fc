"""Mistakes in what is on the terminal before the dashboard is. Somebody could make each."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

OLD = "tests/cli/test_old_rows.py"
EARLY = "tests/tui/test_early_screen.py"
KNOWN = "tests/tui/test_last_known.py"

MUTANTS = (
    Mutant(
        name="rows that are looked at for garbage with each new one",
        file="paytui/cli/old_rows.py",
        before="                gc.freeze()\n",
        after="",
        test=f"{OLD}::test_what_is_in_use_when_many_rows_came_is_not_looked_at_again",
    ),
    Mutant(
        name="garbage that is never found, because something was in use once",
        file="paytui/cli/old_rows.py",
        before="if self._in_use >= MANY and changes - self._left_alone >= ROWS:",
        after="if self._in_use >= MANY:",
        test=f"{OLD}::test_while_few_rows_come_all_is_looked_at_again",
    ),
    Mutant(
        name="dialogs that stay for good once they were open",
        file="paytui/cli/old_rows.py",
        before="if self._in_use >= MANY and changes - self._left_alone >= ROWS:",
        after="if True:",
        test=f"{OLD}::test_a_dialog_that_was_open_at_a_look_is_garbage_once_it_is_closed",
    ),
    Mutant(
        name="balances of whoever else asked the same service",
        file="paytui/store/cache/place.py",
        before="owner_key(base_url, client_id)",
        after="owner_key(base_url, '')",
        test=(
            "tests/cli/test_cached.py::"
            "test_what_another_client_or_one_of_another_service_knew_is_not"
        ),
    ),
    Mutant(
        name="balances that were known last without when that was",
        file="paytui/tui/last_known.py",
        before="LAST KNOWN {full_time(feed.as_of, UTC)}, {old}",
        after="LAST KNOWN",
        test=f"{KNOWN}::test_balances_are_added_up_under_whose_they_are_and_when_that_was",
    ),
    Mutant(
        name="an age by a clock that was set back",
        file="paytui/tui/last_known.py",
        before='old = "in the future?"',
        after='old = "0 s ago"',
        test=f"{KNOWN}::test_by_a_clock_that_was_set_back_nobody_knows_how_old_it_is",
    ),
    Mutant(
        name="a sum that lacks a balance, without a word",
        file="paytui/tui/last_known.py",
        before=" if not (total.untold and total.available is not None)",
        after="",
        test=f"{KNOWN}::test_a_sum_that_lacks_a_balance_is_left_out_and_counted",
    ),
    Mutant(
        name="sums of a list that was cut short, without a word",
        file="paytui/tui/last_known.py",
        before="if feed.cut or feed.problem is not None else",
        after="if False else",
        test=f"{KNOWN}::test_it_says_that_the_sums_lack_something",
    ),
    Mutant(
        name="a list that was cut short, kept for the next start as all of it",
        file="paytui/store/cache/writer.py",
        before="lacks = (feed.skipped, int(feed.cut))",
        after="lacks = (0, 0)",
        test="tests/store/cache/test_recall.py::test_a_list_that_was_not_all_comes_back_as_one",
    ),
    Mutant(
        name="sums of the first two thousand wallets",
        file="paytui/store/cache/recall.py",
        before="        self.has_wallets = False\n",
        after="        self.has_wallets = True\n",
        test=(
            "tests/store/cache/test_recall.py::"
            "test_wallets_that_are_more_than_a_first_paint_waits_for_are_marked"
        ),
    ),
    Mutant(
        name="keys that are echoed onto balances",
        file="paytui/tui/early_screen.py",
        before="    modes[3] &= ~termios.ECHO\n",
        after="",
        test=f"{EARLY}::test_lines_stand_one_below_the_other_and_nothing_typed_is_echoed",
    ),
    Mutant(
        name="a shell that is left without echo",
        file="paytui/tui/tty.py",
        before="        if modes is not None:\n            self.set(modes)\n",
        after="",
        test=f"{EARLY}::test_a_terminal_that_nobody_took_over_is_as_it_was",
    ),
    Mutant(
        name="a dashboard that takes a terminal without echo for how it was",
        file="paytui/tui/early_screen.py",
        before="            self.tty.set(self.found)\n            self._let_go()\n",
        after="            self._let_go()\n",
        test=f"{EARLY}::test_who_takes_it_over_finds_it_as_it_was_with_the_screen_open",
    ),
    Mutant(
        name="balances that wait their turn among all that is read first",
        file="paytui/worker/worker.py",
        before="await first.polled.wait()",
        after="pass",
        test=("tests/worker/test_run.py::test_balances_are_there_before_anything_else_is_read"),
    ),
    Mutant(
        name="balances that hang, and all else behind them",
        file="paytui/worker/worker.py",
        before="asyncio.timeout(HEAD_START)",
        after="asyncio.timeout(None)",
        test=(
            "tests/worker/test_run.py::"
            "test_balances_that_hang_hold_back_nothing_else_for_longer_than_a_second"
        ),
    ),
    Mutant(
        name="balances that are painted over the dashboard",
        file="paytui/tui/early_screen.py",
        before="            if self.found is not None:\n                self._paint",
        after="            if True:\n                self._paint",
        test=(
            "tests/cli/test_early_balances.py::"
            "test_once_the_dashboard_has_the_terminal_nothing_is_shown_any_more"
        ),
    ),
    Mutant(
        name="what another run knew, told as read",
        file="paytui/tui/last_known.py",
        before='if feed.was_read else "No',
        after='if feed.as_of else "No',
        test="tests/tui/test_last_known.py::test_what_another_run_knew_is_not_told_as_read",
    ),
)
