"""Mistakes in what lists show, find and export. Somebody could make each in good faith."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

MUTANTS = (
    Mutant(
        name="an order whose second column is never turned",
        file="paytui/tui/widgets/sorting.py",
        before="return _Turned(comparable) if turned else comparable",
        after="return comparable",
        test=(
            "tests/tui/test_sorting.py::"
            "test_equal_rows_of_the_first_column_are_in_the_order_of_the_next"
        ),
    ),
    Mutant(
        name="an amount that loses its currency when the column of that is left out",
        file="paytui/tui/widgets/chosen_columns.py",
        before="return replace(column, cell=column.alone.cell)",
        after="return column",
        test=(
            "tests/tui/test_column_choice.py::"
            "test_an_amount_that_stands_without_its_currency_shows_it_itself"
        ),
    ),
    Mutant(
        name="a filter that forgets a row: one that says nothing is neither that nor not that",
        file="paytui/store/filter.py",
        before="    return (lambda row: not test(row)) if term.negated else test",
        after=(
            "    told = [field.values for field in find_fields(term.field, known)]\n"
            "    return (\n"
            "        (lambda row: any(read(row) for read in told) and not test(row))\n"
            "        if term.negated\n"
            "        else test\n"
            "    )"
        ),
        test="tests/store/test_filter.py::test_a_filter_keeps_just_the_rows_that_it_describes",
    ),
    Mutant(
        name="a filter that forgets a row: the last slice of a long list",
        file="paytui/tui/widgets/sifting.py",
        before="return self._low == 0 and self._high == len(self._source)",
        after="return self._low == 0 and self._high >= len(self._source) - SLICE",
        test=(
            "tests/tui/test_ordering.py::"
            "test_what_is_shown_is_what_is_kept_whatever_changes_while_it_is_looked_for"
        ),
    ),
    Mutant(
        name="a filter that forgets a row: one that changed while it was looked for",
        file="paytui/tui/widgets/ordering.py",
        before="found += [entry for entry in self._shown if entry[2] in sifting.updated]",
        after="found += []",
        test=(
            "tests/tui/test_ordering.py::"
            "test_what_is_shown_is_what_is_kept_whatever_changes_while_it_is_looked_for"
        ),
    ),
    Mutant(
        name="a filter that was replaced looks on, and says that its successor has come to its end",
        file="paytui/tui/widgets/ledger.py",
        before=(
            "        await asyncio.sleep(0)\n"
            "        while self._sifting is sifting:\n"
            "            self._sift_on(sifting)\n"
            "            await asyncio.sleep(0)\n"
        ),
        after=(
            "        while self._sifting is sifting:\n"
            "            await asyncio.sleep(0)\n"
            "            self._sift_on(sifting)\n"
        ),
        test=(
            "tests/tui/test_filtering_long.py::"
            "test_a_filter_that_replaces_another_finds_all_however_far_that_one_had_come"
        ),
    ),
    Mutant(
        name="a longer word that is looked for in what changed since the shorter one was",
        file="paytui/tui/widgets/ordering.py",
        before="if narrower and before is not None and not before.updated:",
        after="if narrower and before is not None:",
        test=(
            "tests/tui/test_ordering.py::"
            "test_what_is_narrowed_before_all_was_looked_through_is_what_the_last_one_keeps"
        ),
    ),
    Mutant(
        name="a longer word that is looked for only in what the shorter one had found by then",
        file="paytui/tui/widgets/ordering.py",
        before="return before.left",
        after="return before.found",
        test=(
            "tests/tui/test_ordering.py::"
            "test_what_is_narrowed_before_all_was_looked_through_is_what_the_last_one_keeps"
        ),
    ),
    Mutant(
        name="many changes that are merged into a list as if all of them stood in one place",
        file="paytui/tui/widgets/ordering.py",
        before="        merged += entries[start:at]\n",
        after="",
        test=(
            "tests/tui/test_ordering.py::test_any_history_of_changes_ends_in_the_order_of_the_keys"
        ),
    ),
    Mutant(
        name="a sort by the names of the sort before",
        file="paytui/tui/usual_columns.py",
        before="keys=lambda: _made_once(key, said_of) if said_of else _folded_at_once(text),",
        after=(
            "keys=(lambda made: lambda: made)("
            "_made_once(key, said_of) if said_of else _folded_at_once(text)),"
        ),
        test="tests/tui/test_sorting.py::test_of_two_sorts_each_goes_by_the_names_of_its_time",
    ),
    Mutant(
        name="words of one row that are those of the next where one holds a line break",
        file="paytui/store/fold.py",
        before=' and whole.count("\\n") == len(texts) - 1',
        after="",
        test="tests/tui/test_sorting.py::test_words_of_many_rows_are_sorted_as_those_of_each",
    ),
    Mutant(
        name="a new order in which equal rows stand on the wrong side of the cursor",
        file="paytui/tui/widgets/nearest.py",
        before="is_below = list(map(not_, map(lt, repeat(self._value), found)))",
        after="is_below = list(map(lt, found, repeat(self._value)))",
        test=(
            "tests/tui/test_resorting.py::"
            "test_the_window_and_the_end_are_what_sorting_everything_gives"
        ),
    ),
    Mutant(
        name="a new order that begins without rows that are equal to the first of it",
        file="paytui/tui/widgets/nearest.py",
        before="list(map(lt, found, repeat(least)))",
        after="list(map(not_, map(lt, repeat(least), found)))",
        test=(
            "tests/tui/test_resorting.py::"
            "test_the_window_and_the_end_are_what_sorting_everything_gives"
        ),
    ),
    Mutant(
        name="names that are sorted by what they were",
        file="paytui/store/called.py",
        before="            self._names.clear()\n",
        after="",
        test="tests/store/test_called.py::test_a_name_is_made_once_until_something_changes",
    ),
    Mutant(
        name="a change that is lost because the list was being sorted when it came",
        file="paytui/tui/widgets/ledger.py",
        before="        for changes in applies:\n            self.apply(changes)\n",
        after="",
        test=(
            "tests/tui/test_sorting_long.py::"
            "test_what_changes_while_it_is_sorted_stands_where_it_then_belongs"
        ),
    ),
    Mutant(
        name="a key that is lost because it came while the list was being sorted",
        file="paytui/tui/widgets/ledger.py",
        before="            self._ordering = known\n            self._move_on()\n",
        after="            self._ordering = known\n            self._moves_later.clear()\n",
        test=(
            "tests/tui/test_sorting_long.py::"
            "test_keys_that_come_while_it_is_sorted_are_carried_out_in_the_new_order"
        ),
    ),
    Mutant(
        name="a word that is looked for in what a row said before",
        file="paytui/store/searched.py",
        before="if self._rows.get(key) is not row:",
        after="if key not in self._rows:",
        test="tests/store/test_searched.py::test_a_row_that_changed_has_another",
    ),
    Mutant(
        name="a name that is found only until it changes",
        file="paytui/tui/screens/listing.py",
        before="            self._texts.forget(named)\n",
        after="",
        test=(
            "tests/tui/test_filtering_long.py::"
            "test_a_new_name_has_the_rows_that_name_it_looked_at_again"
        ),
    ),
    Mutant(
        name="a cell that starts with = is handed to the spreadsheet as it is",
        file="paytui/store/export.py",
        before='return _FORMULA.sub("\'", value)',
        after="return value",
        test=(
            "tests/store/test_export.py::"
            "TestCsv::test_text_that_a_spreadsheet_would_compute_is_made_text"
        ),
    ),
    Mutant(
        name="a cell that is guarded at its beginning alone, and split at its semicolon",
        file="paytui/store/export.py",
        before=r"(?: \A | (?<=[;,\t\r\n]) )",
        after=r"(?: \A )",
        test=(
            "tests/store/test_export.py::"
            "TestCsv::test_nor_is_a_part_of_it_where_a_spreadsheet_splits_elsewhere"
        ),
    ),
    Mutant(
        name="what moved a wallet and went away, and stays on its list",
        file="paytui/tui/screens/movements.py",
        before="        self._table.remove(self._table.keys() - {_key(row) for row in rows})\n",
        after="",
        test="tests/tui/test_movements_list.py::test_the_list_runs_on_and_what_goes_away_goes",
    ),
    Mutant(
        name="a list of an account that holds everybody's",
        file="paytui/tui/screens/those.py",
        before="        only=belongs_to(those.of.kind, those.of.key, those.kind),\n",
        after="",
        test=(
            "tests/tui/test_belongings.py::"
            "test_a_list_of_an_account_is_of_that_account_whatever_is_looked_at_elsewhere"
        ),
    ),
)
