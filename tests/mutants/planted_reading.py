"""Mistakes in reading a service. Somebody could make each in good faith."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

MUTANTS = (
    Mutant(
        name="a float on the way to a Decimal",
        file="paytui/api/jsontext.py",
        before="parse_float=_decimal, ",
        after="",
        test="tests/api/test_jsontext.py::test_a_number_with_a_fraction_arrives_with_every_digit",
    ),
    Mutant(
        name="a superseded token that is used again",
        file="paytui/api/auth.py",
        before="        self._cell.held = None\n        self._cell.strike",
        after="        self._cell.strike",
        test=(
            "tests/api/test_rivals.py::test_after_a_supersession_polls_wait_thirty_to_sixty_seconds"
        ),
    ),
    Mutant(
        name="a token file that is believed whatever stands in it",
        file="paytui/api/token_file.py",
        before='        if contents.get("owner") != self._owner:\n',
        after="        if False:\n",
        test="tests/api/test_token_file.py::test_the_token_of_another_client_id_is_not_taken",
    ),
    Mutant(
        name="a neighbour's renewal that is taken for a rival's",
        file="paytui/api/auth.py",
        before="            self._taken.pop()",
        after="            pass",
        test=(
            "tests/api/test_shared_token.py::"
            "test_a_401_while_a_neighbour_renews_waits_for_the_new_token"
        ),
    ),
    Mutant(
        name="pauses that go on after a suspend",
        file="paytui/worker/resume.py",
        before="            resumed()",
        after="            pass",
        test="tests/worker/test_run.py::test_after_a_suspend_everything_is_read_at_once",
    ),
    Mutant(
        name="a string that is not cleaned at the wire",
        file="paytui/api/scalars.py",
        before="return value if is_plain else clean(value)",
        after="return value",
        test=(
            "tests/api/test_scalars.py::test_a_string_is_cleaned_and_a_number_is_kept_as_its_digits"
        ),
    ),
    Mutant(
        name="a wake-up without its guard",
        file="paytui/store/wake.py",
        before="        if self._pending:\n            return\n",
        after="",
        test=(
            "tests/store/test_wake.py::"
            "test_a_loop_that_never_runs_is_handed_one_wake_up_however_often_it_is_woken"
        ),
    ),
    Mutant(
        name="a string that is not cleaned of controls",
        file="paytui/text.py",
        before='        case "Cc" | "Cs" | "Co" | "Cn":',
        after='        case "Cs" | "Co" | "Cn":',
        test="tests/test_text.py::test_what_could_harm_a_terminal_or_mislead_a_reader_is_taken_out",
    ),
    Mutant(
        name="rows forgotten although the list was not whole",
        file="paytui/worker/intake.py",
        before="if complete and not skipped",
        after="if True",
        test=(
            "tests/worker/test_lists.py::"
            "test_a_list_that_was_cut_short_removes_nothing_and_says_of_how_many"
        ),
    ),
    Mutant(
        name="pollers that sleep on when the service is back",
        file="paytui/worker/link.py",
        before="if was_in_trouble",
        after="if False",
        test="tests/worker/test_trouble.py::test_after_a_long_outage_all_feeds_return_together",
    ),
    Mutant(
        name="an identifier's 404 that switches a list off",
        file="paytui/api/caller.py",
        before='operation.name.startswith("get_") or self._goes_on(operation)',
        after="self._goes_on(operation)",
        test="tests/worker/test_tracked.py::test_an_identifiers_404_concerns_that_identifier_alone",
    ),
    Mutant(
        name="one wallet's 404 that switches the others' lists off",
        file="paytui/api/caller.py",
        before="operation.name in self._working or in_error_shape",
        after="in_error_shape",
        test=(
            "tests/worker/test_tracked.py::"
            "test_one_recipients_404_leaves_the_lists_of_the_others_on"
        ),
    ),
    Mutant(
        name="a record that cannot be read, and is taken for one that says nothing",
        file="paytui/api/reading.py",
        before="[bad.get(place, one) for place, one in enumerate(made)] if bad else made",
        after="made",
        test="tests/api/test_reading.py::test_of_records_that_are_read_together_each_holds_its_own",
    ),
    Mutant(
        name="a record that loses its page",
        file="paytui/api/paging.py",
        before="self.reason = self.reason or str(record)\n                continue\n",
        after="self.reason = self.reason or str(record)\n                break\n",
        test="tests/api/test_paging.py::test_a_bad_record_is_counted_and_loses_nobody_else",
    ),
    Mutant(
        name="a page read twice",
        file="paytui/api/paging.py",
        before="str(paging.first + self._requests)",
        after="str(paging.first + max(0, self._requests - 1))",
        test="tests/api/test_paging.py::test_pages_are_asked_for_from_the_first_until_all_are_there",
    ),
    Mutant(
        name="a total that counts its page and ends the list with it",
        file="paytui/api/paging.py",
        before="(told and not more) or not part.items or repeated or again\n",
        after="told or not part.items or repeated or again\n",
        test="tests/api/test_paging.py::test_records_beyond_a_total_that_is_wrong_are_read",
    ),
    Mutant(
        name="a list that goes on where nobody reads it and is taken for whole",
        file="paytui/api/paging.py",
        before="if part.unread and not self._was_led_on(part):",
        after="if False:",
        test=(
            "tests/api/test_paging.py::"
            "test_more_that_is_told_of_where_nobody_reads_it_leaves_the_list_cut_short"
        ),
    ),
    Mutant(
        name="a record on two pages that is two records",
        file="paytui/api/paging.py",
        before="            if identity not in self._seen:\n",
        after="            if True:\n",
        test="tests/api/test_paging.py::test_a_record_that_slips_to_the_next_page_comes_once",
    ),
    Mutant(
        name="a deposit that goes to whichever wallet was asked for",
        file="paytui/worker/intake.py",
        before="if self._parents.setdefault(key, parent) != parent:",
        after="if False:",
        test=(
            "tests/worker/test_foreign_rows.py::"
            "test_a_row_that_names_no_wallet_and_is_listed_under_two_belongs_to_neither"
        ),
    ),
    Mutant(
        name="a service that quotes the secret back at the screen",
        file="paytui/api/failures.py",
        before="clean(answer.veil(text), SAID_LIMIT)",
        after="clean(text, SAID_LIMIT)",
        test="tests/api/test_veil.py::test_a_sign_in_whose_secret_is_quoted_does_not_show_it",
    ),
    Mutant(
        name="raw JSON whose numbers have been through our own reading",
        file="paytui/api/raw.py",
        before="lambda: parse_verbatim(answer.body))",
        after="lambda: self._wire.raw(answer.body))",
        test="tests/api/test_raw.py::test_every_digit_and_every_unknown_field_is_there",
    ),
    Mutant(
        name="raw JSON that quotes the secret",
        file="paytui/api/raw.py",
        before='answer.veil("\\n".join(lines)).split("\\n")',
        after="lines",
        test="tests/api/test_raw.py::test_neither_secret_nor_token_comes_back",
    ),
    Mutant(
        name="a raw answer that comes late and is shown all the same",
        file="paytui/worker/raw.py",
        before="                    reading.cancel()\n",
        after="                    pass\n",
        test="tests/worker/test_raw.py::test_only_the_newest_wish_is_answered",
    ),
    Mutant(
        name="a webhook that is judged by the host's clock",
        file="paytui/worker/webhook_judge.py",
        before="stamp > self._time.latest().timestamp()",
        after="stamp > self._time.clock.now().timestamp()",
        test="tests/worker/test_webhook_judge.py::test_the_services_clock_counts_and_not_the_hosts",
    ),
    Mutant(
        name="a flood of events that is read one by one",
        file="paytui/worker/event_reads.py",
        before="named in self._waiting or",
        after="named not in self._waiting or",
        test="tests/worker/test_event_reads.py::test_a_flood_of_objects_is_read_in_lists_and_five_a_second",
    ),
)
