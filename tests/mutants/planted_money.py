"""Mistakes with what is sent, kept and owned. Somebody could make each in good faith."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

MUTANTS = (
    Mutant(
        name="a rate that lasts as long as the service tells, however long that is",
        file="paytui/quote.py",
        before="        lifetime = min(lifetime, sheet.expires_at - sheet.created_at)\n",
        after="        lifetime = sheet.expires_at - sheet.created_at\n",
        test="tests/api/test_sheets.py::test_screen_and_sender_judge_its_end_by_the_shortest_that_is_told",
    ),
    Mutant(
        name="a service that forgets which keys it has answered",
        file="paytui/sandbox/endpoint.py",
        before="        if earlier is not None:",
        after="        if earlier is not None and earlier.status >= 400:",
        test=(
            "tests/sandbox/test_idempotency.py::"
            "test_the_same_key_is_answered_again_and_not_executed_again"
        ),
    ),
    Mutant(
        name="an outbox that a second process sends from",
        file="paytui/outbox/owner.py",
        before="        if not self._taken(self._lock):\n            raise",
        after="        if not self._taken(self._lock) and False:\n            raise",
        test="tests/outbox/test_owner.py::test_two_owners_in_one_process_are_one_too_many",
    ),
    Mutant(
        name="an outbox that is made anew over one that has lost what it held",
        file="paytui/outbox/opening.py",
        before="    if version(connection) == 0:\n",
        after="    if False:\n",
        test=(
            "tests/outbox/test_damage.py::"
            "test_damage_is_said_and_the_file_is_left_as_it_is[cut_to_0_bytes]"
        ),
    ),
    Mutant(
        name="a body that is sent although it is not as it was confirmed",
        file="paytui/outbox/rows.py",
        before=" or sha256_of(body) != sha256",
        after="",
        test=(
            "tests/outbox/test_damage.py::"
            "test_damage_is_said_and_the_file_is_left_as_it_is[flip_a_body]"
        ),
    ),
    Mutant(
        name="a person's data that is freed on the disk and not overwritten",
        file="paytui/outbox/opening.py",
        before="PRAGMA secure_delete = ON",
        after="PRAGMA secure_delete = OFF",
        test="tests/outbox/test_purge.py::test_its_body_is_gone_from_the_disk_once_it_is_settled",
    ),
    Mutant(
        name="a body that is gone while its intent is open, taken for purged",
        file="paytui/outbox/reading.py",
        before="if isinstance(known.entry.body, Purged) and",
        after="if False and",
        test="tests/outbox/test_purge.py::test_what_was_not_purged_but_changed_is_damage",
    ),
    Mutant(
        name="a creation that takes what another one may have become",
        file="paytui/worker/creations.py",
        before="return None if is_contested else found[0]",
        after="return found[0]",
        test=(
            "tests/worker/test_creations.py::"
            "test_two_of_the_same_that_are_in_doubt_are_for_a_person"
        ),
    ),
    Mutant(
        name="a service's words on a person that are kept",
        file="paytui/outbox/entry.py",
        before="if event.problem is None or not entry.action.is_personal:",
        after="if True:",
        test=(
            "tests/worker/test_creations.py::"
            "test_what_a_service_says_of_a_person_is_shown_and_not_kept"
        ),
    ),
    Mutant(
        name="an outbox that is not committed",
        file="paytui/outbox/outbox.py",
        before='                self._connection.execute("COMMIT")\n',
        after="",
        test=(
            "tests/outbox/test_outbox.py::"
            "test_what_is_recorded_is_read_after_a_restart_oldest_first"
        ),
    ),
    Mutant(
        name="a rate that is dealt at in its last moments",
        file="paytui/tui/wizards/trade_machine.py",
        before="elif self._lock_has_ended(deal):",
        after="elif 1 > 2:",
        test=(
            "tests/tui/wizards/test_trade_machine.py::"
            "test_nothing_is_sent_in_the_last_three_seconds_of_a_rate"
        ),
    ),
    Mutant(
        name="a press that bounces and books a second trade",
        file="paytui/tui/wizards/trade_machine.py",
        before="if self._intent is not None or self._step is not Step.CONFIRM or deal is None:",
        after="if self._step is not Step.CONFIRM or deal is None:",
        test="tests/tui/wizards/test_trade_machine.py::test_a_press_that_bounces_books_one_trade",
    ),
    Mutant(
        name="a deal that was changed after it was shown",
        file="paytui/tui/wizards/trade_machine.py",
        before="if review != shown:",
        after="if shown is None:",
        test=(
            "tests/tui/wizards/test_trade_machine.py::"
            "test_a_deal_that_changed_since_it_was_shown_is_not_booked"
        ),
    ),
    Mutant(
        name="an amount typed for another deal",
        file="paytui/tui/wizards/typed.py",
        before='if self.under == shown else ""',
        after="",
        test=(
            "tests/tui/wizards/test_trade_machine.py::"
            "test_an_amount_typed_for_one_rate_does_not_confirm_another"
        ),
    ),
    Mutant(
        name="a decision on an intent that has come to stand otherwise",
        file="paytui/tui/wizards/decision.py",
        before="elif shown != confirms:",
        after="elif not confirms:",
        test="tests/tui/wizards/test_decision_any_order.py::TestDeciding::runTest",
    ),
    Mutant(
        name="a decision that is handed over at each press",
        file="paytui/tui/wizards/decision.py",
        before="self._go_to(Step.HANDED_OVER)",
        after="pass",
        test="tests/tui/wizards/test_decision_any_order.py::TestDeciding::runTest",
    ),
    Mutant(
        name="an object that is another intent's already",
        file="paytui/tui/wizards/decision_options.py",
        before="other.object_id == object_id and other.intent_id != row.intent_id:",
        after="other.object_id == object_id and other.intent_id == row.intent_id:",
        test="tests/tui/wizards/test_decision_any_order.py::TestDeciding::runTest",
    ),
    Mutant(
        name="a released payout that is taken off a position once more",
        file="paytui/store/views/exposure.py",
        before='_LEFT = frozenset({"released"})',
        after="_LEFT: frozenset[str] = frozenset()",
        test=(
            "tests/store/views/test_exposure.py::"
            "test_a_payout_has_left_once_it_is_released_and_never_leaves_where_it_came_to_nothing"
        ),
    ),
    Mutant(
        name="a currency without a rate that is left out without a word",
        file="paytui/store/views/worth.py",
        before="without.append(position.currency)",
        after="pass",
        test="tests/store/views/test_worth.py::test_a_currency_without_a_rate_is_left_out_by_name",
    ),
    Mutant(
        name="money that leaves a wallet and is told as coming in",
        file="paytui/store/movements.py",
        before="return None if amount is None else amount.copy_negate()",
        after="return amount",
        test=(
            "tests/store/test_movements.py::"
            "test_what_leaves_a_wallet_is_negative_and_what_comes_into_it_positive"
        ),
    ),
    Mutant(
        name="a refusal that leaves a payment in doubt because of how its words are packed",
        file="paytui/api/transport.py",
        before="return response.is_success and response.status_code",
        after="return response.status_code",
        test=(
            "tests/api/test_packed_refusals.py::test_what_it_means_for_money_is_told_by_its_status"
        ),
    ),
    Mutant(
        name="a repeat that goes out under its key and under one of the dialect",
        file="paytui/api/transport.py",
        before="last = {name.lower(): (name, value)",
        after="last = {name: (name, value)",
        test=(
            "tests/api/test_caller.py::"
            "test_the_key_of_a_letter_goes_out_alone_whatever_the_dialect_has_come_to_say"
        ),
    ),
    Mutant(
        name="a key of the dialect that goes out instead of the intent's",
        file="paytui/api/caller.py",
        before="headers={**self._dialect.headers, letter.key_header: letter.key}",
        after="headers={letter.key_header: letter.key, **self._dialect.headers}",
        test=(
            "tests/api/test_caller.py::"
            "test_the_key_of_a_letter_goes_out_alone_whatever_the_dialect_has_come_to_say"
        ),
    ),
    Mutant(
        name="a gateway's refusal that is taken for the service's",
        file="paytui/api/failures.py",
        before="return _is_own(said) and not is_at_work",
        after="return not is_at_work",
        test=(
            "tests/worker/test_proof.py::"
            "test_an_answer_that_proves_nothing_leaves_a_payout_in_doubt_until_it_is_found"
        ),
    ),
    Mutant(
        name="an error about the key that is taken for a refusal",
        file="paytui/api/failures.py",
        before="    return any(word.casefold() in told for word in words)",
        after="    return False",
        test=(
            "tests/worker/test_proof.py::"
            "test_an_answer_that_proves_nothing_leaves_a_payout_in_doubt_until_it_is_found"
        ),
    ),
    Mutant(
        name="a payout that is sent again after any 401",
        file="paytui/api/caller.py",
        before="call.work is not Work.SEND or token_is_refused(answer, self._dialect)",
        after="True",
        test=(
            "tests/worker/test_proof.py::"
            "test_an_answer_that_proves_nothing_leaves_a_payout_in_doubt_until_it_is_found"
        ),
    ),
    Mutant(
        name="a path that is guessed although a read tells which is there",
        file="paytui/api/caller.py",
        before="best = letters[ranks.index(min(ranks))]",
        after="best = letters[0]",
        test=(
            "tests/api/test_caller.py::"
            "test_a_trade_goes_to_the_spelling_that_reads_tell_to_be_there"
        ),
    ),
    Mutant(
        name="a field that the service adds is asked for and never sent",
        file="paytui/tui/wizards/payment_order.py",
        before="return replace(found, extra=extra_of(asked, draft.extra))",
        after="return found",
        test=(
            "tests/tui/wizards/test_service_fields.py::TestAPayout::"
            "test_asks_for_each_and_sends_them_where_the_service_wants_them"
        ),
    ),
    Mutant(
        name="a payout goes out under another reference than its review has shown",
        file="paytui/tui/wizards/payment_machine.py",
        before="intent_id=self._state.intent_id,",
        after="",
        test=(
            "tests/tui/wizards/test_service_fields.py::TestAReference::"
            "test_is_confirmed_as_it_goes_out_and_told_so_at_the_end"
        ),
    ),
    Mutant(
        name="our own tag passes for the reference that a payee needs",
        file="paytui/tui/wizards/trade_machine.py",
        before="self._draft = replace(self._draft, reference=without_tag(clean(text)))",
        after="self._draft = replace(self._draft, reference=clean(text))",
        test=(
            "tests/tui/wizards/test_service_fields.py::TestATrade::"
            "test_that_pays_a_recipient_needs_a_reference"
        ),
    ),
)
