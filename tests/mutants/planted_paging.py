"""Mistakes in how far lists are read. Somebody could make each in good faith."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

WHOLE = "tests/api/test_whole_lists.py"
UNSURE = "tests/api/test_unsure_lists.py"
ZEROTH = "tests/api/test_zeroth.py"

MUTANTS = (
    Mutant(
        name="a list in one long answer that keeps the loop until all of it is read",
        file="paytui/api/exchanges.py",
        before="return await self._wire.listed_in_turns(answer)",
        after="return self._wire.listed(answer)",
        test=(
            "tests/api/test_long_text.py::"
            "test_a_list_that_comes_in_one_long_answer_keeps_nobody_waiting"
        ),
    ),
    Mutant(
        name="pieces of a long text that become ever longer",
        file="paytui/api/long_text.py",
        before="        self._told = at\n        return True",
        after="        self._told = 2 * at\n        return True",
        test="tests/api/test_long_text.py::test_no_piece_is_longer_than_it_may_be",
    ),
    Mutant(
        name="fifty records that come again and again, and are taken for all of them",
        file="paytui/api/paging.py",
        before="if self._is_one_for_all() and self._is_full(part):",
        after="if False:",
        test=f"{WHOLE}::test_a_service_that_knows_no_pages_gives_no_whole_list",
    ),
    Mutant(
        name="a list that says that it ends, and is doubted for its length",
        file="paytui/api/envelope.py",
        before="if isinstance(body, dict) and says_no_more(body):",
        after="if False:",
        test=f"{UNSURE}::test_what_the_service_says_wins_over_a_length",
    ),
    Mutant(
        name="a cursor that repeats the question, null, and is taken for the end",
        file="paytui/api/onward.py",
        before='return name in _LEADS_ON and name.startswith("next")',
        after="return name in _LEADS_ON",
        test=f"{UNSURE}::test_what_repeats_the_question_or_counts_the_answer_says_nothing",
    ),
    Mutant(
        name="a list that is doubted although a longer one came",
        file="paytui/api/habits.py",
        before="return length < self.longest",
        after="return False",
        test=f"{UNSURE}::test_lists_shorter_than_the_longest_that_came_are_all",
    ),
    Mutant(
        name="a last page that comes again, behind which nobody looks any more",
        file="paytui/api/paging.py",
        before="self.total is not None or self._may_be_full(part))",
        after="self.total is not None)",
        test=f"{UNSURE}::test_one_that_may_be_full_is_asked_for_one_page_more_each_time",
    ),
    Mutant(
        name="pages from 0 that are read from 1, and nobody looks",
        file="paytui/api/zeroth.py",
        before="        if not page.last or page.cut or not self._found.get(operation):",
        after="        if True:",
        test=f"{ZEROTH}::test_records_before_the_first_page_make_a_list_cut_short",
    ),
    Mutant(
        name="a page 0 that is the first one, newer, and is taken for another",
        file="paytui/api/zeroth.py",
        before="2 * len(set(held) - seen) > len(held)",
        after="bool(set(held) - seen)",
        test=f"{ZEROTH}::test_pages_that_are_numbered_from_1_are_well",
    ),
    Mutant(
        name="a row that a list that may be all lacks once, and goes",
        file="paytui/worker/intake.py",
        before="is_doubted = answers > 1 or remark or",
        after="is_doubted = answers > 1 or",
        test=(
            "tests/worker/test_intake.py::"
            "test_what_two_readings_that_may_be_all_do_not_hold_is_gone"
        ),
    ),
    Mutant(
        name="a 404 for the page after the last that switches the list off",
        file="paytui/api/caller.py",
        before=' if operation.name.startswith("get_") or self._goes_on(operation):',
        after=' if operation.name.startswith("get_"):',
        test=f"{WHOLE}::test_a_page_beyond_the_last_may_be_refused",
    ),
    Mutant(
        name="a total that shrinks with the list, so that nobody sees that a row was missed",
        file="paytui/api/paging.py",
        before="self.total = part.total if self.total is None else self.total",
        after="self.total = part.total",
        test=f"{WHOLE}::test_a_row_that_leaves_while_the_list_is_read_may_hide_another",
    ),
    Mutant(
        name="a total in a header that nobody hears",
        file="paytui/api/envelope.py",
        before="part = replace(part, total=total_told(headers))",
        after="pass",
        test=f"{WHOLE}::test_headers_are_heard",
    ),
    Mutant(
        name="answers without records that are all the same, and end a list",
        file="paytui/api/paging.py",
        before="self._same = bool(part.items) and part.items == self._items",
        after="self._same = part.items == self._items",
        test=f"{WHOLE}::test_cursors_lead_over_answers_that_hold_nothing",
    ),
    Mutant(
        name="a record that another one's identifier swallows",
        file="paytui/api/paging.py",
        before="for other in records if other != record):",
        after="for other in ()):",
        test=f"{WHOLE}::test_records_that_share_an_identifier_are_counted_as_unreadable",
    ),
    Mutant(
        name="a row that only moved while it was read, and goes",
        file="paytui/worker/intake.py",
        before="gone = missed & part.missed if is_doubted else missed",
        after="gone = missed",
        test="tests/worker/test_intake.py::test_what_slips_onto_a_page_that_was_read_is_still_there",
    ),
    Mutant(
        name="a payment that is further down than the list was read, and is not found",
        file="paytui/api/client.py",
        before="        if not listing.is_sure:\n            raise not_in_part(",
        after="        if False:\n            raise not_in_part(",
        test="tests/worker/test_tracked.py::test_a_payment_that_a_list_in_part_no_longer_shows_stays",
    ),
    Mutant(
        name="a recipient that is made of an empty answer",
        file="paytui/api/recognise.py",
        before="if record != nothing_known:",
        after="if record:",
        test=(
            "tests/api/test_answers.py::"
            "test_a_service_that_has_no_addresses_of_whatever_is_asked_makes_no_recipient"
        ),
    ),
    Mutant(
        name="a check that says that all is well without the first page",
        file="paytui/cli/dialect_paging.py",
        before='if paging.style != "page" or paging.first != 1:',
        after="if True:",
        test=(
            "tests/cli/test_dialect_paging.py::test_pages_that_are_numbered_from_0_are_found_out"
        ),
    ),
    Mutant(
        name="a day that begins at a midnight that it does not have",
        file="paytui/store/filter.py",
        before="bound = read_day(term.value) if is_day else read_moment(term.value, when.zone)",
        after=(
            "moment = read_moment(term.value, when.zone)\n"
            "    bound = when.day(moment) if is_day and moment else moment"
        ),
        test="tests/store/test_filter.py::test_a_day_that_has_no_midnight_is_that_day",
    ),
    Mutant(
        name="a list of wallets that was cut short, and proves that there are no others",
        file="paytui/tui/panels/balance_words.py",
        before="not feed.skipped and not feed.cut and",
        after="not feed.skipped and",
        test=(
            "tests/tui/panels/test_balances.py::"
            "test_a_currency_whose_wallets_are_not_known_has_no_figures"
        ),
    ),
    Mutant(
        name="a sum that lacks a balance, and does not say so",
        file="paytui/tui/panels/balances.py",
        before="lacking = self._partly_told or lacks(",
        after="lacking = lacks(",
        test=(
            "tests/tui/panels/test_balances.py::"
            "test_a_sum_that_lacks_the_balance_of_a_wallet_says_so"
        ),
    ),
)
