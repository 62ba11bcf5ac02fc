"""Mistakes in dealing with hostile data and secrets. Somebody could make each in good faith."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

MUTANTS = (
    Mutant(
        name="letters without ink that stay in a name",
        file="paytui/text.py",
        before='    if char in _UNSEEN:\n        return ""\n',
        after="",
        test="tests/test_text.py::test_what_could_harm_a_terminal_or_mislead_a_reader_is_taken_out",
    ),
    Mutant(
        name="a row of marks that takes cells nobody counts",
        file="paytui/text.py",
        before="elif _stands_beside(char):",
        after="elif not char:",
        test=(
            "tests/test_text.py::test_nothing_that_a_screen_counts_as_no_cell_comes_in_a_long_row"
        ),
    ),
    Mutant(
        name="a one that is not taken for an l",
        file="paytui/store/lettering.py",
        before="bare.translate(_STROKES)",
        after="bare",
        test=(
            "tests/store/test_lettering.py::"
            "test_names_that_a_reader_takes_for_each_other_have_one_skeleton"
        ),
    ),
    Mutant(
        name="figures of another alphabet that nobody marks",
        file="paytui/store/lettering.py",
        before="char.isalpha() or (char.isdecimal() and not char.isascii())",
        after="char.isalpha()",
        test="tests/store/test_lettering.py::test_the_alphabets_that_a_name_mixes_are_told",
    ),
    Mutant(
        name="recipients of other accounts that are confused",
        file="paytui/store/likeness.py",
        before="look = (recipient.account_id, skeleton(name))",
        after="look = (None, skeleton(name))",
        test=("tests/store/test_likeness.py::test_recipients_of_other_accounts_cannot_be_confused"),
    ),
    Mutant(
        name="an impostor who comes while a payout is confirmed",
        file="paytui/tui/wizards/payment_review.py",
        before="said = (*self.deceit, *self.lookalikes)",
        after="said = self.lookalikes",
        test=(
            "tests/tui/guards/test_deceit.py::"
            "test_one_that_comes_to_look_alike_while_it_is_confirmed_has_to_be_seen_first"
        ),
    ),
    Mutant(
        name="a name that hides what is confirmed",
        file="paytui/tui/wizards/step.py",
        before="cells = (Cell(clean(text, LONGEST), tone),)",
        after="cells = (Cell(text, tone),)",
        test=(
            "tests/tui/guards/test_deceit.py::"
            "test_a_name_without_end_hides_nothing_of_what_is_confirmed"
        ),
    ),
    Mutant(
        name="an amount beyond all money that is written out in a list",
        file="paytui/tui/cells.py",
        before="if len(written) > LONGEST_AMOUNT:",
        after="if not written:",
        test="tests/tui/test_cells.py::test_an_amount_is_written_out_or_said_to_be_too_long",
    ),
    Mutant(
        name="an idempotency key that a service repeats",
        file="paytui/api/caller.py",
        before="        self._http.veil.hide_key(letter.key)\n",
        after="",
        test=(
            "tests/api/test_veil.py::"
            "test_a_refusal_that_quotes_the_idempotency_key_does_not_show_it"
        ),
    ),
    Mutant(
        name="a paste that is painted as it came",
        file="paytui/tui/pasting_app.py",
        before="(clean(line) for line in",
        after="(line for line in",
        test=(
            "tests/tui/test_pasting.py::test_nothing_of_a_paste_reaches_the_terminal_as_an_escape"
        ),
    ),
    Mutant(
        name="an amount with as many places as were typed",
        file="paytui/tui/forms/amount.py",
        before="return amount.quantize(Decimal(1).scaleb(-minor_units(currency)))",
        after="return amount",
        test=(
            "tests/fuzz/test_fuzz.py::"
            "test_only_what_is_promised_comes_of_what_anybody_writes[amount]"
        ),
    ),
    Mutant(
        name="a number in a filter that is read whatever its length",
        file="paytui/store/quantity.py",
        before="if match is None or len(text) > LONGEST_NUMBER or not",
        after="if match is None or not",
        test="tests/store/test_quantity.py::test_a_number_that_is_absurdly_long_is_none",
    ),
    Mutant(
        name="a small answer that is unpacked whole",
        file="paytui/api/packed.py",
        before="self._stream.decompress(chunk, room)",
        after="self._stream.decompress(chunk)",
        test="tests/api/test_packed.py::test_a_small_answer_does_not_become_a_large_one",
    ),
    Mutant(
        name="an answer that is packed twice",
        file="paytui/api/packed.py",
        before="if len(codings) > 1 or codings[0] not",
        after="if codings[0] not",
        test=(
            "tests/api/test_packed.py::"
            "test_what_is_packed_twice_or_otherwise_than_was_asked_for_is_not_read"
        ),
    ),
)
