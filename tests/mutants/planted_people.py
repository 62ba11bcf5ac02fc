"""Mistakes with whom paytui obeys, and whom it asks again. Each could be made in good faith."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

MUTANTS = (
    Mutant(
        name="a user who takes an operator's read-only back",
        file="paytui/config/load.py",
        before="read_only=table.read_only or operator.read_only",
        after="read_only=table.read_only",
        test="tests/config/test_operator.py::test_a_user_cannot_take_read_only_back",
    ),
    Mutant(
        name="a user's limit that goes before a tighter one of the operator",
        file="paytui/config/bounded.py",
        before="for code, amount in both.items()}",
        after="for code, amount in both.items()} | dict(own)",
        test="tests/config/test_operator.py::test_of_two_limits_the_tighter_holds_by_currency",
    ),
    Mutant(
        name="an operator's file that a user could have written",
        file="paytui/config/operator.py",
        before="found.st_uid != place.owner or found.st_mode & _OTHERS_WRITE",
        after="found.st_uid != place.owner",
        test="tests/config/test_operator.py::test_a_file_that_others_can_write_lets_nothing_start",
    ),
    Mutant(
        name="an operator's setting that is chosen otherwise on screen",
        file="paytui/config/choices.py",
        before="    if place in settings.held:\n",
        after="    if False:\n",
        test=(
            "tests/config/test_operator.py::"
            "test_what_the_operator_set_is_not_chosen_and_a_stricter_limit_of_ones_own_is"
        ),
    ),
    Mutant(
        name="a worker that sends above a limit because a screen let it through",
        file="paytui/worker/submit.py",
        before="        if words := self._refusal(intent.terms):\n",
        after='        if words := "":\n',
        test=(
            "tests/worker/test_limits.py::test_nothing_above_the_profiles_limit_is_recorded_or_sent"
        ),
    ),
    Mutant(
        name="one decision that cannot be judged, after which nothing more is done",
        file="paytui/worker/submit.py",
        before="except Exception as error:  # noqa: BLE001 - whatever it was, others are decided",
        after="except OutboxError as error:",
        test=(
            "tests/worker/test_limits.py::test_where_a_mistake_is_made_with_a_decision_"
            "it_is_told_and_what_is_confirmed_next_is_sent"
        ),
    ),
    Mutant(
        name="one in doubt that cannot be judged, after which nothing more is sent",
        file="paytui/worker/submit.py",
        before="except Exception as error:  # noqa: BLE001 - whatever it was, others are followed",
        after="except OutboxError as error:",
        test=(
            "tests/worker/test_limits.py::test_where_a_mistake_is_made_with_one_in_doubt_"
            "it_is_told_once_and_others_are_sent"
        ),
    ),
    Mutant(
        name="a recipient whose own limit nobody asks for",
        file="paytui/limits.py",
        before="    of_recipient = _bounds(profile, recipient).refuse_above\n",
        after="    of_recipient = _bounds(profile, None).refuse_above\n",
        test="tests/test_limits.py::test_an_amount_is_refused_where_any_limit_is_below_it",
    ),
    Mutant(
        name="a new account that is paid with nothing more asked",
        file="paytui/tui/guards/payees.py",
        before="return proven != bank_hash(address) and is_strange(desk, address)",
        after="return proven is None and is_strange(desk, address)",
        test=(
            "tests/tui/wizards/test_new_accounts.py::TestAPayout::"
            "test_to_a_new_account_asks_how_it_ends_and_does_not_tell"
        ),
    ),
    Mutant(
        name="an account that has changed, taken for the one that was paid",
        file="paytui/store/acquaintance.py",
        before="if any(paid_at != bank_hash(address) for paid_at in newest):",
        after="if any(paid_at is None for paid_at in newest):",
        test=(
            "tests/store/test_acquaintance.py::"
            "test_one_whose_details_are_not_those_that_were_paid_has_changed"
        ),
    ),
    Mutant(
        name="a resend to an account that has changed, with nothing more asked",
        file="paytui/tui/wizards/decision.py",
        before="if self._answers.verdict in SENDING and self._is_unproven:",
        after="if self._answers.verdict is Verdict.REPEAT and self._is_unproven:",
        test=(
            "tests/tui/wizards/test_new_accounts.py::TestADecision::"
            "test_to_send_it_to_a_changed_account_asks_how_that_ends"
        ),
    ),
    Mutant(
        name="somebody whose payment addresses cannot be read, paid because the others' can",
        file="paytui/tui/guards/sending.py",
        before="    if own is not None:\n",
        after="    if False:\n",
        test=(
            "tests/tui/wizards/test_one_failing_list.py::"
            "test_it_is_not_paid_and_it_is_said_whose_list_fails_and_why"
        ),
    ),
    Mutant(
        name="an account of the cache that is taken for read because most lists were",
        file="paytui/tui/guards/sending.py",
        before="row not in unconfirmed",
        after="row not in ()",
        test=(
            "tests/tui/wizards/test_one_failing_list.py::"
            "test_an_account_that_only_another_run_has_seen_is_not_paid"
        ),
    ),
    Mutant(
        name="one list that fails, which makes all others as old as it is",
        file="paytui/worker/report.py",
        before="[part for part in parts if part.trouble is None]",
        after="parts",
        test=(
            "tests/worker/test_one_list_fails.py::"
            "test_it_is_told_whose_list_fails_since_when_and_that_the_others_are_young"
        ),
    ),
    Mutant(
        name="a lock that never comes",
        file="paytui/tui/guards/idle.py",
        before="            self._locked = True\n",
        after="            self._locked = False\n",
        test="tests/tui/guards/test_idle.py::test_it_locks_once_no_key_was_pressed_for_so_long",
    ),
    Mutant(
        name="a lock that opens by any key that comes too late",
        file="paytui/tui/guards/idle.py",
        before="        if not self.is_locked:\n",
        after="        if not self._locked:\n",
        test="tests/tui/guards/test_idle.py::test_a_key_that_comes_too_late_does_not_unlock_it",
    ),
    Mutant(
        name="a lock that a paste opens",
        file="paytui/tui/screens/unlock_dialog.py",
        before="        event.prevent_default()\n        event.stop()\n",
        after="        event.stop()\n",
        test="tests/tui/test_locking.py::test_a_paste_does_not_unlock",
    ),
)
